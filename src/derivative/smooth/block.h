// What derivatives of the forces of inertia are made of, summed along the tree.
//
// Dof k turns and shifts all that it carries with S_k = cdof_k, so of a body with velocity v and acceleration
// a in its reach (spatial, about a point fixed in the world; gravity an upward acceleration of the world)
//     dv/dq_k = S'_k + S_k x v,            S'_k = u_k x S_k = cdof_dot_k,
//     da/dq_k = Y_k + S'_k x v + S_k x a,  Y_k = a_k x S_k + u_k x S'_k,
// where u_k, a_k are velocity and acceleration of what dof k moves against. The inertia turns, too, and of
// the force f = I a + v x* I v there remains
//     df/dq_k = S_k x* f + I Y_k + C S'_k.
// C = v x* I - I v x - [I v]x depends on the body alone: in blocks, with J the rotational inertia, h the
// first moment and p = m v - h x w the linear momentum,
//     [ 2 [w]J - tr(J) [w] - 2 [h][v]    0 ]
//     [ -2 [p]                           0 ].
// Velocity: with w_k the velocity after the joint, df/dv_k = I y_k + C S_k, y_k = S'_k + w_k x S_k. All are
// linear in I, C and f, so these are summed over what dof k carries.
//
// Source: Carpentier and Mansard 2018; Echeandia and Wensing 2021 (body Coriolis matrices).
#ifndef SINEW_DERIVATIVE_SMOOTH_BLOCK_H
#define SINEW_DERIVATIVE_SMOOTH_BLOCK_H

#include <sinew/data.h>
#include <string.h>
#include "derivative/smooth/lanes_body.h"
#include "math/spatial.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "smooth/kinematics/chain.h"

/// Of a body and all that it carries, in rows of four: inertia as cinert, force f, the block of C row by row,
/// 2 p.
enum { SN_BODY_FORCE = 10, SN_BODY_CORIOLIS = 16, SN_BODY_MOMENTUM = 25, SN_BODY_RECORD = 28 };

/// Scratch arrays.
typedef struct snBlockWork {
    double* body;                     ///< [nbody x SN_BODY_RECORD]
    double *acc, *wrench;             ///< [nbody x 6]; wrench, summed along the tree, NULL: none
    double *before, *after, *pushing; ///< [nv x 6] u, w, a
    double *Y, *y;                    ///< [nv x 6]
} snBlockWork;

/// Dofs first, ..., first + count - 1 of a chain, a lane each.
typedef struct snBlock {
    int first, count;
    snLanes6 q, v; ///< df/dq = S x* f + I Y + C S', df/dv = I y + C S
    snLanes6 IS;   ///< df/da = I S
    snLanes3 CS;   ///< C' S, whose linear part is 0
    snLanes6 held; ///< S x* wrench, if there is one
} snBlock;

/// Takes the arrays from scratch; false: the arena is full. Rows are stored four at a time, so there is room
/// for three more. wrench [nbody x 6] or NULL.
static inline bool sn_blockWork(const snModel* m, snData* d, const double* wrench, snBlockWork* work)
{
    work->body = sn_scratchReal(d, SN_BODY_RECORD * (m->nbody + 3));
    work->acc = sn_scratchReal(d, 6 * m->nbody);
    work->before = sn_scratchReal(d, 6 * m->nv);
    work->after = sn_scratchReal(d, 6 * m->nv);
    work->pushing = sn_scratchReal(d, 6 * m->nv);
    work->Y = sn_scratchReal(d, 6 * (m->nv + 3));
    work->y = sn_scratchReal(d, 6 * (m->nv + 3));
    work->wrench = wrench ? sn_scratchReal(d, 6 * m->nbody) : NULL;
    if (work->wrench) memcpy(work->wrench, wrench, (size_t)m->nbody * 6 * sizeof(double));
    return work->body && work->acc && work->before && work->after && work->pushing && work->Y && work->y &&
           (work->wrench || !wrench);
}

// ---- outwards: what each dof moves against

// `count` dofs that move together against what is before the first; v and a become those after them.
static inline void sn_blockPass(const snData* d, const double* qacc, int k, int count, snMotion* v,
                                snMotion* a, snBlockWork* work)
{
    const snMotion u = *v, pushing = *a;
    for (int i = k; i < k + count; i++) {
        const snMotion s = sn_motionLoad(d->cdof + 6 * i), rate = sn_motionLoad(d->cdof_dot + 6 * i);
        *v = sn_motionAddScaled(*v, d->qvel[i], s);
        *a = sn_motionAddScaled(sn_motionAddScaled(*a, d->qvel[i], rate), qacc[i], s);
    }
    for (int i = k; i < k + count; i++) {
        sn_motionStore(work->before + 6 * i, u);
        sn_motionStore(work->after + 6 * i, *v);
        sn_motionStore(work->pushing + 6 * i, pushing);
    }
}

/// Motion of all bodies under qacc [nv], with or without gravity, and what each dof moves against.
static inline void sn_blockOutwards(const snModel* m, const snData* d, bool gravity, const double* qacc,
                                    snBlockWork* work)
{
    const bool off = !gravity || (m->opt.disableflags & SN_DSBL_GRAVITY);
    sn_v3Store(work->acc, sn_v3(0, 0, 0));
    sn_v3Store(work->acc + 3, off ? sn_v3(0, 0, 0) : sn_v3Neg(sn_v3Load(m->opt.gravity)));
    for (int b = 1; b < m->nbody; b++) {
        const int parent = m->body_parentid[b];
        snMotion v = sn_motionLoad(d->cvel + 6 * parent), a = sn_motionLoad(work->acc + 6 * parent);
        for (int j = m->body_jntadr[b], end = j + m->body_jntnum[b]; j < end; j++) {
            const int k = m->jnt_dofadr[j], type = m->jnt_type[j];
            const int count = sn_hasQuaternion(type) ? 3 : 1;
            sn_blockPass(d, qacc, k, count, &v, &a, work);
            if (type == SN_JNT_FREE) sn_blockPass(d, qacc, k + 3, 3, &v, &a, work);
        }
        sn_motionStore(work->acc + 6 * b, a);
    }
}

// ---- inwards: sums along the tree

// Records of bodies b, ..., b + 3. Column j of the block of C is 2 w x J_j - tr(J) w x e_j - 2 v h_j
// + 2 (h.v) e_j.
SN_INLINE void sn_blockBodies(const snModel* m, const snData* d, int b, snBlockWork* work)
{
    const int last = m->nbody - 1;
    const snLanesInertia I = sn_rowsLoadInertia(sn_rowsFrom(d->cinert, 10, b, last));
    const snLanes6 V = sn_rowsLoad6(sn_rowsFrom(d->cvel, 6, b, last)),
                   a = sn_rowsLoad6(sn_rowsFrom(work->acc, 6, b, last));
    const snLanes6 P = sn_lanesInertiaMul(&I, V),
                   f = sn_l6Add(sn_lanesInertiaMul(&I, a), sn_l6CrossForce(V, P));
    const snLanes3 w = V.ang, v = V.lin, h = I.h;
    const v4 trace = I.xx + I.yy + I.zz, along = 2 * (h.x * v.x + h.y * v.y + h.z * v.z);
    const snLanes3 x = sn_l3Cross(w, (snLanes3){I.xx, I.xy, I.xz}),
                   y = sn_l3Cross(w, (snLanes3){I.xy, I.yy, I.yz}),
                   z = sn_l3Cross(w, (snLanes3){I.xz, I.yz, I.zz}), t = sn_l3Scale(w, trace);
    double* to = work->body + (ptrdiff_t)SN_BODY_RECORD * b;
    sn_lanesStore(to, SN_BODY_RECORD, I.xx, I.yy, I.zz, I.xy);
    sn_lanesStore(to + 4, SN_BODY_RECORD, I.xz, I.yz, h.x, h.y);
    sn_lanesStore(to + 8, SN_BODY_RECORD, h.z, I.mass, f.ang.x, f.ang.y);
    sn_lanesStore(to + 12, SN_BODY_RECORD, f.ang.z, f.lin.x, f.lin.y, f.lin.z);
    sn_lanesStore(to + 16, SN_BODY_RECORD, 2 * (x.x - v.x * h.x) + along, 2 * (y.x - v.x * h.y) + t.z,
                  2 * (z.x - v.x * h.z) - t.y, 2 * (x.y - v.y * h.x) - t.z);
    sn_lanesStore(to + 20, SN_BODY_RECORD, 2 * (y.y - v.y * h.y) + along, 2 * (z.y - v.y * h.z) + t.x,
                  2 * (x.z - v.z * h.x) + t.y, 2 * (y.z - v.z * h.y) - t.x);
    sn_lanesStore(to + 24, SN_BODY_RECORD, 2 * (z.z - v.z * h.z) + along, 2 * P.lin.x, 2 * P.lin.y,
                  2 * P.lin.z);
}

/// Records of all bodies, summed along the tree but not into the world.
SN_INLINE void sn_blockInwards(const snModel* m, const snData* d, snBlockWork* work)
{
    for (int b = 1; b < m->nbody; b += 4) sn_blockBodies(m, d, b, work);
    for (int b = m->nbody - 1; b > 0; b--) {
        const int parent = m->body_parentid[b];
        if (!parent) continue;
        double *to = work->body + (ptrdiff_t)SN_BODY_RECORD * parent,
               *from = work->body + (ptrdiff_t)SN_BODY_RECORD * b;
        for (int k = 0; k < SN_BODY_RECORD; k += 4) v4_store(to + k, v4_load(to + k) + v4_load(from + k));
        if (!work->wrench) continue;
        for (int k = 0; k < 6; k++) work->wrench[6 * parent + k] += work->wrench[6 * b + k];
    }
}

// ---- blocks

typedef struct snLanesCoriolis {
    snLanes3 row[3], p2;
} snLanesCoriolis;

SN_INLINE snLanes6 sn_coriolisMul(const snLanesCoriolis* C, snLanes3 w)
{
    const snLanes3* r = C->row;
    return (snLanes6){{r[0].x * w.x + r[0].y * w.y + r[0].z * w.z, r[1].x * w.x + r[1].y * w.y + r[1].z * w.z,
                       r[2].x * w.x + r[2].y * w.y + r[2].z * w.z},
                      sn_l3Cross(w, C->p2)};
}

SN_INLINE snLanes3 sn_coriolisTMul(const snLanesCoriolis* C, snLanes6 s)
{
    const snLanes3 *r = C->row, w = s.ang, turned = sn_l3Cross(C->p2, s.lin);
    return (snLanes3){r[0].x * w.x + r[1].x * w.y + r[2].x * w.z + turned.x,
                      r[0].y * w.x + r[1].y * w.y + r[2].y * w.z + turned.y,
                      r[0].z * w.x + r[1].z * w.y + r[2].z * w.z + turned.z};
}

/// Four dofs from block->first on: S x* f + I Y + C S' and the like with I, f, C of body[t] for dof first +
/// t. Makes Y and y of these dofs, and something beyond the last: what is made later stands there in the end.
SN_INLINE snBlock sn_blockOf(const snData* d, int first, int count, const int body[4], snBlockWork* work)
{
    const int last = first + count - 1;
    const snLanes6 S = sn_rowsLoad6(sn_rowsFrom(d->cdof, 6, first, last)),
                   rate = sn_rowsLoad6(sn_rowsFrom(d->cdof_dot, 6, first, last)),
                   u = sn_rowsLoad6(sn_rowsFrom(work->before, 6, first, last)),
                   w = sn_rowsLoad6(sn_rowsFrom(work->after, 6, first, last)),
                   a = sn_rowsLoad6(sn_rowsFrom(work->pushing, 6, first, last));
    const snLanes6 Y = sn_l6Add(sn_l6CrossMotion(a, S), sn_l6CrossMotion(u, rate)),
                   y = sn_l6Add(rate, sn_l6CrossMotion(w, S));
    sn_l6Store(work->Y + 6 * first, Y);
    sn_l6Store(work->y + 6 * first, y);

    const snRows record = sn_rowsAt(work->body, SN_BODY_RECORD, body);
    const snLanesInertia I = sn_rowsLoadInertia(record);
    snLanesCoriolis C;
    snLanes6 f;
    v4 again_h, again_m;
    sn_rowsLoad(record, SN_BODY_FORCE - 2, &again_h, &again_m, &f.ang.x, &f.ang.y);
    sn_rowsLoad(record, SN_BODY_FORCE + 2, &f.ang.z, &f.lin.x, &f.lin.y, &f.lin.z);
    sn_rowsLoad(record, SN_BODY_CORIOLIS, &C.row[0].x, &C.row[0].y, &C.row[0].z, &C.row[1].x);
    sn_rowsLoad(record, SN_BODY_CORIOLIS + 4, &C.row[1].y, &C.row[1].z, &C.row[2].x, &C.row[2].y);
    sn_rowsLoad(record, SN_BODY_CORIOLIS + 8, &C.row[2].z, &C.p2.x, &C.p2.y, &C.p2.z);

    snBlock block = {.first = first, .count = count};
    block.q =
        sn_l6Add(sn_l6CrossForce(S, f), sn_l6Add(sn_lanesInertiaMul(&I, Y), sn_coriolisMul(&C, rate.ang)));
    block.v = sn_l6Add(sn_lanesInertiaMul(&I, y), sn_coriolisMul(&C, S.ang));
    block.IS = sn_lanesInertiaMul(&I, S);
    block.CS = sn_coriolisTMul(&C, S);
    if (work->wrench) block.held = sn_l6CrossForce(S, sn_rowsLoad6(sn_rowsAt(work->wrench, 6, body)));
    return block;
}

#endif
