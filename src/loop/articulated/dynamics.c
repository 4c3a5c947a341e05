// Accelerations of a model with closed loops, and nothing else.
#include <sinew/loop.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include <string.h>
#include "loop/acceleration.h"
#include "loop/articulated/articulated.h"
#include "loop/cluster.h"
#include "loop/joint/closure.h"
#include "loop/position.h"
#include "model/arena.h"
#include "smooth/kinematics/resistance.h"

static bool tendonsMatter(const snModel* m, const snData* d)
{
    for (int t = 0; t < m->ntendon; t++)
        if (sn_armatureOfTendon(m, t) != 0) return true;
    for (int e = 0; e < m->neq; e++)
        if (m->eq_type[e] == SN_EQ_TENDON && sn_equalityIsExact(m, d, e)) return true;
    return false;
}

// Where bodies hang together otherwise than as trees of clusters: by the inertia of the dofs.
static bool byInertia(const snModel* m, snData* d, const double* tau, double* qacc)
{
    const int before = d->warning[SN_WARN_CNSTRFULL].number; // stages that find no room only say so
    double* force = sn_scratchReal(d, m->nv);
    if (!force) return false;
    sn_makeM(m, d);
    sn_factorM(m, d);
    if (!sn_loopInertia(m, d, d->qM, true)) return false;
    sn_rne(m, d, 0, force);
    sn_tendonBias(m, d, force);
    for (int i = 0; i < m->nv; i++) force[i] = tau[i] - force[i];
    sn_solveM(m, d, qacc, force, 1);
    return sn_loopAccelerationIn(m, d, NULL, force, qacc) && d->warning[SN_WARN_CNSTRFULL].number == before;
}

static bool accelerate(const snModel* m, snData* d, const double* tau, double* qacc)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    const bool tendons = tendonsMatter(m, d);
    if (tendons) sn_tendon(m, d);
    if (tendons) sn_tendonVelocity(m, d);
    sn_comVel(m, d);
    if (!sn_loopMotion(m, d)) return false;
    return !tendons && sn_clustersAreJoints(m, d) ? sn_articulatedAcceleration(m, d, tau, qacc)
                                                  : byInertia(m, d, tau, qacc);
}

void sn_loopDynamics(const snModel* m, snData* d, const double* tau, double* qacc)
{
    if (m->nv == 0) return;
    const size_t mark = sn_scratchMark(d);
    if (!accelerate(m, d, tau, qacc)) {
        memset(qacc, 0, (size_t)m->nv * sizeof(double));
        sn_warnFull(d);
    }
    sn_scratchRelease(d, mark);
}
