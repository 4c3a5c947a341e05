// Plugins of elements that stand for many bodies: one instance that they all share.
#ifndef SINEW_FORMAT_MJCF_TREE_PLUGIN_H
#define SINEW_FORMAT_MJCF_TREE_PLUGIN_H

#include "format/mjcf/language/reading.h"

/// The instance that a <plugin> means, in *name: the one that it names, or one of this name that is made in
/// <extension>, with its configuration. False: a mistake, which is told.
bool sn_shareInstance(snReader* r, const snElement* plugin, const char* made, const char** name);

/// Gives a body the instance, unless it has one already; false: out of memory.
bool sn_givePlugin(snSpec* spec, snElement* body, const snElement* plugin, const char* instance);

#endif
