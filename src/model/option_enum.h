// The enumerations that options have their values from.
#ifndef SINEW_MODEL_OPTION_ENUM_H
#define SINEW_MODEL_OPTION_ENUM_H

#include <sinew/option.h>

/// The enumeration of an option's values; NULL: it is a number, a flag or bits.
const snEnum* sn_optionEnum(const snOptionField* field);

#endif
