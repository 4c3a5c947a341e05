// Plugins of Sinew's own. Each is defined beside what it computes, in a folder above.
#ifndef SINEW_MODEL_PLUGIN_BUILTIN_H
#define SINEW_MODEL_PLUGIN_BUILTIN_H

#include <sinew/plugin.h>

extern const snPlugin sn_pluginPid;       ///< mujoco.pid
extern const snPlugin sn_pluginCable;     ///< mujoco.elasticity.cable
extern const snPlugin sn_pluginTouchGrid; ///< mujoco.sensor.touch_grid

/// Shapes, in sdf/shape.
extern const snPlugin sn_pluginBolt, sn_pluginBowl, sn_pluginGear, sn_pluginNut, sn_pluginTorus;

/// The list of them: &sn_pluginX, for each one, which is declared here.
#define SN_BUILTIN_PLUGINS                                                                                   \
    &sn_pluginPid, &sn_pluginCable, &sn_pluginTouchGrid, &sn_pluginBolt, &sn_pluginBowl, &sn_pluginGear,     \
        &sn_pluginNut, &sn_pluginTorus,

#endif
