// Numbers of a model that are not finite.
#ifndef SINEW_MODEL_CHECK_FINITE_H
#define SINEW_MODEL_CHECK_FINITE_H

#include <sinew/model.h>

/// Whether all numbers of a model are finite, or bounds that stand for none; *error (may be NULL) names the
/// first that is not: status MODEL.
bool sn_isFiniteModel(const snModel* m, snError* error);

/// Whether numbers of a field of the model, by its name, may be infinite.
bool sn_mayBeInfinite(const char* field);

#endif
