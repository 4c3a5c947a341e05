// The constraint Jacobian by rows with columns of their own.
#include <assert.h>
#include <sinew/constraint.h>
#include "constraint/row.h"
#include "math/sorted.h"
#include "model/contact.h"
#include "model/kinds.h"

// Whether a row is about how two bodies move, not parts of flexes: it also has the dofs that move both alike,
// which give 0.
static bool isBetweenBodies(const snModel* m, const snData* d, int row)
{
    const int type = d->efc_type[row];
    if (type != SN_CNSTR_EQUALITY)
        return sn_isContact(type) && !sn_isFlexContact(d->contact + d->efc_id[row]);
    const int equality = m->eq_type[d->efc_id[row]];
    return sn_equalityKind(equality).bodies;
}

// The last of dofs [count] that does not move what the last one moves; -1: none.
static int secondChain(const snModel* m, const int* dofs, int count)
{
    int above = count ? dofs[count - 1] : -1;
    for (int k = count - 1; k >= 0; k--) {
        while (above > dofs[k]) above = m->dof_parentid[above];
        if (above != dofs[k]) return dofs[k];
    }
    return -1;
}

// The dofs of two chains to the root, descending, into dofs if it is not NULL; returns how many.
static int mergeChains(const snModel* m, int a, int b, int* dofs)
{
    int count = 0;
    while (a >= 0 || b >= 0) {
        const int i = a > b ? a : b;
        if (dofs) dofs[count] = i;
        count++;
        if (a == i) a = m->dof_parentid[a];
        if (b == i) b = m->dof_parentid[b];
    }
    assert(!dofs || sn_isDescending(dofs, count, m->nv));
    return count;
}

// Columns [count] and numbers of a row from the dofs that it touches; the columns are descending if they are
// more.
static void fillRow(const int* dofs, const double* numbers, int touched, int count, int* columns, double* J)
{
    for (int a = 0; a < count / 2 && count > touched; a++) {
        const int i = columns[a];
        columns[a] = columns[count - 1 - a];
        columns[count - 1 - a] = i;
    }
    for (int c = 0, k = 0; c < count; c++) {
        if (count == touched) columns[c] = dofs[c];
        J[c] = k < touched && dofs[k] == columns[c] ? numbers[k++] : 0;
    }
}

int sn_sparseJ(const snModel* m, const snData* d, int* rownnz, int* rowadr, int* colind, double* J)
{
    int address = 0;
    for (int r = 0; r < d->nefc; r++) {
        const int *dofs = d->efc_J_colind + d->efc_J_coladr[r], touched = d->efc_J_rownnz[r];
        const bool chains = touched && isBetweenBodies(m, d, r);
        const int a = chains ? dofs[touched - 1] : -1, b = chains ? secondChain(m, dofs, touched) : -1;
        const int count = chains ? mergeChains(m, a, b, NULL) : touched;
        assert(count >= touched); // the dofs of a row are on its chains
        rownnz[r] = count;
        rowadr[r] = address;
        if (colind) {
            if (count > touched) mergeChains(m, a, b, colind + address);
            fillRow(dofs, d->efc_J + d->efc_J_rowadr[r], touched, count, colind + address, J + address);
        }
        address += count;
    }
    return address;
}
