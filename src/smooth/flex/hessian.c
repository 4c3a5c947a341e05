// For each target: src/target/prelude.h.
#include "smooth/flex/hessian.h"
#include <string.h>
#include "model/arena.h"
#include "smooth/flex/bending.h"
#include "smooth/flex/four.h"
#include "smooth/flex/tension.h"

// ---- blocks

// The edges at a corner of an element, and where they point: from it 1, to it -1. Where loops are written out
// it is known to the compiler.
typedef struct Star {
    int edge[3];
    double away[3];
} Star;

SN_INLINE Star starOf(int dim, int corner)
{
    Star s = {{0}, {0}};
#pragma GCC unroll 6
    for (int e = 0, k = 0; e < sn_flexElementEdges(dim); e++) {
        const int* ends = sn_flexElementEdge(dim, e);
        if (ends[0] != corner && ends[1] != corner) continue;
        s.edge[k] = e;
        s.away[k++] = ends[0] == corner ? 1 : -1;
    }
    return s;
}

// block = scale times the sum over edges e at corner a and f at corner b of K_ef x_e x_f', both away from
// their corners.
SN_INLINE void between(const snFlexFour* four, v4 x[6][3], int dim, double scale, const Star* a,
                       const Star* b, v4 block[9])
{
    for (int k = 0; k < 9; k++) block[k] = v4_all(0);
    SN_UNROLL for (int i = 0; i < dim; i++)
    {
        v4 y[3] = {{0}, {0}, {0}};
        const double away = scale * a->away[i];
        SN_UNROLL for (int j = 0; j < dim; j++)
        {
            const v4 K = v4_all(away * b->away[j]) * four->K[a->edge[i]][b->edge[j]];
            for (int c = 0; c < 3; c++) y[c] += K * x[b->edge[j]][c];
        }
        for (int k = 0; k < 9; k++) block[k] += x[a->edge[i]][k / 3] * y[k % 3];
    }
}

SN_INLINE void edgesOf(const snFlexFour* four, int dim, const double* xpos, v4 x[6][3])
{
    v4 at[4][3] = {{{0}}};
    for (int i = 0; i <= dim; i++)
        for (int c = 0; c < 3; c++)
            at[i][c] = v4_of(xpos[3 * four->vertex[0][i] + c], xpos[3 * four->vertex[1][i] + c],
                             xpos[3 * four->vertex[2][i] + c], xpos[3 * four->vertex[3][i] + c]);
    for (int k = 0; k < sn_flexElementEdges(dim); k++) {
        const int* corner = sn_flexElementEdge(dim, k);
        for (int c = 0; c < 3; c++) x[k][c] = at[corner[1]][c] - at[corner[0]][c];
    }
}

// Blocks of lanes where `turned` is set become their transposes.
SN_INLINE void transposeWhere(v4i turned, v4 block[9])
{
    static const int above[3] = {1, 2, 5}, below[3] = {3, 6, 7};
    for (int k = 0; k < 3; k++) {
        const v4 x = block[above[k]], y = block[below[k]];
        block[above[k]] = v4_select(turned, y, x);
        block[below[k]] = v4_select(turned, x, y);
    }
}

// to [count][9] += the block of each lane.
SN_INLINE void addBlocks(v4 block[9], int count, double* const to[4])
{
    const v4 last = block[8];
    v4_transpose(block);
    v4_transpose(block + 4);
    for (int lane = 0; lane < count; lane++) {
        v4_storeAny(to[lane], v4_loadAny(to[lane]) + block[lane]);
        v4_storeAny(to[lane] + 4, v4_loadAny(to[lane] + 4) + block[4 + lane]);
        to[lane][8] += last[lane];
    }
}

// edge: the first block of the flex, ends: the vertices of its first edge
SN_INLINE void stretchFour(const snModel* m, int flex, int e, int dim, double scale, const double* xpos,
                           const int* ends, double* edge)
{
    snFlexFour four;
    v4 x[6][3], block[9];
    sn_loadFour(m, flex, dim, e, &four);
    edgesOf(&four, dim, xpos, x);
#pragma GCC unroll 6
    for (int k = 0; k < sn_flexElementEdges(dim); k++) {
        const int* corner = sn_flexElementEdge(dim, k);
        const Star a = starOf(dim, corner[0]), b = starOf(dim, corner[1]);
        double* to[4];
        v4i turned;
        between(&four, x, dim, 2 * scale, &a, &b, block);
        for (int lane = 0; lane < 4; lane++) {
            const int at = four.edge[lane][k];
            to[lane] = edge + 9 * at;
            turned[lane] = -(long long)(ends[2 * at] != four.vertex[lane][corner[0]]);
        }
        transposeWhere(turned, block);
        addBlocks(block, four.count, to);
    }
}

static void stretchBlocks(const snModel* m, const snData* d, int flex, double scale, double* edge)
{
    const double* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
    const int* ends = m->flex_edge + 2 * m->flex_edgeadr[flex];
    if (m->flex_dim[flex] == 2)
        for (int e = 0; e < m->flex_elemnum[flex]; e += 4)
            stretchFour(m, flex, e, 2, scale, xpos, ends, edge);
    else
        for (int e = 0; e < m->flex_elemnum[flex]; e += 4)
            stretchFour(m, flex, e, 3, scale, xpos, ends, edge);
}

static void addUnit(double* block, double s)
{
    block[0] += s;
    block[4] += s;
    block[8] += s;
}

// The sides of hinges: of a triangle each edge is one, whose flap is the corner that faces it, and the other
// two edges join that flap to its ends.
static void bendElement(const snModel* m, int flex, int e, double scale, double* edge)
{
    const int* vertex = m->flex_elem + m->flex_elemdataadr[flex] + 3 * e;
    const int *at = m->flex_elemedge + m->flex_elemedgeadr[flex] + 3 * e, first = m->flex_edgeadr[flex];
    int hinge[4];
    for (int k = 0; k < 3; k++) {
        if (!sn_flexHinge(m, first + at[k], hinge)) continue;
        const int flap = vertex[k] == hinge[2] ? 2 : 3;
        if (vertex[k] != hinge[flap]) continue;
        const double* B = sn_flexBendingOf(m, flex, first + at[k]);
        if (!sn_isPositiveBending(B)) continue;
        for (int j = 1; j < 3; j++) { // the edge that faces corner k + j joins the flap to the third one
            const int end = vertex[(k + 3 - j) % 3] == hinge[0] ? 0 : 1;
            addUnit(edge + 9 * at[(k + j) % 3], scale * B[4 * end + flap]);
        }
    }
}

static void bendEdges(const snModel* m, int flex, double scale, double* edge, double* flap)
{
    int hinge[4];
    for (int e = 0; e < m->flex_edgenum[flex]; e++) {
        const int at = m->flex_edgeadr[flex] + e;
        if (!sn_flexHinge(m, at, hinge)) continue;
        const double* B = sn_flexBendingOf(m, flex, at);
        if (!sn_isPositiveBending(B)) continue;
        addUnit(edge + 9 * e, scale * B[1]);
        flap[e] = scale * B[4 * 2 + 3];
    }
}

// vertex -= the symmetric part of a block, 9 numbers
static void takeBlock(double* vertex, const double* b)
{
    vertex[0] -= b[0];
    vertex[1] -= b[4];
    vertex[2] -= b[8];
    vertex[3] -= 0.5 * (b[1] + b[3]);
    vertex[4] -= 0.5 * (b[2] + b[6]);
    vertex[5] -= 0.5 * (b[5] + b[7]);
}

// The diagonal, from rows that sum to 0.
static void closeRows(const snModel* m, int flex, const double* edge, const double* flap, double* vertex)
{
    int hinge[4];
    memset(vertex, 0, 6 * (size_t)m->flex_vertnum[flex] * sizeof *vertex);
    for (int e = 0; e < m->flex_edgenum[flex]; e++) {
        const bool bends = sn_flexHinge(m, m->flex_edgeadr[flex] + e, hinge);
        for (int i = 0; i < 2; i++) takeBlock(vertex + 6 * hinge[i], edge + 9 * e);
        for (int i = 2; bends && i < 4; i++)
            for (int c = 0; c < 3; c++) vertex[6 * hinge[i] + c] -= flap[e];
    }
}

void sn_flexHessian(const snModel* m, const snData* d, int flex, double e, double t, const double* tension,
                    const snFlexBlocks* blocks)
{
    const int first = m->flex_edgeadr[flex], num = m->flex_edgenum[flex];
    double *edge = blocks->edge + 9 * (size_t)first, *flap = blocks->flap + first;
    memset(edge, 0, 9 * (size_t)num * sizeof *edge);
    memset(flap, 0, (size_t)num * sizeof *flap);
    if (sn_flexStretches(m, flex)) stretchBlocks(m, d, flex, e, edge);
    for (int k = 0; k < num; k++) addUnit(edge + 9 * k, -t * tension[k]);
    if (sn_flexBends(m, flex)) {
        for (int k = 0; k < m->flex_elemnum[flex]; k++) bendElement(m, flex, k, e, edge);
        bendEdges(m, flex, e, edge, flap);
    }
    closeRows(m, flex, edge, flap, blocks->vertex + 6 * (size_t)m->flex_vertadr[flex]);
}

// ---- products

static void addProduct(const double* block, bool transposed, const double* x, double* y)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) y[r] += block[transposed ? 3 * c + r : 3 * r + c] * x[c];
}

void sn_flexBlocksMul(const snModel* m, int flex, const snFlexBlocks* blocks, const double* x, double* y)
{
    const int first = m->flex_edgeadr[flex];
    int hinge[4];
    for (int v = 0; v < m->flex_vertnum[flex]; v++) {
        const double* b = blocks->vertex + 6 * (m->flex_vertadr[flex] + v);
        const double full[9] = {b[0], b[3], b[4], b[3], b[1], b[5], b[4], b[5], b[2]};
        addProduct(full, false, x + 3 * v, y + 3 * v);
    }
    for (int e = first; e < first + m->flex_edgenum[flex]; e++) {
        const bool bends = sn_flexHinge(m, e, hinge);
        const double *block = blocks->edge + 9 * e, flap = blocks->flap[e];
        addProduct(block, false, x + 3 * hinge[1], y + 3 * hinge[0]);
        addProduct(block, true, x + 3 * hinge[0], y + 3 * hinge[1]);
        for (int c = 0; bends && c < 3; c++) {
            y[3 * hinge[2] + c] += flap * x[3 * hinge[3] + c];
            y[3 * hinge[3] + c] += flap * x[3 * hinge[2] + c];
        }
    }
}

// How the squared length of each edge changes along x, as sn_addStretch has it.
static void changesAlong(const snModel* m, const snData* d, int flex, double scale, const double* x,
                         double* change)
{
    const int first = m->flex_edgeadr[flex];
    for (int e = 0; e < m->flex_edgenum[flex]; e++) {
        const int* ends = m->flex_edge + 2 * (first + e);
        const snVec3 along = sn_v3Sub(sn_v3Load(x + 3 * ends[1]), sn_v3Load(x + 3 * ends[0]));
        change[2 * e] = 2 * scale * sn_v3Dot(sn_flexAlong(m, d, flex, first + e), along);
        change[2 * e + 1] = 0;
    }
}

// y += tensions along the edges of x
static void addAlong(const snModel* m, int flex, double scale, const double* tension, const double* x,
                     double* y)
{
    for (int e = 0; e < m->flex_edgenum[flex]; e++) {
        const int* ends = m->flex_edge + 2 * (m->flex_edgeadr[flex] + e);
        for (int c = 0; c < 3; c++) {
            const double f = scale * tension[e] * (x[3 * ends[1] + c] - x[3 * ends[0] + c]);
            y[3 * ends[0] + c] -= f;
            y[3 * ends[1] + c] += f;
        }
    }
}

bool sn_flexHessianMul(const snModel* m, snData* d, int flex, double e, double t, const double* tension,
                       const double* x, double* y)
{
    const size_t mark = sn_scratchMark(d);
    const int num = 2 * m->flex_edgenum[flex];
    double* change = sn_scratchReal(d, 2 * num);
    if (!change) return false;
    if (sn_flexStretches(m, flex)) {
        double* pulled = change + num;
        memset(pulled, 0, (size_t)num * sizeof *pulled);
        changesAlong(m, d, flex, -e, x, change);
        sn_addStretch(m, flex, change, pulled);
        sn_addTensionForces(m, d, flex, pulled, 0, y);
    }
    addAlong(m, flex, t, tension, x, y);
    if (sn_flexBends(m, flex)) sn_addBending(m, flex, x, -e, true, y);
    sn_scratchRelease(d, mark);
    return true;
}
