// Constraint islands as lists: which kinematic trees the constraint rows couple, and dofs and rows sorted by
// island. Made when asked, from the rows that there are; a step keeps its own.
#ifndef SINEW_ISLAND_H
#define SINEW_ISLAND_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Islands in the order of their first tree. An island has all dofs of its trees, ascending, and its rows in
/// the order of the efc arrays. Sorted by island, a dof is called idof and a row iefc; dofs and rows of no
/// island come last.
typedef struct snIslandLists {
    int nisland;         ///< number of islands
    int nidof;           ///< dofs of all islands
    int* dof_island;     ///< [nv] island of a dof; -1: none
    int* map_dof2idof;   ///< [nv] idof of a dof
    int* map_idof2dof;   ///< [nv] dof of an idof
    int* efc_island;     ///< [nefc] island of a row; -1: none
    int* map_efc2iefc;   ///< [nefc] iefc of a row
    int* map_iefc2efc;   ///< [nefc] row of an iefc
    int* island_nv;      ///< [nisland] dofs of an island
    int* island_idofadr; ///< [nisland] its first idof
    int* island_dofadr;  ///< [nisland] its first dof
    int* island_ne;      ///< [nisland] its equality rows, which come first
    int* island_nf;      ///< [nisland] its dry friction rows, which come second
    int* island_nefc;    ///< [nisland] all its rows
    int* island_iefcadr; ///< [nisland] its first iefc
} snIslandLists;

/// How many ints sn_islandLists takes: 3 nv + 3 nefc + 9 ntree.
SN_API size_t sn_islandListSize(const snModel* m, const snData* d);

/// Finds the islands of the present rows (sn_makeConstraint). The lists stand in memory [sn_islandListSize],
/// which is the caller's; they hold until the rows change. Trees that loops held exactly (loop.h) join are
/// together in an island. No islands where there are no rows, and under the flag island, though the solver
/// then takes all rows as one. Reads: efc_type, efc_J_rownnz, _coladr, _colind. Allocates nothing. Cost: O(nv
/// + nefc + dofs of the rows).
SN_API void sn_islandLists(const snModel* m, const snData* d, int* memory, snIslandLists* lists);

/// Rows and columns of the islands' dofs of a matrix of the layout of M_rownnz, M_rowadr, M_colind: row i is
/// that of idof i, its columns are counted within the island. rownnz, rowadr [nidof], colind, values [nC], of
/// which the first of a number that is returned are written. Source: sn_sparseM, sn_sparseLD give such
/// matrices [nC].
SN_API int sn_islandMatrix(const snModel* m, const snIslandLists* lists, const double* matrix, int* rownnz,
                           int* rowadr, int* colind, double* values);

/// The Jacobian island by island: that of an island is dense, [island_nefc x island_nv], and begins at J +
/// nidof island_iefcadr. J [nefc x nv]; what islands leave of it is 0.
SN_API void sn_islandJ(const snModel* m, const snData* d, const snIslandLists* lists, double* J);

#ifdef __cplusplus
}
#endif
#endif
