// Constraint islands by union of kinematic trees.
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

// Marks the dofs of the rows' group and joins their trees; returns one of them.
static int touchGroup(const snModel* m, const snData* d, const snRowGroup* group, unsigned char* touched,
                      int* parent)
{
    const int type = d->efc_type[group->row], id = d->efc_id[group->row];
    if (type == SN_CNSTR_FRICTION_DOF) {
        touched[id] = 1;
        return m->dof_treeid[id];
    }
    if (type == SN_CNSTR_LIMIT_JOINT) {
        const int dof = m->jnt_dofadr[id], count = m->jnt_type[id] == SN_JNT_BALL ? 3 : 1;
        for (int i = 0; i < count; i++) touched[dof + i] = 1;
        return m->dof_treeid[dof];
    }
    const snContact* con = d->contact + id;
    const int a = sn_bodyLastDof(m, m->geom_bodyid[con->geom[0]]);
    const int b = sn_bodyLastDof(m, m->geom_bodyid[con->geom[1]]);
    for (int i = a, j = b; i != j;) { // as sn_contactDofs
        int* last = i > j ? &i : &j;
        touched[*last] = 1;
        *last = m->dof_parentid[*last];
    }
    if (a < 0 || b < 0) return m->dof_treeid[a < 0 ? b : a];
    return unite(parent, m->dof_treeid[a], m->dof_treeid[b]);
}

static int groupSize(const snData* d, int row)
{
    return d->efc_type[row] == SN_CNSTR_CONTACT_PYRAMIDAL ? sn_contactRows(d->contact[d->efc_id[row]].dim)
                                                          : 1;
}

bool sn_findIslands(const snModel* m, snData* d, snIslands* out)
{
    int* parent = sn_scratchInt(d, m->ntree);
    int* last = sn_scratchInt(d, m->ntree);
    int* group_tree = sn_scratchInt(d, d->nefc);
    out->first_group = sn_scratchInt(d, m->ntree);
    out->island = sn_scratchInt(d, m->ntree);
    out->group = sn_scratchAlloc(d, (size_t)d->nefc * sizeof(snRowGroup));
    out->touched = sn_scratchAlloc(d, (size_t)m->nv);
    out->count = out->ngroup = 0;
    if (!parent || !last || !group_tree || !out->first_group || !out->island || !out->group || !out->touched)
        return false;

    for (int t = 0; t < m->ntree; t++) {
        parent[t] = t;
        out->island[t] = -1;
    }
    for (int i = 0; i < m->nv; i++) out->touched[i] = 0;
    for (int row = 0; row < d->nefc;) {
        snRowGroup* group = out->group + out->ngroup;
        *group = (snRowGroup){row, groupSize(d, row), -1};
        const int tree = touchGroup(m, d, group, out->touched, parent);
        group_tree[out->ngroup++] = tree;
        if (m->opt.disableflags & SN_DSBL_ISLAND) unite(parent, group_tree[0], tree);
        row += group->count;
    }
    for (int i = m->nv - 1; i >= 0; i--)
        if (out->touched[i] && m->dof_parentid[i] >= 0) out->touched[m->dof_parentid[i]] = 1;

    for (int g = 0; g < out->ngroup; g++) { // islands in the order of their first row
        const int root = findRoot(parent, group_tree[g]);
        if (out->island[root] < 0) {
            out->island[root] = out->count;
            out->first_group[out->count++] = g;
        } else {
            out->group[last[out->island[root]]].next = g;
        }
        last[out->island[root]] = g;
    }
    for (int t = 0; t < m->ntree; t++) out->island[t] = out->island[findRoot(parent, t)];
    return true;
}
