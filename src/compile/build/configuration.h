// Configurations of plugins, as texts and as the numbers that a plugin makes of them.
#ifndef SINEW_COMPILE_CONFIGURATION_H
#define SINEW_COMPILE_CONFIGURATION_H

#include <sinew/plugin.h>
#include "compile/build/build.h"

/// The value that a configuration gives an attribute; NULL: none.
const char* sn_configValue(const snSpecPlugin* p, const char* key);

/// numbers [plugin->nnumber], zeros before, of an instance. false with an error: a value is wrong.
bool sn_parseConfiguration(snBuild* b, const snSpecPlugin* p, const snPlugin* plugin, double* numbers);

#endif
