// Derivatives of velocity and acceleration by position, velocity and acceleration.
//
// About a fixed point, with u the velocity before the group of dof i (what carries it), and v, a those of the
// body, which come from the dofs k of its chain as v = sum S_k qvel_k, a = sum (u_k x S_k) qvel_k + S_k
// qacc_k: dof i moves all axes from its group on, so with `rest` the parts of v and a that these dofs give,
//     dv/dq_i = S_i x rest_v,                           dv/dqvel_i = S_i,
//     da/dq_i = S_i x rest_a - (S_i x u) x rest_v,      da/dqvel_i = u x S_i + S_i x behind_v,
// where behind_v is rest_v without the group itself. (Jacobi's identity; Carpentier and Mansard 2018, 3.)
// The point of the frame moves, too: by J_i.
#include <sinew/kinematics_derivative.h>
#include "derivative/kinematics/frame.h"
#include "derivative/kinematics/rate.h"
#include "smooth/kinematics/jacobian.h"

typedef struct Frame {
    snBodyFrame fixed;
    int flg_local;
    snMotion velocity, acceleration; // of the body, com
    snVec3 point_velocity;
    snMotion shown; // what is differentiated: velocity or acceleration at the point
} Frame;

static inline snMotion scaled(const real* motion, real s)
{
    return sn_motionAddScaled((snMotion){{0, 0, 0}, {0, 0, 0}}, s, sn_motionLoad(motion));
}

static inline snMotion minus(snMotion a, snMotion b)
{
    return sn_motionAddScaled(a, -1, b);
}

// turn: rotation of the frame's axes by the dof, of which the axes' own part goes off
static void put(const snModel* m, const Frame* f, double* to, int k, snMotion change, snVec3 turn)
{
    if (f->flg_local) {
        change.ang = sn_m3TMul(f->fixed.R, sn_v3Sub(change.ang, sn_v3Cross(turn, f->shown.ang)));
        change.lin = sn_m3TMul(f->fixed.R, sn_v3Sub(change.lin, sn_v3Cross(turn, f->shown.lin)));
    }
    const double column[6] = {change.ang.x, change.ang.y, change.ang.z,
                              change.lin.x, change.lin.y, change.lin.z};
    for (int r = 0; r < 6; r++) to[(size_t)r * (size_t)m->nv + (size_t)k] = column[r];
}

static void clear(const snModel* m, double* to)
{
    if (to) memset(to, 0, 6 * (size_t)m->nv * sizeof *to);
}

static const snVec3 STILL = {0, 0, 0};

// A motion about the tree's centre of mass, at the point
static snMotion atPoint(const Frame* f, snMotion v)
{
    return (snMotion){v.ang, sn_velocityAt(v, f->fixed.arm)};
}

// Change of the velocity at the point that itself moves with J
static snMotion velocityChange(const Frame* f, snMotion change, snVec3 J)
{
    change = atPoint(f, change);
    change.lin = sn_v3Add(change.lin, sn_v3Cross(f->velocity.ang, J));
    return change;
}

static snStatus frameOf(const snModel* m, const snData* d, int objtype, int objid, const double* point,
                        int flg_local, Frame* f, snError* error)
{
    const snStatus status = sn_bodyFrame(m, d, objtype, objid, point, &f->fixed, error);
    if (status) return status;
    f->flg_local = flg_local;
    f->velocity = sn_motionLoad(d->cvel + 6 * f->fixed.body);
    f->shown = atPoint(f, f->velocity);
    f->point_velocity = f->shown.lin;
    return SN_STATUS_OK;
}

snStatus sn_objectVelocityDerivative(const snModel* m, const snData* d, int objtype, int objid,
                                     const double* point, int flg_local, double* q, double* v, snError* error)
{
    Frame f;
    const snStatus status = frameOf(m, d, objtype, objid, point, flg_local, &f, error);
    if (status) return status;
    clear(m, q);
    clear(m, v);
    snMotion rest = {{0, 0, 0}, {0, 0, 0}};
    for (int k = sn_lastDof(m, f.fixed.body), first; k >= 0; k = m->dof_parentid[first]) {
        first = sn_firstOfGroup(m, k);
        for (int i = first; i <= k; i++) rest = sn_motionAdd(rest, scaled(d->cdof + 6 * i, d->qvel[i]));
        for (int i = first; i <= k; i++) {
            const snMotion s = sn_motionLoad(d->cdof + 6 * i), J = atPoint(&f, s);
            if (q) put(m, &f, q, i, velocityChange(&f, sn_crossMotion(s, rest), J.lin), s.ang);
            if (v) put(m, &f, v, i, J, STILL);
        }
    }
    return SN_STATUS_OK;
}

// a_p = a + alpha x arm + w x v_p: the change of the acceleration of the point, from those of a and v about
// the fixed point and of the point by J.
static snMotion accelerationChange(const Frame* f, snMotion da, snMotion dv, snVec3 J)
{
    const snVec3 point = velocityChange(f, dv, J).lin;
    da = atPoint(f, da);
    da.lin = sn_v3Add(da.lin, sn_v3Cross(f->acceleration.ang, J));
    da.lin = sn_v3Add(da.lin, sn_v3Cross(dv.ang, f->point_velocity));
    da.lin = sn_v3Add(da.lin, sn_v3Cross(f->velocity.ang, point));
    return da;
}

// What dof k adds to the acceleration of the bodies that it moves; qacc [nv], NULL: zero
static snMotion dofAcceleration(const snData* d, const double* qacc, int k)
{
    const snMotion a = scaled(d->cdof_dot + 6 * k, d->qvel[k]);
    return qacc ? sn_motionAdd(a, scaled(d->cdof + 6 * k, qacc[k])) : a;
}

static void accelerate(const snModel* m, const snData* d, const double* qacc, int flg_gravity, Frame* f)
{
    f->acceleration = (snMotion){{0, 0, 0}, {0, 0, 0}};
    for (int k = sn_lastDof(m, f->fixed.body); k >= 0; k = m->dof_parentid[k])
        f->acceleration = sn_motionAdd(f->acceleration, dofAcceleration(d, qacc, k));
    f->shown = atPoint(f, f->acceleration);
    f->shown.lin = sn_v3Add(f->shown.lin, sn_v3Cross(f->velocity.ang, f->point_velocity));
    if (flg_gravity && !(m->opt.disableflags & SN_DSBL_GRAVITY))
        f->shown.lin = sn_v3Sub(f->shown.lin, sn_v3Load(m->opt.gravity));
}

// q, v, a [6 x nv] of the acceleration at the frame's point; each may be NULL
static void accelerationColumns(const snModel* m, const snData* d, const double* qacc, const Frame* f,
                                double* q, double* v, double* a)
{
    clear(m, q);
    clear(m, v);
    clear(m, a);
    snMotion rest_v = {{0, 0, 0}, {0, 0, 0}}, rest_a = rest_v;
    for (int k = sn_lastDof(m, f->fixed.body), first; k >= 0; k = m->dof_parentid[first]) {
        first = sn_firstOfGroup(m, k);
        const snMotion behind = rest_v;
        for (int i = first; i <= k; i++) {
            rest_v = sn_motionAdd(rest_v, scaled(d->cdof + 6 * i, d->qvel[i]));
            rest_a = sn_motionAdd(rest_a, dofAcceleration(d, qacc, i));
        }
        const snMotion before = minus(f->velocity, rest_v);
        for (int i = first; i <= k; i++) {
            const snMotion s = sn_motionLoad(d->cdof + 6 * i), J = atPoint(f, s);
            const snMotion dv = sn_crossMotion(s, rest_v);
            const snMotion da =
                minus(sn_crossMotion(s, rest_a), sn_crossMotion(sn_crossMotion(s, before), rest_v));
            const snMotion rate = sn_motionAdd(sn_motionLoad(d->cdof_dot + 6 * i), sn_crossMotion(s, behind));
            if (q) put(m, f, q, i, accelerationChange(f, da, dv, J.lin), s.ang);
            if (v) put(m, f, v, i, accelerationChange(f, rate, s, STILL), STILL);
            if (a) put(m, f, a, i, J, STILL);
        }
    }
}

snStatus sn_objectAccelerationDerivative(const snModel* m, const snData* d, int objtype, int objid,
                                         const double* point, int flg_local, int flg_gravity, double* q,
                                         double* v, double* a, snError* error)
{
    Frame f;
    const snStatus status = frameOf(m, d, objtype, objid, point, flg_local, &f, error);
    if (status) return status;
    accelerate(m, d, d->qacc, flg_gravity, &f);
    accelerationColumns(m, d, d->qacc, &f, q, v, a);
    return SN_STATUS_OK;
}

void sn_pointRateDerivative(const snModel* m, const snData* d, int body, const double point[3], double* q,
                            double* v)
{
    Frame f;
    if (frameOf(m, d, SN_OBJ_XBODY, body, point, false, &f, NULL)) return; // there is such a body
    accelerate(m, d, NULL, false, &f);
    accelerationColumns(m, d, NULL, &f, q, v, NULL);
}
