// A height field touches through one of its prisms: a hull of six points. The point of contact on the field
// lies in the cell of the prism, or on the edge of it; prisms beside it may give the same contact.
#include "derivative/contact/piece.h"

typedef struct Grid {
    const float* height;
    const double* size; // half sizes x, y; height of 1; depth of the base
    int nrow, ncol;
    real dx, dy;
} Grid;

static bool gridOf(const snModel* m, const snShape* shape, Grid* g)
{
    const int h = shape->geom >= 0 ? m->geom_dataid[shape->geom] : -1;
    if (h < 0) return false;
    *g = (Grid){m->hfield_data + m->hfield_adr[h],
                m->hfield_size + 4 * h,
                m->hfield_nrow[h],
                m->hfield_ncol[h],
                0,
                0};
    if (g->nrow < 2 || g->ncol < 2) return false;
    g->dx = 2 * g->size[0] / (g->ncol - 1);
    g->dy = 2 * g->size[1] / (g->nrow - 1);
    return true;
}

static snVec3 gridPoint(const Grid* g, int row, int column)
{
    return sn_v3(column * g->dx - g->size[0], row * g->dy - g->size[1],
                 (real)g->height[(size_t)row * (size_t)g->ncol + (size_t)column] * g->size[2]);
}

// Half 0 of a cell has the corner (row + 1, column), half 1 has (row, column + 1).
static void makePrism(const Grid* g, int row, int column, int half, snVec3 point[6])
{
    point[0] = gridPoint(g, row, column);
    point[1] = gridPoint(g, row + 1, column + 1);
    point[2] = half == 0 ? gridPoint(g, row + 1, column) : gridPoint(g, row, column + 1);
    for (int k = 0; k < 3; k++) point[3 + k] = sn_v3(point[k].x, point[k].y, -g->size[3]);
}

// Whether a plane through x with normal n has the prism below and on it
static bool isUnder(const snVec3 point[6], snVec3 n, snVec3 x, real off)
{
    real most = -INFINITY;
    for (int k = 0; k < 6; k++) most = sn_max(sn_v3Dot(n, sn_v3Sub(point[k], x)), most);
    return fabs(most) <= off;
}

static bool tryPrism(const snTouching* t, const snVec3 point[6], snMovingPoint* out)
{
    snShape prism = *t->a.shape;
    prism.type = SN_GEOM_MESH;
    prism.hull = (snHull){.point = point, .count = 6};
    snTouching one = *t;
    one.a.shape = &prism;
    return sn_stationaryPiece(&one, out);
}

// Cells on an axis that a coordinate may belong to
static void cellsAt(real x, real half, real step, int count, int cells[2])
{
    const real at = (x + half) / step, slack = 1e-6;
    const real first = floor(at - slack), last = floor(at + slack);
    cells[0] = first > 0 ? (int)first : 0;
    cells[1] = last < count - 2 ? (int)last : count - 2;
}

bool sn_hfieldPiece(const snModel* m, const snTouching* t, snMovingPoint* out)
{
    Grid g;
    if (!gridOf(m, t->a.shape, &g)) return false;
    const snVec3 x = sn_seenFrom(&t->a, sn_v3AddScaled(t->pos, -0.5 * t->dist, t->normal));
    const snVec3 n = sn_m3TMul(t->a.shape->mat, t->normal);
    if (!(fabs(x.x) <= 2 * g.size[0] && fabs(x.y) <= 2 * g.size[1])) return false;
    int row[2], column[2];
    cellsAt(x.x, g.size[0], g.dx, g.ncol, column);
    cellsAt(x.y, g.size[1], g.dy, g.nrow, row);
    for (int i = row[0]; i <= row[1]; i++)
        for (int j = column[0]; j <= column[1]; j++)
            for (int half = 0; half < 2; half++) {
                snVec3 point[6];
                makePrism(&g, i, j, half, point);
                if (isUnder(point, n, x, 1e-7 * t->scale) && tryPrism(t, point, out)) return true;
            }
    return false;
}
