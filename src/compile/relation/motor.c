// What may be said of a DC motor, however it is written.
#include <math.h>
#include "compile/relation/relation.h"
#include "model/kinds.h"
#include "model/motor.h"

static bool fail(snBuild* b, const snSpecActuator* motor, const char* what)
{
    return sn_buildFail(b, &motor->head, SN_STATUS_MODEL, "%s", what);
}

static bool areFinite(const double* values, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

static bool checkConstants(snBuild* b, const snSpecActuator* a, int ctrlspec)
{
    if (!areFinite(a->gainprm, SN_NGAIN) || !areFinite(a->dynprm, SN_NDYN) ||
        !areFinite(a->biasprm, SN_NBIAS))
        return fail(b, a, "a number of the motor is not finite");
    if (!(a->gainprm[SN_MOTOR_R] > 0)) return fail(b, a, "the resistance (gainprm[0]) must be positive");
    if (a->gainprm[SN_MOTOR_K] < 0) return fail(b, a, "the motor constant (gainprm[1]) must not be negative");
    if (a->gainprm[SN_MOTOR_K] == 0 && ctrlspec != SN_INPUT_NONE)
        return fail(b, a, "the motor constant (gainprm[1]) is 0, which goes with input=\"none\" alone");
    return true;
}

static bool checkController(snBuild* b, const snSpecActuator* a, int ctrlspec)
{
    const double* gain = a->gainprm;
    const bool gains = gain[SN_MOTOR_KP] != 0 || gain[SN_MOTOR_KI] != 0 || gain[SN_MOTOR_KD] != 0;
    const bool controlled = (ctrlspec & (SN_INPUT_POS | SN_INPUT_VEL | SN_INPUT_FF)) != 0;
    if (gains && !controlled) return fail(b, a, "controller: gains need one of the inputs pos, vel and ff");
    if (a->dynprm[SN_MOTOR_SLEWMAX] > 0 && !controlled)
        return fail(b, a, "controller: slewmax needs one of the inputs pos, vel and ff");
    if (gain[SN_MOTOR_KI] > 0 && !(ctrlspec & SN_INPUT_POS))
        return fail(b, a, "controller: ki needs the input pos");
    return true;
}

bool sn_checkMotor(snBuild* b, const snSpecActuator* a, int ctrlspec)
{
    const bool motor = a->gaintype == SN_GAIN_DCMOTOR, still = a->dyntype == SN_DYN_NONE;
    const int count = __builtin_popcount(sn_motorStates(a->dynprm, a->gainprm));
    if (!motor && a->biastype != SN_BIAS_DCMOTOR && a->dyntype != SN_DYN_DCMOTOR) return true;
    if (!motor || a->biastype != SN_BIAS_DCMOTOR || (!still && a->dyntype != SN_DYN_DCMOTOR))
        return fail(b, a, "dyntype, gaintype and biastype dcmotor go together");
    if (!checkConstants(b, a, ctrlspec) || !checkController(b, a, ctrlspec)) return false;
    if (still && count) return fail(b, a, "what changes in a motor (dynprm) needs dyntype dcmotor");
    if (!a->actearly) return fail(b, a, "actearly of a motor cannot be false");
    if (a->actdim >= 0 && a->actdim != count)
        return sn_buildFail(b, &a->head, SN_STATUS_MODEL,
                            "actdim is %d, the numbers of the motor make it %d: leave it out", a->actdim,
                            count);
    return !(a->actrange[0] < a->actrange[1]) ||
           sn_buildWarn(b, &a->head, "actrange has no effect on a motor: leave it out");
}
