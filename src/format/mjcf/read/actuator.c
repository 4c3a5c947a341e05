// actuator: general, and the shortcuts as what they stand for. All write one record. By 3.3.7 what a default
// of one shortcut sets is seen by the others: a motor keeps the bias numbers of a position default, and a
// velocity without kv takes the gain of one. By 4.0 a shortcut starts from its own numbers.
#include "format/mjcf/read/dcmotor.h"
#include "format/mjcf/read/reader.h"
#include "model/rules.h"
#include <string.h>

static bool notNegative(const snReader* r, const snXmlNode* node, const char* name, double value)
{
    return !(value < 0) ||
           sn_mjcfFail(r, node, SN_STATUS_MODEL, "%s is %g, must not be negative", name, value);
}

static bool becomeNothing(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    (void)r, (void)node, (void)a;
    return true;
}

static bool becomeMotor(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    (void)r, (void)node;
    a->gainprm[0] = 1;
    return true;
}

// position and intvelocity: a spring to the setpoint, and damping.
static bool becomeServo(const snReader* r, const snXmlNode* node, snSpecActuator* a, const char* range_name,
                        const double range[2])
{
    if (a->inheritrange > 0 && (range[0] != 0 || range[1] != 0))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'%s' and 'inheritrange' exclude each other",
                           range_name);
    if (!isnan(a->kp)) a->gainprm[0] = a->kp;
    a->biasprm[1] = -a->gainprm[0];
    if (!isnan(a->kv)) a->biasprm[2] = -a->kv;
    if (!isnan(a->dampratio)) a->biasprm[2] = a->dampratio;
    return true;
}

static bool becomePosition(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    if (!isnan(a->kv) && !isnan(a->dampratio))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'kv' and 'dampratio' exclude each other");
    if (!notNegative(r, node, "kv", a->kv) || !notNegative(r, node, "dampratio", a->dampratio)) return false;
    if (!becomeServo(r, node, a, "ctrlrange", a->ctrlrange)) return false;
    if (!notNegative(r, node, "timeconst", a->timeconst)) return false;
    if (!isnan(a->timeconst)) {
        a->dynprm[0] = a->timeconst;
        a->dyntype = a->timeconst > 0 ? SN_DYN_FILTEREXACT : SN_DYN_NONE;
    }
    return true;
}

static bool ownNumbers(const snReader* r)
{
    return sn_means(r->spec->physics, SN_RULE_SHORTCUT_DEFAULTS);
}

static bool becomeIntvelocity(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    // as the peer has it, what cannot be meant leaves no feedback of velocity at all
    const bool both = !isnan(a->kv) && !isnan(a->dampratio);
    const bool bad = both || a->kv < 0 || a->dampratio < 0;
    if (bad) {
        if (!sn_mjcfWarn(r, node,
                         both ? "'kv' and 'dampratio' exclude each other, both are passed over"
                              : "'kv' and 'dampratio' must not be negative, they are passed over"))
            return false;
        a->kv = a->dampratio = SN_NAN;
    }
    if (!becomeServo(r, node, a, "actrange", a->actrange)) return false;
    if (bad) a->biastype = SN_BIAS_NONE;
    if (!sn_means(r->spec->physics, SN_RULE_INTVELOCITY_LIMITS)) a->actlimited = SN_TRUE;
    return true;
}

static bool becomeDamper(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    if (!notNegative(r, node, "kv", a->kv)) return false;
    if (a->ctrlrange[0] < 0 || a->ctrlrange[1] < 0)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "ctrlrange of a damper must not be negative, is %g %g",
                           a->ctrlrange[0], a->ctrlrange[1]);
    const double passed_on = ownNumbers(r) ? a->gainprm[2] : 0; // kv of a default, not so by 3.3.7
    memset(a->gainprm, 0, sizeof a->gainprm);
    a->gainprm[2] = isnan(a->kv) ? passed_on : -a->kv;
    a->ctrllimited = SN_TRUE;
    return true;
}

static bool becomeCylinder(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    (void)node;
    if (!isnan(a->timeconst)) a->dynprm[0] = a->timeconst;
    if (!isnan(a->area)) a->gainprm[0] = a->area;
    if (a->diameter >= 0) a->gainprm[0] = SN_PI / 4 * a->diameter * a->diameter;
    const int count = sn_means(r->spec->physics, SN_RULE_CYLINDER_BIAS) ? 3 : 1;
    for (int i = 0; i < count; i++)
        if (!isnan(a->bias[i])) a->biasprm[i] = a->bias[i];
    return true;
}

// What is as in `general` gets the muscle's default.
static void fillMuscle(snSpecActuator* a)
{
    static const double dynamics[2] = {0.01, 0.04};
    static const double gain[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
    const snSpecActuator* general = sn_defaultActuator();
    for (int i = 0; i < 2; i++)
        if (a->dynprm[i] == general->dynprm[i]) a->dynprm[i] = dynamics[i];
    for (int i = 0; i < 9; i++)
        if (a->gainprm[i] == general->gainprm[i]) a->gainprm[i] = gain[i];
}

// What is given and not negative counts.
static bool becomeMuscle(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    if (!notNegative(r, node, "tausmooth", a->tausmooth)) return false;
    if (!ownNumbers(r)) fillMuscle(a);
    for (int i = 0; i < 2; i++)
        if (a->timeconsts[i] >= 0) a->dynprm[i] = a->timeconsts[i];
    if (!isnan(a->tausmooth)) a->dynprm[2] = a->tausmooth;
    const double given[9] = {a->range[0], a->range[1], a->force, a->scale, a->lmin,
                             a->lmax,     a->vmax,     a->fpmax, a->fvmax};
    for (int i = 0; i < 9; i++)
        if (given[i] >= 0) a->gainprm[i] = given[i];
    memcpy(a->biasprm, a->gainprm, 9 * sizeof(double));
    return true;
}

static bool becomeAdhesion(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    if (!notNegative(r, node, "gain", a->gain)) return false;
    if (a->ctrlrange[0] < 0 || a->ctrlrange[1] < 0)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "ctrlrange of an adhesion must not be negative, is %g %g", a->ctrlrange[0],
                           a->ctrlrange[1]);
    if (!isnan(a->gain)) a->gainprm[0] = a->gain;
    a->ctrllimited = SN_TRUE;
    return true;
}

static bool becomeVelocity(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    (void)r, (void)node;
    if (!isnan(a->kv)) a->gainprm[0] = a->kv;
    memset(a->biasprm, 0, sizeof a->biasprm);
    a->biasprm[2] = -a->gainprm[0];
    return true;
}

// A controller's own numbers, where no default says them.
static void fillPid(snSpecActuator* a)
{
    a->dynprm[0] = a->gainprm[0] = 0;
    a->biasprm[1] = -1;
}

static bool checkPid(const snReader* r, const snXmlNode* node, const snSpecActuator* a)
{
    if (!isnan(a->kv) && !isnan(a->dampratio))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'kv' and 'dampratio' exclude each other");
    if (a->inheritrange > 0 && (a->ctrlrange[0] != 0 || a->ctrlrange[1] != 0))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'posrange' and 'inheritrange' exclude each other");
    if (a->kp < 0 && !sn_mjcfWarn(r, node, "kp is %g: a negative gain drives away from the setpoint", a->kp))
        return false;
    return notNegative(r, node, "kv", a->kv) && notNegative(r, node, "dampratio", a->dampratio) &&
           notNegative(r, node, "ki", a->ki) && notNegative(r, node, "imax", a->imax) &&
           notNegative(r, node, "slewmax", a->slewmax);
}

static bool becomePid(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    if (!isnan(a->posrange[0])) memcpy(a->ctrlrange, a->posrange, sizeof a->ctrlrange);
    if (!checkPid(r, node, a)) return false;
    if (!isnan(a->kp)) a->biasprm[1] = -a->kp;
    if (!isnan(a->kv)) a->biasprm[2] = -a->kv;
    if (!isnan(a->dampratio)) a->biasprm[2] = a->dampratio;
    if (!isnan(a->ki)) a->gainprm[0] = a->ki;
    if (!isnan(a->imax)) a->dynprm[0] = a->imax;
    if (!(a->gainprm[0] > 0)) a->dynprm[0] = 0; // there is nothing to bound
    if (!isnan(a->slewmax)) a->dynprm[1] = a->slewmax;
    a->dyntype = a->gainprm[0] > 0 || a->dynprm[1] > 0 ? SN_DYN_PID : SN_DYN_NONE;
    return true;
}

static bool becomeOrientation(const snReader* r, const snXmlNode* node, snSpecActuator* a)
{
    if (!isnan(a->kv) && !isnan(a->dampratio))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'kv' and 'dampratio' exclude each other");
    if (!notNegative(r, node, "kv", a->kv) || !notNegative(r, node, "dampratio", a->dampratio)) return false;
    if (a->kp < 0 &&
        !sn_mjcfWarn(r, node, "kp is %g: a negative gain drives away from the orientation", a->kp))
        return false;
    return becomeServo(r, node, a, "ctrlrange", a->ctrlrange);
}

// What a shortcut stands for: its laws, and a function for their numbers and what else it sets, which may
// change the laws again.
enum { KEPT = -1 }; // as defaults say

typedef struct Shortcut {
    snMjcfId kind;
    int dyntype, gaintype, biastype;
    unsigned dynprm, gainprm, biasprm; // bits: which numbers are its own, to take from a default
    bool (*become)(const snReader* r, const snXmlNode* node, snSpecActuator* a);
} Shortcut;

// clang-format off
static const Shortcut shortcuts[] = {
    {SN_MJCF_GENERAL,     KEPT,              KEPT,           KEPT,           0, 0,     0, becomeNothing},
    {SN_MJCF_MOTOR,       SN_DYN_NONE,       SN_GAIN_FIXED,  SN_BIAS_NONE,   0, 0,     0, becomeMotor},
    {SN_MJCF_POSITION,    KEPT,              SN_GAIN_FIXED,  SN_BIAS_AFFINE, 0, 1,     4, becomePosition},
    {SN_MJCF_VELOCITY,    SN_DYN_NONE,       SN_GAIN_FIXED,  SN_BIAS_AFFINE, 0, 1,     0, becomeVelocity},
    {SN_MJCF_DAMPER,      SN_DYN_NONE,       SN_GAIN_AFFINE, SN_BIAS_NONE,   0, 4,     0, becomeDamper},
    {SN_MJCF_CYLINDER,    SN_DYN_FILTER,     SN_GAIN_FIXED,  SN_BIAS_AFFINE, 1, 1,     7, becomeCylinder},
    {SN_MJCF_INTVELOCITY, SN_DYN_INTEGRATOR, SN_GAIN_FIXED,  SN_BIAS_AFFINE, 0, 1,     4, becomeIntvelocity},
    {SN_MJCF_MUSCLE,      SN_DYN_MUSCLE,     SN_GAIN_MUSCLE, SN_BIAS_MUSCLE, 7, 0x1ff, 0, becomeMuscle},
    {SN_MJCF_ADHESION,    KEPT,              SN_GAIN_FIXED,  SN_BIAS_NONE,   0, 1,     0, becomeAdhesion},
    {SN_MJCF_PID,         KEPT,              SN_GAIN_PID,    SN_BIAS_AFFINE, 3, 1,     6, becomePid},
    {SN_MJCF_DCMOTOR,     SN_DYN_DCMOTOR,    SN_GAIN_DCMOTOR, SN_BIAS_DCMOTOR, 0x1ff, 0xff, 0x3f, sn_becomeMotor},
    {SN_MJCF_ACTUATOR_PLUGIN, KEPT,          KEPT,           KEPT,           0, 0,     0, becomeNothing},
    {SN_MJCF_ORIENTATION, SN_DYN_NONE,       SN_GAIN_SO3,    SN_BIAS_SO3,    0, 1,     4, becomeOrientation},
};
// clang-format on

static const Shortcut* shortcutOf(const char* tag)
{
    for (int i = 0; i < SN_COUNT(shortcuts); i++)
        if (!strcmp(sn_mjcfElement(shortcuts[i].kind)->tag, tag)) return shortcuts + i;
    return shortcuts;
}

snMjcfId sn_actuatorWritten(const snXmlNode* node)
{
    return shortcutOf(node->tag)->kind;
}

// Whose numbers a shortcut takes: the innermost class whose actuator was written as that shortcut, or as
// `general` with its gain; NULL: none.
static const snSpecActuator* sourceOf(const snDefaults* class, const Shortcut* shortcut)
{
    for (; class; class = class->outer) {
        const bool general = class->actuator_written == SN_MJCF_GENERAL;
        if (class->actuator_written == shortcut->kind ||
            (general && class->actuator.gaintype == shortcut->gaintype))
            return &class->actuator;
    }
    return NULL;
}

// What the control of a shortcut is, where it says so.
static const char* declaredInput(snMjcfId kind)
{
    switch ((int)kind) {
    case SN_MJCF_POSITION: return "pos";
    case SN_MJCF_VELOCITY:
    case SN_MJCF_INTVELOCITY: return "vel";
    case SN_MJCF_CYLINDER: return "pressure";
    default: return NULL;
    }
}

static void take(double* to, const double* from, const double* general, unsigned which)
{
    for (unsigned i = 0; i < 10; i++) to[i] = which >> i & 1 ? from[i] : general[i];
}

// Starts a shortcut from its own numbers, whatever else its class has.
static void inheritNumbers(const snDefaults* class, const Shortcut* shortcut, snSpecActuator* a)
{
    const snSpecActuator *general = sn_defaultActuator(), *source = sourceOf(class, shortcut);
    const snSpecActuator from = source ? *source : *general; // a copy: the source may be *a
    const bool filter = shortcut->kind == SN_MJCF_POSITION && from.dyntype == SN_DYN_FILTEREXACT;
    a->dyntype = filter ? SN_DYN_FILTEREXACT : SN_DYN_NONE;
    a->actdim = general->actdim;
    a->actearly = general->actearly;
    take(a->dynprm, from.dynprm, general->dynprm, filter ? 1 : shortcut->dynprm);
    take(a->gainprm, from.gainprm, general->gainprm, shortcut->gainprm);
    take(a->biasprm, from.biasprm, general->biasprm, shortcut->biasprm);
    if (shortcut->kind == SN_MJCF_MUSCLE && !source) fillMuscle(a);
    if (shortcut->kind == SN_MJCF_PID && !source) fillPid(a);
    if (shortcut->kind == SN_MJCF_DCMOTOR && !source) a->dynprm[0] = a->gainprm[0] = 0;
    const bool several = shortcut->kind == SN_MJCF_PID || shortcut->kind == SN_MJCF_DCMOTOR ||
                         shortcut->kind == SN_MJCF_ORIENTATION;
    a->input = several && source ? from.input : declaredInput(shortcut->kind);
}

static bool become(const snReader* r, const snXmlNode* node, const Shortcut* shortcut, snSpecActuator* a)
{
    if (shortcut->dyntype != KEPT) a->dyntype = shortcut->dyntype;
    if (shortcut->gaintype != KEPT) a->gaintype = shortcut->gaintype;
    if (shortcut->biastype != KEPT) a->biastype = shortcut->biastype;
    return shortcut->become(r, node, a);
}

// What a shortcut was told has become dynamics, gain and bias.
static void forgetShortcut(snSpecActuator* a)
{
    a->kp = a->kv = a->dampratio = a->timeconst = a->area = a->diameter = a->gain = SN_NAN;
    a->bias[0] = a->timeconsts[0] = a->timeconsts[1] = a->range[0] = a->range[1] = SN_NAN;
    a->posrange[0] = a->posrange[1] = a->ki = a->imax = a->slewmax = SN_NAN;
    sn_forgetMotor(a);
    a->tausmooth = a->force = a->scale = a->lmin = a->lmax = a->vmax = a->fpmax = a->fvmax = SN_NAN;
}

bool sn_readActuatorValues(const snReader* r, const snXmlNode* node, int where, const snDefaults* class,
                           snSpecActuator* actuator)
{
    const Shortcut* shortcut = shortcutOf(node->tag);
    const char* input = actuator->input;
    const int gaintype = actuator->gaintype;
    const bool plugin = shortcut->kind == SN_MJCF_ACTUATOR_PLUGIN;
    if (ownNumbers(r) && shortcut->kind != SN_MJCF_GENERAL && !plugin)
        inheritNumbers(class, shortcut, actuator);
    if (!sn_readAttributes(r, node, sn_mjcfElement(shortcut->kind), where, actuator) ||
        !become(r, node, shortcut, actuator))
        return false;
    // what the controls are goes with the gain
    if (shortcut->kind == SN_MJCF_GENERAL && actuator->gaintype != gaintype && actuator->input == input)
        actuator->input = NULL;
    forgetShortcut(actuator);
    return true;
}

// An empty text is as no attribute.
static bool isGiven(const snXmlNode* node, const char* name)
{
    const char* text = sn_xmlAttribute(node, name);
    return text && text[strspn(text, " \t\r\n")];
}

// One target, and what belongs to one kind of target with that kind alone.
static bool checkTarget(const snReader* r, const snXmlNode* node, const snSpecActuator* a)
{
    const char* const targets[] = {a->joint, a->jointinparent, a->cranksite, a->site, a->body, a->tendon};
    int count = 0;
    for (int i = 0; i < SN_COUNT(targets); i++) count += targets[i] != NULL;
    if (count > 1)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "give one of joint, jointinparent, tendon, cranksite, site and body");
    if (count == 0)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "it drives nothing, give it a joint, a tendon, a site or a body");
    if (!a->cranksite && (isGiven(node, "cranklength") || a->slidersite))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "'cranklength' and 'slidersite' belong to a slider-crank, with 'cranksite'");
    if (!a->site && a->refsite)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'refsite' goes with 'site' alone");
    if (a->cranksite && !a->slidersite)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "a slider-crank needs 'slidersite'");
    return true;
}

static bool readActuator(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", r->main);
    if (!defaults) return false;
    snSpecActuator* actuator =
        sn_makeElement(r, node, SN_OBJ_ACTUATOR, &defaults->actuator, sizeof *actuator);
    if (!actuator) return false;
    if (!sn_readActuatorValues(r, node, SN_IN_ELEMENT, defaults, actuator) || !checkTarget(r, node, actuator))
        return false;
    SN_SPEC_APPEND(&r->spec->actuators, actuator);
    if (strcmp(node->tag, "plugin")) return sn_readNoChildren(r, node);
    return sn_readInstance(r, node, actuator->plugin, actuator->instance, SN_PLUGIN_OF_ACTUATOR,
                           &actuator->plug);
}

bool sn_readActuators(snReader* r, const snXmlNode* section, void* context)
{
    static const snChild children[] = {
        {"general", readActuator, 0},  {"motor", readActuator, 0},       {"position", readActuator, 0},
        {"velocity", readActuator, 0}, {"intvelocity", readActuator, 0}, {"damper", readActuator, 0},
        {"cylinder", readActuator, 0}, {"muscle", readActuator, 0},      {"adhesion", readActuator, 0},
        {"pid", readActuator, 0},      {"dcmotor", readActuator, 0},     {"orientation", readActuator, 0},
        {"plugin", readActuator, 0}};
    static const snMjcfElement none = {"actuator", "actuator", 0, NULL};
    (void)context;
    return sn_readAttributes(r, section, &none, SN_IN_ELEMENT, NULL) &&
           sn_readChildren(r, section, children, SN_COUNT(children), NULL);
}
