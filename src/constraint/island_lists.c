// Constraint islands as lists, for those who look at them.
#include <sinew/island.h>
#include <string.h>
#include "constraint/island.h"

size_t sn_islandListSize(const snModel* m, const snData* d)
{
    return 3 * (size_t)m->nv + 3 * (size_t)d->nefc + 9 * (size_t)m->ntree;
}

static void layOut(const snModel* m, const snData* d, int* memory, snIslandLists* lists)
{
    int** const arrays[] = {&lists->dof_island,    &lists->map_dof2idof,   &lists->map_idof2dof,
                            &lists->efc_island,    &lists->map_efc2iefc,   &lists->map_iefc2efc,
                            &lists->island_nv,     &lists->island_idofadr, &lists->island_dofadr,
                            &lists->island_ne,     &lists->island_nf,      &lists->island_nefc,
                            &lists->island_iefcadr};
    for (int k = 0; k < 13; k++) {
        *arrays[k] = memory;
        memory += k < 3 ? m->nv : k < 6 ? d->nefc : m->ntree;
    }
}

// Joins the trees of each row; tree_island [ntree] becomes 0 for trees that have rows, else -1.
static void joinTrees(const snModel* m, const snData* d, int* parent, int* tree_island)
{
    for (int r = 0; r < d->nefc; r++) {
        const int* dofs = d->efc_J_colind + d->efc_J_coladr[r];
        for (int k = 0; k < d->efc_J_rownnz[r]; k++) {
            tree_island[m->dof_treeid[dofs[k]]] = 0;
            sn_uniteTrees(parent, m->dof_treeid[dofs[0]], m->dof_treeid[dofs[k]]);
        }
    }
    sn_uniteMechanisms(m, d, parent);
}

// Numbers the sets of trees that have rows; returns how many.
static int numberIslands(const snModel* m, int* parent, int* tree_island)
{
    int count = 0;
    for (int t = 0; t < m->ntree; t++)
        if (tree_island[t] >= 0) tree_island[sn_findTree(parent, t)] = 0;
    for (int t = 0; t < m->ntree; t++) {
        const int root = sn_findTree(parent, t); // the first of its set
        if (root != t)
            tree_island[t] = tree_island[root];
        else if (tree_island[t] >= 0)
            tree_island[t] = count++;
    }
    return count;
}

// Sorts `count` things by island, those of none last: how many an island has and where they begin, and both
// maps. Returns how many are in islands.
static int sortByIsland(const int* island, int count, int nisland, int* number, int* address, int* to,
                        int* from)
{
    int total = 0, out = 0;
    for (int k = 0; k < nisland; k++) number[k] = 0;
    for (int i = 0; i < count; i++)
        if (island[i] >= 0) number[island[i]]++;
    for (int k = 0; k < nisland; k++) {
        address[k] = total;
        total += number[k];
        number[k] = 0;
    }
    for (int i = 0; i < count; i++) {
        const int k = island[i];
        to[i] = k < 0 ? total + out++ : address[k] + number[k]++;
        from[to[i]] = i;
    }
    return total;
}

static void countTypes(const snData* d, snIslandLists* lists)
{
    for (int k = 0; k < lists->nisland; k++) lists->island_ne[k] = lists->island_nf[k] = 0;
    for (int r = 0; r < d->nefc; r++) {
        if (lists->efc_island[r] < 0) continue;
        if (r < d->ne)
            lists->island_ne[lists->efc_island[r]]++;
        else if (r < d->ne + d->nf)
            lists->island_nf[lists->efc_island[r]]++;
    }
}

void sn_islandLists(const snModel* m, const snData* d, int* memory, snIslandLists* lists)
{
    layOut(m, d, memory, lists);
    int *parent = memory + 3 * (size_t)m->nv + 3 * (size_t)d->nefc + 7 * (size_t)m->ntree,
        *tree_island = parent + m->ntree;
    for (int t = 0; t < m->ntree; t++) {
        parent[t] = t;
        tree_island[t] = -1;
    }
    if (!(m->opt.disableflags & SN_DSBL_ISLAND)) joinTrees(m, d, parent, tree_island);
    lists->nisland = numberIslands(m, parent, tree_island);
    for (int i = 0; i < m->nv; i++) lists->dof_island[i] = tree_island[m->dof_treeid[i]];
    for (int r = 0; r < d->nefc; r++)
        lists->efc_island[r] =
            d->efc_J_rownnz[r] ? lists->dof_island[d->efc_J_colind[d->efc_J_coladr[r]]] : -1;
    lists->nidof = sortByIsland(lists->dof_island, m->nv, lists->nisland, lists->island_nv,
                                lists->island_idofadr, lists->map_dof2idof, lists->map_idof2dof);
    sortByIsland(lists->efc_island, d->nefc, lists->nisland, lists->island_nefc, lists->island_iefcadr,
                 lists->map_efc2iefc, lists->map_iefc2efc);
    for (int k = 0; k < lists->nisland; k++)
        lists->island_dofadr[k] = lists->map_idof2dof[lists->island_idofadr[k]];
    countTypes(d, lists);
}

int sn_islandMatrix(const snModel* m, const snIslandLists* lists, const double* matrix, int* rownnz,
                    int* rowadr, int* colind, double* values)
{
    int count = 0;
    for (int i = 0; i < lists->nidof; i++) {
        const int dof = lists->map_idof2dof[i], from = m->M_rowadr[dof];
        const int first = lists->island_idofadr[lists->dof_island[dof]];
        rowadr[i] = count;
        rownnz[i] = m->M_rownnz[dof];
        for (int k = from; k < from + rownnz[i]; k++, count++) {
            colind[count] = lists->map_dof2idof[m->M_colind[k]] - first;
            values[count] = matrix[k];
        }
    }
    return count;
}

void sn_islandJ(const snModel* m, const snData* d, const snIslandLists* lists, double* J)
{
    const size_t nv = (size_t)m->nv;
    memset(J, 0, (size_t)d->nefc * nv * sizeof(double));
    for (int r = 0; r < d->nefc; r++) {
        const int island = lists->efc_island[r];
        if (island < 0) continue;
        const int first = lists->island_iefcadr[island], *dofs = d->efc_J_colind + d->efc_J_coladr[r];
        double* row = J + (size_t)lists->nidof * (size_t)first +
                      (size_t)(lists->map_efc2iefc[r] - first) * (size_t)lists->island_nv[island];
        for (int k = 0; k < d->efc_J_rownnz[r]; k++)
            row[lists->map_dof2idof[dofs[k]] - lists->island_idofadr[island]] =
                d->efc_J[d->efc_J_rowadr[r] + k];
    }
}
