#include "shape/hfield.h"
#include "shape/kind.h"

// ---- as matter

static void box(const snSolid* s, real aabb[6])
{
    const real *size = s->field, top = size[2], base = size[3];
    aabb[0] = aabb[1] = 0;
    aabb[2] = 0.5 * (top - base);
    aabb[3] = size[0];
    aabb[4] = size[1];
    aabb[5] = 0.5 * (top + base);
}

static real radius(const snSolid* s)
{
    const real x = s->field[0], y = s->field[1], reach = sn_max(s->field[2], s->field[3]);
    return sqrt(x * x + y * y + reach * reach);
}

// ---- rays: the box of the base, the triangles, and the walls from the base up to the edges

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
    const real lo = sn_min(a, b) - 1e-6, hi = sn_max(a, b) + 1e-6;
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
    const real high = f->top * sn_max(sn_max(a, b), sn_max(c, e)),
               low = f->top * sn_min(sn_min(a, b), sn_min(c, e));
    const real slack = 1e-9 * (f->top + fabs(from) + fabs(to));
    return sn_min(from, to) > high + slack || sn_max(from, to) < low - slack;
}

// The part [enter, leave] of a way from a to b that is over a cell, or wider
static void clipToCell(real a, real b, int cell, real* enter, real* leave)
{
    if (!(fabs(b - a) > 1e-9)) return;
    const real s = (cell - 1e-6 - a) / (b - a), t = (cell + 1 + 1e-6 - a) / (b - a);
    *enter = sn_max(*enter, sn_min(s, t));
    *leave = sn_min(*leave, sn_max(s, t));
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
    const int cell = u > 0 ? (u < count - 1 ? (int)sn_min(u, count - 2) : count - 2) : 0;
    const int far = wall & 1 ? (across ? f->ncol : f->nrow) - 1 : 0;
    const real t = u - cell;
    const real a = across ? fieldPoint(f, cell, far).z : fieldPoint(f, far, cell).z;
    const real b = across ? fieldPoint(f, cell + 1, far).z : fieldPoint(f, far, cell + 1).z;
    return (1 - t) * a + t * b;
}

static real ray(const snRay* r, const snSurface* surface)
{
    const real* s = surface->field.size;
    Field f = {surface->field.height, surface->field.nrow, surface->field.ncol, s[0], s[1], s[2], 0, 0};
    real side[6];
    const snRay below = {sn_v3(r->p.x, r->p.y, r->p.z + 0.5 * s[3]), r->v};
    const real base = sn_rayBoxSides(&below, sn_v3(s[0], s[1], 0.5 * s[3]), side);
    const snRay above = {sn_v3(r->p.x, r->p.y, r->p.z - 0.5 * s[2]), r->v};
    if (f.nrow < 2 || f.ncol < 2) return base;
    const real near = sn_rayBoxSides(&above, sn_v3(s[0], s[1], 0.5 * s[2]), side);
    if (near < 0) return base;
    f.dx = 2 * f.x / (f.ncol - 1);
    f.dy = 2 * f.y / (f.nrow - 1);
    real far = near, best = base;
    for (int i = 0; i < 6; i++) far = sn_max(far, side[i]);
    best = sn_nearerHit(best, raySurface(&f, r, far > near ? near : 0, far)); // one crossing: from inside
    for (int wall = 0; wall < 4; wall++) {
        if (side[wall] < 0) continue;
        const snVec3 at = sn_rayAt(r, side[wall]);
        if (at.z <= edgeHeight(&f, wall, at)) best = sn_nearerHit(best, side[wall]);
    }
    return best;
}

// ---- normals

static snVec3 gridPoint(const snHeights* f, int row, int column)
{
    const real* size = f->size;
    return sn_v3(size[0] * (2.0 * column / (f->ncol - 1) - 1), size[1] * (2.0 * row / (f->nrow - 1) - 1),
                 size[2] * (real)f->height[(size_t)row * (size_t)f->ncol + (size_t)column]);
}

static int cellOf(real x, real half, int count)
{
    const real cell = (x / half + 1) / 2 * (count - 1);
    return cell > 0 ? (int)sn_min(cell, count - 2) : 0;
}

// The two triangles of the cell under the point, cut as in rayCell
static void considerCell(const snHeights* f, const snRay* r, real x, snFacing* best)
{
    if (f->nrow < 2 || f->ncol < 2) return;
    const snVec3 p = sn_rayAt(r, x);
    const int row = cellOf(p.y, f->size[1], f->nrow), column = cellOf(p.x, f->size[0], f->ncol);
    for (int half = 0; half < 2; half++) {
        const snVec3 v[3] = {gridPoint(f, row, column), gridPoint(f, row + 1, column + 1),
                             gridPoint(f, row + !half, column + half)};
        const real hit = sn_rayTriangle(r, v[0], v[1], v[2]);
        const snVec3 n = sn_triangleNormal(v);
        if (hit >= 0) sn_considerFacing(best, hit - x, n.z < 0 ? sn_v3Neg(n) : n);
    }
}

// Outwards.
static snVec3 normal(const snRay* r, real x, const snSurface* s)
{
    const real* size = s->field.size;
    const snVec3 p = sn_rayAt(r, x);
    snFacing best = SN_FACING_NONE;
    considerCell(&s->field, r, x, &best);
    sn_considerFacing(&best, fabs(p.x) - size[0], sn_v3(p.x < 0 ? -1 : 1, 0, 0));
    sn_considerFacing(&best, fabs(p.y) - size[1], sn_v3(0, p.y < 0 ? -1 : 1, 0));
    sn_considerFacing(&best, p.z, sn_v3(0, 0, 1)); // top and bottom of the base
    sn_considerFacing(&best, p.z + size[3], sn_v3(0, 0, -1));
    return best.normal;
}

SN_SHAPE_ROW(HFIELD) = {.span = sn_noSpan,
                        .volume = sn_boxVolume,
                        .area = sn_boxArea,
                        .inertia = sn_boxInertia,
                        .shellInertia = sn_boxShellInertia,
                        .box = box,
                        .radius = radius,
                        .fitInertia = sn_noFit,
                        .fitBounds = sn_noFit,
                        .ray = ray,
                        .normal = normal};
