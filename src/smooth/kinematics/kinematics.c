// In lanes, too: src/batch/lane/prelude.h.
// For each target: src/target/prelude.h.
// Poses from qpos (seed 001, "Kinematics"): one pass from the world outwards, then the frames that are fixed
// in bodies. Names: x_b is the pose of body b in the world.
#include <assert.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "math/sincos.h"
#include "math/vec.h"
#include "model/made.h"
#include "model/sleep.h"
#ifndef SN_LANES
#include "math/lanes.h"
#endif

// Pose of a frame with its rotation matrix: the matrix turns vectors, the quaternion chains.
typedef struct {
    snVec3 pos;
    snQuat quat;
    snMat3 mat;
} Frame;

// q over its norm. A product of unit quaternions is off by rounding only, where one Newton step for
// 1/sqrt(n) at n = 1 is exact to rounding and spares the root and the division.
static inline snQuat renormalize(snQuat q)
{
    const real n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    const snMask far = fabs(n - 1) > 1e-8;
    if (sn_all(far)) return sn_quatNormalize(q);
    const real s = 1.5 - 0.5 * n;
    const snQuat near = {q.w * s, q.x * s, q.y * s, q.z * s};
    return sn_any(far) ? sn_quatSelect(far, sn_quatNormalize(q), near) : near;
}

static inline snMask isZero(snVec3 v)
{
    return (v.x == 0) & (v.y == 0) & (v.z == 0);
}

static inline Frame bodyFrame(const snData* d, int b)
{
    return (Frame){sn_v3Load(d->xpos + 3 * b), sn_quatLoad(d->xquat + 4 * b), sn_m3Load(d->xmat + 9 * b)};
}

// The frame of body b before its joints move it: the parent's times the body's pose, or the mocap pose.
static inline __attribute__((always_inline)) Frame bodyBase(const snModel* m, const snData* d, int b)
{
    const int mocap = m->body_mocapid[b];
    const snVec3 pos = sn_v3Load(mocap < 0 ? m->body_pos + 3 * b : d->mocap_pos + 3 * mocap);
    const snQuat quat = sn_quatLoad(mocap < 0 ? m->body_quat + 4 * b : d->mocap_quat + 4 * mocap);
    Frame x = bodyFrame(d, m->body_parentid[b]);
    x.pos = sn_v3Add(x.pos, sn_m3Mul(x.mat, pos));
    const snMask same = (quat.w == 1) & isZero(sn_quatVector(quat));
    if (sn_all(same)) return x;
    const snQuat turned = renormalize(sn_quatMul(x.quat, sn_quatNormalize(quat)));
    x.quat = sn_quatSelect(same, x.quat, turned);
    x.mat = sn_m3Select(same, x.mat, sn_quatToMat(turned));
    return x;
}

// Moves x by joint j; writes the joint's anchor and axis as they are before the motion.
static inline __attribute__((always_inline)) Frame moveJoint(const snModel* m, snData* d, int j, Frame x)
{
    const real* q = d->qpos + m->jnt_qposadr[j];
    const snVec3 anchor_b = sn_v3Load(m->jnt_pos + 3 * j), axis_b = sn_v3Load(m->jnt_axis + 3 * j);
    const bool centred = sn_all(isZero(anchor_b));
    const int type = m->jnt_type[j];
    const snVec3 anchor = centred ? x.pos : sn_v3Add(x.pos, sn_m3Mul(x.mat, anchor_b));
    const snVec3 axis = sn_m3Mul(x.mat, axis_b);
    const real sine = d->xaxis[3 * j], cosine = d->xaxis[3 * j + 1]; // of halfAngles
    sn_v3Store(d->xanchor + 3 * j, anchor);
    sn_v3Store(d->xaxis + 3 * j, axis);
    if (type == SN_JNT_SLIDE) {
        x.pos = sn_v3AddScaled(x.pos, q[0] - m->qpos0[m->jnt_qposadr[j]], axis);
        return x;
    }
    assert(type != SN_JNT_FREE); // always the only joint of its body
    const snQuat turn = type == SN_JNT_BALL
                            ? sn_quatNormalize(sn_quatLoad(q))
                            : (snQuat){cosine, axis_b.x * sine, axis_b.y * sine, axis_b.z * sine};
    x.quat = sn_quatMul(x.quat, turn);
    x.mat = sn_quatToMat(x.quat);
    if (!centred) x.pos = sn_v3Sub(anchor, sn_m3Mul(x.mat, anchor_b));
    return x;
}

// A free joint: the pose stands in qpos.
static inline __attribute__((always_inline)) Frame moveFree(const snModel* m, snData* d, int j)
{
    const real* q = d->qpos + m->jnt_qposadr[j];
    const snQuat quat = sn_quatNormalize(sn_quatLoad(q + 3));
    const Frame x = {sn_v3Load(q), quat, sn_quatToMat(quat)};
    sn_v3Store(d->xanchor + 3 * j, x.pos);
    sn_v3Store(d->xaxis + 3 * j, sn_v3Load(m->jnt_axis + 3 * j));
    return x;
}

// Sine and cosine of half the angle of each hinge, many at a time. They wait in the first two numbers of its
// xaxis, where moveJoint takes them before it writes the axis.
static inline void halfAngles(const snModel* m, snData* d, int first, int end)
{
    enum { BLOCK = 64 };
    real angle[BLOCK], sine[BLOCK], cosine[BLOCK];
    for (int begin = first; begin < end; begin += BLOCK) {
        const int count = end - begin < BLOCK ? end - begin : BLOCK;
        for (int k = 0; k < count; k++) {
            const int a = m->jnt_qposadr[begin + k];
            angle[k] = m->jnt_type[begin + k] == SN_JNT_HINGE ? 0.5 * (d->qpos[a] - m->qpos0[a]) : sn_real(0);
        }
        sn_sincosArray(angle, sine, cosine, count);
        for (int k = 0; k < count; k++) {
            d->xaxis[3 * (begin + k)] = sine[k];
            d->xaxis[3 * (begin + k) + 1] = cosine[k];
        }
    }
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

// A frame fixed in body b, and where its pose goes.
typedef struct Fixed {
    int body;
    const real *pos, *quat;
    real *xpos, *xmat;
} Fixed;

static inline void place(const snData* d, Fixed f)
{
    const snVec3 p = sn_m3Mul(sn_m3Load(d->xmat + 9 * f.body), sn_v3Load(f.pos));
    sn_v3Store(f.xpos, sn_v3Add(sn_v3Load(d->xpos + 3 * f.body), p));
}

static inline void product(const snData* d, Fixed f)
{
    place(d, f);
    sn_m3Store(f.xmat, sn_quatToMat(sn_quatMul(sn_quatLoad(d->xquat + 4 * f.body), sn_quatLoad(f.quat))));
}

// Where `same` tells that a frame coincides with the body's or the inertial frame, wholly or in orientation,
// its pose is a copy; true: it is done.
static inline bool copies(const snData* d, Fixed f, uint8_t same)
{
    const bool whole = same == SN_SAMEFRAME_BODY || same == SN_SAMEFRAME_INERTIA;
    const bool body = same == SN_SAMEFRAME_BODY || same == SN_SAMEFRAME_BODYROT;
    if (same == SN_SAMEFRAME_NONE) return false;
    if (whole)
        memcpy(f.xpos, (body ? d->xpos : d->xipos) + 3 * f.body, 3 * sizeof(real));
    else
        place(d, f);
    memcpy(f.xmat, (body ? d->xmat : d->ximat) + 9 * f.body, 9 * sizeof(real));
    return true;
}

#ifdef SN_LANES
typedef struct Waiting {
    char none;
} Waiting;

static inline void attach(const snData* d, Fixed f, uint8_t same, Waiting* w)
{
    (void)w;
    if (!copies(d, f, same)) product(d, f);
}

static inline void finish(const snData* d, Waiting* w)
{
    (void)d, (void)w;
}
#else
// Those that are no copies wait until they are four.
typedef struct Waiting {
    int count;
    Fixed frame[4];
} Waiting;

// As product, four at a time.
SN_INLINE void products(const snData* d, const Fixed* f)
{
    const real *p[4], *q[4], *x[4], *u[4], *R[4];
    for (int k = 0; k < 4; k++) {
        p[k] = f[k].pos;
        q[k] = f[k].quat;
        x[k] = d->xpos + 3 * f[k].body;
        u[k] = d->xquat + 4 * f[k].body;
        R[k] = d->xmat + 9 * f[k].body;
    }
    v4 m[9], again[3], aw, ax, ay, az, bw, bx, by, bz;
    sn_lanesGather(R, 0, m, m + 1, m + 2, m + 3);
    sn_lanesGather(R, 4, m + 4, m + 5, m + 6, m + 7);
    sn_lanesGather(R, 5, again, again + 1, again + 2, m + 8);
    sn_lanesGather(u, 0, &aw, &ax, &ay, &az);
    sn_lanesGather(q, 0, &bw, &bx, &by, &bz);
    const snLanes3 pos = sn_l3Gather(p), origin = sn_l3Gather(x);
    const v4 at[3] = {origin.x + (m[0] * pos.x + m[1] * pos.y + m[2] * pos.z),
                      origin.y + (m[3] * pos.x + m[4] * pos.y + m[5] * pos.z),
                      origin.z + (m[6] * pos.x + m[7] * pos.y + m[8] * pos.z)};
    const v4 w = aw * bw - ax * bx - ay * by - az * bz, i = aw * bx + ax * bw + ay * bz - az * by,
             j = aw * by - ax * bz + ay * bw + az * bx, k = aw * bz + ax * by - ay * bx + az * bw;
    const v4 ww = w * w, ii = i * i, jj = j * j, kk = k * k, wi = w * i, wj = w * j, wk = w * k, ij = i * j,
             ik = i * k, jk = j * k, last = ww - ii - jj + kk;
    v4 low[4] = {ww + ii - jj - kk, 2 * (ij - wk), 2 * (ik + wj), 2 * (ij + wk)},
       high[4] = {ww - ii + jj - kk, 2 * (jk - wi), 2 * (ik - wj), 2 * (jk + wi)};
    v4_transpose(low);
    v4_transpose(high);
    for (int e = 0; e < 4; e++) {
        v4_storeAny(f[e].xmat, low[e]);
        v4_storeAny(f[e].xmat + 4, high[e]);
        f[e].xmat[8] = last[e];
        for (int c = 0; c < 3; c++) f[e].xpos[c] = at[c][e];
    }
}

static inline void attach(const snData* d, Fixed f, uint8_t same, Waiting* w)
{
    if (copies(d, f, same)) return;
    w->frame[w->count++] = f;
    if (w->count < 4) return;
    products(d, w->frame);
    w->count = 0;
}

static inline void finish(const snData* d, Waiting* w)
{
    for (int k = 0; k < w->count; k++) product(d, w->frame[k]);
    w->count = 0;
}
#endif

void sn_local2Global(const snData* d, real xpos[3], real xmat[9], const real pos[3], const real quat[4],
                     int body, int sameframe)
{
    real p[3], R[9];
    const Fixed f = {body, pos, quat, xpos ? xpos : p, xmat ? xmat : R};
    if (!copies(d, f, (uint8_t)sameframe)) product(d, f);
}

// Frame of body b, moved by its joints.
static inline __attribute__((always_inline)) Frame moveBody(const snModel* m, snData* d, int b)
{
    const int begin = m->body_jntadr[b], num = m->body_jntnum[b];
    if (num == 1 && m->jnt_type[begin] == SN_JNT_FREE) return moveFree(m, d, begin);
    Frame x = bodyBase(m, d, b);
    for (int j = begin; j < begin + num; j++) x = moveJoint(m, d, j, x);
    return x;
}

static __attribute__((flatten)) void poses(const snModel* m, snData* d)
{
    Waiting w = {0};
    setWorld(d);
    for (snRuns r = sn_awakeJoints(m, d); sn_isRun(&r); sn_nextRun(&r)) halfAngles(m, d, r.first, r.end);
    SN_EACH_BODY (m, d, b) {
        const Frame x = moveBody(m, d, b);
        sn_v3Store(d->xpos + 3 * b, x.pos);
        sn_quatStore(d->xquat + 4 * b, x.quat);
        sn_m3Store(d->xmat + 9 * b, x.mat);
        attach(d, (Fixed){b, m->body_ipos + 3 * b, m->body_iquat + 4 * b, d->xipos + 3 * b, d->ximat + 9 * b},
               m->body_sameframe[b], &w);
    }
    finish(d, &w);
    for (snRuns r = sn_awakeGeoms(m, d); sn_isRun(&r); sn_nextRun(&r))
        for (int g = r.first; g < r.end; g++)
            attach(d,
                   (Fixed){m->geom_bodyid[g], m->geom_pos + 3 * g, m->geom_quat + 4 * g, d->geom_xpos + 3 * g,
                           d->geom_xmat + 9 * g},
                   m->geom_sameframe[g], &w);
    for (snRuns r = sn_awakeSites(m, d); sn_isRun(&r); sn_nextRun(&r))
        for (int s = r.first; s < r.end; s++)
            attach(d,
                   (Fixed){m->site_bodyid[s], m->site_pos + 3 * s, m->site_quat + 4 * s, d->site_xpos + 3 * s,
                           d->site_xmat + 9 * s},
                   m->site_sameframe[s], &w);
    finish(d, &w);
}

void sn_kinematics(const snModel* m, snData* d)
{
#ifndef SN_LANES
    if (m->opt.enableflags & SN_ENBL_SLEEP || d->nasleep) sn_wakeTouched(m, d);
#endif
    poses(m, d);
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
    sn_assertMade(m, d, xpos, xquat, xmat, subtree_com);
    for (int c = 0; c < m->ncam; c++) camera(m, d, c);
    for (int l = 0; l < m->nlight; l++) light(m, d, l);
}
