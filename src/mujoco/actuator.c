// Actuators: what <position> and its like are short for, and what they drive.
#include "element.h"
#include <math.h>
#include <string.h>

// Attributes that name what an actuator drives, and the transmission that each is.
static const struct {
    const char* attribute;
    mjtTrn type;
} targets[] = {
    {"joint", mjTRN_JOINT},   {"jointinparent", mjTRN_JOINTINPARENT},
    {"tendon", mjTRN_TENDON}, {"site", mjTRN_SITE},
    {"body", mjTRN_BODY},     {"cranksite", mjTRN_SLIDERCRANK},
};
enum { NTARGETS = sizeof targets / sizeof targets[0] };

static void clearLaw(mjsActuator* a)
{
    a->gaintype = mjGAIN_FIXED, a->biastype = mjBIAS_NONE, a->dyntype = mjDYN_NONE;
    mju_zero(a->gainprm, mjNGAIN), mju_zero(a->biasprm, mjNBIAS);
    a->gainprm[0] = 1;
}

// ---- the shortcuts, under the names of programs; a text where something cannot be, else NULL or ""

const char* mjs_setToMotor(mjsActuator* actuator)
{
    clearLaw(actuator);
    return "";
}

// kv, dampratio and timeconst may be NULL: not given; dampratio stands as a positive number until the model
// is compiled.
const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                              double timeconst[1], double inheritrange)
{
    clearLaw(actuator);
    actuator->gainprm[0] = kp;
    actuator->biastype = mjBIAS_AFFINE;
    actuator->biasprm[1] = -kp;
    if (dampratio && kv) return "kv and dampratio cannot both be defined";
    if ((kv && *kv < 0) || (dampratio && *dampratio < 0)) return "kv and dampratio cannot be negative";
    if (kv) actuator->biasprm[2] = -*kv;
    if (dampratio) actuator->biasprm[2] = *dampratio;
    if (timeconst) {
        if (*timeconst < 0) return "timeconst cannot be negative";
        actuator->dynprm[0] = *timeconst;
        actuator->dyntype = *timeconst > 0 ? mjDYN_FILTEREXACT : mjDYN_NONE;
    }
    actuator->inheritrange = inheritrange;
    return "";
}

const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1], double dampratio[1],
                                 double timeconst[1], double inheritrange)
{
    const char* fault = mjs_setToPosition(actuator, kp, kv, dampratio, timeconst, inheritrange);
    actuator->dyntype = mjDYN_INTEGRATOR;
    actuator->actlimited = mjLIMITED_TRUE;
    return fault;
}

const char* mjs_setToVelocity(mjsActuator* actuator, double kv)
{
    clearLaw(actuator);
    actuator->gainprm[0] = kv;
    actuator->biastype = mjBIAS_AFFINE;
    actuator->biasprm[2] = -kv;
    return "";
}

const char* mjs_setToDamper(mjsActuator* actuator, double kv)
{
    clearLaw(actuator);
    actuator->gaintype = mjGAIN_AFFINE;
    actuator->gainprm[0] = 0;
    actuator->gainprm[2] = -kv;
    actuator->ctrllimited = mjLIMITED_TRUE;
    return kv < 0 ? "damping coefficient cannot be negative" : "";
}

const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double area,
                              double diameter)
{
    clearLaw(actuator);
    actuator->dyntype = mjDYN_FILTER;
    actuator->dynprm[0] = timeconst;
    actuator->gainprm[0] = diameter >= 0 ? mjPI / 4 * diameter * diameter : area;
    actuator->biastype = mjBIAS_AFFINE;
    actuator->biasprm[0] = bias;
    return "";
}

const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth, double range[2],
                            double force, double scale, double lmin, double lmax, double vmax, double fpmax,
                            double fvmax)
{
    const double defaults[] = {-1, 200, 0.5, 1.6, 1.5, 1.3, 1.2},
                 given[] = {force, scale, lmin, lmax, vmax, fpmax, fvmax};
    clearLaw(actuator);
    actuator->gaintype = mjGAIN_MUSCLE, actuator->biastype = mjBIAS_MUSCLE, actuator->dyntype = mjDYN_MUSCLE;
    actuator->dynprm[0] = timeconst && timeconst[0] >= 0 ? timeconst[0] : 0.01;
    actuator->dynprm[1] = timeconst && timeconst[1] >= 0 ? timeconst[1] : 0.04;
    actuator->dynprm[2] = tausmooth;
    actuator->gainprm[0] = range && range[0] >= 0 ? range[0] : 0.75;
    actuator->gainprm[1] = range && range[1] >= 0 ? range[1] : 1.05;
    for (int i = 0; i < 7; i++) actuator->gainprm[2 + i] = given[i] >= 0 ? given[i] : defaults[i];
    mju_copy(actuator->biasprm, actuator->gainprm, mjNBIAS);
    return tausmooth < 0 ? "muscle tausmooth cannot be negative" : "";
}

const char* mjs_setToAdhesion(mjsActuator* actuator, double gain)
{
    clearLaw(actuator);
    actuator->gainprm[0] = gain;
    actuator->ctrllimited = mjLIMITED_TRUE;
    return gain < 0 ? "adhesion gain cannot be negative" : "";
}

// ---- from the source

static double* numberOf(const Element* e, const char* attribute, double* number)
{
    return sn_getNumbers(e->s->source->spec, e->source, attribute, number, 1) > 0 ? number : NULL;
}

static double numberElse(const Element* e, const char* attribute, double other)
{
    double number;
    return numberOf(e, attribute, &number) ? number : other;
}

static void fillMuscle(Element* e, mjsActuator* a)
{
    double timeconst[2] = {-1, -1}, range[2] = {-1, -1};
    sn_getNumbers(e->s->source->spec, e->source, "timeconst", timeconst, 2);
    sn_getNumbers(e->s->source->spec, e->source, "range", range, 2);
    mjs_setToMuscle(a, timeconst, numberElse(e, "tausmooth", 0), range, numberElse(e, "force", -1),
                    numberElse(e, "scale", -1), numberElse(e, "lmin", -1), numberElse(e, "lmax", -1),
                    numberElse(e, "vmax", -1), numberElse(e, "fpmax", -1), numberElse(e, "fvmax", -1));
}

static void fillServo(Element* e, mjsActuator* a, const char* tag)
{
    double kv, ratio, time;
    double* const given = numberOf(e, "kv", &kv);
    const double kp = numberElse(e, "kp", 1), inherit = numberElse(e, "inheritrange", 0);
    if (!strcmp(tag, "position"))
        mjs_setToPosition(a, kp, given, given ? NULL : numberOf(e, "dampratio", &ratio),
                          numberOf(e, "timeconst", &time), inherit);
    else
        mjs_setToIntVelocity(a, kp, given, given ? NULL : numberOf(e, "dampratio", &ratio), NULL, inherit);
}

static void fillShortcut(Element* e, mjsActuator* a, const char* tag)
{
    double bias[3] = {0};
    clearLaw(a);
    a->dynprm[0] = 1;
    if (!strcmp(tag, "position") || !strcmp(tag, "intvelocity")) fillServo(e, a, tag);
    if (!strcmp(tag, "velocity")) mjs_setToVelocity(a, numberElse(e, "kv", 1));
    if (!strcmp(tag, "damper")) mjs_setToDamper(a, numberElse(e, "kv", 0));
    if (!strcmp(tag, "muscle")) fillMuscle(e, a);
    if (!strcmp(tag, "adhesion")) mjs_setToAdhesion(a, numberElse(e, "gain", 1));
    if (strcmp(tag, "cylinder") != 0) return;
    sn_getNumbers(e->s->source->spec, e->source, "bias", bias, 3);
    mjs_setToCylinder(a, numberElse(e, "timeconst", 1), bias[0], numberElse(e, "area", 1),
                      numberElse(e, "diameter", -1));
    mju_copy3(a->biasprm, bias);
}

void fillActuator(Element* e)
{
    mjsActuator* a = e->record;
    const char* tag = sn_elementTag(e->source);
    a->trntype = mjTRN_UNDEFINED;
    a->gear[0] = numberElse(e, "gear", 1);
    if (a->actdim == 0) a->actdim = (int)numberElse(e, "actdim", -1);
    for (int i = 0; i < NTARGETS; i++) {
        const char* name = sn_getText(e->s->source->spec, e->source, targets[i].attribute);
        if (!name) continue;
        a->trntype = targets[i].type;
        setText(a->target, name);
    }
    if (strcmp(tag, "general") != 0) fillShortcut(e, a, tag);
}

// ---- to the source

static bool isNew(const Element* e, const char* const* names, int n)
{
    for (int i = 0; i < n; i++)
        if (isChanged(e, names[i])) return true;
    return false;
}

// Shortcuts have not all of them.
static bool hasAttribute(const Element* e, const char* name)
{
    snAttributeInfo info;
    for (int k = 0; sn_elementAttribute(e->source, k, &info); k++)
        if (!strcmp(info.name, name)) return true;
    return false;
}

static bool writeTarget(Element* e, const mjsActuator* a, snError* error)
{
    for (int i = 0; i < NTARGETS; i++) {
        const char* name = targets[i].type == a->trntype ? textOf(a->target) : "";
        if (!*name && !hasAttribute(e, targets[i].attribute)) continue;
        if (sn_setText(e->s->source->spec, e->source, targets[i].attribute, *name ? name : NULL, error) !=
            SN_STATUS_OK)
            return false;
    }
    return true;
}

static bool writeOne(Element* e, const char* attribute, double number, snError* error)
{
    return sn_setNumbers(e->s->source->spec, e->source, attribute, &number, 1, error) == SN_STATUS_OK;
}

// Only these tags take their range from the joint's.
static bool writeInherited(Element* e, const mjsActuator* a, snError* error)
{
    const bool integrates = a->dyntype == mjDYN_INTEGRATOR;
    const double damping = a->biasprm[2];
    if (sn_changeTag(e->s->source->spec, e->source, integrates ? "intvelocity" : "position", error) !=
            SN_STATUS_OK ||
        !writeOne(e, "inheritrange", a->inheritrange, error) || !writeOne(e, "kp", a->gainprm[0], error))
        return false;
    if (damping && !writeOne(e, damping > 0 ? "dampratio" : "kv", fabs(damping), error)) return false;
    return a->dyntype != mjDYN_FILTEREXACT || writeOne(e, "timeconst", a->dynprm[0], error);
}

// A shortcut becomes a general one, which says all that the shortcut did.
static bool writeGeneral(Element* e, const char* const* law, int n, snError* error)
{
    if (!strcmp(sn_elementTag(e->source), "general")) return true;
    if (sn_changeTag(e->s->source->spec, e->source, "general", error) != SN_STATUS_OK) return false;
    for (int i = 0; i < n; i++) {
        const Member* m = memberOf(e->kind, law[i]);
        memset((char*)e->seen + m->offset, 0xFF, sizeof(int));
    }
    return true;
}

bool writeActuator(Element* e, snError* error)
{
    static const char* const law[] = {"inheritrange", "gaintype", "gainprm", "biastype",    "biasprm",
                                      "dyntype",      "dynprm",   "actdim",  "ctrllimited", "actlimited"};
    static const char* const target[] = {"trntype", "target"};
    const mjsActuator* a = e->record;
    if (isNew(e, law, 8)) {
        if (a->inheritrange > 0 ? !writeInherited(e, a, error) : !writeGeneral(e, law + 1, 9, error))
            return false;
    }
    return !isNew(e, target, 2) || writeTarget(e, a, error);
}
