// The search for positions at which loops are closed.
#ifndef SINEW_LOOP_CLOSING_SEARCH_H
#define SINEW_LOOP_CLOSING_SEARCH_H

#include <sinew/mechanism.h>

/// How far a loop is open: the length of its error, or the angle where that is the worse part.
typedef struct snGap {
    int loop;      ///< as in closure_id; -1: none
    bool angle;    ///< rad; else m
    double size;   ///< of that
    double weight; ///< in m, angles times the length of their cluster
    double length; ///< that
} snGap;

/// What a search found. Both gaps are those of the worst loop.
typedef struct snFinding {
    bool room;        ///< the arena had room for it
    bool closed;      ///< all loops are closed at qpos of the shadow; else it is any
    snGap start, end; ///< at the given qpos, and the least that was reached
    int niter;
} snFinding;

/// Closes the loops of a shadow (closing/shadow.h) from its qpos, in place. Takes scratch; leaves loops and
/// poses of the last position that was looked at.
snFinding sn_searchClosed(const snModel* m, snData* shadow, const snAssembly* rules);

#endif
