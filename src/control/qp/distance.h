// The problem of least distance
//     min 1/2 |u - u0|^2 + 1/2 |v|^2
//     subject to   lower_i <= a_i x - v_i / scale_i <= upper_i,   x = x0 + T'u
// by a dual active set (Goldfarb and Idnani 1983): rows i are hard (v_i = 0) or soft. The normals of the
// active rows, scale_i side_i (T a_i, -e_i), are kept as N = Q R, Q with orthonormal columns, so that u = u0
// - N lambda and lambda >= 0 of inequalities. Whether rows hold is looked at in x.
#ifndef SINEW_CONTROL_QP_DISTANCE_H
#define SINEW_CONTROL_QP_DISTANCE_H

#include <stdbool.h>
#include <stddef.h>

/// What a row is.
typedef enum snDistanceKind {
    SN_DISTANCE_OUT = 0,
    SN_DISTANCE_HARD = 1,
    SN_DISTANCE_SOFT = 2,
    SN_DISTANCE_EQUAL = 3, ///< hard, of either sign; lower = upper
} snDistanceKind;

typedef struct snDistance {
    // the problem, the caller's. Arrays at 64 bytes, runs as run.h
    int length;                          ///< of x, a multiple of 8; also the stride of T and A
    int coordinates;                     ///< of u without v
    const double* T;                     ///< [coordinates x length]
    const double* u0;                    ///< [coordinates]
    const double* x0;                    ///< [length]
    int rows;                            ///< of A
    int bounds;                          ///< further rows: of the unit vectors
    const double* A;                     ///< [rows x length]
    const double *lower, *upper, *scale; ///< [rows + bounds]; scale > 0
    const double* slack;                 ///< [rows + bounds] by how much a row may be violated, besides
    double tolerance;                    ///< times its bound
    const unsigned char* kind;           ///< [rows + bounds] snDistanceKind
    double noise;                        ///< multipliers above -noise are not negative

    // the solution
    double *u, *x;      ///< [width], [length]
    int active;         ///< rows that are held
    int* row;           ///< [most] of them
    signed char* side;  ///< [most] 1 at the upper bound, -1 at the lower
    double* lambda;     ///< [most] of a soft row v_i in its scale
    bool* held;         ///< [rows + bounds]
    int changes, limit; ///< of the active set since it was begun; at most
    int wrong;          ///< row that cannot hold with those active

    // private
    int most, width;           ///< most rows active; stride of Q
    int *slot, *spare;         ///< [most] coordinate of v_i, -1 hard; slots that are free
    int spares, slots;         ///< free ones; in use up to here
    double *Q, *R;             ///< [most x width] transposed; [most x most] by columns
    double *normal, *d, *r;    ///< work: [width], [most], [most]
    double *value, *off;       ///< [rows + bounds] A x, violations in units of what they may be
    double *deep, *high, *per; ///< [rows + bounds] bounds with tolerance, infinite of rows held; 1 / slack
    double reach;              ///< largest norm of a row of T
} snDistance;

typedef enum snDistanceStatus {
    SN_DISTANCE_SOLVED,
    SN_DISTANCE_INFEASIBLE,
    SN_DISTANCE_LIMIT
} snDistanceStatus;

/// Numbers of work memory for up to n unknowns, `rows` rows and bounds of which `soft` may be soft at a time.
size_t sn_distanceWork(int n, int rows, int soft);
/// Lays d's arrays into the memory.
void sn_distancePlace(snDistance* d, int n, int rows, int soft, double* work);

/// Begins with no row active. The problem's fields are set.
void sn_distanceBegin(snDistance* d);
/// A row that is not held counts no more.
void sn_distanceLetGo(snDistance* d, int row);
/// Makes a row active, if its normal is independent of those that are.
bool sn_distanceEnter(snDistance* d, int row, int side);
/// u, x and lambda of the active rows; drops those whose multipliers are negative.
void sn_distanceRefresh(snDistance* d);
/// From a refreshed state to the solution. After SN_DISTANCE_INFEASIBLE `wrong` says which row; after
/// sn_distanceLetGo it can be called again.
snDistanceStatus sn_distanceSolve(snDistance* d);

#endif
