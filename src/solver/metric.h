// A step of the integrator discrete is solved in the metric M^ = M + h D + h^2 K (smooth/step_metric.h): what
// the solver finds as the inertia is qMstep, its factor, and what loops leave of it; and each tendon or
// actuator that qMstep has no place for is one more row r behind the others,
//     w/2 (r'qacc - r'qacc_smooth)^2.
// With B the inertia of qMstep and qacc_smooth the acceleration in M^ without constraints, the minimum is
// that in M^: B y + sum of w r r'y = J'f.
#ifndef SINEW_SOLVER_METRIC_H
#define SINEW_SOLVER_METRIC_H

#include <sinew/data.h>
#include "smooth/step_metric.h"

// clang-format off
/// What a data points to elsewhere while it is in the metric: inertia and forces, and what solvers read and
/// write of rows, ints and doubles.
#define SN_METRIC_INERTIA(X) X(qM) X(qLD) X(qLDiagInv) X(qfrc_smooth) X(mechanism_H) X(mechanism_L) X(mechanism_Dinv)
#define SN_METRIC_ROWS(X) X(efc_type) X(efc_id) X(efc_J_rownnz) X(efc_J_rowadr) X(efc_J_coladr) X(efc_state) \
    X(efc_pos) X(efc_frictionloss) X(efc_D) X(efc_R) X(efc_aref) X(efc_force)
#define SN_METRIC_JACOBIAN(X) X(efc_J) X(efc_J_colind) X(nefc) X(nJ) X(nJcol)
// clang-format on

typedef struct snMetric {
    const snStepTerms* terms; ///< tendons and actuators
    int couplings;            ///< how many of them are rows
    struct {
#define X(name) __typeof__(((snData*)0)->name) name;
        SN_METRIC_INERTIA(X) SN_METRIC_ROWS(X) SN_METRIC_JACOBIAN(X)
#undef X
    } outer; ///< what the data pointed to before
} snMetric;

/// Points d to the metric of the step; its arrays are scratch. Reads what sn_makeStepMetric has made. solve:
/// with the rows of all constraints, whose references are those of the step; else those of couplings alone,
/// with reference 0. false: the arena is full, and d is as before.
bool sn_enterMetric(const snModel* m, snData* d, const snStepTerms* terms, bool solve, snMetric* metric);

/// Points it back, and writes what has become of the rows.
void sn_leaveMetric(const snModel* m, snData* d, const snMetric* metric);

/// efc_R, efc_D and efc_diagApprox of rows in M^, after sn_makeStepMetric. Takes scratch; false: the arena is
/// full.
bool sn_weighRows(const snModel* m, snData* d, const snStepTerms* terms);

/// qacc_smooth in M^, and efc_R, efc_D, efc_diagApprox of rows in it. false: the arena is full.
bool sn_stepAcceleration(const snModel* m, snData* d);

#endif
