// What texts of configurations say. Each returns false with a text of what is wrong; a text that is NULL, not
// given, leaves the numbers as they are.
#ifndef SINEW_MODEL_PLUGIN_CONFIG_H
#define SINEW_MODEL_PLUGIN_CONFIG_H

#include <sinew/base.h>
#include <stdbool.h>

/// So many finite numbers.
bool sn_configReals(const char* key, const char* text, double* numbers, int count, snError* error);

/// So many whole numbers from `least` to `most`.
bool sn_configInts(const char* key, const char* text, double* numbers, int count, int least, int most,
                   snError* error);

/// true: 1, or false: 0.
bool sn_configBool(const char* key, const char* text, double* number, snError* error);

#endif
