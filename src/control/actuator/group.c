// Groups of actuators: see group.h.
#include "control/actuator/group.h"
#include <math.h>
#include <sinew/pseudo_inverse.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "control/actuator/reach.h"
#include "math/elementary/elementary.h"

// ---- memory

// Every array: what it is for, how many.
#define ARRAYS(X)                                                                                            \
    X(root, nv)                                                                                              \
    X(first_dof, nv)                                                                                         \
    X(next_dof, nv)                                                                                          \
    X(dofs, nv)                                                                                              \
    X(first_actuator, nv)                                                                                    \
    X(actuators, nv)                                                                                         \
    X(next_actuator, nactuator)                                                                              \
    X(law, nactuator)                                                                                        \
    X(force, nactuator)                                                                                      \
    X(dof, n)                                                                                                \
    X(actuator, k)                                                                                           \
    X(arms, n* k)                                                                                            \
    X(inverse, n* k)                                                                                         \
    X(null, n* n)                                                                                            \
    X(transposed, n* k) X(bounds, 2 * k) X(identity, k* k) X(target, n) X(least, k) X(work, work)

// Lays the arrays out from `block` on; returns the bytes that they take.
static size_t layOut(snActuatorGroups* g, char* block)
{
    const size_t nv = (size_t)g->nv, nactuator = (size_t)g->nactuator, n = (size_t)g->shared_dofs,
                 k = (size_t)g->shared_actuators;
    const size_t work = n && k ? sn_rankWork((int)(n > k ? n : k), (int)(n > k ? n : k)) : 0;
    size_t at = sn_alignUp(sizeof *g);
#define X(name, count)                                                                                       \
    if (block) g->name = (void*)(block + at);                                                                \
    at += sn_alignUp((count) * sizeof *g->name);
    ARRAYS(X)
#undef X
    return at;
}

snActuatorGroups* sn_makeActuatorGroups(const snModel* m, const unsigned char* reach,
                                        const unsigned char* spanned, snError* error)
{
    snActuatorGroups size = {.nv = m->nv,
                             .nactuator = m->nactuator,
                             .out = m->actuator_outadr,
                             .reach = reach,
                             .spanned = spanned};
    for (int i = 0; i < m->nv; i++) size.shared_dofs += (reach[i] & SN_REACH_SHARED) != 0;
    if (size.shared_dofs)
        for (int i = 0; i < m->nactuator; i++) size.shared_actuators += spanned[i];
    snActuatorGroups* g = sn_calloc(layOut(&size, NULL));
    if (!g) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "no memory for the actuators of a controller");
        return NULL;
    }
    *g = size;
    layOut(g, (char*)g);
    if (!g->shared_dofs) return g;
    g->hqp = sn_makeHqp(g->shared_actuators, 2, g->shared_actuators + g->shared_dofs, error);
    if (g->hqp) return g;
    sn_freeActuatorGroups(g);
    return NULL;
}

void sn_freeActuatorGroups(snActuatorGroups* g)
{
    if (!g) return;
    sn_freeHqp(g->hqp);
    sn_free(g);
}

// ---- groups

static int rootOf(int* root, int dof)
{
    while (root[dof] != dof) dof = root[dof] = root[root[dof]];
    return dof;
}

// Smaller numbers are the roots.
static void join(int* root, int a, int b)
{
    a = rootOf(root, a);
    b = rootOf(root, b);
    root[a > b ? a : b] = a > b ? b : a;
}

// Whether an arm counts: a tendon inside a robot has some of rounding on its base.
static bool counts(const snActuatorGroups* g, const snData* d, int entry)
{
    return d->actuator_moment[entry] != 0 && g->reach[d->moment_colind[entry]] & SN_REACH_SPANNED;
}

// First dof that actuator i reaches, after joining all that it does; -1: none.
static int joinArms(const snData* d, snActuatorGroups* g, int i)
{
    const int out = g->out[i], first = d->moment_rowadr[out], end = first + d->moment_rownnz[out];
    int dof = -1;
    for (int e = first; e < end; e++) {
        if (!counts(g, d, e)) continue;
        if (dof < 0)
            dof = d->moment_colind[e];
        else
            join(g->root, dof, d->moment_colind[e]);
    }
    return dof;
}

static void chainDofs(snActuatorGroups* g)
{
    for (int k = g->nv - 1; k >= 0; k--) {
        const int root = g->root[k] = rootOf(g->root, k);
        g->next_dof[k] = g->first_dof[root];
        g->first_dof[root] = k;
        g->dofs[root]++;
    }
}

void sn_groupActuators(const snModel* m, snData* d, snActuatorGroups* g)
{
    for (int k = 0; k < g->nv; k++) {
        g->root[k] = k;
        g->first_dof[k] = g->first_actuator[k] = -1;
        g->dofs[k] = g->actuators[k] = 0;
    }
    for (int i = 0; i < g->nactuator; i++) {
        if (!g->spanned[i]) continue;
        g->law[i] = sn_actuatorLaw(m, d, i);
        g->force[i] = sn_min(sn_max(g->law[i].low, 0), g->law[i].high);
        joinArms(d, g, i);
    }
    chainDofs(g);
    for (int i = g->nactuator - 1; i >= 0; i--) {
        const int dof = g->spanned[i] ? joinArms(d, g, i) : -1;
        if (dof < 0) continue;
        g->next_actuator[i] = g->first_actuator[g->root[dof]];
        g->first_actuator[g->root[dof]] = i;
        g->actuators[g->root[dof]]++;
    }
}

// ---- one dof

static double armOn(const snData* d, const snActuatorGroups* g, int i, int dof)
{
    const int out = g->out[i], first = d->moment_rowadr[out], end = first + d->moment_rownnz[out];
    double arm = 0;
    for (int e = first; e < end; e++)
        if (d->moment_colind[e] == dof) arm += d->actuator_moment[e];
    return arm;
}

static double forceAt(snActuatorLaw law, double arm, double lambda)
{
    return sn_min(sn_max(arm * lambda, law.low), law.high);
}

static double torqueAt(const snData* d, const snActuatorGroups* g, int dof, double lambda)
{
    double sum = 0;
    for (int i = g->first_actuator[dof]; i >= 0; i = g->next_actuator[i]) {
        const double arm = armOn(d, g, i, dof);
        sum += arm * forceAt(g->law[i], arm, lambda);
    }
    return sum;
}

// Least norm: force_i = arm_i lambda within its limits, torque rising with lambda in straight pieces. Finds
// the piece [from, to] that has the target between its ends.
static void findPiece(const snData* d, const snActuatorGroups* g, int dof, double target, double* from,
                      double* to)
{
    *from = -(*to = INFINITY);
    for (int i = g->first_actuator[dof]; i >= 0; i = g->next_actuator[i]) {
        const double arm = armOn(d, g, i, dof), ends[2] = {g->law[i].low / arm, g->law[i].high / arm};
        for (int e = 0; e < 2; e++) {
            if (!(ends[e] > *from && ends[e] < *to)) continue;
            if (torqueAt(d, g, dof, ends[e]) <= target)
                *from = ends[e];
            else
                *to = ends[e];
        }
    }
}

// On a piece those are free whose own piece has it inside, the others stay at a limit.
static double lambdaOnPiece(const snData* d, const snActuatorGroups* g, int dof, double target, double from,
                            double to)
{
    const double inside = isfinite(from) ? from : to;
    double square = 0;
    for (int i = g->first_actuator[dof]; i >= 0; i = g->next_actuator[i]) {
        const double arm = armOn(d, g, i, dof), ends[2] = {g->law[i].low / arm, g->law[i].high / arm};
        if (sn_min(ends[0], ends[1]) <= from && sn_max(ends[0], ends[1]) >= to)
            square += arm * arm;
        else
            target -= arm * forceAt(g->law[i], arm, inside);
    }
    return square > 0 ? sn_min(sn_max(target / square, from), to) : inside;
}

static void solveDof(const snData* d, snActuatorGroups* g, int dof, double target)
{
    const int only = g->first_actuator[dof];
    if (g->actuators[dof] == 1) {
        g->force[only] = forceAt(g->law[only], 1, target / armOn(d, g, only, dof));
        return;
    }
    double from, to;
    findPiece(d, g, dof, target, &from, &to);
    const double lambda = lambdaOnPiece(d, g, dof, target, from, to);
    for (int i = only; i >= 0; i = g->next_actuator[i])
        g->force[i] = forceAt(g->law[i], armOn(d, g, i, dof), lambda);
}

// ---- several dofs

// Fills dof, actuator and arms.
static void gather(const snData* d, snActuatorGroups* g, int root)
{
    const int columns = g->actuators[root];
    int n = 0, k = 0;
    for (int i = g->first_dof[root]; i >= 0; i = g->next_dof[i]) g->dof[n++] = i;
    for (int i = g->first_actuator[root]; i >= 0; i = g->next_actuator[i]) g->actuator[k++] = i;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < columns; c++) g->arms[r * columns + c] = armOn(d, g, g->actuator[c], g->dof[r]);
}

static void multiply(const double* A, int rows, int columns, const double* x, double* out)
{
    for (int r = 0; r < rows; r++) {
        out[r] = 0;
        for (int c = 0; c < columns; c++) out[r] += A[r * columns + c] * x[c];
    }
}

// What actuators without limits would do: the least forces, and in target what of it they reach.
static bool solveUnlimited(snActuatorGroups* g, int n, int k, double* target, double* force)
{
    const int rank = sn_pseudoInverse(g->arms, n, k, -1, g->inverse, g->work);
    multiply(g->inverse, k, n, target, force);
    if (rank < n) multiply(g->arms, n, k, force, target);
    for (int c = 0; c < k; c++) {
        const snActuatorLaw law = g->law[g->actuator[c]];
        if (!(force[c] >= law.low && force[c] <= law.high)) return false;
    }
    return true;
}

// Limits first, then the target, then the least norm.
static void solveLimited(snActuatorGroups* g, int n, int k, const double* target, double* force)
{
    double *low = g->bounds, *high = low + k;
    memset(g->identity, 0, (size_t)(k * k) * sizeof(double));
    for (int c = 0; c < k; c++) {
        low[c] = g->law[g->actuator[c]].low;
        high[c] = g->law[g->actuator[c]].high;
        g->identity[c * k + c] = 1;
    }
    const snHqpLevel level[2] = {{k, g->identity, low, high, NULL}, {n, g->arms, target, target, NULL}};
    snHqpOption option;
    snHqpResult result;
    sn_defaultHqpOption(&option);
    option.warmstart = false;
    sn_solveHqp(g->hqp, &(snHqpProblem){k, 2, level, NULL}, &option, force, NULL, NULL, NULL, NULL, &result,
                NULL);
    for (int c = 0; c < k; c++) force[c] = sn_min(sn_max(force[c], low[c]), high[c]);
}

void sn_solveGroup(const snData* d, snActuatorGroups* g, int root, const double* target, double* rest)
{
    if (g->dofs[root] == 1) {
        rest[root] = 0;
        if (g->actuators[root]) solveDof(d, g, root, target[root]);
        return;
    }
    const int n = g->dofs[root], k = g->actuators[root];
    double *reached = g->target, *force = g->least;
    gather(d, g, root);
    for (int r = 0; r < n; r++) reached[r] = target[g->dof[r]];
    if (!solveUnlimited(g, n, k, reached, force)) solveLimited(g, n, k, reached, force);
    for (int c = 0; c < k; c++) g->force[g->actuator[c]] = force[c];
    for (int r = 0; r < n; r++) rest[g->dof[r]] = target[g->dof[r]] - reached[r];
}

int sn_groupRows(const snData* d, snActuatorGroups* g, int root, const double* given, int columns, double* G,
                 double* lower, double* upper)
{
    const int n = g->dofs[root], k = g->actuators[root];
    gather(d, g, root);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < k; c++) g->transposed[c * n + r] = g->arms[r * k + c];
    const int rank = sn_nullBasis(g->transposed, k, n, -1, g->null, g->work), beyond = n - rank;
    const int rows = beyond + (rank == k ? k : 0);
    if (rank == k) sn_pseudoInverse(g->arms, n, k, -1, g->inverse, g->work);
    memset(G, 0, (size_t)rows * (size_t)columns * sizeof(double));
    for (int i = 0; i < rows; i++) {
        double offset = 0;
        for (int r = 0; r < n; r++) {
            const double factor = i < beyond ? g->null[r * beyond + i] : g->inverse[(i - beyond) * n + r];
            G[(size_t)i * (size_t)columns + (size_t)g->dof[r]] = factor;
            offset += factor * given[g->dof[r]];
        }
        lower[i] = offset + (i < beyond ? 0 : g->law[g->actuator[i - beyond]].low);
        upper[i] = offset + (i < beyond ? 0 : g->law[g->actuator[i - beyond]].high);
    }
    return rows;
}
