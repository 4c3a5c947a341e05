// Derivatives of recursive Newton-Euler by position and velocity.
//
// Dof k turns and shifts all that it carries with S_k = cdof_k, so of a body with velocity v and acceleration
// a in its reach (spatial, about a point fixed in the world; gravity an upward acceleration of the world)
//     dv/dq_k = S'_k + S_k x v,           S'_k = u_k x S_k = cdof_dot_k,
//     da/dq_k = Y_k + S'_k x v + S_k x a,  Y_k = a_k x S_k + u_k x S'_k,
// where u_k, a_k are velocity and acceleration of what dof k moves against. The inertia turns, too, and of
// the force f = I a + v x* I v there remains
//     df/dq_k = S_k x* f + I Y_k + C S'_k.
// C = v x* I - I v x - [I v]x depends on the body alone: in blocks, with J the rotational inertia, h the
// first moment and p = m v - h x w the linear momentum,
//     [ 2 [w]J - tr(J) [w] - 2 [h][v]    0 ]
//     [ -2 [p]                           0 ].
// Velocity: with w_k the velocity after the joint, df/dqvel_k = I y_k + C S_k, y_k = S'_k + w_k x S_k.
// All are linear in I, C, f, so that these are summed along the tree. With the sums over what k carries, and
// i above k, whose axis k does not move,
//     d tau_i/dq_k = S_i' (S_k x* f + I Y_k + C S'_k),   d tau_i/dv_k = S_i' (I y_k + C S_k).
// An axis k below i moves with i: there the turn of axis and force cancel but for what is held in the world,
//     d tau_k/dq_i = Y_i' I S_k + S'_i' C' S_k - S_i' (S_k x* W),   d tau_k/dv_i = y_i' I S_k + S_i' C' S_k,
// W the held wrenches. The three rotations of a ball or free joint move one another.
#include "derivative/smooth/bias.h"
#include <string.h>
#include "base/error.h"
#include "math/clones.h"
#include "math/lanes.h"
#include "math/spatial.h"
#include "model/arena.h"
#include "smooth/kinematics/chain.h"

// Of a body, then of all that it carries, in rows of four: inertia as cinert, force f, the block of C row by
// row, 2 p.
enum { FORCE = 10, CORIOLIS = 16, MOMENTUM = 25, RECORD = 28 };

typedef struct Work {
    double* body;                     // [nbody x RECORD]
    double *acc, *wrench;             // [nbody x 6]; wrench, summed along the tree, NULL: none
    double *before, *after, *pushing; // [nv x 6] u, w, a
    double *Y, *y;                    // [nv x 6]
} Work;

// ---- four rows at a time

typedef struct Rows {
    const double* at[4];
} Rows;

// Rows first, ..., first + 3, of which those beyond `last` are the last again.
SN_INLINE Rows rowsFrom(const double* p, int width, int first, int last)
{
    Rows r;
    for (int t = 0; t < 4; t++) r.at[t] = p + (ptrdiff_t)width * (first + t < last ? first + t : last);
    return r;
}

SN_INLINE void fourOf(Rows r, int from, v4* a, v4* b, v4* c, v4* d)
{
    *a = v4_loadAny(r.at[0] + from);
    *b = v4_loadAny(r.at[1] + from);
    *c = v4_loadAny(r.at[2] + from);
    *d = v4_loadAny(r.at[3] + from);
    sn_lanesTranspose(a, b, c, d);
}

SN_INLINE snLanes6 sixOf(Rows r)
{
    snLanes6 s;
    v4 again_z, again_x;
    fourOf(r, 0, &s.ang.x, &s.ang.y, &s.ang.z, &s.lin.x);
    fourOf(r, 2, &again_z, &again_x, &s.lin.y, &s.lin.z);
    return s;
}

typedef struct LanesInertia {
    v4 xx, yy, zz, xy, xz, yz;
    snLanes3 h;
    v4 mass;
} LanesInertia;

SN_INLINE LanesInertia inertiaOf(Rows r)
{
    LanesInertia I;
    v4 again_h, again_y;
    fourOf(r, 0, &I.xx, &I.yy, &I.zz, &I.xy);
    fourOf(r, 4, &I.xz, &I.yz, &I.h.x, &I.h.y);
    fourOf(r, 6, &again_h, &again_y, &I.h.z, &I.mass);
    return I;
}

SN_INLINE snLanes6 add(snLanes6 a, snLanes6 b)
{
    return (snLanes6){sn_l3Add(a.ang, b.ang), sn_l3Add(a.lin, b.lin)};
}

SN_INLINE snLanes6 inertiaMul(const LanesInertia* I, snLanes6 v)
{
    const snLanes3 w = v.ang;
    const snLanes3 Iw = {I->xx * w.x + I->xy * w.y + I->xz * w.z, I->xy * w.x + I->yy * w.y + I->yz * w.z,
                         I->xz * w.x + I->yz * w.y + I->zz * w.z};
    return (snLanes6){sn_l3Add(Iw, sn_l3Cross(I->h, v.lin)),
                      sn_l3Sub(sn_l3Scale(v.lin, I->mass), sn_l3Cross(I->h, w))};
}

SN_INLINE snLanes6 crossMotion(snLanes6 v, snLanes6 m)
{
    return (snLanes6){sn_l3Cross(v.ang, m.ang), sn_l3Add(sn_l3Cross(v.ang, m.lin), sn_l3Cross(v.lin, m.ang))};
}

SN_INLINE snLanes6 crossForce(snLanes6 v, snLanes6 f)
{
    return (snLanes6){sn_l3Add(sn_l3Cross(v.ang, f.ang), sn_l3Cross(v.lin, f.lin)), sn_l3Cross(v.ang, f.lin)};
}

// ---- outwards: what each dof moves against

// `count` dofs that move together against what is before the first; v and a become those after them.
static inline void passDofs(const snData* d, const double* qacc, int k, int count, snMotion* v, snMotion* a,
                            Work* work)
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

static inline void outwards(const snModel* m, const snData* d, const double* qacc, Work* work)
{
    const bool off = m->opt.disableflags & SN_DSBL_GRAVITY;
    sn_v3Store(work->acc, sn_v3(0, 0, 0));
    sn_v3Store(work->acc + 3, off ? sn_v3(0, 0, 0) : sn_v3Neg(sn_v3Load(m->opt.gravity)));
    for (int b = 1; b < m->nbody; b++) {
        const int parent = m->body_parentid[b];
        snMotion v = sn_motionLoad(d->cvel + 6 * parent), a = sn_motionLoad(work->acc + 6 * parent);
        for (int j = m->body_jntadr[b], end = j + m->body_jntnum[b]; j < end; j++) {
            const int k = m->jnt_dofadr[j], type = m->jnt_type[j];
            const int count = type == SN_JNT_FREE || type == SN_JNT_BALL ? 3 : 1;
            passDofs(d, qacc, k, count, &v, &a, work);
            if (type == SN_JNT_FREE) passDofs(d, qacc, k + 3, 3, &v, &a, work);
        }
        sn_motionStore(work->acc + 6 * b, a);
    }
}

// ---- inwards: sums along the tree

// Records of bodies b, ..., b + 3. Column j of the block of C is 2 w x J_j - tr(J) w x e_j - 2 v h_j
// + 2 (h.v) e_j.
SN_INLINE void bodyRecords(const snModel* m, const snData* d, int b, Work* work)
{
    const int last = m->nbody - 1;
    const LanesInertia I = inertiaOf(rowsFrom(d->cinert, 10, b, last));
    const snLanes6 V = sixOf(rowsFrom(d->cvel, 6, b, last)), a = sixOf(rowsFrom(work->acc, 6, b, last));
    const snLanes6 P = inertiaMul(&I, V), f = add(inertiaMul(&I, a), crossForce(V, P));
    const snLanes3 w = V.ang, v = V.lin, h = I.h;
    const v4 trace = I.xx + I.yy + I.zz, along = 2 * (h.x * v.x + h.y * v.y + h.z * v.z);
    const snLanes3 x = sn_l3Cross(w, (snLanes3){I.xx, I.xy, I.xz}),
                   y = sn_l3Cross(w, (snLanes3){I.xy, I.yy, I.yz}),
                   z = sn_l3Cross(w, (snLanes3){I.xz, I.yz, I.zz}), t = sn_l3Scale(w, trace);
    double* to = work->body + (ptrdiff_t)RECORD * b;
    sn_lanesStore(to, RECORD, I.xx, I.yy, I.zz, I.xy);
    sn_lanesStore(to + 4, RECORD, I.xz, I.yz, h.x, h.y);
    sn_lanesStore(to + 8, RECORD, h.z, I.mass, f.ang.x, f.ang.y);
    sn_lanesStore(to + 12, RECORD, f.ang.z, f.lin.x, f.lin.y, f.lin.z);
    sn_lanesStore(to + 16, RECORD, 2 * (x.x - v.x * h.x) + along, 2 * (y.x - v.x * h.y) + t.z,
                  2 * (z.x - v.x * h.z) - t.y, 2 * (x.y - v.y * h.x) - t.z);
    sn_lanesStore(to + 20, RECORD, 2 * (y.y - v.y * h.y) + along, 2 * (z.y - v.y * h.z) + t.x,
                  2 * (x.z - v.z * h.x) + t.y, 2 * (y.z - v.z * h.y) - t.x);
    sn_lanesStore(to + 24, RECORD, 2 * (z.z - v.z * h.z) + along, 2 * P.lin.x, 2 * P.lin.y, 2 * P.lin.z);
}

SN_INLINE void inwards(const snModel* m, const snData* d, Work* work)
{
    for (int b = 1; b < m->nbody; b += 4) bodyRecords(m, d, b, work);
    for (int b = m->nbody - 1; b > 0; b--) {
        const int parent = m->body_parentid[b];
        if (!parent) continue;
        double *to = work->body + (ptrdiff_t)RECORD * parent, *from = work->body + (ptrdiff_t)RECORD * b;
        for (int k = 0; k < RECORD; k += 4) v4_store(to + k, v4_load(to + k) + v4_load(from + k));
        if (!work->wrench) continue;
        for (int k = 0; k < 6; k++) work->wrench[6 * parent + k] += work->wrench[6 * b + k];
    }
}

// ---- pairs of dofs

// Dofs first, ..., first + count - 1 of a chain, a lane each: what meets S_i in the rows of the dofs i above,
// and what meets Y_i, y_i, S'_i and S_i in their columns.
typedef struct Block {
    int first, count;
    snLanes6 q, v; // S x* f + I Y + C S', I y + C S
    snLanes6 IS;   // I S
    snLanes3 CS;   // C' S, whose linear part is 0
    snLanes6 held; // S x* W
} Block;

SN_INLINE Rows recordsOf(const snModel* m, const double* p, int width, int first, int count)
{
    Rows r;
    for (int t = 0; t < 4; t++)
        r.at[t] = p + (ptrdiff_t)width * m->dof_bodyid[first + (t < count ? t : count - 1)];
    return r;
}

typedef struct LanesCoriolis {
    snLanes3 row[3], p2;
} LanesCoriolis;

SN_INLINE snLanes6 coriolisMul(const LanesCoriolis* C, snLanes3 w)
{
    const snLanes3* r = C->row;
    return (snLanes6){{r[0].x * w.x + r[0].y * w.y + r[0].z * w.z, r[1].x * w.x + r[1].y * w.y + r[1].z * w.z,
                       r[2].x * w.x + r[2].y * w.y + r[2].z * w.z},
                      sn_l3Cross(w, C->p2)};
}

SN_INLINE snLanes3 coriolisTMul(const LanesCoriolis* C, snLanes6 s)
{
    const snLanes3 *r = C->row, w = s.ang, turned = sn_l3Cross(C->p2, s.lin);
    return (snLanes3){r[0].x * w.x + r[1].x * w.y + r[2].x * w.z + turned.x,
                      r[0].y * w.x + r[1].y * w.y + r[2].y * w.z + turned.y,
                      r[0].z * w.x + r[1].z * w.y + r[2].z * w.z + turned.z};
}

SN_INLINE Block blockOf(const snModel* m, const snData* d, int first, int count, Work* work)
{
    const int last = first + count - 1;
    const snLanes6 S = sixOf(rowsFrom(d->cdof, 6, first, last)),
                   rate = sixOf(rowsFrom(d->cdof_dot, 6, first, last));
    const snLanes6 u = sixOf(rowsFrom(work->before, 6, first, last)),
                   w = sixOf(rowsFrom(work->after, 6, first, last)),
                   a = sixOf(rowsFrom(work->pushing, 6, first, last));
    const snLanes6 Y = add(crossMotion(a, S), crossMotion(u, rate)), y = add(rate, crossMotion(w, S));
    sn_l6Store(work->Y + 6 * first, Y); // beyond the last: later blocks', not yet made
    sn_l6Store(work->y + 6 * first, y);

    const Rows body = recordsOf(m, work->body, RECORD, first, count);
    const LanesInertia I = inertiaOf(body);
    LanesCoriolis C;
    snLanes6 f;
    v4 again_h, again_m;
    fourOf(body, FORCE - 2, &again_h, &again_m, &f.ang.x, &f.ang.y);
    fourOf(body, FORCE + 2, &f.ang.z, &f.lin.x, &f.lin.y, &f.lin.z);
    fourOf(body, CORIOLIS, &C.row[0].x, &C.row[0].y, &C.row[0].z, &C.row[1].x);
    fourOf(body, CORIOLIS + 4, &C.row[1].y, &C.row[1].z, &C.row[2].x, &C.row[2].y);
    fourOf(body, CORIOLIS + 8, &C.row[2].z, &C.p2.x, &C.p2.y, &C.p2.z);

    Block block = {.first = first, .count = count};
    block.q = add(crossForce(S, f), add(inertiaMul(&I, Y), coriolisMul(&C, rate.ang)));
    block.v = add(inertiaMul(&I, y), coriolisMul(&C, S.ang));
    block.IS = inertiaMul(&I, S);
    block.CS = coriolisTMul(&C, S);
    if (work->wrench) block.held = crossForce(S, sixOf(recordsOf(m, work->wrench, 6, first, count)));
    return block;
}

SN_INLINE v4 dot3(const double* a, snLanes3 b)
{
    return a[0] * b.x + a[1] * b.y + a[2] * b.z;
}

SN_INLINE v4 dot6(const double* a, snLanes6 b)
{
    return dot3(a, b.ang) + dot3(a + 3, b.lin);
}

// Row i at the block's dofs from lane `from` on, and column i.
SN_INLINE void addPair(const Block* block, int nv, int i, int from, v4 row, v4 column, double* D)
{
    double* to = D + (ptrdiff_t)i * nv + block->first;
    if (from < 0 && block->count == 4)
        v4_storeAny(to, v4_loadAny(to) + row);
    else
        for (int t = from < 0 ? 0 : from; t < block->count; t++) to[t] += row[t];
    double* down = D + (ptrdiff_t)block->first * nv + i;
    for (int t = from + 1; t < block->count; t++) down[(ptrdiff_t)t * nv] += column[t];
}

// Dof i with the dofs of the block behind lane `from`, which is i's own; -1: i is above them all.
SN_INLINE void meet(const snModel* m, const snData* d, const Block* block, int i, int from, const Work* work,
                    double* q, double* v)
{
    const double *S = d->cdof + 6 * i, *rate = d->cdof_dot + 6 * i;
    if (q) {
        v4 column = dot6(work->Y + 6 * i, block->IS) + dot3(rate, block->CS);
        if (work->wrench) column -= dot6(S, block->held);
        addPair(block, m->nv, i, from, dot6(S, block->q), column, q);
    }
    if (v)
        addPair(block, m->nv, i, from, dot6(S, block->v),
                dot6(work->y + 6 * i, block->IS) + dot3(S, block->CS), v);
}

SN_INLINE void allPairs(const snModel* m, const snData* d, Work* work, double* q, double* v)
{
    for (int first = 0, count; first < m->nv; first += count) {
        count = 1;
        while (count < SN_CHAIN && first + count < m->nv &&
               m->dof_parentid[first + count] == first + count - 1)
            count++;
        const Block block = blockOf(m, d, first, count, work);
        for (int t = 0; t < count; t++) meet(m, d, &block, first + t, t, work, q, v);
        for (int i = m->dof_parentid[first]; i >= 0; i = m->dof_parentid[i])
            meet(m, d, &block, i, -1, work, q, v);
    }
}

// The rotations k, k + 1, k + 2 of one joint: an axis before another, too, moves with it, by S_k x S_i, and
// so does what the whole force gives along it.
static inline void turnAxes(const snModel* m, const snData* d, int k, const Work* work, double* q)
{
    const int b = m->dof_bodyid[k];
    snForce f = sn_forceLoad(work->body + (ptrdiff_t)RECORD * b + FORCE);
    if (work->wrench) f = sn_forceSub(f, sn_forceLoad(work->wrench + 6 * b));
    for (int i = k; i < k + 3; i++)
        for (int j = i + 1; j < k + 3; j++) {
            const snMotion turn =
                sn_crossMotion(sn_motionLoad(d->cdof + 6 * j), sn_motionLoad(d->cdof + 6 * i));
            q[(ptrdiff_t)i * m->nv + j] += sn_motionDotForce(turn, f);
        }
}

static inline void balls(const snModel* m, const snData* d, const Work* work, double* q)
{
    for (int j = 0; j < m->njnt; j++) {
        const int type = m->jnt_type[j], k = m->jnt_dofadr[j];
        if (type == SN_JNT_BALL) turnAxes(m, d, k, work, q);
        if (type == SN_JNT_FREE) turnAxes(m, d, k + 3, work, q);
    }
}

SN_CLONES static void derive(const snModel* m, const snData* d, const double* qacc, Work* work, double* q,
                             double* v)
{
    outwards(m, d, qacc, work);
    inwards(m, d, work);
    allPairs(m, d, work, q, v);
    if (q) balls(m, d, work, q);
}

// ----

static bool hasMovingArmature(const snModel* m)
{
    for (int t = 0; t < m->ntendon; t++)
        if (m->tendon_armature[t] != 0 && m->wrap_type[m->tendon_adr[t]] != SN_WRAP_JOINT) return true;
    return false;
}

// Rows are stored four at a time: room for three more.
static bool takeWork(const snModel* m, snData* d, const double* wrench, Work* work)
{
    work->body = sn_scratchReal(d, RECORD * (m->nbody + 3));
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

snStatus sn_biasDerivative(const snModel* m, snData* d, const double* qacc, const double* wrench, double* q,
                           double* v, snError* error)
{
    if (hasMovingArmature(m))
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "the derivative of the armature of a tendon through sites is not supported yet; "
                       "use sn_transitionFD");
    const size_t mark = sn_scratchMark(d);
    Work work;
    snStatus status = SN_STATUS_OK;
    if (takeWork(m, d, wrench, &work))
        derive(m, d, qacc, &work, q, v);
    else
        status = sn_fail(error, SN_STATUS_NO_MEMORY,
                         "no room in the arena for the derivative of inverse dynamics; give the model more "
                         "<size memory=\"...\"/>");
    sn_scratchRelease(d, mark);
    return status;
}
