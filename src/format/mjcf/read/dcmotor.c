// A default class says a whole motor, too: what is derived of several attributes is derived where they stand.
#include "format/mjcf/read/dcmotor.h"
#include <math.h>
#include <string.h>
#include "model/kinds.h"
#include "model/motor.h"

// What stands in an attribute, over what the class says; false: it is not given at all.
static bool given(const double* attribute, int count, double* values)
{
    for (int i = 0; i < count; i++)
        if (!isnan(attribute[i])) values[i] = attribute[i];
    return !isnan(attribute[0]);
}

// Negative numbers of an attribute that the peer passes over.
static bool warnNegative(const snReader* r, const snXmlNode* node, const char* attribute, const char* names,
                         const double* values)
{
    size_t length;
    for (; *(names += strspn(names, " ")); names += length, values++) {
        length = strcspn(names, " ");
        if (*values < 0 && !sn_mjcfWarn(r, node, "%s: %.*s is %g, it should not be negative", attribute,
                                        (int)length, names, *values))
            return false;
    }
    return true;
}

static bool fail(const snReader* r, const snXmlNode* node, const char* what)
{
    return sn_mjcfFail(r, node, SN_STATUS_MODEL, "%s", what);
}

// K and R, of a data sheet's point where they are not given.
static bool readConstants(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    double constants[2] = {a->gainprm[SN_MOTOR_K], 0}, nominal[3] = {0}, *K = a->gainprm + SN_MOTOR_K,
           *R = a->gainprm + SN_MOTOR_R;
    int spec;
    given(a->motorconst, 2, constants);
    given(a->nominal, 3, nominal);
    if (constants[0] < 0 || constants[1] < 0) return fail(r, node, "motorconst must not be negative");
    if (!warnNegative(r, node, "nominal", "voltage torque speed", nominal)) return false;
    const double voltage = nominal[0], torque = nominal[1], speed = nominal[2];
    if (constants[1] == 0 && voltage > 0 && speed > 0) constants[1] = voltage / speed;
    *K = constants[0] > 0 && constants[1] > 0 ? sqrt(constants[0] * constants[1])
                                              : sn_max(constants[0], constants[1]);
    if (!isnan(a->resistance)) *R = a->resistance;
    if (*R == 0 && voltage > 0 && torque > 0) *R = *K * voltage / torque;
    const bool passive = sn_actuatorInputs(a, &spec) && spec == SN_INPUT_NONE;
    if (!(*K > 0) && !passive)
        return fail(r, node, "the motor constant is 0: give motorconst, or nominal with voltage and speed");
    if (!(*R > 0))
        return fail(r, node,
                    "the resistance must be positive: give resistance, or nominal with voltage and torque");
    return true;
}

static bool readInductance(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    double values[2] = {0, 0};
    if (!given(a->inductance, 2, values)) return true;
    if (values[0] < 0 || values[1] < 0) return fail(r, node, "inductance must not be negative");
    a->dynprm[SN_MOTOR_TIMECONST] = values[0] > 0 ? values[0] / a->gainprm[SN_MOTOR_R] : values[1];
    return true;
}

// Two of resistance, capacitance and time constant make the third; of three the capacitance gives way.
static bool readThermal(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    double *dyn = a->dynprm, *gain = a->gainprm;
    double v[6] = {dyn[SN_MOTOR_HEATRES],   dyn[SN_MOTOR_HEATCAP],  0,
                   gain[SN_MOTOR_TEMPCOEF], gain[SN_MOTOR_REFTEMP], dyn[SN_MOTOR_AMBIENT]};
    if (!given(a->thermal, 6, v)) return true;
    if (!warnNegative(r, node, "thermal", "resistance capacitance timeconst", v)) return false;
    const bool any = v[0] > 0 || v[1] > 0 || v[2] > 0;
    if (v[2] > 0 && v[0] > 0)
        v[1] = v[2] / v[0];
    else if (v[2] > 0 && v[1] > 0)
        v[0] = v[2] / v[1];
    if (any && !(v[0] > 0 && v[1] > 0))
        return fail(r, node, "thermal: give two of resistance, capacitance and time constant, positive");
    if (!any) memset(v, 0, sizeof v);
    dyn[SN_MOTOR_HEATRES] = v[0];
    dyn[SN_MOTOR_HEATCAP] = v[1];
    gain[SN_MOTOR_TEMPCOEF] = v[3];
    gain[SN_MOTOR_REFTEMP] = v[4];
    dyn[SN_MOTOR_AMBIENT] = v[5];
    return true;
}

// What is given replaces forces' limits of the class.
static bool readSaturation(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    double v[3] = {0, 0, a->dynprm[SN_MOTOR_RATEMAX]};
    if (!given(a->saturation, 3, v)) return true;
    if (!warnNegative(r, node, "saturation", "torque current rate", v)) return false;
    const double torque = v[0] != 0 ? v[0] : a->gainprm[SN_MOTOR_K] * v[1];
    if (v[0] < 0 && v[1] > 0) return fail(r, node, "saturation: the torque must not be negative");
    a->forcelimited = torque > 0 ? SN_TRUE : SN_AUTO;
    a->forcerange[0] = torque > 0 ? -torque : 0;
    a->forcerange[1] = torque > 0 ? torque : 0;
    a->dynprm[SN_MOTOR_RATEMAX] = sn_max(v[2], 0);
    return true;
}

static bool readFriction(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    double *dyn = a->dynprm, *bias = a->biasprm;
    double v[5] = {dyn[SN_MOTOR_STIFFNESS], dyn[SN_MOTOR_DAMPING], bias[SN_MOTOR_COULOMB],
                   bias[SN_MOTOR_STATIC], bias[SN_MOTOR_STRIBECK]};
    given(a->cogging, 3, bias + SN_MOTOR_COGGING);
    if (!given(a->lugre, 5, v)) return true;
    if (!warnNegative(r, node, "lugre", "stiffness damping coulomb static stribeck", v)) return false;
    if (v[0] > 0 && !(v[2] > 0) && !(v[3] > 0) &&
        !sn_mjcfWarn(r, node, "lugre: coulomb and static are 0, there is no friction: leave it out"))
        return false;
    if (!(v[0] > 0)) memset(v, 0, sizeof v);
    dyn[SN_MOTOR_STIFFNESS] = v[0];
    dyn[SN_MOTOR_DAMPING] = v[1];
    memcpy(bias + SN_MOTOR_COULOMB, v + 2, 3 * sizeof(double));
    return true;
}

static bool readController(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    double *dyn = a->dynprm, *gain = a->gainprm;
    double v[6] = {gain[SN_MOTOR_KP],     gain[SN_MOTOR_KI],  gain[SN_MOTOR_KD],
                   dyn[SN_MOTOR_SLEWMAX], dyn[SN_MOTOR_IMAX], gain[SN_MOTOR_VMAX]};
    if (!given(a->controller, 6, v)) return true;
    if (!warnNegative(r, node, "controller", "kp ki kd slewmax Imax Vmax", v)) return false;
    memcpy(gain + SN_MOTOR_KP, v, 3 * sizeof(double));
    dyn[SN_MOTOR_SLEWMAX] = v[3];
    dyn[SN_MOTOR_IMAX] = v[4];
    gain[SN_MOTOR_VMAX] = sn_max(v[5], 0);
    return true;
}

bool sn_becomeMotor(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    a->actearly = 1;
    return readConstants(r, node, a) && readInductance(r, node, a) && readThermal(r, node, a) &&
           readSaturation(r, node, a) && readFriction(r, node, a) && readController(r, node, a);
}

static void forget(double* attribute, int count)
{
    for (int i = 0; i < count; i++) attribute[i] = SN_NAN;
}

void sn_forgetMotor(snSpecActuator* a)
{
    a->resistance = SN_NAN;
    forget(a->motorconst, 2);
    forget(a->nominal, 3);
    forget(a->inductance, 2);
    forget(a->thermal, 6);
    forget(a->saturation, 3);
    forget(a->cogging, 3);
    forget(a->lugre, 5);
    forget(a->controller, 6);
}
