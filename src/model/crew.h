// Threads that work on one data. Each has a view of it: a copy of its struct, whose arrays are those of the
// data, while scratch, statistics and warnings are the view's own. So a stage may be called with a view, as
// long as no two of its calls write to the same place.
#ifndef SINEW_MODEL_CREW_H
#define SINEW_MODEL_CREW_H

#include <sinew/data.h>

typedef struct snCrew {
    snData* d;
    int count;    ///< threads
    snData* view; ///< [count]
    size_t room;  ///< bytes of scratch of each
    size_t mark;  ///< of the scratch of d, before all this
} snCrew;

/// One piece of work, by one of the views; no two pieces have the same at a time.
typedef void (*snCrewWork)(void* arg, int index, snData* view);

/// Views for the threads of the data, at most `most`, in its scratch, whose free part they share: nobody
/// takes any from d itself until the end. Their statistics and warnings are 0. false: there is but one
/// thread, or less room than is worth the while; the caller does the work itself.
bool sn_beginCrew(snData* d, int most, snCrew* crew);

/// Calls work(arg, index, view) once for each index in [0, count), in any order.
void sn_runCrew(const snCrew* crew, int count, snCrewWork work, void* arg);

/// Bytes behind the arrays of the data that no view has taken: what the arrays may grow by before the end, by
/// sn_arenaAlloc, after which no piece of work takes scratch.
size_t sn_crewGap(const snCrew* crew);

/// Releases the views, and what stood in their scratch.
void sn_endCrew(snCrew* crew);

#endif
