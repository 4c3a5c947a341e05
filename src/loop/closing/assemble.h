// Closing the loops of a start.
#ifndef SINEW_LOOP_CLOSING_ASSEMBLE_H
#define SINEW_LOOP_CLOSING_ASSEMBLE_H

#include "loop/closing/search.h"

/// Whether the model could hold loops at all, by its sizes and options.
static inline bool sn_mayHaveLoops(const snModel* m)
{
    return m->nloop > 0 || (m->neq > 0 && m->opt.loops == SN_LOOPS_EXACT);
}

/// sn_assemble, and what it found; start.loop and end.loop are -1 where it did not look.
snStatus sn_assembleFrom(const snModel* m, snData* d, snAssembly* assembly, snFinding* found, snError* error);

/// Whether a start is open by more than the numbers of a file that has six digits leave.
bool sn_isOpen(const snGap* start);

/// A gap in words, "0.05 m".
typedef struct snGapText {
    char text[40];
} snGapText;
snGapText sn_gapText(const snGap* gap);

/// Assembles a start; one that was open counts SN_WARN_LOOPOPEN with the loop's id, loop_error_max says by
/// how much. If it cannot be closed qpos and qvel stay, and the same is counted.
void sn_closeStart(const snModel* m, snData* d);

#endif
