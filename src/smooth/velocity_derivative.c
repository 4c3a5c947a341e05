// In lanes, too: src/batch/lane/prelude.h.
// qDeriv: how passive, actuator and bias forces change with velocity (seed 001, "Numerical integration").
//
// A force on body b with derivative B_b by the body's velocity gives S_i' B_b S_j for all dofs i, j that move
// b, S = cdof. Summed over bodies, dofs i and j of one chain get S_i' B_c S_j with B_c the sum over the
// bodies that the lower of them moves: sums along the tree, as for the composite inertia.
#include "smooth/velocity_derivative.h"
#include <assert.h>
#include <float.h>
#include <sinew/smooth.h>
#include "math/sorted.h"
#include "math/spatial.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "model/made.h"
#include "model/rules.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/law/dispatch.h"
#include "smooth/actuator/so3.h"
#include "smooth/actuator/transmission.h"
#include "smooth/passive/fluid.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/tendon/tendon.h"
#include "smooth/kinematics/resistance.h"

// ---- bias force
//
// Body b has the force I a + v x* I v with v = sum of S_j qvel_j and a = sum of sdot_j qvel_j over its dofs,
// sdot_j = u_j x S_j, u_j the velocity below joint j. As S_j also turns the axes of the later joints,
//     d a_b / d qvel_j = sdot_j + S_j x (v_b - w_j),   w_j the velocity after joint j,
// and with y_j = sdot_j - S_j x w_j the derivative of the force is
//     I y_j + [I (S_j x v) + S_j x* I v + v x* I S_j] = I y_j + C S_j.
// C = v x* I - I v x - [I v]x depends on the body alone. In blocks, with J the rotational inertia, h the
// first moment and p = m v - h x w the linear momentum, it is
//     [ 2 [w]J - tr(J) [w] - 2 [h][v]    0 ]
//     [ -2 [p]                           0 ].

static inline snMat3 cross(snVec3 v)
{
    const real o = sn_real(0);
    return (snMat3){{o, -v.z, v.y, v.z, o, -v.x, -v.y, v.x, o}};
}

static inline void addScaled(snMat3* a, real s, snMat3 b)
{
    for (int k = 0; k < 9; k++) a->m[k] += s * b.m[k];
}

// gradient -= C of body b
static void subtractBias(const snData* d, int b, snForceGradient* gradient)
{
    const snInertia I = sn_inertiaLoad(d->cinert + 10 * b);
    const snMotion v = sn_motionLoad(d->cvel + 6 * b);
    const snMat3 J = {{I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}}, W = cross(v.ang);
    addScaled(&gradient->ww, sn_real(-2), sn_m3MulM3(W, J));
    addScaled(&gradient->ww, I.xx + I.yy + I.zz, W);
    addScaled(&gradient->ww, sn_real(2), sn_m3MulM3(cross(I.h), cross(v.lin)));
    addScaled(&gradient->vw, sn_real(2), cross(sn_inertiaMul(I, v).lin));
}

// y [nv x 6] of the dofs of one joint; v: velocity before it. Returns the velocity after it.
static snMotion jointRates(const snData* d, int k, int count, snMotion v, real* y)
{
    snMotion after = v;
    for (int i = k; i < k + count; i++)
        after = sn_motionAddScaled(after, d->qvel[i], sn_motionLoad(d->cdof + 6 * i));
    for (int i = k; i < k + count; i++) {
        const snMotion s = sn_motionLoad(d->cdof + 6 * i), rate = sn_motionLoad(d->cdof_dot + 6 * i);
        sn_motionStore(y + 6 * i, sn_motionAdd(rate, sn_crossMotion(after, s)));
    }
    return after;
}

static void axisRates(const snModel* m, const snData* d, snGyroBodies bias, real* y)
{
    for (int b = 1; b < m->nbody; b++) {
        if (!sn_hasBias(m, bias, b)) continue;
        snMotion v = sn_motionLoad(d->cvel + 6 * m->body_parentid[b]);
        for (int j = m->body_jntadr[b], end = j + m->body_jntnum[b]; j < end; j++) {
            const int k = m->jnt_dofadr[j], type = m->jnt_type[j];
            const int count = sn_hasQuaternion(type) ? 3 : 1;
            v = jointRates(d, k, count, v, y);
            if (type == SN_JNT_FREE) v = jointRates(d, k + 3, 3, v, y);
        }
    }
}

// ---- the sums along the tree

static inline snForce gradientTMul(const snForceGradient* g, snMotion v)
{
    return (snForce){sn_v3Add(sn_m3TMul(g->ww, v.ang), sn_m3TMul(g->vw, v.lin)),
                     sn_v3Add(sn_m3TMul(g->wv, v.ang), sn_m3TMul(g->vv, v.lin))};
}

static snMask flowing(const snModel* m)
{
    const int off = SN_DSBL_SPRING | SN_DSBL_DAMPER;
    return sn_hasFluid(m) & sn_mask((m->opt.disableflags & off) != off);
}

static bool flows(const snModel* m)
{
    return sn_any(flowing(m));
}

static snFluidPart partOf(snGyroBodies bias, bool whole)
{
    return bias == SN_GYRO_STEP ? SN_FLUID_DRAG : whole ? SN_FLUID_WHOLE : SN_FLUID_SYMMETRIC;
}

// Of the bodies that have any: all in a fluid.
static void bodyGradients(const snModel* m, snData* d, snGyroBodies bias, bool fluid, snForceGradient* B)
{
    for (int b = 1; b < m->nbody; b++) {
        const bool whole = sn_hasBias(m, bias, b);
        if (!whole && !fluid) continue;
        memset(B + b, 0, sizeof *B);
        if (whole) subtractBias(d, b, B + b);
        if (fluid) (void)sn_fluidForce(m, d, b, B + b, partOf(bias, whole));
    }
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b];
        if (!p || !(fluid || sn_hasBias(m, bias, b))) continue;
        real *to = B[p].ww.m, *from = B[b].ww.m;
        for (int k = 0; k < 36; k++) to[k] += from[k];
    }
}

// Row and column of dof k with the dofs above it: with I and B of what k moves,
//     D(i,k) = S_i' (B S_k - I y_k),   D(k,i) = S_k' (B S_i - I y_i).
static void addChain(const snModel* m, snData* d, int k, const snForceGradient* B, const real* y)
{
    const snMotion s = sn_motionLoad(d->cdof + 6 * k);
    snForce column = sn_gradientMul(B, s);
    const snForce row = gradientTMul(B, s);
    snForce momentum = {0};
    if (y) {
        const snInertia I = sn_inertiaLoad(d->crb + 10 * m->dof_bodyid[k]);
        column = sn_forceSub(column, sn_inertiaMul(I, sn_motionLoad(y + 6 * k)));
        momentum = sn_inertiaMul(I, s);
    }
    real* own = d->qDeriv + m->D_rowadr[k];
    own[m->D_diag[k]] += sn_motionDotForce(s, column);
    for (int i = m->dof_parentid[k]; i >= 0; i = m->dof_parentid[i]) {
        const snMotion above = sn_motionLoad(d->cdof + 6 * i);
        d->qDeriv[m->D_rowadr[i] + m->D_diag[i] + k - i] += sn_motionDotForce(above, column);
        own[m->D_diag[i]] += sn_motionDotForce(above, row);
        if (y) own[m->D_diag[i]] -= sn_motionDotForce(sn_motionLoad(y + 6 * i), momentum);
    }
}

static void sumChains(const snModel* m, snData* d, snGyroBodies bias)
{
    const size_t mark = sn_scratchMark(d);
    snForceGradient* B = sn_scratchAlloc(d, (size_t)m->nbody * sizeof *B);
    const bool turns = bias != SN_GYRO_NONE && bias != SN_GYRO_STEP;
    real* y = turns ? sn_scratchReal(d, 6 * m->nv) : NULL;
    if (!B || (turns && !y)) {
        sn_warnFull(d);
    } else {
        if (turns) axisRates(m, d, bias, y);
        const bool fluid = bias != SN_GYRO_TURN && flows(m);
        bodyGradients(m, d, bias, fluid, B);
        for (int k = 0; k < m->nv; k++) {
            const int b = m->dof_bodyid[k];
            const bool whole = sn_hasBias(m, bias, b);
            if (whole || fluid) addChain(m, d, k, B + b, whole ? y : NULL);
        }
    }
    sn_scratchRelease(d, mark);
}

// ---- bodies that move alone and turn about their centre of mass
//
// What pushes such a body does not change with how it turns, nor what turns it with how it moves; of the
// formulas above J y_k and the block [ww] of C are left. Which way a body goes depends on nothing else: a
// simulation has the same bits beside any others.

static snMask turnsAboutCentre(const snModel* m, int b)
{
    const bool single = m->body_rootid[b] == b && (b + 1 == m->nbody || m->body_rootid[b + 1] != b);
    if (!single || m->body_jntnum[b] != 1) return sn_mask(false);
    const real* centre = m->body_ipos + 3 * b;
    return (centre[0] == 0) & (centre[1] == 0) & (centre[2] == 0);
}

// The rows and columns of its dofs, in the lanes of `where`.
static void turnAlone(const snModel* m, snData* d, int b, snMask where)
{
    const snInertia I = sn_inertiaLoad(d->cinert + 10 * b);
    const snMat3 J = {{I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}};
    const snVec3 w = sn_v3Load(d->cvel + 6 * b);
    const real trace = I.xx + I.yy + I.zz;
    const int first = m->body_dofadr[b];
    snVec3 axis[3];
    for (int k = 0; k < 3; k++) axis[k] = sn_v3Load(d->cdof + 6 * (first + 3 + k));
    for (int i = 0; i < 6; i++) {
        real* row = d->qDeriv + m->D_rowadr[first + i];
        for (int k = 0; k < (i < 3 ? 6 : 3); k++) row[k] = sn_select(where, sn_real(0), row[k]);
    }
    for (int k = 0; k < 3; k++) {
        const snVec3 turned = sn_v3Cross(w, axis[k]);
        const snVec3 y = sn_v3Add(sn_v3Load(d->cdof_dot + 6 * (first + 3 + k)), turned);
        snVec3 column = sn_v3Scale(sn_v3Cross(w, sn_m3Mul(J, axis[k])), sn_real(-2));
        column = sn_v3AddScaled(column, trace, turned);
        column = sn_v3Sub(column, sn_m3Mul(J, y));
        for (int i = 0; i < 3; i++) {
            real* own = d->qDeriv + m->D_rowadr[first + 3 + i] + 3 + k;
            *own = sn_select(where, sn_v3Dot(axis[i], column), *own);
        }
    }
}

static void bodies(const snModel* m, snData* d, snGyroBodies bias)
{
    const snMask still = sn_mask(bias == SN_GYRO_LONE) & sn_not(flowing(m));
    snMask all = still;
    for (int b = 1; b < m->nbody && sn_any(all); b++)
        if (sn_hasBias(m, bias, b)) all &= turnsAboutCentre(m, b);
    if (!sn_all(all)) sumChains(m, d, bias);
    for (int b = 1; b < m->nbody && sn_any(still); b++) {
        if (!sn_hasBias(m, bias, b)) continue;
        const snMask where = still & turnsAboutCentre(m, b);
        if (sn_any(where)) turnAlone(m, d, b, where);
    }
}

// ---- actuators

static inline snMask isInside(real x, const real range[2])
{
    return (range[0] < x) & (x < range[1]);
}

// Whether the forces of the actuators of a tendon stand at its limit. What scaled them to it left rounding.
static snMask isTendonSaturated(const snModel* m, const snData* d, int t)
{
    real sum = sn_real(0), size = sn_real(0);
    for (int i = 0; i < m->nactuator; i++) {
        if (!sn_pullsTendon(m, i, t)) continue;
        const bool motor = m->actuator_biastype[i] == SN_BIAS_DCMOTOR; // whose friction is beside the limits
        const real force = d->actuator_force[m->actuator_outadr[i]];
        const real friction = motor ? sn_motorFriction(m, d, i) : sn_real(0);
        sum += force - friction;
        size += fabs(force) + fabs(friction);
    }
    const real *range = m->tendon_actfrcrange + 2 * t, rounding = m->nactuator * DBL_EPSILON * size;
    return sn_not(isInside(sum - rounding, range) & isInside(sum + rounding, range));
}

snMask sn_isActuatorSaturated(const snModel* m, const snData* d, int i)
{
    snMask at_limit = sn_mask(false);
    const bool motor = m->actuator_gaintype[i] == SN_GAIN_DCMOTOR;
    const real *range = m->actuator_forcerange + 2 * i, *force = d->actuator_force + m->actuator_outadr[i];
    if (m->actuator_forcelimited[i] && !motor)
        at_limit =
            sn_isOrientationServo(m, i) ? sn_isTorqueLimited(range, force) : sn_not(isInside(*force, range));
    if (sn_all(at_limit)) return at_limit;
    const int id = m->actuator_trnid[2 * i];
    switch ((snTrnType)m->actuator_trntype[i]) {
    case SN_TRN_JOINT:
    case SN_TRN_JOINTINPARENT:
        if (m->jnt_actfrclimited[id])
            at_limit |= sn_not(isInside(d->qfrc_actuator[m->jnt_dofadr[id]], m->jnt_actfrcrange + 2 * id));
        break;
    case SN_TRN_TENDON:
        if (m->tendon_actfrclimited[id] && !motor) at_limit |= isTendonSaturated(m, d, id);
        break;
    case SN_TRN_SLIDERCRANK:
    case SN_TRN_SITE:
    case SN_TRN_BODY:
    case SN_TRN_SO3:
    case SN_TRN_UNDEFINED: break;
    }
    return at_limit;
}

snMotorSlopes sn_motorSlopesWithin(const snModel* m, const snData* d, int i)
{
    const int tendon = m->actuator_trnid[2 * i];
    const bool shared = m->actuator_trntype[i] == SN_TRN_TENDON && m->tendon_actfrclimited[tendon];
    return sn_motorSlopes(m, d, i, shared ? isTendonSaturated(m, d, tendon) : sn_mask(false));
}

real sn_actuatorDamping(const snModel* m, const snData* d, int i)
{
    if (m->actuator_plugin[i] >= 0) return sn_real(0); // which does not say it
    if (m->actuator_gaintype[i] == SN_GAIN_DCMOTOR) return sn_motorSlopesWithin(m, d, i).velocity;
    const int a = m->actuator_actadr[i];
    const real bias = sn_lawBiasVelocity(m, i);
    const real u = a >= 0 ? d->act[a + m->actuator_actnum[i] - 1] : sn_actuatorControl(m, d, i);
    return sn_select(fabs(u) <= SN_MAXVAL, bias + sn_lawGainVelocity(m, d, i) * u, bias);
}

// D += scale x x' for a sparse x of ascending indices; what couples dofs of different chains has no place and
// is left out.
static void addSquare(const snModel* m, snData* d, const int* index, const real* x, int count, real scale)
{
    assert(sn_isAscending(index, count, m->nv));
    for (int r = 0; r < count; r++) {
        const int i = index[r];
        real* own = d->qDeriv + m->D_rowadr[i];
        for (int c = 0; c < r; c++) {
            const int j = index[c];
            if (!sn_haveOneChain(m, j, i)) continue;
            const int above = m->D_diag[j];
            own[above] += scale * x[r] * x[c];
            d->qDeriv[m->D_rowadr[j] + above + i - j] += scale * x[c] * x[r];
        }
        own[m->D_diag[i]] += scale * x[r] * x[r];
    }
}

static snMask isLeftOut(const snModel* m, const snData* d, int i, const unsigned char* place)
{
    if (!place || place[i] == SN_PLACE_ASK) return sn_isActuatorSaturated(m, d, i);
    return sn_mask(place[i] != SN_PLACE_INSIDE);
}

static void actuators(const snModel* m, snData* d, const unsigned char* place)
{
    if (m->opt.disableflags & SN_DSBL_ACTUATION) return;
    for (int i = 0; i < m->nactuator; i++) {
        if (sn_isActuatorDisabled(m, i)) continue;
        const real b = sn_actuatorDamping(m, d, i);
        const snMask none = b == 0;
        if (sn_all(none)) continue;
        const snMask left_out = none | isLeftOut(m, d, i, place);
        if (sn_all(left_out)) continue;
        for (int out = m->actuator_outadr[i], end = out + m->actuator_outnum[i]; out < end; out++) {
            const int at = d->moment_rowadr[out];
            addSquare(m, d, d->moment_colind + at, d->actuator_moment + at, d->moment_rownnz[out],
                      sn_select(left_out, 0, b));
        }
    }
}

// Dampers of tendons: -b J' J.
static void tendons(const snModel* m, snData* d)
{
    for (int t = 0; t < m->ntendon; t++) {
        const real b = sn_dampingOfTendon(m, t, d->ten_velocity[t]);
        if (sn_all(b == 0)) continue;
        const snTendonArms arms = sn_armsOfTendon(d, t);
        addSquare(m, d, arms.dofs, arms.J, arms.num, -b);
    }
}

snGyroBodies sn_biasOfStep(const snModel* m)
{
    const snIntegratorKind kind = sn_integratorKind(m->opt.integrator);
    if (kind.bias) return SN_GYRO_ALL;
    if (!kind.implicit || !sn_means(m->physics, SN_RULE_GYROSCOPIC)) return SN_GYRO_NONE;
    for (int j = 0; j < m->njnt; j++)
        if (sn_isLone(m, m->jnt_bodyid[j])) return SN_GYRO_LONE;
    return SN_GYRO_NONE;
}

void sn_bodyVel(const snModel* m, snData* d, snGyroBodies bias)
{
    sn_assertMade(m, d, cvel, cinert, cdof, cdof_dot, crb);
    memset(d->qDeriv, 0, (size_t)m->nD * sizeof(real));
    if (bias || sn_any(sn_hasFluid(m))) bodies(m, d, bias);
}

void sn_smoothVelAt(const snModel* m, snData* d, snGyroBodies bias, const unsigned char* place)
{
    sn_assertMade(m, d, moment_rowadr, moment_rownnz, actuator_length, actuator_velocity, actuator_force,
                  qfrc_actuator);
    sn_bodyVel(m, d, bias);
    actuators(m, d, place);
    if (m->opt.disableflags & SN_DSBL_DAMPER) return;
    if (sn_anyTendonDamper(m)) tendons(m, d);
    for (int k = 0; k < m->nv; k++)
        d->qDeriv[m->D_rowadr[k] + m->D_diag[k]] -= sn_dampingOfDof(m, k, d->qvel[k]);
}

void sn_smoothVel(const snModel* m, snData* d, int flg_bias)
{
    sn_smoothVelAt(m, d, flg_bias ? SN_GYRO_ALL : SN_GYRO_NONE, NULL);
}
