// For each target: src/target/prelude.h.
// The incomplete factor of points (points.h): row by row, D_i = H_ii - sum L_ik inv(D_k) L_ik', and L_ij =
// H_ij - sum L_ik inv(D_k) L_jk' over what both have before.
#include <string.h>
#include "math/dense.h"
#include "math/simd.h"
#include "model/arena.h"
#include "solver/point_block.h"
#include "solver/problem.h"

static int mostNear(const snElasticPoints* q)
{
    int most = 0;
    for (int i = 0; i < q->count; i++)
        if (q->adr[i + 1] - q->adr[i] > most) most = q->adr[i + 1] - q->adr[i];
    return most;
}

// All blocks left of the diagonal.
static bool fullPattern(snData* d, int nb, snBlockPattern* pattern)
{
    pattern->nb = nb;
    pattern->pads = 0;
    pattern->adr = sn_scratchInt(d, nb + 1 + nb * (nb - 1) / 2);
    if (!pattern->adr) return false;
    pattern->col = pattern->adr + nb + 1;
    pattern->adr[0] = 0;
    for (int i = 0, at = 0; i < nb; pattern->adr[++i] = at)
        for (int j = 0; j < i; j++) pattern->col[at++] = j;
    return true;
}

bool sn_pointFactorAllocate(snData* d, const snElasticPoints* q, snPointFactor* f)
{
    const int m = sn_padded(q->nrest);
    f->inverse = sn_scratchReal(d, SN_POINT * q->count);
    f->pair = sn_scratchReal(d, SN_POINT * q->adr[q->count]);
    f->turned = sn_scratchReal(d, SN_POINT * mostNear(q));
    f->at = sn_scratchInt(d, q->count);
    f->rest = sn_scratchAlloc(d, (size_t)m * (size_t)m * sizeof(double));
    f->diaginv = sn_scratchReal(d, m);
    f->work = sn_scratchReal(d, 4 * m);
    if (!f->inverse || !f->pair || !f->turned || !f->at || !f->rest || !f->diaginv || !f->work) return false;
    for (int i = 0; i < q->count; i++) f->at[i] = -1;
    return fullPattern(d, m / 4, &f->pattern);
}

// ---- H

// A quad's rows by what they touch: points, columns of four rows each, and single unknowns of the rest.
typedef struct Touched {
    int id;       // a point, or ~k of the rest
    double J[12]; // [3][4]
} Touched;

enum { MOST = 32 }; // what rows of more touch of points comes in without what it couples

static int touchedBy(const snElasticPoints* q, const snQuad* quad, int ndof, Touched* t)
{
    int count = 0;
    for (int b = 0; b < quad->count; b++)
        for (int lane = 0; lane < 4; lane++) {
            const int c = 4 * quad->col[b] + lane;
            if (c >= ndof) break;
            const double* J = quad->value + 16 * b + lane;
            if (J[0] == 0 && J[4] == 0 && J[8] == 0 && J[12] == 0) continue;
            const int id = q->place[c], component = id < 0 ? 0 : c - q->first[id];
            if (!count || t[count - 1].id != id) {
                if (count == MOST) return -1;
                t[count++] = (Touched){.id = id};
            }
            for (int r = 0; r < 4; r++) t[count - 1].J[4 * component + r] = J[4 * r];
        }
    return count;
}

// block += a' diag(w) b, columns by b
static void addGram(const Touched* a, const Touched* b, const double* w, double* block)
{
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            double sum = 0;
            for (int r = 0; r < 4; r++) sum += a->J[4 * i + r] * w[r] * b->J[4 * j + r];
            block[4 * j + i] += sum;
        }
}

static double* pairOf(const snElasticPoints* q, const snPointFactor* f, int i, int j)
{
    for (int k = q->adr[i]; k < q->adr[i + 1] && q->near[k] <= j; k++)
        if (q->near[k] == j) return f->pair + SN_POINT * k;
    return NULL;
}

static void addRest(const Touched* a, const Touched* b, const double* w, int m, double* H)
{
    const int i = ~a->id > ~b->id ? ~a->id : ~b->id, j = ~a->id + ~b->id - i;
    for (int r = 0; r < 4; r++) H[(size_t)i * (size_t)m + (size_t)j] += a->J[r] * w[r] * b->J[r];
}

static void addQuad(const snElasticPoints* q, const Touched* t, int count, const double* w, snPointFactor* f)
{
    for (int a = 0; a < count; a++)
        for (int b = 0; b <= a; b++) {
            if (t[a].id < 0 && t[b].id < 0) addRest(t + a, t + b, w, sn_padded(q->nrest), f->rest);
            if (t[a].id < 0 || t[b].id < 0) continue;
            double* block = a == b ? f->inverse + SN_POINT * t[a].id : pairOf(q, f, t[a].id, t[b].id);
            if (block) addGram(t + a, t + b, w, block);
        }
}

// Rows in one unknown.
static void addSimple(const snElasticPoints* q, int c, double weight, snPointFactor* f)
{
    const int id = q->place[c];
    if (id >= 0)
        f->inverse[SN_POINT * id + 5 * (c - q->first[id])] += weight;
    else
        f->rest[(size_t)~id * (size_t)(sn_padded(q->nrest) + 1)] += weight;
}

static void restInertia(const snProblem* p, double* H)
{
    const snElasticPoints* q = &p->points;
    const int m = sn_padded(q->nrest);
    memset(H, 0, (size_t)m * (size_t)m * sizeof(double));
    for (int k = 0; k < m; k++) {
        if (k >= q->nrest) {
            H[k * (m + 1)] = 1;
            continue;
        }
        const int c = q->rest[k];
        for (int a = p->chains.adr[c]; a < p->chains.adr[c + 1]; a++)
            H[k * m + ~q->place[p->chains.list[a]]] = p->chainM[a];
    }
}

// The points' and the rest's part of H, into the arrays of the factor.
static void assemble(const snProblem* p, const snQuad* quad, const double* weight, snPointFactor* f)
{
    const snElasticPoints* q = &p->points;
    Touched t[MOST];
    memcpy(f->inverse, q->own, SN_POINT * (size_t)q->count * sizeof(double));
    memcpy(f->pair, q->pair, SN_POINT * (size_t)q->adr[q->count] * sizeof(double));
    restInertia(p, f->rest);
    for (int r = 0; r < p->nsimple; r++)
        if (p->simple_sign[r] != 0) addSimple(q, p->simple_dof[r], weight[r], f);
    for (int k = 0; k < p->nquad; k++) {
        const double* w = weight + p->nsimple + 4 * k;
        if (w[0] == 0 && w[1] == 0 && w[2] == 0 && w[3] == 0) continue;
        const int count = touchedBy(q, quad + k, p->ndof, t);
        if (count > 0) addQuad(q, t, count, w, f);
    }
}

// ---- factor

// The inverse of a symmetric block that is positive.
SN_INLINE bool invert(const v4 D[3], double* to)
{
    const double a = D[0][0], b = D[0][1], c = D[0][2], d = D[1][1], e = D[1][2], g = D[2][2];
    const double A = d * g - e * e, B = c * e - b * g, C = b * e - c * d, det = a * A + b * B + c * C;
    const double least = 1e-12 * a * d * g;
    if (!(a > 0) || !(a * d - b * b > 0) || !(det > least)) return false;
    const double s = 1 / det;
    v4_store(to, v4_of(A * s, B * s, C * s, 0));
    v4_store(to + 4, v4_of(B * s, (a * g - c * c) * s, (b * c - a * e) * s, 0));
    v4_store(to + 8, v4_of(C * s, (b * c - a * e) * s, (a * d - b * b) * s, 0));
    return true;
}

SN_INLINE int factorRow(const snElasticPoints* q, snPointFactor* f, int i)
{
    const int first = q->adr[i], end = q->adr[i + 1];
    double* own = f->inverse + SN_POINT * i;
    v4 D[3] = {v4_load(own), v4_load(own + 4), v4_load(own + 8)};
    for (int k = first; k < end; k++) {
        const int j = q->near[k];
        double *B = f->pair + SN_POINT * k, *turned = f->turned + SN_POINT * (k - first);
        v4 C[3] = {v4_load(B), v4_load(B + 4), v4_load(B + 8)};
        for (int n = q->adr[j]; n < q->adr[j + 1]; n++) {
            const int at = f->at[q->near[n]];
            if (at >= 0) sn_addBlockProduct(f->turned + SN_POINT * at, f->pair + SN_POINT * n, -1, C);
        }
        v4 T[3] = {0};
        SN_UNROLL
        for (int c = 0; c < 3; c++) v4_store(B + 4 * c, C[c]);
        sn_addBlockProduct(B, f->inverse + SN_POINT * j, 1, T); // inv(D) is symmetric
        SN_UNROLL
        for (int c = 0; c < 3; c++) v4_store(turned + 4 * c, T[c]);
        sn_addBlockProduct(turned, B, -1, D);
        f->at[j] = k - first;
    }
    for (int k = first; k < end; k++) f->at[q->near[k]] = -1;
    if (invert(D, own)) return 0;
    // by itself: couplings with those before would make it negative
    const v4 whole[3] = {v4_load(own), v4_load(own + 4), v4_load(own + 8)};
    memset(f->pair + SN_POINT * first, 0, SN_POINT * (size_t)(end - first) * sizeof(double));
    if (!invert(whole, own)) memset(own, 0, SN_POINT * sizeof(double));
    return 1;
}

static int factorRows(const snElasticPoints* q, snPointFactor* f)
{
    int bad = 0;
    for (int i = 0; i < q->count; i++) bad += factorRow(q, f, i);
    return bad;
}

int sn_factorPoints(const snProblem* p, const snQuad* quad, const double* weight, snPointFactor* f)
{
    assemble(p, quad, weight, f);
    (void)factorRows(&p->points, f);
    return p->points.nrest ? sn_blockFactor(&f->pattern, f->rest, f->diaginv, f->work) : 0;
}

// ---- solve

static void sweep(const snElasticPoints* q, const snPointFactor* f, const double* x)
{
    sn_takePoints(q, x, q->x);
    for (int i = 0; i < q->count; i++) { // y = inv(D + L) x
        v4 left = v4_load(q->x + 4 * i);
        for (int k = q->adr[i]; k < q->adr[i + 1]; k++)
            left -= sn_blockTimes(f->pair + SN_POINT * k, q->y + 4 * q->near[k]);
        double rest[4] __attribute__((aligned(32)));
        v4_store(rest, left);
        v4_store(q->y + 4 * i, sn_blockTimes(f->inverse + SN_POINT * i, rest));
        v4_store(q->x + 4 * i, v4_all(0));
    }
    for (int i = q->count - 1; i >= 0; i--) { // x gathers L'y
        const v4 y = v4_load(q->y + 4 * i) - sn_blockTimes(f->inverse + SN_POINT * i, q->x + 4 * i);
        v4_store(q->y + 4 * i, y);
        for (int k = q->adr[i]; k < q->adr[i + 1]; k++) {
            double* to = q->x + 4 * q->near[k];
            v4_store(to, v4_load(to) + sn_turnedBlockTimes(f->pair + SN_POINT * k, y));
        }
    }
}

void sn_solvePoints(const snElasticPoints* q, const snPointFactor* f, double* x)
{
    sweep(q, f, x);
    for (int i = 0; i < q->count; i++)
        for (int k = 0; k < 3; k++) x[q->first[i] + k] = q->y[4 * i + k];
    if (!q->nrest) return;
    const int m = sn_padded(q->nrest);
    for (int k = 0; k < m; k++) f->work[k] = k < q->nrest ? x[q->rest[k]] : 0;
    sn_blockSolve(&f->pattern, f->rest, f->diaginv, f->work);
    for (int k = 0; k < q->nrest; k++) x[q->rest[k]] = f->work[k];
}
