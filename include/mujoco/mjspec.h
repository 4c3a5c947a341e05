// The description of a model, as a whole: read from MJCF or URDF, compiled, written. It is opaque; elements
// are added and changed by sinew/spec.h.
#ifndef SINEW_MUJOCO_MJSPEC_H
#define SINEW_MUJOCO_MJSPEC_H

#include <mujoco/mjdata.h>
#include <sinew/spec.h>

#ifdef __cplusplus
#include <string>
#include <vector>

using mjString = std::string;
using mjStringVec = std::vector<std::string>;

extern "C" {
#else
typedef void mjString;
typedef void mjStringVec;
#endif

typedef struct mjSpec_ mjSpec;

/// A description that the caller frees with mj_deleteSpec; NULL with the error, cut to error_sz bytes. It
/// means what MuJoCo 3.3.7 means where it does not say.
MJAPI mjSpec* mj_makeSpec(void);
MJAPI mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);
MJAPI mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz);
MJAPI mjSpec* mj_copySpec(const mjSpec* s);
MJAPI void mj_deleteSpec(mjSpec* s);

/// The source of a spec, for functions of sinew/spec.h.
MJAPI snSpec* sinew_spec(mjSpec* s);

/// Compiles, with files in memory beside those of the spec (vfs may be NULL). NULL: mjs_getError says why. It
/// also has the warnings of what went well; mjs_isWarning tells them apart.
MJAPI mjModel* mj_compile(mjSpec* s, const mjVFS* vfs);
/// The same into a model and a data that this spec has made, which stay where they are: state and inputs of
/// what remains stay what they were (sn_recompile). 0: done, -1: m and d are as they were.
MJAPI int mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel* m, mjData* d);
MJAPI const char* mjs_getError(mjSpec* s);
MJAPI int mjs_isWarning(mjSpec* s);

/// Writing, canonical. 0: done, -1: the error says why not, cut to error_sz bytes. mj_saveXMLString returns
/// how many bytes xml must have, the closing 0 counted, when xml_sz is less. mj_saveLastXML writes the model
/// that mj_loadXML loaded last (filename NULL: to standard output), and refuses where m is given and has been
/// changed since.
MJAPI int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz);
MJAPI int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz);
MJAPI int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz);
MJAPI void mj_freeLastXML(void);

#ifdef __cplusplus
}

/// Files that a model is made of, itself first, each once. What cannot be read is an mju_error.
extern "C" MJAPI void sinew_eachDependency(const char* filename, void (*visit)(void* user, const char* path),
                                           void* user);
inline void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies)
{
    sinew_eachDependency(
        filename, [](void* user, const char* path) { static_cast<mjStringVec*>(user)->push_back(path); },
        dependencies);
}
#else
MJAPI void sinew_eachDependency(const char* filename, void (*visit)(void* user, const char* path),
                                void* user);
#endif
#endif
