// What the parts of a derivative hand to each other. All is at the state of the data, after sn_forward.
//
// Positions are differentiated by the tangent dq [nv] of sn_integratePos, which a pose follows with the
// spatial motion sum of cdof_k dq_k. Matrices are dense, row by row.
#ifndef SINEW_DERIVATIVE_LINEAR_H
#define SINEW_DERIVATIVE_LINEAR_H

/// Derivatives of a generalized force; NULL: not wanted.
typedef struct snForceDerivative {
    double* q;   ///< [nv x nv] by position
    double* v;   ///< [nv x nv] by velocity
    double* act; ///< [nv x na] by activation
    double* u;   ///< [nv x nu] by control
} snForceDerivative;

/// How activations, or their rates, change: numbers of the matrix [na x (2 nv + na + nu)] by q, v, act and u
/// side by side, of which each is the sum of those that have its row and its column.
typedef struct snActivationSlope {
    int row, column;
    double slope;
} snActivationSlope;
typedef struct snActivationSlopes {
    int count;
    snActivationSlope* list;
} snActivationSlopes;

/// Changes along n directions, a column a direction.
typedef struct snDirections {
    int n;
    const double* q;   ///< [nv x n] position
    const double* v;   ///< [nv x n] velocity
    const double* act; ///< [na x n] activation
    const double* u;   ///< [nu x n] control
    const double* a;   ///< [nv x n] qacc
    const double* f;   ///< [nefc x n] efc_force
} snDirections;

#endif
