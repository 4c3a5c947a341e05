// Poses from qpos (seed 001, "Kinematics"): one pass from the world outwards, then the frames that are fixed
// in bodies. Names: x_b is the pose of body b in the world.
#include <assert.h>
#include <sinew/smooth.h>
#include "math/vec.h"

// q over its norm. A product of unit quaternions is off by rounding only, where one Newton step for
// 1/sqrt(n) at n = 1 is exact to rounding and spares the root and the division.
static inline snQuat renormalize(snQuat q)
{
    const real n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (fabs(n - 1) > 1e-8) return sn_quatNormalize(q);
    const real s = 1.5 - 0.5 * n;
    return (snQuat){q.w * s, q.x * s, q.y * s, q.z * s};
}

// The pose of body b before its joints move it: the parent's pose times the body's, or the mocap pose.
static inline snPose bodyBase(const snModel* m, const snData* d, int b)
{
    const int parent = m->body_parentid[b], mocap = m->body_mocapid[b];
    snPose x;
    if (mocap >= 0)
        x = (snPose){sn_v3Load(d->mocap_pos + 3 * mocap),
                     sn_quatNormalize(sn_quatLoad(d->mocap_quat + 4 * mocap))};
    else
        x = (snPose){sn_v3Load(m->body_pos + 3 * b), sn_quatLoad(m->body_quat + 4 * b)};
    if (parent == 0) return x;
    const snVec3 p = sn_m3Mul(sn_m3Load(d->xmat + 9 * parent), x.pos);
    return (snPose){sn_v3Add(sn_v3Load(d->xpos + 3 * parent), p),
                    sn_quatMul(sn_quatLoad(d->xquat + 4 * parent), x.quat)};
}

// Turns x by the rotation q about the joint's anchor, which stays where it is.
static inline snPose turnAbout(snPose x, snQuat q, snVec3 anchor, snVec3 anchor_b, int centred)
{
    x.quat = sn_quatMul(x.quat, q);
    if (!centred) x.pos = sn_v3Sub(anchor, sn_quatRotate(x.quat, anchor_b));
    return x;
}

// Moves x by joint j; writes its anchor and axis as they are before the motion.
static inline snPose moveJoint(const snModel* m, snData* d, int j, snPose x)
{
    const real* q = d->qpos + m->jnt_qposadr[j];
    const snVec3 anchor_b = sn_v3Load(m->jnt_pos + 3 * j);
    const int centred = anchor_b.x == 0 && anchor_b.y == 0 && anchor_b.z == 0;
    const snVec3 anchor = centred ? x.pos : sn_v3Add(x.pos, sn_quatRotate(x.quat, anchor_b));
    const snVec3 axis_b = sn_v3Load(m->jnt_axis + 3 * j);
    const snVec3 axis = sn_quatRotate(x.quat, axis_b);
    sn_v3Store(d->xanchor + 3 * j, anchor);
    sn_v3Store(d->xaxis + 3 * j, axis);
    const real displacement = q[0] - m->qpos0[m->jnt_qposadr[j]];
    switch (m->jnt_type[j]) {
    case SN_JNT_HINGE: return turnAbout(x, sn_quatAxisAngle(axis_b, displacement), anchor, anchor_b, centred);
    case SN_JNT_BALL: return turnAbout(x, sn_quatNormalize(sn_quatLoad(q)), anchor, anchor_b, centred);
    case SN_JNT_SLIDE: x.pos = sn_v3AddScaled(x.pos, displacement, axis); return x;
    default: assert(!"a free joint is the only joint of its body"); return x;
    }
}

// A free joint: the pose stands in qpos.
static inline snPose moveFree(const snModel* m, snData* d, int j)
{
    const real* q = d->qpos + m->jnt_qposadr[j];
    const snPose x = {sn_v3Load(q), sn_quatNormalize(sn_quatLoad(q + 3))};
    sn_v3Store(d->xanchor + 3 * j, x.pos);
    sn_v3Store(d->xaxis + 3 * j, sn_v3Load(m->jnt_axis + 3 * j));
    return x;
}

static void setWorld(snData* d)
{
    const snMat3 one = sn_m3Identity();
    sn_v3Store(d->xpos, sn_v3(0, 0, 0));
    sn_v3Store(d->xipos, sn_v3(0, 0, 0));
    sn_quatStore(d->xquat, sn_quatIdentity());
    sn_m3Store(d->xmat, one);
    sn_m3Store(d->ximat, one);
}

// World pose of a frame fixed in body b. Where `same` tells that it coincides with the body's or the
// inertial frame, wholly or in orientation, the product is a copy.
static inline void attach(const snData* d, int b, const real* pos, const real* quat, uint8_t same, real* xpos,
                          real* xmat)
{
    if (same == SN_SAMEFRAME_BODY || same == SN_SAMEFRAME_INERTIA) {
        const int body = same == SN_SAMEFRAME_BODY;
        memcpy(xpos, (body ? d->xpos : d->xipos) + 3 * b, 3 * sizeof(real));
        memcpy(xmat, (body ? d->xmat : d->ximat) + 9 * b, 9 * sizeof(real));
        return;
    }
    const snVec3 p = sn_m3Mul(sn_m3Load(d->xmat + 9 * b), sn_v3Load(pos));
    sn_v3Store(xpos, sn_v3Add(sn_v3Load(d->xpos + 3 * b), p));
    if (same == SN_SAMEFRAME_BODYROT)
        memcpy(xmat, d->xmat + 9 * b, 9 * sizeof(real));
    else if (same == SN_SAMEFRAME_INERTIAROT)
        memcpy(xmat, d->ximat + 9 * b, 9 * sizeof(real));
    else
        sn_m3Store(xmat, sn_quatToMat(sn_quatMul(sn_quatLoad(d->xquat + 4 * b), sn_quatLoad(quat))));
}

void sn_kinematics(const snModel* m, snData* d)
{
    setWorld(d);
    for (int b = 1; b < m->nbody; b++) {
        const int j0 = m->body_jntadr[b], num = m->body_jntnum[b];
        snPose x;
        if (num == 1 && m->jnt_type[j0] == SN_JNT_FREE) {
            x = moveFree(m, d, j0);
        } else {
            x = bodyBase(m, d, b);
            for (int j = j0; j < j0 + num; j++) x = moveJoint(m, d, j, x);
            x.quat = renormalize(x.quat);
        }
        sn_v3Store(d->xpos + 3 * b, x.pos);
        sn_quatStore(d->xquat + 4 * b, x.quat);
        sn_m3Store(d->xmat + 9 * b, sn_quatToMat(x.quat));
        attach(d, b, m->body_ipos + 3 * b, m->body_iquat + 4 * b, m->body_sameframe[b], d->xipos + 3 * b,
               d->ximat + 9 * b);
    }
    for (int g = 0; g < m->ngeom; g++)
        attach(d, m->geom_bodyid[g], m->geom_pos + 3 * g, m->geom_quat + 4 * g, m->geom_sameframe[g],
               d->geom_xpos + 3 * g, d->geom_xmat + 9 * g);
    for (int s = 0; s < m->nsite; s++)
        attach(d, m->site_bodyid[s], m->site_pos + 3 * s, m->site_quat + 4 * s, m->site_sameframe[s],
               d->site_xpos + 3 * s, d->site_xmat + 9 * s);
}

// ---- cameras and lights

// Where a camera or light that targets body t looks: its origin or its subtree's centre of mass.
static snVec3 targetPoint(const snData* d, int mode, int t)
{
    return sn_v3Load((mode == SN_CAMLIGHT_TARGETBODY ? d->xpos : d->subtree_com) + 3 * t);
}

// Origin of a camera or light on body b.
static snVec3 camlightOrigin(const snData* d, int mode, int b, const real* pos, const real* pos0,
                             const real* poscom0)
{
    if (mode == SN_CAMLIGHT_TRACK) return sn_v3Add(sn_v3Load(d->xpos + 3 * b), sn_v3Load(pos0));
    if (mode == SN_CAMLIGHT_TRACKCOM) return sn_v3Add(sn_v3Load(d->subtree_com + 3 * b), sn_v3Load(poscom0));
    return sn_v3Add(sn_v3Load(d->xpos + 3 * b), sn_m3Mul(sn_m3Load(d->xmat + 9 * b), sn_v3Load(pos)));
}

// Camera axes as columns: z away from the target, x level, y up.
static snMat3 lookAt(snVec3 eye, snVec3 target)
{
    const snVec3 z = sn_v3Normalize(sn_v3Sub(eye, target));
    const snVec3 x = sn_v3Normalize(sn_v3Cross(sn_v3(0, 0, 1), z));
    const snVec3 y = sn_v3Normalize(sn_v3Cross(z, x));
    return (snMat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

static void camera(const snModel* m, snData* d, int c)
{
    const int b = m->cam_bodyid[c], target = m->cam_targetbodyid[c], mode = m->cam_mode[c];
    const snVec3 origin =
        camlightOrigin(d, mode, b, m->cam_pos + 3 * c, m->cam_pos0 + 3 * c, m->cam_poscom0 + 3 * c);
    sn_v3Store(d->cam_xpos + 3 * c, origin);
    snMat3 R;
    if (mode == SN_CAMLIGHT_TRACK || mode == SN_CAMLIGHT_TRACKCOM)
        R = sn_m3Load(m->cam_mat0 + 9 * c);
    else if (mode != SN_CAMLIGHT_FIXED && target >= 0)
        R = lookAt(origin, targetPoint(d, mode, target));
    else
        R = sn_quatToMat(sn_quatMul(sn_quatLoad(d->xquat + 4 * b), sn_quatLoad(m->cam_quat + 4 * c)));
    sn_m3Store(d->cam_xmat + 9 * c, R);
}

static void light(const snModel* m, snData* d, int l)
{
    const int b = m->light_bodyid[l], target = m->light_targetbodyid[l], mode = m->light_mode[l];
    const snVec3 origin =
        camlightOrigin(d, mode, b, m->light_pos + 3 * l, m->light_pos0 + 3 * l, m->light_poscom0 + 3 * l);
    sn_v3Store(d->light_xpos + 3 * l, origin);
    snVec3 dir;
    if (mode == SN_CAMLIGHT_TRACK || mode == SN_CAMLIGHT_TRACKCOM)
        dir = sn_v3Load(m->light_dir0 + 3 * l);
    else if (mode != SN_CAMLIGHT_FIXED && target >= 0)
        dir = sn_v3Sub(targetPoint(d, mode, target), origin);
    else
        dir = sn_m3Mul(sn_m3Load(d->xmat + 9 * b), sn_v3Load(m->light_dir + 3 * l));
    sn_v3Store(d->light_xdir + 3 * l, sn_v3Normalize(dir));
}

void sn_camlight(const snModel* m, snData* d)
{
    for (int c = 0; c < m->ncam; c++) camera(m, d, c);
    for (int l = 0; l < m->nlight; l++) light(m, d, l);
}
