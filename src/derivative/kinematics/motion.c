// For each target: src/target/prelude.h.
// A group of dofs (derivative/kinematics/frame.h) that follows a body of velocity u adds p = sum S_k qvel_k
// to its velocity, u x p + r, r = sum S_k qacc_k, to its acceleration. Along a direction its axes move with
// x, the displacement after the group (its own part counts within a ball; elsewhere S x S = 0), so
//     dv += x x p + sum S_k dv_k,
//     da += du x p + u x (x x p + sum S_k dv_k) + x x r + sum S_k da_k.
#include "derivative/kinematics/motion.h"
#include "derivative/kinematics/frame.h"
#include "model/arena.h"

bool sn_bodyColumnsAlloc(const snModel* m, snData* d, int n, snBodyColumns* to)
{
    const size_t bytes = sn_laneAt(sn_lanesOf(n), m->nbody, 0) * sizeof(double);
    to->n = n;
    to->lanes = sn_lanesOf(n);
    to->x = sn_scratchAlloc(d, bytes);
    to->v = sn_scratchAlloc(d, bytes);
    to->a = sn_scratchAlloc(d, bytes);
    return to->x && to->v && to->a;
}

static snMotion sum(const snData* d, int first, int end, const double* numbers)
{
    snMotion total = {{0, 0, 0}, {0, 0, 0}};
    for (int k = first; k < end; k++)
        total = sn_motionAddScaled(total, numbers[k], sn_motionLoad(d->cdof + 6 * k));
    return total;
}

// Directions j, ..., j + 3 of a row of n
SN_INLINE v4 fourOf(const double* row, int j, int n)
{
    if (j + 4 <= n) return v4_loadAny(row + j);
    v4 some = v4_all(0);
    for (int t = 0; j + t < n; t++) some[t] = row[j + t];
    return some;
}

// to += sum over the dofs of S_k times their changes along directions j, ..., j + 3
SN_INLINE void addDofs(const snData* d, const snDofColumns* along, int first, int end, const double* matrix,
                       int j, snLanes6* to)
{
    if (!matrix) return;
    for (int k = first; k < end; k++) {
        const double* s = d->cdof + 6 * k;
        const v4 by = fourOf(matrix + (ptrdiff_t)k * along->stride, j, along->n);
        to->ang.x += v4_all(s[0]) * by, to->ang.y += v4_all(s[1]) * by, to->ang.z += v4_all(s[2]) * by;
        to->lin.x += v4_all(s[3]) * by, to->lin.y += v4_all(s[4]) * by, to->lin.z += v4_all(s[5]) * by;
    }
}

// From what carries the group, at place `from` of the columns, to what it carries, at `to`.
static void addGroup(const snData* d, const snDofColumns* along, int first, int end, snMotion* velocity,
                     const snBodyColumns* columns, size_t from, size_t to)
{
    const snMotion p = sum(d, first, end, d->qvel), r = sum(d, first, end, d->qacc);
    const snLanes6 u = sn_lanesAll(velocity->ang, velocity->lin);
    const snLanes6 added = sn_lanesAll(p.ang, p.lin), rate = sn_lanesAll(r.ang, r.lin);
    for (int j = 0; j < along->n; j += 4, from += 24, to += 24) {
        snLanes6 x = sn_lanesAt(columns->x + from);
        const snLanes6 v = sn_lanesAt(columns->v + from);
        addDofs(d, along, first, end, along->q, j, &x);
        snLanes6 dp = sn_l6CrossMotion(x, added), dr = sn_l6CrossMotion(x, rate);
        addDofs(d, along, first, end, along->v, j, &dp);
        addDofs(d, along, first, end, along->a, j, &dr);
        const snLanes6 carried = sn_l6Add(sn_l6CrossMotion(v, added), sn_l6CrossMotion(u, dp));
        sn_lanesPut(columns->x + to, x);
        sn_lanesPut(columns->v + to, sn_l6Add(v, dp));
        sn_lanesPut(columns->a + to, sn_l6Add(sn_lanesAt(columns->a + from), sn_l6Add(carried, dr)));
    }
    *velocity = sn_motionAdd(*velocity, p);
}

static void copy(const snBodyColumns* columns, size_t from, size_t to)
{
    const size_t bytes = sn_laneAt(columns->lanes, 1, 0) * sizeof(double);
    memcpy(columns->x + to, columns->x + from, bytes);
    memcpy(columns->v + to, columns->v + from, bytes);
    memcpy(columns->a + to, columns->a + from, bytes);
}

void sn_bodyColumns(const snModel* m, const snData* d, const snDofColumns* along, const snBodyColumns* to)
{
    const size_t bytes = sn_laneAt(to->lanes, 1, 0) * sizeof(double);
    memset(to->x, 0, bytes);
    memset(to->v, 0, bytes);
    memset(to->a, 0, bytes);
    for (int b = 1; b < m->nbody; b++) {
        const size_t at = sn_laneAt(to->lanes, b, 0);
        size_t from = sn_laneAt(to->lanes, m->body_parentid[b], 0);
        snMotion velocity = sn_motionLoad(d->cvel + 6 * m->body_parentid[b]);
        const int end = m->body_dofadr[b] + m->body_dofnum[b];
        for (int k = m->body_dofadr[b]; k >= 0 && k < end;) {
            int last = k + 1;
            while (last < end && sn_firstOfGroup(m, last) == k) last++;
            addGroup(d, along, k, last, &velocity, to, from, at);
            from = at;
            k = last;
        }
        if (from != at) copy(to, from, at);
    }
}
