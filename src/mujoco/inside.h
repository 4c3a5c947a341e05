// What the files of MuJoCo's names share. SINEW_MUJOCO_INSIDE makes mjModel and mjData snModel and snData
// themselves.
#ifndef SINEW_MUJOCO_INSIDE_H
#define SINEW_MUJOCO_INSIDE_H

#include <mujoco/mujoco.h>
#include <sinew/sinew.h>

/// Lends a data the functions of the user that stand in mjcb_... now.
void lendCallbacks(snData* d);

/// Which warnings a data has not raised, a bit each.
unsigned quietWarnings(const snData* d);
/// Tells those of them that it has raised since.
void tellWarnings(const snData* d, unsigned quiet);

/// Copies a text into a buffer of the user, cut to its size between characters. to may be NULL, size 0 or
/// below.
void giveText(const char* from, char* to, int size);

/// How files are read: what does not say means MuJoCo 3.3.7.
snLoadOptions loadOptions(const mjVFS* vfs, snWarnings* warnings);

/// The files of a VFS, which may be NULL or empty; *count receives how many.
const snAsset* filesOf(const mjVFS* vfs, int* count);

#endif
