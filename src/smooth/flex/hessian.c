#include "smooth/flex/hessian.h"
#include <string.h>
#include "math/eig3.h"
#include "model/arena.h"
#include "smooth/flex/bending.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/tension.h"

// What an element is: its numbers in the model.
typedef struct Element {
    const int *vertex, *edge; // counted from the flex's first
    const double* K;
    int dim, edges;
} Element;

static Element elementOf(const snModel* m, int flex, int e)
{
    const int dim = m->flex_dim[flex], edges = dim == 2 ? 3 : 6;
    return (Element){m->flex_elem + m->flex_elemdataadr[flex] + (dim + 1) * e,
                     m->flex_elemedge + m->flex_elemedgeadr[flex] + edges * e,
                     m->flex_stiffness + m->flex_stiffnessadr[flex] + sn_flexStiffnessSize(dim) * e, dim,
                     edges};
}

// All of a symmetric matrix of which K has the upper triangle.
static void unpack(const double* K, int n, double full[6][6])
{
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) full[i][j] = full[j][i] = *K++;
}

// ---- tensions

// The matrix L over the corners of an element with -t_e between the ends of each edge and rows that sum to 0,
// in an orthonormal basis of what is left beside them all moving alike. Six numbers for six edges, three for
// three: each is the other's.
static snMat3 laplacian(const double* t, int dim)
{
    if (dim == 2) {
        const double sum = t[0] + t[1], r = 0.8660254037844386 * (t[1] - t[0]); // sqrt(3)/2
        return (snMat3){{2 * t[2] + 0.5 * sum, r, 0, r, 1.5 * sum, 0, 0, 0, 0}};
    }
    const double a = t[0] + t[3], b = t[1] + t[4], c = t[2] + t[5];
    const double xy = t[4] - t[1], xz = t[2] - t[5], yz = t[0] - t[3];
    return (snMat3){{b + c, xy, xz, xy, a + b, yz, xz, yz, a + c}};
}

static void tensionsOf(snMat3 L, int dim, double* t)
{
    const double* l = L.m;
    if (dim == 2) {
        const double sum = l[4] / 1.5, difference = l[1] / 0.8660254037844386;
        t[0] = 0.5 * (sum - difference);
        t[1] = 0.5 * (sum + difference);
        t[2] = 0.5 * l[0] - 0.25 * sum;
        return;
    }
    const double a = 0.5 * (l[4] + l[8] - l[0]), b = 0.5 * (l[0] + l[4] - l[8]),
                 c = 0.5 * (l[0] + l[8] - l[4]);
    t[0] = 0.5 * (a + l[5]);
    t[3] = 0.5 * (a - l[5]);
    t[4] = 0.5 * (b + l[1]);
    t[1] = 0.5 * (b - l[1]);
    t[2] = 0.5 * (c + l[2]);
    t[5] = 0.5 * (c - l[2]);
}

// By the leading minors, the zeros of a triangle's last row aside.
static bool isPositive(snMat3 L, int dim)
{
    const double *l = L.m, minor = l[0] * l[4] - l[1] * l[1];
    if (!(l[0] > 0 && minor > 0)) return false;
    const double x = l[1] * l[5] - l[4] * l[2], y = l[1] * l[2] - l[0] * l[5];
    return dim == 2 || l[2] * x + l[5] * y + l[8] * minor > 0;
}

static void makePositive(double* t, int dim)
{
    const snMat3 L = laplacian(t, dim);
    double value[3];
    if (isPositive(L, dim)) return;
    const snMat3 axes = sn_quatToMat(sn_exactEig3(L, value));
    snMat3 sum = {{0}};
    for (int k = 0; k < 3; k++)
        for (int i = 0; value[k] > 0 && i < 9; i++)
            sum.m[i] += value[k] * axes.m[3 * (i / 3) + k] * axes.m[3 * (i % 3) + k];
    tensionsOf(sum, dim, t);
}

void sn_flexTensions(const snModel* m, const snData* d, int flex, bool positive, double* tension)
{
    const int first = m->flex_edgeadr[flex];
    memset(tension, 0, (size_t)m->flex_edgenum[flex] * sizeof *tension);
    if (!sn_flexStretches(m, flex)) return;
    for (int e = 0; e < m->flex_elemnum[flex]; e++) {
        const Element x = elementOf(m, flex, e);
        double K[6][6], t[6] = {0};
        unpack(x.K, x.edges, K);
        for (int i = 0; i < x.edges; i++) {
            const double l = d->flexedge_length[first + x.edge[i]],
                         l0 = m->flexedge_length0[first + x.edge[i]];
            for (int j = 0; j < x.edges; j++) t[j] += K[i][j] * (l * l - l0 * l0);
        }
        if (positive) makePositive(t, x.dim);
        for (int i = 0; i < x.edges; i++) tension[x.edge[i]] += t[i];
    }
}

// ---- blocks

// The edges at a corner of an element, and where they point: from it 1, to it -1.
typedef struct Star {
    int edge[3];
    double away[3];
} Star;

static Star starOf(int dim, int corner)
{
    Star s = {{0}, {0}};
    for (int e = 0, k = 0; k < dim; e++) {
        const int* ends = sn_flexCorner[dim][e];
        if (ends[0] != corner && ends[1] != corner) continue;
        s.edge[k] = e;
        s.away[k++] = ends[0] == corner ? 1 : -1;
    }
    return s;
}

// sum over edges e at corner a and f at corner b of K_ef x_e x_f', both away from their corners.
static snMat3 between(const double K[6][6], const snVec3 x[6], int dim, const Star* a, const Star* b)
{
    snMat3 sum = {{0}};
    for (int i = 0; i < dim; i++) {
        snVec3 y = {0, 0, 0};
        for (int j = 0; j < dim; j++)
            y = sn_v3AddScaled(y, b->away[j] * K[a->edge[i]][b->edge[j]], x[b->edge[j]]);
        const snVec3 u = sn_v3Scale(x[a->edge[i]], a->away[i]);
        const double left[3] = {u.x, u.y, u.z}, right[3] = {y.x, y.y, y.z};
        for (int k = 0; k < 9; k++) sum.m[k] += left[k / 3] * right[k % 3];
    }
    return sum;
}

// edge: the first block of the flex
static void stretchElement(const snModel* m, const snData* d, int flex, int e, double scale, double* edge)
{
    const Element element = elementOf(m, flex, e);
    const double* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
    double K[6][6];
    snVec3 x[6];
    unpack(element.K, element.edges, K);
    for (int k = 0; k < element.edges; k++) {
        const int* corner = sn_flexCorner[element.dim][k];
        x[k] = sn_v3Sub(sn_v3Load(xpos + 3 * element.vertex[corner[1]]),
                        sn_v3Load(xpos + 3 * element.vertex[corner[0]]));
    }
    for (int k = 0; k < element.edges; k++) {
        const int *corner = sn_flexCorner[element.dim][k], at = element.edge[k];
        const bool turned = m->flex_edge[2 * (m->flex_edgeadr[flex] + at)] != element.vertex[corner[0]];
        const Star a = starOf(element.dim, corner[turned]), b = starOf(element.dim, corner[!turned]);
        const snMat3 block = between((const double(*)[6])K, x, element.dim, &a, &b);
        for (int i = 0; i < 9; i++) edge[9 * at + i] += 2 * scale * block.m[i];
    }
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
    for (int k = 0; sn_flexStretches(m, flex) && k < m->flex_elemnum[flex]; k++)
        stretchElement(m, d, flex, k, e, edge);
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
    if (sn_flexBends(m, flex)) sn_addBending(m, flex, x, -e, y);
    sn_scratchRelease(d, mark);
    return true;
}
