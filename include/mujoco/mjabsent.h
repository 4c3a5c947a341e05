// What MuJoCo's interface has and Sinew's has not. Who calls it is told why by the compiler. A test holds
// that each function of MuJoCo 3.3.7 is either here or in the other headers.
#ifndef SINEW_MUJOCO_MJABSENT_H
#define SINEW_MUJOCO_MJABSENT_H

#include <mujoco/mjexport.h>

// X(name), by reasons
// clang-format off
#define SINEW_ABSENT_DRAWING(X) \
    X(mjr_defaultContext) X(mjr_makeContext) X(mjr_changeFont) X(mjr_addAux) X(mjr_freeContext) \
    X(mjr_resizeOffscreen) X(mjr_uploadTexture) X(mjr_uploadMesh) X(mjr_uploadHField) X(mjr_restoreBuffer) \
    X(mjr_setBuffer) X(mjr_readPixels) X(mjr_drawPixels) X(mjr_blitBuffer) X(mjr_setAux) X(mjr_blitAux) \
    X(mjr_text) X(mjr_overlay) X(mjr_maxViewport) X(mjr_rectangle) X(mjr_label) X(mjr_figure) X(mjr_render) \
    X(mjr_finish) X(mjr_getError) X(mjr_findRect) X(mjui_themeSpacing) X(mjui_themeColor) X(mjui_add) \
    X(mjui_addToSection) X(mjui_resize) X(mjui_update) X(mjui_event) X(mjui_render)
#define SINEW_ABSENT_ELEMENTS(X) \
    X(mjs_setDeepCopy) X(mjs_addFlex) X(mjs_addTuple) X(mjs_addHField) X(mjs_addSkin) X(mjs_makeMesh) \
    X(mjs_findSpec) X(mjs_setBuffer) X(mjs_setStringVec) X(mjs_appendString) X(mjs_appendIntVec) \
    X(mjs_appendFloatVec) X(mjs_resolveOrientation) X(mjs_bodyToFrame) X(mjs_setUserValue) \
    X(mjs_getUserValue) X(mjs_deleteUserValue) X(mjs_sensorDim) X(mjs_defaultSpec) X(mjs_defaultOrientation) \
    X(mjs_defaultBody) X(mjs_defaultFrame) X(mjs_defaultJoint) X(mjs_defaultGeom) X(mjs_defaultSite) \
    X(mjs_defaultCamera) X(mjs_defaultLight) X(mjs_defaultFlex) X(mjs_defaultMesh) X(mjs_defaultHField) \
    X(mjs_defaultSkin) X(mjs_defaultTexture) X(mjs_defaultMaterial) X(mjs_defaultPair) \
    X(mjs_defaultEquality) X(mjs_defaultTendon) X(mjs_defaultActuator) X(mjs_defaultSensor) \
    X(mjs_defaultNumeric) X(mjs_defaultText) X(mjs_defaultTuple) X(mjs_defaultKey) X(mjs_asFlex) \
    X(mjs_asTuple) X(mjs_asHField) X(mjs_asSkin)
#define SINEW_ABSENT_PLUGINS(X) \
    X(mjs_activatePlugin) X(mj_getPluginConfig) \
    X(mjc_getSDF) X(mjc_distance) X(mjc_gradient) X(mjp_defaultPlugin) X(mjp_registerPlugin) \
    X(mjp_getPlugin) X(mjp_getPluginAtSlot) X(mjp_defaultResourceProvider) \
    X(mjp_registerResourceProvider) X(mjp_resourceProviderCount) X(mjp_getResourceProvider) \
    X(mjp_getResourceProviderAtSlot) X(mjs_addPlugin) X(mjs_setPluginAttributes) X(mjs_getPluginAttributes) \
    X(mjs_defaultPlugin) X(mjs_asPlugin)
#define SINEW_ABSENT_SCENE_TEXT(X) \
    X(mj_printScene) X(mj_printFormattedScene)
// X(name, reason)
#define SINEW_ABSENT_ALONE(X) \
    X(mj_copyBack, "changes of a model in its spec: change the spec") \
    X(mj_printSchema, "the schema as a function: docs/mjcf.md has it")
// clang-format on

#ifdef __cplusplus
extern "C" {
#define SINEW_ANYTHING ...
#else
#define SINEW_ANYTHING void
#endif
#define X(name)                                                                                              \
    int name(SINEW_ANYTHING) SINEW_ABSENT("drawing: this interface is for programs without a window; "       \
                                          "pictures come from the command and from Python");
SINEW_ABSENT_DRAWING(X)
#undef X
#define X(name)                                                                                              \
    int name(SINEW_ANYTHING) SINEW_ABSENT("elements and parts of a spec under this name: model files have "  \
                                          "them, and sinew/spec.h makes and changes them in sinew_spec(s)");
SINEW_ABSENT_ELEMENTS(X)
#undef X
#define X(name) int name(SINEW_ANYTHING) SINEW_ABSENT("plugins");
SINEW_ABSENT_PLUGINS(X)
#undef X
#define X(name) int name(SINEW_ANYTHING) SINEW_ABSENT("scenes as text");
SINEW_ABSENT_SCENE_TEXT(X)
#undef X
#define X(name, reason) int name(SINEW_ANYTHING) SINEW_ABSENT(reason);
SINEW_ABSENT_ALONE(X)
#undef X
#undef SINEW_ANYTHING
#ifdef __cplusplus
}
#endif
#endif
