// For each target: src/target/prelude.h.
#include "lcp/solve/profile.h"
#include <math.h>
#include <string.h>
#include "math/simd.h"
#include "model/arena.h"

// ---- order

// Which quads touch a block of coordinates, and how far the search along them has come.
typedef struct Graph {
    const snLcpSystem* s;
    int *begin, *quad;          // [n + 1], [all columns of all quads]
    int *node_mark, *quad_mark; // [n], [nquad] the last search that met them
    int* order;                 // [n]
} Graph;

static bool makeGraph(const snLcpSystem* s, snData* d, int n, Graph* g)
{
    int all = 0;
    for (int q = 0; q < s->nquad; q++) all += s->J[q].count;
    g->s = s;
    g->begin = sn_scratchInt(d, n + 1);
    g->quad = sn_scratchInt(d, all);
    g->node_mark = sn_scratchInt(d, n);
    g->quad_mark = sn_scratchInt(d, s->nquad);
    g->order = sn_scratchInt(d, n);
    if (!g->begin || !g->quad || !g->node_mark || !g->quad_mark || !g->order) return false;
    memset(g->begin, 0, (size_t)(n + 1) * sizeof(int));
    memset(g->node_mark, 0, (size_t)n * sizeof(int));
    memset(g->quad_mark, 0, (size_t)s->nquad * sizeof(int));
    for (int q = 0; q < s->nquad; q++)
        for (int k = 0; k < s->J[q].count; k++) g->begin[s->J[q].col[k] + 1]++;
    for (int i = 0; i < n; i++) g->begin[i + 1] += g->begin[i];
    for (int q = 0; q < s->nquad; q++)
        for (int k = 0; k < s->J[q].count; k++) g->quad[g->begin[s->J[q].col[k]]++] = q;
    for (int i = n; i > 0; i--) g->begin[i] = g->begin[i - 1];
    g->begin[0] = 0;
    return true;
}

// Breadth first from a block; writes what it meets to order[at ...]. Returns the end.
static int search(Graph* g, int start, int at, int mark)
{
    int end = at;
    g->order[end++] = start;
    g->node_mark[start] = mark;
    for (int k = at; k < end; k++) {
        const int node = g->order[k];
        for (int e = g->begin[node]; e < g->begin[node + 1]; e++) {
            const snQuad* quad = g->s->J + g->quad[e];
            if (g->quad_mark[g->quad[e]] == mark) continue;
            g->quad_mark[g->quad[e]] = mark;
            for (int c = 0; c < quad->count; c++) {
                if (g->node_mark[quad->col[c]] == mark) continue;
                g->node_mark[quad->col[c]] = mark;
                g->order[end++] = quad->col[c];
            }
        }
    }
    return end;
}

// Each connected part from the block that lies farthest from some other.
static void order(Graph* g, int n)
{
    for (int i = 0, at = 0; i < n; i++) {
        if (g->node_mark[i]) continue;
        const int end = search(g, i, at, 1);
        at = search(g, g->order[end - 1], at, 2);
    }
}

static void shape(const Graph* g, snProfile* p)
{
    const snLcpSystem* s = g->s;
    for (int k = 0; k < p->n; k++) p->place[g->order[k]] = p->first[p->n - 1 - k] = p->n - 1 - k;
    for (int q = 0; q < s->nquad; q++) {
        int least = p->n;
        for (int k = 0; k < s->J[q].count; k++)
            if (p->place[s->J[q].col[k]] < least) least = p->place[s->J[q].col[k]];
        for (int k = 0; k < s->J[q].count; k++) {
            int* first = p->first + p->place[s->J[q].col[k]];
            if (least < *first) *first = least;
        }
    }
    p->begin[0] = 0;
    p->cost = 0;
    for (int j = 0; j < p->n; j++) {
        const size_t width = 1 + (size_t)j - (size_t)p->first[j];
        p->begin[j + 1] = p->begin[j] + width;
        p->cost += 32 * (double)width * (double)width;
    }
}

bool sn_profileShape(const snLcpSystem* s, snData* d, snProfile* p)
{
    Graph g;
    p->n = s->ncoord / 4;
    p->place = sn_scratchInt(d, p->n);
    p->first = sn_scratchInt(d, p->n);
    p->begin = sn_scratchAlloc(d, (size_t)(p->n + 1) * sizeof *p->begin);
    p->y = sn_scratchReal(d, s->ncoord);
    if (!p->place || !p->first || !p->begin || !p->y) return false;
    const size_t mark = sn_scratchMark(d);
    const bool room = makeGraph(s, d, p->n, &g);
    if (room) {
        order(&g, p->n);
        shape(&g, p);
    }
    sn_scratchRelease(d, mark);
    return room;
}

bool sn_profileRoom(snData* d, snProfile* p)
{
    p->U = sn_scratchAlloc(d, p->begin[p->n] * 16 * sizeof(double));
    return p->U != NULL;
}

// ---- numbers

SN_INLINE double* blockOf(const snProfile* p, int i, int j)
{
    return p->U + 16 * (p->begin[j] + (size_t)(i - p->first[j]));
}

// C += A' B of two blocks.
SN_INLINE void addProduct(const double* A, const v4 B[4], double* C)
{
    for (int a = 0; a < 4; a++) {
        v4 sum = v4_load(C + 4 * a);
        for (int r = 0; r < 4; r++) sum += v4_all(A[4 * r + a]) * B[r];
        v4_store(C + 4 * a, sum);
    }
}

// H += J' W J of a quad; above the diagonal alone.
SN_INLINE void addQuad(const snQuad* quad, const double* W, const snProfile* p)
{
    for (int b = 0; b < quad->count; b++) {
        const double* J = quad->value + 16 * b;
        const v4 rows[4] = {v4_load(J), v4_load(J + 4), v4_load(J + 8), v4_load(J + 12)};
        const int j = p->place[quad->col[b]];
        v4 WJ[4];
        for (int r = 0; r < 4; r++)
            WJ[r] = v4_all(W[4 * r]) * rows[0] + v4_all(W[4 * r + 1]) * rows[1] +
                    v4_all(W[4 * r + 2]) * rows[2] + v4_all(W[4 * r + 3]) * rows[3];
        for (int a = 0; a < quad->count; a++)
            if (p->place[quad->col[a]] <= j)
                addProduct(quad->value + 16 * a, WJ, blockOf(p, p->place[quad->col[a]], j));
    }
}

static void assemble(const snLcpSystem* s, const double* W, double shift, const snProfile* p)
{
    memset(p->U, 0, p->begin[p->n] * 16 * sizeof(double));
    for (int j = 0; j < p->n; j++)
        for (int k = 0; k < 4; k++) blockOf(p, j, j)[5 * k] = shift;
    for (int q = 0; q < s->nquad; q++)
        if (W[16 * q] + W[16 * q + 5] + W[16 * q + 10] + W[16 * q + 15] > 0) addQuad(s->J + q, W + 16 * q, p);
}

// C -= A' B
SN_INLINE void takeProduct(const double* A, const double* B, v4 C[4])
{
    for (int r = 0; r < 4; r++) {
        const v4 row = v4_load(B + 4 * r);
        for (int a = 0; a < 4; a++) C[a] -= v4_all(A[4 * r + a]) * row;
    }
}

// C <- inv(D') C, D upper triangular with the inverses of its diagonal there.
SN_INLINE void divideBy(const double* D, v4 C[4])
{
    for (int r = 0; r < 4; r++) {
        for (int q = 0; q < r; q++) C[r] -= v4_all(D[4 * q + r]) * C[q];
        C[r] *= v4_all(D[5 * r]);
    }
}

// D of the diagonal block C = D'D. Rounding may have left a pivot below the shift, which is its least.
SN_INLINE void diagonal(double* C, double shift)
{
    for (int r = 0; r < 4; r++) {
        const double pivot = C[5 * r] > shift ? C[5 * r] : shift, inverse = 1 / sqrt(pivot);
        for (int c = r + 1; c < 4; c++) C[4 * r + c] *= inverse;
        for (int a = r + 1; a < 4; a++)
            for (int c = a; c < 4; c++) C[4 * a + c] -= C[4 * r + a] * C[4 * r + c];
        C[5 * r] = inverse;
    }
}

static void eliminate(const snProfile* p, double shift)
{
    for (int j = 0; j < p->n; j++) {
        for (int i = p->first[j]; i <= j; i++) {
            double* to = blockOf(p, i, j);
            v4 C[4] = {v4_load(to), v4_load(to + 4), v4_load(to + 8), v4_load(to + 12)};
            const int from = p->first[i] > p->first[j] ? p->first[i] : p->first[j];
            const double *A = blockOf(p, from, i), *B = blockOf(p, from, j);
            for (int k = from; k < i; k++, A += 16, B += 16) takeProduct(A, B, C);
            if (i < j) divideBy(blockOf(p, i, i), C);
            for (int r = 0; r < 4; r++) v4_store(to + 4 * r, C[r]);
        }
        diagonal(blockOf(p, j, j), shift);
    }
}

void sn_profileFactor(const snLcpSystem* s, const double* W, double shift, snProfile* p)
{
    assemble(s, W, shift, p);
    eliminate(p, shift);
}

// y_j <- inv(U_jj') y_j
SN_INLINE void forward(const double* D, double* y)
{
    for (int r = 0; r < 4; r++) {
        for (int q = 0; q < r; q++) y[r] -= D[4 * q + r] * y[q];
        y[r] *= D[5 * r];
    }
}

// y_j <- inv(U_jj) y_j
SN_INLINE void backward(const double* D, double* y)
{
    for (int r = 3; r >= 0; r--) {
        for (int q = r + 1; q < 4; q++) y[r] -= D[4 * r + q] * y[q];
        y[r] *= D[5 * r];
    }
}

static void substitute(const snProfile* p, double* y)
{
    for (int j = 0; j < p->n; j++) {
        const double* U = blockOf(p, p->first[j], j);
        v4 sum = v4_load(y + 4 * j);
        for (int k = p->first[j]; k < j; k++, U += 16)
            for (int r = 0; r < 4; r++) sum -= v4_all(y[4 * k + r]) * v4_load(U + 4 * r);
        v4_store(y + 4 * j, sum);
        forward(U, y + 4 * j);
    }
    for (int j = p->n - 1; j >= 0; j--) {
        const double* U = blockOf(p, p->first[j], j);
        backward(blockOf(p, j, j), y + 4 * j);
        const v4 x = v4_load(y + 4 * j);
        for (int k = p->first[j]; k < j; k++, U += 16) {
            double* to = y + 4 * k;
            v4_store(to, v4_load(to) - v4_sums(v4_load(U) * x, v4_load(U + 4) * x, v4_load(U + 8) * x,
                                               v4_load(U + 12) * x));
        }
    }
}

void sn_profileSolve(const snProfile* p, double* z)
{
    for (int i = 0; i < p->n; i++) memcpy(p->y + 4 * p->place[i], z + 4 * i, 4 * sizeof(double));
    substitute(p, p->y);
    for (int i = 0; i < p->n; i++) memcpy(z + 4 * i, p->y + 4 * p->place[i], 4 * sizeof(double));
}
