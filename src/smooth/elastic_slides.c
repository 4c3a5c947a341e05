// The matrix of elasticity where vertices are bodies with three slides: blocks of 3 x 3, whose columns are
// those of the neighbours.
#include "model/arena.h"
#include "model/elastic.h"
#include "model/sleep.h"
#include "smooth/elastic_graph.h"
#include "smooth/flex/attachment.h"

// Whether a vertex stands, or sleeps.
static bool isAtRest(const snModel* m, const snData* d, int body)
{
    const int last = sn_lastDof(m, body);
    return last < 0 || sn_isAsleep(d, m->dof_treeid[last]);
}

bool sn_elasticSlides(const snModel* m, const snData* d, int* dof, int* owner)
{
    for (int f = 0, v = 0; f < m->nflex; f++)
        for (; v < m->flex_vertadr[f] + m->flex_vertnum[f]; v++) {
            const int body = m->flex_vertbodyid[v];
            dof[v] = -1;
            if (!sn_isElastic(m, f) || isAtRest(m, d, body)) continue;
            dof[v] = sn_threeSlides(m, body);
            if (dof[v] < 0 || owner[dof[v]] >= 0) return false;
            owner[dof[v]] = v;
        }
    return true;
}

// ---- columns

// A neighbour whose dofs come before those of a vertex.
typedef struct Near {
    int dof, place; // of its dofs, and in the lists of the graph
} Near;

// Neighbours that come before, by dofs; those that are so by an edge and by flaps stand twice, side by side.
static int findNear(const snElasticGraph* g, const int* dof, int v, Near* near)
{
    int count = 0;
    for (int k = g->adr[v]; k < g->adr[v + 1]; k++) {
        const int other = dof[g->other[k]];
        if (other < 0 || other > dof[v]) continue;
        int at = count++;
        for (; at > 0 && near[at - 1].dof > other; at--) near[at] = near[at - 1];
        near[at] = (Near){other, k};
    }
    return count;
}

static int countApart(const Near* near, int count)
{
    int apart = 0;
    for (int k = 0; k < count; k++) apart += k == 0 || near[k].dof != near[k - 1].dof;
    return apart;
}

static int mostNeighbours(const snModel* m, const snElasticGraph* g)
{
    int most = 0;
    for (int v = 0; v < m->nflexvert; v++)
        if (g->adr[v + 1] - g->adr[v] > most) most = g->adr[v + 1] - g->adr[v];
    return most;
}

// Where rows begin; 3 more for each neighbour, and the lower triangle of their own block.
static bool countRows(const snModel* m, const snElasticGraph* g, const int* dof, const int* owner, Near* near,
                      snElastic* e)
{
    long long sum = 0;
    for (int i = 0; i < m->nv;) {
        const int v = owner[i], block = v < 0 ? 1 : 3;
        const int width = v < 0 ? 0 : 3 * countApart(near, findNear(g, dof, v, near));
        for (int r = 0; r < block; r++) {
            e->adr[i++] = (int)sum;
            if (v >= 0) sum += width + r + 1;
        }
        if (sum > INT32_MAX) return false;
    }
    e->adr[m->nv] = (int)sum;
    return true;
}

// ---- values

// value [3] (+)= u' times the axes of the slides from a dof on
static void project(const snData* d, const double u[3], int dof, bool add, int count, double* value)
{
    for (int c = 0; c < count; c++) {
        const double* axis = d->cdof + 6 * (dof + c) + 3;
        const double product = u[0] * axis[0] + u[1] * axis[1] + u[2] * axis[2];
        value[c] = add ? value[c] + product : product;
    }
}

static void fillRow(const snModel* m, const snData* d, const snElasticGraph* g, const snFlexBlocks* blocks,
                    int v, int first, int r, const Near* near, int count, snElastic* e)
{
    const double* axis = d->cdof + 6 * (first + r) + 3;
    int at = e->adr[first + r] - 3;
    double u[3];
    for (int k = 0; k < count; k++) {
        const bool again = k > 0 && near[k].dof == near[k - 1].dof;
        if (!again) at += 3;
        for (int c = 0; c < 3; c++) e->col[at + c] = near[k].dof + c;
        sn_turnByBlock(m, blocks, g, near[k].place, axis, u);
        project(d, u, near[k].dof, again, 3, e->value + at);
    }
    at += 3;
    for (int c = 0; c <= r; c++) e->col[at + c] = first + c;
    sn_turnByDiagonal(blocks, v, axis, u);
    project(d, u, first, false, r + 1, e->value + at);
}

bool sn_slideElastic(const snModel* m, snData* d, const snElasticGraph* g, const snFlexBlocks* blocks,
                     const int* dof, const int* owner, snElastic* e)
{
    Near* near = sn_scratchAlloc(d, (size_t)mostNeighbours(m, g) * sizeof *near);
    if (!near || !countRows(m, g, dof, owner, near, e) || !sn_elasticRoom(d, e->adr[m->nv])) return false;
    *e = sn_elasticOf(d);
    for (int i = 0; i < m->nv; i++) {
        const int v = owner[i];
        if (v < 0) continue;
        const int count = findNear(g, dof, v, near);
        for (int r = 0; r < 3; r++) fillRow(m, d, g, blocks, v, i, r, near, count, e);
    }
    return true;
}
