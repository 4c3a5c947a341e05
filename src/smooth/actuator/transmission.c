// In lanes, too: src/batch/lane/prelude.h.
// Lengths and moment arms of actuators (seed 001, "Transmission"): length l(q) and its gradient, sparse by
// rows.
#include "smooth/actuator/transmission.h"
#include <sinew/smooth.h>
#include "math/vec.h"
#include "model/kinds.h"
#include "model/made.h"
#include "smooth/actuator/so3.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/tendon/tendon.h"

// A torque along `gear` in the child frame, or in the parent frame turned into the child's.
static inline snVec3 childGear(const snModel* m, int i, snVec3 gear, snQuat q)
{
    return m->actuator_trntype[i] == SN_TRN_JOINTINPARENT ? sn_quatRotate(sn_quatConj(q), gear) : gear;
}

// Length and moment arms of output `out`, that of actuator i, on joint j; returns the number of dofs.
static int turningArms(const snModel* m, snData* d, int i, int out, int j, real* moment)
{
    const real *q = d->qpos + m->jnt_qposadr[j], *gear = m->actuator_gear + 6 * out;
    if (m->jnt_type[j] == SN_JNT_FREE) {
        d->actuator_length[out] = sn_real(0);
        sn_v3Store(moment, sn_v3Load(gear));
        sn_v3Store(moment + 3, childGear(m, i, sn_v3Load(gear + 3), sn_quatNormalize(sn_quatLoad(q + 3))));
        return 6;
    }
    const snQuat quat = sn_quatNormalize(sn_quatLoad(q));
    const snVec3 g = childGear(m, i, sn_v3Load(gear), quat);
    d->actuator_length[out] = sn_v3Dot(sn_quatToRotvec(quat), g);
    sn_v3Store(moment, g);
    return 3;
}

// Row of an actuator on a joint, at `address`; returns the number of dofs.
static inline int jointRow(const snModel* m, snData* d, int i, int out, int address)
{
    const int j = m->actuator_trnid[2 * i], dof = m->jnt_dofadr[j];
    real* moment = d->actuator_moment + address;
    if (!sn_hasQuaternion(m->jnt_type[j])) {
        const real gear = m->actuator_gear[6 * out];
        d->actuator_length[out] = gear * d->qpos[m->jnt_qposadr[j]];
        *moment = gear;
        d->moment_colind[address] = dof;
        return 1;
    }
    const int num = turningArms(m, d, i, out, j, moment);
    for (int k = 0; k < num; k++) d->moment_colind[address + k] = dof + k;
    return num;
}

// Which arms of a dense row stay, as `dof` [nv] marks them: those that are not 0; in lanes those that can be
// other than 0, the same ones in all states.
#ifdef SN_LANES
static void markDofs(const snModel* m, int body, int* dof)
{
    for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k]) dof[k] = 1;
}

static void markArms(const snModel* m, int i, const real* row, int* dof)
{
    (void)row;
    const int *id = m->actuator_trnid + 2 * i, type = m->actuator_trntype[i];
    for (int k = 0; k < m->nv; k++) dof[k] = type == SN_TRN_BODY;
    if (type != SN_TRN_SITE && type != SN_TRN_SLIDERCRANK && type != SN_TRN_SO3) return;
    for (int k = 0; k < 2; k++)
        if (id[k] >= 0) markDofs(m, m->site_bodyid[id[k]], dof);
}
#else
static void markArms(const snModel* m, int i, const real* row, int* dof)
{
    (void)i;
    for (int k = 0; k < m->nv; k++) dof[k] = row[k] != 0;
}
#endif

// Packs a dense row of an actuator at `address`; returns the number of arms.
static int packRow(const snModel* m, snData* d, int i, int address)
{
    real* row = d->actuator_moment + address;
    int *dof = d->moment_colind + address, num = 0;
    markArms(m, i, row, dof);
    for (int k = 0; k < m->nv; k++) {
        if (!dof[k]) continue;
        row[num] = row[k];
        dof[num++] = k;
    }
    return num;
}

// Row of any other actuator, which `arms` makes, at `address`, where nv numbers fit; returns the number of
// arms.
static int denseRow(const snModel* m, snData* d, int i, int address,
                    real (*arms)(const snModel* m, const snData* d, int i, real* row))
{
    real* row = d->actuator_moment + address;
    memset(row, 0, (size_t)m->nv * sizeof *row);
    d->actuator_length[m->actuator_outadr[i]] = arms(m, d, i, row);
    return packRow(m, d, i, address);
}

// Row number `axis` of an actuator on a relative orientation: of a ball joint its own dof.
static int axisRow(const snModel* m, snData* d, int i, int axis, int address)
{
    real* row = d->actuator_moment + address;
    if (m->actuator_trnid[2 * i + 1] < 0) {
        *row = sn_real(1);
        d->moment_colind[address] = m->jnt_dofadr[m->actuator_trnid[2 * i]] + axis;
        return 1;
    }
    memset(row, 0, (size_t)m->nv * sizeof *row);
    sn_siteTorque(m, d, i, axis, row);
    return packRow(m, d, i, address);
}

static int orientationRows(const snModel* m, snData* d, int i, int address)
{
    const int out = m->actuator_outadr[i], begin = address;
    sn_v3Store(d->actuator_length + out, sn_quatToRotvec(sn_relativeOrientation(m, d, i)));
    for (int axis = 0; axis < 3; axis++) {
        d->moment_rowadr[out + axis] = address;
        d->moment_rownnz[out + axis] = axisRow(m, d, i, axis, address);
        address += d->moment_rownnz[out + axis];
    }
    return address - begin;
}

void sn_transmission(const snModel* m, snData* d)
{
    sn_assertMade(m, d, xquat, site_xpos, site_xmat, cdof, ten_length, contact);
    int address = 0;
    for (int i = 0; i < m->nactuator; i++) {
        const int out = m->actuator_outadr[i];
        int num = 0;
        switch ((snTrnType)m->actuator_trntype[i]) {
        case SN_TRN_JOINT:
        case SN_TRN_JOINTINPARENT: num = jointRow(m, d, i, out, address); break;
        case SN_TRN_TENDON: num = sn_tendonArms(m, d, i, address); break;
        case SN_TRN_SLIDERCRANK: num = denseRow(m, d, i, address, sn_sliderCrank); break;
        case SN_TRN_SITE: num = denseRow(m, d, i, address, sn_siteWrench); break;
        case SN_TRN_BODY: num = denseRow(m, d, i, address, sn_bodyContacts); break;
        case SN_TRN_SO3: address += orientationRows(m, d, i, address); continue;
        case SN_TRN_UNDEFINED: d->actuator_length[out] = sn_real(0); break;
        }
        d->moment_rowadr[out] = address;
        d->moment_rownnz[out] = num;
        address += num;
    }
}
