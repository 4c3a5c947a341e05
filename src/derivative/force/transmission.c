// Lengths and moment arms of actuators, as smooth/actuator/ makes them. Source: seed 001, "Transmission"; the
// derivatives are worked out here.
#include "derivative/force/force.h"
#include "derivative/force/pull.h"
#include "model/kinds.h"
#include "smooth/kinematics/spring.h"
#include "smooth/tendon/tendon.h"

// ---- joints

static snQuat jointQuat(const snModel* m, const snData* d, int j)
{
    const int at = m->jnt_qposadr[j] + sn_jointKind(m->jnt_type[j]).quaternion;
    return sn_quatNormalize(sn_quatLoad(d->qpos + at));
}

// A torque g in the parent's axes is R'g in the child's, and R'g turns by -w x R'g.
static void inParent(const snModel* m, const snData* d, int i, double scale, double* H)
{
    const int j = m->actuator_trnid[2 * i], free = m->jnt_type[j] == SN_JNT_FREE ? 3 : 0;
    if (m->jnt_type[j] != SN_JNT_BALL && !free) return;
    const snVec3 gear = sn_v3Load(m->actuator_gear + 6 * m->actuator_outadr[i] + free);
    const snVec3 g = sn_quatRotate(sn_quatConj(jointQuat(m, d, j)), gear);
    const double turn[9] = {0, -g.z, g.y, g.z, 0, -g.x, -g.y, g.x, 0};
    const int first = m->jnt_dofadr[j] + free;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            H[(size_t)(first + r) * (size_t)m->nv + (size_t)(first + c)] += scale * turn[3 * r + c];
}

// The length of a ball joint is r . gear, r its rotation vector, in the parent's axes, too.
static void jointLength(const snModel* m, const snData* d, int i, double scale, double* gradient)
{
    const int j = m->actuator_trnid[2 * i];
    double* g = gradient + m->jnt_dofadr[j];
    if (m->jnt_type[j] == SN_JNT_FREE) return;
    if (m->jnt_type[j] != SN_JNT_BALL) {
        *g += scale * m->actuator_gear[6 * m->actuator_outadr[i]];
        return;
    }
    const snMat3 K = sn_rotationVectorRate(sn_quatToRotvec(jointQuat(m, d, j)));
    const snVec3 slope = sn_m3TMul(K, sn_v3Load(m->actuator_gear + 6 * m->actuator_outadr[i]));
    sn_v3Store(g, sn_v3AddScaled(sn_v3Load(g), scale, slope));
}

// ---- sites

// The dofs that move one of two bodies and not both, from the last one up: next of them, -1: none is left.
typedef struct Dofs {
    int a, b;
} Dofs;

static Dofs dofsBetween(const snModel* m, int body1, int body2)
{
    return (Dofs){sn_lastDof(m, body1), body2 < 0 ? -1 : sn_lastDof(m, body2)};
}

static int nextDof(const snModel* m, Dofs* dofs)
{
    if (dofs->a == dofs->b) return -1;
    int* last = dofs->a > dofs->b ? &dofs->a : &dofs->b;
    const int k = *last;
    *last = m->dof_parentid[k];
    return k;
}

static snVec3 siteRate(const snModel* m, const snData* d, int site, int k, snVec3* spin)
{
    const int body = m->site_bodyid[site];
    const snMotion rate = sn_bodyRate(m, d, k, body);
    *spin = rate.ang;
    return sn_pointRate(m, d, body, rate, sn_v3Load(d->site_xpos + 3 * site));
}

// Of a force and a torque on the site of actuator i, and back on its reference site, held in the axes of the
// site `frame`.
static void wrenchMoment(const snModel* m, const snData* d, int i, int frame, snVec3 force, snVec3 torque,
                         double scale, double* H)
{
    const int site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * frame);
    const int body = m->site_bodyid[site], other = ref < 0 ? -1 : m->site_bodyid[ref];
    const int stop = ref < 0 ? -1 : sn_lastCommonDof(m, body, other);
    snPull pull = {body, stop, sn_v3Load(d->site_xpos + 3 * site), sn_m3Mul(R, force), sn_m3Mul(R, torque)};
    snPull back = pull;
    if (ref >= 0) back.body = other, back.point = sn_v3Load(d->site_xpos + 3 * ref);
    Dofs dofs = dofsBetween(m, body, other);
    for (int k = nextDof(m, &dofs); k >= 0; k = nextDof(m, &dofs)) {
        snVec3 spin;
        (void)siteRate(m, d, frame, k, &spin);
        snPull rate = {.force = sn_v3Cross(spin, pull.force), .torque = sn_v3Cross(spin, pull.torque)};
        rate.point = siteRate(m, d, site, k, &spin);
        sn_addPullRate(m, d, &pull, k, &rate, scale, H);
        if (ref < 0) continue;
        rate.point = siteRate(m, d, ref, k, &spin);
        sn_addPullRate(m, d, &back, k, &rate, -scale, H);
    }
}

static void siteMoment(const snModel* m, const snData* d, int i, double scale, double* H)
{
    const int site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
    const double* gear = m->actuator_gear + 6 * m->actuator_outadr[i];
    wrenchMoment(m, d, i, ref < 0 ? site : ref, sn_v3Load(gear), sn_v3Load(gear + 3), scale, H);
}

void sn_axisMomentDerivative(const snModel* m, const snData* d, int i, int axis, double scale, double* H)
{
    double unit[3] = {0};
    unit[axis] = 1;
    if (m->actuator_trnid[2 * i + 1] < 0) return; // the axes of a ball joint are its dofs
    wrenchMoment(m, d, i, m->actuator_trnid[2 * i], sn_v3(0, 0, 0), sn_v3Load(unit), scale, H);
}

static snQuat siteQuat(const snModel* m, const snData* d, int site)
{
    return sn_quatMul(sn_quatLoad(d->xquat + 4 * m->site_bodyid[site]), sn_quatLoad(m->site_quat + 4 * site));
}

// (p - o) . R t + r . s with R of the reference site, r the rotation vector from it to the site, in its axes.
static void siteLength(const snModel* m, const snData* d, int i, double scale, double* gradient)
{
    const int site = m->actuator_trnid[2 * i], ref = m->actuator_trnid[2 * i + 1];
    if (ref < 0) return;
    const snVec3 force =
        sn_m3Mul(sn_m3Load(d->site_xmat + 9 * ref), sn_v3Load(m->actuator_gear + 6 * m->actuator_outadr[i]));
    const snVec3 offset = sn_v3Sub(sn_v3Load(d->site_xpos + 3 * site), sn_v3Load(d->site_xpos + 3 * ref));
    const snQuat turn = sn_quatNormalize(sn_quatMul(sn_quatConj(siteQuat(m, d, ref)), siteQuat(m, d, site)));
    const snMat3 K = sn_rotationVectorRate(sn_quatToRotvec(turn)), R = sn_m3Load(d->site_xmat + 9 * site);
    const snVec3 slope =
        sn_m3Mul(R, sn_m3TMul(K, sn_v3Load(m->actuator_gear + 6 * m->actuator_outadr[i] + 3)));
    Dofs dofs = dofsBetween(m, m->site_bodyid[site], m->site_bodyid[ref]);
    for (int k = nextDof(m, &dofs); k >= 0; k = nextDof(m, &dofs)) {
        snVec3 spin, ref_spin;
        const snVec3 rate = siteRate(m, d, site, k, &spin), ref_rate = siteRate(m, d, ref, k, &ref_spin);
        gradient[k] += scale * (sn_v3Dot(sn_v3Sub(rate, ref_rate), force) +
                                sn_v3Dot(offset, sn_v3Cross(ref_spin, force)) +
                                sn_v3Dot(sn_v3Sub(spin, ref_spin), slope));
    }
}

// ---- slider-crank: f = dl/dv = along a + inverse v, torque = a x along v, as in sn_sliderCrank

static void crankMoment(const snModel* m, const snData* d, int i, double scale, double* H)
{
    const int crank = m->actuator_trnid[2 * i], slider = m->actuator_trnid[2 * i + 1];
    const double rod = m->actuator_cranklength[i], gear = m->actuator_gear[6 * m->actuator_outadr[i]];
    const snVec3 origin = sn_v3Load(d->site_xpos + 3 * slider), point = sn_v3Load(d->site_xpos + 3 * crank);
    const snVec3 a = sn_m3Col(sn_m3Load(d->site_xmat + 9 * slider), 2), v = sn_v3Sub(point, origin);
    const double av = sn_v3Dot(a, v), square = av * av + rod * rod - sn_v3Dot(v, v);
    const double inverse = square > 0 ? 1 / sqrt(square) : 0, along = gear * (1 - av * inverse);
    const int body = m->site_bodyid[crank], other = m->site_bodyid[slider];
    snPull pull = {body, -1, point, sn_v3AddScaled(sn_v3Scale(a, along), gear * inverse, v), {0, 0, 0}};
    snPull back = {other, -1, origin, pull.force, sn_v3Neg(sn_v3Cross(a, sn_v3Scale(v, along)))};
    pull.stop = back.stop = sn_lastCommonDof(m, body, other);
    Dofs dofs = dofsBetween(m, body, other);
    for (int k = nextDof(m, &dofs); k >= 0; k = nextDof(m, &dofs)) {
        snVec3 spin, unused;
        const snVec3 origin_rate = siteRate(m, d, slider, k, &spin),
                     point_rate = siteRate(m, d, crank, k, &unused);
        const snVec3 da = sn_v3Cross(spin, a), dv = sn_v3Sub(point_rate, origin_rate);
        const double dav = sn_v3Dot(da, v) + sn_v3Dot(a, dv);
        const double dinverse = -inverse * inverse * inverse * (av * dav - sn_v3Dot(v, dv));
        const double dalong = -gear * (dav * inverse + av * dinverse);
        const snVec3 df = sn_v3Add(sn_v3AddScaled(sn_v3Scale(a, dalong), along, da),
                                   sn_v3Scale(sn_v3AddScaled(sn_v3Scale(v, dinverse), inverse, dv), gear));
        const snVec3 turned = sn_v3Add(sn_v3Cross(da, sn_v3Scale(v, along)),
                                       sn_v3Cross(a, sn_v3AddScaled(sn_v3Scale(v, dalong), along, dv)));
        const snPull rate = {.point = point_rate, .force = df};
        const snPull back_rate = {.point = origin_rate, .force = df, .torque = sn_v3Neg(turned)};
        sn_addPullRate(m, d, &pull, k, &rate, scale, H);
        sn_addPullRate(m, d, &back, k, &back_rate, -scale, H);
    }
}

// ---- any

// The rotation vector r of the child changes by K w, w its turn.
void sn_axisLengthGradient(const snModel* m, const snData* d, int i, int axis, double scale, double* gradient)
{
    const int out = m->actuator_outadr[i];
    const snMat3 K = sn_rotationVectorRate(sn_v3Load(d->actuator_length + out));
    for (int k = 0; k < 3; k++)
        for (int e = d->moment_rowadr[out + k], end = e + d->moment_rownnz[out + k]; e < end; e++)
            gradient[d->moment_colind[e]] += scale * K.m[3 * axis + k] * d->actuator_moment[e];
}

static void addArms(const snModel* m, const snData* d, int i, double scale, double* gradient)
{
    const int out = m->actuator_outadr[i], begin = d->moment_rowadr[out], end = begin + d->moment_rownnz[out];
    for (int e = begin; e < end; e++) gradient[d->moment_colind[e]] += scale * d->actuator_moment[e];
}

void sn_momentDerivative(const snModel* m, const snData* d, int i, double scale, double* H)
{
    switch ((snTrnType)m->actuator_trntype[i]) {
    case SN_TRN_JOINTINPARENT: inParent(m, d, i, scale, H); break;
    case SN_TRN_TENDON:
        sn_tendonLengthDerivative(m, d, m->actuator_trnid[2 * i],
                                  scale * m->actuator_gear[6 * m->actuator_outadr[i]], H);
        break;
    case SN_TRN_SITE: siteMoment(m, d, i, scale, H); break;
    case SN_TRN_SLIDERCRANK: crankMoment(m, d, i, scale, H); break;
    case SN_TRN_JOINT:
    case SN_TRN_SO3:  // sn_axisMomentDerivative's
    case SN_TRN_BODY: // sn_adhesionDerivative's
    case SN_TRN_UNDEFINED: break;
    }
}

void sn_actuatorLengthGradient(const snModel* m, const snData* d, int i, double scale, double* gradient)
{
    switch ((snTrnType)m->actuator_trntype[i]) {
    case SN_TRN_JOINT:
    case SN_TRN_JOINTINPARENT: jointLength(m, d, i, scale, gradient); break;
    case SN_TRN_SITE: siteLength(m, d, i, scale, gradient); break;
    case SN_TRN_TENDON:
    case SN_TRN_SLIDERCRANK: addArms(m, d, i, scale, gradient); break;
    case SN_TRN_SO3:  // sn_axisLengthGradient's
    case SN_TRN_BODY: // its length is 0
    case SN_TRN_UNDEFINED: break;
    }
}
