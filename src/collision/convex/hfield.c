// A height field: each triangle of its grid is the top of a prism that stands on the base. A geom touches it
// where it touches prisms, each a convex pair of its own.
#include "collision/convex/hfield.h"
#include "collision/convex/box_prism.h"
#include "collision/convex/convex.h"

// What the loops over the grid need, in the frame of the height field
typedef struct Grid {
    const float* height; // from 0 to 1
    int nrow, ncol;
    real size[4];          // half sizes x, y; height of 1; depth of the base
    real dx, dy;           // of a cell
    real low[3], high[3];  // box of the other geom, margin included
    int row[2], column[2]; // cells under that box: first, last
} Grid;

// Prism of a triangle: three vertices on top, three on the base; relative to its centre.
typedef struct Prism {
    snVec3 point[6], centre;
} Prism;

// Box of a shape along the axes of another frame, from its origin.
static bool boxInFrame(const snShape* frame, const snShape* b, real low[3], real high[3])
{
    const snShape origin = {.pos = frame->pos, .mat = frame->mat, .type = SN_GEOM_SPHERE, .geom = -1};
    snConvexPair p;
    if (!sn_convexPairInit(&p, &origin, b)) return false;
    for (int i = 0; i < 3; i++) {
        const snVec3 axis = sn_m3TMul(p.frame, sn_m3Col(frame->mat, i));
        low[i] = sn_convexGap(&p, axis) - p.radius;
        high[i] = p.radius - sn_convexGap(&p, sn_v3Neg(axis));
    }
    return true;
}

// Cells from `low` to `high` on an axis of `count` grid points over [-half, half].
static bool cellsUnder(real low, real high, real half, int count, int cells[2])
{
    const real scale = (count - 1) / (2 * half);
    const real first = floor((low + half) * scale), last = ceil((high + half) * scale) - 1;
    if (!(last >= 0) || !(first <= count - 2)) return false;
    cells[0] = first > 0 ? (int)first : 0;
    cells[1] = last < count - 2 ? (int)last : count - 2;
    return cells[1] >= cells[0];
}

static bool gridUnder(const snModel* m, const snShape* a, const snShape* b, real margin, Grid* g)
{
    const int h = a->geom >= 0 ? m->geom_dataid[a->geom] : -1;
    if (h < 0) return false;
    g->height = m->hfield_data + m->hfield_adr[h];
    g->nrow = m->hfield_nrow[h];
    g->ncol = m->hfield_ncol[h];
    for (int i = 0; i < 4; i++) g->size[i] = m->hfield_size[4 * h + i];
    if (g->nrow < 2 || g->ncol < 2 || !boxInFrame(a, b, g->low, g->high)) return false;
    for (int i = 0; i < 3; i++) {
        g->low[i] -= margin;
        g->high[i] += margin;
    }
    if (g->low[2] > g->size[2] || g->high[2] < -g->size[3]) return false;
    g->dx = 2 * g->size[0] / (g->ncol - 1);
    g->dy = 2 * g->size[1] / (g->nrow - 1);
    return cellsUnder(g->low[0], g->high[0], g->size[0], g->ncol, g->column) &&
           cellsUnder(g->low[1], g->high[1], g->size[1], g->nrow, g->row);
}

static snVec3 gridPoint(const Grid* g, int row, int column)
{
    return sn_v3(column * g->dx - g->size[0], row * g->dy - g->size[1],
                 (real)g->height[(size_t)row * (size_t)g->ncol + (size_t)column] * g->size[2]);
}

// Cells are cut along the diagonal from (row, column) to (row + 1, column + 1); half 0 has the corner
// (row + 1, column). False: the triangle is all below the geom.
static bool makeTop(const Grid* g, int row, int column, int half, snVec3 top[3])
{
    top[0] = gridPoint(g, row, column);
    top[1] = gridPoint(g, row + 1, column + 1);
    top[2] = half == 0 ? gridPoint(g, row + 1, column) : gridPoint(g, row, column + 1);
    return !(top[0].z < g->low[2] && top[1].z < g->low[2] && top[2].z < g->low[2]);
}

static void makePrism(const Grid* g, const snVec3 top[3], Prism* prism)
{
    snVec3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        prism->point[k] = top[k];
        prism->point[3 + k] = sn_v3(top[k].x, top[k].y, -g->size[3]);
        sum = sn_v3Add(sum, sn_v3Add(prism->point[k], prism->point[3 + k]));
    }
    prism->centre = sn_v3Scale(sum, 1.0 / 6);
    for (int k = 0; k < 6; k++) prism->point[k] = sn_v3Sub(prism->point[k], prism->centre);
}

static snShape prismShape(const snShape* hfield, const Prism* prism)
{
    real square = 0;
    for (int k = 0; k < 6; k++) {
        const real far = sn_v3Dot(prism->point[k], prism->point[k]);
        if (far > square) square = far;
    }
    return (snShape){.pos = sn_v3Add(hfield->pos, sn_m3Mul(hfield->mat, prism->centre)),
                     .mat = hfield->mat,
                     .type = SN_GEOM_MESH,
                     .geom = -1,
                     .hull = {.point = prism->point, .count = 6, .radius = sqrt(square)}};
}

static snFieldBox fieldBox(const snShape* hfield, const snShape* box)
{
    const snMat3 R = sn_m3TMulM3(hfield->mat, box->mat);
    return (snFieldBox){.pos = sn_m3TMul(hfield->mat, sn_v3Sub(box->pos, hfield->pos)),
                        .axis = {sn_m3Col(R, 0), sn_m3Col(R, 1), sn_m3Col(R, 2)},
                        .half = {box->size.x, box->size.y, box->size.z}};
}

// A prism against a geom; `box`: the geom if it is one.
static int collidePrism(const Grid* g, const snShape* a, const snShape* b, const snFieldBox* box,
                        const snVec3 top[3], real margin, snContactPoint* out)
{
    if (b->type == SN_GEOM_BOX) {
        snWitness w;
        const snBoxPrism found = sn_boxPrism(box, top, -g->size[3], margin, &w);
        if (found == SN_BOXPRISM_APART) return 0;
        if (found == SN_BOXPRISM_FOUND) {
            const snVec3 middle = sn_v3Scale(sn_v3Add(w.pa, w.pb), 0.5);
            *out = (snContactPoint){.dist = w.dist,
                                    .pos = sn_v3Add(b->pos, sn_m3Mul(a->mat, middle)),
                                    .normal = sn_m3Mul(a->mat, w.n)};
            return 1;
        }
    }
    Prism prism;
    makePrism(g, top, &prism);
    const snShape shape = prismShape(a, &prism);
    return sn_convexConvex(&shape, b, margin, out);
}

int sn_hfieldConvex(const snModel* m, const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    Grid g;
    if (!gridUnder(m, a, b, margin, &g)) return 0;
    const snFieldBox box = fieldBox(a, b);
    int count = 0;
    for (int row = g.row[0]; row <= g.row[1]; row++)
        for (int column = g.column[0]; column <= g.column[1]; column++)
            for (int half = 0; half < 2 && count < SN_MAXCONPAIR; half++) {
                snVec3 top[3];
                if (!makeTop(&g, row, column, half, top)) continue;
                count += collidePrism(&g, a, b, &box, top, margin, out + count);
            }
    return count;
}

bool sn_hfieldDistance(const snModel* m, const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    Grid g;
    if (!gridUnder(m, a, b, margin, &g)) return false;
    bool found = false;
    for (int row = g.row[0]; row <= g.row[1]; row++)
        for (int column = g.column[0]; column <= g.column[1]; column++)
            for (int half = 0; half < 2; half++) {
                Prism prism;
                snVec3 top[3];
                snContactPoint point;
                if (!makeTop(&g, row, column, half, top)) continue;
                makePrism(&g, top, &prism);
                const snShape shape = prismShape(a, &prism);
                if (!sn_convexConvex(&shape, b, found ? out->dist : margin, &point)) continue;
                *out = point;
                found = true;
            }
    return found;
}
