// Both engines with the same model, for benches that step them in turns.
#ifndef BENCH_PAIR_H
#define BENCH_PAIR_H

#include <sinew/sinew.h>
#include "peer.h"

typedef struct Engines {
    snModel* m;
    snData* d;
    mjModel* pm;
    mjData* pd;
} Engines;

/// Loads a model into both, ours by the rules of 4.0, and makes their data; says on stderr what is wrong and
/// returns false on failure. closeEngines in either case.
bool openEngines(const Peer* p, const char* path, Engines* e);
void closeEngines(const Peer* p, const Engines* e);

#endif
