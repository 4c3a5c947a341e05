// Built-in meshes over a lattice of points about the origin: those of a grid, and those on the sides of a
// box, which may be drawn in to a cylinder or an ellipsoid. Vertices and triangles are numbered as the peer
// does. In three dimensions the triangles are those of the hull.
#include "format/mesh/built_in.h"
#include "math/elementary/elementary.h"
#include <math.h>

typedef struct Lattice {
    int n[3];
    double spacing[3];
    int dim;
} Lattice;

// Where row i of n is, from -1 to 1.
static double unit(int i, int n)
{
    return 2.0 * i / (n - 1) - 1;
}

static double half(const Lattice* l, int axis)
{
    return 0.5 * l->spacing[axis] * (l->n[axis] - 1);
}

static bool readLattice(snMeshMaker* maker, const double* params, double least, Lattice* l)
{
    *l = (Lattice){.dim = maker->count > 6 ? -1 : 3};
    for (int k = 0; k < 3; k++) {
        if (!(params[k] >= least))
            return sn_failShape(maker, least > 1 ? "params: its three counts are at least 2"
                                                 : "params: its three counts are positive");
        if (!(params[k] < SN_MAX_SHAPE_VERTICES))
            return sn_failShape(maker, "params: one of its counts is too large");
        if (!isfinite(params[3 + k])) return sn_failShape(maker, "params: its spacings are finite");
        l->n[k] = (int)params[k];
        l->spacing[k] = params[3 + k];
    }
    if (l->dim < 0 && params[6] >= 2 && params[6] < 4) l->dim = (int)params[6];
    return l->dim > 0 || sn_failShape(maker, "params: the last, its dimensions, is 2 or 3");
}

// ---- grids

// Factor that draws a point in from a square or cube to the circle or ball inside it.
static double drawIn(const double* x, int n)
{
    double most = 0, sum = 0;
    for (int k = 0; k < n; k++) {
        most = sn_max(fabs(x[k]), most);
        sum += x[k] * x[k];
    }
    return sum > 0 ? most / sqrt(sum) : 0;
}

// Of discs points are scaled by the half sides, too, as the peer does it.
static void addPoints(snMeshMaker* maker, const Lattice* l, bool disc)
{
    for (int i = 0; i < l->n[0]; i++)
        for (int j = 0; j < l->n[1]; j++)
            for (int k = 0; k < l->n[2]; k++) {
                const int at[3] = {i, j, k};
                double x[3];
                for (int a = 0; a < 3; a++) x[a] = l->spacing[a] * (at[a] - 0.5 * (l->n[a] - 1));
                const double in = disc ? drawIn(x, 2) : 1;
                const double wide = disc ? half(l, 0) : 1, high = disc ? half(l, 1) : 1;
                sn_addShapeVertex(maker, x[0] * in * wide, x[1] * in * high, x[2]);
            }
}

// Two triangles a cell; of discs cut along the radius.
static void addCells(snMeshMaker* maker, const Lattice* l, bool disc)
{
    for (int i = 0; i + 1 < l->n[0]; i++)
        for (int j = 0; j + 1 < l->n[1]; j++) {
            const int a = i * l->n[1] + j, next = a + l->n[1];
            const bool left = l->spacing[0] * (i - 0.5 * (l->n[0] - 1)) < 0;
            const bool low = l->spacing[1] * (j - 0.5 * (l->n[1] - 1)) < 0;
            if (!disc || left == low) {
                sn_addShapeFace(maker, a, next, next + 1);
                sn_addShapeFace(maker, a, next + 1, a + 1);
            } else {
                sn_addShapeFace(maker, a, next, a + 1);
                sn_addShapeFace(maker, next, next + 1, a + 1);
            }
        }
}

static bool makePoints(snMeshMaker* maker, const Lattice* l, bool disc)
{
    const int* n = l->n;
    const bool flat = l->dim == 2;
    if (flat && n[2] != 1) return sn_failShape(maker, "params: in two dimensions the third count is 1");
    if (n[0] < 2 || n[1] < 2 || (!flat && n[2] < 2))
        return sn_failShape(maker, "params: two points along each of its dimensions are the least");
    const int64_t cells = (int64_t)(n[0] - 1) * (n[1] - 1), layer = (int64_t)n[0] * n[1];
    const int64_t all = layer > SN_MAX_SHAPE_VERTICES ? layer : layer * n[2];
    if (!sn_beginShape(maker, all, flat ? 2 * cells : 0, 0)) return false;
    addPoints(maker, l, disc);
    if (flat) addCells(maker, l, disc);
    return true;
}

bool sn_makeGrid(snMeshMaker* maker, const double* params)
{
    Lattice l;
    return readLattice(maker, params, 1, &l) && makePoints(maker, &l, false);
}

static bool makeFlat(snMeshMaker* maker, const double* params, bool disc)
{
    Lattice l;
    if (!readLattice(maker, params, 1, &l)) return false;
    l.dim = 2;
    return makePoints(maker, &l, disc);
}

bool sn_makeSquare(snMeshMaker* maker, const double* params)
{
    return makeFlat(maker, params, false);
}

bool sn_makeDisc(snMeshMaker* maker, const double* params)
{
    return makeFlat(maker, params, true);
}

// ---- the sides of a box

// A lattice while it becomes a mesh. In two dimensions the box is open above.
typedef struct Sides {
    const Lattice* l;
    int round; // how many axes are drawn in
    snMeshMaker* maker;
} Sides;

static void addOnSide(const Sides* s, int i, int j, int k)
{
    const Lattice* l = s->l;
    double x[3] = {unit(i, l->n[0]), unit(j, l->n[1]), unit(k, l->n[2])};
    const double in = s->round ? drawIn(x, s->round) : 1;
    for (int a = 0; a < s->round; a++) x[a] *= in;
    sn_addShapeVertex(s->maker, x[0] * half(l, 0), x[1] * half(l, 1), x[2] * half(l, 2));
}

static void addLayer(const Sides* s, int k)
{
    for (int i = 0; i < s->l->n[0]; i++)
        for (int j = 0; j < s->l->n[1]; j++) addOnSide(s, i, j, k);
}

// Rows of a side above the bottom: up to the top, which in three dimensions has a layer of its own.
static int rows(const Lattice* l)
{
    return l->dim == 3 ? l->n[2] - 2 : l->n[2] - 1;
}

static void addSides(const Sides* s)
{
    const int* n = s->l->n;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < n[0]; i++)
            for (int k = 1; k <= rows(s->l); k++) addOnSide(s, i, end ? n[1] - 1 : 0, k);
    for (int end = 0; end < 2; end++)
        for (int j = 1; j + 1 < n[1]; j++)
            for (int k = 1; k <= rows(s->l); k++) addOnSide(s, end ? n[0] - 1 : 0, j, k);
}

// The number of a vertex on a side of an open box.
static int numberOf(const Lattice* l, int i, int j, int k)
{
    const int *n = l->n, high = rows(l), bottom = n[0] * n[1];
    if (k == 0) return i * n[1] + j;
    if (j == 0) return bottom + i * high + k - 1;
    if (j == n[1] - 1) return bottom + (n[0] + i) * high + k - 1;
    return bottom + (2 * n[0] + (i ? n[1] - 2 : 0) + j - 1) * high + k - 1;
}

// The cells of one side: along x where `along`, at its end or beginning.
static void addSideFaces(const Sides* s, bool along, bool end)
{
    const Lattice* l = s->l;
    const int length = l->n[along ? 0 : 1] - 1, there = end ? l->n[along ? 1 : 0] - 1 : 0;
    const bool turned = along == end; // so that triangles look out
    for (int i = 0; i < length; i++)
        for (int k = 0; k < rows(l); k++) {
            int corner[2][2];
            for (int side = 0; side < 2; side++)
                for (int up = 0; up < 2; up++) {
                    const int step = i + (turned ? 1 - side : side);
                    corner[up][side] =
                        along ? numberOf(l, step, there, k + up) : numberOf(l, there, step, k + up);
                }
            sn_addShapeFace(s->maker, corner[0][0], corner[0][1], corner[1][1]);
            sn_addShapeFace(s->maker, corner[0][0], corner[1][1], corner[1][0]);
        }
}

static void addOpenBoxFaces(const Sides* s)
{
    const int* n = s->l->n;
    for (int i = 0; i + 1 < n[0]; i++)
        for (int j = 0; j + 1 < n[1]; j++) {
            const int a = i * n[1] + j, next = a + n[1];
            sn_addShapeFace(s->maker, a, next + 1, next);
            sn_addShapeFace(s->maker, a, a + 1, next + 1);
        }
    addSideFaces(s, true, false);
    addSideFaces(s, true, true);
    addSideFaces(s, false, false);
    addSideFaces(s, false, true);
}

static bool makeSides(snMeshMaker* maker, const double* params, int round)
{
    Lattice l;
    if (!readLattice(maker, params, 2, &l)) return false;
    const int64_t x = l.n[0], y = l.n[1], z = l.n[2], layer = x * y, around = 2 * (x + y) - 4;
    const bool solid = l.dim == 3;
    const Sides s = {&l, round, maker};
    const int64_t nface = solid ? 0 : 2 * ((x - 1) * (y - 1) + around * (z - 1));
    const int64_t nvert = (solid ? 1 + 2 * layer : layer) + around * rows(&l);
    if (!sn_beginShape(maker, nvert, nface, 0)) return false;
    if (solid) sn_addShapeVertex(maker, 0, 0, 0);
    addLayer(&s, 0);
    if (solid) addLayer(&s, l.n[2] - 1);
    addSides(&s);
    if (!solid) addOpenBoxFaces(&s);
    return true;
}

bool sn_makeBox(snMeshMaker* maker, const double* params)
{
    return makeSides(maker, params, 0);
}

bool sn_makeCylinder(snMeshMaker* maker, const double* params)
{
    return makeSides(maker, params, 2);
}

bool sn_makeEllipsoid(snMeshMaker* maker, const double* params)
{
    return makeSides(maker, params, 3);
}

bool sn_isOpenShape(int shape, const double* params, int count)
{
    if (shape == SN_MESHSHAPE_SQUARE || shape == SN_MESHSHAPE_DISC) return true;
    return shape >= SN_MESHSHAPE_GRID && count > 6 && params[6] < 3;
}
