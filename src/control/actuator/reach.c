// Dofs of actuators: see reach.h.
#include "control/actuator/reach.h"
#include <math.h>
#include <sinew/noise.h>
#include <sinew/smooth.h>
#include "control/actuator/law.h"
#include "math/vec.h"
#include "model/kinds.h"
#include "smooth/actuator/activation.h"

enum { REACH_POSES = 4 };

bool sn_isActuatorOnJoint(const snModel* m, int i)
{
    const int type = m->actuator_trntype[i], joint = m->actuator_trnid[2 * i];
    if ((type != SN_TRN_JOINT && type != SN_TRN_JOINTINPARENT) || joint < 0) return false;
    return sn_isScalarJoint(m->jnt_type[joint]);
}

// A pose near qpos0, the first one qpos0 itself: arms that are 0 in one are hardly so in all.
static void pose(const snModel* m, snData* d, int index)
{
    for (int k = 0; k < m->nq; k++) {
        double away;
        sn_noise(&away, 1, 1, (uint64_t)index * (uint64_t)m->nq + (uint64_t)k);
        d->qpos[k] = m->qpos0[k] + (index ? 0.3 * away : 0);
    }
    for (int j = 0; j < m->njnt; j++) {
        const int quaternion = sn_jointKind(m->jnt_type[j]).quaternion;
        if (quaternion < 0) continue;
        double* q = d->qpos + m->jnt_qposadr[j] + quaternion;
        sn_quatStore(q, sn_quatNormalize(sn_quatLoad(q)));
    }
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_tendon(m, d);
    sn_transmission(m, d);
}

// A tendon inside a robot does not move its base: arms of rounding are none.
static const double ROUNDING = 1e-10;

static void addArms(const snModel* m, const snData* d, int i, unsigned char flags, unsigned char* reach)
{
    const int out = m->actuator_outadr[i], last = out + m->actuator_outnum[i] - 1;
    const int first = d->moment_rowadr[out], end = d->moment_rowadr[last] + d->moment_rownnz[last];
    double largest = 0;
    for (int e = first; e < end; e++) largest = sn_max(fabs(d->actuator_moment[e]), largest);
    for (int e = first; e < end; e++)
        if (fabs(d->actuator_moment[e]) > ROUNDING * largest) reach[d->moment_colind[e]] |= flags;
}

static unsigned char flagsOf(const snModel* m, int i)
{
    if (sn_isActuatorDisabled(m, i) || m->opt.disableflags & SN_DSBL_ACTUATION) return 0;
    if (m->actuator_trntype[i] == SN_TRN_BODY) return 0;
    if (!sn_isActuatorSpanned(m, i)) return SN_REACH_ANY;
    return SN_REACH_ANY | SN_REACH_SPANNED | (sn_isActuatorOnJoint(m, i) ? 0 : SN_REACH_SHARED);
}

bool sn_actuatorReach(const snModel* m, unsigned char* reach)
{
    memset(reach, 0, (size_t)m->nv);
    bool posed = false;
    for (int i = 0; i < m->nactuator; i++) {
        if (!sn_isActuatorOnJoint(m, i))
            posed = posed || flagsOf(m, i);
        else if (m->actuator_gear[6 * m->actuator_outadr[i]] != 0)
            reach[m->jnt_dofadr[m->actuator_trnid[2 * i]]] |= flagsOf(m, i);
    }
    if (!posed) return true;
    snData* d = sn_makeData(m);
    if (!d) return false;
    for (int p = 0; p < REACH_POSES; p++) {
        pose(m, d, p);
        for (int i = 0; i < m->nactuator; i++)
            if (!sn_isActuatorOnJoint(m, i)) addArms(m, d, i, flagsOf(m, i), reach);
    }
    sn_deleteData(d);
    return true;
}
