// For each target, x86-64-v4 too: src/target/prelude.h.
// What a joint does on what carries it needs no other link: four joints at a time. Then one product a link
// goes out from the world, a row of it in one register.
#include "smooth/dynamics/frame.h"
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

// How joints j, ..., j + 3 turn: the pose of a body counts with its first joint.
SN_INLINE void basePoses(const snModel* m, int j, snLanes3* pos, v4* w, snLanes3* v)
{
    static const double none[4] = {0}, identity[4] = {1};
    const double *p[4], *q[4];
    for (int k = 0; k < 4; k++) {
        const int b = m->jnt_bodyid[j + k], first = m->body_jntadr[b] == j + k;
        p[k] = first ? m->body_pos + 3 * b : none;
        q[k] = first ? m->body_quat + 4 * b : identity;
    }
    *pos = sn_l3Gather(p);
    sn_lanesGather(q, 0, w, &v->x, &v->y, &v->z);
}

SN_INLINE void storeFrames(snFrame* x, const snLanes3 row[3], snLanes3 pos)
{
    enum { STRIDE = sizeof(snFrame) / sizeof(double) };
    sn_lanesStore(x->row[0], STRIDE, row[0].x, row[0].y, row[0].z, pos.x);
    sn_lanesStore(x->row[1], STRIDE, row[1].x, row[1].y, row[1].z, pos.y);
    sn_lanesStore(x->row[2], STRIDE, row[2].x, row[2].y, row[2].z, pos.z);
}

// As storeLink for joints j, ..., j + 3, hinges and slides.
SN_INLINE void storeLinks(const snModel* m, const snHalfAngles* half, int j, snFrame* x)
{
    v4 w;
    snLanes3 pos, v, R[3];
    basePoses(m, j, &pos, &w, &v);
    v4 square = w * w + v.x * v.x + v.y * v.y + v.z * v.z;
    const v4i null = v4_less(square, v4_all(SN_MINVAL * SN_MINVAL)); // stands for the identity
    w = v4_select(null, v4_all(1), w);
    square = v4_select(null, v4_all(1), square);
    const snLanes3 axis = sn_l3Load(m->jnt_axis + 3 * j), anchor = sn_l3Load(m->jnt_pos + 3 * j);
    const v4 c = v4_loadAny(half->cosine + j), s = 2 / square;
    const snLanes3 t = sn_l3Scale(axis, v4_loadAny(half->sine + j)), u = sn_l3Cross(v, t);
    const snLanes3 turned = {w * t.x + v.x * c + u.x, w * t.y + v.y * c + u.y, w * t.z + v.z * c + u.z};
    sn_lanesMatrix(w * c - (v.x * t.x + v.y * t.y + v.z * t.z), turned, s, R);
    pos = sn_l3Add(pos, sn_lanesTurn(R, sn_l3Scale(axis, v4_loadAny(half->way + j))));
    if (sn_l3AnySet(anchor)) {
        snLanes3 base[3];
        sn_lanesMatrix(w, v, s, base);
        pos = sn_l3Add(pos, sn_l3Sub(sn_lanesTurn(base, anchor), sn_lanesTurn(R, anchor)));
    }
    storeFrames(x + j, R, pos);
}

SN_INLINE void jointLinks(const snModel* m, const snData* d, const double* qpos, const snHalfAngles* half,
                          snFrame* x)
{
    for (int j = 0; j < m->njnt;) {
        const int four = j + 4 <= m->njnt ? j : m->njnt - 4; // the last ones may be done twice
        if (four >= 0 && sn_areFour(m, four)) {
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

static inline void dropOrigin(snFrame* x)
{
    for (int i = 0; i < 3; i++) x->row[i][3] = 0;
}

__attribute__((flatten)) snFrame* sn_worldFrames(const snModel* m, snData* d, const double* qpos, bool tree)
{
    snHalfAngles half;
    snFrame* x = sn_scratchAlloc(d, (size_t)(m->njnt + m->nbody) * sizeof *x);
    if (!x || !sn_halfAngles(m, d, qpos, &half)) return NULL;
    jointLinks(m, d, qpos, &half, x);
    storeFrame(x + m->njnt, sn_m3Identity(), sn_v3(0, 0, 0));
    for (int b = 1; b < m->nbody; b++) {
        const int num = m->body_jntnum[b], first = num ? m->body_jntadr[b] : m->njnt + b;
        const int parent = m->body_parentid[b];
        if (num == 0) storeLink(m, d, qpos, &half, b, -1, x + first);
        if (parent == 0 && tree) dropOrigin(x + first);
        follow(x + sn_frameOf(m, parent), x + first);
        for (int j = first + 1; j < first + num; j++) follow(x + j - 1, x + j);
    }
    return x;
}
