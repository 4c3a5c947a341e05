// First and second derivatives of position and orientation.
//
// Dof i moves everything behind it with S_i. So it turns the velocity J_k that a dof k below it, or of its
// own ball, gives the point: dJ_k/dq_i = w_i x J_k; and moves the point of a dof k above it: dJ_k/dq_i = w_k
// x J_i. The rotation rate w_k of k is turned by i above it alone. In the object's axes, which turn with
// every dof, w_i x J_k goes off: only dofs i below k remain.
#include <sinew/kinematics_derivative.h>
#include "derivative/kinematics/frame.h"
#include "smooth/kinematics/jacobian.h"

// What dof k does to the frame
typedef struct Column {
    snVec3 turn, move;
} Column;

static Column columnOf(const snData* d, const snBodyFrame* f, int k)
{
    const snMotion s = sn_motionLoad(d->cdof + 6 * k);
    return (Column){s.ang, sn_velocityAt(s, f->arm)};
}

static void put(double* to, size_t stride, size_t at, const snBodyFrame* f, int flg_local, snVec3 v)
{
    if (!to) return;
    if (flg_local) v = sn_m3TMul(f->R, v);
    to[at] = v.x;
    to[stride + at] = v.y;
    to[2 * stride + at] = v.z;
}

// Both orders of dof k and a dof i that stands above it (own: in its group).
static void pair(const snModel* m, const snData* d, const snBodyFrame* f, int flg_local, int i, int k,
                 bool own, double* Hp, double* Hr)
{
    const size_t nv = (size_t)m->nv, square = nv * nv;
    const Column above = columnOf(d, f, i), below = columnOf(d, f, k);
    const size_t ki = (size_t)k * nv + (size_t)i, ik = (size_t)i * nv + (size_t)k;
    const snVec3 moved = sn_v3Cross(above.turn, below.move), turned = sn_v3Cross(above.turn, below.turn);
    if (!flg_local) {
        put(Hp, square, ki, f, 0, moved);
        put(Hr, square, ki, f, 0, turned);
        if (!own) put(Hp, square, ik, f, 0, moved);
    } else if (!own) {
        put(Hp, square, ik, f, 1, sn_v3Sub(moved, sn_v3Cross(below.turn, above.move)));
        put(Hr, square, ik, f, 1, turned);
    }
}

static void seconds(const snModel* m, const snData* d, const snBodyFrame* f, int flg_local, double* Hp,
                    double* Hr)
{
    for (int k = sn_lastDof(m, f->body); k >= 0; k = m->dof_parentid[k]) {
        const int first = sn_firstOfGroup(m, k), j = m->dof_jntid[k];
        int end = first + 1;
        while (end < m->nv && m->dof_jntid[end] == j && sn_firstOfGroup(m, end) == first) end++;
        for (int i = first; i < end; i++) pair(m, d, f, flg_local, i, k, true, Hp, Hr);
        for (int i = m->dof_parentid[first]; i >= 0; i = m->dof_parentid[i])
            pair(m, d, f, flg_local, i, k, false, Hp, Hr);
    }
}

static void clear(double* to, size_t count)
{
    if (to) memset(to, 0, count * sizeof *to);
}

snStatus sn_objectPoseDerivative(const snModel* m, const snData* d, int objtype, int objid,
                                 const double* point, int flg_local, double* jacp, double* jacr, double* Hp,
                                 double* Hr, snError* error)
{
    const size_t nv = (size_t)m->nv;
    snBodyFrame f;
    const snStatus status = sn_bodyFrame(m, d, objtype, objid, point, &f, error);
    if (status) return status;
    clear(jacp, 3 * nv);
    clear(jacr, 3 * nv);
    clear(Hp, 3 * nv * nv);
    clear(Hr, 3 * nv * nv);
    for (int k = sn_lastDof(m, f.body); k >= 0; k = m->dof_parentid[k]) {
        const Column c = columnOf(d, &f, k);
        put(jacp, nv, (size_t)k, &f, flg_local, c.move);
        put(jacr, nv, (size_t)k, &f, flg_local, c.turn);
    }
    if (Hp || Hr) seconds(m, d, &f, flg_local, Hp, Hr);
    return SN_STATUS_OK;
}
