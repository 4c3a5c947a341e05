// M + J's''J in the sparsity of the tree and of what the rows couple, and its factor L'DL.
//
// Dofs are eliminated from the last to the first, as in M. Dofs that follow each other on a chain are taken
// together, up to ROWS, so that what is added to the rest is read once for all of them.
#include "batch/lane/newton.h"
#include "model/arena.h"

#define INLINE static inline __attribute__((always_inline))

enum { ROWS = SN_SUPER_ROWS }; // that are added at once

// ---- patterns

static uint64_t bit(int i)
{
    return (uint64_t)1 << i;
}

// above [n]: dofs that M couples each dof with, on its way to the root.
static void treeMasks(const snModel* m, int n, uint64_t* above)
{
    for (int i = 0; i < n; i++) {
        const int parent = m->dof_parentid[i];
        above[i] = parent < 0 ? 0 : above[parent] | bit(parent);
    }
}

// Adds what rows couple, and what fills in: what a dof is coupled with, the last of these is, too.
static bool fillMasks(const snLaneProblem* p, uint64_t* above)
{
    bool filled = false;
    for (int k = 0; k < p->nstrip; k++) {
        const snStrip* s = p->strip + k;
        uint64_t set = 0;
        for (int i = 0; i < s->ndof; i++) {
            filled = filled || (set & ~above[s->dofs[i]]);
            above[s->dofs[i]] |= set;
            set |= bit(s->dofs[i]);
        }
    }
    if (!filled) return false;
    for (int i = p->n - 1; i >= 0; i--) {
        if (!above[i]) continue;
        const int last = 63 - __builtin_clzll(above[i]);
        above[last] |= above[i] & ~bit(last);
    }
    return true;
}

static void listBits(uint64_t set, int* list)
{
    for (; set; set &= set - 1) *list++ = __builtin_ctzll(set);
}

// Supernodes of a pattern; L stays unset. False: no memory.
static bool findSupers(snData* d, int n, const uint64_t* above, snPattern* out)
{
    int ints = 0;
    out->super = sn_arenaAlloc(d, (size_t)n * sizeof(snSuper));
    int* list = sn_arenaAlloc(d, (size_t)n * (size_t)n / 2 * sizeof(int));
    if (!out->super || !list) return false;
    out->count = 0;
    for (int i = 0; i < n; i++) {
        snSuper* last = out->super + out->count - 1;
        if (i && last->count < SN_SUPER_ROWS && above[i] == (above[i - 1] | bit(i - 1))) {
            last->count++;
            continue;
        }
        const int count = __builtin_popcountll(above[i]);
        out->super[out->count++] = (snSuper){.first = i, .count = 1, .nabove = count, .above = list + ints};
        listBits(above[i], list + ints);
        ints += count;
    }
    return true;
}

// The pattern of the factor where it is not that of M, and the places in H that M has not.
static bool findFill(snData* d, snLaneProblem* p)
{
    uint64_t tree[SN_LANE_DOFS];
    memcpy(tree, p->filled, (size_t)p->n * sizeof *tree);
    p->nfill = 0;
    if (!fillMasks(p, p->filled)) return true;
    p->fill = sn_arenaAlloc(d, (size_t)p->n * (size_t)p->n / 2 * sizeof(int));
    if (!p->fill) return false;
    for (int i = 0; i < p->n; i++)
        for (uint64_t set = p->filled[i] & ~tree[i]; set; set &= set - 1)
            p->fill[p->nfill++] = i * p->n + __builtin_ctzll(set);
    return findSupers(d, p->n, p->filled, &p->pattern);
}

bool sn_lanePatterns(const snModel* m, snData* d, snLaneProblem* p)
{
    const size_t n = (size_t)p->n;
    treeMasks(m, p->n, p->filled);
    if (!findSupers(d, p->n, p->filled, &p->tree)) return false;
    p->pattern = p->tree;
    if (!findFill(d, p)) return false;
    size_t numbers = 0, most = 0;
    for (int k = 0; k < p->pattern.count; k++) {
        const snSuper* s = p->pattern.super + k;
        const size_t size = (size_t)s->count * (size_t)(s->nabove + s->count);
        numbers += size;
        most = size > most ? size : most;
    }
    double* L = sn_arenaAlloc(d, numbers * sizeof(real));
    p->U = sn_arenaAlloc(d, most * sizeof(real));
    p->H = sn_arenaAlloc(d, n * n * sizeof(real));
    if (!L || !p->U || !p->H) return false;
    for (int k = 0; k < p->pattern.count; k++) {
        snSuper* s = p->pattern.super + k;
        s->L = L;
        L += s->count * (s->nabove + s->count);
    }
    return true;
}

// ---- H += sum of outer products

// Products of rows: H[dofs[i]][dofs[j]] += sum over r of A[r][i] B[r][j] for j <= i.
typedef struct Products {
    double* H;
    int n, ndof;
    const int* dofs;
    const double *A[ROWS], *B[ROWS]; // [ndof] each
} Products;

// Two rows of H, or one, which are `i` and the next of the list: a and what they add to stay in registers.
INLINE void addPair(const Products* q, int i, int pair, int rows)
{
    real a[2][ROWS];
    double* H[2];
#pragma GCC unroll 2
    for (int k = 0; k < pair; k++) {
        H[k] = q->H + q->dofs[i + k] * q->n;
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++) a[k][r] = q->A[r][i + k];
    }
    for (int j = 0; j <= i; j++) {
        const int column = q->dofs[j];
        real b[ROWS], sum[2];
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++) b[r] = q->B[r][j];
#pragma GCC unroll 2
        for (int k = 0; k < pair; k++) {
            sum[k] = H[k][column];
#pragma GCC unroll 4
            for (int r = 0; r < rows; r++) sum[k] += a[k][r] * b[r];
        }
#pragma GCC unroll 2
        for (int k = 0; k < pair; k++) H[k][column] = sum[k];
    }
    if (pair == 1) return;
    real sum = H[1][q->dofs[i + 1]];
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) sum += a[1][r] * q->B[r][i + 1];
    H[1][q->dofs[i + 1]] = sum;
}

INLINE void addRows(const Products* q, int rows)
{
    int i = 0;
    for (; i + 1 < q->ndof; i += 2) addPair(q, i, 2, rows);
    if (i < q->ndof) addPair(q, i, 1, rows);
}

static void addProducts(const Products* q, int rows)
{
    switch (rows) {
    case 1: addRows(q, 1); break;
    case 2: addRows(q, 2); break;
    case 3: addRows(q, 3); break;
    default: addRows(q, 4); break;
    }
}

// ---- weights of rows

INLINE real keep(snMask mask, real x)
{
    return (real)(mask & (snMask)x);
}

// W [dim x dim], symmetric, of a pyramid: sums over its active edges. Returns whether any is active.
static bool weighPyramid(const double* x, int dim, real D, double* W)
{
    snMask any = {0};
    real normal = {0};
    for (int k = 1; k < dim; k++) {
        const snMask a = x[0] + x[k] < 0, b = x[0] - x[k] < 0;
        const real wa = keep(a, D), wb = keep(b, D);
        any |= (a | b) & (D != 0);
        for (int j = 1; j < dim; j++) W[k * dim + j] = sn_real(0);
        W[k * dim + k] = wa + wb;
        W[k] = W[k * dim] = wa - wb;
        normal += wa + wb;
    }
    W[0] = normal;
    return sn_any(any);
}

// The same of a cone: its Hessian by x, see sn_coneRoot.
static bool weighCone(const double* x, const double* D, const double* scale, real Dm, int dim, snMask go,
                      double* W)
{
    real t[6], square = {0};
    for (int k = 1; k < dim; k++) {
        t[k] = scale[k] * x[k];
        square += t[k] * t[k];
    }
    const real mu = scale[0], N = mu * x[0], T = sqrt(fmax(square, SN_CONE_LEAST));
    const snMask out = (N - mu * T >= 0) | ~go, bottom = (mu * N + T <= 0) & ~out;
    const snMask middle = ~(out | bottom);
    const real round = mu * (mu * T - N) / T, along = mu * mu - round;
    for (int k = 1; k < dim; k++) t[k] = t[k] / T;
    W[0] = sn_select(middle, Dm * mu * mu, keep(bottom, D[0]));
    for (int k = 1; k < dim; k++) {
        W[k] = W[k * dim] = keep(middle, -Dm * mu * mu * t[k] * scale[k]);
        for (int j = 1; j <= k; j++) {
            const real by = Dm * scale[k] * scale[j], sum = along * t[k] * t[j];
            const real w =
                k == j ? sn_select(middle, by * (round + sum), keep(bottom, D[k])) : keep(middle, by * sum);
            W[k * dim + j] = W[j * dim + k] = w;
        }
    }
    return sn_any(~out & (D[0] != 0));
}

static real weighRow(const snStrip* s, real x, real D, real bound, snMask go)
{
    if (s->kind == SN_STRIP_EQUALITY) return keep(go, D);
    if (s->kind == SN_STRIP_ONESIDED) return keep((x < 0) & go, D);
    return keep((x > -bound) & (x < bound) & go, D);
}

static bool weigh(const snLaneProblem* p, const snStrip* s, int at, snMask go, double* W)
{
    const double* x = p->x + at;
    if (s->kind == SN_STRIP_PYRAMID) return weighPyramid(x, s->dim, keep(go, p->D[at]), W);
    if (s->kind == SN_STRIP_CONE) return weighCone(x, p->D + at, p->scale + at, p->bound[at], s->dim, go, W);
    W[0] = weighRow(s, *x, p->D[at], s->kind == SN_STRIP_FRICTION ? p->bound[at] : sn_real(0), go);
    return sn_any(W[0] != 0);
}

// A [dim x n] = W J.
INLINE void weighted(const double* W, const double* J, int dim, int n, double* A)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < dim; k++) {
            real sum = W[k * dim] * J[i];
            for (int j = 1; j < dim; j++) sum += W[k * dim + j] * J[j * n + i];
            A[k * n + i] = sum;
        }
}

// A = W J with the W of a pyramid, which couples its first component with the others only.
INLINE void weightedArrow(const double* W, const double* J, int dim, int n, double* A)
{
    for (int i = 0; i < n; i++) {
        const real normal = J[i];
        real sum = W[0] * normal;
        for (int k = 1; k < dim; k++) {
            const real jk = J[k * n + i];
            sum += W[k] * jk;
            A[k * n + i] = W[k] * normal + W[k * dim + k] * jk;
        }
        A[i] = sum;
    }
}

static void weightedRows(const snStrip* s, const double* W, const double* J, double* A)
{
    const int dim = s->dim, n = s->ndof;
    if (dim == 1)
        weighted(W, J, 1, n, A);
    else if (s->kind == SN_STRIP_PYRAMID)
        dim == 3 ? weightedArrow(W, J, 3, n, A) : weightedArrow(W, J, dim, n, A);
    else
        dim == 3 ? weighted(W, J, 3, n, A) : weighted(W, J, dim, n, A);
}

// H += sum of A B' of `count` rows of `n` numbers.
static void addOuter(const snLaneProblem* p, const snStrip* s, const double* A, const double* B, int count)
{
    for (int first = 0; first < count; first += ROWS) {
        const int rows = count - first < ROWS ? count - first : ROWS;
        Products q = {.H = p->H, .n = p->n, .ndof = s->ndof, .dofs = s->dofs};
        for (int r = 0; r < rows; r++) {
            q.A[r] = A + (first + r) * s->ndof;
            q.B[r] = B + (first + r) * s->ndof;
        }
        addProducts(&q, rows);
    }
}

// H += J'WJ of a strip.
static void addStrip(const snLaneProblem* p, const snStrip* s, snMask go)
{
    real A[6 * SN_LANE_DOFS], W[36];
    for (int c = 0; c < s->count; c++) {
        if (!weigh(p, s, s->first + c * s->dim, go, W)) continue;
        const double* J = s->J + c * s->dim * s->ndof;
        weightedRows(s, W, J, A);
        addOuter(p, s, A, J, s->dim);
    }
}

static void addSimple(const snLaneProblem* p, const snStrip* s, snMask go)
{
    for (int c = 0; c < s->count; c++) {
        const int dof = s->dofs[c], at = s->first + c;
        const real J = s->J[c], bound = s->kind == SN_STRIP_FRICTION ? p->bound[at] : sn_real(0);
        p->H[dof * (p->n + 1)] += weighRow(s, p->x[at], p->D[at], bound, go) * J * J;
    }
}

// ---- the matrix and its factor

// Rows of M, each from its diagonal to the root.
INLINE void copySuper(const snModel* m, const snData* d, const snLaneProblem* p, const snSuper* s, int rows)
{
    const double* from[SN_SUPER_ROWS];
    double* H = p->H + s->first * p->n;
#pragma GCC unroll 4
    for (int c = 0; c < rows; c++) {
        const double* diagonal = d->qM + m->dof_Madr[s->first + c];
#pragma GCC unroll 4
        for (int j = 0; j <= c; j++) H[c * p->n + s->first + j] = diagonal[c - j];
        from[c] = diagonal + c + s->nabove;
    }
    for (int j = 0; j < s->nabove; j++) {
        const int column = s->above[j];
#pragma GCC unroll 4
        for (int c = 0; c < rows; c++) H[c * p->n + column] = from[c][-j];
    }
}

static void copyInertia(const snModel* m, const snData* d, const snLaneProblem* p)
{
    for (int k = 0; k < p->nfill; k++) p->H[p->fill[k]] = sn_real(0);
    for (int k = 0; k < p->tree.count; k++) {
        const snSuper* s = p->tree.super + k;
        switch (s->count) {
        case 1: copySuper(m, d, p, s, 1); break;
        case 2: copySuper(m, d, p, s, 2); break;
        case 3: copySuper(m, d, p, s, 3); break;
        default: copySuper(m, d, p, s, 4); break;
        }
    }
}

// The block of the dofs of a supernode themselves: minus the rows of L in l, 1/D. Returns the lanes where a
// pivot is not positive.
INLINE snMask eliminateOwn(const snLaneProblem* p, const snSuper* s, int rows, real l[][SN_SUPER_ROWS])
{
    const int width = s->nabove + rows;
    const double* H = p->H + s->first * (p->n + 1);
    real u[SN_SUPER_ROWS][SN_SUPER_ROWS];
    snMask good = sn_mask(true);
#pragma GCC unroll 4
    for (int c = rows - 1; c >= 0; c--) {
#pragma GCC unroll 4
        for (int j = 0; j <= c; j++) {
            real sum = H[c * p->n + j];
#pragma GCC unroll 4
            for (int e = rows - 1; e > c; e--) sum += l[e][c] * u[e][j];
            u[c][j] = sum;
        }
        const real inv = 1 / u[c][c];
        good &= u[c][c] > 0;
        p->D_inv[s->first + c] = inv;
#pragma GCC unroll 4
        for (int j = 0; j < c; j++) s->L[c * width + s->nabove + j] = l[c][j] = -inv * u[c][j];
        l[c][c] = -inv;
    }
    return sn_not(good);
}

// The columns above a supernode: rows of D L in U, minus the rows of L in s->L.
INLINE void eliminateAbove(const snLaneProblem* p, const snSuper* s, int rows, real l[][SN_SUPER_ROWS])
{
    const int width = s->nabove + rows;
    for (int j = 0; j < s->nabove; j++) {
        const double* H = p->H + s->first * p->n + s->above[j];
        real u[SN_SUPER_ROWS];
#pragma GCC unroll 4
        for (int c = rows - 1; c >= 0; c--) {
            u[c] = H[c * p->n];
#pragma GCC unroll 4
            for (int e = rows - 1; e > c; e--) u[c] += l[e][c] * u[e];
        }
#pragma GCC unroll 4
        for (int c = 0; c < rows; c++) {
            p->U[c * s->nabove + j] = u[c];
            s->L[c * width + j] = l[c][c] * u[c];
        }
    }
}

INLINE snMask eliminateRows(const snLaneProblem* p, const snSuper* s, int rows)
{
    real l[SN_SUPER_ROWS][SN_SUPER_ROWS];
    const snMask bad = eliminateOwn(p, s, rows, l);
    if (s->nabove == 0) return bad;
    eliminateAbove(p, s, rows, l);
    Products q = {.H = p->H, .n = p->n, .ndof = s->nabove, .dofs = s->above};
    for (int r = 0; r < rows; r++) {
        const int c = rows - 1 - r; // from the last dof to the first, as between supernodes
        q.A[r] = s->L + c * (s->nabove + rows);
        q.B[r] = p->U + c * s->nabove;
    }
    addRows(&q, rows);
    return bad;
}

static snMask eliminate(const snLaneProblem* p, const snSuper* s)
{
    switch (s->count) {
    case 1: return eliminateRows(p, s, 1);
    case 2: return eliminateRows(p, s, 2);
    case 3: return eliminateRows(p, s, 3);
    default: return eliminateRows(p, s, 4);
    }
}

snMask sn_laneFactor(const snModel* m, const snData* d, snLaneProblem* p, snMask go)
{
    snMask bad = sn_mask(false);
    copyInertia(m, d, p);
    for (int k = 0; k < p->nactive; k++) {
        if (p->active[k]->ndof == 0)
            addSimple(p, p->active[k], go);
        else
            addStrip(p, p->active[k], go);
    }
    for (int k = p->pattern.count - 1; k >= 0; k--) bad |= eliminate(p, p->pattern.super + k);
    return bad;
}

// ---- solving with it

// x above -= L' x of a supernode, whose own x come first.
INLINE void solveUp(const snSuper* s, int rows, double* x)
{
    const int n = s->nabove, width = n + rows;
    double* own = x + s->first;
    real z[SN_SUPER_ROWS];
#pragma GCC unroll 4
    for (int c = rows - 1; c >= 0; c--) {
        z[c] = own[c];
#pragma GCC unroll 4
        for (int e = rows - 1; e > c; e--) z[c] += s->L[e * width + n + c] * z[e];
        own[c] = z[c];
    }
    for (int j = 0; j < n; j++) {
        real sum = x[s->above[j]];
#pragma GCC unroll 4
        for (int c = rows - 1; c >= 0; c--) sum += s->L[c * width + j] * z[c];
        x[s->above[j]] = sum;
    }
}

// x of a supernode: x/D - L x above.
INLINE void solveDown(const snLaneProblem* p, const snSuper* s, int rows, double* x)
{
    const int n = s->nabove, width = n + rows;
    double* own = x + s->first;
    real z[SN_SUPER_ROWS];
#pragma GCC unroll 4
    for (int c = 0; c < rows; c++) z[c] = own[c] * p->D_inv[s->first + c];
    for (int j = 0; j < n; j++) {
        const real xj = x[s->above[j]];
#pragma GCC unroll 4
        for (int c = 0; c < rows; c++) z[c] += s->L[c * width + j] * xj;
    }
#pragma GCC unroll 4
    for (int c = 0; c < rows; c++) {
#pragma GCC unroll 4
        for (int e = 0; e < c; e++) z[c] += s->L[c * width + n + e] * z[e];
        own[c] = z[c];
    }
}

void sn_laneSolve(const snLaneProblem* p, double* x)
{
    for (int k = p->pattern.count - 1; k >= 0; k--) {
        const snSuper* s = p->pattern.super + k;
        switch (s->count) {
        case 1: solveUp(s, 1, x); break;
        case 2: solveUp(s, 2, x); break;
        case 3: solveUp(s, 3, x); break;
        default: solveUp(s, 4, x); break;
        }
    }
    for (int k = 0; k < p->pattern.count; k++) {
        const snSuper* s = p->pattern.super + k;
        switch (s->count) {
        case 1: solveDown(p, s, 1, x); break;
        case 2: solveDown(p, s, 2, x); break;
        case 3: solveDown(p, s, 3, x); break;
        default: solveDown(p, s, 4, x); break;
        }
    }
}
