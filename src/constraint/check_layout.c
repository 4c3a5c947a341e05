#include "constraint/check_layout.h"
#include "constraint/island.h"
#include "constraint/row.h"
#include "model/check/misfit.h"
#include "model/contact.h"
#include "model/kinds.h"

// Equalities, dry friction, limits, contacts: each section has types of its own.
static bool isInSection(const snData* d, int row)
{
    const int type = d->efc_type[row];
    if (row < d->ne) return type == SN_CNSTR_EQUALITY;
    if (row < d->ne + d->nf) return sn_isFriction(type);
    if (row < d->ne + d->nf + d->nl) return sn_isLimit(type);
    return sn_isContact(type);
}

// Rows of a group have the dofs of the group in front of them, or those behind them.
static snStatus checkPlaces(const snData* d, snError* error)
{
    int J = 0, col = 0;
    for (int r = 0; r < d->nefc; r++) {
        const int num = d->efc_J_rownnz[r];
        if (!isInSection(d, r)) return sn_misfit(error, "efc_type", r);
        if (num < 1) return sn_misfit(error, "efc_J_rownnz", r);
        if (d->efc_J_rowadr[r] != J || num > d->nJ - J) return sn_misfit(error, "efc_J_rowadr", r);
        J += num;
        if (r && d->efc_J_coladr[r] == d->efc_J_coladr[r - 1] && num == d->efc_J_rownnz[r - 1]) continue;
        if (d->efc_J_coladr[r] != col || num > d->nJcol - col) return sn_misfit(error, "efc_J_coladr", r);
        col += num;
    }
    return SN_STATUS_OK;
}

static bool isAscending(const int* dofs, int count)
{
    for (int k = 1; k < count; k++)
        if (dofs[k] <= dofs[k - 1]) return false;
    return true;
}

// Whether dofs, ascending, are on two ways to the root: those of what joins two bodies.
static bool isOnTwoChains(const snModel* m, const int* dofs, int count)
{
    int a = dofs[count - 1], b = -1;
    for (int k = count - 1; k >= 0; k--) {
        while (a > dofs[k]) a = m->dof_parentid[a];
        if (a == dofs[k]) continue;
        if (b < 0) b = dofs[k];
        while (b > dofs[k]) b = m->dof_parentid[b];
        if (b != dofs[k]) return false;
    }
    return true;
}

static bool isRange(const int* dofs, int count, int first, int expected)
{
    return count == expected && dofs[0] == first && dofs[count - 1] == first + expected - 1;
}

// Whether the dofs of a row, ascending, can be those of what it is of.
static bool fitsOwner(const snModel* m, const snData* d, int type, int id, const int* dofs, int count)
{
    switch (type) {
    case SN_CNSTR_FRICTION_DOF: return isRange(dofs, count, id, 1);
    case SN_CNSTR_LIMIT_JOINT:
        return isRange(dofs, count, m->jnt_dofadr[id], m->jnt_type[id] == SN_JNT_BALL ? 3 : 1);
    case SN_CNSTR_EQUALITY: return !sn_equalityKind(m->eq_type[id]).bodies || isOnTwoChains(m, dofs, count);
    default: return !sn_isContact(type) || sn_isFlexContact(d->contact + id) || isOnTwoChains(m, dofs, count);
    }
}

static snStatus checkGroup(const snModel* m, const snData* d, int row, snError* error)
{
    const int type = d->efc_type[row], id = d->efc_id[row], count = d->efc_J_rownnz[row];
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    if (!isAscending(dofs, count)) return sn_misfit(error, "efc_J_colind", d->efc_J_coladr[row]);
    if (!fitsOwner(m, d, type, id, dofs, count))
        return sn_misfit(error, "efc_J_colind", d->efc_J_coladr[row]);
    if (sn_isContact(type) && d->contact[id].efc_address != row)
        return sn_misfit(error, "contact.efc_address", id);
    return SN_STATUS_OK;
}

static snStatus checkContact(const snModel* m, const snData* d, int c, snError* error)
{
    const snContact* con = d->contact + c;
    const int row = con->efc_address, dim = con->dim;
    if (!sn_isContactSide(m, con, 0) || !sn_isContactSide(m, con, 1))
        return sn_misfit(error, "contact.geom", c);
    if (con->exclude < 0 || con->exclude > 3) return sn_misfit(error, "contact.exclude", c);
    if (dim != 1 && dim != 3 && dim != 4 && dim != 6) return sn_misfit(error, "contact.dim", c);
    if (row < -1 || (row >= 0 && (!sn_isContact(d->efc_type[row]) || d->efc_id[row] != c)))
        return sn_misfit(error, "contact.efc_address", c);
    return SN_STATUS_OK;
}

snStatus sn_checkLayout(const snModel* m, const snData* d, snError* error)
{
    if (checkPlaces(d, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    for (int r = 0; r < d->nefc; r += sn_rowGroupSize(m, d, r))
        if (checkGroup(m, d, r, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    for (int c = 0; c < d->ncon; c++)
        if (checkContact(m, d, c, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    return SN_STATUS_OK;
}
