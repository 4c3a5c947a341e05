#include "constraint/row.h"
#include "constraint/impedance.h"
#include "math/spatial.h"

void sn_fillRows(const snModel* m, snData* d, int first, int count, const snRowShared* row, double diag)
{
    const bool friction = row->type == SN_CNSTR_FRICTION_DOF || row->type == SN_CNSTR_FRICTION_TENDON;
    const snKbip k = sn_kbip(&m->opt, row->solref, row->solimp, row->pos - row->margin, friction);
    // seed 001: R = (1-d)/d diag(A)
    const double R = fmax(SN_MINVAL, (1 - k.impedance) / k.impedance * diag);
    for (int r = first; r < first + count; r++) {
        d->efc_type[r] = row->type;
        d->efc_id[r] = row->id;
        d->efc_pos[r] = row->pos;
        d->efc_margin[r] = row->margin;
        d->efc_frictionloss[r] = row->frictionloss;
        d->efc_KBIP[4 * r] = k.stiffness;
        d->efc_KBIP[4 * r + 1] = k.damping;
        d->efc_KBIP[4 * r + 2] = k.impedance;
        d->efc_KBIP[4 * r + 3] = k.slope;
        d->efc_R[r] = R;
        d->efc_D[r] = 1 / R;
        d->efc_diagApprox[r] = R * k.impedance / (1 - k.impedance);
    }
}

// Columns of a contact Jacobian: velocity of body 2 minus body 1 at the contact point in the contact frame,
// normal first (seed 001, "Contact"). With cdof = (w, v) about the tree's centre of mass c, the point x moves
// by v + w x (x - c). The pyramid's edges are normal +- mu_k times tangent k.
static void contactJacobian(const snModel* m, const snData* d, const snContact* con, double* J,
                            const int* dofs, int ndof)
{
    const int nv = m->nv, dim = con->dim;
    const int root0 = m->body_rootid[m->geom_bodyid[con->geom[0]]];
    const int root1 = m->body_rootid[m->geom_bodyid[con->geom[1]]];
    int a = sn_bodyLastDof(m, m->geom_bodyid[con->geom[0]]);
    const snVec3 x = sn_v3Load(con->pos);
    const snVec3 offset0 = sn_v3Sub(x, sn_v3Load(d->subtree_com + 3 * root0));
    const snVec3 offset1 = sn_v3Sub(x, sn_v3Load(d->subtree_com + 3 * root1));
    const snMat3 frame = sn_m3Load(con->frame);
    for (int c = 0; c < ndof; c++) {
        const int i = dofs[c];
        const bool first = i == a; // moves body 1
        if (first) a = m->dof_parentid[i];
        const snMotion axis = sn_motionLoad(d->cdof + 6 * i);
        const snVec3 velocity = sn_v3Add(axis.lin, sn_v3Cross(axis.ang, first ? offset0 : offset1));
        const double sign = first ? -1 : 1;
        const snVec3 linear = sn_v3Scale(sn_m3Mul(frame, velocity), sign);
        if (dim == 1) {
            J[i] = linear.x;
            continue;
        }
        double* column = J + i;
        const double tangent0 = con->friction[0] * linear.y, tangent1 = con->friction[1] * linear.z;
        column[0] = linear.x + tangent0;
        column[nv] = linear.x - tangent0;
        column[2 * nv] = linear.x + tangent1;
        column[3 * nv] = linear.x - tangent1;
        if (dim == 3) continue;
        const snVec3 angular = sn_v3Scale(sn_m3Mul(frame, axis.ang), sign);
        const double spin[3] = {angular.x, angular.y, angular.z};
        for (int k = 3; k < dim; k++) {
            const double turn = con->friction[k - 1] * spin[k - 3];
            column[2 * (k - 1) * nv] = linear.x + turn;
            column[(2 * k - 1) * nv] = linear.x - turn;
        }
    }
}

void sn_fillContact(const snModel* m, snData* d, int id, int first, const int* dofs, int ndof)
{
    snContact* con = d->contact + id;
    const int body0 = m->geom_bodyid[con->geom[0]], body1 = m->geom_bodyid[con->geom[1]];
    contactJacobian(m, d, con, d->efc_J + (size_t)first * (size_t)m->nv, dofs, ndof);
    double diag = m->body_invweight0[2 * body0] + m->body_invweight0[2 * body1];
    if (con->dim > 1) {
        // R of the pyramid's rows: 2 mu^2 R_edge, mu = mu_1 / sqrt(impratio), R_edge that of the first edge,
        // whose diagonal is (1 + mu_1^2) times the normal's. Seed 001, "Friction cones".
        const double f = con->friction[0];
        con->mu = f / sqrt(fmax(SN_MINVAL, m->opt.impratio));
        diag *= (1 + f * f) * 2 * con->mu * con->mu;
    } else {
        con->mu = 0;
    }
    const snRowShared row = {
        .type = con->dim == 1 ? SN_CNSTR_CONTACT_FRICTIONLESS : SN_CNSTR_CONTACT_PYRAMIDAL,
        .id = id,
        .pos = con->dist,
        .margin = con->includemargin,
        .solref = con->solref,
        .solimp = con->solimp,
    };
    con->efc_address = first;
    sn_fillRows(m, d, first, sn_contactRows(con->dim), &row, diag);
}
