// Pinocchio on the chain of four-bars of bench/loops.c, behind a C interface: a library of its own, opened at
// run time where there is one.
#ifndef BENCH_PINOCCHIO_H
#define BENCH_PINOCCHIO_H

#ifdef __cplusplus
extern "C" {
#endif

enum { PIN_TREE, PIN_CONSTRAINT, PIN_LCABA, PIN_METHODS };

/// A chain of `bars` four-bars; see bench/loops.c for where its bodies stand.
void* pinChain(int bars);

/// Acceleration at q [3 bars], v [3 bars] without forces: of the tree alone, by constraintDynamics, by lcaba.
void pinAccelerate(void* chain, int method, const double* q, const double* v, double* a);

#ifdef __cplusplus
}
#endif
#endif
