// A body of mass m and inertia I about its centre of mass c moves with w, e = w', and its centre with the
// acceleration a against gravity. Its inertia takes of a virtual velocity W, U of c the power
//     P = m a . U + B(W, e) + B(W x w, w),   B(x, y) = x . I y.
// When c moves by s, U changes by W x s and a by e x s + w x (w x s); when I turns by t,
//     dB(x, y) = t . (I y x x + I x x y).
#include "derivative/parameter/inertia.h"
#include "derivative/force/gravity.h"
#include "derivative/kinematics/frame.h"
#include "derivative/parameter/wanted.h"
#include "derivative/smooth/bias.h"
#include "model/arena.h"
#include "smooth/kinematics/jacobian.h"

static const snMotion NONE = {{0, 0, 0}, {0, 0, 0}};

bool sn_bodyMotionsAlloc(const snModel* m, snData* d, snBodyMotions* to)
{
    to->v = sn_scratchAlloc(d, (size_t)m->nbody * sizeof *to->v);
    to->a = sn_scratchAlloc(d, (size_t)m->nbody * sizeof *to->a);
    return to->v && to->a;
}

static snMotion sumOf(const snData* d, int first, int end, const double* x)
{
    snMotion sum = NONE;
    for (int k = first; k < end && x; k++)
        sum = sn_motionAddScaled(sum, x[k], sn_motionLoad(d->cdof + 6 * k));
    return sum;
}

// A group of dofs that turns together adds p to the velocity u of a body, u x p + r to its acceleration.
void sn_bodyMotions(const snModel* m, const snData* d, const double* qvel, const double* qacc,
                    const double* gravity, const snBodyMotions* to)
{
    to->v[0] = to->a[0] = NONE;
    if (gravity) to->a[0].lin = sn_v3Neg(sn_v3Load(gravity));
    for (int b = 1; b < m->nbody; b++) {
        snMotion v = to->v[m->body_parentid[b]], a = to->a[m->body_parentid[b]];
        const int end = m->body_dofadr[b] + m->body_dofnum[b];
        for (int k = m->body_dofadr[b]; k >= 0 && k < end;) {
            int last = k + 1;
            while (last < end && sn_firstOfGroup(m, last) == k) last++;
            const snMotion p = sumOf(d, k, last, qvel), r = sumOf(d, k, last, qacc);
            a = sn_motionAdd(a, sn_motionAdd(sn_crossMotion(v, p), r));
            v = sn_motionAdd(v, p);
            k = last;
        }
        to->v[b] = v;
        to->a[b] = a;
    }
}

snVec3 sn_inertiaArm(const snModel* m, const snData* d, int b)
{
    const snVec3 com = sn_v3Load(d->subtree_com + 3 * m->body_rootid[b]);
    return sn_v3Sub(sn_v3Load(d->xipos + 3 * b), com);
}

static void add3(double* to, snVec3 x)
{
    sn_v3Store(to, sn_v3Add(sn_v3Load(to), x));
}

// Motion of a centre of mass.
typedef struct Centre {
    snVec3 W, U, w, e, a;
} Centre;

static Centre centreOf(snMotion virtual, snMotion v, snMotion a, snVec3 arm)
{
    const snVec3 u = sn_velocityAt(v, arm);
    return (Centre){.W = virtual.ang,
                    .U = sn_velocityAt(virtual, arm),
                    .w = v.ang,
                    .e = a.ang,
                    .a = sn_v3Add(sn_velocityAt(a, arm), sn_v3Cross(v.ang, u))};
}

static snVec3 turned(const snMat3* R, const double* moments, snVec3 x)
{
    const snVec3 y = sn_m3TMul(*R, x);
    return sn_m3Mul(*R, sn_v3(moments[0] * y.x, moments[1] * y.y, moments[2] * y.z));
}

// t . (I y x x + I x x y)
static snVec3 byTurn(const snMat3* R, const double* moments, snVec3 x, snVec3 y)
{
    return sn_v3Add(sn_v3Cross(turned(R, moments, y), x), sn_v3Cross(turned(R, moments, x), y));
}

static void addFrame(const snModel* m, const snData* d, int b, const Centre* c, double scale,
                     const snModelGradient* sum)
{
    const snVec3 twist = sn_v3Cross(c->W, c->w);
    const snMat3 Ri = sn_m3Load(d->ximat + 9 * b), R = sn_m3Load(d->xmat + 9 * b);
    if (sum->body_ipos && sn_readsPlace(m->body_sameframe[b])) {
        snVec3 g = sn_v3Cross(c->U, c->e);
        g = sn_v3Add(g, sn_v3Cross(c->w, sn_v3Cross(c->w, c->U)));
        g = sn_v3Add(g, sn_v3Cross(c->a, c->W));
        add3(sum->body_ipos + 3 * b, sn_v3Scale(sn_m3TMul(R, g), scale * m->body_mass[b]));
    }
    if (sum->body_iquat && sn_readsTurn(m->body_sameframe[b])) {
        const double* moments = m->body_inertia + 3 * b;
        const snVec3 g = sn_v3Add(byTurn(&Ri, moments, c->W, c->e), byTurn(&Ri, moments, twist, c->w));
        add3(sum->body_iquat + 3 * b, sn_v3Scale(sn_m3TMul(Ri, g), scale));
    }
}

static void addBody(const snData* d, int b, const Centre* c, double scale, const snModelGradient* sum)
{
    const snMat3 Ri = sn_m3Load(d->ximat + 9 * b);
    const snVec3 twist = sn_v3Cross(c->W, c->w);
    if (sum->body_mass) sum->body_mass[b] += scale * sn_v3Dot(c->a, c->U);
    for (int k = 0; k < 3 && sum->body_inertia; k++) {
        const snVec3 axis = sn_m3Col(Ri, k);
        sum->body_inertia[3 * b + k] += scale * (sn_v3Dot(c->W, axis) * sn_v3Dot(c->e, axis) +
                                                 sn_v3Dot(twist, axis) * sn_v3Dot(c->w, axis));
    }
}

void sn_addInertiaGradient(const snModel* m, const snData* d, const snMotion* virtual,
                           const snBodyMotions* motions, double scale, const snModelGradient* sum)
{
    if (!sn_wantsInertia(sum)) return;
    for (int b = 1; b < m->nbody; b++) {
        if (sn_lastDof(m, b) < 0) continue;
        const Centre c = centreOf(virtual[b], motions -> v[b], motions -> a[b], sn_inertiaArm(m, d, b));
        addBody(d, b, &c, scale, sum);
        addFrame(m, d, b, &c, scale, sum);
    }
}

// A force at the centre of mass of a body, of the virtual velocity W there.
static void followCentre(const snModel* m, const snData* d, int b, snVec3 W, snVec3 force,
                         const snModelGradient* sum)
{
    if (!sum->body_ipos || !sn_readsPlace(m->body_sameframe[b])) return;
    add3(sum->body_ipos + 3 * b, sn_m3TMul(sn_m3Load(d->xmat + 9 * b), sn_v3Cross(force, W)));
}

// What compensates gravity. virtual: without the rows where it does not count.
static void addLift(const snModel* m, const snData* d, const snMotion* virtual, const snModelGradient* sum)
{
    const snVec3 up = sn_v3Neg(sn_v3Load(m->opt.gravity));
    for (int b = 1; b < m->nbody; b++) {
        const double share = m->body_gravcomp[b];
        if (share == 0) continue;
        const snVec3 U = sn_velocityAt(virtual[b], sn_inertiaArm(m, d, b));
        if (sum->body_mass) sum->body_mass[b] += share * sn_v3Dot(up, U);
        if (sum->gravity) add3(sum->gravity, sn_v3Scale(U, -share * m->body_mass[b]));
        followCentre(m, d, b, virtual[b].ang, sn_v3Scale(up, share * m->body_mass[b]), sum);
    }
}

static void addGravity(const snModel* m, const snData* d, const snMotion* virtual, double* gravity)
{
    for (int b = 1; b < m->nbody; b++)
        add3(gravity, sn_v3Scale(sn_velocityAt(virtual[b], sn_inertiaArm(m, d, b)), m->body_mass[b]));
}

// Rows of joints whose actuators bear the lift have it as far as those stand at no limit.
static bool liftVelocity(const snModel* m, snData* d, const double* velocity, const double* open,
                         const snBodyMotions* virtual)
{
    double* to = sn_scratchReal(d, m->nv);
    if (!to) return false;
    const bool actuated = m->nactuator && !(m->opt.disableflags & SN_DSBL_ACTUATION);
    for (int k = 0; k < m->nv; k++) {
        const bool borne = m->jnt_actgravcomp[m->dof_jntid[k]];
        to[k] = !borne ? velocity[k] : actuated ? open[k] : 0;
    }
    sn_bodyMotions(m, d, NULL, to, NULL, virtual);
    return true;
}

snStatus sn_addSmoothGradient(const snModel* m, snData* d, const double* velocity, const double* open,
                              const snModelGradient* sum, snError* error)
{
    if (!sn_wantsInertia(sum) && !sum->gravity) return SN_STATUS_OK;
    const bool heavy = !(m->opt.disableflags & SN_DSBL_GRAVITY);
    const size_t mark = sn_scratchMark(d);
    snBodyMotions virtual, motions;
    bool room = sn_bodyMotionsAlloc(m, d, &virtual) && sn_bodyMotionsAlloc(m, d, &motions);
    if (room) {
        sn_bodyMotions(m, d, NULL, velocity, NULL, &virtual);
        sn_bodyMotions(m, d, d->qvel, d->qacc, heavy ? m->opt.gravity : NULL, &motions);
        sn_addInertiaGradient(m, d, virtual.a, &motions, -1, sum);
        if (sum->gravity && heavy) addGravity(m, d, virtual.a, sum->gravity);
        for (int b = 1; b < m->nbody; b++)
            followCentre(m, d, b, virtual.a[b].ang, sn_v3Load(d->xfrc_applied + 6 * b), sum);
        if (sn_hasGravityCompensation(m)) {
            room = liftVelocity(m, d, velocity, open, &virtual);
            if (room) addLift(m, d, virtual.a, sum);
        }
    }
    sn_scratchRelease(d, mark);
    return room ? SN_STATUS_OK : sn_failRoom(error);
}
