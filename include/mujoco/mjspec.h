// The description of a model, as a whole: read from MJCF or URDF, compiled, written. It is opaque; elements
// are added and changed by sinew/spec.h.
#ifndef SINEW_MUJOCO_MJSPEC_H
#define SINEW_MUJOCO_MJSPEC_H

#include <mujoco/mjdata.h>
#include <mujoco/mjelement.h>
#include <sinew/spec.h>

#ifdef __cplusplus
#include <string>
#include <vector>

using mjStringVec = std::vector<std::string>;

extern "C" {
#else
typedef void mjStringVec;
#endif

struct mjSpec_ {
    mjsElement* element; ///< of all of it, for mjs_attach
    mjString* modelname;
    mjsCompiler compiler;
    mjtByte strippath;
    mjOption option;
    mjVisual visual;
    mjStatistic stat; ///< NaN: computed
    int nuserdata, nuser_body, nuser_jnt, nuser_geom, nuser_site, nuser_cam, nuser_tendon, nuser_actuator,
        nuser_sensor;
    int nkey, njmax, nconmax;
    struct sinew_source* source; ///< what holds the rest
};
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

// ---- elements
//
// Structs belong to the spec and live as long, or until the element is removed. NULL stands for no default
// class. What cannot be added is an mju_error, and NULL.

MJAPI mjsBody* mjs_addBody(mjsBody* body, const mjsDefault* def);
MJAPI mjsSite* mjs_addSite(mjsBody* body, const mjsDefault* def);
MJAPI mjsJoint* mjs_addJoint(mjsBody* body, const mjsDefault* def);
MJAPI mjsJoint* mjs_addFreeJoint(mjsBody* body);
MJAPI mjsGeom* mjs_addGeom(mjsBody* body, const mjsDefault* def);
MJAPI mjsCamera* mjs_addCamera(mjsBody* body, const mjsDefault* def);
MJAPI mjsLight* mjs_addLight(mjsBody* body, const mjsDefault* def);
MJAPI mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe);
MJAPI mjsActuator* mjs_addActuator(mjSpec* s, const mjsDefault* def);
MJAPI mjsSensor* mjs_addSensor(mjSpec* s);
MJAPI mjsPair* mjs_addPair(mjSpec* s, const mjsDefault* def);
MJAPI mjsExclude* mjs_addExclude(mjSpec* s);
MJAPI mjsEquality* mjs_addEquality(mjSpec* s, const mjsDefault* def);
MJAPI mjsTendon* mjs_addTendon(mjSpec* s, const mjsDefault* def);
MJAPI mjsNumeric* mjs_addNumeric(mjSpec* s);
MJAPI mjsText* mjs_addText(mjSpec* s);
MJAPI mjsKey* mjs_addKey(mjSpec* s);
MJAPI mjsMesh* mjs_addMesh(mjSpec* s, const mjsDefault* def);
MJAPI mjsTexture* mjs_addTexture(mjSpec* s);
MJAPI mjsMaterial* mjs_addMaterial(mjSpec* s, const mjsDefault* def);

/// Points of a tendon's path; one of joints is a fixed tendon.
MJAPI mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name);
MJAPI mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite);
MJAPI mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef);
MJAPI mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor);

/// Laws of actuators as the shortcuts of model files set them; kv, dampratio, timeconst and range may be
/// NULL. The result is a fault, "": none.
MJAPI const char* mjs_setToMotor(mjsActuator* actuator);
MJAPI const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                                    double timeconst[1], double inheritrange);
MJAPI const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                                       double timeconst[1], double inheritrange);
MJAPI const char* mjs_setToVelocity(mjsActuator* actuator, double kv);
MJAPI const char* mjs_setToDamper(mjsActuator* actuator, double kv);
MJAPI const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double area,
                                    double diameter);
MJAPI const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth,
                                  double range[2], double force, double scale, double lmin, double lmax,
                                  double vmax, double fpmax, double fvmax);
MJAPI const char* mjs_setToAdhesion(mjsActuator* actuator, double gain);

/// By names and places. "world": the world.
MJAPI mjsBody* mjs_findBody(mjSpec* s, const char* name);
MJAPI mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name);
MJAPI mjsBody* mjs_findChild(mjsBody* body, const char* name);
MJAPI mjsFrame* mjs_findFrame(mjSpec* s, const char* name);
MJAPI mjsBody* mjs_getParent(mjsElement* element);
MJAPI mjsFrame* mjs_getFrame(mjsElement* element);
MJAPI mjSpec* mjs_getSpec(mjsElement* element);
MJAPI int mjs_getId(mjsElement* element);
MJAPI mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse);
MJAPI mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse);
MJAPI mjsElement* mjs_firstElement(mjSpec* s, mjtObj type);
MJAPI mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element);

/// A copy of a body or frame of another spec below a body or frame of this one.
MJAPI mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix,
                             const char* suffix);
/// 0: done, -1: mjs_getError says why not.
MJAPI int mjs_delete(mjSpec* spec, mjsElement* element);
MJAPI int mjs_setFrame(mjsElement* dest, mjsFrame* frame);
MJAPI int mjs_setName(mjsElement* element, const char* name);
MJAPI mjString* mjs_getName(mjsElement* element);

/// Default classes; mjs_addDefault: NULL where there is one of the name.
MJAPI mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent);
MJAPI mjsDefault* mjs_findDefault(mjSpec* s, const char* classname);
MJAPI mjsDefault* mjs_getSpecDefault(mjSpec* s);
MJAPI mjsDefault* mjs_getDefault(mjsElement* element);
MJAPI void mjs_setDefault(mjsElement* element, const mjsDefault* def);

/// Texts and lists of members; mjs_setInStringVec: 0 where there is no entry i.
MJAPI void mjs_setString(mjString* dest, const char* text);
MJAPI void mjs_setDouble(mjDoubleVec* dest, const double* array, int size);
MJAPI void mjs_setFloat(mjFloatVec* dest, const float* array, int size);
MJAPI void mjs_setInt(mjIntVec* dest, const int* array, int size);
MJAPI mjtByte mjs_setInStringVec(sinew_names* dest, int i, const char* text);
MJAPI const char* mjs_getString(const mjString* source);
MJAPI const double* mjs_getDouble(const mjDoubleVec* source, int* size);

/// The struct of an element; NULL: it is of another type.
MJAPI mjsBody* mjs_asBody(mjsElement* element);
MJAPI mjsGeom* mjs_asGeom(mjsElement* element);
MJAPI mjsJoint* mjs_asJoint(mjsElement* element);
MJAPI mjsSite* mjs_asSite(mjsElement* element);
MJAPI mjsCamera* mjs_asCamera(mjsElement* element);
MJAPI mjsLight* mjs_asLight(mjsElement* element);
MJAPI mjsFrame* mjs_asFrame(mjsElement* element);
MJAPI mjsActuator* mjs_asActuator(mjsElement* element);
MJAPI mjsSensor* mjs_asSensor(mjsElement* element);
MJAPI mjsPair* mjs_asPair(mjsElement* element);
MJAPI mjsEquality* mjs_asEquality(mjsElement* element);
MJAPI mjsExclude* mjs_asExclude(mjsElement* element);
MJAPI mjsTendon* mjs_asTendon(mjsElement* element);
MJAPI mjsNumeric* mjs_asNumeric(mjsElement* element);
MJAPI mjsText* mjs_asText(mjsElement* element);
MJAPI mjsKey* mjs_asKey(mjsElement* element);
MJAPI mjsMesh* mjs_asMesh(mjsElement* element);
MJAPI mjsTexture* mjs_asTexture(mjsElement* element);
MJAPI mjsMaterial* mjs_asMaterial(mjsElement* element);

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
