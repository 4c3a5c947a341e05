// A group of dofs (derivative/kinematics/frame.h) that follows a body of velocity u adds p = sum S_k qvel_k
// to its velocity, u x p + r, r = sum S_k qacc_k, to its acceleration. Along a direction its axes move with
// x, the displacement after the group (its own part counts within a ball; elsewhere S x S = 0), so
//     dv += x x p + sum S_k dv_k,
//     da += du x p + u x (x x p + sum S_k dv_k) + x x r + sum S_k da_k.
#include "derivative/kinematics/motion.h"
#include "derivative/kinematics/frame.h"
#include "model/arena.h"

static const snMotion NONE = {{0, 0, 0}, {0, 0, 0}};

bool sn_bodyColumnsAlloc(const snModel* m, snData* d, int n, snBodyColumns* to)
{
    const size_t bytes = (size_t)m->nbody * (size_t)n * sizeof(snMotion);
    to->n = n;
    to->x = sn_scratchAlloc(d, bytes);
    to->v = sn_scratchAlloc(d, bytes);
    to->a = sn_scratchAlloc(d, bytes);
    return to->x && to->v && to->a;
}

// sum over the dofs of S_k times numbers `stride` apart
static inline snMotion sum(const snData* d, int first, int end, const double* numbers, size_t stride)
{
    snMotion total = NONE;
    if (!numbers) return total;
    for (int k = first; k < end; k++)
        total = sn_motionAddScaled(total, numbers[(size_t)k * stride], sn_motionLoad(d->cdof + 6 * k));
    return total;
}

static inline const double* column(const double* matrix, int j)
{
    return matrix ? matrix + j : NULL;
}

static void addGroup(const snData* d, const snDofColumns* along, int first, int end, snMotion* velocity,
                     snMotion* x, snMotion* v, snMotion* a)
{
    const size_t stride = (size_t)along->stride;
    const snMotion p = sum(d, first, end, d->qvel, 1), r = sum(d, first, end, d->qacc, 1);
    for (int j = 0; j < along->n; j++) {
        x[j] = sn_motionAdd(x[j], sum(d, first, end, column(along->q, j), stride));
        const snMotion dp =
            sn_motionAdd(sn_crossMotion(x[j], p), sum(d, first, end, column(along->v, j), stride));
        const snMotion dr =
            sn_motionAdd(sn_crossMotion(x[j], r), sum(d, first, end, column(along->a, j), stride));
        const snMotion carried = sn_motionAdd(sn_crossMotion(v[j], p), sn_crossMotion(*velocity, dp));
        a[j] = sn_motionAdd(a[j], sn_motionAdd(carried, dr));
        v[j] = sn_motionAdd(v[j], dp);
    }
    *velocity = sn_motionAdd(*velocity, p);
}

void sn_bodyColumns(const snModel* m, const snData* d, const snDofColumns* along, const snBodyColumns* to)
{
    const size_t n = (size_t)along->n;
    for (size_t j = 0; j < n; j++) to->x[j] = to->v[j] = to->a[j] = NONE;
    for (int b = 1; b < m->nbody; b++) {
        const size_t at = (size_t)b * n, parent = (size_t)m->body_parentid[b] * n;
        memcpy(to->x + at, to->x + parent, n * sizeof(snMotion));
        memcpy(to->v + at, to->v + parent, n * sizeof(snMotion));
        memcpy(to->a + at, to->a + parent, n * sizeof(snMotion));
        snMotion velocity = sn_motionLoad(d->cvel + 6 * m->body_parentid[b]);
        const int end = m->body_dofadr[b] + m->body_dofnum[b];
        for (int k = m->body_dofadr[b]; k >= 0 && k < end;) {
            int last = k + 1;
            while (last < end && sn_firstOfGroup(m, last) == k) last++;
            addGroup(d, along, k, last, &velocity, to->x + at, to->v + at, to->a + at);
            k = last;
        }
    }
}
