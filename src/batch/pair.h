// The pairs of geoms that may ever meet in a model, which lanes look at in each step; and one pair of one
// simulation through the colliders of the scalar engine. This header is read by files for lanes, too: all
// numbers are snDouble.
#ifndef SINEW_BATCH_PAIR_H
#define SINEW_BATCH_PAIR_H

#include "batch/engine.h"

enum { SN_BATCH_MAXPAIR = 8192 }; ///< models with more are left to the scalar engine, which sweeps

/// Two geoms, type of the first <= type of the second.
typedef struct snBatchPair {
    int geom[2]; ///< ids
    int pair;    ///< pair element; -1: none
} snBatchPair;

/// Pairs whose bounds are compared: those of a geom, which is the pair's first, stand together.
typedef struct snBatchTest {
    int geom; ///< the second: place in snBatchPairs.geom
    int at;   ///< place in snBatchPairs.list
} snBatchTest;

typedef struct snBatchPairs {
    snBatchPair* list; ///< [count] in the order of contacts
    int count;
    int* geom; ///< [ngeom] ids of geoms with bounds: those of pairs without an element
    int ngeom;
    snBatchTest* test; ///< one for each pair without an element
    int* start;        ///< [ngeom + 1] where the tests of each geom start
    int* element;      ///< [nelement] places in list of pair elements
    int nelement;
    int npoint; ///< most contacts that lanes can have, each at its own points
    bool share; ///< whether contacts of other geoms of the same bodies may stand for each other
    bool many;  ///< more than SN_BATCH_MAXPAIR: none are listed
} snBatchPairs;

/// Pairs of geoms that the filters allow and pair elements, as the broad phase has them. NULL: no memory.
snBatchPairs* sn_makeBatchPairs(const snScalarModel* m);
void sn_freeBatchPairs(snBatchPairs* pairs);
/// How many pairs a model has, counted up to some above SN_BATCH_MAXPAIR.
int sn_countBatchPairs(const snScalarModel* m);

// ---- one pair of one simulation

/// A geom where it stands.
typedef struct snPairShape {
    snDouble pos[3], mat[9], size[3], radius; ///< radius: geom_rbound
} snPairShape;

typedef struct snPairPoint {
    snDouble dist, pos[3], normal[3], tangent[3];
} snPairPoint;

/// Contact points of the two geoms, as sn_collideShapes; returns how many of out [SN_MAXCONPAIR] are written.
int sn_collidePair(const snScalarModel* m, const snBatchPair* pair, const snPairShape shape[2],
                   snDouble margin, snPairPoint* out);

#endif
