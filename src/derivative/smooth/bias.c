// For each target: src/target/prelude.h.
// Derivatives of recursive Newton-Euler by position and velocity, from the sums of block.h. For i above k,
// whose axis k does not move,
//     d tau_i/dq_k = S_i' (S_k x* f + I Y_k + C S'_k),   d tau_i/dv_k = S_i' (I y_k + C S_k).
// An axis k below i moves with i: there the turn of axis and force cancel but for what is held in the world,
//     d tau_k/dq_i = Y_i' I S_k + S'_i' C' S_k - S_i' (S_k x* W),   d tau_k/dv_i = y_i' I S_k + S_i' C' S_k,
// W the held wrenches. The three rotations of a ball or free joint move one another. Source: Carpentier and
// Mansard 2018; block.h has the sums.
#include "derivative/smooth/bias.h"
#include "base/error.h"
#include "derivative/smooth/armature.h"
#include "derivative/smooth/block.h"
#include "model/kinds.h"

SN_INLINE v4 dot3(const double* a, snLanes3 b)
{
    return v4_all(a[0]) * b.x + v4_all(a[1]) * b.y + v4_all(a[2]) * b.z;
}

SN_INLINE v4 dot6(const double* a, snLanes6 b)
{
    return dot3(a, b.ang) + dot3(a + 3, b.lin);
}

// Row i at the block's dofs from lane `from` on, and column i.
SN_INLINE void addPair(const snBlock* block, int stride, int i, int from, v4 row, v4 column, double* D)
{
    double* to = D + (ptrdiff_t)i * stride + block->first;
    if (from < 0 && block->count == 4)
        v4_storeAny(to, v4_loadAny(to) + row);
    else
        for (int t = from < 0 ? 0 : from; t < block->count; t++) to[t] += row[t];
    double* down = D + (ptrdiff_t)block->first * stride + i;
    for (int t = from + 1; t < block->count; t++) down[(ptrdiff_t)t * stride] += column[t];
}

// Dof i with the dofs of the block behind lane `from`, which is i's own; -1: i is above them all.
SN_INLINE void meet(const snData* d, const snBlock* block, int i, int from, const snBlockWork* work,
                    int stride, double* q, double* v)
{
    const double *S = d->cdof + 6 * i, *rate = d->cdof_dot + 6 * i;
    if (q) {
        v4 column = dot6(work->Y + 6 * i, block->IS) + dot3(rate, block->CS);
        if (work->wrench) column -= dot6(S, block->held);
        addPair(block, stride, i, from, dot6(S, block->q), column, q);
    }
    if (v)
        addPair(block, stride, i, from, dot6(S, block->v),
                dot6(work->y + 6 * i, block->IS) + dot3(S, block->CS), v);
}

SN_INLINE void allPairs(const snModel* m, const snData* d, snBlockWork* work, int stride, double* q,
                        double* v)
{
    for (int first = 0, count; first < m->nv; first += count) {
        count = sn_chainFrom(m, first, SN_CHAIN);
        int body[4];
        for (int t = 0; t < 4; t++) body[t] = m->dof_bodyid[first + (t < count ? t : count - 1)];
        const snBlock block = sn_blockOf(d, first, count, body, work);
        for (int t = 0; t < count; t++) meet(d, &block, first + t, t, work, stride, q, v);
        for (int i = m->dof_parentid[first]; i >= 0; i = m->dof_parentid[i])
            meet(d, &block, i, -1, work, stride, q, v);
    }
}

// The rotations k, k + 1, k + 2 of one joint: an axis before another, too, moves with it, by S_k x S_i, and
// so does what the whole force gives along it.
static inline void turnAxes(const snModel* m, const snData* d, int k, const snBlockWork* work, int stride,
                            double* q)
{
    const int b = m->dof_bodyid[k];
    snForce f = sn_forceLoad(work->body + (ptrdiff_t)SN_BODY_RECORD * b + SN_BODY_FORCE);
    if (work->wrench) f = sn_forceSub(f, sn_forceLoad(work->wrench + 6 * b));
    for (int i = k; i < k + 3; i++)
        for (int j = i + 1; j < k + 3; j++) {
            const snMotion turn =
                sn_crossMotion(sn_motionLoad(d->cdof + 6 * j), sn_motionLoad(d->cdof + 6 * i));
            q[(ptrdiff_t)i * stride + j] += sn_motionDotForce(turn, f);
        }
}

static inline void balls(const snModel* m, const snData* d, const snBlockWork* work, int stride, double* q)
{
    for (int j = 0; j < m->njnt; j++) {
        const int first = sn_jointKind(m->jnt_type[j]).quaternion;
        if (first >= 0) turnAxes(m, d, m->jnt_dofadr[j] + first, work, stride, q);
    }
}

static void derive(const snModel* m, const snData* d, const double* qacc, snBlockWork* work, int stride,
                   double* q, double* v)
{
    sn_blockOutwards(m, d, true, qacc, work);
    sn_blockInwards(m, d, work);
    allPairs(m, d, work, stride, q, v);
    if (q) balls(m, d, work, stride, q);
}

// ----

snStatus sn_failRoom(snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY,
                   "the arena of the data is full: give the model more, <size memory=\"...\"/>");
}

typedef struct Target {
    int stride;
    bool add;
    double *q, *v;
} Target;

// `armature`: with that of tendons.
static snStatus write(const snModel* m, snData* d, const double* qacc, const double* wrench, bool armature,
                      const Target* to, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    const bool tendons = armature && sn_hasMovingArmature(m);
    snArmatureWork moving;
    snBlockWork work;
    snStatus status = tendons ? sn_armatureWork(m, d, &moving, error) : SN_STATUS_OK;
    if (status == SN_STATUS_OK && !sn_blockWork(m, d, wrench, &work)) status = sn_failRoom(error);
    if (status == SN_STATUS_OK) {
        const size_t bytes = (size_t)m->nv * (size_t)to->stride * sizeof(double);
        if (to->q && !to->add) memset(to->q, 0, bytes);
        if (to->v && !to->add) memset(to->v, 0, bytes);
        derive(m, d, qacc, &work, to->stride, to->q, to->v);
        if (tendons) sn_armatureDerivative(m, d, qacc, &work, &moving, to->stride, to->q, to->v);
    }
    sn_scratchRelease(d, mark);
    return status;
}

snStatus sn_biasDerivativeTo(const snModel* m, snData* d, const double* qacc, const double* wrench,
                             int stride, bool add, double* q, double* v, snError* error)
{
    return write(m, d, qacc, wrench, true, &(Target){stride, add, q, v}, error);
}

snStatus sn_biasDerivative(const snModel* m, snData* d, const double* qacc, const double* wrench, double* q,
                           double* v, snError* error)
{
    return write(m, d, qacc, wrench, true, &(Target){m->nv, true, q, v}, error);
}

snStatus sn_bodyBiasDerivative(const snModel* m, snData* d, const double* qacc, double* q, double* v,
                               snError* error)
{
    return write(m, d, qacc, NULL, false, &(Target){m->nv, true, q, v}, error);
}
