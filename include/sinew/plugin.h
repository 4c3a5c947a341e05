// Plugins: kinds of passive forces, actuators, sensors and shapes of the user's own, which model files name.
//
// A plugin is a name and a set of functions; a model holds instances of it, each with a configuration
// (<config key value>) of its own and, if the plugin asks for it, with numbers in d->plugin_state, which are
// state as qpos is: copied, saved, part of state vectors. What a plugin can do is what it has functions for:
//
//     static bool push(const snModel* m, snData* d, int instance, void* user)
//     {
//         d->qfrc_passive[0] += sn_pluginNumbers(m, instance)[0];
//         return true;
//     }
//     const snPlugin plugin = {.size = sizeof plugin, .name = "me.push", .passive = push, ...};
//     sn_registerPlugin(&plugin, &error);
//
// Register it before a model that names it is loaded. docs/plugins.md tells it from the beginning.
//
// Numbers that are not finite become 0 and count as a failure; but sensors may be infinite, and a distance of
// a shape is then far away.
//
// Functions depend on their arguments alone and may be called from several threads at once for different data
// (unless `serial`). None may change qpos, qvel, act (but advance), time or what another element owns, nor
// call a stage or a step on the same data.
#ifndef SINEW_PLUGIN_H
#define SINEW_PLUGIN_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The most numbers that one instance may ask for in plugin_state, and one sensor in sensordata.
enum { SN_MAXPLUGINSIZE = 1 << 24 };

struct snvScene;

/// What a plugin is. Set all of it with a designated initializer: what is not named is 0 and means "has
/// none". Functions that may fail return false, or -1 for a size, and write why into error->message, which
/// the caller gives and completes with the element's name and place. In a step there is nobody to hear it:
/// false from one of them counts the warning SN_WARN_PLUGIN with the instance's id, and what it computed
/// stays; a number that is not finite counts the same and becomes 0.
typedef struct snPlugin {
    size_t size;                   ///< sizeof(snPlugin), by which a library of another release is known
    const char* name;              ///< in model files, unique: "project.kind"
    const char* const* attributes; ///< [nattribute] keys that <config> may have
    int nattribute;
    void* user;  ///< handed to each function, the plugin's own
    bool serial; ///< functions must be called one at a time, from threads that called Sinew: such as of an
                 ///< interpreter. Models with it are refused by batches and rollouts on several threads.

    // ---- when a model is compiled

    int nnumber; ///< numbers that parse makes of a configuration

    /// Makes numbers [nnumber], all 0 before, of a configuration: values [nattribute] are the texts by
    /// attribute, NULL where a file gives none. They are kept in the model: sn_pluginNumbers. false: a value
    /// is wrong. Without it there are nnumber zeros.
    bool (*parse)(const char* const* values, double* numbers, void* user, snError* error);

    /// How many numbers the instance has in plugin_state; -1: the instance cannot be. Without it: none.
    int (*state_size)(const snModel* m, int instance, void* user, snError* error);

    /// How many numbers the sensor has, at least 1; -1: it cannot be. Asked of sensors whose sensor_plugin is
    /// the instance. Without it: 1.
    int (*sensor_size)(const snModel* m, int instance, int sensor, void* user, snError* error);

    int sensor_stage; ///< snStage after which `sensor` is called

    // ---- the life of an instance in an snData

    /// Called by sn_makeData, before reset; also when a model is compiled, to see that it works. What it
    /// needs beside numbers and state it may allocate and hang into d->plugin_data[instance], NULL before; it
    /// must follow from the model and the state alone. false: no data is made.
    bool (*init)(const snModel* m, snData* d, int instance, void* user, snError* error);

    /// Called by sn_deleteData for each instance whose init came back true; frees d->plugin_data[instance].
    void (*destroy)(snData* d, int instance, void* user);

    /// Called by sn_copyData behind all else: makes plugin_data of the destination, which init made, what
    /// that of the source is. It allocates nothing. Without it they are left as they are.
    void (*copy)(snData* destination, const snModel* m, const snData* source, int instance, void* user);

    /// Called by resets, behind all else: sets the instance's state, all 0 before.
    void (*reset)(const snModel* m, snData* d, int instance, void* user);

    // ---- what it can do; called once for each instance, whatever elements have it

    /// At the end of sn_passive, behind the callback passive. Adds to qfrc_passive [nv].
    bool (*passive)(const snModel* m, snData* d, int instance, void* user);

    /// In sn_fwdActuation, behind all other rates and before any force: sets act_dot of the first numbers of
    /// activation of its actuators (actuator_plugin is the instance): actuator_actnum of them, less one where
    /// dyntype gives the last. All 0 before.
    bool (*act_dot)(const snModel* m, snData* d, int instance, void* user);

    /// In sn_fwdActuation: sets actuator_force of its actuators, all 0 before, which are clamped afterwards.
    /// It clamps ctrl itself, and is called for disabled groups, too, as MuJoCo's are.
    bool (*actuator)(const snModel* m, snData* d, int instance, void* user);

    /// After the other sensors of its stage: sets sensordata of its sensors (sensor_plugin is the instance),
    /// which are cut off afterwards.
    bool (*sensor)(const snModel* m, snData* d, int instance, void* user);

    /// Once at the end of a step, when qpos, qvel, act and time are those of its end and all else is as it
    /// was computed at its beginning: changes plugin_state and activations of its actuators.
    bool (*advance)(const snModel* m, snData* d, int instance, void* user);

    /// A shape of its own, of geoms of type sdf: the signed distance from its surface at a point in the
    /// geom's frame, negative inside, and its gradient there (may be NULL). It depends on numbers
    /// [nnumber], those of the instance, alone. NAN: it fails. That is an error when a model is compiled; in
    /// a step it counts the warning SN_WARN_PLUGIN, and the point is far away.
    double (*sdf_distance)(const double* numbers, const double point[3], double gradient[3], void* user);

    /// The box that holds the shape: centre and half sizes along the axes of the geom's frame. Asked for
    /// when a model is compiled. Needed with sdf_distance.
    void (*sdf_box)(const double* numbers, double box[6], void* user);

    /// The same of n points at once, such as those of the grid of which a mesh is made: distances [n] and, if
    /// it is not NULL, gradients [3 n] at points [3 n]. Without it each one is asked for.
    void (*sdf_distances)(const double* numbers, int n, const double* points, double* distances,
                          double* gradients, void* user);

    /// When a scene is made of a data (snv_updateScene), before its geoms are listed: may change the colours
    /// that geoms have in it, rgba [4 ngeom], those of the model before, and add shapes of its own to it.
    void (*visualize)(const snModel* m, const snData* d, int instance, float* rgba, struct snvScene* scene,
                      void* user);
} snPlugin;

/// Adds a plugin to those that models may name, for as long as the process lives. What it points to is
/// copied, but for `user`. ARGUMENT: the name is taken or missing, another release's struct, attributes
/// without name or twice, sizes below 0, sdf_distance without sdf_box. May be called from any thread.
SN_API snStatus sn_registerPlugin(const snPlugin* plugin, snError* error);

/// How many plugins there are, those of Sinew's own included.
SN_API int sn_pluginCount(void);

/// The plugin of a slot, 0 to sn_pluginCount - 1; m->plugin holds slots. NULL: there is none.
SN_API const snPlugin* sn_pluginAt(int slot);

/// The plugin of a name, its slot in *slot (may be NULL); NULL: there is none.
SN_API const snPlugin* sn_findPlugin(const char* name, int* slot);

/// The function that a library of plugins has, by the name sn_plugins: registers them.
typedef snStatus snPluginEntry(snError* error);

/// Loads a library (.so, .dylib) and has it register its plugins by its function sn_plugins. It links to
/// nothing: functions of Sinew that it calls are those of the program. A library that was loaded before is
/// left as it is. FILE: it cannot be loaded; ARGUMENT: it has no such function, or is one of MuJoCo's; what
/// sn_plugins returns. No model file has a library loaded.
SN_API snStatus sn_loadPluginLibrary(const char* path, snError* error);

/// The plugin of an instance of the model; NULL: there is none (an id out of range, or a slot).
SN_API const snPlugin* sn_pluginOf(const snModel* m, int instance);

/// Text that the configuration of an instance gives a key; "": none given. NULL: the plugin has no such key.
SN_API const char* sn_pluginConfig(const snModel* m, int instance, const char* key);

/// Numbers [nnumber] of an instance, as parse made them.
SN_API const double* sn_pluginNumbers(const snModel* m, int instance);

/// State [m->plugin_statenum[instance]] of an instance.
SN_API double* sn_pluginState(const snModel* m, snData* d, int instance);

/// Whether an instance of the model is of a plugin that must be called one at a time.
SN_API bool sn_isSerial(const snModel* m);

/// The name of the first such plugin; NULL: there is none.
SN_API const char* sn_serialName(const snModel* m);

#ifdef __cplusplus
}
#endif
#endif
