// What a joint does on what carries it needs no other link: four joints at a time. Then one product a link
// goes out from the world, a row of it in one register.
#include "smooth/dynamics/frame.h"
#include "math/clones.h"
#include "math/lanes.h"
#include "model/arena.h"
#include "smooth/dynamics/link.h"

static inline void storeFrame(snFrame* x, snMat3 R, snVec3 p)
{
    const double origin[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) x->row[i][k] = R.m[3 * i + k];
        x->row[i][3] = origin[i];
    }
}

// A link in what carries it.
static inline void storeLink(const snModel* m, const snData* d, const double* qpos, const snHalfAngles* half,
                             int b, int j, snFrame* x)
{
    const snLinkFrame link = sn_linkFrame(m, d, qpos, half, b, j, j == m->body_jntadr[b]);
    storeFrame(x, link.R, link.centred ? link.p : sn_v3Sub(link.p, sn_m3Mul(link.R, link.c)));
}

static inline bool isTurnOrSlide(const snModel* m, int j)
{
    return m->jnt_type[j] == SN_JNT_HINGE || m->jnt_type[j] == SN_JNT_SLIDE;
}

static inline bool areFour(const snModel* m, int j)
{
    return isTurnOrSlide(m, j) && isTurnOrSlide(m, j + 1) && isTurnOrSlide(m, j + 2) &&
           isTurnOrSlide(m, j + 3);
}

typedef struct Turns {
    v4 w;
    snLanes3 v;
} Turns; // four quaternions

typedef struct Axes {
    snLanes3 row[3];
} Axes; // four matrices

SN_INLINE snLanes3 lanesMul(const Axes* R, snLanes3 v)
{
    return (snLanes3){R->row[0].x * v.x + R->row[0].y * v.y + R->row[0].z * v.z,
                      R->row[1].x * v.x + R->row[1].y * v.y + R->row[1].z * v.z,
                      R->row[2].x * v.x + R->row[2].y * v.y + R->row[2].z * v.z};
}

// Matrices of quaternions of any length; s is 2 over its square.
SN_INLINE Axes lanesMatrix(Turns q, v4 s)
{
    const v4 one = v4_all(1);
    const snLanes3 t = sn_l3Scale(q.v, s);
    const v4 xx = q.v.x * t.x, yy = q.v.y * t.y, zz = q.v.z * t.z, xy = q.v.x * t.y, xz = q.v.x * t.z,
             yz = q.v.y * t.z, wx = q.w * t.x, wy = q.w * t.y, wz = q.w * t.z;
    return (Axes){{{one - (yy + zz), xy - wz, xz + wy},
                   {xy + wz, one - (xx + zz), yz - wx},
                   {xz - wy, yz + wx, one - (xx + yy)}}};
}

// How joints j, ..., j + 3 turn: the pose of a body counts with its first joint.
SN_INLINE void basePoses(const snModel* m, int j, Turns* quat, snLanes3* pos)
{
    static const double none[4] = {0}, identity[4] = {1};
    const double *p[4], *q[4];
    for (int k = 0; k < 4; k++) {
        const int b = m->jnt_bodyid[j + k], first = m->body_jntadr[b] == j + k;
        p[k] = first ? m->body_pos + 3 * b : none;
        q[k] = first ? m->body_quat + 4 * b : identity;
    }
    *pos = (snLanes3){{p[0][0], p[1][0], p[2][0], p[3][0]},
                      {p[0][1], p[1][1], p[2][1], p[3][1]},
                      {p[0][2], p[1][2], p[2][2], p[3][2]}};
    v4 a = v4_loadAny(q[0]), b = v4_loadAny(q[1]), c = v4_loadAny(q[2]), d = v4_loadAny(q[3]);
    sn_lanesTranspose(&a, &b, &c, &d);
    *quat = (Turns){a, {b, c, d}};
}

SN_INLINE bool anySet(snLanes3 v)
{
    const v4i set = (v.x != 0) | (v.y != 0) | (v.z != 0);
    return (set[0] | set[1] | set[2] | set[3]) != 0;
}

// As storeLink for joints j, ..., j + 3, hinges and slides.
SN_INLINE void storeLinks(const snModel* m, const snHalfAngles* half, int j, snFrame* x)
{
    Turns base;
    snLanes3 pos;
    basePoses(m, j, &base, &pos);
    v4 square = base.w * base.w + base.v.x * base.v.x + base.v.y * base.v.y + base.v.z * base.v.z;
    const v4i null = square < v4_all(SN_MINVAL * SN_MINVAL); // stands for the identity
    base.w = v4_select(null, v4_all(1), base.w);
    square = v4_select(null, v4_all(1), square);
    const snLanes3 axis = sn_l3Load(m->jnt_axis + 3 * j), anchor = sn_l3Load(m->jnt_pos + 3 * j);
    const v4 c = v4_loadAny(half->cosine + j), s = 2 / square;
    const snLanes3 turn = sn_l3Scale(axis, v4_loadAny(half->sine + j)), u = sn_l3Cross(base.v, turn);
    const Turns q = {base.w * c - (base.v.x * turn.x + base.v.y * turn.y + base.v.z * turn.z),
                     {base.w * turn.x + base.v.x * c + u.x, base.w * turn.y + base.v.y * c + u.y,
                      base.w * turn.z + base.v.z * c + u.z}};
    const Axes R = lanesMatrix(q, s);
    pos = sn_l3Add(pos, lanesMul(&R, sn_l3Scale(axis, v4_loadAny(half->way + j))));
    if (anySet(anchor)) {
        const Axes B = lanesMatrix(base, s);
        pos = sn_l3Add(pos, sn_l3Sub(lanesMul(&B, anchor), lanesMul(&R, anchor)));
    }
    enum { STRIDE = sizeof(snFrame) / sizeof(double) };
    sn_lanesStore(x[j].row[0], STRIDE, R.row[0].x, R.row[0].y, R.row[0].z, pos.x);
    sn_lanesStore(x[j].row[1], STRIDE, R.row[1].x, R.row[1].y, R.row[1].z, pos.y);
    sn_lanesStore(x[j].row[2], STRIDE, R.row[2].x, R.row[2].y, R.row[2].z, pos.z);
}

SN_INLINE void jointLinks(const snModel* m, const snData* d, const double* qpos, const snHalfAngles* half,
                          snFrame* x)
{
    for (int j = 0; j < m->njnt;) {
        const int four = j + 4 <= m->njnt ? j : m->njnt - 4; // the last ones may be done twice
        if (four >= 0 && areFour(m, four)) {
            storeLinks(m, half, four, x);
            j = four + 4;
        } else {
            storeLink(m, d, qpos, half, m->jnt_bodyid[j], j, x + j);
            j++;
        }
    }
}

// x = up x, a product of frames.
SN_INLINE void follow(const snFrame* up, snFrame* x)
{
    const v4i last = {0, 0, 0, -1};
    const v4 l0 = v4_load(x->row[0]), l1 = v4_load(x->row[1]), l2 = v4_load(x->row[2]);
    for (int i = 0; i < 3; i++) {
        const double* r = up->row[i];
        v4_store(x->row[i],
                 v4_keep(last, v4_load(r)) + v4_all(r[0]) * l0 + v4_all(r[1]) * l1 + v4_all(r[2]) * l2);
    }
}

SN_CLONES __attribute__((flatten)) snFrame* sn_worldFrames(const snModel* m, snData* d, const double* qpos)
{
    snHalfAngles half;
    snFrame* x = sn_scratchAlloc(d, (size_t)(m->njnt + m->nbody) * sizeof *x);
    if (!x || !sn_halfAngles(m, d, qpos, &half)) return NULL;
    jointLinks(m, d, qpos, &half, x);
    storeFrame(x + m->njnt, sn_m3Identity(), sn_v3(0, 0, 0));
    for (int b = 1; b < m->nbody; b++) {
        const int first = m->body_jntadr[b], num = m->body_jntnum[b];
        const snFrame* up = x + sn_frameOf(m, m->body_parentid[b]);
        if (num == 0) {
            storeLink(m, d, qpos, &half, b, -1, x + m->njnt + b);
            follow(up, x + m->njnt + b);
        }
        for (int j = first; j < first + num; j++) {
            follow(up, x + j);
            up = x + j;
        }
    }
    return x;
}
