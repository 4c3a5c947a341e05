// Level by level: cells whose sheets are off by more than the tolerance become eight.
#include "compile/sdf/grow.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "compile/sdf/cell.h"
#include "compile/sdf/surface_points.h"

enum {
    FIRST = 3,            // level above which every cell becomes eight: what is small must not be missed
    CHECKED = 4,          // level above which every fit is held against many more samples than it is made of
    SMALL = 8,            // level from which on none is, for it has no room for large errors
    TORN = 6,             // level of the cells in which a hole is closed
    FAR_LAST = 8,         // the same of meshes of many triangles where contacts do not come
    LAST = 9,             // level below which there are none
    MOST_NODES = 1 << 16, // of a field; then the worst cells come first
    MANY = 500000,        // triangles from which on there are to be fewer: the work stays within seconds
    FINE = 125            // samples for checks: five along each axis
};

_Static_assert(SN_SAMPLER_UNITS >> LAST >= 4, "the least cells have places for all their samples");

// A cell of one level, which all have one size.
typedef struct Cell {
    int node;         // in the tree
    int first, count; // points of the surface in it
    int at[3];        // its low corner
} Cell;

typedef struct Growth {
    snDistanceField* field;
    snSampler sampler;
    snPoints points;
    int room, sheet_room; // nodes and sheets for which there is memory
    int most_nodes;
    int64_t most_visits; // of nodes of trees before the last level
    double side;         // of the box of the mesh, the longest
    bool crossing;
    snSampleOrder order;
    int level, size; // of the cells: SN_SAMPLER_UNITS >> level
    Cell* cells;     // of this level
    snFit* fits;
    int count;
} Growth;

// Makes room for `more` of `size` bytes behind the first n of an array of *room.
static bool reserve(void** array, int* room, int n, int more, size_t size)
{
    if (n + more <= *room) return true;
    const int larger = n + more > 2 * *room ? n + more : 2 * *room;
    void* block = sn_realloc(*array, (size_t)*room * size, (size_t)larger * size);
    if (!block) return false;
    *array = block;
    *room = larger;
    return true;
}

// ---- samples

static void placeIn(const Growth* g, const Cell* cell, snVec3 x, int at[3])
{
    at[0] = cell->at[0] + (int)(x.x * g->size);
    at[1] = cell->at[1] + (int)(x.y * g->size);
    at[2] = cell->at[2] + (int)(x.z * g->size);
}

// The distance between two points is at least the difference of their distances to a surface.
static bool canBe(const Growth* g, const snSample* a, const snSample* b, double apart)
{
    return fabs(a->distance - b->distance) <= apart * (1 + 1e-6) + 2 * g->sampler.slack;
}

static bool canAllBe(const Growth* g, const snCell* c)
{
    const snSample* s = c->sample;
    for (int i = 0; i < SN_SAMPLES; i++)
        if ((i % 3 && !canBe(g, &s[i], &s[i - 1], c->half.x)) ||
            (i / 3 % 3 && !canBe(g, &s[i], &s[i - 3], c->half.y)) ||
            (i / 9 && !canBe(g, &s[i], &s[i - 9], c->half.z)))
            return false;
    return true;
}

static void sampleCell(Growth* g, const Cell* cell, snCell* out)
{
    enum { MIDDLE = SN_SAMPLES / 2 };
    int at[3], middle[3];
    const snSample corner = sn_sampleAt(&g->sampler, cell->at, NULL, NULL);
    placeIn(g, cell, sn_samplePlace(MIDDLE), middle);
    out->sample[MIDDLE] = sn_sampleAt(&g->sampler, middle, &corner, cell->at);
    for (int i = 0; i < SN_SAMPLES; i++) {
        placeIn(g, cell, sn_samplePlace(i), at);
        if (i != MIDDLE) out->sample[i] = sn_sampleAt(&g->sampler, at, &out->sample[MIDDLE], middle);
    }
    out->centre = sn_latticePoint(&g->sampler, middle);
    out->half = sn_v3Scale(g->sampler.step, 0.5 * g->size);
    out->order = &g->order;
    out->points = g->points.x + 3 * (size_t)cell->first;
    out->count = cell->count;
}

// Large cells may miss something, and creases may lie otherwise than their samples say: they are held against
// more of them, `all` or the twelve in the middle planes.
static void check(Growth* g, const Cell* cell, const snCell* c, snFit* fit)
{
    const bool all = g->level < CHECKED || (fit->count > 1 && g->level < SMALL);
    if (!all && g->level < SMALL - 1) return;
    int at[3], near_at[3];
    for (int i = 0; i < FINE; i++) {
        const int x = i % 5, y = i / 5 % 5, z = i / 25, near = x / 2 + 3 * (y / 2) + 9 * (z / 2);
        if (!all && (x % 2 + y % 2 + z % 2 != 2 || (x != 2 && y != 2 && z != 2))) continue;
        const snVec3 place = sn_v3(0.25 * x, 0.25 * y, 0.25 * z);
        placeIn(g, cell, place, at);
        placeIn(g, cell, sn_samplePlace(near), near_at);
        const snSample sample = sn_sampleAt(&g->sampler, at, &c->sample[near], near_at);
        fit->found = sn_max(sn_fitError(fit, place, sample.distance), fit->found);
    }
    fit->error = sn_max(fit->found, fit->error);
}

// ---- cells

static void split(Growth* g, const Cell* cell, Cell* children)
{
    const int half = g->size / 2, middle[3] = {cell->at[0] + half, cell->at[1] + half, cell->at[2] + half};
    int begin[9];
    sn_splitPoints(&g->points, cell->first, cell->count, sn_latticePoint(&g->sampler, middle), begin);
    g->field->child[cell->node] = g->field->nnode;
    for (int k = 0; k < 8; k++)
        children[k] = (Cell){
            g->field->nnode++,
            begin[k],
            begin[k + 1] - begin[k],
            {cell->at[0] + half * (k & 1), cell->at[1] + half * (k >> 1 & 1), cell->at[2] + half * (k >> 2)}};
}

static bool finish(Growth* g, const Cell* cell, const snFit* fit)
{
    snDistanceField* field = g->field;
    if (!reserve((void**)&field->sheet, &g->sheet_room, field->nsheet, fit->count,
                 SN_SHEET * sizeof *field->sheet))
        return false;
    const snLeaf leaf = {field->nsheet, fit->count, fit->largest};
    field->child[cell->node] = sn_leafCode(leaf);
    memcpy(field->sheet + SN_SHEET * (size_t)field->nsheet, fit->sheet,
           SN_SHEET * (size_t)fit->count * sizeof *fit->sheet);
    field->nsheet += fit->count;
    field->error = sn_max(fit->found, field->error);
    return true;
}

// ---- levels

static int descending(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x < y) - (x > y);
}

// The error, of what is more than may be, above which cells become eight: 0, or so much that no more nodes
// come than may. *count receives how many will. errors [g->count] is scratch.
static double chooseBound(const Growth* g, double* errors, int* count)
{
    const int most = (g->most_nodes - g->field->nnode) / 8;
    const bool last = g->level >= LAST || g->sampler.visits > g->most_visits;
    double bound = g->level < FIRST ? -HUGE_VAL : last ? HUGE_VAL : 0;
    int n = 0;
    for (int i = 0; i < g->count; i++)
        if (g->fits[i].error > bound) errors[n++] = g->fits[i].error;
    if (n > most) {
        qsort(errors, (size_t)n, sizeof *errors, descending);
        bound = errors[most];
        for (n = most; n > 0 && errors[n - 1] <= bound;) n--;
    }
    *count = n;
    return bound;
}

// Where distances do not fit together, a shell that tells sides by normals crosses itself. Of one that tells
// them by winding numbers that is where a hole is closed: no cell is small enough for it.
static void jump(Growth* g, snFit* fit)
{
    if (!g->sampler.shell->winding)
        g->crossing = true;
    else if (g->level >= TORN)
        fit->error = fit->found = -HUGE_VAL;
}

// What a cell may be off.
static double toleranceOf(const Growth* g, const snCell* cell)
{
    const bool far = fabs(cell->sample[SN_SAMPLES / 2].distance) > 0.1 * g->side;
    if (far && g->level >= FAR_LAST && g->sampler.shell->t.count > MANY / 10) return HUGE_VAL;
    return SN_FIELD_TOLERANCE * g->side;
}

static void fitLevel(Growth* g)
{
    snCell cell;
    for (int i = 0; i < g->count && !g->crossing; i++) {
        snFit* fit = &g->fits[i];
        sampleCell(g, &g->cells[i], &cell);
        const double tolerance = toleranceOf(g, &cell);
        *fit = sn_fitCell(&cell, tolerance);
        if (g->level >= FIRST && fit->error <= tolerance) check(g, &g->cells[i], &cell, fit);
        fit->error -= tolerance;
        if (!canAllBe(g, &cell)) jump(g, fit);
    }
}

// The cells of the next level take the place of these.
static bool nextLevel(Growth* g)
{
    snDistanceField* field = g->field;
    double* errors = sn_malloc((size_t)g->count * sizeof *errors);
    g->fits = sn_malloc((size_t)g->count * sizeof *g->fits);
    bool good = errors && g->fits;
    if (good) fitLevel(g);
    int splits = 0;
    const double bound = good && !g->crossing ? chooseBound(g, errors, &splits) : 0;
    Cell* children = good ? sn_malloc(8 * (size_t)splits * sizeof *children) : NULL;
    good = children && reserve((void**)&field->child, &g->room, field->nnode, 8 * splits, sizeof(int));
    for (int i = 0, n = 0; i < g->count && good && !g->crossing; i++) {
        if (g->fits[i].error > bound)
            split(g, &g->cells[i], children + 8 * n++);
        else
            good = finish(g, &g->cells[i], &g->fits[i]);
    }
    sn_free(errors);
    sn_free(g->fits);
    sn_free(g->cells);
    g->cells = children;
    g->count = 8 * splits;
    g->level++;
    g->size /= 2;
    return good && !g->sampler.starved && g->sampler.visits <= SN_MOST_VISITS;
}

// The box of the root is that of the mesh and a little around it; cells of thin ones are not too thin.
static void placeRoot(Growth* g, const double low[3], const double high[3])
{
    double side = 0, *box = g->field->box;
    for (int k = 0; k < 3; k++) side = sn_max(high[k] - low[k], side);
    for (int k = 0; k < 3; k++) {
        box[k] = 0.5 * (low[k] + high[k]);
        box[3 + k] = sn_max(0.5 * (high[k] - low[k]), 0.25 * side) + 0.05 * side;
    }
    g->side = side;
}

static bool plantRoot(Growth* g)
{
    g->cells = sn_malloc(sizeof *g->cells);
    if (!g->cells || !reserve((void**)&g->field->child, &g->room, 0, 1, sizeof(int))) return false;
    g->field->nnode = g->count = 1;
    g->size = SN_SAMPLER_UNITS;
    sn_orderSamples(sn_v3Load(g->field->box + 3), &g->order);
    *g->cells = (Cell){.count = g->points.count};
    return true;
}

// How far distances may be off that are nobody's nearest surface: a small part of what cells may be off, of
// very many triangles as much more as there will be fewer cells.
static double slackOf(const snShell* shell, double side, double share)
{
    return 0.1 * SN_FIELD_TOLERANCE * side / (shell->t.count > MANY / 10 ? share : 1);
}

snGrowth sn_growField(const snShell* shell, const double low[3], const double high[3], snDistanceField* field)
{
    *field = (snDistanceField){0};
    const double share = 1 / (1 + (double)shell->t.count / MANY);
    Growth g = {.field = field,
                .most_nodes = (int)(MOST_NODES * share),
                .most_visits = (int64_t)(SN_MOST_VISITS * share * share)};
    placeRoot(&g, low, high);
    bool good = sn_makeSampler(shell, field->box, slackOf(shell, g.side, share), &g.sampler) &&
                sn_spreadPoints(&shell->t, low, high, &g.points) && plantRoot(&g);
    while (good && g.count && !g.crossing) good = nextLevel(&g);
    sn_free(g.cells);
    sn_freePoints(&g.points);
    sn_freeSampler(&g.sampler);
    if (g.sampler.visits > SN_MOST_VISITS) return SN_GROWTH_TANGLED;
    return !good ? SN_GROWTH_STARVED : g.crossing ? SN_GROWTH_CROSSING : SN_GROWTH_WHOLE;
}

void sn_freeField(snDistanceField* field)
{
    sn_free(field->child);
    sn_free(field->sheet);
    *field = (snDistanceField){0};
}
