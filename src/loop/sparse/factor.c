// For each target, x86-64-v4 too: src/target/prelude.h.
// Up-looking: row k of L solves L_1 D_1 row' = column k of A above its diagonal, with L_1, D_1 of the rows
// before; its pattern are the nodes from which the elimination tree leads to k (Liu 1990; Davis 2006, 4.7).
#include "loop/sparse/factor.h"
#include <math.h>
#include <string.h>

// ---- pattern

// The earlier end of block e, whose later one is at place k.
static int earlier(const snSparseGraph* g, const snSparseFactor* f, int e, int k)
{
    const int a = f->place[f->owner[e]], b = f->place[g->block_node[e]];
    return a == k ? b : a;
}

static void placeNodes(const snSparseGraph* g, const bool* active, snSparseFactor* f)
{
    f->n = 0;
    for (int k = 0; k < g->nnode; k++) {
        const int node = g->order[k];
        f->place[node] = active[node] ? f->n : -1;
        if (!active[node]) continue;
        f->size[f->n] = g->node[node].size;
        f->node[f->n++] = node;
    }
}

// Blocks of A by their later node.
static void placeEdges(const snSparseGraph* g, snSparseFactor* f)
{
    memset(f->edge_adr, 0, (size_t)(f->n + 1) * sizeof(int));
    for (int turn = 0; turn < 2; turn++) {
        for (int e = 0; e < g->nblock; e++) {
            const int a = f->place[f->owner[e]], b = f->place[g->block_node[e]], later = a > b ? a : b;
            if (a < 0) continue;
            if (turn)
                f->edge[f->filled[later]++] = e;
            else
                f->edge_adr[later + 1]++;
        }
        for (int k = 0; k < f->n && !turn; k++) {
            f->filled[k] = f->edge_adr[k];
            f->edge_adr[k + 1] += f->edge_adr[k];
        }
    }
}

// The places of row k into path [from, n), none before one that it changes. Returns from.
static int reach(const snSparseGraph* g, snSparseFactor* f, int k)
{
    int from = f->n;
    f->flag[k] = k;
    for (int e = f->edge_adr[k]; e < f->edge_adr[k + 1]; e++) {
        int count = 0;
        for (int i = earlier(g, f, f->edge[e], k); f->flag[i] != k; i = f->parent[i]) {
            if (f->parent[i] < 0) f->parent[i] = k;
            f->path[count++] = i;
            f->flag[i] = k;
        }
        while (count > 0) f->path[--from] = f->path[--count];
    }
    return from;
}

// Counts the rows of all columns.
static void countColumns(const snSparseGraph* g, snSparseFactor* f)
{
    memset(f->column_adr, 0, (size_t)(f->n + 1) * sizeof(int));
    for (int k = 0; k < f->n; k++) f->parent[k] = f->flag[k] = -1;
    f->count = f->nonzeros = 0;
    for (int k = 0; k < f->n; k++) {
        f->row_adr[k] = (int)f->count;
        const int own = g->node[f->node[k]].size;
        for (int p = reach(g, f, k); p < f->n; p++, f->count++) {
            f->column_adr[f->path[p] + 1]++;
            f->nonzeros += (size_t)(own * g->node[f->node[f->path[p]]].size);
        }
        f->nonzeros += (size_t)(own * (own - 1) / 2);
    }
    f->row_adr[f->n] = (int)f->count;
    for (int k = 0; k < f->n; k++) f->column_adr[k + 1] += f->column_adr[k];
}

// Turns the order into a postorder of the elimination tree, in which each node comes soon after those that it
// depends on: the same factors, but for their places, which are near each other now.
static void postorder(snSparseGraph* g, snSparseFactor* f)
{
    int *head = f->filled, *next = f->flag, *stack = f->path, placed = 0;
    for (int k = 0; k < f->n; k++) head[k] = -1;
    for (int k = f->n - 1; k >= 0; k--) {
        if (f->parent[k] < 0) continue;
        next[k] = head[f->parent[k]];
        head[f->parent[k]] = k;
    }
    for (int root = 0; root < f->n; root++) {
        if (f->parent[root] >= 0) continue;
        int depth = 0;
        stack[0] = root;
        while (depth >= 0) {
            const int k = stack[depth], child = head[k];
            if (child >= 0) {
                head[k] = next[child];
                stack[++depth] = child;
            } else {
                g->order[placed++] = f->node[k];
                depth--;
            }
        }
    }
}

static void fillPattern(const snSparseGraph* g, snSparseFactor* f)
{
    for (int k = 0; k < f->n; k++) {
        f->flag[k] = -1;
        f->filled[k] = f->column_adr[k];
    }
    for (int k = 0; k < f->n; k++) {
        int at = f->row_adr[k];
        for (int p = reach(g, f, k); p < f->n; p++) {
            const int i = f->path[p];
            f->row[at++] = i;
            f->column[f->filled[i]++] = k;
        }
    }
    f->block_row[0] = 0;
    for (size_t p = 0; p < f->count; p++) f->block_row[p + 1] = f->block_row[p] + f->size[f->column[p]];
}

static void* array(snPool* pool, size_t count, size_t size)
{
    return sn_poolAlloc(pool, (count + 1) * size);
}

static bool makeArrays(const snSparseGraph* g, snPool* pool, snSparseFactor* f)
{
    int** const nodes[] = {&f->node,   &f->place,  &f->edge_adr, &f->row_adr, &f->column_adr,
                           &f->filled, &f->parent, &f->flag,     &f->path,    &f->size};
    const size_t n = (size_t)g->nnode;
    bool ok = true;
    for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++)
        ok = (*nodes[k] = array(pool, n + 1, sizeof(int))) && ok;
    f->edge = array(pool, (size_t)g->nblock, sizeof(int));
    f->inverse = array(pool, n, SN_BLOCK2 * sizeof(double));
    f->left_out = array(pool, n, 1);
    return ok && f->edge && f->inverse && f->left_out;
}

bool sn_makeSparseFactor(snSparseGraph* g, snPool* pool, snSparseFactor* f)
{
    int longest = 0;
    size_t rows = 0;
    bool* all = array(pool, (size_t)g->nnode, sizeof *all);
    f->owner = array(pool, (size_t)g->nblock, sizeof(int));
    if (!all || !f->owner || !makeArrays(g, pool, f)) return false;
    memset(all, true, (size_t)g->nnode);
    for (int n = 0; n < g->nnode; n++)
        for (int e = g->block_adr[n]; e < g->block_adr[n + 1]; e++) f->owner[e] = n;
    placeNodes(g, all, f);
    placeEdges(g, f);
    countColumns(g, f);
    f->room = f->count;
    for (int k = 0; k < f->n; k++) {
        const int length = f->row_adr[k + 1] - f->row_adr[k];
        if (length > longest) longest = length;
        rows += (size_t)(length * f->size[k]);
    }
    postorder(g, f);
    f->rest = array(pool, (size_t)longest, SN_BLOCK2 * sizeof(double));
    f->row = array(pool, f->room, sizeof(int));
    f->column = array(pool, f->room, sizeof(int));
    f->block_row = array(pool, f->room + 1, sizeof(int));
    f->L = array(pool, rows, SN_BLOCK * sizeof(double));
    f->n = -1;
    return f->rest && f->row && f->column && f->block_row && f->L;
}

void sn_sparsePattern(const snSparseGraph* g, const bool* active, snSparseFactor* f)
{
    placeNodes(g, active, f);
    placeEdges(g, f);
    countColumns(g, f);
    fillPattern(g, f);
}

// ---- blocks of six

// C -= A B, of which A has so many rows and columns that are not zero.
static inline __attribute__((always_inline)) void
subtractProduct(double* restrict C, const double* restrict A, int rows, int columns, const double* restrict B)
{
    for (int r = 0; r < rows; r++) {
        double sum[SN_BLOCK];
        for (int c = 0; c < SN_BLOCK; c++) sum[c] = C[SN_BLOCK * r + c];
        for (int k = 0; k < columns; k++)
            for (int c = 0; c < SN_BLOCK; c++) sum[c] -= A[SN_BLOCK * r + k] * B[SN_BLOCK * k + c];
        for (int c = 0; c < SN_BLOCK; c++) C[SN_BLOCK * r + c] = sum[c];
    }
}

// T [6 x 6] = A' for A of so many rows; the other columns of T stay.
static inline void transpose(const double* A, int rows, double* T)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < SN_BLOCK; c++) T[SN_BLOCK * c + r] = A[SN_BLOCK * r + c];
}

// One pivot of the sweep that turns A into -inv(A).
static void sweep(double* A, int n, int k)
{
    const double scale = 1 / A[SN_BLOCK * k + k];
    double column[SN_BLOCK];
    for (int i = 0; i < n; i++) column[i] = A[SN_BLOCK * i + k];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[SN_BLOCK * i + j] -= column[i] * scale * column[j];
    for (int i = 0; i < n; i++) A[SN_BLOCK * i + k] = A[SN_BLOCK * k + i] = column[i] * scale;
    A[SN_BLOCK * k + k] = -scale;
}

// The row that is not swept with the largest pivot for its size; -1: none is above the tolerance.
static int largest(const double* A, int n, const double* size, double tolerance, int swept)
{
    int best = -1;
    for (int k = 0; k < n; k++) {
        if (swept >> k & 1) continue;
        const double part = A[SN_BLOCK * k + k] / size[k];
        if (part > tolerance) {
            best = k;
            tolerance = part;
        }
    }
    return best;
}

// The inverse of a symmetric positive definite A [6 x 6], which is overwritten, of n rows; the others are
// zero. Rows whose pivots are at most tolerance times size [n] get these sizes as pivots; their bits are
// returned.
static int invert(double* A, int n, const double* size, double tolerance, double* inverse)
{
    int swept = 0;
    for (int k; (k = largest(A, n, size, tolerance, swept)) >= 0; swept |= 1 << k) sweep(A, n, k);
    const int rest = ~swept & ((1 << n) - 1);
    for (int i = 0; i < n && rest; i++)
        for (int j = 0; j < n; j++)
            if (rest >> i & rest >> j & 1) A[SN_BLOCK * i + j] = i != j ? 0 : size[i] > 0 ? size[i] : 1;
    for (int k = 0; k < n && rest; k++)
        if (rest >> k & 1) sweep(A, n, k);
    memset(inverse, 0, SN_BLOCK2 * sizeof(double));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) inverse[SN_BLOCK * i + j] = -A[SN_BLOCK * i + j];
    return rest;
}

// ---- numbers

// Row k of A before the diagonal, transposed, into rest: a block for each place of row k of L, flag says
// which.
static void scatter(const snSparseGraph* g, const snSparseMatrix* A, snSparseFactor* f, int k)
{
    const int begin = f->row_adr[k], end = f->row_adr[k + 1];
    memset(f->rest, 0, (size_t)(end - begin) * SN_BLOCK2 * sizeof(double));
    for (int p = begin; p < end; p++) f->flag[f->row[p]] = p - begin;
    for (int p = f->edge_adr[k]; p < f->edge_adr[k + 1]; p++) {
        const int e = f->edge[p], i = earlier(g, f, e, k);
        const double* J = A->J + SN_BLOCK * (size_t)g->block_row[e];
        double* to = f->rest + SN_BLOCK2 * (size_t)f->flag[i];
        if (f->place[f->owner[e]] == k)
            transpose(J, f->size[k], to);
        else
            memcpy(to, J, (size_t)f->size[i] * SN_BLOCK * sizeof(double));
    }
}

// The diagonal block of A.
static void diagonal(const snSparseGraph* g, const snSparseMatrix* A, int node, double* D)
{
    memset(D, 0, SN_BLOCK2 * sizeof(double));
    if (sn_isForce(g, node)) return;
    for (int k = 0; k < g->node[node].size; k++) D[(SN_BLOCK + 1) * k] = 1;
    for (int i = 0; i < 3 && node < g->nbody; i++)
        for (int j = 0; j < 3; j++) D[SN_BLOCK * i + j] = A->I[9 * (size_t)node + (size_t)(3 * i + j)];
}

// inverse of the pivot block D of place k. Of forces -D is positive definite, but for rows that depend on
// others; size: what accelerations gave to its diagonal.
static void invertPivot(const snSparseGraph* g, snSparseFactor* f, int k, double tolerance, double* D,
                        double* size)
{
    const int node = f->node[k], n = g->node[node].size;
    double* inverse = f->inverse + SN_BLOCK2 * (size_t)k;
    const bool force = sn_isForce(g, node);
    for (int i = 0; i < SN_BLOCK2 && force; i++) D[i] = -D[i];
    for (int i = 0; i < n && !force; i++) size[i] = D[SN_BLOCK * i + i];
    f->left_out[node] = (uint8_t)invert(D, n, size, force && g->node[node].looped ? tolerance : 0, inverse);
    for (int i = 0; i < SN_BLOCK2 && force; i++) inverse[i] = -inverse[i];
    f->dependent += __builtin_popcount(f->left_out[node]);
}

// The block of L that stands at `slot` of column.
static inline double* blockOfL(const snSparseFactor* f, int slot)
{
    return f->L + SN_BLOCK * (size_t)f->block_row[slot];
}

// Block (k, i) of L from row k of A, and what it does to the rest of that row and to the pivot. slot: where
// it stands; before it stand those of column i that row k meets. size: see invertPivot.
static inline __attribute__((always_inline)) void eliminate(const snSparseFactor* f, int k, int i, int slot,
                                                            double* Z, double* D, double* size)
{
    const int rows = f->size[k], columns = f->size[i];
    double *L = blockOfL(f, slot), block[SN_BLOCK2] = {0}, before[SN_BLOCK];
    for (int q = f->column_adr[i]; q < slot; q++) {
        const int j = f->column[q];
        subtractProduct(f->rest + SN_BLOCK2 * (size_t)f->flag[j], blockOfL(f, q), f->size[j], columns, Z);
    }
    subtractProduct(block, f->inverse + SN_BLOCK2 * (size_t)i, columns, columns, Z);
    for (int c = 0; c < rows; c++)
        for (int r = 0; r < SN_BLOCK; r++) L[SN_BLOCK * c + r] = -block[SN_BLOCK * r + c];
    for (int r = 0; r < SN_BLOCK; r++) before[r] = D[(SN_BLOCK + 1) * r];
    subtractProduct(D, L, rows, columns, Z);
    for (int r = 0; r < SN_BLOCK; r++) size[r] += sn_max(before[r] - D[(SN_BLOCK + 1) * r], 0);
}

__attribute__((flatten)) void sn_sparseFactorize(const snSparseGraph* g, const snSparseMatrix* A,
                                                 double tolerance, snSparseFactor* f)
{
    f->dependent = 0;
    memcpy(f->filled, f->column_adr, (size_t)f->n * sizeof(int));
    for (int k = 0; k < f->n; k++) {
        double D[SN_BLOCK2], size[SN_BLOCK] = {0};
        diagonal(g, A, f->node[k], D);
        scatter(g, A, f, k);
        for (int p = f->row_adr[k]; p < f->row_adr[k + 1]; p++) {
            const int i = f->row[p];
            eliminate(f, k, i, f->filled[i]++, f->rest + SN_BLOCK2 * (size_t)(p - f->row_adr[k]), D, size);
        }
        invertPivot(g, f, k, tolerance, D, size);
    }
}

// y -= L x for a block of so many rows.
static inline void subtractBlock(const double* L, int rows, const double* x, double* y)
{
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int c = 0; c < SN_BLOCK; c++) sum += L[SN_BLOCK * r + c] * x[c];
        y[r] -= sum;
    }
}

// y -= L' x
static inline void subtractTransposed(const double* L, int rows, const double* x, double* y)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < SN_BLOCK; c++) y[c] -= L[SN_BLOCK * r + c] * x[r];
}

__attribute__((flatten)) void sn_sparseSolve(const snSparseFactor* f, double* x)
{
    for (int k = 0; k < f->n; k++)
        for (int p = f->column_adr[k]; p < f->column_adr[k + 1]; p++)
            subtractBlock(blockOfL(f, p), f->size[f->column[p]], x + SN_BLOCK * f->node[k],
                          x + SN_BLOCK * f->node[f->column[p]]);
    for (int k = f->n - 1; k >= 0; k--) {
        double *own = x + SN_BLOCK * f->node[k], y[SN_BLOCK] = {0};
        subtractTransposed(f->inverse + SN_BLOCK2 * (size_t)k, f->size[k], own, y);
        for (int r = 0; r < SN_BLOCK; r++) y[r] = -y[r];
        for (int p = f->column_adr[k]; p < f->column_adr[k + 1]; p++)
            subtractTransposed(blockOfL(f, p), f->size[f->column[p]], x + SN_BLOCK * f->node[f->column[p]],
                               y);
        memcpy(own, y, sizeof y);
    }
}
