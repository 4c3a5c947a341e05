// Constraint islands by union of kinematic trees.
#include "constraint/island.h"
#include <assert.h>
#include <string.h>
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
    int* parent;            // [ntree], and scratch behind it
    int* group_tree;        // [ngroup] one of the trees of each group
    int coladr, tree;
} Walk;

// Marks the dofs of a group, at least one.
static void touchDofs(const snData* d, const snRowGroup* group, Walk* w)
{
    const int coladr = d->efc_J_coladr[group->row];
    if (coladr == w->coladr) return;
    w->coladr = coladr;
    for (int k = 0; k < d->efc_J_rownnz[group->row]; k++) w->touched[d->efc_J_colind[coladr + k]] = 1;
}

// The same, joining their trees; returns one of them.
static int touchGroup(const snModel* m, const snData* d, const snRowGroup* group, Walk* w)
{
    assert(d->efc_J_rownnz[group->row] > 0);
    const int coladr = d->efc_J_coladr[group->row];
    if (coladr == w->coladr) return w->tree;
    const int *dofs = d->efc_J_colind + coladr, *treeid = m->dof_treeid;
    unsigned char* touched = w->touched;
    int tree = treeid[dofs[0]], root = tree;
    for (int k = 0, count = d->efc_J_rownnz[group->row]; k < count; k++) {
        const int own = treeid[dofs[k]];
        touched[dofs[k]] = 1;
        if (own != tree) root = sn_uniteTrees(w->parent, root, tree = own);
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

// Islands of trees that have elasticity, but no rows.
static void addElastic(const snModel* m, snIslands* out, int* parent, int* island)
{
    for (int i = 0; i < m->nv; i++) {
        if (!sn_hasElastic(out->elastic, i)) continue;
        const int root = sn_findTree(parent, m->dof_treeid[i]);
        if (island[root] >= 0) continue;
        island[root] = out->count;
        out->first_group[out->count++] = -1;
    }
}

// Links groups into islands, in the order of their first row. group_tree [ngroup]; island [ntree] out.
static void linkGroups(const snModel* m, snIslands* out, const int* group_tree, int* parent, int* island,
                       int* last)
{
    const int ntree = m->ntree;
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
    if (out->elastic) addElastic(m, out, parent, island);
    for (int t = 0; t < ntree; t++) island[t] = island[sn_findTree(parent, t)];
}

// The end of the dofs from i on that are of one tree, which stand side by side.
static int endOfTree(const int* treeid, int i, int end)
{
    const int tree = treeid[i];
    while (i < end && treeid[i] == tree) i++;
    return i;
}

// Counts the dofs of each island: touched ones, others.
static void countDofs(const snModel* m, const snData* d, const int* island, const unsigned char* touched,
                      int* count)
{
    const int* treeid = m->dof_treeid;
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r))
        for (int i = r.first, end; i < r.end; i = end) {
            const int k = island[treeid[i]];
            end = endOfTree(treeid, i, r.end);
            if (k < 0) continue;
            int on = 0;
            for (int c = i; c < end; c++) on += touched[c];
            count[2 * k] += on;
            count[2 * k + 1] += end - i - on;
        }
}

// Puts the dofs [i, end) of a tree where those of their island are to go on, touched or not.
static void placeDofs(int i, int end, const unsigned char* touched, int base, int* next, snIslands* out)
{
    int *dof = out->dof, *index = out->index, on = next[0], off = next[1];
    for (; i < end; i++) {
        const bool is = touched[i] != 0;
        index[i] = is ? on - base : -1;
        dof[is ? on : off] = i;
        on += is;
        off += !is;
    }
    next[0] = on;
    next[1] = off;
}

// Sorts dofs by island, touched ones first. next [2 count]: scratch.
static void sortDofs(const snModel* m, const snData* d, const int* island, const unsigned char* touched,
                     int* next, snIslands* out)
{
    const int* treeid = m->dof_treeid;
    for (int k = 0; k < 2 * out->count; k++) next[k] = 0;
    countDofs(m, d, island, touched, next);
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
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r))
        for (int i = r.first, end; i < r.end; i = end) {
            const int k = island[treeid[i]];
            end = endOfTree(treeid, i, r.end);
            if (k >= 0)
                placeDofs(i, end, touched, out->dof_adr[k], next + 2 * k, out);
            else
                for (int c = i; c < end; c++) out->index[c] = -1;
        }
}

// What comes of all this where there is one tree, and something acts on it: one island of everything.
static void oneIsland(const snModel* m, const unsigned char* touched, snIslands* out)
{
    int on = 0, first = 0;
    for (int g = 0; g + 1 < out->ngroup; g++) out->group[g].next = g + 1;
    for (int i = 0; i < m->nv; i++) on += touched[i];
    out->count = 1;
    out->first_group[0] = out->dof_adr[0] = 0;
    out->dof_adr[1] = m->nv;
    out->ntouched[0] = on;
    for (int i = 0; i < m->nv; i++) {
        const int at = touched[i] ? first++ : on++;
        out->dof[at] = i;
        out->index[i] = touched[i] ? at : -1;
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

void sn_uniteFlex(const snModel* m, int flex, int* parent)
{
    const int first = m->flex_vertadr[flex];
    for (int v = first, last = -1; v < first + m->flex_vertnum[flex]; v++) {
        const int tree = m->body_treeid[m->flex_vertbodyid[v]];
        if (tree >= 0 && last >= 0 && tree != last) sn_uniteTrees(parent, last, tree);
        last = tree >= 0 ? tree : last;
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

static bool takeIslands(const snModel* m, snData* d, snIslands* out, Walk* w)
{
    int* left = sn_scratchInt(d, d->nefc + 8 * m->ntree + 1 + 2 * m->nv);
    w->touched = sn_scratchAlloc(d, (size_t)m->nv);
    out->group = sn_scratchAlloc(d, (size_t)d->nefc * sizeof(snRowGroup));
    if (!left || !w->touched || !out->group) return false;
    w->parent = sn_cutInt(&left, 5 * m->ntree);
    w->group_tree = sn_cutInt(&left, d->nefc);
    out->first_group = sn_cutInt(&left, m->ntree);
    out->ntouched = sn_cutInt(&left, m->ntree);
    out->dof_adr = sn_cutInt(&left, m->ntree + 1);
    out->dof = sn_cutInt(&left, m->nv);
    out->index = sn_cutInt(&left, m->nv);
    return true;
}

// Marks the dofs of flexes, joining their trees.
static void touchElastic(const snModel* m, const snElastic* elastic, Walk* w)
{
    for (int i = 0; i < m->nv; i++) {
        if (!sn_hasElastic(elastic, i)) continue;
        w->touched[i] = 1;
        for (int k = elastic->adr[i], own = m->dof_treeid[i], last = own; k < elastic->adr[i + 1]; k++) {
            const int tree = m->dof_treeid[elastic->col[k]];
            if (tree != last && tree != own) sn_uniteTrees(w->parent, tree, own);
            last = tree;
        }
    }
}

static void touchAncestors(const snModel* m, const snData* d, unsigned char* touched)
{
    const int* parent = m->dof_parentid;
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r))
        for (int i = r.end - 1; i >= r.first; i--)
            if (touched[i] && parent[i] >= 0) touched[parent[i]] = 1;
}

// Groups of rows and what they touch, and unless there is one tree which of them they join.
static void walkRows(const snModel* m, const snData* d, bool one, snIslands* out, Walk* w)
{
    for (int t = 0; t < m->ntree; t++) w->parent[t] = t;
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r))
        memset(w->touched + r.first, 0, (size_t)(r.end - r.first));
    out->ngroup = 0;
    for (int row = 0; row < d->nefc; out->ngroup++) {
        snRowGroup* group = out->group + out->ngroup;
        *group = (snRowGroup){row, sn_rowGroupSize(m, d, row), -1};
        row += group->count;
        if (one) {
            touchDofs(d, group, w);
            continue;
        }
        const int tree = touchGroup(m, d, group, w);
        w->group_tree[out->ngroup] = tree;
        if (m->opt.disableflags & SN_DSBL_ISLAND) sn_uniteTrees(w->parent, w->group_tree[0], tree);
    }
    if (out->elastic) touchElastic(m, out->elastic, w);
    assert(out->ngroup == 0 ||
           out->group[out->ngroup - 1].row + out->group[out->ngroup - 1].count == d->nefc);
    touchAncestors(m, d, w->touched);
}

bool sn_findIslands(const snModel* m, snData* d, const snElastic* elastic, snIslands* out)
{
    Walk w = {.coladr = -1};
    out->elastic = elastic;
    if (!takeIslands(m, d, out, &w)) return false;
    const bool one = m->ntree == 1 && d->nefc > 0 && !d->nstill;
    walkRows(m, d, one, out, &w);
    if (one) {
        oneIsland(m, w.touched, out);
        return true;
    }
    sn_uniteMechanisms(m, d, w.parent);
    int *island = w.parent + m->ntree, *last = w.parent + 2 * m->ntree, *next = w.parent + 3 * m->ntree;
    out->count = 0;
    linkGroups(m, out, w.group_tree, w.parent, island, last);
    assert(out->count <= m->ntree);
    sortDofs(m, d, island, w.touched, next, out);
    return true;
}
