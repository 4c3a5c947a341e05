// For each target: src/target/prelude.h.
#include "solver/coupling.h"
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include "math/panel.h"
#include "math/simd.h"
#include "math/sorted.h"
#include "model/arena.h"
#include "solver/problem.h"

// Compact dofs' parents; -1: none.
static int parentOf(const snChains* chains, int c)
{
    return chains->adr[c + 1] - chains->adr[c] > 1 ? chains->list[chains->adr[c] + 1] : -1;
}

// A dof goes on the path of the one before it when that is its parent and has no other child.
static bool findNodes(snData* d, const snProblem* p, snCoupling* c)
{
    const int n = c->ndof = p->ndof;
    int* children = sn_scratchInt(d, n);
    c->node = sn_scratchInt(d, n);
    c->first = sn_scratchInt(d, n + 1);
    if (!children || !c->node || !c->first) return false;
    memset(children, 0, (size_t)n * sizeof(int));
    for (int i = 0; i < n; i++)
        if (parentOf(&p->chains, i) >= 0) children[parentOf(&p->chains, i)]++;
    c->nnode = 0;
    for (int i = 0; i < n; i++) {
        if (i == 0 || parentOf(&p->chains, i) != i - 1 || children[i - 1] > 1) c->first[c->nnode++] = i;
        c->node[i] = c->nnode - 1;
    }
    c->first[c->nnode] = n;
    return true;
}

// The pieces of the unknowns [ndof], ascending, of a group's rows.
static bool findPieces(snData* d, const int* unknowns, int ndof, const snCoupling* c, snHessianSupport* s)
{
    assert(sn_isAscending(unknowns, ndof, c->ndof));
    snPiece* piece = s->piece = sn_scratchAlloc(d, (size_t)ndof * sizeof(snPiece));
    if (!piece) return false;
    int count = 0, blocks = 0, block = -1, last = -2;
    for (int k = 0; k < ndof; k++) {
        const int i = unknowns[k], node = c->node[i];
        if (i >> 2 != block) {
            block = i >> 2;
            blocks++;
        }
        if (i == last + 1 && piece[count - 1].node == node)
            piece[count - 1].count++;
        else
            piece[count++] = (snPiece){
                .node = node, .offset = i - c->first[node], .count = 1, .block = blocks - 1, .shift = i & 3};
        last = i;
    }
    s->npiece = count;
    return true;
}

// The unknowns that a quad touches: as the problem has them, or from the dofs of its rows into room [ndof].
static const int* unknownsOf(const snData* d, const int* index, const snProblem* p, int quad, int* room,
                             int* count)
{
    if (p->touched) {
        *count = p->ntouched[quad];
        return p->touched[quad];
    }
    const int row = p->efc[p->nsimple + 4 * quad], *dofs = d->efc_J_colind + d->efc_J_coladr[row];
    *count = d->efc_J_rownnz[row];
    for (int k = 0; k < *count; k++) room[k] = index[dofs[k]];
    return room;
}

// Quads that point at the same columns are those of a support.
static bool findSupports(snData* d, const int* index, const snProblem* p, snCoupling* c)
{
    c->nsupport = 0;
    c->support = sn_scratchAlloc(d, (size_t)p->nquad * sizeof(snHessianSupport));
    int* room = sn_scratchInt(d, p->ndof);
    if (!c->support || !room) return false;
    for (int q = 0; q < p->nquad; q++) {
        if (q == 0 || p->quad[q].col != p->quad[q - 1].col) {
            snHessianSupport* s = c->support + c->nsupport++;
            *s = (snHessianSupport){.quad = q};
            int count;
            const int* unknowns = unknownsOf(d, index, p, q, room, &count);
            if (!findPieces(d, unknowns, count, c, s)) return false;
        }
        c->support[c->nsupport - 1].nquad++;
    }
    return true;
}

// Both directions of an edge: counted, or with adj put into the lists.
static void addEdge(snGraph* g, int* length, int a, int b)
{
    if (g->adj) {
        g->adj[g->adr[a] + length[a]] = b;
        g->adj[g->adr[b] + length[b]] = a;
    }
    length[a]++;
    length[b]++;
}

// What elasticity couples: vertices, each with whole chains of dofs, so that the first of a node has all.
static void addElasticEdges(const snProblem* p, const snCoupling* c, snGraph* g, int* length)
{
    const snElastic* e = &p->elastic;
    for (int i = 0; i < c->nnode; i++)
        for (int k = e->adr[c->first[i]], last = i; k < e->adr[c->first[i] + 1]; k++) {
            const int node = c->node[e->col[k]];
            if (node != last && node != i) addEdge(g, length, i, node);
            last = node;
        }
}

// What inertia couples: each node with those on its chain; and rows: the nodes of a support with each other.
static void addEdges(const snProblem* p, const snCoupling* c, snGraph* g, int* length)
{
    for (int i = 0; i < c->nnode; i++)
        for (int a = parentOf(&p->chains, c->first[i]); a >= 0;
             a = parentOf(&p->chains, c->first[c->node[a]]))
            addEdge(g, length, i, c->node[a]);
    if (p->elastic.adr) addElasticEdges(p, c, g, length);
    for (int k = 0; k < c->nsupport; k++) {
        const snHessianSupport* s = c->support + k;
        for (int i = 1; i < s->npiece; i++)
            for (int j = 0; j < i; j++)
                if (s->piece[i].node != s->piece[j].node)
                    addEdge(g, length, s->piece[i].node, s->piece[j].node);
    }
}

// Each neighbour once.
static void dropDoubles(snGraph* g, const int* length, int* seen)
{
    int at = 0;
    for (int i = 0; i < g->n; i++) seen[i] = -1;
    for (int i = 0; i < g->n; i++) {
        const int* from = g->adj + g->adr[i];
        g->adr[i] = at;
        for (int k = 0; k < length[i]; k++) {
            if (seen[from[k]] == i) continue;
            seen[from[k]] = i;
            g->adj[at++] = from[k];
        }
    }
    g->adr[g->n] = at;
}

static bool buildGraph(snData* d, const snProblem* p, const snCoupling* c, snGraph* g)
{
    const int n = c->nnode;
    size_t sum = 0;
    int *length = sn_scratchInt(d, n), *seen = sn_scratchInt(d, n);
    *g = (snGraph){.n = n, .adr = sn_scratchInt(d, n + 1)};
    if (!length || !seen || !g->adr) return false;
    memset(length, 0, (size_t)n * sizeof(int));
    addEdges(p, c, g, length);
    for (int i = 0; i < n; i++) {
        g->adr[i] = (int)sum;
        sum += (size_t)length[i];
        if (sum > INT_MAX) return false;
        length[i] = 0;
    }
    g->adj = sn_scratchAlloc(d, sum * sizeof(int));
    if (!g->adj) return false;
    addEdges(p, c, g, length);
    dropDoubles(g, length, seen);
    return true;
}

// Puts a support's pieces, few and often in order, into the order of elimination.
static void sortPieces(const snElimination* e, snPiece* piece, int count)
{
    for (int i = 1; i < count; i++) {
        const snPiece p = piece[i];
        int k = i;
        for (; k > 0 && e->place[piece[k - 1].node] > e->place[p.node]; k--) piece[k] = piece[k - 1];
        piece[k] = p;
    }
}

// Where H_ij of two dofs, each a node's first one and some further, stands; i goes before j, or with it.
static size_t meet(const snElimination* e, int i, int ahead, int j, int further, int* stride)
{
    const size_t at = sn_factorEntry(e, e->place[i], e->place[j], stride);
    return at + (size_t)ahead * (size_t)*stride + (size_t)further;
}

// Where piece a of a support meets those from a on.
static void findMeetings(const snElimination* e, const snHessianSupport* s, int a, size_t* meeting)
{
    snPiece* p = s->piece + a;
    for (int b = a; b < s->npiece; b++)
        *meeting++ = meet(e, p->node, p->offset, s->piece[b].node, s->piece[b].offset, &p->stride);
}

// Many pieces, as of branching trees whose tips touch, meet in too many places to keep them.
static bool placeSupport(snData* d, snCoupling* c, snHessianSupport* s)
{
    enum { MOST = 48 };
    const bool few = s->npiece <= MOST;
    const size_t count = (size_t)s->npiece * (size_t)(s->npiece + 1) / 2;
    size_t* to = few ? sn_scratchAlloc(d, count * sizeof(size_t)) : NULL;
    if (few && !to) return false;
    s->meeting = to;
    c->whole &= few;
    sortPieces(&c->elimination, s->piece, s->npiece);
    s->ncolumn = 0;
    for (int a = 0; a < s->npiece; a++) {
        snPiece* p = s->piece + a;
        p->column = s->ncolumn + p->shift;
        s->ncolumn += (p->shift + p->count + 3) & ~3;
        if (few) findMeetings(&c->elimination, s, a, to);
        to += few ? s->npiece - a : 0;
    }
    const size_t columns = (size_t)s->ncolumn, rows = 4 * (size_t)s->nquad * columns;
    c->columns = columns > c->columns ? columns : c->columns;
    c->rows = rows > c->rows ? rows : c->rows;
    c->pieces = s->npiece > c->pieces ? s->npiece : c->pieces;
    c->work += 60 + s->nquad * (40 + (double)s->ncolumn * s->ncolumn / 4);
    return true;
}

static bool placeSupports(snData* d, snCoupling* c)
{
    c->rows = c->columns = 0;
    c->pieces = 0;
    c->whole = true;
    c->work = c->elimination.work;
    for (int k = 0; k < c->nsupport; k++)
        if (!placeSupport(d, c, c->support + k)) return false;
    c->found = sn_scratchAlloc(d, (size_t)c->pieces * sizeof(size_t));
    return c->found;
}

// Where the numbers of M go; the nodes of a chain are looked up once each.
static bool placeInertia(snData* d, const snProblem* p, snCoupling* c)
{
    const snElimination* e = &c->elimination;
    const snChains* chains = &p->chains;
    c->chain = sn_scratchAlloc(d, (size_t)chains->adr[c->ndof] * sizeof(size_t));
    c->row = sn_scratchInt(d, c->ndof);
    if (!c->chain || !c->row) return false;
    for (int i = 0; i < c->ndof; i++) {
        const int own = c->node[i], offset = i - c->first[own];
        int other = -1, stride = 1;
        size_t at = 0;
        c->row[i] = e->row[e->place[own]] + offset;
        for (int k = chains->adr[i]; k < chains->adr[i + 1]; k++) {
            const int j = chains->list[k];
            if (c->node[j] != other) {
                other = c->node[j];
                const bool before = e->place[other] <= e->place[own];
                at = before ? meet(e, other, 0, own, offset, &stride)
                            : meet(e, own, offset, other, 0, &stride);
                if (!before) stride = 1;
            }
            c->chain[k] = at + (size_t)(j - c->first[other]) * (size_t)stride;
        }
    }
    return true;
}

// Where numbers of row i go that are in the columns of one node from its dof j on: the others follow *stride
// apart.
static size_t meetNode(const snCoupling* c, int i, int j, int* stride)
{
    const snElimination* e = &c->elimination;
    const int own = c->node[i], other = c->node[j], offset = i - c->first[own], at = j - c->first[other];
    if (e->place[other] <= e->place[own]) return meet(e, other, at, own, offset, stride);
    const size_t entry = meet(e, own, offset, other, at, stride);
    *stride = 1;
    return entry;
}

static bool placeElastic(snData* d, const snProblem* p, snCoupling* c)
{
    const snElastic* e = &p->elastic;
    if (!e->adr) return true;
    c->elastic = sn_scratchAlloc(d, (size_t)e->adr[c->ndof] * sizeof(size_t));
    if (!c->elastic) return false;
    for (int i = 0; i < c->ndof; i++)
        for (int k = e->adr[i]; k < e->adr[i + 1];) {
            int stride, j = e->col[k];
            const size_t at = meetNode(c, i, j, &stride);
            for (const int node = c->node[j], first = j; k < e->adr[i + 1] && c->node[e->col[k]] == node; k++)
                c->elastic[k] = at + (size_t)(e->col[k] - first) * (size_t)stride;
        }
    return true;
}

bool sn_findCoupling(snData* d, const int* index, const snProblem* p, snCoupling* c)
{
    snGraph graph;
    if (!findNodes(d, p, c) || !findSupports(d, index, p, c) || !buildGraph(d, p, c, &graph)) return false;
    int* size = sn_scratchInt(d, c->nnode);
    if (!size) return false;
    for (int i = 0; i < c->nnode; i++) size[i] = c->first[i + 1] - c->first[i];
    return sn_analyse(d, &graph, size, p->elastic.adr != NULL, &c->elimination) && placeSupports(d, c) &&
           placeInertia(d, p, c) && placeElastic(d, p, c);
}

// The quads of a support that count, times the roots of their weights, in its own columns. Returns how many
// rows.
SN_INLINE int scaleRows(const snHessianSupport* s, const snQuad* quad, const double* weight, double* rows)
{
    int count = 0;
    const int stride = s->ncolumn;
    for (int q = s->quad; q < s->quad + s->nquad; q++) {
        const double* w = weight + 4 * q;
        if (w[0] == 0 && w[1] == 0 && w[2] == 0 && w[3] == 0) continue;
        const double r0 = sqrt(w[0]), r1 = sqrt(w[1]), r2 = sqrt(w[2]), r3 = sqrt(w[3]);
        double* to = rows + (size_t)count * (size_t)stride;
        count += 4;
        for (int a = 0; a < s->npiece; a++) {
            const snPiece* p = s->piece + a;
            const double* from = quad[q].value + 16 * p->block;
            for (int k = 0; k < p->shift + p->count; k += 4, to += 4, from += 16) {
                v4_store(to, v4_all(r0) * v4_load(from));
                v4_store(to + stride, v4_all(r1) * v4_load(from + 4));
                v4_store(to + 2 * stride, v4_all(r2) * v4_load(from + 8));
                v4_store(to + 3 * stride, v4_all(r3) * v4_load(from + 12));
            }
        }
    }
    return count;
}

SN_INLINE void takeRun(double* y, const double* x, int count)
{
    int i = 0;
    for (; i + 4 <= count; i += 4) *(v4u*)(y + i) = *(const v4u*)(y + i) - *(const v4u*)(x + i);
    for (; i < count; i++) y[i] -= x[i];
}

// Takes rows [begin, end) of piece a off H: of each what is there in fours of columns, some left of the
// diagonal, where nothing is read. The strip begins at column `first`. meeting: of a.
SN_INLINE void takeRows(const snHessianSupport* s, int a, int first, int begin, int end, const double* strip,
                        const size_t* meeting, double* value)
{
    const snPiece* p = s->piece + a;
    for (int i = begin; i < end; i++) {
        const double* row = strip + (p->column + i - first) * s->ncolumn;
        const size_t across = (size_t)i * (size_t)p->stride;
        const int four = ((p->column + i) & ~3) - p->column, from = four > 0 ? four : 0;
        takeRun(value + meeting[0] + across + from, row + p->column + from, p->count - from);
        for (int b = a + 1; b < s->npiece; b++)
            takeRun(value + meeting[b - a] + across, row + s->piece[b].column, s->piece[b].count);
    }
}

// Takes the columns [first, first + SN_HESSIAN_STRIP) of what sn_panelProduct made off H.
SN_INLINE void takeStrip(const snCoupling* c, const snHessianSupport* s, int first, const double* strip,
                         double* value)
{
    const size_t *kept = s->meeting, *meeting = kept ? kept : c->found;
    for (int a = 0; a < s->npiece; a++, meeting += kept ? s->npiece - a + 1 : 0) {
        const snPiece* p = s->piece + a;
        const int left = first + SN_HESSIAN_STRIP - p->column, end = p->count < left ? p->count : left;
        const int begin = p->column > first ? 0 : first - p->column;
        if (begin >= end) continue;
        if (!kept) findMeetings(&c->elimination, s, a, c->found);
        takeRows(s, a, first, begin, end, strip, meeting, value);
    }
}

// The same of one piece, whose support has kept where its pieces meet.
static void takePiece(const snHessianSupport* s, int a, int first, int begin, int end, const double* strip,
                      double* value)
{
    takeRows(s, a, first, begin, end, strip,
             s->meeting + (size_t)a * (size_t)s->npiece - (size_t)a * ((size_t)a - 1) / 2, value);
}

static void addSupport(const snCoupling* c, const snHessianSupport* s, const snQuad* quad,
                       const double* weight, double* rows, double* strip, double* value)
{
    const int count = scaleRows(s, quad, weight, rows);
    for (int first = 0; count && first < s->ncolumn; first += SN_HESSIAN_STRIP) {
        const int left = s->ncolumn - first;
        sn_panelProduct(rows, count, s->ncolumn, first, left < SN_HESSIAN_STRIP ? left : SN_HESSIAN_STRIP,
                        strip);
        takeStrip(c, s, first, strip, value);
    }
}

// The same, of the rows of places [low, high) alone.
static void addPieces(const snCoupling* c, const snHessianSupport* s, const snQuad* quad,
                      const double* weight, int low, int high, double* rows, double* strip, double* value)
{
    const int* place = c->elimination.place;
    int a = 0, count = -1;
    while (a < s->npiece && place[s->piece[a].node] < low) a++; // pieces are in the order of places
    for (; a < s->npiece && place[s->piece[a].node] < high; a++) {
        const snPiece* p = s->piece + a;
        if (count < 0) count = scaleRows(s, quad, weight, rows);
        if (!count) return;
        for (int i = 0; i < p->count; i += SN_HESSIAN_STRIP) {
            const int left = p->count - i, size = left < SN_HESSIAN_STRIP ? left : SN_HESSIAN_STRIP;
            sn_panelProduct(rows, count, s->ncolumn, p->column + i, size, strip);
            takePiece(s, a, p->column + i, i, i + size, strip, value);
        }
    }
}

void sn_assembleInertia(const struct snProblem* p, const double* weight, double* value)
{
    const snCoupling* c = &p->coupling;
    memset(value, 0, c->elimination.nvalue * sizeof(double));
    for (int k = 0; k < p->chains.adr[c->ndof]; k++) value[c->chain[k]] += p->chainM[k];
    for (int k = 0; p->elastic.adr && k < p->elastic.adr[c->ndof]; k++)
        value[c->elastic[k]] += p->elastic.value[k];
    for (int r = 0; r < p->nsimple; r++) value[c->chain[p->chains.adr[p->simple_dof[r]]]] += weight[r];
}

void sn_assembleRows(const struct snProblem* p, const snQuad* quad, const double* weight, double* work,
                     double* value)
{
    const snCoupling* c = &p->coupling;
    for (int k = 0; k < c->nsupport; k++)
        addSupport(c, c->support + k, quad, weight + p->nsimple, work, work + c->rows, value);
}

void sn_assemblePart(const struct snProblem* p, const snQuad* quad, const double* weight,
                     const snPlaces* part, double* work, double* value)
{
    const snCoupling* c = &p->coupling;
    for (int k = 0; k < part->nsupport; k++)
        addPieces(c, c->support + part->support[k], quad, weight + p->nsimple, part->low, part->high, work,
                  work + c->rows, value);
}
