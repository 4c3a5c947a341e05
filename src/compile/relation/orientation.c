// What may be said of an orientation servo, however it is written.
#include "compile/relation/relation.h"
#include "model/kinds.h"

static bool fail(snBuild* b, const snSpecActuator* servo, const char* what)
{
    return sn_buildFail(b, &servo->head, SN_STATUS_MODEL, "%s", what);
}

static bool checkActivation(snBuild* b, const snSpecActuator* a, int ctrlspec)
{
    if (a->dyntype == SN_DYN_NONE) return true;
    if (a->dyntype != SN_DYN_INTEGRATOR) return fail(b, a, "so3 goes with dyntype none, or integrator");
    if (ctrlspec == SN_CHART_QUAT)
        return fail(b, a,
                    "input quat goes with dyntype none: activations are a rotation vector, input expmap");
    return a->actdim < 0 || a->actdim == 3 ||
           sn_buildFail(b, &a->head, SN_STATUS_MODEL, "actdim is %d, so3 has 3 activations: leave it out",
                        a->actdim);
}

static bool checkForceRange(snBuild* b, const snSpecActuator* a)
{
    const bool limited =
        a->forcelimited == SN_TRUE || (a->forcelimited == SN_AUTO && a->forcerange[0] < a->forcerange[1]);
    return !limited || a->forcerange[0] == 0 ||
           sn_buildFail(b, &a->head, SN_STATUS_MODEL,
                        "forcerange=\"%g %g\": of an orientation servo it bounds the length of the torque, "
                        "give 0 and the largest",
                        a->forcerange[0], a->forcerange[1]);
}

bool sn_checkOrientation(snBuild* b, const snSpecActuator* a, int ctrlspec)
{
    const bool gain = a->gaintype == SN_GAIN_SO3, bias = a->biastype == SN_BIAS_SO3;
    if (!gain && !bias) return true;
    if (!gain || !bias) return fail(b, a, "gaintype so3 and biastype so3 go together");
    if (a->gainprm[0] != -a->biasprm[1])
        return sn_buildFail(b, &a->head, SN_STATUS_MODEL,
                            "gainprm is %g and biasprm[1] is %g: of so3 they are kp and -kp", a->gainprm[0],
                            a->biasprm[1]);
    if (!a->joint && !a->site)
        return fail(b, a, "an orientation servo drives a ball joint, or a site with a refsite");
    return checkActivation(b, a, ctrlspec) && checkForceRange(b, a);
}
