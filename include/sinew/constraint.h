// Constraint rows and their solution.
#ifndef SINEW_CONSTRAINT_H
#define SINEW_CONSTRAINT_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Rows: equality, dry friction, limits, contacts, in this order; impedance and regularisation (seed 001,
/// stages 9, 11).
SN_API void sn_makeConstraint(const snModel* m, snData* d);
/// efc_vel, efc_aref (stage 16).
SN_API void sn_referenceConstraint(const snModel* m, snData* d);
/// efc_force, efc_state, qfrc_constraint, qacc, solver statistics (stage 20).
SN_API void sn_fwdConstraint(const snModel* m, snData* d);
/// From jar [nefc] = J qacc - aref: efc_state, efc_force, qfrc_constraint; *cost (may be NULL) gets the
/// constraint cost s(jar).
SN_API void sn_constraintUpdate(const snModel* m, snData* d, const double* jar, double* cost);
/// result [nefc] = J vec [nv];  result [nv] = J' vec [nefc].
SN_API void sn_mulJacVec(const snModel* m, const snData* d, double* result, const double* vec);
SN_API void sn_mulJacTVec(const snModel* m, const snData* d, double* result, const double* vec);

#ifdef __cplusplus
}
#endif
#endif
