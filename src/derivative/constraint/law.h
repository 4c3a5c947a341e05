// How the force of one constraint answers a change of its rows: the second derivative of its penalty s.
//
// A contact's rows are seen as its components (normal, tangents, spin, rolls) with pyramids, too: an edge is
// E_r c = c_0 +- mu_j c_j, all edges have the same D and position, so that with x = E c
//     f_c = E' f,   C_c = E' C E,   jar_c = J_c a - aref_c.
// When the residual r that the impedance is of moves, D and with it s and f scale by kappa dr:
//     D = d(r) / ((1 - d(r)) diagApprox),   kappa = d' / (d (1 - d)),   df = -C djar + kappa f dr.
// Of a contact with adhesion aref has R adhesion / rows, which moves with R: dR = - kappa R dr.
// Source: seed 001, (8) and "Parameters" (the impedance); the derivatives are worked out here.
#ifndef SINEW_DERIVATIVE_CONSTRAINT_LAW_H
#define SINEW_DERIVATIVE_CONSTRAINT_LAW_H

#include <sinew/data.h>

enum { SN_COMPONENTS = 6, SN_EDGES = 10 };

/// Residual, force and state of all rows at a qacc.
typedef struct snRowPoint {
    double *jar, *force; ///< [nefc]
    int* state;          ///< [nefc]
} snRowPoint;

/// Fills them, in scratch; the data stays as it is. false: the arena is full.
bool sn_rowPoint(const snModel* m, snData* d, const double* qacc, snRowPoint* point);

/// Rows of the constraint whose first row is `row`; whether any of rows [row, row + count) has a force.
int sn_rowsOf(const snModel* m, const snData* d, int row);
bool sn_rowsAct(const snRowPoint* point, int row, int count);

/// Whether they have a force or an adhesion, which pulls at the bodies whether or not the rows push.
bool sn_rowsMatter(const snData* d, const snRowPoint* point, int row, int count);

typedef struct snRowLaw {
    int row, count; ///< its rows of efc
    int dim;        ///< components; unless the rows are edges their number
    bool edges;
    bool stiff;             ///< whether C is not zero
    double mu[5];           ///< of a contact
    double force[6];        ///< of the components
    double adhesion;        ///< of a contact: what is taken off the normal force on the bodies
    double C[6][6];         ///< s''
    double damping[6];      ///< B
    double stiffness[6];    ///< K d, how a component's position enters -aref
    double slope[6];        ///< K d' (pos - margin), how r does so beside
    double kappa[6];        ///< relative change of D with r
    double edgeC[SN_EDGES]; ///< of the edges: D of those that push
} snRowLaw;

/// The constraint whose first row is `row`.
snRowLaw sn_rowLaw(const snModel* m, const snData* d, const snRowPoint* point, int row);

/// The dofs that it touches, ascending, and J [dim x ndof] of its components.
typedef struct snComponentRows {
    int ndof;
    const int* dof;
    const double* J;
} snComponentRows;

/// J is in `room` [6 nv].
snComponentRows sn_componentRows(const snData* d, const snRowLaw* law, double* room);

/// edges [count] = E c, with stride n between rows of each; n columns.
void sn_edgesOf(const snRowLaw* law, const double* component, int n, double* edge);

#endif
