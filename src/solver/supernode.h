// Sparse factor H = R'R of a symmetric matrix whose rows come in nodes (dofs that couple alike), in panels of
// nodes that go one after the other and have the same columns (supernodes).
//
// A place is the position of a node in the order of elimination. Rows of R are numbered by place: those of
// place k are row[k] .. row[k + 1] - 1. H is assembled in the panels above the diagonal and factored there.
// Method: Ng and Peyton 1993, from the left, with the elimination tree of Liu 1990.
#ifndef SINEW_SOLVER_SUPERNODE_H
#define SINEW_SOLVER_SUPERNODE_H

#include "solver/order.h"

/// Columns of a panel: first its own rows, then the nodes that are below it in the tree of elimination.
typedef struct snSupernode {
    int first, last; ///< its places: first .. last - 1
    int row, rows;   ///< its rows of R
    int stride;      ///< of its panel
    int nbelow;
    const int* below; ///< [nbelow] places, ascending
    int* column;      ///< [nbelow + 1] first column of each; the last: behind them all
    size_t panel;     ///< where its panel begins among the values
    double path;      ///< work of one update on the path from here to the root
} snSupernode;

typedef struct snElimination {
    int nnode, n;      ///< nodes, rows
    int* place;        ///< [nnode] of a node
    int* row;          ///< [nnode + 1] by place
    int* super;        ///< [nnode] supernode of a place
    int count;         ///< supernodes
    snSupernode* node; ///< [count]
    int widest;        ///< largest stride
    size_t nvalue;     ///< numbers in all panels
    double products;   ///< multiplications of one factorisation
    double work;       ///< of one factorisation, in the unit of `path`
} snElimination;

/// Numbers of a factor, and what its kernels work with.
typedef struct snFactor {
    double* value; ///< [nvalue] panels
    double* inv;   ///< [n] 1 / R_kk
    double* strip; ///< [widest x the most rows of a supernode, padded] products on their way to another panel
    double* local; ///< [4 widest] vectors in the columns of a panel
    int* column;   ///< [nnode] where a place stands in the panel that is being factored
    int *head, *next, *at; ///< [count] panels that are going to change another one, and with which of `below`
    struct snFactorShare* share; ///< how threads share out its work; NULL: they do not
} snFactor;

/// What a panel of so many rows and columns at their right takes, about: steps of eight multiplications, the
/// way of its products to other panels, and what there is to do anyway.
double sn_panelWork(double rows, double right);

/// Finds order, tree and panels; size [graph->n]: rows of each node. In scratch; false: the arena is full.
/// mesh: the order is the better one of both that order.h has, else that of least degree.
bool sn_analyse(snData* d, const snGraph* graph, const int* size, bool mesh, snElimination* e);

/// Takes the arrays as scratch; false: the arena is full.
bool sn_factorAllocate(snData* d, const snElimination* e, snFactor* f);

/// Where H_ij of the first rows i and j of two places stands among the values, place i at or before place j;
/// the others of the two nodes follow by row, *stride apart.
size_t sn_factorEntry(const snElimination* e, int i, int j, int* stride);

/// Factors H, assembled in the panels, which must be zero elsewhere. Returns how many pivots were not
/// positive (sn_panelFactor).
int sn_factor(const snElimination* e, snFactor* f);

/// x <- inv(R'R) x, x [n] in rows of R.
void sn_factorSolve(const snElimination* e, snFactor* f, double* x);

/// A panel's part in it, from the root down: its rows of x <- inv(R) x, when those of all places below it in
/// the tree are there. local: work, as f->local.
void sn_factorBackward(const snElimination* e, const snFactor* f, int super, double* local, double* x);

enum { SN_UPDATE_ROWS = 64 };

/// Where an update that shares the factor with others waits for those before it, and says that it has passed:
/// around each SN_UPDATE_ROWS rows of a panel, part after part.
typedef struct snUpdateGate {
    void (*enter)(void* arg, int super, int part);
    void (*leave)(void* arg, int super, int part);
    void* arg;
} snUpdateGate;

/// R'R <- R'R + sum of scale_t v_t v_t' for count <= SN_PANEL_UPDATES vectors v [count x n] that are zero but
/// at the place `first` and at such after it as it couples with. They become zero, scale is destroyed. local:
/// work, as f->local. gate: NULL, nobody else is at the factor. false: as sn_panelUpdate.
bool sn_factorUpdate(const snElimination* e, const snFactor* f, int first, double* v, double* scale,
                     int count, double* local, const snUpdateGate* gate);

#endif
