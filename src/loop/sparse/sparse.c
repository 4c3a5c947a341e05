// Solving (8.64): factors of the matrix with its dependent rows made regular, then corrections by the
// residual of the matrix itself until that is at rounding. Regular by how much does not matter: the solution
// has no residual that such rows would answer to. (A small number on the diagonal of all loops instead would
// leave forces along the dependent directions at rounding over that number, and converge slowly near singular
// poses.)
#include <math.h>
#include <sinew/loop_sparse.h>
#include <sinew/names.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "loop/joint/closure.h"
#include "loop/sparse/row.h"
#include "smooth/kinematics/resistance.h"

enum { MOST_REFINEMENTS = 30, MOST_LEAST = 100 };

// An array [nnode x 6] for each of these.
enum { RIGHT, X, RESIDUAL, BEFORE, P, W_P, W_R, NVECTOR };

struct snSparseDynamics {
    snPool pool;
    int nbody, nv, nloop; // of the model
    snSparseGraph graph;
    snSparseFactor factor;
    snSparseMatrix A;
    snSparseBody* body; // [bodies]
    bool* active;       // [nnode] takes part
    int* row;           // [nloop] first row in lambda; -1
    int *dofs, *place;  // [nv] work
    double *K, *tau;    // [nv] work
    double* vector[NVECTOR];
    snSparseCount count;
};

// ---- making

static snStatus checkModel(const snModel* m, snError* error)
{
    for (int t = 0; t < m->ntendon; t++) {
        if (sn_armatureOfTendon(m, t) == 0) continue;
        const char* name = sn_id2name(m, SN_OBJ_TENDON, t);
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "tendon '%s' (%d) has armature, which the sparse matrix method does not support yet",
                       name ? name : "", t);
    }
    return SN_STATUS_OK;
}

// Every body that moves needs mass and moments, its own or of what is welded to it.
static snStatus checkMasses(const snModel* m, const snSparseGraph* g, double* least, snError* error)
{
    for (int b = 1; b < m->nbody; b++) {
        const double* I = m->body_inertia + 3 * b;
        if (g->body_node[b] < 0) continue;
        double* all = least + 4 * g->body_node[b];
        all[3] += m->body_mass[b];
        for (int k = 0; k < 3; k++) all[k] += I[k];
    }
    for (int n = 0; n < g->nbody; n++) {
        const double* all = least + 4 * n;
        if (all[0] > 0 && all[1] > 0 && all[2] > 0 && all[3] > 0) continue;
        const char* name = sn_id2name(m, SN_OBJ_BODY, g->node[n].id);
        return sn_fail(error, SN_STATUS_MODEL, "body '%s' (%d) moves but has no mass or no inertia",
                       name ? name : "", g->node[n].id);
    }
    return SN_STATUS_OK;
}

static void* array(snSparseDynamics* s, size_t count, size_t size)
{
    return sn_poolAlloc(&s->pool, (count + 1) * size);
}

static bool makeArrays(const snModel* m, snSparseDynamics* s)
{
    const size_t nodes = (size_t)s->graph.nnode, nv = (size_t)m->nv;
    s->A.I = array(s, (size_t)s->graph.nbody, 9 * sizeof(double));
    s->A.J = array(s, (size_t)s->graph.block_row[s->graph.nblock], SN_BLOCK * sizeof(double));
    s->body = array(s, (size_t)s->graph.nbody, sizeof *s->body);
    s->active = array(s, nodes, sizeof *s->active);
    s->row = array(s, (size_t)s->nloop, sizeof(int));
    s->dofs = array(s, nv, sizeof(int));
    s->place = array(s, nv, sizeof(int));
    s->K = array(s, nv, sizeof(double));
    s->tau = array(s, nv, sizeof(double));
    bool ok = s->A.I && s->A.J && s->body && s->active && s->row && s->dofs && s->place && s->K && s->tau;
    for (int k = 0; k < NVECTOR; k++) ok = (s->vector[k] = array(s, nodes, SN_BLOCK * sizeof(double))) && ok;
    return ok;
}

static snStatus fill(const snModel* m, snSparseDynamics* s, snError* error)
{
    snStatus status = checkModel(m, error);
    if (status != SN_STATUS_OK) return status;
    s->nbody = m->nbody;
    s->nv = m->nv;
    s->nloop = sn_closureCount(m);
    if (!sn_sparseGraph(m, &s->pool, &s->graph) || !sn_sparseOrder(m, &s->pool, &s->graph) ||
        !sn_makeSparseFactor(&s->graph, &s->pool, &s->factor) || !makeArrays(m, s))
        return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory for the sparse equations of %d bodies",
                       m->nbody);
    return checkMasses(m, &s->graph, s->vector[RIGHT], error);
}

snSparseDynamics* sn_makeSparseDynamics(const snModel* m, snError* error)
{
    snSparseDynamics* s = sn_calloc(sizeof *s);
    if (!s) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory for the sparse equations of %d bodies", m->nbody);
        return NULL;
    }
    if (fill(m, s, error) == SN_STATUS_OK) return s;
    sn_deleteSparseDynamics(s);
    return NULL;
}

void sn_deleteSparseDynamics(snSparseDynamics* s)
{
    if (!s) return;
    sn_clearPool(&s->pool);
    sn_free(s);
}

// ---- the equations

// Whether the workspace is of this model: its sizes, and which dofs are unknowns of their own.
static snStatus checkFit(const snSparseDynamics* s, const snModel* m, snError* error)
{
    bool same = s->nbody == m->nbody && s->nv == m->nv && s->nloop == sn_closureCount(m);
    for (int n = 0; n < s->graph.nbody && same; n++) {
        const snSparseNode* node = s->graph.node + n;
        const int own = s->graph.body_armature[node->id],
                  end = m->body_dofadr[node->id] + m->body_dofnum[node->id];
        int count = own < 0 ? 0 : s->graph.node[own].size;
        for (int k = m->body_dofadr[node->id]; k < end; k++) count -= sn_isOwnUnknown(m, k);
        same = count == 0;
    }
    if (same) return checkModel(m, error);
    return sn_fail(error, SN_STATUS_ARGUMENT,
                   "the sparse equations were made for another model, or for other joints with armature");
}

// Which nodes take part now. Returns whether that has changed.
static bool activate(snSparseDynamics* s, const snModel* m, const snData* d)
{
    const snSparseGraph* g = &s->graph;
    const bool off = m->opt.disableflags & (SN_DSBL_CONSTRAINT | SN_DSBL_EQUALITY);
    bool changed = s->factor.n < 0;
    s->count.rows = 0;
    for (int id = 0; id < s->nloop; id++) s->row[id] = -1;
    for (int n = 0; n < g->nnode; n++) {
        const bool loop = g->node[n].kind == SN_SPARSE_LOOP,
                   holds = !loop || (!off && sn_closureHolds(m, d, g->node[n].id));
        changed = changed || holds != s->active[n];
        s->active[n] = holds;
        if (!loop || !holds) continue;
        s->row[g->node[n].id] = s->count.rows;
        s->count.rows += g->node[n].size;
    }
    return changed;
}

static void countUnknowns(snSparseDynamics* s)
{
    s->count.unknowns = 0;
    for (int n = 0; n < s->graph.nnode; n++)
        if (s->active[n]) s->count.unknowns += s->graph.node[n].size;
    s->count.nonzeros = s->factor.nonzeros;
}

static const double* jointSpaceForces(snSparseDynamics* s, const snData* d, const double* tau)
{
    if (tau) return tau;
    for (int k = 0; k < s->nv; k++) s->tau[k] = d->qfrc_passive[k] + d->qfrc_actuator[k] + d->qfrc_applied[k];
    return s->tau;
}

static snStatus assemble(snSparseDynamics* s, const snModel* m, const snData* d, const double* tau,
                         snError* error)
{
    const snSparseGraph* g = &s->graph;
    double* right = s->vector[RIGHT];
    memset(s->A.J, 0, (size_t)g->block_row[g->nblock] * SN_BLOCK * sizeof(double));
    memset(right, 0, (size_t)g->nnode * SN_BLOCK * sizeof(double));
    const snStatus status =
        sn_sparseBodies(m, d, g, jointSpaceForces(s, d, tau), s->body, &s->A, right, error);
    for (int n = 0; n < g->nnode && status == SN_STATUS_OK; n++)
        if (g->node[n].kind == SN_SPARSE_LOOP && s->active[n])
            sn_sparseLoop(m, d, g, s->body, n, &s->A, right + SN_BLOCK * n, s->dofs, s->place, s->K);
    return status;
}

// ---- their solution

// y += scale times the diagonal block of an acceleration times x.
static void addDiagonal(const snSparseDynamics* s, int node, double scale, const double* x, double* y)
{
    const int begin = node < s->graph.nbody ? 3 : 0;
    for (int i = 0; i < begin; i++) {
        const double* I = s->A.I + 9 * (size_t)node + 3 * i;
        y[i] += scale * (I[0] * x[0] + I[1] * x[1] + I[2] * x[2]);
    }
    for (int i = begin; i < SN_BLOCK; i++) y[i] += scale * x[i];
}

// y += scale times A x.
static void addProduct(const snSparseDynamics* s, double scale, const double* x, double* y)
{
    const snSparseGraph* g = &s->graph;
    for (int n = 0; n < g->nnode; n++) {
        if (!s->active[n]) continue;
        if (!sn_isForce(g, n)) addDiagonal(s, n, scale, x + SN_BLOCK * n, y + SN_BLOCK * n);
        for (int e = g->block_adr[n]; e < g->block_adr[n + 1]; e++) {
            const double *J = s->A.J + SN_BLOCK * (size_t)g->block_row[e],
                         *to = x + SN_BLOCK * g->block_node[e];
            double* from = y + SN_BLOCK * g->block_node[e];
            for (int r = 0; r < g->node[n].size; r++) {
                y[SN_BLOCK * n + r] += scale * sn_dot6(J + SN_BLOCK * r, to);
                sn_addTo6(from, scale * x[SN_BLOCK * n + r], J + SN_BLOCK * r);
            }
        }
    }
}

// Rows that depend on others ask nothing.
static void forgetDependent(const snSparseDynamics* s, double* x)
{
    for (int n = 0; n < s->graph.nnode; n++)
        for (int r = 0; r < SN_BLOCK && s->active[n]; r++)
            if (s->factor.left_out[n] >> r & 1) x[SN_BLOCK * n + r] = 0;
}

// The largest acceleration.
static double largest(const snSparseDynamics* s, const double* x)
{
    double result = 0;
    for (int n = 0; n < s->graph.nnode && !sn_isForce(&s->graph, n); n++)
        for (int r = 0; r < SN_BLOCK; r++) {
            const double size = fabs(x[SN_BLOCK * n + r]);
            if (!(size <= result)) result = size; // takes nan, too
        }
    return result;
}

// x += inv(A) (right - A x) until the accelerations change no more; then the forces are right, too, but for
// those that balance each other. false: not finite.
static bool refine(snSparseDynamics* s, const double* right, double* x, double* residual)
{
    const size_t size = (size_t)s->graph.nnode * SN_BLOCK;
    double before = 1;
    for (int turn = 0; turn <= MOST_REFINEMENTS; turn++) {
        memcpy(residual, right, size * sizeof(double));
        addProduct(s, -1, x, residual);
        forgetDependent(s, residual);
        sn_sparseSolve(&s->factor, residual);
        const double change = largest(s, residual), now = change / (largest(s, x) + change + SN_MINVAL);
        if (!isfinite(now)) return false;
        if (turn > 1 && now > 0.5 * before) return true;
        for (size_t k = 0; k < size; k++) x[k] += residual[k];
        s->count.refinements += turn > 0;
        // what the next change would be, if none is smaller than the last one by more than 1e4
        if (sn_max(now / before, 1e-4) * now < 1e-15) return true;
        before = now;
    }
    return true;
}

// Leaves the forces of loops alone in x. Returns the sum of their squares.
static double loopsAlone(const snSparseDynamics* s, double* x)
{
    double sum = 0;
    for (int n = 0; n < s->graph.nnode; n++) {
        double* own = x + SN_BLOCK * n;
        if (s->active[n] && s->graph.node[n].kind == SN_SPARSE_LOOP)
            sum += sn_dot6(own, own);
        else
            memset(own, 0, SN_BLOCK * sizeof(double));
    }
    return sum;
}

// Leaves dependent rows alone, times their pivots, so that W has columns of size one. Returns the sum of
// their squares.
static double dependentAlone(const snSparseDynamics* s, double* x)
{
    double sum = 0;
    for (int n = 0; n < s->graph.nnode; n++)
        for (int r = 0; r < SN_BLOCK; r++) {
            double* own = x + SN_BLOCK * n + r;
            const bool dependent = s->active[n] && s->factor.left_out[n] >> r & 1;
            const size_t pivot = SN_BLOCK2 * (size_t)(dependent ? s->factor.place[n] : 0);
            *own = dependent ? *own / s->factor.inverse[pivot + (size_t)((SN_BLOCK + 1) * r)] : 0;
            sum += *own * *own;
        }
    return sum;
}

static double squares(const double* x, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += x[k] * x[k];
    return sum;
}

static void addScaled(double* y, double scale, const double* x, size_t n)
{
    for (size_t k = 0; k < n; k++) y[k] += scale * x[k];
}

// The least forces of loops among all that do the same: x + W z of least norm in their rows, by conjugate
// gradients on its normal equations. W z are the forces that dependent rows of z balance with others: A W z =
// 0 but for rounding. W and W' cost a solution each, the matrix of the factors being symmetric.
static void descend(snSparseDynamics* s, double* x)
{
    const size_t n = (size_t)s->graph.nnode * SN_BLOCK;
    double *p = s->vector[P], *w_p = s->vector[W_P], *gradient = s->vector[W_R], last = 0;
    memset(p, 0, n * sizeof(double));
    for (int turn = 0; turn < MOST_LEAST; turn++) {
        memcpy(gradient, x, n * sizeof(double));
        const double whole = squares(x, n);
        loopsAlone(s, gradient);
        sn_sparseSolve(&s->factor, gradient);
        const double now = dependentAlone(s, gradient);
        if (!(now > 1e-28 * whole)) return;
        for (size_t k = 0; k < n; k++) p[k] = gradient[k] + (turn ? now / last * p[k] : 0);
        last = now;
        memcpy(w_p, p, n * sizeof(double));
        dependentAlone(s, w_p);
        sn_sparseSolve(&s->factor, w_p);
        memcpy(gradient, w_p, n * sizeof(double));
        const double curvature = loopsAlone(s, gradient);
        if (!(curvature > 0)) return;
        addScaled(x, -now / curvature, w_p, n);
    }
}

// The sum of squares of the forces of loops.
static double squareOfLoops(snSparseDynamics* s, const double* x)
{
    memcpy(s->vector[W_P], x, (size_t)s->graph.nnode * SN_BLOCK * sizeof(double));
    return loopsAlone(s, s->vector[W_P]);
}

// Near a singular pose rounding over its small pivot gets into W: where there is as good as nothing to win
// the forces stay as they were.
static void leastForces(snSparseDynamics* s, double* x)
{
    const size_t size = (size_t)s->graph.nnode * SN_BLOCK * sizeof(double);
    const double before = squareOfLoops(s, x);
    memcpy(s->vector[BEFORE], x, size);
    descend(s, x);
    if (!(squareOfLoops(s, x) < (1 - 1e-14) * before)) memcpy(x, s->vector[BEFORE], size);
}

static snStatus solve(snSparseDynamics* s, const snModel* m, bool least, snError* error)
{
    const double part = m->opt.loop_ranktol * m->opt.loop_ranktol;
    double *x = s->vector[X], *right = s->vector[RIGHT];
    s->count.refinements = 0;
    sn_sparseFactorize(&s->graph, &s->A, sn_max(part, 1e-13), &s->factor);
    s->count.dependent = s->factor.dependent;
    memset(x, 0, (size_t)s->graph.nnode * SN_BLOCK * sizeof(double));
    bool finite = refine(s, right, x, s->vector[RESIDUAL]);
    if (finite && least && s->count.dependent > 0 && s->count.rows > 0) {
        leastForces(s, x);
        finite = refine(s, right, x, s->vector[RESIDUAL]);
    }
    if (finite) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_ARGUMENT,
                   "positions, velocities or forces are not finite, or a mass is not positive");
}

snStatus sn_sparseDynamics(snSparseDynamics* s, const snModel* m, const snData* d, const double* tau,
                           double* qacc, double* lambda, snError* error)
{
    snStatus status = checkFit(s, m, error);
    if (status != SN_STATUS_OK) return status;
    if (activate(s, m, d)) sn_sparsePattern(&s->graph, s->active, &s->factor);
    countUnknowns(s);
    status = assemble(s, m, d, tau, error);
    if (status == SN_STATUS_OK) status = solve(s, m, lambda != NULL, error);
    if (status != SN_STATUS_OK) return status;
    sn_sparseQacc(m, &s->graph, s->body, s->vector[X], qacc);
    for (int n = 0; n < s->graph.nnode && lambda; n++) { // the unknowns are -lambda
        if (s->graph.node[n].kind != SN_SPARSE_LOOP || !s->active[n]) continue;
        for (int r = 0; r < s->graph.node[n].size; r++)
            lambda[s->row[s->graph.node[n].id] + r] = -s->vector[X][SN_BLOCK * n + r];
    }
    return SN_STATUS_OK;
}

int sn_sparseRowsMax(const snSparseDynamics* s)
{
    return s->graph.nrow;
}

int sn_sparseLoopRow(const snSparseDynamics* s, int id)
{
    return id < 0 || id >= s->nloop ? -1 : s->row[id];
}

snSparseCount sn_sparseCount(const snSparseDynamics* s)
{
    return s->count;
}
