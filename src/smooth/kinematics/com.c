// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// Centres of mass, and what is expressed at them: body inertias and motion axes in world-aligned axes at the
// centre of mass of the kinematic tree (seed 001, "Inertia"). One point a tree keeps spatial vectors free of
// transforms, and near enough to the bodies to keep digits.
#include <sinew/smooth.h>
#include "math/spatial.h"
#include "model/made.h"
#include "model/sleep.h"
#ifndef SN_LANES
#include "smooth/kinematics/inertia_lanes.h"
#endif

static inline snVec3 mean(const snModel* m, const snData* d, int b, snVec3 sum)
{
    const real mass = m->body_subtreemass[b];
    return sn_v3Select(mass < SN_MINVAL, sn_v3Load(d->xipos + 3 * b), sn_v3Scale(sum, 1 / mass));
}

// subtree_com = sum of mass * xipos over the subtree / its mass; a massless subtree: its root's xipos.
// Children come after their parents, so a sum is complete when the way back reaches it.
static void subtreeCom(const snModel* m, snData* d)
{
    for (int b = 0; b < m->nbody; b++)
        sn_v3Store(d->subtree_com + 3 * b, sn_v3Scale(sn_v3Load(d->xipos + 3 * b), m->body_mass[b]));
    snVec3 world = sn_v3Load(d->subtree_com);
    for (int b = m->nbody - 1; b > 0; b--) {
        const snVec3 sum = sn_v3Load(d->subtree_com + 3 * b);
        const int parent = m->body_parentid[b];
        real* above = d->subtree_com + 3 * parent;
        if (parent)
            sn_v3Store(above, sn_v3Add(sn_v3Load(above), sum));
        else // in registers: many trees would wait for each other
            world = sn_v3Add(world, sum);
        sn_v3Store(d->subtree_com + 3 * b, mean(m, d, b, sum));
    }
    sn_v3Store(d->subtree_com, mean(m, d, 0, world));
}

// R diag(I) R' + mass (|o|^2 1 - o o'), o the offset of the body's centre of mass from the common point
static inline snInertia inertiaAt(snMat3 R, const real* diagonal, real mass, snVec3 o)
{
    const real a = diagonal[0], b = diagonal[1], c = diagonal[2];
    const real* r = R.m;
    const snVec3 h = sn_v3Scale(o, mass);
    return (snInertia){
        .xx = a * r[0] * r[0] + b * r[1] * r[1] + c * r[2] * r[2] + h.y * o.y + h.z * o.z,
        .yy = a * r[3] * r[3] + b * r[4] * r[4] + c * r[5] * r[5] + h.x * o.x + h.z * o.z,
        .zz = a * r[6] * r[6] + b * r[7] * r[7] + c * r[8] * r[8] + h.x * o.x + h.y * o.y,
        .xy = a * r[0] * r[3] + b * r[1] * r[4] + c * r[2] * r[5] - h.x * o.y,
        .xz = a * r[0] * r[6] + b * r[1] * r[7] + c * r[2] * r[8] - h.x * o.z,
        .yz = a * r[3] * r[6] + b * r[4] * r[7] + c * r[5] * r[8] - h.y * o.z,
        .h = h,
        .mass = mass,
    };
}

#ifdef SN_LANES
static inline int inFours(const snModel* m, snData* d, int b, int end)
{
    (void)m, (void)d, (void)end;
    return b;
}
#else
// The same for bodies b, ..., b + 3.
SN_INLINE void inertiasAt(const snModel* m, snData* d, int b)
{
    const real *com[4], *mass = m->body_mass + b;
    for (int k = 0; k < 4; k++) com[k] = d->subtree_com + 3 * m->body_rootid[b + k];
    const snLanes3 c = {v4_of(com[0][0], com[1][0], com[2][0], com[3][0]),
                        v4_of(com[0][1], com[1][1], com[2][1], com[3][1]),
                        v4_of(com[0][2], com[1][2], com[2][2], com[3][2])};
    const snLanes3 o = sn_l3Sub(sn_l3Load(d->xipos + 3 * b), c), I = sn_l3Load(m->body_inertia + 3 * b);
    const v4 M = v4_loadAny(mass);
    v4 r[9], again[3];
    sn_lanesLoad(d->ximat + 9 * b, 9, r, r + 1, r + 2, r + 3);
    sn_lanesLoad(d->ximat + 9 * b + 4, 9, r + 4, r + 5, r + 6, r + 7);
    sn_lanesLoad(d->ximat + 9 * b + 5, 9, again, again + 1, again + 2, r + 8);
    sn_lanesInertia(r, I, M, o, d->cinert + 10 * b);
}

// Bodies four at a time, in the same fours whoever sleeps, as one body alone may be rounded otherwise;
// returns the first that is left.
static inline int inFours(const snModel* m, snData* d, int first, int end)
{
    int b = first - (first - 1) % 4;
    for (; b < end && b + 4 <= m->nbody; b += 4) inertiasAt(m, d, b);
    return b > first ? b : first;
}
#endif

// Motion of unit angular velocity about an axis through a point `arm` away from the common point:
// arm = common point - anchor, v = w x arm.
static inline void storeRotation(real* cdof, snVec3 axis, snVec3 arm)
{
    sn_v3Store(cdof, axis);
    sn_v3Store(cdof + 3, sn_v3Cross(axis, arm));
}

// The three rotations of a ball or free joint turn about the axes of the body frame.
static inline void storeBall(real* cdof, const real* xmat, snVec3 arm)
{
    const snMat3 R = sn_m3Load(xmat);
    for (int k = 0; k < 3; k++) storeRotation(cdof + 6 * k, sn_m3Col(R, k), arm);
}

static inline void storeSlide(real* cdof, snVec3 axis)
{
    sn_v3Store(cdof, sn_v3(0, 0, 0));
    sn_v3Store(cdof + 3, axis);
}

static void motionAxes(const snModel* m, snData* d, int j)
{
    const int b = m->jnt_bodyid[j];
    real* cdof = d->cdof + 6 * m->jnt_dofadr[j];
    const snVec3 axis = sn_v3Load(d->xaxis + 3 * j);
    const snVec3 com = sn_v3Load(d->subtree_com + 3 * m->body_rootid[b]);
    const snVec3 arm = sn_v3Sub(com, sn_v3Load(d->xanchor + 3 * j));
    switch ((snJointType)m->jnt_type[j]) {
    case SN_JNT_HINGE: storeRotation(cdof, axis, arm); break;
    case SN_JNT_SLIDE: storeSlide(cdof, axis); break;
    case SN_JNT_BALL: storeBall(cdof, d->xmat + 9 * b, arm); break;
    case SN_JNT_FREE:
        storeSlide(cdof, sn_v3(1, 0, 0));
        storeSlide(cdof + 6, sn_v3(0, 1, 0));
        storeSlide(cdof + 12, sn_v3(0, 0, 1));
        storeBall(cdof + 18, d->xmat + 9 * b, arm);
    }
}

__attribute__((flatten)) void sn_comPos(const snModel* m, snData* d)
{
    sn_assertMade(m, d, xipos, ximat, xanchor, xaxis, xmat);
    subtreeCom(m, d);
    memset(d->cinert, 0, 10 * sizeof(real));
    for (snRuns r = sn_awakeBodies(m, d); sn_isRun(&r); sn_nextRun(&r))
        for (int b = inFours(m, d, r.first + !r.first, r.end); b < r.end; b++) {
            const snVec3 com = sn_v3Load(d->subtree_com + 3 * m->body_rootid[b]);
            const snVec3 offset = sn_v3Sub(sn_v3Load(d->xipos + 3 * b), com);
            sn_inertiaStore(d->cinert + 10 * b, inertiaAt(sn_m3Load(d->ximat + 9 * b),
                                                          m->body_inertia + 3 * b, m->body_mass[b], offset));
        }
    SN_EACH_JOINT (m, d, j) motionAxes(m, d, j);
}
