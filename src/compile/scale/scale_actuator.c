// Actuators: what a gain gives for a control. The control of a servo is a position or a velocity and has its
// unit, that of a cylinder is a pressure; any other has none.
#include "compile/scale/scale.h"
#include "model/kinds.h"

typedef enum Control { PURE, SETPOINT, PRESSURE } Control;

static bool hasOwnLaw(const snSpecActuator* a)
{
    return a->gaintype == SN_GAIN_USER || a->gaintype == SN_GAIN_DCMOTOR || a->biastype == SN_BIAS_USER ||
           a->biastype == SN_BIAS_DCMOTOR || a->dyntype == SN_DYN_USER;
}

static Control controlOf(const snSpecActuator* a)
{
    static const char* const servos[] = {"position", "velocity", "intvelocity", "pid"};
    int input;
    for (int i = 0; i < (int)(sizeof servos / sizeof *servos); i++)
        if (!strcmp(a->head.tag, servos[i])) return SETPOINT;
    if (a->gaintype == SN_GAIN_PID) return SETPOINT;
    if (!strcmp(a->head.tag, "cylinder")) return PRESSURE;
    if (hasOwnLaw(a) || a->gaintype == SN_GAIN_SO3 || !sn_actuatorInputs(a, &input)) return PURE;
    return input == SN_INPUT_PRESSURE ? PRESSURE : input ? SETPOINT : PURE;
}

static const snScale* scaleOfSite(const snBuild* b, const char* name)
{
    return sn_scaleOf(b->spec, SN_OBJ_SITE, name);
}

snScaleUnit sn_scaleOfActuator(const snBuild* b, const snSpecActuator* a)
{
    const char* joint = a->joint ? a->joint : a->jointinparent;
    const snScale* scale;
    if (joint) {
        const snSpecJoint* found = (void*)sn_findSpec(b->spec, SN_OBJ_JOINT, joint);
        return found ? sn_scaleOfJoint(found) : sn_no_unit;
    }
    if (a->tendon) {
        const snSpecTendon* found = (void*)sn_findSpec(b->spec, SN_OBJ_TENDON, a->tendon);
        return found ? sn_scaleOfTendon(b, found, &scale) : sn_no_unit;
    }
    if (a->cranksite)
        return sn_scaleBetween(scaleOfSite(b, a->cranksite), scaleOfSite(b, a->slidersite), false);
    scale = a->body ? sn_scaleOf(b->spec, SN_OBJ_BODY, a->body) : scaleOfSite(b, a->site);
    return sn_scaleUnit(scale, a->gaintype == SN_GAIN_SO3);
}

// Factors of gear: the second three turn, where the first three move.
static void scaleGear(const snBuild* b, snSpecActuator* a)
{
    const char* joint = a->joint ? a->joint : a->jointinparent;
    const snSpecJoint* found = joint ? (void*)sn_findSpec(b->spec, SN_OBJ_JOINT, joint) : NULL;
    const snScale* scale = a->site                               ? scaleOfSite(b, a->site)
                           : found && found->type == SN_JNT_FREE ? found->head.scale
                                                                 : NULL;
    if (scale && a->gaintype != SN_GAIN_SO3) sn_scaleNumbers(a->gear + 3, 3, scale->length);
}

static void scaleGain(snSpecActuator* a, snScaleUnit unit, double constant)
{
    const double slope = unit.force / unit.unit;
    switch ((snGainType)a->gaintype) {
    case SN_GAIN_FIXED: a->gainprm[0] *= constant; break;
    case SN_GAIN_AFFINE:
        a->gainprm[0] *= constant;
        a->gainprm[1] *= slope;
        a->gainprm[2] *= slope;
        break;
    case SN_GAIN_MUSCLE:
        if (a->gainprm[2] > 0) a->gainprm[2] *= unit.force;
        break;
    case SN_GAIN_PID: a->gainprm[0] *= slope; break;
    case SN_GAIN_SO3: a->gainprm[0] *= unit.force; break;
    case SN_GAIN_DCMOTOR:
    case SN_GAIN_USER: break;
    }
}

// biasprm[2] > 0 of a position servo is a damping ratio, which has no unit.
static void scaleBias(snSpecActuator* a, snScaleUnit unit)
{
    const double slope = unit.force / unit.unit;
    const bool ratio = a->biasprm[2] > 0 && a->gainprm[0] == -a->biasprm[1];
    switch ((snBiasType)a->biastype) {
    case SN_BIAS_AFFINE:
        if (!ratio) a->biasprm[2] *= slope;
        a->biasprm[0] *= unit.force;
        a->biasprm[1] *= slope;
        break;
    case SN_BIAS_MUSCLE:
        if (a->biasprm[2] > 0) a->biasprm[2] *= unit.force;
        break;
    case SN_BIAS_SO3: sn_scaleNumbers(a->biasprm, 3, unit.force); break;
    case SN_BIAS_DCMOTOR: // cogging by length, friction by speed
        a->biasprm[1] /= unit.all;
        a->biasprm[5] *= unit.all;
        break;
    case SN_BIAS_NONE:
    case SN_BIAS_USER: break;
    }
}

// The rate and the bound of what a controller integrates.
static void scaleDynamics(snSpecActuator* a, double length)
{
    if (a->gaintype == SN_GAIN_PID) sn_scaleNumbers(a->dynprm, 2, length);
    if (a->gaintype == SN_GAIN_DCMOTOR) sn_scaleNumbers(a->dynprm + 7, 2, length);
}

static double controlFactor(Control control, snScaleUnit unit)
{
    return control == SETPOINT ? unit.all : control == PRESSURE ? unit.pressure : 1;
}

static void scaleRanges(snSpecActuator* a, Control control, snScaleUnit unit)
{
    const double ctrl = controlFactor(control, unit);
    sn_scaleNumbers(a->ctrlrange, 2, ctrl);
    sn_scaleNumbers(a->actrange, 2, ctrl);
    sn_scaleNumbers(a->forcerange, 2, unit.force);
    sn_scaleNumbers(a->lengthrange, 2, unit.all);
    if (a->gaintype != SN_GAIN_PID) return;
    sn_scaleNumbers(a->velrange, 2, unit.all);
    sn_scaleNumbers(a->ffrange, 2, unit.force);
}

// What a control of one counts as force.
static double constantOf(Control control, snScaleUnit unit)
{
    return control == SETPOINT   ? unit.force / unit.unit
           : control == PRESSURE ? unit.force / unit.pressure
                                 : unit.force;
}

bool sn_scaleActuator(snBuild* b, snSpecActuator* a)
{
    const snScaleUnit unit = sn_scaleOfActuator(b, a);
    const Control control = controlOf(a);
    if ((unit.force != 1 || unit.unit != 1) && hasOwnLaw(a))
        return sn_buildFail(
            b, &a->head, SN_STATUS_MODEL,
            "its law has no known units for its scaled frame: give that scaling=\"geometry\"");
    scaleGear(b, a);
    a->cranklength *= unit.all;
    if (unit.all == 1 && unit.force == 1) return true;
    scaleBias(a, unit);
    scaleGain(a, unit, constantOf(control, unit));
    scaleDynamics(a, unit.all);
    scaleRanges(a, control, unit);
    sn_scalePolynomial(a->damping, unit);
    a->armature *= unit.force / unit.unit;
    return true;
}

// ---- keyframes

// Controls that are told apart by what they are.
static void scaleInputs(const snSpecActuator* a, snScaleUnit unit, double* numbers, int n)
{
    int inputs, at = 0;
    if (!sn_actuatorInputs(a, &inputs)) return;
    const struct {
        int bit;
        double factor;
    } known[] = {{SN_INPUT_POS, unit.all}, {SN_INPUT_VEL, unit.all}, {SN_INPUT_FF, unit.force}};
    for (int i = 0; i < (int)(sizeof known / sizeof *known); i++)
        if (inputs & known[i].bit && at < n) numbers[at++] *= known[i].factor;
}

void sn_scaleControls(const snBuild* b, const snSpecActuator* a, bool activations, double* numbers, int n)
{
    const snScaleUnit unit = sn_scaleOfActuator(b, a);
    const bool motor = a->gaintype == SN_GAIN_DCMOTOR;
    if (!activations && (motor || a->gaintype == SN_GAIN_PID))
        scaleInputs(a, unit, numbers, n);
    else if (!motor)
        sn_scaleNumbers(numbers, n, controlFactor(controlOf(a), unit));
}
