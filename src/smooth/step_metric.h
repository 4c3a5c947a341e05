// The matrix of a step of the integrator discrete. With D and K what the smooth forces f lose with velocity
// and with position, both symmetric and positive, f at the end of the step is f - h (D + h K) a - h K v, so
//     M^ a = f - h K v + J'f_c,   M^ = M + h D + h^2 K,   a = (v' - v) / h.
// Terms of joints and what a fluid takes fit in the places of M. Those of tendons and actuators are each
// w r r', r the moment arms; where r couples dofs that M does not, they are left out of qMstep, and the
// solver has them as rows (solver/metric.h). What elasticity of flexes adds stands beside it
// (elastic_metric.h).
#ifndef SINEW_SMOOTH_STEP_METRIC_H
#define SINEW_SMOOTH_STEP_METRIC_H

#include <sinew/data.h>
#include "smooth/elastic_metric.h"

/// A tendon or an actuator: M^ has weight r r', and the force loses pull r.
typedef struct snStepTerm {
    const int* dofs;    ///< [num] ascending
    const double* arms; ///< [num] r
    int num;
    double weight; ///< h b + h^2 k
    double pull;   ///< h k r'qvel
} snStepTerm;

typedef struct snStepTerms {
    int count;
    snStepTerm* term;  ///< [count]
    snElastic elastic; ///< adr NULL: none, or not taken
} snStepTerms;

/// Those with a weight, in scratch, without elasticity. Reads what sn_smoothVel reads. false: the arena is
/// full.
bool sn_stepTerms(const snModel* m, snData* d, snStepTerms* terms);

/// What elasticity adds: elastic_value.
void sn_takeElastic(const snData* d, snStepTerms* terms);

/// Whether the places of M hold r r'.
bool sn_fitsInertia(const snModel* m, const snStepTerm* term);

/// qMstep, qfrc_step, and qH, qHDiagInv, the factor of qMstep. Writes qDeriv.
void sn_makeStepMetric(const snModel* m, snData* d, const snStepTerms* terms);

/// diagonal [nv] of M^, all terms included.
void sn_stepDiagonal(const snModel* m, const snData* d, const snStepTerms* terms, double* diagonal);

/// result [nv] = M^ x, all terms included.
void sn_mulStep(const snModel* m, const snData* d, const snStepTerms* terms, const double* x, double* result);

/// Changes x [nv] of bodies that move by a free joint alone, and that neither a term nor a row of constraints
/// touches: from the acceleration in M^ to the one that solves (M^ - h G) a = M^ x with what M^ lacks, G, the
/// bias force as it changes with the body's velocity; `back`: from that one to the one in M^. Others keep
/// theirs. Writes qDeriv.
void sn_turnLoneBodies(const snModel* m, snData* d, const snStepTerms* terms, bool back, double* x);

#endif
