// The part of sn_validateModel that looks at tendons.
#ifndef SINEW_MODEL_VALIDATE_TENDON_H
#define SINEW_MODEL_VALIDATE_TENDON_H

#include <sinew/model.h>

/// Whether the tendons' paths hold only what sn_tendon may read; error names the first bad entry.
bool sn_validateTendons(const snModel* m, snError* error);

#endif
