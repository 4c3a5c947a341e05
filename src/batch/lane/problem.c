// Rows of all lanes as strips of components, and products with their Jacobian: its twin is solver/problem.c.
// Of its own, for that packs the rows of one island of one simulation into quads; which rows touch which dofs
// is the same in all lanes and is laid out once.
#include <assert.h>
#include <sinew/constraint.h>
#include "batch/lane/newton.h"
#include "constraint/row.h"
#include "model/arena.h"

#define INLINE static inline __attribute__((always_inline))

// ---- which rows there are

// A constraint: its kind, components and rows.
typedef struct Group {
    snStripKind kind;
    int dim, rows;
} Group;

static Group groupAt(const snData* d, int row)
{
    const int type = d->efc_type[row];
    const int dim = type >= SN_CNSTR_CONTACT_PYRAMIDAL ? d->contact[d->efc_id[row]].dim : 1;
    switch (type) {
    case SN_CNSTR_EQUALITY: return (Group){SN_STRIP_EQUALITY, 1, 1};
    case SN_CNSTR_FRICTION_DOF:
    case SN_CNSTR_FRICTION_TENDON: return (Group){SN_STRIP_FRICTION, 1, 1};
    case SN_CNSTR_CONTACT_PYRAMIDAL: return (Group){SN_STRIP_PYRAMID, dim, 2 * (dim - 1)};
    case SN_CNSTR_CONTACT_ELLIPTIC: return (Group){SN_STRIP_CONE, dim, dim};
    default: return (Group){SN_STRIP_ONESIDED, 1, 1};
    }
}

static bool sameDofs(const snData* d, int row, const snStrip* s)
{
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    return d->efc_J_rownnz[row] == s->ndof &&
           (dofs == s->dofs || !memcmp(dofs, s->dofs, (size_t)s->ndof * sizeof(int)));
}

static bool belongs(const snData* d, const snStrip* s, Group group, int row)
{
    if (s->kind != group.kind || s->dim != group.dim || s->row + s->count * s->nrow != row) return false;
    if (s->ndof == 0) return d->efc_J_rownnz[row] == 1 && group.dim == 1;
    return sameDofs(d, row, s);
}

static int componentsOf(const snStrip* s)
{
    return s->dim * s->count;
}

// Strips of all rows that touch dofs, without numbers; simple [nefc] receives the dofs of rows that touch
// one. Returns how many numbers their Jacobians have; *weights receives how many their s'' have.
static int findStrips(const snData* d, snLaneProblem* p, int* simple, int* weights)
{
    snStrip* s = NULL; // the last one
    int numbers = 0;
    *weights = 0;
    p->ncomponent = p->ncone = p->nstrip = 0;
    for (int row = 0; row < d->nefc;) {
        const Group group = groupAt(d, row);
        const int ndof = d->efc_J_rownnz[row], *dofs = d->efc_J_colind + d->efc_J_coladr[row];
        const bool alone = ndof == 1 && group.dim == 1;
        if (ndof == 0) { // nothing moves it
            row += group.rows;
            continue;
        }
        if (!s || !belongs(d, s, group, row)) {
            s = p->strip + p->nstrip++;
            *s = (snStrip){.kind = group.kind,
                           .dim = group.dim,
                           .first = p->ncomponent,
                           .row = row,
                           .nrow = group.rows,
                           .ndof = alone ? 0 : ndof,
                           .dofs = alone ? simple : dofs};
        }
        assert(p->nstrip <= d->nefc && s->row + s->count * s->nrow == row);
        if (alone) *simple++ = dofs[0];
        s->count++;
        row += group.rows;
        numbers += group.dim * ndof;
        *weights += group.dim * group.dim;
        p->ncomponent += group.dim;
        p->ncone += group.kind == SN_STRIP_CONE;
    }
    return numbers;
}

// ---- their numbers

static real keep(snMask mask, real x)
{
    return (real)(mask & (snMask)x);
}

// Components of a contact from the edges of its pyramid, row by row `ndof` numbers.
static void fromEdges(const real* edge, int dim, int ndof, snMask live, real* J)
{
    for (int i = 0; i < ndof; i++) {
        J[i] = keep(live, 0.5 * (edge[i] + edge[ndof + i]));
        for (int k = 1; k < dim; k++)
            J[k * ndof + i] = keep(live, 0.5 * (edge[(2 * k - 2) * ndof + i] - edge[(2 * k - 1) * ndof + i]));
    }
}

static void fillJacobian(const snData* d, snStrip* s)
{
    real* J = s->J;
    s->live = sn_mask(false);
    const int ndof = s->ndof ? s->ndof : 1, step = s->dim * ndof;
    for (int c = 0; c < s->count; c++, J += step) {
        const int row = s->row + c * s->nrow;
        const snMask live = d->efc_live[row];
        const real* from = d->efc_J + d->efc_J_rowadr[row];
        s->live |= live;
        if (s->kind == SN_STRIP_PYRAMID)
            fromEdges(from, s->dim, ndof, live, J);
        else
            for (int k = 0; k < step; k++) J[k] = keep(live, from[k]);
    }
}

// aref of each component, and -1 where a lane has not the row.
static void fillReference(const snData* d, const snStrip* s, real* aref)
{
    for (int c = 0; c < s->count; c++, aref += s->dim) {
        const int row = s->row + c * s->nrow;
        const snMask live = d->efc_live[row];
        const real* from = d->efc_aref + row;
        for (int k = 1; k < s->dim; k++)
            aref[k] =
                keep(live, s->kind == SN_STRIP_PYRAMID ? 0.5 * (from[2 * k - 2] - from[2 * k - 1]) : from[k]);
        aref[0] = sn_select(live, s->kind == SN_STRIP_PYRAMID ? 0.5 * (from[0] + from[1]) : from[0], -1);
    }
}

// D, bounds and scales of a cone; see solver/cone.h.
static void fillCone(const snData* d, int row, real* D, real* scale, real* Dm)
{
    const snContact* con = d->contact + d->efc_id[row];
    const snMask live = d->efc_live[row];
    const real mu2 = con->mu * con->mu;
    scale[0] = sn_select(live, con->mu, 1);
    for (int k = 1; k < con->dim; k++) scale[k] = keep(live, con->friction[k - 1]);
    for (int k = 0; k < con->dim; k++) D[k] = keep(live, d->efc_D[row + k]);
    *Dm = keep(live, d->efc_D[row] / sn_max(mu2 * (1 + mu2), SN_MINVAL));
}

static void fillWeights(const snData* d, const snLaneProblem* p, const snStrip* s)
{
    for (int c = 0; c < s->count; c++) {
        const int row = s->row + c * s->nrow, at = s->first + c * s->dim;
        if (s->kind == SN_STRIP_CONE) {
            fillCone(d, row, p->D + at, p->scale + at, p->bound + at);
            continue;
        }
        p->D[at] = keep(d->efc_live[row], d->efc_D[row]);
        if (s->kind == SN_STRIP_FRICTION)
            p->bound[at] = keep(d->efc_live[row], d->efc_R[row] * d->efc_frictionloss[row]);
    }
}

// ----

static bool allocate(snData* d, snLaneProblem* p)
{
    const size_t n = (size_t)p->n, rows = (size_t)p->ncomponent;
    real** const of_rows[] = {&p->D, &p->bound, &p->b, &p->x, &p->v, &p->force, &p->scale, &p->trial};
    real** const of_dofs[] = {&p->y, &p->My, &p->grad, &p->rows, &p->p, &p->Mp, &p->D_inv};
    bool ok = true;
    for (size_t k = 0; k < sizeof of_rows / sizeof of_rows[0]; k++)
        ok = (*of_rows[k] = sn_arenaAlloc(d, rows * sizeof(real))) && ok;
    for (size_t k = 0; k < sizeof of_dofs / sizeof of_dofs[0]; k++)
        ok = (*of_dofs[k] = sn_arenaAlloc(d, n * sizeof(real))) && ok;
    p->line = sn_arenaAlloc(d, (size_t)p->ncone * SN_CONE_LINE * sizeof(real));
    return ok && p->line;
}

bool sn_laneProblem(const snModel* m, snData* d, snLaneProblem* p)
{
    p->n = m->nv;
    p->strip = sn_arenaAlloc(d, (size_t)d->nefc * sizeof(snStrip));
    int* simple = sn_arenaAlloc(d, (size_t)d->nefc * sizeof(int));
    p->active = sn_arenaAlloc(d, (size_t)d->nefc * sizeof(snStrip*));
    if (!p->strip || !simple || !p->active) return false;
    int weights;
    const int numbers = findStrips(d, p, simple, &weights);
    real* J = sn_arenaAlloc(d, (size_t)numbers * sizeof(real));
    real* W = sn_arenaAlloc(d, (size_t)weights * sizeof(real));
    bool* differs = sn_arenaAlloc(d, (size_t)p->ncomponent * sizeof(bool));
    if (!J || !W || !differs || !allocate(d, p) || !sn_lanePatterns(m, d, p)) return false;
    for (int k = 0; k < p->nstrip; k++) {
        snStrip* s = p->strip + k;
        s->J = J;
        s->W = W;
        s->differs = differs + s->first;
        J += componentsOf(s) * (s->ndof ? s->ndof : 1);
        W += componentsOf(s) * s->dim;
        fillJacobian(d, s);
        fillReference(d, s, p->force + s->first);
        fillWeights(d, p, s);
    }
    sn_laneActivate(p, sn_mask(true));
    sn_laneMulJ(p, d->qacc_smooth, p->b);
    for (int r = 0; r < p->ncomponent; r++) p->b[r] -= p->force[r];
    return true;
}

void sn_laneActivate(snLaneProblem* p, snMask lanes)
{
    p->nactive = 0;
    for (int k = 0; k < p->nstrip; k++)
        if (sn_any(p->strip[k].live & lanes)) p->active[p->nactive++] = p->strip + k;
}

void sn_laneTouched(const snModel* m, const snData* d, const snLaneProblem* p, snMask* touched)
{
    for (int i = 0; i < p->n; i++) touched[i] = sn_mask(false);
    for (int k = 0; k < p->nstrip; k++) {
        const snStrip* s = p->strip + k;
        for (int c = 0; c < s->count && s->ndof == 0; c++) touched[s->dofs[c]] |= d->efc_live[s->row + c];
        for (int i = 0; i < s->ndof; i++) touched[s->dofs[i]] |= s->live;
    }
    for (int i = p->n - 1; i >= 0; i--)
        if (m->dof_parentid[i] >= 0) touched[m->dof_parentid[i]] |= touched[i];
}

// ---- products

// y [rows] = J x, rows of J `n` apart.
INLINE void mulRows(const real* J, int rows, const int* dofs, int n, const real* x, real* y)
{
    real sum[4];
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) sum[r] = sn_real(0);
    for (int i = 0; i < n; i++) {
        const real xi = x[dofs[i]];
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++) sum[r] += J[r * n + i] * xi;
    }
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) y[r] = sum[r];
}

static void mulDense(const real* J, int rows, const int* dofs, int n, const real* x, real* y)
{
    for (; rows >= 4; rows -= 4, J += 4 * n, y += 4) mulRows(J, 4, dofs, n, x, y);
    switch (rows) {
    case 1: mulRows(J, 1, dofs, n, x, y); break;
    case 2: mulRows(J, 2, dofs, n, x, y); break;
    case 3: mulRows(J, 3, dofs, n, x, y); break;
    default: break;
    }
}

void sn_laneMulJ(const snLaneProblem* p, const real* u, real* v)
{
    for (int k = 0; k < p->nactive; k++) {
        const snStrip* s = p->active[k];
        if (s->ndof == 0) {
            for (int c = 0; c < s->count; c++) v[s->first + c] = s->J[c] * u[s->dofs[c]];
            continue;
        }
        mulDense(s->J, componentsOf(s), s->dofs, s->ndof, u, v + s->first);
    }
}

// y [dofs] += J' f for `count` columns of J [rows x n], in the order of the rows.
INLINE void mulColumns(const real* J, int rows, int n, const real* f, const int* dofs, int count, real* y)
{
    real sum[4];
#pragma GCC unroll 4
    for (int i = 0; i < count; i++) sum[i] = y[dofs[i]];
    for (int r = 0; r < rows; r++, J += n) {
        const real fr = f[r];
#pragma GCC unroll 4
        for (int i = 0; i < count; i++) sum[i] += J[i] * fr;
    }
#pragma GCC unroll 4
    for (int i = 0; i < count; i++) y[dofs[i]] = sum[i];
}

static void mulDenseT(const real* J, int rows, int n, const real* f, const int* dofs, real* y)
{
    int i = 0;
    for (; i + 3 < n; i += 4) mulColumns(J + i, rows, n, f, dofs + i, 4, y);
    switch (n - i) {
    case 1: mulColumns(J + i, rows, n, f, dofs + i, 1, y); break;
    case 2: mulColumns(J + i, rows, n, f, dofs + i, 2, y); break;
    case 3: mulColumns(J + i, rows, n, f, dofs + i, 3, y); break;
    default: break;
    }
}

void sn_laneMulJT(const snLaneProblem* p, const real* f, real* u)
{
    memset(u, 0, (size_t)p->n * sizeof(real));
    for (int k = 0; k < p->nactive; k++) {
        const snStrip* s = p->active[k];
        if (s->ndof == 0)
            for (int c = 0; c < s->count; c++) u[s->dofs[c]] += s->J[c] * f[s->first + c];
        else
            mulDenseT(s->J, componentsOf(s), s->ndof, f + s->first, s->dofs, u);
    }
}

// Adds the part of y = M x that the rows of a supernode and what mirrors them make; sets its own y.
INLINE void mulSuper(const snModel* m, const snData* d, const snSuper* s, int rows, const real* x, real* y)
{
    const real* row[SN_SUPER_ROWS]; // at the first of the dofs above, which come from the last to the first
    real own[SN_SUPER_ROWS], sum[SN_SUPER_ROWS];
#pragma GCC unroll 4
    for (int c = 0; c < rows; c++) {
        const real* diagonal = d->qM + m->dof_Madr[s->first + c];
        own[c] = x[s->first + c];
        sum[c] = *diagonal * own[c];
#pragma GCC unroll 4
        for (int e = 0; e < c; e++) {
            sum[c] += diagonal[c - e] * own[e];
            sum[e] += diagonal[c - e] * own[c];
        }
        row[c] = diagonal + c + 1;
    }
    for (int j = 0; j < s->nabove; j++) {
        const int dof = s->above[s->nabove - 1 - j];
        const real xj = x[dof];
        real yj = y[dof];
#pragma GCC unroll 4
        for (int c = 0; c < rows; c++) {
            sum[c] += row[c][j] * xj;
            yj += row[c][j] * own[c];
        }
        y[dof] = yj;
    }
#pragma GCC unroll 4
    for (int c = 0; c < rows; c++) y[s->first + c] = sum[c];
}

void sn_laneMulM(const snModel* m, const snData* d, const snLaneProblem* p, const real* x, real* y)
{
    for (int k = 0; k < p->tree.count; k++) {
        const snSuper* s = p->tree.super + k;
        switch (s->count) {
        case 1: mulSuper(m, d, s, 1, x, y); break;
        case 2: mulSuper(m, d, s, 2, x, y); break;
        case 3: mulSuper(m, d, s, 3, x, y); break;
        default: mulSuper(m, d, s, 4, x, y); break;
        }
    }
}

real sn_laneSlope(const snLaneProblem* p)
{
    real sum = {0};
    for (int k = 0; k < p->nactive; k++) {
        const snStrip* s = p->active[k];
        for (int r = s->first; r < s->first + componentsOf(s); r++) sum += p->force[r] * p->v[r];
    }
    return sum;
}

// ---- results

// Forces of the edges of a pyramid at residuals x of its components.
static void edgeForces(const real* x, int dim, real D, real* force)
{
    for (int k = 1; k < dim; k++) {
        *force++ = -D * sn_min(x[0] + x[k], 0);
        *force++ = -D * sn_min(x[0] - x[k], 0);
    }
}

void sn_laneForces(const snLaneProblem* p, snData* d)
{
    for (int k = 0; k < p->nstrip; k++) {
        const snStrip* s = p->strip + k;
        real* out = d->efc_force + s->row;
        for (int c = 0; c < s->count; c++) {
            const int at = s->first + c * s->dim;
            if (s->kind == SN_STRIP_PYRAMID)
                edgeForces(p->x + at, s->dim, p->D[at], out + c * s->nrow);
            else
                for (int j = 0; j < s->dim; j++) out[c * s->dim + j] = -p->force[at + j];
        }
    }
}
