// Constraint islands: what rows couple, and nothing else, is solved together.
#ifndef SINEW_CONSTRAINT_ISLAND_H
#define SINEW_CONSTRAINT_ISLAND_H

#include <sinew/data.h>
#include "smooth/elastic_metric.h"

/// Rows of one constraint (a contact's edges, or one row), and what they touch. Groups of an island are
/// linked.
typedef struct snRowGroup {
    int row, count; ///< first row and number of rows
    int next;       ///< group; -1: last
} snRowGroup;

/// Constraint islands: sets of kinematic trees that rows couple.
typedef struct snIslands {
    int count;
    int ngroup;
    int* first_group;  ///< [count]
    snRowGroup* group; ///< [ngroup]
    int* dof_adr;      ///< [count + 1] first dof of an island in `dof`
    int* ntouched;     ///< [count] how many of them rows touch
    int* dof;          ///< dofs of the islands; of each first those that rows touch, or their ancestors
    int* index;        ///< [nv] place of a touched dof in its island; -1: not touched. Not of sleepers
    const snElastic* elastic; ///< NULL: none; what else couples dofs and touches them
} snIslands;

/// Finds the islands, in scratch. With flag island off, all trees with rows are one. What `elastic` couples
/// alone is an island whose first_group is -1. false: the arena is full.
bool sn_findIslands(const snModel* m, snData* d, const snElastic* elastic, snIslands* islands);

/// Sets of kinematic trees: parent [ntree], each its own at first. The first tree of a set stands for it.
int sn_findTree(int* parent, int tree);
/// Joins the sets of two trees; returns the first tree of both.
int sn_uniteTrees(int* parent, int a, int b);
/// Trees that closed loops join move together.
void sn_uniteMechanisms(const snModel* m, const snData* d, int* parent);

/// The trees of a flex's vertices move together.
void sn_uniteFlex(const snModel* m, int flex, int* parent);

/// How many rows the constraint has whose first row this is; one of an equality -1 stands alone (what a step
/// of the integrator discrete couples, solver/metric.h).
int sn_rowGroupSize(const snModel* m, const snData* d, int row);

/// Whether closed loops are in an island.
bool sn_islandHasLoops(const snModel* m, const snData* d, const snIslands* islands, int island);

#endif
