#include "loop/damper.h"
#include <assert.h>
#include <math.h>
#include <string.h>
#include "loop/cluster.h"
#include "loop/joint/spring.h"
#include "loop/reduced.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "smooth/kinematics/resistance.h"

// 0 where it does not act.
static double actingOf(const snModel* m, const snData* d, int flag, double value)
{
    const int off = flag | SN_DSBL_CONSTRAINT | SN_DSBL_EQUALITY;
    return d->nclosure && !(m->opt.disableflags & off) ? value : 0;
}

static double dampingOf(const snModel* m, const snData* d, int loop)
{
    return actingOf(m, d, SN_DSBL_DAMPER, m->loop_damping[loop]);
}

// Of a spring that the step takes at its end.
static double stiffnessOf(const snModel* m, const snData* d, int loop)
{
    const bool takes = sn_integratorKind(m->opt.integrator).metric;
    return takes ? sn_max(actingOf(m, d, SN_DSBL_SPRING, m->loop_stiffness[loop]), 0) : 0;
}

// What stands before j j' in the matrix of a step.
static double weightOf(const snModel* m, const snData* d, int loop, double h)
{
    return h * (dampingOf(m, d, loop) + h * stiffnessOf(m, d, loop));
}

bool sn_hasLoopDampers(const snModel* m, const snData* d)
{
    for (int l = 0; l < m->nloop; l++)
        if (dampingOf(m, d, l) != 0) return true;
    return false;
}

bool sn_eulerDampsLoops(const snModel* m, const snData* d)
{
    return !(m->opt.disableflags & (SN_DSBL_EULERDAMP | SN_DSBL_DAMPER)) && sn_hasLoopDampers(m, d);
}

static double dot(const double* a, const double* b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// j of a loop joint; returns its mechanism, -1: it moves nothing.
static int rateRow(const snModel* m, snData* d, int loop, double* j)
{
    memset(j, 0, (size_t)m->nv * sizeof(double));
    sn_addLoopFreedom(m, d, loop, 1, j);
    for (int i = 0; i < m->nv; i++)
        if (j[i] != 0) return d->tree_mechanism[m->dof_treeid[i]];
    return -1;
}

// j'g
static double alongParticular(const snData* d, int mechanism, const double* j)
{
    const int* dof = d->mechanism_dof + d->mechanism_dofadr[mechanism];
    double sum = 0;
    for (int i = 0; i < d->mechanism_dofnum[mechanism]; i++) sum += j[dof[i]] * sn_loopParticular(d, dof[i]);
    return sum;
}

bool sn_addLoopDampers(const snModel* m, snData* d, int mechanism, double h, int stride, double* A, double* y)
{
    assert(mechanism >= 0 && mechanism < d->nmechanism);
    const int n = d->mechanism_ynum[mechanism];
    const size_t mark = sn_scratchMark(d);
    double *j = sn_scratchReal(d, m->nv), *r = sn_scratchReal(d, sn_padded(n));
    const bool room = j && r;
    for (int l = 0; l < m->nloop && room; l++) {
        const double hc = weightOf(m, d, l, h);
        if (hc == 0 || rateRow(m, d, l, j) != mechanism) continue;
        sn_loopReduce(d, mechanism, j, r);
        const double along = hc * alongParticular(d, mechanism, j);
        for (int a = 0; a < n; a++) {
            if (y) y[a] -= along * r[a];
            for (int b = 0; b < n && A; b++) A[(size_t)a * (size_t)stride + (size_t)b] += hc * r[a] * r[b];
        }
    }
    sn_scratchRelease(d, mark);
    return room;
}

bool sn_mulLoopDampers(const snModel* m, snData* d, double h, const double* x, double* result)
{
    const size_t mark = sn_scratchMark(d);
    double* j = sn_scratchReal(d, m->nv);
    for (int l = 0; l < m->nloop && j; l++) {
        const double hc = weightOf(m, d, l, h);
        if (hc == 0 || rateRow(m, d, l, j) < 0) continue;
        const double rate = hc * dot(j, x, m->nv);
        for (int i = 0; i < m->nv; i++) result[i] += rate * j[i];
    }
    sn_scratchRelease(d, mark);
    return j != NULL;
}

bool sn_addLoopPull(const snModel* m, snData* d, double* force)
{
    const size_t mark = sn_scratchMark(d);
    double* j = sn_scratchReal(d, m->nv);
    for (int l = 0; l < m->nloop && j; l++) {
        const double hk = m->opt.timestep * stiffnessOf(m, d, l);
        if (hk == 0 || rateRow(m, d, l, j) < 0) continue;
        const double pull = hk * dot(j, d->qvel, m->nv);
        for (int i = 0; i < m->nv; i++) force[i] -= pull * j[i];
    }
    sn_scratchRelease(d, mark);
    return j != NULL;
}

static bool factorMechanism(const snModel* m, snData* d, int k, const snLoopDamped* damped)
{
    const int n = sn_padded(d->mechanism_ynum[k]);
    const size_t mark = sn_scratchMark(d);
    double* reduced = sn_scratchAlloc(d, (size_t)n * (size_t)n * sizeof(double));
    const bool room = reduced && sn_loopReducedH(m, d, k, damped->H, reduced) &&
                      sn_addLoopDampers(m, d, k, m->opt.timestep, n, reduced, NULL);
    const int bad = room ? sn_loopFactor(d, n, reduced, damped->L + d->mechanism_Hadr[k],
                                         damped->inverse + d->mechanism_padadr[k])
                         : -1;
    if (bad > 0) sn_warn(d, SN_WARN_INERTIA, d->mechanism_dof[d->mechanism_dofadr[k]]);
    sn_scratchRelease(d, mark);
    return bad >= 0;
}

bool sn_factorLoopsDamped(const snModel* m, snData* d, snLoopDamped* damped)
{
    damped->H = sn_scratchReal(d, m->nM);
    damped->L = sn_scratchReal(d, d->nmechH);
    damped->inverse = sn_scratchReal(d, d->nmechpad);
    bool room = damped->H && damped->L && damped->inverse;
    if (!room) return false;
    memcpy(damped->H, d->qM, (size_t)m->nM * sizeof(double));
    for (int i = 0; i < m->nv; i++)
        damped->H[m->dof_Madr[i]] += m->opt.timestep * sn_dampingOfDof(m, i, d->qvel[i]);
    for (int k = 0; k < d->nmechanism && room; k++) room = factorMechanism(m, d, k, damped);
    return room;
}
