// Files: whole ones in and out of memory, and those that are written bit by bit.
#ifndef SINEW_BASE_FILE_H
#define SINEW_BASE_FILE_H

#include <sinew/base.h>
#include <stdbool.h>
#include "base/platform/path.h"

#define SN_FILE_LIMIT ((size_t)1 << 30) ///< largest file that is read
#define SN_FILE_LIMIT_TEXT "1 GiB"

/// What stands behind the last slash of a path.
static inline const char* sn_baseName(const char* path)
{
    const char* slash = sn_lastSlash(path);
    return slash ? slash + 1 : path;
}

/// Whether a real path (of sn_realPath) is below a folder, which may be a link itself; "": the working
/// folder.
bool sn_isBelow(const char* folder, const char* real);

/// Reads a regular file. *data receives a block to free with sn_free, closed by a 0 that *size does not
/// count. Folders, pipes, devices and files above SN_FILE_LIMIT are refused (status FILE).
snStatus sn_readFile(const char* path, char** data, size_t* size, snError* error);

/// The first bytes of a regular file, at most n; how many were read. 0: none, or it cannot be read.
size_t sn_peekFile(const char* path, void* start, size_t n);

/// A file on its way: it is written beside its place and appears there when it is whole. What a killed
/// process has written stays in `part`.
typedef struct snOutput {
    int file;                  ///< -1: none
    const char* path;          ///< as the caller calls it, for messages
    char target[SN_PATH_SIZE]; ///< where it goes: `path`, its links followed
    char part[SN_PATH_SIZE]; ///< what it is called until then: `target`.part, or if that is there .partPID-N
} snOutput;

/// Begins a regular file. Folders, pipes and devices are refused and stay as they are; a link stays, too, its
/// target is replaced and keeps its permissions. Status FILE, here and below, names path and reason. *output
/// can be closed in any case; it keeps the pointer `path`.
snStatus sn_openOutput(snOutput* output, const char* path, snError* error);
/// Adds `size` bytes at the end.
snStatus sn_writeOutput(const snOutput* output, const void* data, size_t size, snError* error);
/// Writes over `size` bytes that are there.
snStatus sn_patchOutput(const snOutput* output, size_t offset, const void* data, size_t size, snError* error);
/// Puts the file into its place, or with keep = false, and when that fails, removes it.
snStatus sn_closeOutput(snOutput* output, bool keep, snError* error);

/// Writes a regular file whole or not at all, as an snOutput.
snStatus sn_writeFile(const char* path, const void* data, size_t size, snError* error);

/// Makes a folder where there is none; one that is there will do. Its parent must be there. Status FILE names
/// path and reason.
snStatus sn_makeFolder(const char* path, snError* error);

#endif
