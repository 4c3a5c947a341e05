#include "constraint/row.h"
#include "constraint/impedance.h"
#include "math/spatial.h"
#include <string.h>

static double* enterRows(snData* d, snRowWriter* w, int count, int ndof, int coladr)
{
    double* J = d->efc_J + w->J;
    for (int r = w->row; r < w->row + count; r++) {
        d->efc_J_rownnz[r] = ndof;
        d->efc_J_rowadr[r] = w->J;
        d->efc_J_coladr[r] = coladr;
        w->J += ndof;
    }
    w->row += count;
    memset(J, 0, (size_t)count * (size_t)ndof * sizeof(double));
    return J;
}

double* sn_beginRows(snData* d, snRowWriter* w, int count, const int* dofs, int ndof)
{
    const int coladr = w->col;
    for (int k = ndof - 1; k >= 0; k--) d->efc_J_colind[w->col++] = dofs[k];
    return enterRows(d, w, count, ndof, coladr);
}

double* sn_beginRowsAlike(snData* d, snRowWriter* w, int count)
{
    return enterRows(d, w, count, d->efc_J_rownnz[w->row - 1], d->efc_J_coladr[w->row - 1]);
}

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

// Entries of one dof in the rows of a pyramid: normal +- mu_k times tangent k.
static void pyramidColumn(const snContact* con, const double velocity[6], double* column, size_t stride)
{
    for (int k = 1; k < con->dim; k++) {
        const double tangent = con->friction[k - 1] * velocity[k];
        column[2 * (size_t)(k - 1) * stride] = velocity[0] + tangent;
        column[(2 * (size_t)k - 1) * stride] = velocity[0] - tangent;
    }
}

// Columns of a contact Jacobian: velocity of body 2 minus body 1 at the contact point in the contact frame,
// normal first (seed 001, "Contact"). With cdof = (w, v) about the tree's centre of mass c, the point x moves
// by v + w x (x - c). An elliptic cone has the components themselves as rows, a pyramid its edges.
static void contactJacobian(const snModel* m, const snData* d, const snContact* con, double* J,
                            const int* dofs, int ndof)
{
    const int dim = con->dim;
    const int root0 = m->body_rootid[m->geom_bodyid[con->geom[0]]];
    const int root1 = m->body_rootid[m->geom_bodyid[con->geom[1]]];
    int a = sn_bodyLastDof(m, m->geom_bodyid[con->geom[0]]);
    const snVec3 x = sn_v3Load(con->pos);
    const snVec3 offset0 = sn_v3Sub(x, sn_v3Load(d->subtree_com + 3 * root0));
    const snVec3 offset1 = sn_v3Sub(x, sn_v3Load(d->subtree_com + 3 * root1));
    const snMat3 frame = sn_m3Load(con->frame);
    const bool pyramid = dim > 1 && m->opt.cone == SN_CONE_PYRAMIDAL;
    for (int c = 0; c < ndof; c++) {
        const int i = dofs[c];
        const bool first = i == a; // moves body 1
        if (first) a = m->dof_parentid[i];
        const snMotion axis = sn_motionLoad(d->cdof + 6 * i);
        const snVec3 velocity = sn_v3Add(axis.lin, sn_v3Cross(axis.ang, first ? offset0 : offset1));
        const double sign = first ? -1 : 1;
        double row[6];
        sn_v3Store(row, sn_v3Scale(sn_m3Mul(frame, velocity), sign));
        if (dim > 3) sn_v3Store(row + 3, sn_v3Scale(sn_m3Mul(frame, axis.ang), sign));
        double* column = J + ndof - 1 - c;
        if (pyramid)
            pyramidColumn(con, row, column, (size_t)ndof);
        else
            for (int k = 0; k < dim; k++) column[k * ndof] = row[k];
    }
}

// The friction rows of an elliptic cone, after its normal row `normal`: no residual, hence K = 0; damping by
// solreffriction if given; R_k such that R_k mu_k^2 is the same for all, R_1 = R_normal / impratio, which the
// analytic inverse needs (seed 001, "Friction cones").
static void fillElliptic(const snModel* m, snData* d, const snContact* con, int normal)
{
    const bool own = con->solreffriction[0] != 0 || con->solreffriction[1] != 0;
    const double *N = d->efc_KBIP + 4 * normal, f = con->friction[0];
    const snKbip k = sn_kbip(&m->opt, own ? con->solreffriction : con->solref, con->solimp,
                             con->dist - con->includemargin, true);
    const double R1 = d->efc_R[normal] / fmax(SN_MINVAL, m->opt.impratio);
    for (int j = 1; j < con->dim; j++) {
        const int r = normal + j;
        const double mu = con->friction[j - 1];
        d->efc_type[r] = d->efc_type[normal];
        d->efc_id[r] = d->efc_id[normal];
        d->efc_pos[r] = d->efc_margin[r] = d->efc_frictionloss[r] = 0;
        d->efc_KBIP[4 * r] = 0;
        d->efc_KBIP[4 * r + 1] = k.damping;
        d->efc_KBIP[4 * r + 2] = N[2];
        d->efc_KBIP[4 * r + 3] = N[3];
        d->efc_R[r] = R1 * (f * f) / (mu * mu);
        d->efc_D[r] = 1 / d->efc_R[r];
        d->efc_diagApprox[r] = d->efc_R[r] * N[2] / (1 - N[2]);
    }
}

void sn_fillContact(const snModel* m, snData* d, int id, int first, const int* dofs, int ndof, double* J)
{
    snContact* con = d->contact + id;
    const int body0 = m->geom_bodyid[con->geom[0]], body1 = m->geom_bodyid[con->geom[1]];
    contactJacobian(m, d, con, J, dofs, ndof);
    const bool elliptic = con->dim > 1 && m->opt.cone == SN_CONE_ELLIPTIC;
    double diag = m->body_invweight0[2 * body0] + m->body_invweight0[2 * body1];
    // mu of the cone after regularisation: mu_1 sqrt(R_1 / R_normal)
    con->mu = con->dim > 1 ? con->friction[0] / sqrt(fmax(SN_MINVAL, m->opt.impratio)) : 0;
    if (con->dim > 1 && !elliptic) {
        // R of the pyramid's rows: 2 mu^2 R_edge, R_edge that of the first edge, whose diagonal is
        // (1 + mu_1^2) times the normal's. Seed 001, "Friction cones".
        const double f = con->friction[0];
        diag *= (1 + f * f) * 2 * con->mu * con->mu;
    }
    const snRowShared row = {
        .type = con->dim == 1 ? SN_CNSTR_CONTACT_FRICTIONLESS
                : elliptic    ? SN_CNSTR_CONTACT_ELLIPTIC
                              : SN_CNSTR_CONTACT_PYRAMIDAL,
        .id = id,
        .pos = con->dist,
        .margin = con->includemargin,
        .solref = con->solref,
        .solimp = con->solimp,
    };
    con->efc_address = first;
    sn_fillRows(m, d, first, elliptic ? 1 : sn_contactRows(m, con->dim), &row, diag);
    if (elliptic) fillElliptic(m, d, con, first);
}
