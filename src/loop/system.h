// The closed-loop system of a model at a state: which dofs its loops tie together, and G and g of (8.42),
// qacc = G yacc + g, a cluster of loops at a time (seed 002, sections 8.8 and 8.9).
#ifndef SINEW_LOOP_SYSTEM_H
#define SINEW_LOOP_SYSTEM_H

#include <sinew/data.h>

/// A minimal loop cluster: loops that share dofs, and these.
typedef struct snLoopCluster {
    int nrow, ndof, rank;
    int* loop; ///< [nloop of it] its loop joints, ascending
    int nloop;
    int* dof;         ///< [ndof] ascending
    double* K;        ///< [nrow x ndof] rows of its loops in their order
    double* k;        ///< [nrow] k + k_stab
    double* delta;    ///< [nrow] error of position
    double* speed;    ///< [nrow] T' v_J
    double* G;        ///< [ndof x ndof], the first ndof - rank columns count
    int* y;           ///< [ndof - rank] y of each of these columns
    double condition; ///< of the pivots of K
    double excess;    ///< how inconsistent redundant rows are
} snLoopCluster;

typedef struct snLoopSystem {
    int ncluster, ny;
    snLoopCluster* cluster;
    int* cluster_of; ///< [nv] cluster of a dof; -1: in no loop
    int* place;      ///< [nv] its place in the cluster's dofs; in no loop: its y
    int* ydof;       ///< [ny] the dof that a y is, ascending
    double* g;       ///< [nv]
} snLoopSystem;

/// Finds clusters, K, k, G and g, in scratch. Reads: what sn_fwdPosition and sn_fwdVelocity write. false: the
/// arena is full. Cost: O(depth) a row, and elimination within each cluster.
bool sn_loopSystem(const snModel* m, snData* d, snLoopSystem* s);

/// qacc [nv] = G y + g;  y [ny] = G' x, x [nv].
void sn_loopExpand(const snModel* m, const snLoopSystem* s, const double* y, double* qacc);
void sn_loopReduce(const snModel* m, const snLoopSystem* s, const double* x, double* y);

/// H_y [ny x ny], lower triangle, = G' H G for H [nM] in the layout of qM.
void sn_loopInertia(const snModel* m, const snLoopSystem* s, const double* H, double* H_y);

#endif
