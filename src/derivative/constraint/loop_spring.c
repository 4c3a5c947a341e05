#include "derivative/constraint/loop_spring.h"
#include <string.h>
#include "base/error.h"
#include "derivative/constraint/loop_joint.h"
#include "loop/joint/spring.h"
#include "model/arena.h"
#include "smooth/kinematics/jacobian.h"

static snForce alongFreedom(const snModel* m, int loop, double force)
{
    const snVec3 z = {0, 0, force}, none = {0, 0, 0};
    return m->loop_type[loop] == SN_LOOP_PRISMATIC ? (snForce){none, z} : (snForce){z, none};
}

// Stiffness and damping that act.
typedef struct Law {
    double stiffness, damping;
} Law;

static Law lawOf(const snModel* m, int loop, bool springs)
{
    const int off = m->opt.disableflags;
    return (Law){springs && !(off & SN_DSBL_SPRING) ? m->loop_stiffness[loop] : 0,
                 off & SN_DSBL_DAMPER ? 0 : m->loop_damping[loop]};
}

static double rateOf(const snModel* m, int loop, snMotion v)
{
    return m->loop_type[loop] == SN_LOOP_PRISMATIC ? v.lin.z : v.ang.z;
}

static void addJoint(const snModel* m, const snData* d, int loop, Law law, const snLoopBodies* bodies,
                     snRowChange* change, double* q)
{
    const snClosure c = sn_closure(m, d, loop);
    const snLoopPose pose = sn_loopPose(m, d, &c.frames);
    const double stretch = law.stiffness != 0 ? sn_loopStretch(m, loop, &pose) : 0;
    const double force = -law.stiffness * stretch - law.damping * rateOf(m, loop, pose.v_J);
    const snJointMotion j = sn_jointMotion(m, d, &c, bodies, alongFreedom(m, loop, force));
    const int* body = c.frames.body;
    sn_pullDofs(m, (int[]){sn_lastDof(m, body[0]), sn_lastDof(m, body[1])}, change);
    for (int k = 0; k < change->n; k++) {
        snMotion x;
        const snLoopMove by = sn_jointMove(&j, bodies, change->dof[k], &x);
        const double way =
            m->loop_type[loop] == SN_LOOP_PRISMATIC ? sn_wayChange(&pose, &by) : sn_turnChange(&pose, &by);
        const double df = -law.stiffness * way - law.damping * rateOf(m, loop, by.v);
        sn_jointWrenches(d, &j, alongFreedom(m, loop, df), x, k, change);
    }
    for (int i = 0; i < change->n; i++)
        if (change->sides[i] != 3) sn_pullRow(m, d, &j.pull, bodies->start, i, change, q);
}

// The force -damping j'v j, j the row that takes velocities to the freedom's rate.
static void addDamper(const snModel* m, const snData* d, int loop, double damping, double* j, double* v)
{
    const size_t nv = (size_t)m->nv;
    memset(j, 0, nv * sizeof(double));
    sn_addLoopFreedom(m, d, loop, 1, j);
    for (size_t r = 0; r < nv; r++)
        for (size_t c = 0; c < nv; c++) v[r * nv + c] -= damping * j[r] * j[c];
}

snStatus sn_loopSpringDerivative(const snModel* m, snData* d, bool springs, double* q, double* v,
                                 snError* error)
{
    snLoopBodies bodies;
    snRowChange change;
    bool any = false;
    for (int l = 0; l < m->nloop && d->nclosure; l++)
        any = any || m->loop_stiffness[l] != 0 || m->loop_damping[l] != 0;
    if (!any) return SN_STATUS_OK;
    const size_t mark = sn_scratchMark(d);
    double* j = sn_scratchReal(d, m->nv);
    const bool room = j && sn_loopBodies(m, d, &bodies) && sn_changeAllocate(m, d, &change);
    for (int l = 0; l < m->nloop && room; l++) {
        const Law law = lawOf(m, l, springs);
        if (q && (law.stiffness != 0 || law.damping != 0)) addJoint(m, d, l, law, &bodies, &change, q);
        if (v && law.damping != 0) addDamper(m, d, l, law.damping, j, v);
    }
    sn_scratchRelease(d, mark);
    if (room) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_NO_MEMORY, "derivatives of loops do not fit in the arena");
}
