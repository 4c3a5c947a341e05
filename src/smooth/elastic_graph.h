// Which vertices of elastic flexes pull at each other, and by which blocks of their second derivatives.
#ifndef SINEW_SMOOTH_ELASTIC_GRAPH_H
#define SINEW_SMOOTH_ELASTIC_GRAPH_H

#include "smooth/elastic_metric.h"
#include "smooth/flex/hessian.h"

/// Neighbours of vertex v, itself not among them: other[k], adr[v] <= k < adr[v + 1]. block[k] < nflexedge:
/// they are the ends of this edge, of which ~block[k] where v is the second; else the flaps of edge block[k]
/// - nflexedge.
typedef struct snElasticGraph {
    int *adr, *other, *block;
} snElasticGraph;

/// u = B't, B the block of a vertex and its neighbour k.
static inline void sn_turnByBlock(const snModel* m, const snFlexBlocks* blocks, const snElasticGraph* g,
                                  int k, const double t[3], double u[3])
{
    const int block = g->block[k], edge = block < 0 ? ~block : block;
    if (edge >= m->nflexedge) {
        for (int i = 0; i < 3; i++) u[i] = blocks->flap[edge - m->nflexedge] * t[i];
        return;
    }
    const double* B = blocks->edge + 9 * edge;
    for (int i = 0; i < 3; i++)
        u[i] = block < 0 ? t[0] * B[3 * i] + t[1] * B[3 * i + 1] + t[2] * B[3 * i + 2]
                         : t[0] * B[i] + t[1] * B[3 + i] + t[2] * B[6 + i];
}

/// u = D t, D the diagonal block of a vertex.
static inline void sn_turnByDiagonal(const snFlexBlocks* blocks, int vertex, const double t[3], double u[3])
{
    const double* D = blocks->vertex + 6 * vertex;
    u[0] = D[0] * t[0] + D[3] * t[1] + D[4] * t[2];
    u[1] = D[3] * t[0] + D[1] * t[1] + D[5] * t[2];
    u[2] = D[4] * t[0] + D[5] * t[1] + D[2] * t[2];
}

/// dof [nflexvert]: the first of three slides that alone move a vertex and no other one; -1: it stands,
/// sleeps or is of no elastic flex. false: some are carried otherwise. owner [nv] is scratch, which is -1.
bool sn_elasticSlides(const snModel* m, const snData* d, int* dof, int* owner);

/// The matrix of such vertices: rows of three dofs are made together. false: the arena is full.
bool sn_slideElastic(const snModel* m, snData* d, const snElasticGraph* g, const snFlexBlocks* blocks,
                     const int* dof, const int* owner, snElastic* elastic);

#endif
