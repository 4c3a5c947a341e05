// actuator: general, and the shortcuts as what they stand for. All write one record, so that what a default
// of one shortcut sets is seen by the others, as in mujoco 3.3.7: a motor keeps the bias numbers of a
// position default, and a velocity without kv takes the gain of one.
#include "format/mjcf/reader.h"
#include <string.h>

static bool notNegative(const snReader* r, const snXmlNode* node, const char* name, double value)
{
    return !(value < 0) || sn_mjcfFail(r, node, SN_STATUS_MODEL, "%s must not be negative", name);
}

static void becomeMotor(snSpecActuator* a)
{
    a->dyntype = SN_DYN_NONE;
    a->gaintype = SN_GAIN_FIXED;
    a->gainprm[0] = 1;
    a->biastype = SN_BIAS_NONE;
}

static bool becomePosition(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    if (!isnan(a->kv) && !isnan(a->dampratio))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'kv' and 'dampratio' exclude each other");
    if (!notNegative(r, node, "kv", a->kv) || !notNegative(r, node, "dampratio", a->dampratio) ||
        !notNegative(r, node, "timeconst", a->timeconst))
        return false;
    if (a->inheritrange > 0 && (a->ctrlrange[0] != 0 || a->ctrlrange[1] != 0))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'ctrlrange' and 'inheritrange' exclude each other");
    a->gaintype = SN_GAIN_FIXED;
    a->biastype = SN_BIAS_AFFINE;
    if (!isnan(a->kp)) a->gainprm[0] = a->kp;
    a->biasprm[1] = -a->gainprm[0];
    if (!isnan(a->kv)) a->biasprm[2] = -a->kv;
    if (!isnan(a->dampratio)) a->biasprm[2] = a->dampratio;
    if (!isnan(a->timeconst)) {
        a->dynprm[0] = a->timeconst;
        a->dyntype = a->timeconst > 0 ? SN_DYN_FILTEREXACT : SN_DYN_NONE;
    }
    return true;
}

static void becomeVelocity(snSpecActuator* a)
{
    a->dyntype = SN_DYN_NONE;
    a->gaintype = SN_GAIN_FIXED;
    a->biastype = SN_BIAS_AFFINE;
    if (!isnan(a->kv)) a->gainprm[0] = a->kv;
    memset(a->biasprm, 0, sizeof a->biasprm);
    a->biasprm[2] = -a->gainprm[0];
}

bool sn_readActuatorValues(const snReader* r, const snXmlNode* node, int where, snSpecActuator* actuator)
{
    const snMjcfId id = !strcmp(node->tag, "motor")      ? SN_MJCF_MOTOR
                        : !strcmp(node->tag, "position") ? SN_MJCF_POSITION
                        : !strcmp(node->tag, "velocity") ? SN_MJCF_VELOCITY
                                                         : SN_MJCF_GENERAL;
    if (!sn_readAttributes(r, node, sn_mjcfElement(id), where, actuator)) return false;
    if (id == SN_MJCF_MOTOR) becomeMotor(actuator);
    if (id == SN_MJCF_POSITION && !becomePosition(r, node, actuator)) return false;
    if (id == SN_MJCF_VELOCITY) becomeVelocity(actuator);
    actuator->kp = actuator->kv = actuator->dampratio = actuator->timeconst = SN_NAN;
    return true;
}

// What an actuator may be in the language and not yet here.
static bool checkSupported(const snReader* r, const snXmlNode* node, const snSpecActuator* a)
{
    const char* what = NULL;
    if (a->dyntype != SN_DYN_NONE) what = "activation dynamics (dyntype, timeconst)";
    if (a->gaintype != SN_GAIN_FIXED && a->gaintype != SN_GAIN_AFFINE) what = "this gaintype";
    if (a->biastype != SN_BIAS_NONE && a->biastype != SN_BIAS_AFFINE) what = "this biastype";
    return !what || sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED, "not supported yet: %s", what);
}

static bool readActuator(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", r->main);
    if (!defaults) return false;
    snSpecActuator* actuator = sn_specAlloc(r->spec, sizeof *actuator);
    if (!actuator) return sn_mjcfNoMemory(r);
    *actuator = defaults->actuator;
    if (!sn_readHead(r, node, SN_OBJ_ACTUATOR, &actuator->head)) return false;
    if (!sn_readActuatorValues(r, node, SN_IN_ELEMENT, actuator) || !checkSupported(r, node, actuator))
        return false;
    if (!actuator->joint) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "it drives nothing, give it a joint");
    SN_SPEC_APPEND(&r->spec->actuators, actuator);
    return sn_readNoChildren(r, node);
}

bool sn_readActuators(snReader* r, const snXmlNode* section, void* context)
{
    static const snChild children[] = {{"general", readActuator, 0},  {"motor", readActuator, 0},
                                       {"position", readActuator, 0}, {"velocity", readActuator, 0},
                                       {"intvelocity", NULL, 0},      {"damper", NULL, 0},
                                       {"cylinder", NULL, 0},         {"muscle", NULL, 0},
                                       {"adhesion", NULL, 0},         {"plugin", NULL, 0}};
    static const snMjcfElement none = {"actuator", "actuator", 0, NULL};
    (void)context;
    return sn_readAttributes(r, section, &none, SN_IN_ELEMENT, NULL) &&
           sn_readChildren(r, section, children, SN_COUNT(children), NULL);
}
