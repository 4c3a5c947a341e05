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

/// Writes every field but efc_J of `count` rows from `first` on. diag: their approximate diagonal of A.
void sn_fillRows(const snModel* m, snData* d, int first, int count, const snRowShared* row, double diag);

/// Writes efc_J and all fields of the rows of contact `id` from row `first` on, and the contact's mu. dofs
/// [ndof] as from sn_contactDofs; the rows of efc_J must be zero.
void sn_fillContact(const snModel* m, snData* d, int id, int first, const int* dofs, int ndof);

#endif
