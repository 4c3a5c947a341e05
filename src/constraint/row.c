#include "constraint/row.h"
#include <math.h>
#include "constraint/impedance.h"
#include "math/clones.h"
#include "math/simd.h"

snRowBlock sn_beginRows(snData* d, snRowWriter* w)
{
    const snRowSupport* s = w->next++;
    const snRowBlock block = {.id = s->id,
                              .row = w->row,
                              .rows = s->rows,
                              .ndof = s->ndof,
                              .dofs = d->efc_J_colind + s->coladr,
                              .J = d->efc_J + w->J};
    for (const int end = w->row + s->rows; w->row < end; w->row++, w->J += s->ndof) {
        d->efc_J_rownnz[w->row] = s->ndof;
        d->efc_J_rowadr[w->row] = w->J;
        d->efc_J_coladr[w->row] = s->coladr;
    }
    return block;
}

enum { NUMBERS = 6 };

// Where rows go and what they all are.
typedef struct Fields {
    double *to[NUMBERS], *KBIP;
    int *type, *id;
    double value[NUMBERS];
    v4u kbip;
} Fields;

// `count` rows, a constant.
SN_INLINE void storeRows(const Fields* fields, const snRowShared* row, int r, int count)
{
    for (int i = 0; i < NUMBERS; i++)
        if (count == 4)
            *(v4u*)(fields->to[i] + r) = (v4u)v4_all(fields->value[i]);
        else
            fields->to[i][r] = fields->value[i];
    for (int k = r; k < r + count; k++) {
        fields->type[k] = row->type;
        fields->id[k] = row->id;
        *(v4u*)(fields->KBIP + 4 * k) = fields->kbip;
    }
}

SN_CLONES
void sn_fillRows(const snModel* m, snData* d, int first, int count, const snRowShared* row, double diag)
{
    const bool friction = row->type == SN_CNSTR_FRICTION_DOF || row->type == SN_CNSTR_FRICTION_TENDON;
    const snKbip k = sn_kbip(&m->opt, row->solref, row->solimp, row->pos - row->margin, friction);
    // seed 001: R = (1-d)/d diag(A)
    const double ratio = (1 - k.impedance) / k.impedance, least = ratio * diag;
    const double R = least > SN_MINVAL ? least : SN_MINVAL;
    const Fields fields = {
        {d->efc_pos, d->efc_margin, d->efc_frictionloss, d->efc_R, d->efc_D, d->efc_diagApprox},
        d->efc_KBIP,
        d->efc_type,
        d->efc_id,
        {row->pos, row->margin, row->frictionloss, R, 1 / R, R / ratio},
        {k.stiffness, k.damping, k.impedance, k.slope}};
    int r = first;
    for (; r + 4 <= first + count; r += 4) storeRows(&fields, row, r, 4);
    for (; r < first + count; r++) storeRows(&fields, row, r, 1);
}

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
        if (k == 0) rows.lin[i] = (v4){frame[i], frame[3 + i], frame[6 + i], 0};
        rows.ang[i] = k == 0 ? (v4){0, 0, 0, frame[i]} : (v4){frame[3 + i], frame[6 + i], 0, 0};
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
        const v4 edge = {x, -x, y, -y};
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
    const v4 *l = lanes->lin, *a = lanes->ang;
    return (Lanes){{sign * l[0], sign * l[1], sign * l[2]},
                   {sign * (a[0] + y * l[2] - z * l[1]), sign * (a[1] + z * l[0] - x * l[2]),
                    sign * (a[2] + x * l[1] - y * l[0])}};
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
    const v4 x =
        ((axis[0] * by->ang[0] + axis[1] * by->ang[1]) + (axis[2] * by->ang[2] + axis[3] * by->lin[0])) +
        (axis[4] * by->lin[1] + axis[5] * by->lin[2]);
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
    for (int c = block->ndof - 1, first = last[0]; c >= 0; c--) {
        const int dof = block->dofs[c], s = dof != first; // `first`: the next that moves body 1
        if (!s) first = m->dof_parentid[dof];
        for (int k = 0; k < count; k++)
            addColumn(&side[s][k], d->cdof + 6 * dof, rows - 4 * k, block->J + 4 * k * block->ndof + c,
                      (size_t)block->ndof);
    }
}

SN_CLONES
static void contactJacobian(const snModel* m, const snData* d, const snContact* con, const snRowBlock* block)
{
    if (block->rows == 4)
        fillJacobian(m, d, con, block, 4); // by far the most common
    else
        fillJacobian(m, d, con, block, block->rows);
}

// The friction rows of an elliptic cone, after its normal row `normal`: no residual, hence K = 0; damping by
// solreffriction if given; R_k such that R_k mu_k^2 is the same for all, R_1 = R_normal / impratio, which the
// analytic inverse needs (seed 001, "Friction cones").
static void fillElliptic(const snModel* m, snData* d, const snContact* con, int normal)
{
    const bool own = con->solreffriction[0] != 0 || con->solreffriction[1] != 0;
    const double *N = d->efc_KBIP + 4 * normal, f = con->friction[0];
    const double damping =
        own ? sn_kbip(&m->opt, con->solreffriction, con->solimp, con->dist - con->includemargin, true).damping
            : N[1];
    const double R1 = d->efc_R[normal] / fmax(SN_MINVAL, m->opt.impratio), ratio = (1 - N[2]) / N[2];
    for (int j = 1; j < con->dim; j++) {
        const int r = normal + j;
        const double mu = con->friction[j - 1];
        d->efc_type[r] = d->efc_type[normal];
        d->efc_id[r] = d->efc_id[normal];
        d->efc_pos[r] = d->efc_margin[r] = d->efc_frictionloss[r] = 0;
        d->efc_KBIP[4 * r] = 0;
        d->efc_KBIP[4 * r + 1] = damping;
        d->efc_KBIP[4 * r + 2] = N[2];
        d->efc_KBIP[4 * r + 3] = N[3];
        d->efc_R[r] = R1 * (f * f) / (mu * mu);
        d->efc_D[r] = 1 / d->efc_R[r];
        d->efc_diagApprox[r] = d->efc_R[r] / ratio;
    }
}

void sn_fillContact(const snModel* m, snData* d, const snRowBlock* block)
{
    snContact* con = d->contact + block->id;
    const int body0 = m->geom_bodyid[con->geom[0]], body1 = m->geom_bodyid[con->geom[1]];
    contactJacobian(m, d, con, block);
    const bool elliptic = con->dim > 1 && !sn_rowsAreEdges(m);
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
        .id = block->id,
        .pos = con->dist,
        .margin = con->includemargin,
        .solref = con->solref,
        .solimp = con->solimp,
    };
    con->efc_address = block->row;
    sn_fillRows(m, d, block->row, elliptic ? 1 : block->rows, &row, diag);
    if (elliptic) fillElliptic(m, d, con, block->row);
}
