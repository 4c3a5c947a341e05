// Rows of the constraint Jacobian: the dofs they touch, filling their parameters.
#ifndef SINEW_CONSTRAINT_ROW_H
#define SINEW_CONSTRAINT_ROW_H

#include <sinew/data.h>
#include "math/real.h"

/// The last dof that moves `body`, -1: none. dof_parentid leads on from there.
static inline int sn_bodyLastDof(const snModel* m, int body)
{
    const int b = m->body_weldid[body];
    return m->body_dofnum[b] ? m->body_dofadr[b] + m->body_dofnum[b] - 1 : -1;
}

/// Whether rows of contacts are the edges of pyramids. Of cones, and where contacts are rigid, they are the
/// components in the contact's frame.
static inline bool sn_rowsAreEdges(const snModel* m)
{
    return m->opt.cone == SN_CONE_PYRAMIDAL && m->opt.contact == SN_CONTACT_SOFT;
}

/// Number of rows of a contact of this condim: edges of pyramids 1, 4, 6, 10, else condim.
static inline int sn_contactRows(const snModel* m, int dim)
{
    return dim > 1 && sn_rowsAreEdges(m) ? 2 * (dim - 1) : dim;
}

/// Whether a row is dry friction, whose force has two bounds.
static inline bool sn_isFriction(int type)
{
    return type == SN_CNSTR_FRICTION_DOF || type == SN_CNSTR_FRICTION_TENDON;
}

/// Whether a row is a limit.
static inline bool sn_isLimit(int type)
{
    return type == SN_CNSTR_LIMIT_JOINT || type == SN_CNSTR_LIMIT_TENDON;
}

/// Whether a row is a contact's.
static inline bool sn_isContact(int type)
{
    return type >= SN_CNSTR_CONTACT_FRICTIONLESS;
}

/// Whether a contact is closer than its margin, in lanes: any is.
static inline bool sn_contactIsIn(const snContact* con)
{
#ifdef SN_LANES
    return !con->exclude && sn_any(con->live);
#else
    return !con->exclude;
#endif
}

/// Lanes that have a row. The others have R = D = 0.
static inline snMask sn_liveRow(const snData* d, int row)
{
#ifdef SN_LANES
    return d->efc_live[row];
#else
    (void)d, (void)row;
    return true;
#endif
}

/// What all rows of one constraint share.
typedef struct snRowShared {
    int type, id;
    real pos, margin, frictionloss;
    const real *solref, *solimp;
} snRowShared;

/// The rows of one constraint: whose they are and which dofs they touch.
typedef struct snRowSupport {
    int id;           ///< of the constraint, as its maker counts
    int rows;         ///< how many
    int coladr, ndof; ///< its dofs in efc_J_colind
    int part;         ///< of an equality of a flex: the edge
} snRowSupport;

/// The constraints whose rows fit in the room that is left, in order.
typedef struct snRowPlan {
    int rows, J, col; ///< so far: rows, numbers in efc_J, dofs in efc_J_colind
    size_t room;      ///< bytes of the arena
    int* colind;      ///< where efc_J_colind will stand
    int count;        ///< constraints so far
    snRowSupport* support;
} snRowPlan;

/// Adds `rows` rows of constraint `id` that touch these dofs [ndof], descending; with dofs NULL those of the
/// rows in front of them. False: they do not fit, and the plan is as before.
bool sn_planRows(snRowPlan* plan, int id, int rows, const int* dofs, int ndof);

/// Where the next rows go.
typedef struct snRowWriter {
    const snRowSupport* next; ///< of the rows that come next
    int row, J;               ///< the first of them; next number in efc_J
} snRowWriter;

/// The rows of one constraint: their numbers J [rows x ndof], to be written, a column for each of the dofs.
typedef struct snRowBlock {
    int id, part, row, rows, ndof;
    const int* dofs; ///< [ndof] ascending
    real* J;
} snRowBlock;

/// Begins the next rows of the plan: writes efc_J_rownnz, _rowadr and _coladr.
snRowBlock sn_beginRows(snData* d, snRowWriter* w);

/// The least R of the edges of a contact's pyramid: as R = 2 mu^2 R_edge, 2 mu^2 times that of all else.
static inline real sn_edgeLeast(const snContact* con)
{
    return 2 * con->mu * con->mu * SN_MINVAL;
}

/// The least R of a row that is there. The friction rows of an elliptic cone have their R from the normal's.
static inline real sn_leastR(const snData* d, int row)
{
    return d->efc_type[row] == SN_CNSTR_CONTACT_PYRAMIDAL ? sn_edgeLeast(d->contact + d->efc_id[row])
                                                          : sn_real(SN_MINVAL);
}

/// Writes every field but those of efc_J of `count` rows from `first` on. diag: their approximate diagonal of
/// A; least: bound of R from below.
void sn_fillRows(const snModel* m, snData* d, int first, int count, const snRowShared* row, real diag,
                 real least);

/// Writes the numbers of a contact's rows: velocity of body 2 minus body 1 in the contact's frame or along
/// the edges of its pyramid.
void sn_contactJacobian(const snModel* m, const snData* d, const snContact* con, const snRowBlock* block);

/// What surfaces that move add to efc_vel and efc_aref of contacts.
void sn_referContacts(const snModel* m, snData* d);

/// What adhesion adds to efc_aref of contacts; before [nefc]: the efc_R by which it is in there already,
/// NULL: it is not. Not for lanes.
void sn_referAdhesion(const snModel* m, snData* d, const real* before);

/// Gives a contact that is to come the dist by which its rows take as much of the speed along the normal as
/// is not needed to reach the surface within the step.
void sn_meetImpact(const snModel* m, snContact* con);

/// Writes the fields of the friction rows of an elliptic cone from those of its normal row.
void sn_fillCone(const snModel* m, snData* d, const snContact* con);

/// Puts the diagonal of J inv(M) J' in the place of the approximate one, of all rows: R, D, diagApprox.
/// Contacts have that of their normal row, pyramids of their first edge. LD, diagInv: the factor of M, or of
/// the matrix of a step, as qLD. Not for lanes.
void sn_exactDiagonal(const snModel* m, snData* d, const real* LD, const real* diagInv);

/// Writes all fields of the rows of contacts, up to row `end`, and the contacts' mu; on the threads of the
/// data.
void sn_fillContacts(const snModel* m, snData* d, int end, snRowWriter* w);

#endif
