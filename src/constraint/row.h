// Rows of the constraint Jacobian: the dofs they touch, filling their parameters.
#ifndef SINEW_CONSTRAINT_ROW_H
#define SINEW_CONSTRAINT_ROW_H

#include <sinew/data.h>

/// The last dof that moves `body`, -1: none. dof_parentid leads on from there.
static inline int sn_bodyLastDof(const snModel* m, int body)
{
    const int b = m->body_weldid[body];
    return m->body_dofnum[b] ? m->body_dofadr[b] + m->body_dofnum[b] - 1 : -1;
}

/// Number of rows of a contact of this condim: with pyramidal cones 1, 4, 6, 10, with elliptic ones condim.
static inline int sn_contactRows(const snModel* m, int dim)
{
    return dim == 1 || m->opt.cone == SN_CONE_ELLIPTIC ? dim : 2 * (dim - 1);
}

/// Dofs where a contact's Jacobian can differ from zero, descending, into dofs [nv]; returns how many. Dofs
/// that move both bodies give both contact points the same velocity and drop out.
static inline int sn_contactDofs(const snModel* m, const snContact* con, int* dofs)
{
    int a = sn_bodyLastDof(m, m->geom_bodyid[con->geom[0]]);
    int b = sn_bodyLastDof(m, m->geom_bodyid[con->geom[1]]);
    int count = 0;
    while (a != b) {
        int* last = a > b ? &a : &b;
        dofs[count++] = *last;
        *last = m->dof_parentid[*last];
    }
    return count;
}

/// What all rows of one constraint share.
typedef struct snRowShared {
    int type, id;
    double pos, margin, frictionloss;
    const double *solref, *solimp;
} snRowShared;

/// How many rows fit in the room that is left.
typedef struct snRowPlan {
    int rows, J, col; ///< so far: rows, numbers in efc_J, dofs in efc_J_colind
    size_t room;      ///< bytes of the arena
} snRowPlan;

/// Adds `count` rows that touch ndof dofs, those of the rows in front of them when `alike`. False: they do
/// not fit, and the plan is as before.
bool sn_planRows(snRowPlan* plan, int count, int ndof, bool alike);

/// Where the next rows go.
typedef struct snRowWriter {
    int row, end; ///< next row; how many there is room for
    int J, col;   ///< next number in efc_J, next dof in efc_J_colind
} snRowWriter;

/// Begins `count` rows that touch these dofs [ndof], descending: writes efc_J_rownnz, _rowadr, _coladr and
/// _colind, and returns their numbers [count x ndof], all zero, whose columns are the dofs ascending. The
/// rows follow in w->row, which goes on behind them.
double* sn_beginRows(snData* d, snRowWriter* w, int count, const int* dofs, int ndof);
/// The same for rows that touch the dofs of those in front of them.
double* sn_beginRowsAlike(snData* d, snRowWriter* w, int count);

/// Writes every field but those of efc_J of `count` rows from `first` on. diag: their approximate diagonal of
/// A.
void sn_fillRows(const snModel* m, snData* d, int first, int count, const snRowShared* row, double diag);

/// Writes all fields of the rows of contact `id` from row `first` on, and the contact's mu. dofs [ndof] as
/// from sn_contactDofs; J as from sn_beginRows.
void sn_fillContact(const snModel* m, snData* d, int id, int first, const int* dofs, int ndof, double* J);

#endif
