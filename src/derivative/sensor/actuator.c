// Sensors of joints, tendons, actuators and limits. Source: seed 001, stages 12, 16 and 22; the derivatives
// are worked out here.
#include "derivative/force/actuator.h"
#include <string.h>
#include "derivative/force/force.h"
#include "derivative/force/pull.h"
#include "derivative/force/so3.h"
#include "derivative/sensor/quantity.h"
#include "sensor/value.h"
#include "smooth/actuator/actuation.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/law/law.h"
#include "smooth/actuator/so3.h"
#include "smooth/actuator/transmission.h"
#include "smooth/tendon/tendon.h"

// ---- joints

static int dofOf(const snColumns* c, int s)
{
    return c->m->jnt_dofadr[c->m->sensor_objid[s]];
}

snStatus sn_jointPosAlong(const snColumns* c, int s)
{
    sn_addRow(c, c->along.q, dofOf(c, s), 1, sn_sensorColumn(c, s, 0));
    return SN_STATUS_OK;
}

snStatus sn_jointVelAlong(const snColumns* c, int s)
{
    sn_addRow(c, c->along.v, dofOf(c, s), 1, sn_sensorColumn(c, s, 0));
    return SN_STATUS_OK;
}

snStatus sn_ballAngVelAlong(const snColumns* c, int s)
{
    double* out = sn_sensorColumn(c, s, 0);
    for (int k = 0; k < 3; k++) sn_addRow(c, c->along.v, dofOf(c, s) + k, 1, out + (size_t)k * c->stride);
    return SN_STATUS_OK;
}

// q = q (1, w/2)
snStatus sn_ballQuatAlong(const snColumns* c, int s)
{
    const int joint = c->m->sensor_objid[s], dof = dofOf(c, s);
    const snQuat q = sn_quatNormalize(sn_quatLoad(c->d->qpos + c->m->jnt_qposadr[joint]));
    for (int j = 0; j < c->n && c->along.q; j++) {
        const double* w = c->along.q + (size_t)dof * c->stride + j;
        const snQuat half = {0, 0.5 * w[0], 0.5 * w[c->stride], 0.5 * w[2 * c->stride]};
        sn_putQuat(c, s, j, sn_quatMul(q, half));
    }
    return SN_STATUS_OK;
}

// ---- tendons

// to += scale d (ten_J qvel)
static void tendonVelocityChange(const snColumns* c, int t, double scale, double* to)
{
    const size_t nv = (size_t)c->m->nv;
    const snTendonArms arms = sn_armsOfTendon(c->d, t);
    for (int e = 0; e < arms.num; e++) sn_addRow(c, c->along.v, arms.dofs[e], scale * arms.J[e], to);
    memset(c->square, 0, nv * nv * sizeof(double));
    sn_tendonLengthDerivative(c->m, c->d, t, scale, c->square);
    sn_addCurved(c, c->square, to);
}

snStatus sn_tendonPosAlong(const snColumns* c, int s)
{
    const snTendonArms arms = sn_armsOfTendon(c->d, c->m->sensor_objid[s]);
    double* out = sn_sensorColumn(c, s, 0);
    for (int e = 0; e < arms.num; e++) sn_addRow(c, c->along.q, arms.dofs[e], arms.J[e], out);
    return SN_STATUS_OK;
}

snStatus sn_tendonVelAlong(const snColumns* c, int s)
{
    tendonVelocityChange(c, c->m->sensor_objid[s], 1, sn_sensorColumn(c, s, 0));
    return SN_STATUS_OK;
}

// ---- limits

// Velocity of the limit of a ball joint, -axis . w: the axis r/|r| of its rotation vector r turns with dr = K
// dq.
static void ballLimitVelocity(const snColumns* c, int joint, double* out)
{
    const int dof = c->m->jnt_dofadr[joint];
    const snQuat q = sn_quatNormalize(sn_quatLoad(c->d->qpos + c->m->jnt_qposadr[joint]));
    const snVec3 r = sn_quatToRotvec(q), w = sn_v3Load(c->d->qvel + dof);
    const real angle = sn_v3Norm(r);
    if (angle < SN_MINVAL) return;
    const snVec3 axis = sn_v3Scale(r, 1 / angle);
    const snVec3 across = sn_v3Scale(sn_v3AddScaled(w, -sn_v3Dot(axis, w), axis), -1 / angle);
    double gradient[3];
    sn_v3Store(gradient, sn_m3TMul(sn_rotationVectorRate(r), across));
    for (int k = 0; k < 3; k++) sn_addRow(c, c->along.q, dof + k, gradient[k], out);
}

// out += row r of J times a matrix of directions
static void addJacobianRow(const snColumns* c, int r, const double* matrix, double* out)
{
    const snData* d = c->d;
    const int* dof = d->efc_J_colind + d->efc_J_coladr[r];
    const double* J = d->efc_J + d->efc_J_rowadr[r];
    for (int e = 0; e < d->efc_J_rownnz[r]; e++) sn_addRow(c, matrix, dof[e], J[e], out);
}

static void limitVelocity(const snColumns* c, int r, int id, bool tendon, double* out)
{
    const snModel* m = c->m;
    if (tendon) {
        // of an upper limit the row is that of the tendon turned round
        const bool lower = c->d->efc_pos[r] == c->d->ten_length[id] - m->tendon_range[2 * id];
        tendonVelocityChange(c, id, lower ? 1 : -1, out);
        return;
    }
    addJacobianRow(c, r, c->along.v, out);
    if (m->jnt_type[id] == SN_JNT_BALL) ballLimitVelocity(c, id, out);
}

// Row of the limit, -1: it is not active
static int limitRow(const snColumns* c, int s)
{
    const bool tendon = c->m->sensor_objtype[s] == SN_OBJ_TENDON;
    return sn_limitRow(c->d, tendon ? SN_CNSTR_LIMIT_TENDON : SN_CNSTR_LIMIT_JOINT, c->m->sensor_objid[s]);
}

snStatus sn_limitPosAlong(const snColumns* c, int s)
{
    const int r = limitRow(c, s);
    if (r >= 0) addJacobianRow(c, r, c->along.q, sn_sensorColumn(c, s, 0));
    return SN_STATUS_OK;
}

snStatus sn_limitVelAlong(const snColumns* c, int s)
{
    const int r = limitRow(c, s), id = c->m->sensor_objid[s];
    const bool tendon = c->m->sensor_objtype[s] == SN_OBJ_TENDON;
    if (r >= 0) limitVelocity(c, r, id, tendon, sn_sensorColumn(c, s, 0));
    return SN_STATUS_OK;
}

snStatus sn_limitFrcAlong(const snColumns* c, int s)
{
    const int r = limitRow(c, s);
    if (r >= 0) sn_addRow(c, c->along.f, r, 1, sn_sensorColumn(c, s, 0));
    return SN_STATUS_OK;
}

// ---- actuators

static void lengthChange(const snColumns* c, int i, double scale, double* to)
{
    memset(c->work, 0, (size_t)c->m->nv * sizeof(double));
    sn_actuatorLengthGradient(c->m, c->d, i, scale, c->work);
    sn_addGradient(c, c->along.q, c->work, to);
}

// to += scale d (moment qvel)
static snStatus velocityChange(const snColumns* c, int i, double scale, double* to)
{
    const snModel* m = c->m;
    const snData* d = c->d;
    const size_t nv = (size_t)m->nv;
    if (m->opt.disableflags & SN_DSBL_ACTUATION) return SN_STATUS_OK;
    const int out = m->actuator_outadr[i];
    for (int e = d->moment_rowadr[out], end = e + d->moment_rownnz[out]; e < end; e++)
        sn_addRow(c, c->along.v, d->moment_colind[e], scale * d->actuator_moment[e], to);
    if (m->actuator_trntype[i] == SN_TRN_JOINT) return SN_STATUS_OK;
    memset(c->square, 0, nv * nv * sizeof(double));
    snStatus status = SN_STATUS_OK;
    if (m->actuator_trntype[i] == SN_TRN_BODY)
        status = sn_adhesionDerivative(m, c->d, i, scale, c->square, c->error);
    else
        sn_momentDerivative(m, d, i, scale, c->square);
    sn_addCurved(c, c->square, to);
    return status;
}

// to += scale d (moment qvel) of force `axis` of an orientation servo.
static void axisVelocityChange(const snColumns* c, int i, int axis, double scale, double* to)
{
    const snModel* m = c->m;
    const snData* d = c->d;
    if (m->opt.disableflags & SN_DSBL_ACTUATION) return;
    const int out = m->actuator_outadr[i] + axis;
    for (int e = d->moment_rowadr[out], end = e + d->moment_rownnz[out]; e < end; e++)
        sn_addRow(c, c->along.v, d->moment_colind[e], scale * d->actuator_moment[e], to);
    memset(c->square, 0, (size_t)m->nv * (size_t)m->nv * sizeof(double));
    sn_axisMomentDerivative(m, d, i, axis, scale, c->square);
    sn_addCurved(c, c->square, to);
}

// c->actuator of an orientation servo, within its limit.
static void orientationChange(const snColumns* c, int i, bool bad)
{
    const snModel* m = c->m;
    const snData* d = c->d;
    const snOrientationSlopes s = sn_orientationSlopes(m, d, i, bad);
    const snMat3 turn = sn_m3MulM3(s.limit, s.turn);
    const int act = m->actuator_actadr[i], ctrl = m->actuator_ctrladr[i];
    for (int k = 0; k < 3; k++) {
        double* to = c->actuator + sn_columnAt(c, m->actuator_outadr[i] + k, 0);
        for (int j = 0; j < 3; j++) {
            const int out = m->actuator_outadr[i] + j;
            for (int e = d->moment_rowadr[out], end = e + d->moment_rownnz[out]; e < end; e++)
                sn_addRow(c, c->along.q, d->moment_colind[e], turn.m[3 * k + j] * d->actuator_moment[e], to);
            axisVelocityChange(c, i, j, s.limit.m[3 * k + j] * s.velocity, to);
        }
        const snVec3 row = sn_v3Load(s.limit.m + 3 * k);
        for (int j = 0; j < 3 && act >= 0; j++)
            sn_addRow(c, c->along.act, act + j, sn_v3Dot(row, s.act[j]), to);
        for (int j = 0; j < m->actuator_ctrlnum[i]; j++)
            sn_addRow(c, c->along.u, ctrl + j, sn_v3Dot(row, s.ctrl[j]), to);
    }
}

// c->actuator of actuator i, before any limit; *force: its force there. Of an orientation servo all three,
// within its limit.
static snStatus forceChange(const snColumns* c, int i, bool bad, double* force)
{
    const snModel* m = c->m;
    double* to = c->actuator + sn_columnAt(c, m->actuator_outadr[i], 0);
    *force = 0;
    if (sn_isActuatorDisabled(m, i)) return SN_STATUS_OK;
    const snStatus status = sn_checkForceLaw(m, c->d, i, c->error);
    if (status) return status;
    const snActivationLaw* law = sn_activationLaw(m->actuator_dyntype[i]);
    if (m->actuator_actearly[i] && law->called && law->called(c->d))
        return sn_failActuator(m, i, "the activation of a callback", c->error);
    if (sn_isOrientationServo(m, i)) {
        orientationChange(c, i, bad);
        return SN_STATUS_OK;
    }
    *force = sn_rawForce(m, c->d, i, bad);
    const snActuatorSlopes by = sn_actuatorForceSlopes(m, c->d, i, bad);
    if (by.length != 0) lengthChange(c, i, by.length, to);
    for (int k = 0; k < by.nact; k++) sn_addRow(c, c->along.act, by.act_adr + k, by.act[k], to);
    for (int k = 0; k < by.nctrl; k++) sn_addRow(c, c->along.u, by.ctrl_adr + k, by.ctrl[k], to);
    return by.velocity != 0 ? velocityChange(c, i, by.velocity, to) : SN_STATUS_OK;
}

// Beyond the limit L of the sum S of a tendon's forces p_i, each is p_i L/S.
static void shareTendon(const snColumns* c, int t, double* force)
{
    const snModel* m = c->m;
    double sum = 0;
    memset(c->column, 0, (size_t)c->n * sizeof(double));
    for (int i = 0; i < m->nactuator; i++) {
        if (!sn_pullsTendon(m, i, t)) continue;
        sum += force[i];
        for (int j = 0; j < c->n; j++) c->column[j] += c->actuator[sn_columnAt(c, m->actuator_outadr[i], j)];
    }
    const double share = sn_clampToRange(sum, m->tendon_actfrcrange + 2 * t) / sum;
    if (sum == 0 || share == 1) return;
    for (int i = 0; i < m->nactuator; i++) {
        if (!sn_pullsTendon(m, i, t)) continue;
        for (int j = 0; j < c->n; j++) {
            double* to = c->actuator + sn_columnAt(c, m->actuator_outadr[i], j);
            *to = share * (*to - force[i] / sum * c->column[j]);
        }
        force[i] *= share;
    }
}

snStatus sn_actuatorForceColumns(const snColumns* c)
{
    const snModel* m = c->m;
    memset(c->actuator, 0, (size_t)m->nout * (size_t)c->n * sizeof(double));
    if (m->opt.disableflags & SN_DSBL_ACTUATION) return SN_STATUS_OK;
    const bool bad = sn_badControl(m, c->d) >= 0;
    for (int i = 0; i < m->nactuator; i++) {
        const snStatus status = forceChange(c, i, bad, c->raw + i);
        if (status) return status;
    }
    for (int t = 0; t < m->ntendon; t++)
        if (m->tendon_actfrclimited[t]) shareTendon(c, t, c->raw);
    for (int i = 0; i < m->nactuator; i++) {
        const double *range = m->actuator_forcerange + 2 * i, force = c->raw[i];
        if (!m->actuator_forcelimited[i] || sn_isOrientationServo(m, i) ||
            (range[0] <= force && force <= range[1]))
            continue;
        memset(c->actuator + sn_columnAt(c, m->actuator_outadr[i], 0), 0, (size_t)c->n * sizeof(double));
    }
    return SN_STATUS_OK;
}

snStatus sn_actuatorPosAlong(const snColumns* c, int s)
{
    const int i = c->m->sensor_objid[s];
    double* out = sn_sensorColumn(c, s, 0);
    if (!sn_isOrientationServo(c->m, i)) {
        lengthChange(c, i, 1, out);
        return SN_STATUS_OK;
    }
    for (int k = 0; k < 3; k++) {
        memset(c->work, 0, (size_t)c->m->nv * sizeof(double));
        sn_axisLengthGradient(c->m, c->d, i, k, 1, c->work);
        sn_addGradient(c, c->along.q, c->work, out + (size_t)k * c->stride);
    }
    return SN_STATUS_OK;
}

snStatus sn_actuatorVelAlong(const snColumns* c, int s)
{
    const int i = c->m->sensor_objid[s];
    double* out = sn_sensorColumn(c, s, 0);
    if (!sn_isOrientationServo(c->m, i)) return velocityChange(c, i, 1, out);
    for (int k = 0; k < 3; k++) axisVelocityChange(c, i, k, 1, out + (size_t)k * c->stride);
    return SN_STATUS_OK;
}

snStatus sn_actuatorFrcAlong(const snColumns* c, int s)
{
    const int i = c->m->sensor_objid[s];
    for (int k = 0; k < c->m->actuator_outnum[i]; k++) {
        const double* change = c->actuator + sn_columnAt(c, c->m->actuator_outadr[i] + k, 0);
        memcpy(sn_sensorColumn(c, s, 0) + (size_t)k * c->stride, change, (size_t)c->n * sizeof *change);
    }
    return SN_STATUS_OK;
}

snStatus sn_tendonActFrcAlong(const snColumns* c, int s)
{
    const snModel* m = c->m;
    double* out = sn_sensorColumn(c, s, 0);
    for (int i = 0; i < m->nactuator; i++)
        if (sn_pullsTendon(m, i, m->sensor_objid[s]))
            for (int j = 0; j < c->n; j++) out[j] += c->actuator[sn_columnAt(c, m->actuator_outadr[i], j)];
    return SN_STATUS_OK;
}

// All actuators and what bears weight at a joint
snStatus sn_jointActFrcAlong(const snColumns* c, int s)
{
    const size_t row = (size_t)dofOf(c, s), nv = (size_t)c->m->nv;
    double* out = sn_sensorColumn(c, s, 0);
    sn_addGradient(c, c->along.q, c->joint.q + row * nv, out);
    sn_addGradient(c, c->along.v, c->joint.v + row * nv, out);
    for (int k = 0; k < c->m->na; k++)
        sn_addRow(c, c->along.act, k, c->joint.act[row * (size_t)c->m->na + (size_t)k], out);
    for (int k = 0; k < c->m->nu; k++)
        sn_addRow(c, c->along.u, k, c->joint.u[row * (size_t)c->m->nu + (size_t)k], out);
    return SN_STATUS_OK;
}
