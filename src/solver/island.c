// Constraint islands by union of kinematic trees.
#include "constraint/equality.h"
#include "constraint/row.h"
#include "model/arena.h"
#include "solver/problem.h"

static int findRoot(int* parent, int tree)
{
    while (parent[tree] != tree) {
        parent[tree] = parent[parent[tree]];
        tree = parent[tree];
    }
    return tree;
}

// The smaller id becomes the root, so that islands come out in the order of their first tree.
static int unite(int* parent, int a, int b)
{
    a = findRoot(parent, a);
    b = findRoot(parent, b);
    const int root = a < b ? a : b;
    parent[a] = parent[b] = root;
    return root;
}

// What the walk over the rows keeps: which dofs they touch, the trees joined so far, and the last dofs of the
// last contact's bodies with one of their trees, because neighbours are mostly of the same bodies.
typedef struct Walk {
    unsigned char* touched; // [nv]
    int* parent;            // [ntree]
    int a, b, tree;
    int* dofs; // [nv] scratch
} Walk;

static int touchContact(const snModel* m, const snContact* con, Walk* w)
{
    const int a = sn_bodyLastDof(m, m->geom_bodyid[con->geom[0]]);
    const int b = sn_bodyLastDof(m, m->geom_bodyid[con->geom[1]]);
    if (a == w->a && b == w->b) return w->tree;
    w->a = a;
    w->b = b;
    for (int i = a, j = b; i != j;) { // as sn_contactDofs
        int* last = i > j ? &i : &j;
        w->touched[*last] = 1;
        *last = m->dof_parentid[*last];
    }
    if (a < 0 || b < 0)
        w->tree = m->dof_treeid[a < 0 ? b : a];
    else
        w->tree = unite(w->parent, m->dof_treeid[a], m->dof_treeid[b]);
    return w->tree;
}

// An equality with rows has at least one dof.
static int touchEquality(const snModel* m, const snData* d, int eq, Walk* w)
{
    const int count = sn_equalityDofs(m, d, eq, w->dofs);
    int tree = m->dof_treeid[w->dofs[0]];
    for (int k = 0; k < count; k++) {
        w->touched[w->dofs[k]] = 1;
        tree = unite(w->parent, tree, m->dof_treeid[w->dofs[k]]);
    }
    return tree;
}

// A tendon with rows has at least one dof.
static int touchTendon(const snModel* m, const snData* d, int tendon, Walk* w)
{
    const int* dofs = d->ten_J_colind + (size_t)tendon * (size_t)m->nv;
    int tree = m->dof_treeid[dofs[0]];
    for (int k = 0; k < d->ten_J_rownnz[tendon]; k++) {
        w->touched[dofs[k]] = 1;
        tree = unite(w->parent, tree, m->dof_treeid[dofs[k]]);
    }
    return tree;
}

// Marks the dofs of a group and joins their trees; returns one of them.
static int touchGroup(const snModel* m, const snData* d, const snRowGroup* group, Walk* w)
{
    const int type = d->efc_type[group->row], id = d->efc_id[group->row];
    if (type == SN_CNSTR_FRICTION_DOF) {
        w->touched[id] = 1;
        return m->dof_treeid[id];
    }
    if (type == SN_CNSTR_LIMIT_JOINT) {
        const int dof = m->jnt_dofadr[id], count = m->jnt_type[id] == SN_JNT_BALL ? 3 : 1;
        for (int i = 0; i < count; i++) w->touched[dof + i] = 1;
        return m->dof_treeid[dof];
    }
    if (type == SN_CNSTR_EQUALITY) return touchEquality(m, d, id, w);
    if (type == SN_CNSTR_FRICTION_TENDON || type == SN_CNSTR_LIMIT_TENDON) return touchTendon(m, d, id, w);
    return touchContact(m, d->contact + id, w);
}

static int groupSize(const snModel* m, const snData* d, int row)
{
    const int type = d->efc_type[row];
    if (type == SN_CNSTR_EQUALITY) return sn_equalitySize(m, d->efc_id[row]);
    return type == SN_CNSTR_CONTACT_PYRAMIDAL || type == SN_CNSTR_CONTACT_ELLIPTIC
               ? sn_contactRows(m, d->contact[d->efc_id[row]].dim)
               : 1;
}

// Links groups into islands, in the order of their first row. group_tree [ngroup]; island [ntree] out.
static void linkGroups(snIslands* out, const int* group_tree, int* parent, int ntree, int* island, int* last)
{
    for (int t = 0; t < ntree; t++) island[t] = -1;
    for (int g = 0; g < out->ngroup; g++) {
        const int root = findRoot(parent, group_tree[g]);
        if (island[root] < 0) {
            island[root] = out->count;
            out->first_group[out->count++] = g;
        } else {
            out->group[last[island[root]]].next = g;
        }
        last[island[root]] = g;
    }
    for (int t = 0; t < ntree; t++) island[t] = island[findRoot(parent, t)];
}

// Sorts dofs by island, touched ones first. next [2 count]: scratch.
static void sortDofs(const snModel* m, const int* island, const unsigned char* touched, int* next,
                     snIslands* out)
{
    for (int k = 0; k < 2 * out->count; k++) next[k] = 0;
    for (int i = 0; i < m->nv; i++) {
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
    for (int i = 0; i < m->nv; i++) {
        const int k = island[m->dof_treeid[i]];
        out->index[i] = -1;
        if (k < 0) continue;
        const int at = next[2 * k + !touched[i]]++;
        out->dof[at] = i;
        if (touched[i]) out->index[i] = at - out->dof_adr[k];
    }
}

bool sn_findIslands(const snModel* m, snData* d, snIslands* out)
{
    int* parent = sn_scratchInt(d, 5 * m->ntree);
    int* group_tree = sn_scratchInt(d, d->nefc);
    int* dofs = sn_scratchInt(d, m->nv);
    unsigned char* touched = sn_scratchAlloc(d, (size_t)m->nv);
    out->group = sn_scratchAlloc(d, (size_t)d->nefc * sizeof(snRowGroup));
    out->first_group = sn_scratchInt(d, m->ntree);
    out->ntouched = sn_scratchInt(d, m->ntree);
    out->dof_adr = sn_scratchInt(d, m->ntree + 1);
    out->dof = sn_scratchInt(d, m->nv);
    out->index = sn_scratchInt(d, m->nv);
    if (!parent || !group_tree || !dofs || !touched || !out->group || !out->first_group || !out->ntouched ||
        !out->dof_adr || !out->dof || !out->index)
        return false;

    Walk walk = {.touched = touched, .parent = parent, .a = -1, .b = -1, .dofs = dofs};
    out->count = out->ngroup = 0;
    for (int t = 0; t < m->ntree; t++) parent[t] = t;
    for (int i = 0; i < m->nv; i++) touched[i] = 0;
    for (int row = 0; row < d->nefc;) {
        snRowGroup* group = out->group + out->ngroup;
        *group = (snRowGroup){row, groupSize(m, d, row), -1};
        const int tree = touchGroup(m, d, group, &walk);
        group_tree[out->ngroup++] = tree;
        if (m->opt.disableflags & SN_DSBL_ISLAND) unite(parent, group_tree[0], tree);
        row += group->count;
    }
    for (int i = m->nv - 1; i >= 0; i--)
        if (touched[i] && m->dof_parentid[i] >= 0) touched[m->dof_parentid[i]] = 1;
    int *island = parent + m->ntree, *last = parent + 2 * m->ntree, *next = parent + 3 * m->ntree;
    linkGroups(out, group_tree, parent, m->ntree, island, last);
    sortDofs(m, island, touched, next, out);
    return true;
}
