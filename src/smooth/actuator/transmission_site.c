// In lanes, too: src/batch/lane/prelude.h.
// Actuators on sites (seed 001, "Transmission": site, slider-crank).
#include "smooth/kinematics/jacobian.h"
#include "smooth/actuator/transmission.h"

// row += sign J'(force, torque) for a world point of a body.
static void addWrench(const snModel* m, const snData* d, int body, snVec3 point, snVec3 force, snVec3 torque,
                      real sign, real* row)
{
    const snVec3 arm = sn_v3Sub(point, sn_treeCom(m, d, body));
    for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k]) {
        const snMotion s = sn_motionLoad(d->cdof + 6 * k);
        const snVec3 velocity = sn_v3Add(s.lin, sn_v3Cross(s.ang, arm));
        row[k] += sign * (sn_v3Dot(velocity, force) + sn_v3Dot(s.ang, torque));
    }
}

// Clears the arms of the dofs that move both bodies.
static void dropCommonDofs(const snModel* m, int body1, int body2, real* row)
{
    int a = sn_lastDof(m, body1), b = sn_lastDof(m, body2);
    while (a >= 0 && b >= 0 && a != b) {
        if (a > b)
            a = m->dof_parentid[a];
        else
            b = m->dof_parentid[b];
    }
    if (a != b) return;
    for (; a >= 0; a = m->dof_parentid[a]) row[a] = sn_real(0);
}

static snQuat siteQuat(const snModel* m, const snData* d, int site)
{
    return sn_quatMul(sn_quatLoad(d->xquat + 4 * m->site_bodyid[site]), sn_quatLoad(m->site_quat + 4 * site));
}

real sn_siteWrench(const snModel* m, const snData* d, int i, real* row)
{
    const int site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
    const real* gear = m->actuator_gear + 6 * m->actuator_outadr[i];
    const snVec3 translation = sn_v3Load(gear), rotation = sn_v3Load(gear + 3);
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * (ref < 0 ? site : ref));
    const snVec3 force = sn_m3Mul(R, translation), torque = sn_m3Mul(R, rotation);
    const snVec3 point = sn_v3Load(d->site_xpos + 3 * site);
    const int body = m->site_bodyid[site];
    addWrench(m, d, body, point, force, torque, sn_real(1), row);
    if (ref < 0) return sn_real(0);
    const snVec3 origin = sn_v3Load(d->site_xpos + 3 * ref);
    addWrench(m, d, m->site_bodyid[ref], origin, force, torque, sn_real(-1), row);
    dropCommonDofs(m, body, m->site_bodyid[ref], row);
    const snQuat turn = sn_quatNormalize(sn_quatMul(sn_quatConj(siteQuat(m, d, ref)), siteQuat(m, d, site)));
    return sn_v3Dot(sn_v3Sub(point, origin), force) + sn_v3Dot(sn_quatToRotvec(turn), rotation);
}

void sn_siteTorque(const snModel* m, const snData* d, int i, int axis, real* row)
{
    const int site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
    const int body = m->site_bodyid[site], parent = m->site_bodyid[ref];
    const snVec3 none = sn_v3(0, 0, 0), torque = sn_m3Col(sn_m3Load(d->site_xmat + 9 * site), axis);
    addWrench(m, d, body, sn_v3Load(d->site_xpos + 3 * site), none, torque, sn_real(1), row);
    addWrench(m, d, parent, sn_v3Load(d->site_xpos + 3 * ref), none, torque, sn_real(-1), row);
    dropCommonDofs(m, body, parent, row);
}

// With v from the slider's site to the crank, a the slider's axis and r the rod, the rod meets the axis at
//   l = a.v - s,  s^2 = (a.v)^2 + r^2 - v.v,
// so that dl/dv = a (1 - a.v/s) + v/s and dl/da = v (1 - a.v/s). Out of reach, where s^2 <= 0, l = a.v.
real sn_sliderCrank(const snModel* m, const snData* d, int i, real* row)
{
    const int crank = m->actuator_trnid[2 * i], slider = m->actuator_trnid[2 * i + 1];
    const real rod = m->actuator_cranklength[i], gear = m->actuator_gear[6 * m->actuator_outadr[i]];
    const snVec3 origin = sn_v3Load(d->site_xpos + 3 * slider);
    const snVec3 point = sn_v3Load(d->site_xpos + 3 * crank);
    const snVec3 axis = sn_m3Col(sn_m3Load(d->site_xmat + 9 * slider), 2);
    const snVec3 v = sn_v3Sub(point, origin);
    const real av = sn_v3Dot(axis, v), square = av * av + rod * rod - sn_v3Dot(v, v);
    const snMask reach = square > 0;
    const real root = sn_any(reach) ? sqrt(square) : sn_real(0);
    const real s = sn_select(reach, root, 0), inverse = sn_select(reach, 1 / root, 0);
    const real along = gear * (1 - av * inverse);
    const snVec3 force = sn_v3AddScaled(sn_v3Scale(axis, along), gear * inverse, v);
    // the axis turns with the slider: dl/da . (w x a) = w . (a x dl/da)
    const snVec3 torque = sn_v3Cross(axis, sn_v3Scale(v, along));
    addWrench(m, d, m->site_bodyid[crank], point, force, sn_v3(0, 0, 0), sn_real(1), row);
    addWrench(m, d, m->site_bodyid[slider], origin, force, sn_v3Neg(torque), sn_real(-1), row);
    return gear * (av - s);
}
