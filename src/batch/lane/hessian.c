// H = M + J's''J, of which later iterations add what s'' has gained: its twin is solver/hessian.c. Of its
// own, for that goes through the rows that have changed in one simulation and updates the factor by rank one,
// which lanes that change different rows cannot share.
#include "batch/lane/newton.h"

#define INLINE static inline __attribute__((always_inline))

enum { ROWS = 6 }; // that are added at once: two contacts with friction

// ---- M

// Rows of M, each from its diagonal to the root.
INLINE void copySuper(const snModel* m, const snData* d, const snLaneProblem* p, const snSuper* s, int rows)
{
    const real* from[SN_SUPER_ROWS];
    real* H = p->H + s->first * p->n;
#pragma GCC unroll 4
    for (int c = 0; c < rows; c++) {
        const real* diagonal = d->qM + m->dof_Madr[s->first + c];
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

void sn_laneInertia(const snModel* m, const snData* d, snLaneProblem* p)
{
    p->stale = ~(uint64_t)0;
    for (int k = 0; k < p->nstrip; k++) {
        const snStrip* s = p->strip + k;
        memset(s->W, 0, (size_t)(s->count * s->dim * s->dim) * sizeof(real));
        memset(s->differs, true, (size_t)s->count * sizeof(bool));
    }
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

// ---- H += sum of outer products

// Products of rows: H[dofs[i]][dofs[j]] += sum over r of A[r][i] B[r][j] for j <= i.
typedef struct Products {
    real* H;
    int n, ndof, rows;
    const int* dofs;
    const real *A[ROWS], *B[ROWS]; // [ndof] each
} Products;

// Two rows of H, or one, which are `i` and the next of the list: a and what they add to stay in registers.
INLINE void addPair(const Products* q, int i, int pair, int rows)
{
    real a[2][ROWS];
    real* H[2];
#pragma GCC unroll 2
    for (int k = 0; k < pair; k++) {
        H[k] = q->H + q->dofs[i + k] * q->n;
#pragma GCC unroll 6
        for (int r = 0; r < rows; r++) a[k][r] = q->A[r][i + k];
    }
    for (int j = 0; j <= i; j++) {
        const int column = q->dofs[j];
        real b[ROWS], sum[2];
#pragma GCC unroll 6
        for (int r = 0; r < rows; r++) b[r] = q->B[r][j];
#pragma GCC unroll 2
        for (int k = 0; k < pair; k++) {
            sum[k] = H[k][column];
#pragma GCC unroll 6
            for (int r = 0; r < rows; r++) sum[k] += a[k][r] * b[r];
        }
#pragma GCC unroll 2
        for (int k = 0; k < pair; k++) H[k][column] = sum[k];
    }
    if (pair == 1) return;
    real sum = H[1][q->dofs[i + 1]];
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++) sum += a[1][r] * q->B[r][i + 1];
    H[1][q->dofs[i + 1]] = sum;
}

INLINE void addRows(const Products* q, int rows)
{
    int i = 0;
    for (; i + 1 < q->ndof; i += 2) addPair(q, i, 2, rows);
    if (i < q->ndof) addPair(q, i, 1, rows);
}

// Leaves no rows.
static void addProducts(Products* q)
{
    switch (q->rows) {
    case 0: break;
    case 1: addRows(q, 1); break;
    case 2: addRows(q, 2); break;
    case 3: addRows(q, 3); break;
    case 4: addRows(q, 4); break;
    case 5: addRows(q, 5); break;
    default: addRows(q, 6); break;
    }
    q->rows = 0;
}

// ---- weights of rows

INLINE real keep(snMask mask, real x)
{
    return (real)(mask & (snMask)x);
}

// W [dim x dim], symmetric, of a pyramid: sums over its active edges.
static void weighPyramid(const real* x, int dim, real D, real* W)
{
    real normal = {0};
    for (int k = 1; k < dim; k++) {
        const snMask a = x[0] + x[k] < 0, b = x[0] - x[k] < 0;
        const real wa = keep(a, D), wb = keep(b, D);
        for (int j = 1; j < dim; j++) W[k * dim + j] = sn_real(0);
        W[k * dim + k] = wa + wb;
        W[k] = W[k * dim] = wa - wb;
        normal += wa + wb;
    }
    W[0] = normal;
}

// The same of a cone: its Hessian by x, see sn_coneRoot.
static void weighCone(const real* x, const real* D, const real* scale, real Dm, int dim, real* W)
{
    real t[6], square = {0};
    for (int k = 1; k < dim; k++) {
        t[k] = scale[k] * x[k];
        square += t[k] * t[k];
    }
    const real mu = scale[0], N = mu * x[0], T = sqrt(sn_max(square, SN_CONE_LEAST));
    const snMask out = N - mu * T >= 0, bottom = (mu * N + T <= 0) & ~out;
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
}

static real weighRow(const snStrip* s, real x, real D, real bound)
{
    if (s->kind == SN_STRIP_EQUALITY) return D;
    if (s->kind == SN_STRIP_ONESIDED) return keep(x < 0, D);
    return keep((x > -bound) & (x < bound), D);
}

// W of the constraint whose components begin at `at`.
static void weigh(const snLaneProblem* p, const snStrip* s, int at, real* W)
{
    const real* x = p->x + at;
    switch (s->kind) {
    case SN_STRIP_PYRAMID: weighPyramid(x, s->dim, p->D[at], W); break;
    case SN_STRIP_CONE: weighCone(x, p->D + at, p->scale + at, p->bound[at], s->dim, W); break;
    case SN_STRIP_FRICTION: *W = weighRow(s, *x, p->D[at], p->bound[at]); break;
    default: *W = weighRow(s, *x, p->D[at], sn_real(0)); break;
    }
}

// A [dim x n] = W J.
INLINE void weighted(const real* W, const real* J, int dim, int n, real* A)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < dim; k++) {
            real sum = W[k * dim] * J[i];
            for (int j = 1; j < dim; j++) sum += W[k * dim + j] * J[j * n + i];
            A[k * n + i] = sum;
        }
}

// A = W J with the W of a pyramid, which couples its first component with the others only.
INLINE void weightedArrow(const real* W, const real* J, int dim, int n, real* A)
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

static void weightedRows(const snStrip* s, const real* W, const real* J, real* A)
{
    const int dim = s->dim, n = s->ndof;
    if (dim == 1)
        weighted(W, J, 1, n, A);
    else if (s->kind == SN_STRIP_PYRAMID)
        dim == 3 ? weightedArrow(W, J, 3, n, A) : weightedArrow(W, J, dim, n, A);
    else
        dim == 3 ? weighted(W, J, 3, n, A) : weighted(W, J, dim, n, A);
}

// What W has gained in the lanes `go` since it was added last, which becomes `kept`. False: nothing.
INLINE bool takeGain(real* W, int count, snMask go, real* kept)
{
    snMask any = sn_mask(false);
    for (int k = 0; k < count; k++) {
        const real gain = keep(go, W[k] - kept[k]);
        any |= gain != 0;
        kept[k] = sn_select(go, W[k], kept[k]);
        W[k] = gain;
    }
    return sn_any(any);
}

// H += J'WJ of a strip.
static void addStrip(snLaneProblem* p, const snStrip* s, snMask go)
{
    real A[ROWS * SN_LANE_DOFS], W[36];
    const int square = s->dim * s->dim;
    Products q = {.H = p->H, .n = p->n, .ndof = s->ndof, .dofs = s->dofs};
    for (int c = 0; c < s->count; c++) {
        if (!s->differs[c]) continue;
        weigh(p, s, s->first + c * s->dim, W);
        if (!takeGain(W, square, go, s->W + c * square)) continue;
        if (q.rows + s->dim > ROWS) addProducts(&q);
        const real* J = s->J + c * s->dim * s->ndof;
        weightedRows(s, W, J, A + q.rows * s->ndof);
        for (int k = 0; k < s->dim; k++, q.rows++) {
            q.A[q.rows] = A + q.rows * s->ndof;
            q.B[q.rows] = J + k * s->ndof;
        }
        for (int i = 0; i < s->ndof; i++) p->stale |= (uint64_t)1 << s->dofs[i];
    }
    addProducts(&q);
}

static void addSimple(snLaneProblem* p, const snStrip* s, snMask go)
{
    for (int c = 0; c < s->count; c++) {
        if (!s->differs[c]) continue;
        const real J = s->J[c];
        real W;
        weigh(p, s, s->first + c, &W);
        if (!takeGain(&W, 1, go, s->W + c)) continue;
        p->stale |= (uint64_t)1 << s->dofs[c];
        p->H[s->dofs[c] * (p->n + 1)] += W * J * J;
    }
}

void sn_laneHessian(snLaneProblem* p, snMask go)
{
    for (int k = 0; k < p->nactive; k++) {
        if (p->active[k]->ndof == 0)
            addSimple(p, p->active[k], go);
        else
            addStrip(p, p->active[k], go);
    }
}
