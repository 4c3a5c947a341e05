// Rays against a height field: the box of its base, its triangles, and the walls from the base up to its
// edges.
#include "collision/query/ray.h"

// As fmax and fmin of numbers, without a call: each cell on the way of a ray has a dozen.
static inline real larger(real a, real b)
{
    return a > b ? a : b;
}
static inline real smaller(real a, real b)
{
    return a < b ? a : b;
}

typedef struct Field {
    const float* height;
    int nrow, ncol;
    real x, y, top, dx, dy; // half sizes, height of 1, size of a cell
} Field;

static snVec3 fieldPoint(const Field* f, int row, int column)
{
    return sn_v3(column * f->dx - f->x, row * f->dy - f->y,
                 (real)f->height[(size_t)row * (size_t)f->ncol + (size_t)column] * f->top);
}

// Cells of one axis between two coordinates in units of cells, widened a little and clamped
static void cellRange(real a, real b, int cells, int* first, int* last)
{
    const real lo = smaller(a, b) - 1e-6, hi = larger(a, b) + 1e-6;
    *first = lo > 0 ? (lo < cells ? (int)lo : cells) : 0;
    *last = hi < cells ? (hi < 0 ? -1 : (int)hi) : cells - 1;
}

// The two triangles of a cell, cut as in hfield.c
static real rayCell(const Field* f, const snRay* ray, int row, int column)
{
    const snVec3 a = fieldPoint(f, row, column), b = fieldPoint(f, row + 1, column + 1);
    return sn_nearerHit(sn_rayTriangle(ray, a, b, fieldPoint(f, row + 1, column)),
                        sn_rayTriangle(ray, a, b, fieldPoint(f, row, column + 1)));
}

// Whether the points of a cell are all below, or all above, what is between two heights; errs on the side of
// no
static bool isBeside(const Field* f, int row, int column, real from, real to)
{
    const float* h = f->height + (size_t)row * (size_t)f->ncol + (size_t)column;
    const real a = h[0], b = h[1], c = h[f->ncol], e = h[f->ncol + 1];
    const real high = f->top * larger(larger(a, b), larger(c, e)),
               low = f->top * smaller(smaller(a, b), smaller(c, e));
    const real slack = 1e-9 * (f->top + fabs(from) + fabs(to));
    return smaller(from, to) > high + slack || larger(from, to) < low - slack;
}

// The part [enter, leave] of a way from a to b that is over a cell, or wider
static void clipToCell(real a, real b, int cell, real* enter, real* leave)
{
    if (!(fabs(b - a) > 1e-9)) return;
    const real s = (cell - 1e-6 - a) / (b - a), t = (cell + 1 + 1e-6 - a) / (b - a);
    *enter = larger(*enter, smaller(s, t));
    *leave = smaller(*leave, larger(s, t));
}

// Triangles under the part of the ray from x = from to x = to: row by row, the columns that it crosses
static real raySurface(const Field* f, const snRay* ray, real from, real to)
{
    const snVec3 a = sn_rayAt(ray, from), b = sn_rayAt(ray, to);
    const real u[2] = {(a.x + f->x) / f->dx, (b.x + f->x) / f->dx};
    const real w[2] = {(a.y + f->y) / f->dy, (b.y + f->y) / f->dy};
    int first, last;
    cellRange(w[0], w[1], f->nrow - 1, &first, &last);
    real best = -1;
    for (int row = first; row <= last; row++) {
        real enter = 0, leave = 1; // the part over this row
        clipToCell(w[0], w[1], row, &enter, &leave);
        int left, right;
        cellRange(u[0] + enter * (u[1] - u[0]), u[0] + leave * (u[1] - u[0]), f->ncol - 1, &left, &right);
        for (int column = left; column <= right; column++) {
            real begin = enter, end = leave;
            clipToCell(u[0], u[1], column, &begin, &end);
            if (isBeside(f, row, column, a.z + begin * (b.z - a.z), a.z + end * (b.z - a.z))) continue;
            best = sn_nearerHit(best, rayCell(f, ray, row, column));
        }
    }
    return best;
}

// Height of the edge over a point of a wall: walls 0, 1 are x = -+, walls 2, 3 are y = -+
static real edgeHeight(const Field* f, int wall, snVec3 at)
{
    const bool across = wall < 2;
    const int count = across ? f->nrow : f->ncol;
    const real u = across ? (at.y + f->y) / f->dy : (at.x + f->x) / f->dx;
    const int cell = u > 0 ? (u < count - 1 ? (int)smaller(u, count - 2) : count - 2) : 0;
    const int far = wall & 1 ? (across ? f->ncol : f->nrow) - 1 : 0;
    const real t = u - cell;
    const real a = across ? fieldPoint(f, cell, far).z : fieldPoint(f, far, cell).z;
    const real b = across ? fieldPoint(f, cell + 1, far).z : fieldPoint(f, far, cell + 1).z;
    return (1 - t) * a + t * b;
}

real sn_rayHfieldLocal(const snModel* m, int hfield, const snRay* ray)
{
    const double* s = m->hfield_size + 4 * hfield;
    Field f = {m->hfield_data + m->hfield_adr[hfield],
               m->hfield_nrow[hfield],
               m->hfield_ncol[hfield],
               s[0],
               s[1],
               s[2],
               0,
               0};
    real side[6];
    const snRay below = {sn_v3(ray->p.x, ray->p.y, ray->p.z + 0.5 * s[3]), ray->v};
    const real base = sn_rayBoxSides(&below, sn_v3(s[0], s[1], 0.5 * s[3]), side);
    const snRay above = {sn_v3(ray->p.x, ray->p.y, ray->p.z - 0.5 * s[2]), ray->v};
    if (f.nrow < 2 || f.ncol < 2) return base;
    const real near = sn_rayBoxSides(&above, sn_v3(s[0], s[1], 0.5 * s[2]), side);
    if (near < 0) return base;
    f.dx = 2 * f.x / (f.ncol - 1);
    f.dy = 2 * f.y / (f.nrow - 1);
    real far = near, best = base;
    for (int i = 0; i < 6; i++) far = larger(far, side[i]);
    best = sn_nearerHit(best, raySurface(&f, ray, far > near ? near : 0, far)); // one crossing: from inside
    for (int wall = 0; wall < 4; wall++) {
        if (side[wall] < 0) continue;
        const snVec3 at = sn_rayAt(ray, side[wall]);
        if (at.z <= edgeHeight(&f, wall, at)) best = sn_nearerHit(best, side[wall]);
    }
    return best;
}
