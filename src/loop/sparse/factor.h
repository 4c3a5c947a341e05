// A = L D L' of the matrix of (8.64) by blocks of up to six unknowns, and what it solves.
//
// LDL of SuiteSparse does the same number by number, but its licence (LGPL) asks of programs that have its
// static library inside, as wheels of this library would, what their users may not want to give. Here a block
// of six is the unit, so that inner loops have a known length.
#ifndef SINEW_LOOP_SPARSE_FACTOR_H
#define SINEW_LOOP_SPARSE_FACTOR_H

#include "loop/sparse/graph.h"

enum { SN_BLOCK = 6, SN_BLOCK2 = SN_BLOCK * SN_BLOCK };

/// The numbers of A. Blocks are row-major, their columns filled up to six with zeros.
typedef struct snSparseMatrix {
    double* I; ///< [nbody x 9] upper left of bodies' diagonal blocks, which are identities else, as those of
               ///< armatures are whole; forces have none
    double* J; ///< [block_row[nblock] x 6] of each block a force's rows, an acceleration's columns
} snSparseMatrix;

/// Pattern and numbers of the factors. Nodes that take part have a place, in the order of elimination.
typedef struct snSparseFactor {
    int n;                    ///< nodes that take part
    size_t room, count;       ///< blocks of L: how many there is room for, and how many there are
    size_t nonzeros;          ///< numbers in them
    int* owner;               ///< [nblock] the force of a block of A
    int *node, *place;        ///< [nnode] node of a place, place of a node; -1: takes no part
    int* size;                ///< [nnode] unknowns at a place
    int *edge_adr, *edge;     ///< [nnode + 1], [nblock] blocks of A whose later node is at a place
    int *row_adr, *row;       ///< [nnode + 1], [room] places of a row of L, none before one that changes it
    int *column_adr, *column; ///< [nnode + 1], [room] places of a column of L, ascending
    int* block_row;           ///< [room + 1] first row in L of the block at a place of column
    int *filled, *parent, *flag, *path; ///< [nnode] work
    double *L, *inverse;                ///< [rows x 6], [nnode x 36] of D
    double* rest;                       ///< [longest row x 36] work
    uint8_t* left_out;                  ///< [nnode] bit r: row r of a force depends on others
    int dependent;                      ///< how many such rows
} snSparseFactor;

/// Takes memory for the factors with all nodes, whose order it changes to one with the same factors, but
/// nearer to each other in memory. false: out of memory.
bool sn_makeSparseFactor(snSparseGraph* g, snPool* pool, snSparseFactor* f);

/// The pattern with the nodes that are `active` [nnode]. Those that are not make no more than there is room
/// for. Cost: O(count).
void sn_sparsePattern(const snSparseGraph* g, const bool* active, snSparseFactor* f);

/// The numbers. A row of forces whose pivot is at most tolerance times the terms that it comes from depends
/// on others: it is factored as if their size stood on its diagonal, too.
void sn_sparseFactorize(const snSparseGraph* g, const snSparseMatrix* A, double tolerance, snSparseFactor* f);

/// x [nnode x 6] <- inv(L D L') x
void sn_sparseSolve(const snSparseFactor* f, double* x);

#endif
