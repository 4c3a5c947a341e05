// Islands whose sweeps have not converged: steps over all free rows at once (subspace.h), solved by a sparse
// factor (profile.h), each followed by some sweeps that find which rows are free. The factor by profile:
// profile.h; the sweeps: seed 003, 2.
#ifndef SINEW_LCP_FREE_ROWS_H
#define SINEW_LCP_FREE_ROWS_H

#include <sinew/data.h>
#include "lcp/solve/iterate.h"

/// Goes on from x until the natural residual is below it->tolerance or does not shrink; x and dV become the
/// best that was met, and it->residual, it->products and it->status follow. Where several solutions are
/// found, one at rest is taken. Nothing happens where T is not J, or where a factor would take longer than 8
/// sweeps, than 1,000 where no row would be faster than `slow` without impulses. false: the arena is full, x
/// as it was.
bool sn_lcpFreeRows(snData* d, snLcpSystem* s, double slow, snIteration* it);

/// For small islands, in place of pivots: where no row would be faster than `slow` without impulses, x and dV
/// become a solution in which nothing that is loaded moves, if there is one: x itself, taken further, or the
/// convex problem's (convex.h), where that solves the LCP. held: whether it does, to it->tolerance, or if
/// `exact` to 1e-9 of the largest |b|; else x is as it was. it->residual and it->products follow. false: the
/// arena is full.
bool sn_lcpRest(snData* d, snLcpSystem* s, double slow, bool exact, snIteration* it, bool* held);

/// A step over free rows for an island that its sweeps have solved: they do not see how it sways, which grows
/// from rounding until they do. Nothing happens where T is not J, where it->residual is at rounding beside
/// `slow`, or where a factor would take longer than 2 sweeps. it->residual and it->products follow. false:
/// the arena is full.
bool sn_lcpSettle(snData* d, snLcpSystem* s, double slow, snIteration* it);

#endif
