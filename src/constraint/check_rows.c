#include <sinew/check_rows.h>
#include <sinew/sparse.h>
#include <sinew/support.h>
#include "constraint/island.h"
#include "model/check/misfit.h"

#define CHECK_RANGE(owner, field, n, low, high)                                                              \
    do {                                                                                                     \
        const int bad = sn_outside(owner->field, n, low, high);                                              \
        if (bad >= 0) return sn_misfit(error, #field, bad);                                                  \
    } while (0)

static snStatus checkModel(const snModel* m, snError* error)
{
    CHECK_RANGE(m, dof_treeid, m->nv, 0, m->ntree);
    CHECK_RANGE(m, mapM2M, m->nC, 0, m->nM);
    const int row = sn_badSparseRow(m->nv, m->nv, m->nC, m->M_rownnz, m->M_rowadr, m->M_colind);
    if (row >= 0) return sn_misfit(error, "M_rowadr", row);
    for (int i = 0, total = 0; i < m->nv; i++) {
        total += m->M_rownnz[i];
        if (total > m->nC) return sn_misfit(error, "M_rownnz", i);
        if (m->dof_parentid[i] < -1 || m->dof_parentid[i] >= i) return sn_misfit(error, "dof_parentid", i);
        if (m->dof_LDadr[i] < 0 || m->dof_LDadr[i] > m->nLD - m->M_rownnz[i])
            return sn_misfit(error, "dof_LDadr", i);
    }
    return SN_STATUS_OK;
}

// How many things the id of a row counts.
static int idLimit(const snModel* m, const snData* d, int type)
{
    switch (type) {
    case SN_CNSTR_EQUALITY: return m->neq;
    case SN_CNSTR_FRICTION_DOF: return m->nv;
    case SN_CNSTR_LIMIT_JOINT: return m->njnt;
    case SN_CNSTR_FRICTION_TENDON:
    case SN_CNSTR_LIMIT_TENDON: return m->ntendon;
    case SN_CNSTR_CONTACT_FRICTIONLESS:
    case SN_CNSTR_CONTACT_PYRAMIDAL:
    case SN_CNSTR_CONTACT_ELLIPTIC: return d->ncon;
    default: return 0;
    }
}

static bool isTendonEquality(const snModel* m, int type, int id)
{
    return type == SN_CNSTR_EQUALITY && m->eq_type[id] == SN_EQ_TENDON;
}

static snStatus checkId(const snModel* m, const snData* d, int row, snError* error)
{
    const int type = d->efc_type[row], id = d->efc_id[row];
    if (id < 0 || id >= idLimit(m, d, type)) return sn_misfit(error, "efc_id", row);
    if (!isTendonEquality(m, type, id)) return SN_STATUS_OK;
    if (m->eq_obj1id[id] < 0 || m->eq_obj1id[id] >= m->ntendon) return sn_misfit(error, "eq_obj1id", id);
    return m->eq_obj2id[id] >= m->ntendon ? sn_misfit(error, "eq_obj2id", id) : SN_STATUS_OK;
}

static snStatus checkMechanisms(const snModel* m, const snData* d, snError* error)
{
    CHECK_RANGE(d, mechanism_dof, d->nmechdof, 0, m->nv);
    for (int k = 0; k < d->nmechanism; k++) {
        const int adr = d->mechanism_dofadr[k], num = d->mechanism_dofnum[k];
        if (num < 0 || adr < 0 || num > d->nmechdof || adr > d->nmechdof - num)
            return sn_misfit(error, "mechanism_dofadr", k);
    }
    if (d->nclosure) CHECK_RANGE(d, tree_mechanism, m->ntree, -1, d->nmechanism);
    return SN_STATUS_OK;
}

// Rows of one constraint follow each other and are of a kind.
static snStatus checkGroups(const snModel* m, const snData* d, snError* error)
{
    for (int r = 0; r < d->nefc;) {
        const int size = sn_rowGroupSize(m, d, r);
        if (size < 1 || size > d->nefc - r) return sn_misfit(error, "efc_id", r);
        for (int k = r + 1; k < r + size; k++) {
            if (d->efc_type[k] != d->efc_type[r] || d->efc_id[k] != d->efc_id[r])
                return sn_misfit(error, "efc_id", k);
            if (d->efc_J_rownnz[k] != d->efc_J_rownnz[r]) return sn_misfit(error, "efc_J_rownnz", k);
        }
        r += size;
    }
    return SN_STATUS_OK;
}

static snStatus checkContacts(const snData* d, snError* error)
{
    for (int c = 0; c < d->ncon; c++) {
        const snContact* contact = d->contact + c;
        if (contact->dim < 1 || contact->dim > 6) return sn_misfit(error, "contact.dim", c);
        if (contact->efc_address >= 0 && !sn_contactHasRows(d, contact))
            return sn_misfit(error, "contact.efc_address", c);
    }
    return SN_STATUS_OK;
}

static snStatus checkAddresses(const snModel* m, const snData* d, snError* error)
{
    CHECK_RANGE(d, efc_J_colind, d->nefc ? d->nJcol : 0, 0, m->nv);
    for (int r = 0; r < d->nefc; r++) {
        const int nnz = d->efc_J_rownnz[r], adr = d->efc_J_rowadr[r], col = d->efc_J_coladr[r];
        if (nnz < 0 || adr < 0 || col < 0 || nnz > d->nJ || nnz > d->nJcol || adr > d->nJ - nnz ||
            col > d->nJcol - nnz)
            return sn_misfit(error, "efc_J_rowadr", r);
        if (checkId(m, d, r, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    }
    return SN_STATUS_OK;
}

snStatus sn_checkRows(const snModel* m, const snData* d, snError* error)
{
    const bool fit = checkModel(m, error) == SN_STATUS_OK && checkContacts(d, error) == SN_STATUS_OK &&
                     checkAddresses(m, d, error) == SN_STATUS_OK &&
                     checkGroups(m, d, error) == SN_STATUS_OK && checkMechanisms(m, d, error) == SN_STATUS_OK;
    return fit ? SN_STATUS_OK : SN_STATUS_ARGUMENT;
}
