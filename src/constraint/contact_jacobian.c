// For each target: src/target/prelude.h.
// The Jacobian of a contact.
#include <string.h>
#include "constraint/row.h"
#include "math/simd.h"
#include "model/contact.h"

// Up to four rows of a contact: J = l . (v + w x r) + a . w for a dof that moves with (w, v), where l and a
// are directions in the world and r is the way from the tree's centre of mass to the contact.
typedef struct Lanes {
    v4 lin[3], ang[3];
} Lanes;

enum { MOST_ROWS = 10, MOST_LANES = (MOST_ROWS + 3) / 4 };

// The rows 4 k and on of an elliptic cone, or of a contact without friction: components of the velocity.
SN_INLINE Lanes components(const double* frame, int k)
{
    Lanes rows = {0};
    for (int i = 0; i < 3; i++) {
        if (k == 0) rows.lin[i] = v4_of(frame[i], frame[3 + i], frame[6 + i], 0);
        rows.ang[i] = k == 0 ? v4_of(0, 0, 0, frame[i]) : v4_of(frame[3 + i], frame[6 + i], 0, 0);
    }
    return rows;
}

// The rows 4 k and on of a pyramid, its edges: normal +- mu_j times component j, of which the first two are
// velocities along the tangents, the others spins about the normal and them (seed 001, "Contact").
SN_INLINE Lanes edges(const double* frame, const double* mu, int k)
{
    const double mu1 = mu[2 * k], mu2 = k < 2 ? mu[2 * k + 1] : 0;
    const double *axis1 = frame + 3 * ((2 * k + 1) % 3), *axis2 = frame + 3 * ((2 * k + 2) % 3);
    Lanes rows = {0};
    for (int i = 0; i < 3; i++) {
        const double x = mu1 * axis1[i], y = mu2 * axis2[i];
        const v4 edge = v4_of(x, -x, y, -y);
        rows.lin[i] = v4_all(frame[i]);
        if (k == 0)
            rows.lin[i] += edge;
        else
            rows.ang[i] = edge;
    }
    return rows;
}

// l . (w x r) = (r x l) . w: what w and v are multiplied by, with a sign.
SN_INLINE Lanes aboutCentre(const Lanes* lanes, const double* pos, const double* com, double sign)
{
    const double x = pos[0] - com[0], y = pos[1] - com[1], z = pos[2] - com[2];
    const v4 *l = lanes->lin, *a = lanes->ang, s = v4_all(sign), xs = v4_all(x), ys = v4_all(y),
             zs = v4_all(z);
    return (Lanes){{s * l[0], s * l[1], s * l[2]},
                   {s * (a[0] + ys * l[2] - zs * l[1]), s * (a[1] + zs * l[0] - xs * l[2]),
                    s * (a[2] + xs * l[1] - ys * l[0])}};
}

// What `count` lanes of a contact are for the dofs of one of its bodies.
SN_INLINE void sideOf(const snModel* m, const snData* d, const snContact* con, int body, double sign,
                      int count, Lanes* out)
{
    const bool pyramid = con->dim > 1 && sn_rowsAreEdges(m);
    for (int k = 0; k < count; k++) {
        const Lanes rows = pyramid ? edges(con->frame, con->friction, k) : components(con->frame, k);
        out[k] = aboutCentre(&rows, con->pos, d->subtree_com + 3 * m->body_rootid[body], sign);
    }
}

// The numbers of one dof in up to four rows, `stride` apart.
SN_INLINE void addColumn(const Lanes* by, const double* axis, int rows, double* J, size_t stride)
{
    const v4 x = ((v4_all(axis[0]) * by->ang[0] + v4_all(axis[1]) * by->ang[1]) +
                  (v4_all(axis[2]) * by->ang[2] + v4_all(axis[3]) * by->lin[0])) +
                 (v4_all(axis[4]) * by->lin[1] + v4_all(axis[5]) * by->lin[2]);
    J[0] = x[0];
    if (rows > 1) J[stride] = x[1];
    if (rows > 2) J[2 * stride] = x[2];
    if (rows > 3) J[3 * stride] = x[3];
}

// The Jacobian of a contact: velocity of body 2 minus body 1. Dofs that move both bodies are left out.
SN_INLINE void fillJacobian(const snModel* m, const snData* d, const snContact* con, const snRowBlock* block,
                            int rows)
{
    Lanes side[2][MOST_LANES];
    const int count = (rows + 3) / 4;
    int last[2];
    for (int s = 0; s < 2; s++) {
        const int body = m->geom_bodyid[con->geom[s]];
        last[s] = sn_bodyLastDof(m, body);
        if (last[s] >= 0) sideOf(m, d, con, body, s ? 1 : -1, count, side[s]);
    }
    const int *dofs = block->dofs, ndof = block->ndof;
    if (last[0] < 0 || last[1] < 0) { // as a rule: the other one stands still
        const Lanes* by = side[last[0] < 0];
        for (int c = 0; c < ndof; c++)
            for (int k = 0; k < count; k++)
                addColumn(&by[k], d->cdof + 6 * dofs[c], rows - 4 * k, block->J + 4 * k * ndof + c,
                          (size_t)ndof);
        return;
    }
    for (int c = ndof - 1, first = last[0]; c >= 0; c--) {
        const int dof = dofs[c], s = dof != first; // `first`: the next that moves body 1
        if (!s) first = m->dof_parentid[dof];
        for (int k = 0; k < count; k++)
            addColumn(&side[s][k], d->cdof + 6 * dof, rows - 4 * k, block->J + 4 * k * ndof + c,
                      (size_t)ndof);
    }
}

// Adds what one body of a flex's contact does, with its weight and the sign of its side.
SN_INLINE void addBody(const snModel* m, const snData* d, const snContact* con, int body, double weight,
                       const snRowBlock* block)
{
    Lanes lanes[MOST_LANES];
    double J[MOST_ROWS] = {0};
    const int count = (block->rows + 3) / 4;
    int dof = sn_bodyLastDof(m, body);
    if (dof < 0) return;
    sideOf(m, d, con, body, weight, count, lanes);
    for (int c = block->ndof - 1; c >= 0; c--) {
        if (block->dofs[c] != dof) continue;
        for (int k = 0; k < count; k++)
            addColumn(&lanes[k], d->cdof + 6 * dof, block->rows - 4 * k, J + 4 * k, 1);
        for (int r = 0; r < block->rows; r++) block->J[r * block->ndof + c] += J[r];
        dof = m->dof_parentid[dof];
    }
}

// A side of a flex moves as its bodies do by their weights.
SN_INLINE void fillFlex(const snModel* m, const snData* d, const snContact* con, const snRowBlock* block)
{
    memset(block->J, 0, (size_t)(block->rows * block->ndof) * sizeof *block->J);
    for (int side = 0; side < 2; side++) {
        const snContactSide s = sn_contactSide(m, d, con, side);
        for (int k = 0; k < s.count; k++)
            addBody(m, d, con, s.body[k], side ? s.weight[k] : -s.weight[k], block);
    }
}

void sn_contactJacobian(const snModel* m, const snData* d, const snContact* con, const snRowBlock* block)
{
    if (sn_isFlexContact(con))
        fillFlex(m, d, con, block);
    else if (block->rows == 4)
        fillJacobian(m, d, con, block, 4); // by far the most common
    else
        fillJacobian(m, d, con, block, block->rows);
}
