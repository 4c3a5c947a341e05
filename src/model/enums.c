// The enumeration tables as data, for keyword look-up, Python's names and the reference page.
#include <sinew/types.h>

#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem jointTypeItems[] = {SN_JOINT_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem geomTypeItems[] = {SN_GEOM_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem camLightItems[] = {SN_CAMLIGHT_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem projectionItems[] = {SN_PROJECTION_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem camOutputItems[] = {SN_CAMOUT_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem lightTypeItems[] = {SN_LIGHT_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem textureTypeItems[] = {SN_TEXTURE_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem integratorItems[] = {SN_INTEGRATOR_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem coneItems[] = {SN_CONE_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem jacobianItems[] = {SN_JACOBIAN_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem solverItems[] = {SN_SOLVER_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem trnTypeItems[] = {SN_TRN_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem dynTypeItems[] = {SN_DYN_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem gainTypeItems[] = {SN_GAIN_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem biasTypeItems[] = {SN_BIAS_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem lrModeItems[] = {SN_LRMODE_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem objTypeItems[] = {SN_OBJ_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem eqTypeItems[] = {SN_EQ_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem flexSelfItems[] = {SN_FLEXSELF_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem colorSpaceItems[] = {SN_COLORSPACE_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem wrapTypeItems[] = {SN_WRAP_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning, ...) {#name, value, keyword, meaning},
static const snEnumItem sensorTypeItems[] = {SN_SENSOR_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem stageItems[] = {SN_STAGE_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem interpolationItems[] = {SN_INTERPOLATION_TABLE(X)};
static const snEnumItem dataTypeItems[] = {SN_DATATYPE_TABLE(X)};
static const snEnumItem loopItems[] = {SN_LOOP_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem loopsItems[] = {SN_LOOPS_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem loopSolutionItems[] = {SN_LOOPSOL_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem contactModelItems[] = {SN_CONTACTMODEL_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem servoItems[] = {SN_SERVO_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem physicsItems[] = {SN_PHYSICS_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem lcpMethodItems[] = {SN_LCPMETHOD_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem lcpRowItems[] = {SN_LCPROW_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem lcpStatusItems[] = {SN_LCPSTATUS_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem stabiliseItems[] = {SN_STABILISE_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem coordinatesItems[] = {SN_COORDINATES_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem sameFrameItems[] = {SN_SAMEFRAME_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem constraintTypeItems[] = {SN_CNSTR_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem constraintStateItems[] = {SN_CNSTRSTATE_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem warningItems[] = {SN_WARNING_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem timerItems[] = {SN_TIMER_TABLE(X)};
#undef X
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
static const snEnumItem sleepItems[] = {SN_SLEEP_TABLE(X)};
#undef X
#define X(name, bit, keyword, meaning) {#name, 1 << bit, keyword, meaning},
static const snEnumItem disableBitItems[] = {SN_DSBL_TABLE(X)};
#undef X
#define X(name, bit, keyword, meaning) {#name, 1 << bit, keyword, meaning},
static const snEnumItem enableBitItems[] = {SN_ENBL_TABLE(X)};
#undef X
#define X(name, bit, keyword, meaning) {#name, 1 << bit, keyword, meaning},
static const snEnumItem stateBitItems[] = {SN_STATE_TABLE(X)};
#undef X

_Static_assert(sizeof warningItems / sizeof *warningItems == SN_NWARNING, "SN_NWARNING counts the table");
_Static_assert(sizeof timerItems / sizeof *timerItems == SN_NTIMER, "SN_NTIMER counts the table");
_Static_assert(sizeof stateBitItems / sizeof *stateBitItems == SN_NSTATE, "SN_NSTATE counts the table");

#define ENUM(type, prefix, items)                                                                            \
    {                                                                                                        \
        type, prefix, (int)(sizeof(items) / sizeof((items)[0])), items                                       \
    }
static const snEnum enums[] = {
    ENUM("snJointType", "SN_JNT_", jointTypeItems),
    ENUM("snGeomType", "SN_GEOM_", geomTypeItems),
    ENUM("snCamLight", "SN_CAMLIGHT_", camLightItems),
    ENUM("snProjection", "SN_PROJ_", projectionItems),
    ENUM("snCamOutput", "SN_CAMOUT_", camOutputItems),
    ENUM("snLightType", "SN_LIGHT_", lightTypeItems),
    ENUM("snTextureType", "SN_TEXTURE_", textureTypeItems),
    ENUM("snIntegrator", "SN_INT_", integratorItems),
    ENUM("snCone", "SN_CONE_", coneItems),
    ENUM("snJacobian", "SN_JAC_", jacobianItems),
    ENUM("snSolver", "SN_SOL_", solverItems),
    ENUM("snTrnType", "SN_TRN_", trnTypeItems),
    ENUM("snDynType", "SN_DYN_", dynTypeItems),
    ENUM("snGainType", "SN_GAIN_", gainTypeItems),
    ENUM("snBiasType", "SN_BIAS_", biasTypeItems),
    ENUM("snLRMode", "SN_LRMODE_", lrModeItems),
    ENUM("snObjType", "SN_OBJ_", objTypeItems),
    ENUM("snEqType", "SN_EQ_", eqTypeItems),
    ENUM("snFlexSelf", "SN_FLEXSELF_", flexSelfItems),
    ENUM("snColorSpace", "SN_COLORSPACE_", colorSpaceItems),
    ENUM("snWrapType", "SN_WRAP_", wrapTypeItems),
    ENUM("snSensorType", "SN_SENS_", sensorTypeItems),
    ENUM("snStage", "SN_STAGE_", stageItems),
    ENUM("snInterpolation", "SN_INTERP_", interpolationItems),
    ENUM("snDataType", "SN_DATATYPE_", dataTypeItems),
    ENUM("snLoopType", "SN_LOOP_", loopItems),
    ENUM("snLoops", "SN_LOOPS_", loopsItems),
    ENUM("snLoopSolution", "SN_LOOPSOL_", loopSolutionItems),
    ENUM("snContactModel", "SN_CONTACT_", contactModelItems),
    ENUM("snServo", "SN_SERVO_", servoItems),
    ENUM("snPhysics", "SN_PHYSICS_", physicsItems),
    ENUM("snLcpMethod", "SN_LCP_", lcpMethodItems),
    ENUM("snLcpRow", "SN_LCPROW_", lcpRowItems),
    ENUM("snLcpStatus", "SN_LCPSTATUS_", lcpStatusItems),
    ENUM("snStabilise", "SN_STABILISE_", stabiliseItems),
    ENUM("snCoordinates", "SN_COORDINATES_", coordinatesItems),
    ENUM("snSameFrame", "SN_SAMEFRAME_", sameFrameItems),
    ENUM("snSleepPolicy", "SN_SLEEP_", sleepItems),
    ENUM("snConstraintType", "SN_CNSTR_", constraintTypeItems),
    ENUM("snConstraintState", "SN_CNSTRSTATE_", constraintStateItems),
    ENUM("snWarning", "SN_WARN_", warningItems),
    ENUM("snTimer", "SN_TIMER_", timerItems),
    ENUM("snDisableBit", "SN_DSBL_", disableBitItems),
    ENUM("snEnableBit", "SN_ENBL_", enableBitItems),
    ENUM("snStateBit", "SN_STATE_", stateBitItems),
};

const snEnum* sn_enums(int* count)
{
    *count = (int)(sizeof(enums) / sizeof(enums[0]));
    return enums;
}
