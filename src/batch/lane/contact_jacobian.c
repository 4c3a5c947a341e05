// The Jacobian of a contact: its twin is constraint/contact_jacobian.c. Of its own, for that takes four rows
// of a contact into one vector, and here a vector is one number of all lanes.
#include "constraint/row.h"
#include "math/spatial.h"

// What the dofs of one of the bodies are multiplied by: for a dof that moves with (w, v) the contact moves
// with v + w x arm, and its rows are components of that and of w along the axes, which have the body's sign.
typedef struct Side {
    snVec3 arm, axis[3];
} Side;

static Side sideOf(const snModel* m, const snData* d, const snContact* con, int body, bool second)
{
    const snVec3 com = sn_v3Load(d->subtree_com + 3 * m->body_rootid[body]);
    Side side = {.arm = sn_v3Sub(sn_v3Load(con->pos), com)};
    for (int k = 0; k < 3; k++) {
        const snVec3 axis = sn_v3Load(con->frame + 3 * k);
        side.axis[k] = second ? axis : sn_v3Neg(axis);
    }
    return side;
}

// Some columns of rows of `stride` numbers, those of dofs [count] of one side. dim and pyramid are constants.
SN_LANE_INLINE void fillColumns(const snData* d, const Side* from, const real* mu, const int* dofs, int count,
                                real* J, size_t stride, int dim, bool pyramid)
{
    const Side side = *from;
    for (int c = 0; c < count; c++) {
        const snMotion dof = sn_motionLoad(d->cdof + 6 * dofs[c]);
        const snVec3 velocity = sn_v3Add(dof.lin, sn_v3Cross(dof.ang, side.arm));
        const real normal = sn_v3Dot(side.axis[0], velocity);
        if (!pyramid) J[c] = normal;
        for (int k = 1; k < dim; k++) {
            const real x = sn_v3Dot(side.axis[k % 3], k < 3 ? velocity : dof.ang);
            if (pyramid) {
                J[(size_t)(2 * k - 2) * stride + (size_t)c] = normal + mu[k - 1] * x;
                J[(size_t)(2 * k - 1) * stride + (size_t)c] = normal - mu[k - 1] * x;
            } else {
                J[(size_t)k * stride + (size_t)c] = x;
            }
        }
    }
}

static void fillSide(const snModel* m, const snData* d, const Side* side, const snContact* con,
                     const int* dofs, int count, real* J, int ndof)
{
    const size_t stride = (size_t)ndof;
    const bool pyramid = sn_rowsAreEdges(m);
    const real* mu = con->friction;
    switch (con->dim + (pyramid ? 10 : 0)) {
    case 13: fillColumns(d, side, mu, dofs, count, J, stride, 3, true); break;
    case 14: fillColumns(d, side, mu, dofs, count, J, stride, 4, true); break;
    case 16: fillColumns(d, side, mu, dofs, count, J, stride, 6, true); break;
    case 3: fillColumns(d, side, mu, dofs, count, J, stride, 3, false); break;
    case 4: fillColumns(d, side, mu, dofs, count, J, stride, 4, false); break;
    case 6: fillColumns(d, side, mu, dofs, count, J, stride, 6, false); break;
    default: fillColumns(d, side, mu, dofs, count, J, stride, 1, false); break;
    }
}

// Velocity of body 2 minus body 1, in runs of dofs that move the same one.
void sn_contactJacobian(const snModel* m, const snData* d, const snContact* con, const snRowBlock* block)
{
    Side side[2];
    int last[2];
    for (int s = 0; s < 2; s++) {
        const int body = m->geom_bodyid[con->geom[s]];
        last[s] = sn_bodyLastDof(m, body);
        if (last[s] >= 0) side[s] = sideOf(m, d, con, body, s == 1);
    }
    int first = last[0]; // the next that moves body 1
    for (int end = block->ndof; end > 0;) {
        const bool second = block->dofs[end - 1] != first;
        int begin = end;
        while (begin > 0 && (block->dofs[begin - 1] != first) == second) {
            if (!second) first = m->dof_parentid[first];
            begin--;
        }
        fillSide(m, d, side + second, con, block->dofs + begin, end - begin, block->J + begin, block->ndof);
        end = begin;
    }
}
