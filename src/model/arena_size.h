// How large the arena of a data is: its limit when the file does not say, and the least that a step needs.
#ifndef SINEW_MODEL_ARENA_SIZE_H
#define SINEW_MODEL_ARENA_SIZE_H

#include <sinew/model.h>

/// Bytes of address space; pages that are never touched cost nothing.
#define SN_ARENA_LIMIT ((size_t)1 << 31)

/// No more than this, in bytes, does a step without constraints take; less cannot be worked with.
size_t sn_arenaLeast(const snModel* m);

/// Constraints whose impulses a data keeps at most (d->impulse): more than stacks of boxes have.
int sn_mostImpulses(const snModel* m);

#endif
