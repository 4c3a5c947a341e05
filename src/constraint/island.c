// Constraint islands by union of kinematic trees.
#include "constraint/island.h"
#include <assert.h>
#include "constraint/equality.h"
#include "constraint/row.h"
#include "model/arena.h"
#include "model/sleep.h"

int sn_findTree(int* parent, int tree)
{
    assert(tree >= 0);
    while (parent[tree] != tree) {
        parent[tree] = parent[parent[tree]];
        tree = parent[tree];
    }
    return tree;
}

int sn_uniteTrees(int* parent, int a, int b)
{
    a = sn_findTree(parent, a);
    b = sn_findTree(parent, b);
    const int root = a < b ? a : b;
    parent[a] = parent[b] = root;
    return root;
}

// What the walk over the rows keeps: which dofs they touch, the trees joined so far, and one of the trees of
// the last group, because neighbours mostly touch the same dofs.
typedef struct Walk {
    unsigned char* touched; // [nv]
    int* parent;            // [ntree]
    int coladr, tree;
} Walk;

// Marks the dofs of a group, at least one, and joins their trees; returns one of them.
static int touchGroup(const snModel* m, const snData* d, const snRowGroup* group, Walk* w)
{
    assert(d->efc_J_rownnz[group->row] > 0);
    const int coladr = d->efc_J_coladr[group->row];
    if (coladr == w->coladr) return w->tree;
    const int* dofs = d->efc_J_colind + coladr;
    int tree = m->dof_treeid[dofs[0]], root = tree;
    for (int k = 0; k < d->efc_J_rownnz[group->row]; k++) {
        w->touched[dofs[k]] = 1;
        if (m->dof_treeid[dofs[k]] == tree) continue;
        tree = m->dof_treeid[dofs[k]];
        root = sn_uniteTrees(w->parent, root, tree);
    }
    w->coladr = coladr;
    return w->tree = root;
}

int sn_rowGroupSize(const snModel* m, const snData* d, int row)
{
    assert(row >= 0 && row < d->nefc);
    const int type = d->efc_type[row];
    if (type == SN_CNSTR_EQUALITY) return d->efc_id[row] < 0 ? 1 : sn_equalitySize(m, d->efc_id[row]);
    if (type == SN_CNSTR_CONTACT_ELLIPTIC) return d->contact[d->efc_id[row]].dim;
    return type == SN_CNSTR_CONTACT_PYRAMIDAL ? 2 * (d->contact[d->efc_id[row]].dim - 1) : 1;
}

// Links groups into islands, in the order of their first row. group_tree [ngroup]; island [ntree] out.
static void linkGroups(snIslands* out, const int* group_tree, int* parent, int ntree, int* island, int* last)
{
    for (int t = 0; t < ntree; t++) island[t] = -1;
    for (int g = 0; g < out->ngroup; g++) {
        const int root = sn_findTree(parent, group_tree[g]);
        if (island[root] < 0) {
            island[root] = out->count;
            out->first_group[out->count++] = g;
        } else {
            out->group[last[island[root]]].next = g;
        }
        last[island[root]] = g;
    }
    for (int t = 0; t < ntree; t++) island[t] = island[sn_findTree(parent, t)];
}

// Sorts dofs by island, touched ones first. next [2 count]: scratch.
static void sortDofs(const snModel* m, const snData* d, const int* island, const unsigned char* touched,
                     int* next, snIslands* out)
{
    for (int k = 0; k < 2 * out->count; k++) next[k] = 0;
    SN_EACH_DOF (m, d, i) {
        const int k = island[m->dof_treeid[i]];
        if (k >= 0) next[2 * k + !touched[i]]++;
    }
    int address = 0;
    for (int k = 0; k < out->count; k++) {
        const int on = next[2 * k], off = next[2 * k + 1];
        out->dof_adr[k] = next[2 * k] = address;
        out->ntouched[k] = on;
        next[2 * k + 1] = address + on;
        address += on + off;
    }
    out->dof_adr[out->count] = address;
    assert(address <= m->nv);
    SN_EACH_DOF (m, d, i) {
        const int k = island[m->dof_treeid[i]];
        out->index[i] = -1;
        if (k < 0) continue;
        const int at = next[2 * k + !touched[i]]++;
        out->dof[at] = i;
        if (touched[i]) out->index[i] = at - out->dof_adr[k];
    }
}

void sn_uniteMechanisms(const snModel* m, const snData* d, int* parent)
{
    for (int k = 0; k < d->nmechanism; k++) {
        const int* dof = d->mechanism_dof + d->mechanism_dofadr[k];
        for (int i = 1; i < d->mechanism_dofnum[k]; i++)
            if (m->dof_treeid[dof[i]] != m->dof_treeid[dof[i - 1]])
                sn_uniteTrees(parent, m->dof_treeid[dof[0]], m->dof_treeid[dof[i]]);
    }
}

bool sn_islandHasLoops(const snModel* m, const snData* d, const snIslands* islands, int island)
{
    const int *dof = islands->dof + islands->dof_adr[island],
              count = islands->dof_adr[island + 1] - islands->dof_adr[island];
    (void)m;
    for (int k = 0; k < count && d->nclosure; k++)
        if (d->dof_cluster[dof[k]] >= 0) return true;
    return false;
}

bool sn_findIslands(const snModel* m, snData* d, snIslands* out)
{
    int* parent = sn_scratchInt(d, 5 * m->ntree);
    int* group_tree = sn_scratchInt(d, d->nefc);
    unsigned char* touched = sn_scratchAlloc(d, (size_t)m->nv);
    out->group = sn_scratchAlloc(d, (size_t)d->nefc * sizeof(snRowGroup));
    out->first_group = sn_scratchInt(d, m->ntree);
    out->ntouched = sn_scratchInt(d, m->ntree);
    out->dof_adr = sn_scratchInt(d, m->ntree + 1);
    out->dof = sn_scratchInt(d, m->nv);
    out->index = sn_scratchInt(d, m->nv);
    if (!parent || !group_tree || !touched || !out->group || !out->first_group || !out->ntouched ||
        !out->dof_adr || !out->dof || !out->index)
        return false;

    Walk walk = {.touched = touched, .parent = parent, .coladr = -1};
    out->count = out->ngroup = 0;
    for (int t = 0; t < m->ntree; t++) parent[t] = t;
    SN_EACH_DOF (m, d, i) touched[i] = 0;
    for (int row = 0; row < d->nefc;) {
        snRowGroup* group = out->group + out->ngroup;
        *group = (snRowGroup){row, sn_rowGroupSize(m, d, row), -1};
        const int tree = touchGroup(m, d, group, &walk);
        group_tree[out->ngroup++] = tree;
        if (m->opt.disableflags & SN_DSBL_ISLAND) sn_uniteTrees(parent, group_tree[0], tree);
        row += group->count;
    }
    assert(out->ngroup == 0 ||
           out->group[out->ngroup - 1].row + out->group[out->ngroup - 1].count == d->nefc);
    sn_uniteMechanisms(m, d, parent);
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r))
        for (int i = r.end - 1; i >= r.first; i--)
            if (touched[i] && m->dof_parentid[i] >= 0) touched[m->dof_parentid[i]] = 1;
    int *island = parent + m->ntree, *last = parent + 2 * m->ntree, *next = parent + 3 * m->ntree;
    linkGroups(out, group_tree, parent, m->ntree, island, last);
    assert(out->count <= m->ntree && out->count <= out->ngroup);
    sortDofs(m, d, island, touched, next, out);
    return true;
}
