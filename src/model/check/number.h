// Which numbers may stand in fields of a model, for who gives others than the compiler made.
#ifndef SINEW_MODEL_CHECK_NUMBER_H
#define SINEW_MODEL_CHECK_NUMBER_H

#include <sinew/model.h>

/// The fields of sn_modelFields whose numbers are 0 or more; [n], names.
const char* const* sn_unsignedFields(int* n);

/// Whether numbers [the field's own count] may stand in a field of doubles, an index of sn_modelFields: none
/// is NaN, infinite where that means nothing, or negative where the field is of sn_unsignedFields. What the
/// model has there itself may stay. ARGUMENT names field, row and number; `where` follows, "" or
/// " of simulation 3".
snStatus sn_checkFieldNumbers(const snModel* m, int field, const double* numbers, const char* where,
                              snError* error);

#endif
