// For each target: src/target/prelude.h.
// Inverse dynamics by recursive Newton-Euler (Featherstone 2008, 5.3) in body frames: angular velocity w,
// angular acceleration wd and the acceleration a of a link's origin outwards, forces inwards. Accelerations
// are classical: a point r of a link has a + A r, A = [wd x] + [w x][w x]. No velocity of a point is needed.
// Gravity enters as an upward acceleration of the world.
#include <sinew/dynamics.h>
#include "model/arena.h"
#include "model/kinds.h"
#include "smooth/dynamics/link.h"
#include "smooth/kinematics/resistance.h"

typedef struct Link {
    snMat3 R, A;
    snVec3 p, c, w, wd, a;
    snVec3 f, n; // what moves it and all it carries: force, and torque about its origin
    bool centred;
} Link;

typedef struct Task {
    const snModel* m;
    const double *qpos, *qvel, *qacc;
    double* tau;
    snHalfAngles half;
    Link* link; // of body b at b; a joint j before the last of its body at nbody + j
} Task;

// [wd x] + [w x][w x]
static inline snMat3 accelerationMatrix(snVec3 w, snVec3 wd)
{
    const real xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
    return (snMat3){
        {-yy - zz, xy - wd.z, xz + wd.y, xy + wd.z, -xx - zz, yz - wd.x, xz - wd.y, yz + wd.x, -xx - yy}};
}

// The motion of a link that joint j moves, or none, on `up`.
static inline void moveLink(const Task* t, Link* link, const Link* up, int j)
{
    const snModel* m = t->m;
    const int type = j < 0 ? -1 : m->jnt_type[j], k = j < 0 ? 0 : m->jnt_dofadr[j];
    const double *v = t->qvel + k, *acc = t->qacc + k;
    snVec3 w = sn_m3TMul(link->R, up->w), wd = sn_m3TMul(link->R, up->wd);
    snVec3 a = sn_m3TMul(link->R, sn_v3Add(up->a, sn_m3Mul(up->A, link->p)));
    if (type == SN_JNT_HINGE) {
        const snVec3 axis = sn_v3Load(m->jnt_axis + 3 * j), turn = sn_v3Scale(axis, v[0]);
        wd = sn_v3Add(sn_v3AddScaled(wd, acc[0], axis), sn_v3Cross(w, turn));
        w = sn_v3Add(w, turn);
    } else if (type == SN_JNT_SLIDE) {
        const snVec3 axis = sn_v3Load(m->jnt_axis + 3 * j);
        a = sn_v3AddScaled(sn_v3AddScaled(a, acc[0], axis), 2 * v[0], sn_v3Cross(w, axis));
    } else if (type == SN_JNT_BALL) {
        const snVec3 turn = sn_v3Load(v);
        wd = sn_v3Add(sn_v3Add(wd, sn_v3Load(acc)), sn_v3Cross(w, turn));
        w = sn_v3Add(w, turn);
    } else if (type == SN_JNT_FREE) {
        a = sn_v3Add(a, sn_m3TMul(link->R, sn_v3Load(acc)));
        w = sn_v3Load(v + 3);
        wd = sn_v3Load(acc + 3);
    }
    link->w = w;
    link->wd = wd;
    link->A = accelerationMatrix(w, wd);
    link->a = link->centred ? a : sn_v3Sub(a, sn_m3Mul(link->A, link->c));
    link->f = link->n = sn_v3(0, 0, 0);
}

// Torque about the centre of mass: in the principal axes, I wd + w x I w.
static inline snVec3 eulerTorque(const real* I, snVec3 w, snVec3 wd)
{
    return sn_v3(I[0] * wd.x + (I[2] - I[1]) * w.y * w.z, I[1] * wd.y + (I[0] - I[2]) * w.x * w.z,
                 I[2] * wd.z + (I[1] - I[0]) * w.x * w.y);
}

// What the mass of body b needs to move as its link does.
static inline void bodyForce(const snModel* m, int b, Link* link)
{
    const snVec3 c = sn_v3Load(m->body_ipos + 3 * b);
    const real* I = m->body_inertia + 3 * b;
    const int same = m->body_sameframe[b];
    snVec3 n;
    if (same == SN_SAMEFRAME_BODY || same == SN_SAMEFRAME_BODYROT)
        n = eulerTorque(I, link->w, link->wd);
    else {
        const snMat3 R = sn_quatToMat(sn_quatLoad(m->body_iquat + 4 * b));
        n = sn_m3Mul(R, eulerTorque(I, sn_m3TMul(R, link->w), sn_m3TMul(R, link->wd)));
    }
    link->f = sn_v3Scale(sn_v3Add(link->a, sn_m3Mul(link->A, c)), m->body_mass[b]);
    link->n = sn_v3Add(n, sn_v3Cross(c, link->f));
}

static inline void outwards(const Task* t, const snData* d, int b)
{
    const snModel* m = t->m;
    const int begin = m->body_jntadr[b], num = m->body_jntnum[b];
    const Link* up = t->link + m->body_parentid[b];
    for (int i = 0; i < (num ? num : 1); i++) {
        const int j = begin + i;
        Link* link = t->link + (i + 1 < num ? m->nbody + j : b);
        const snLinkFrame x = sn_linkFrame(m, d, t->qpos, &t->half, b, j, i == 0);
        sn_m3Store(link->R.m, x.R);
        link->p = x.p;
        link->c = x.c;
        link->centred = x.centred;
        moveLink(t, link, up, j);
        up = link;
    }
    bodyForce(m, b, t->link + b);
}

// The force of joint j, and what its link asks of `up`; n is the torque about the joint's anchor.
static inline void jointForce(const Task* t, const Link* link, Link* up, int j)
{
    const snModel* m = t->m;
    const int type = j < 0 ? -1 : m->jnt_type[j], k = j < 0 ? 0 : m->jnt_dofadr[j];
    const snVec3 f = link->f, n = link->centred ? link->n : sn_v3Sub(link->n, sn_v3Cross(link->c, f));
    double* tau = t->tau + k;
    const snVec3 force = sn_m3Mul(link->R, f);
    if (sn_isScalarJoint(type))
        tau[0] = sn_armatureOfDof(m, k) * t->qacc[k] +
                 sn_v3Dot(sn_v3Load(m->jnt_axis + 3 * j), type == SN_JNT_HINGE ? n : f);
    else if (type == SN_JNT_FREE || type == SN_JNT_BALL) {
        const bool free = type == SN_JNT_FREE;
        double all[6];
        if (free) sn_v3Store(all, force);
        sn_v3Store(free ? all + 3 : all, n);
        for (int i = 0; i < (free ? 6 : 3); i++)
            tau[i] = all[i] + sn_armatureOfDof(m, k + i) * t->qacc[k + i];
    } else if (j >= 0) // a number that is no type moves nothing
        tau[0] = sn_armatureOfDof(m, k) * t->qacc[k];
    up->f = sn_v3Add(up->f, force);
    up->n = sn_v3Add(up->n, sn_v3Add(sn_m3Mul(link->R, n), sn_v3Cross(link->p, force)));
}

static inline void inwards(const Task* t, int b)
{
    const snModel* m = t->m;
    const int begin = m->body_jntadr[b], num = m->body_jntnum[b];
    const Link* link = t->link + b;
    for (int i = (num ? num : 1) - 1; i >= 0; i--) {
        Link* up = t->link + (i ? m->nbody + begin + i - 1 : m->body_parentid[b]);
        jointForce(t, link, up, begin + i);
        link = up;
    }
}

static void setWorld(const snModel* m, Link* link)
{
    memset(link, 0, sizeof *link);
    if (!(m->opt.disableflags & SN_DSBL_GRAVITY)) link->a = sn_v3Neg(sn_v3Load(m->opt.gravity));
}

__attribute__((flatten)) snStatus sn_inverseDynamics(const snModel* m, snData* d, const double* qpos,
                                                     const double* qvel, const double* qacc, double* tau)
{
    const size_t mark = sn_scratchMark(d);
    Task t = {.m = m, .qpos = qpos, .qvel = qvel, .qacc = qacc, .tau = tau};
    t.link = sn_scratchAlloc(d, (size_t)(m->nbody + m->njnt) * sizeof *t.link);
    if (!t.link || !sn_halfAngles(m, d, qpos, &t.half)) {
        sn_scratchRelease(d, mark);
        return SN_STATUS_NO_MEMORY;
    }
    setWorld(m, t.link);
    for (int b = 1; b < m->nbody; b++) outwards(&t, d, b);
    for (int b = m->nbody - 1; b > 0; b--) inwards(&t, b);
    sn_scratchRelease(d, mark);
    return SN_STATUS_OK;
}
