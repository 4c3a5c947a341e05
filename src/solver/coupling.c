#include "solver/coupling.h"
#include <limits.h>
#include <string.h>
#include "math/clones.h"
#include "math/simd.h"
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

// The pieces of the dofs of a group's rows; column counts the columns of the blocks they are in.
static bool findPieces(snData* d, const int* index, const int* dofs, int ndof, const snCoupling* c,
                       snSupport* s)
{
    snPiece* piece = sn_scratchAlloc(d, (size_t)ndof * sizeof(snPiece));
    if (!piece) return false;
    int count = 0, blocks = 0, block = -1, last = -2;
    for (int k = 0; k < ndof; k++) {
        const int i = index[dofs[k]], node = c->node[i];
        if (i >> 2 != block) {
            block = i >> 2;
            blocks++;
        }
        if (i == last + 1 && piece[count - 1].node == node)
            piece[count - 1].count++;
        else
            piece[count++] = (snPiece){node, i - c->first[node], 1, 4 * (blocks - 1) + (i & 3)};
        last = i;
    }
    s->piece = piece;
    s->npiece = count;
    return true;
}

// Quads that point at the same columns are those of a support.
static bool findSupports(snData* d, const int* index, const snProblem* p, snCoupling* c)
{
    c->nsupport = c->most = 0;
    c->support = sn_scratchAlloc(d, (size_t)p->nquad * sizeof(snSupport));
    if (!c->support) return false;
    for (int q = 0; q < p->nquad; q++) {
        if (q == 0 || p->quad[q].col != p->quad[q - 1].col) {
            const int row = p->efc[p->nsimple + 4 * q];
            snSupport* s = c->support + c->nsupport++;
            *s = (snSupport){.quad = q};
            if (!findPieces(d, index, d->efc_J_colind + d->efc_J_coladr[row], d->efc_J_rownnz[row], c, s))
                return false;
            if (p->quad[q].count > c->most) c->most = p->quad[q].count;
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

// What inertia couples: each node with those on its chain; and rows: the nodes of a support with each other.
static void addEdges(const snProblem* p, const snCoupling* c, snGraph* g, int* length)
{
    for (int i = 0; i < c->nnode; i++)
        for (int a = parentOf(&p->chains, c->first[i]); a >= 0;
             a = parentOf(&p->chains, c->first[c->node[a]]))
            addEdge(g, length, i, c->node[a]);
    for (int k = 0; k < c->nsupport; k++) {
        const snSupport* s = c->support + k;
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

static snMeeting meet(const snElimination* e, const snPiece* a, const snPiece* b)
{
    int stride;
    const int i = e->place[a->node], j = e->place[b->node];
    if (i <= j) {
        const size_t at = sn_factorEntry(e, i, j, &stride);
        return (snMeeting){at + (size_t)a->offset * (size_t)stride + (size_t)b->offset, stride, 1};
    }
    const size_t at = sn_factorEntry(e, j, i, &stride);
    return (snMeeting){at + (size_t)b->offset * (size_t)stride + (size_t)a->offset, 1, stride};
}

static bool placeSupports(snData* d, snCoupling* c)
{
    for (int k = 0; k < c->nsupport; k++) {
        snSupport* s = c->support + k;
        const size_t count = (size_t)s->npiece * (size_t)(s->npiece + 1) / 2;
        snMeeting* to = sn_scratchAlloc(d, count * sizeof(snMeeting));
        if (!to) return false;
        s->meeting = to;
        for (int a = 0; a < s->npiece; a++)
            for (int b = a; b < s->npiece; b++) *to++ = meet(&c->elimination, s->piece + a, s->piece + b);
    }
    return true;
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
        const snPiece own = {.node = c->node[i], .offset = i - c->first[c->node[i]]};
        snPiece other = {.node = -1};
        snMeeting at = {0};
        c->row[i] = e->row[e->place[own.node]] + own.offset;
        for (int k = chains->adr[i]; k < chains->adr[i + 1]; k++) {
            const int j = chains->list[k];
            if (c->node[j] != other.node) {
                other = (snPiece){.node = c->node[j]};
                at = meet(e, &other, &own);
            }
            c->chain[k] = at.at + (size_t)(j - c->first[other.node]) * (size_t)at.across;
        }
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
    return sn_analyse(d, &graph, size, &c->elimination) && placeSupports(d, c) && placeInertia(d, p, c);
}

// strip [4 x 4 count]: rows 4a .. 4a + 3 of J'WJ, right of column 4a, of one quad.
SN_INLINE void addStrip(const snQuad* quad, const double* w, int a, double* strip)
{
    const int stride = 4 * quad->count;
    const double* J = quad->value + 16 * a;
    _Alignas(32) double scaled[16];
    for (int r = 0; r < 4; r++) v4_store(scaled + 4 * r, w[r] * v4_load(J + 4 * r));
    for (int b = a; b < quad->count; b++) {
        const double* right = quad->value + 16 * b;
        const v4 j0 = v4_load(right), j1 = v4_load(right + 4), j2 = v4_load(right + 8),
                 j3 = v4_load(right + 12);
        for (int i = 0; i < 4; i++) {
            double* to = strip + i * stride + 4 * b;
            v4_store(to, v4_load(to) + ((scaled[i] * j0 + scaled[4 + i] * j1) +
                                        (scaled[8 + i] * j2 + scaled[12 + i] * j3)));
        }
    }
}

// Adds numbers [from, piece b's end) of a row of the strip to the row of dof i of piece a.
SN_INLINE void addMeeting(const double* row, const snPiece* b, int from, double* to, int along)
{
    for (int j = from; j < b->count; j++) to[(size_t)j * (size_t)along] += row[b->column + j];
}

// Adds the rows [first, first + 4) of a support's columns, which the strip holds.
SN_INLINE void addRows(const snSupport* s, int first, const double* strip, int stride, double* value)
{
    const snMeeting* meeting = s->meeting;
    for (int a = 0; a < s->npiece; meeting += s->npiece - a, a++) {
        const snPiece* p = s->piece + a;
        if (p->column + p->count <= first) continue;
        if (p->column >= first + 4) break;
        const int begin = p->column > first ? 0 : first - p->column;
        const int end = p->column + p->count < first + 4 ? p->count : first + 4 - p->column;
        for (int i = begin; i < end; i++) {
            const double* row = strip + (p->column + i - first) * stride;
            for (int b = a; b < s->npiece; b++) {
                const snMeeting* at = meeting + b - a;
                double* to = value + at->at + (size_t)i * (size_t)at->across;
                addMeeting(row, s->piece + b, b == a ? i : 0, to, at->along);
            }
        }
    }
}

SN_CLONES
static void addSupport(const snSupport* s, const snQuad* quad, const double* weight, double* strip,
                       double* value)
{
    const int blocks = quad[s->quad].count, stride = 4 * blocks;
    for (int a = 0; a < blocks; a++) {
        memset(strip, 0, 4 * (size_t)stride * sizeof(double));
        for (int q = s->quad; q < s->quad + s->nquad; q++) {
            const double* w = weight + 4 * q;
            if (w[0] != 0 || w[1] != 0 || w[2] != 0 || w[3] != 0) addStrip(quad + q, w, a, strip);
        }
        addRows(s, 4 * a, strip, stride, value);
    }
}

static bool allZero(const double* weight, int count)
{
    for (int i = 0; i < count; i++)
        if (weight[i] != 0) return false;
    return true;
}

void sn_assemble(const snProblem* p, const snQuad* quad, const double* weight, double* strip, double* value)
{
    const snCoupling* c = &p->coupling;
    memset(value, 0, c->elimination.nvalue * sizeof(double));
    for (int k = 0; k < p->chains.adr[c->ndof]; k++) value[c->chain[k]] += p->chainM[k];
    for (int r = 0; r < p->nsimple; r++) value[c->chain[p->chains.adr[p->simple_dof[r]]]] += weight[r];
    for (int k = 0; k < c->nsupport; k++) {
        const snSupport* s = c->support + k;
        if (!allZero(weight + p->nsimple + 4 * s->quad, 4 * s->nquad))
            addSupport(s, quad, weight + p->nsimple, strip, value);
    }
}
