// A dense quadratic program as a problem of least distance. Source: Goldfarb and Idnani 1983.
#ifndef SINEW_CONTROL_QP_QP_H
#define SINEW_CONTROL_QP_QP_H

#include <sinew/qp.h>
#include "control/qp/distance.h"

struct snQp {
    int n, rows;                           ///< most
    int length;                            ///< of the problem's unknowns, a multiple of 8
    double* A;                             ///< [rows x length]
    double *lower, *upper, *scale, *slack; ///< [rows + n]
    unsigned char* kind;                   ///< [rows + n]
    double *H, *L;                         ///< [n x length] H whole; the factor of H + diag(shift), then L^-1
    double *shift, *g;                     ///< [length] the proximal term; g
    double *x0, *u0, *grad;                ///< [length]
    bool proximal;                         ///< H is singular or nearly so
    snDistance distance;
    int last_n, last_rows, last_active; ///< the last problem's active set; sizes 0: none
    int* last_row;                      ///< [n]
    signed char* last_side;             ///< [n]
};

/// Checks the problem and copies it into qp's arrays; SN_STATUS_ARGUMENT names the row.
snStatus sn_takeQp(snQp* qp, const snQpProblem* problem, const snQpOption* opt, snError* error);
/// L^-1 of H + diag(shift) = LL', with a shift if H is singular.
snStatus sn_factorQp(snQp* qp, const snQpProblem* problem, snError* error);

#endif
