#include "smooth/elastic_metric.h"
#include <limits.h>
#include <string.h>
#include "math/spatial.h"
#include "model/arena.h"
#include "model/elastic.h"
#include "model/kinds.h"
#include "model/sleep.h"
#include "smooth/elastic_graph.h"
#include "smooth/flex/attachment.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/bending.h"

bool sn_takesElastic(const snModel* m)
{
    const bool primal = !sn_solverKind(m->opt.solver).dual && m->opt.noslip_iterations <= 0;
    const bool loops = m->nloop || (m->neq && m->opt.loops == SN_LOOPS_EXACT);
    return primal && !loops && m->opt.contact == SN_CONTACT_SOFT && sn_firstFlex(m, sn_isElastic) >= 0;
}

// ---- vertices

// Both directions of a pair: counted, or with other put into the lists.
static void addPair(snElasticGraph* g, int* length, int v, int w, int block, int back)
{
    if (g->other) {
        const int at = g->adr[v] + length[v], to = g->adr[w] + length[w];
        g->other[at] = w;
        g->block[at] = block;
        g->other[to] = v;
        g->block[to] = back;
    }
    length[v]++;
    length[w]++;
}

static void addPairs(const snModel* m, snElasticGraph* g, int* length)
{
    for (int f = 0; f < m->nflex; f++) {
        const int first = m->flex_vertadr[f], edges = m->flex_edgeadr[f], flaps = m->nflexedge;
        for (int e = edges; e < edges + m->flex_edgenum[f] && sn_isElastic(m, f); e++) {
            int v[4];
            const bool hinge = sn_flexHinge(m, e, v) && sn_flexBends(m, f);
            addPair(g, length, first + v[0], first + v[1], e, ~e);
            if (hinge) addPair(g, length, first + v[2], first + v[3], flaps + e, flaps + e);
        }
    }
}

static bool findPairs(const snModel* m, snData* d, snElasticGraph* g)
{
    const int n = m->nflexvert;
    int sum = 0, *length = sn_scratchInt(d, n);
    *g = (snElasticGraph){.adr = sn_scratchInt(d, n + 1)};
    if (!length || !g->adr) return false;
    memset(length, 0, (size_t)n * sizeof *length);
    addPairs(m, g, length);
    for (int v = 0; v < n; v++) {
        g->adr[v] = sum;
        sum += length[v];
        length[v] = 0;
    }
    g->adr[n] = sum;
    g->other = sn_scratchInt(d, sum);
    g->block = sn_scratchInt(d, sum);
    if (!g->other || !g->block) return false;
    addPairs(m, g, length);
    return true;
}

// What h D + h^2 K has of both parts of sn_flexHessian.
typedef struct Weights {
    double e, t;
} Weights;

static Weights weightsOf(const snModel* m, int flex)
{
    const int off = m->opt.disableflags;
    const double h = m->opt.timestep, k = off & SN_DSBL_SPRING ? 0 : h * h;
    return (Weights){k + (off & SN_DSBL_DAMPER ? 0 : h * m->flex_damping[flex]), k};
}

static bool fillBlocks(const snModel* m, snData* d, snFlexBlocks* b)
{
    const size_t v = 6 * (size_t)m->nflexvert, e = 9 * (size_t)m->nflexedge;
    b->vertex = sn_scratchAlloc(d, (v + e + (size_t)m->nflexedge) * sizeof(double));
    if (!b->vertex) return false;
    b->edge = b->vertex + v;
    b->flap = b->edge + e;
    for (int f = 0; f < m->nflex; f++) {
        if (!sn_isElastic(m, f)) continue;
        const Weights w = weightsOf(m, f);
        sn_flexHessian(m, d, f, w.e, w.t, d->flexedge_tension + m->flex_edgeadr[f], b);
    }
    return true;
}

// ---- dofs

// Vertices and dofs: those that move vertex v, descending, dof[adr[v]] .. with how, J; and the vertices that
// dof i moves, vertex[of[i]] .. with where its J stands, at.
typedef struct Chains {
    int *adr, *dof;
    double* J; // 3 each
    int *of, *vertex, *at;
} Chains;

// The last dof that moves a vertex of an elastic flex and is awake; -1: none.
static int lastDof(const snModel* m, const snData* d, int vertex)
{
    const int dof = sn_lastDof(m, m->flex_vertbodyid[vertex]);
    return dof >= 0 && sn_isAsleep(d, m->dof_treeid[dof]) ? -1 : dof;
}

static void eachVertex(const snModel* m, const snData* d, Chains* c, int* count)
{
    int at = 0;
    for (int f = 0, v = 0; f < m->nflex; f++)
        for (; v < m->flex_vertadr[f] + m->flex_vertnum[f]; v++) {
            const int body = m->flex_vertbodyid[v];
            const snVec3 x = sn_flexVertex(d, v), arm = sn_v3Sub(x, sn_treeCom(m, d, body));
            c->adr[v] = at;
            for (int i = sn_isElastic(m, f) ? lastDof(m, d, v) : -1; i >= 0; i = m->dof_parentid[i], at++) {
                const int place = c->of[i] + count[i]++;
                if (!c->J) continue;
                const snMotion s = sn_motionLoad(d->cdof + 6 * i);
                c->dof[at] = i;
                sn_v3Store(c->J + 3 * at, sn_v3Add(s.lin, sn_v3Cross(s.ang, arm)));
                c->vertex[place] = v;
                c->at[place] = at;
            }
        }
    c->adr[m->nflexvert] = at;
}

static bool findChains(const snModel* m, snData* d, Chains* c)
{
    int* count = sn_scratchInt(d, m->nv);
    *c = (Chains){.adr = sn_scratchInt(d, m->nflexvert + 1), .of = sn_scratchInt(d, m->nv + 1)};
    if (!count || !c->adr || !c->of) return false;
    memset(count, 0, (size_t)m->nv * sizeof *count);
    memset(c->of, 0, ((size_t)m->nv + 1) * sizeof *c->of);
    eachVertex(m, d, c, count);
    for (int i = 0; i < m->nv; i++) {
        c->of[i + 1] = c->of[i] + count[i];
        count[i] = 0;
    }
    const int n = c->adr[m->nflexvert];
    c->dof = sn_scratchInt(d, n);
    c->vertex = sn_scratchInt(d, n);
    c->at = sn_scratchInt(d, n);
    c->J = sn_scratchReal(d, 3 * n);
    if (!c->dof || !c->vertex || !c->at || !c->J) return false;
    eachVertex(m, d, c, count);
    return true;
}

// ---- rows

// A row of the matrix that is being made.
typedef struct Row {
    const snElasticGraph* g;
    const snFlexBlocks* b;
    const Chains* c;
    int dof, count;  // of which row, and how many columns it has
    int *col, *mark; // columns, and [nv] where a dof stands among them if it does
    double* value;
} Row;

static void sortColumns(int* col, int count)
{
    for (int i = 1; i < count; i++) {
        const int x = col[i];
        int k = i;
        for (; k > 0 && col[k - 1] > x; k--) col[k] = col[k - 1];
        col[k] = x;
    }
}

// Columns that vertex w brings.
static void meet(Row* r, int w)
{
    const Chains* c = r->c;
    for (int k = c->adr[w]; k < c->adr[w + 1]; k++) {
        const int j = c->dof[k];
        if (j > r->dof || r->mark[j] == r->dof) continue;
        r->mark[j] = r->dof;
        if (r->col) r->col[r->count] = j;
        r->count++;
    }
}

static void findColumns(Row* r)
{
    const Chains* c = r->c;
    const snElasticGraph* g = r->g;
    r->count = 0;
    for (int k = c->of[r->dof]; k < c->of[r->dof + 1]; k++) {
        const int v = c->vertex[k];
        meet(r, v);
        for (int n = g->adr[v]; n < g->adr[v + 1]; n++) meet(r, g->other[n]);
    }
    if (r->col) sortColumns(r->col, r->count);
}

// Row += u'J_w of the dofs up to its own.
static void spread(Row* r, const double u[3], int w)
{
    const Chains* c = r->c;
    for (int k = c->adr[w]; k < c->adr[w + 1]; k++) {
        const double* J = c->J + 3 * k;
        if (c->dof[k] <= r->dof) r->value[r->mark[c->dof[k]]] += u[0] * J[0] + u[1] * J[1] + u[2] * J[2];
    }
}

static void fillRow(const snModel* m, Row* r)
{
    const Chains* c = r->c;
    const snElasticGraph* g = r->g;
    for (int k = 0; k < r->count; k++) {
        r->mark[r->col[k]] = k;
        r->value[k] = 0;
    }
    for (int k = c->of[r->dof]; k < c->of[r->dof + 1]; k++) {
        const int v = c->vertex[k];
        const double* t = c->J + 3 * c->at[k];
        double u[3];
        sn_turnByDiagonal(r->b, v, t, u);
        spread(r, u, v);
        for (int n = g->adr[v]; n < g->adr[v + 1]; n++) {
            sn_turnByBlock(m, r->b, g, n, t, u);
            spread(r, u, g->other[n]);
        }
    }
}

static bool countColumns(const snModel* m, Row* r, snElastic* e)
{
    size_t sum = 0;
    for (int i = 0; i < m->nv; i++) r->mark[i] = -1;
    for (r->dof = 0; r->dof < m->nv; r->dof++) {
        findColumns(r);
        e->adr[r->dof] = (int)sum;
        sum += (size_t)r->count;
        if (sum > INT_MAX) return false;
    }
    e->adr[m->nv] = (int)sum;
    return true;
}

// Rows dof by dof, whatever carries the vertices.
static bool chainElastic(const snModel* m, snData* d, const snElasticGraph* g, const snFlexBlocks* b,
                         int* mark, snElastic* e)
{
    Chains c;
    Row r = {.g = g, .b = b, .c = &c, .mark = mark};
    if (!findChains(m, d, &c) || !countColumns(m, &r, e) || !sn_elasticRoom(d, e->adr[m->nv])) return false;
    *e = sn_elasticOf(d);
    for (int i = 0; i < m->nv; i++) r.mark[i] = -1;
    for (r.dof = 0; r.dof < m->nv; r.dof++) {
        r.col = e->col + e->adr[r.dof];
        r.value = e->value + e->adr[r.dof];
        findColumns(&r);
        fillRow(m, &r);
        for (int k = 0; k < r.count; k++) r.mark[r.col[k]] = -1;
    }
    return true;
}

static bool roomForRows(const snModel* m, snData* d)
{
    if (d->nelasticrow == m->nv + 1) return true; // of a pass before this one
    d->elastic_rowadr = sn_arenaAlloc(d, ((size_t)m->nv + 1) * sizeof(int));
    d->nelasticrow = d->elastic_rowadr ? m->nv + 1 : 0;
    return d->nelasticrow;
}

bool sn_elasticRoom(snData* d, int count)
{
    if (d->nelastic >= count && d->nelastic) {
        d->nelastic = count;
        return true;
    }
    d->elastic_colind = sn_arenaAlloc(d, (size_t)count * sizeof(int));
    d->elastic_value = sn_arenaAlloc(d, (size_t)count * sizeof(double));
    d->nelastic = d->elastic_colind && d->elastic_value ? count : 0;
    return d->nelastic == count;
}

static bool makeMetric(const snModel* m, snData* d)
{
    snElasticGraph g;
    snFlexBlocks b;
    int *mark = sn_scratchInt(d, m->nv), *dof = sn_scratchInt(d, m->nflexvert);
    if (!roomForRows(m, d) || !mark || !dof || !findPairs(m, d, &g) || !fillBlocks(m, d, &b)) return false;
    snElastic e = sn_elasticOf(d);
    for (int i = 0; i < m->nv; i++) mark[i] = -1;
    return sn_elasticSlides(m, d, dof, mark) ? sn_slideElastic(m, d, &g, &b, dof, mark, &e)
                                             : chainElastic(m, d, &g, &b, mark, &e);
}

bool sn_makeElastic(const snModel* m, snData* d)
{
    if (!sn_takesElastic(m)) return true;
    for (int f = 0; f < m->nflex; f++)
        if (sn_isElastic(m, f)) sn_flexTensions(m, d, f, true, d->flexedge_tension + m->flex_edgeadr[f]);
    const size_t mark = sn_scratchMark(d);
    const bool room = makeMetric(m, d);
    sn_scratchRelease(d, mark);
    if (!room) d->nelasticrow = d->nelastic = 0;
    return room;
}

// h K qvel at the vertices of a flex, to dofs.
static bool pullFlex(const snModel* m, snData* d, int flex, double* pull)
{
    const int count = 3 * m->flex_vertnum[flex];
    const double h = m->opt.timestep;
    const double* tension = d->flexedge_tension + m->flex_edgeadr[flex];
    double *velocity = sn_scratchReal(d, count), *force = sn_scratchReal(d, count);
    if (!velocity || !force) return false;
    memset(force, 0, (size_t)count * sizeof *force);
    sn_flexVertexVelocity(m, d, flex, velocity);
    if (!sn_flexHessianMul(m, d, flex, h, h, tension, velocity, force)) return false;
    sn_addVertexForces(m, d, flex, force, pull);
    return true;
}

bool sn_addElasticPull(const snModel* m, snData* d, double* pull)
{
    bool room = true;
    const size_t mark = sn_scratchMark(d);
    for (int f = 0; f < m->nflex && room && !(m->opt.disableflags & SN_DSBL_SPRING); f++) {
        if (sn_isElastic(m, f)) room = pullFlex(m, d, f, pull);
        sn_scratchRelease(d, mark);
    }
    return room;
}

void sn_mulElastic(const snModel* m, const snElastic* e, const double* x, double* result)
{
    for (int i = 0; i < m->nv; i++) {
        if (!sn_hasElastic(e, i)) continue;
        const int last = e->adr[i + 1] - 1;
        double sum = e->value[last] * x[i];
        for (int k = e->adr[i]; k < last; k++) {
            sum += e->value[k] * x[e->col[k]];
            result[e->col[k]] += e->value[k] * x[i];
        }
        result[i] += sum;
    }
}
