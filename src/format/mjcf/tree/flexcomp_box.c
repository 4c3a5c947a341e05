// Points of a flexcomp on the surface of a box, pushed onto a cylinder or an ellipsoid. With dim 3 each
// square of the surface makes two tetrahedra with the middle, point 0; with dim 2 two triangles, and the side
// at +z is open.
#include "base/memory.h"
#include "format/mjcf/tree/flexcomp_points.h"

typedef struct Box {
    snFlexcomp* f;
    int last[3]; // place of the last point along each axis
    int* number; // [sum of squares of the surface, see slot] of a place on the surface
} Box;

// A side of the box: `axis` is at `end`; squares lie along u and v, their first place, and behind their last
// one, whose points are new.
typedef struct Side {
    int axis, end, u, v;
    int ufirst, ulast, vfirst, vlast;
} Side;

static snVec3 placeOf(const Box* box, const int at[3])
{
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = 2.0 * at[k] / box->last[k] - 1;
    const snFlexcompType type = (snFlexcompType)box->f->set.type;
    const int n = type == SN_FLEXCOMP_ELLIPSOID ? 3 : type == SN_FLEXCOMP_CYLINDER ? 2 : 0;
    double square = 0, largest = 0; // the shell of the cube that x is on is pushed onto the ball of its size
    for (int k = 0; k < n; k++) {
        square += x[k] * x[k];
        largest = sn_max(fabs(x[k]), largest);
    }
    const double length = sqrt(square);
    for (int k = 0; k < n && length > SN_MINVAL; k++) x[k] = x[k] / length * largest;
    for (int k = 0; k < 3; k++) x[k] *= 0.5 * box->f->set.spacing[k] * box->last[k];
    return sn_v3Load(x);
}

// Where the number of a place is kept: the layers at the ends of z, then of each layer between its rim.
static size_t slot(const Box* box, const int at[3])
{
    const size_t nx = (size_t)box->last[0] + 1, ny = (size_t)box->last[1] + 1, plane = nx * ny;
    if (at[2] == 0 || at[2] == box->last[2]) return (at[2] ? plane : 0) + (size_t)at[0] * ny + (size_t)at[1];
    const size_t layer = 2 * plane + ((size_t)at[2] - 1) * 2 * (nx + ny);
    if (at[1] == 0 || at[1] == box->last[1]) return layer + (at[1] ? nx : 0) + (size_t)at[0];
    return layer + 2 * nx + (at[0] ? ny : 0) + (size_t)at[1];
}

static size_t slots(const Box* box)
{
    const size_t nx = (size_t)box->last[0] + 1, ny = (size_t)box->last[1] + 1, nz = (size_t)box->last[2] + 1;
    return 2 * nx * ny + 2 * nz * (nx + ny);
}

static void addPoints(Box* box, const Side* side)
{
    int at[3];
    at[side->axis] = side->end;
    const int* n = box->f->set.count;
    for (int i = side->ufirst; i < side->ulast; i++)
        for (int j = side->vfirst; j < side->vlast; j++) {
            at[side->u] = i;
            at[side->v] = j;
            box->number[slot(box, at)] = box->f->npoint;
            sn_addFlexPoint(box->f, placeOf(box, at));
            sn_addFlexTexcoord(box->f, i, n[side->u], j, n[side->v]);
        }
}

// The point at (i, j) of a side.
static int pointAt(const Box* box, const Side* side, int i, int j)
{
    int at[3];
    at[side->axis] = side->end;
    at[side->u] = i;
    at[side->v] = j;
    return box->number[slot(box, at)];
}

// Triangles look outwards, tetrahedra are turned by the compiler.
static void addElements(Box* box, const Side* side)
{
    snFlexcomp* f = box->f;
    // where u, v and the way out make a left-handed frame, or at the bottom
    const bool bottom = side->axis == 2, flipped = side->axis == 1 ? side->end > 0 : side->end == 0;
    for (int i = 0; i < box->last[side->u]; i++)
        for (int j = 0; j < box->last[side->v]; j++) {
            const int a = pointAt(box, side, i, j), b = pointAt(box, side, i + 1, j),
                      c = pointAt(box, side, i + 1, j + 1), d = pointAt(box, side, i, j + 1);
            if (f->set.dim == 3) {
                sn_addFlexElement(f, (const int[]){0, a, b, c});
                sn_addFlexElement(f, (const int[]){0, a, d, c});
            } else if (bottom) {
                sn_addFlexElement(f, (const int[]){a, c, b});
                sn_addFlexElement(f, (const int[]){a, d, c});
            } else if (flipped) {
                sn_addFlexElement(f, (const int[]){b, a, d});
                sn_addFlexElement(f, (const int[]){b, d, c});
            } else {
                sn_addFlexElement(f, (const int[]){a, b, c});
                sn_addFlexElement(f, (const int[]){a, c, d});
            }
        }
}

static void addSides(Box* box)
{
    const int *l = box->last, solid = box->f->set.dim == 3;
    const int ztop = solid ? l[2] : l[2] + 1; // the rim of the top belongs to the top, if there is one
    const Side sides[6] = {{2, 0, 0, 1, 0, l[0] + 1, 0, l[1] + 1}, {2, l[2], 0, 1, 0, l[0] + 1, 0, l[1] + 1},
                           {1, 0, 0, 2, 0, l[0] + 1, 1, ztop},     {1, l[1], 0, 2, 0, l[0] + 1, 1, ztop},
                           {0, 0, 1, 2, 1, l[1], 1, ztop},         {0, l[0], 1, 2, 1, l[1], 1, ztop}};
    if (solid) {
        sn_addFlexPoint(box->f, sn_v3(0, 0, 0));
        sn_addFlexTexcoord(box->f, 0, 1, 0, 1);
    }
    for (int i = 0; i < 6; i++)
        if (solid || i != 1) addPoints(box, &sides[i]);
    for (int i = 0; i < 6; i++)
        if (solid || i != 1) addElements(box, &sides[i]);
}

bool sn_flexBox(snFlexcomp* f)
{
    const int* n = f->set.count;
    const double x = n[0], y = n[1], z = n[2], ends = f->set.dim == 3 ? 2 : 1;
    const double npoint = ends * x * y + (z - ends) * 2 * (x + y - 2) + (f->set.dim == 3);
    const double nsquare = ends * (x - 1) * (y - 1) + 2 * (z - 1) * (x + y - 2);
    if (!sn_makeFlexPoints(f, npoint, 2 * nsquare)) return false;
    Box box = {f, {n[0] - 1, n[1] - 1, n[2] - 1}, NULL};
    box.number = sn_malloc(slots(&box) * sizeof *box.number);
    if (!box.number) return sn_mjcfNoMemory(f->r);
    addSides(&box);
    sn_free(box.number);
    return true;
}
