// Actuators: what they drive, activation, gain and bias, ranges.
#include "compile/relation/relation.h"
#include "model/kinds.h"
#include "smooth/actuator/law/law.h"

int sn_actuatorArms(const snBuild* b, const snSpecActuator* actuator, int nv)
{
    const char* name = actuator->joint ? actuator->joint : actuator->jointinparent;
    if (!name) return nv;
    if (actuator->gaintype == SN_GAIN_SO3) return 1; // each force turns about one axis of a ball joint
    const snSpecHead* joint = sn_findSpec(b->spec, SN_OBJ_JOINT, name);
    return joint ? sn_jointDofs(((const snSpecJoint*)(const void*)joint)->type) : 0; // an error later on
}

static bool fail(snBuild* b, const snSpecActuator* actuator, const char* what)
{
    return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL, "%s", what);
}

// What the kinds of controllers ask of each other.
static bool checkController(snBuild* b, const snSpecActuator* a)
{
    const bool pid = a->gaintype == SN_GAIN_PID, states = a->gainprm[0] > 0 || a->dynprm[1] > 0;
    int spec;
    if (!sn_actuatorInputs(a, &spec))
        return sn_buildFail(b, &a->head, SN_STATUS_MODEL, "input=\"%s\": %s", a->input,
                            pid ? "give some of pos, vel and ff, in this order"
                            : a->gaintype == SN_GAIN_DCMOTOR
                                ? "give some of pos, vel, ff and voltage, in this order, or none"
                            : a->gaintype == SN_GAIN_SO3
                                ? "an orientation servo has expmap or quat"
                                : "gaintype fixed and affine have one, pos, vel or pressure, others none");
    if (a->dyntype == SN_DYN_PID && !pid) return fail(b, a, "dyntype pid goes with gaintype pid");
    if (!sn_checkMotor(b, a, spec) || !sn_checkOrientation(b, a, spec)) return false;
    if (!pid) return true;
    if (a->biastype != SN_BIAS_AFFINE) return fail(b, a, "gaintype pid goes with biastype affine");
    if (a->dyntype != SN_DYN_PID && a->dyntype != SN_DYN_NONE)
        return fail(b, a, "gaintype pid goes with dyntype pid, or none");
    if (a->gainprm[0] < 0) return fail(b, a, "ki (gainprm[0]) must not be negative");
    if (a->dyntype == SN_DYN_PID && a->dynprm[0] < 0)
        return fail(b, a, "imax (dynprm[0]) must not be negative");
    if (a->dynprm[1] < 0) return fail(b, a, "slewmax (dynprm[1]) must not be negative");
    if (states && a->dyntype != SN_DYN_PID)
        return fail(b, a, "ki (gainprm[0]) and slewmax (dynprm[1]) need dyntype pid");
    if (!states && a->dyntype == SN_DYN_PID)
        return fail(b, a, "dyntype pid needs ki (gainprm[0]) or slewmax (dynprm[1])");
    if (states && !(spec & SN_INPUT_POS)) return fail(b, a, "ki and slewmax need the input pos");
    if (a->actdim >= 0 && a->actdim != sn_actuatorActivations(a))
        return sn_buildFail(b, &a->head, SN_STATUS_MODEL,
                            "actdim is %d, ki and slewmax make it %d: leave it out", a->actdim,
                            sn_actuatorActivations(a));
    return true;
}

// An actuator of a plugin has any number of activations; dyntype adds the last of them.
static bool checkPlugged(snBuild* b, const snSpecActuator* a)
{
    if (a->dyntype == SN_DYN_DCMOTOR || a->dyntype == SN_DYN_PID)
        return fail(b, a, "dyntype dcmotor and pid do not go with a plugin");
    if (a->gaintype != SN_GAIN_FIXED && a->gaintype != SN_GAIN_AFFINE && a->gaintype != SN_GAIN_MUSCLE &&
        a->gaintype != SN_GAIN_USER)
        return fail(b, a, "its default class has the gain of a controller: give it another class");
    if (a->dyntype != SN_DYN_NONE && a->actdim == 0)
        return fail(b, a, "actdim is 0, but dyntype has an activation: leave it out");
    return true;
}

static bool checkActivation(snBuild* b, const snSpecActuator* actuator)
{
    if (actuator->plug) return checkPlugged(b, actuator);
    const int dim = actuator->actdim;
    const int most = sn_dynamicsKind(actuator->dyntype).most;
    if (actuator->dyntype == SN_DYN_DCMOTOR) return true; // sn_checkMotor knows
    if (most == 0) {
        if (dim > 0)
            return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL, "actdim is %d, but dyntype is none",
                                dim);
        const double* range = actuator->actrange;
        if (actuator->actlimited == SN_TRUE || (actuator->actlimited == SN_AUTO && range[0] < range[1]))
            return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                                "has actrange or actlimited, but dyntype is none: leave them out");
        return (range[0] == 0 && range[1] == 0) ||
               sn_buildWarn(b, &actuator->head, "has actrange, but dyntype is none: leave it out");
    }
    if (dim == 0)
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                            "actdim is 0, but dyntype has an activation: leave it out");
    if (dim > most && actuator->gaintype != SN_GAIN_SO3)
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                            "actdim is %d: only dyntype user has more than one activation", dim);
    return true;
}

static bool checkNumbers(snBuild* b, const snSpecActuator* actuator, const snForceLaw* law, const double* prm)
{
    const char* fault = law->fault ? law->fault(prm) : NULL;
    return !fault || sn_buildFail(b, &actuator->head, SN_STATUS_MODEL, "%s", fault);
}

static bool checkLaws(snBuild* b, const snSpecActuator* actuator)
{
    return checkNumbers(b, actuator, sn_gainLaw(actuator->gaintype), actuator->gainprm) &&
           checkNumbers(b, actuator, sn_biasLaw(actuator->biastype), actuator->biasprm);
}

static bool buildRange(snBuild* b, const snSpecActuator* actuator, int word, const double range[2],
                       const char* limited_name, const char* range_name, uint8_t* limited, double* out)
{
    bool holds;
    if (!sn_buildLimited(b, &actuator->head, word, range, limited_name, range_name, &holds)) return false;
    if (holds && range[0] >= range[1])
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                            "%s=\"%g %g\": the first must be smaller than the second", range_name, range[0],
                            range[1]);
    *limited = holds;
    memcpy(out, range, 2 * sizeof(double));
    return true;
}

// Range of the setpoint from the joint's or tendon's: same middle, inheritrange times as wide.
static bool inheritRange(snBuild* b, const snSpecActuator* actuator, int id, double range[2])
{
    const snModel* m = b->m;
    const char* wrong = NULL;
    const bool tendon = m->actuator_trntype[id] == SN_TRN_TENDON;
    if (!tendon && m->actuator_trntype[id] != SN_TRN_JOINT)
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL, "inheritrange needs a joint or a tendon");
    const int target = m->actuator_trnid[2 * id];
    const double* limit = (tendon ? m->tendon_range : m->jnt_range) + 2 * target;
    if (!tendon && !sn_isScalarJoint(m->jnt_type[target]))
        wrong = "inheritrange needs a hinge or slide joint";
    else if (!(limit[0] < limit[1]))
        wrong = tendon ? "inheritrange: the tendon has no range" : "inheritrange: the joint has no range";
    if (wrong) return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL, "%s", wrong);
    const double middle = 0.5 * (limit[0] + limit[1]);
    const double half = 0.5 * (limit[1] - limit[0]) * actuator->inheritrange;
    range[0] = middle - half;
    range[1] = middle + half;
    return true;
}

// inheritrange makes ctrlrange, or with an integrator actrange. It is left in the defaults of other kinds of
// actuator, where it has no effect.
static bool inheritRanges(snBuild* b, const snSpecActuator* actuator, int id, double ctrl[2], double act[2])
{
    const bool fixed = actuator->gaintype == SN_GAIN_FIXED && actuator->gainprm[0] == -actuator->biasprm[1];
    const bool servo = actuator->biastype == SN_BIAS_AFFINE && (fixed || actuator->gaintype == SN_GAIN_PID);
    if (!servo || !(actuator->inheritrange > 0)) return true;
    if (!fixed && !(b->m->actuator_ctrlspec[id] & SN_INPUT_POS)) return true;
    switch (sn_dynamicsKind(actuator->dyntype).setpoint) {
    case SN_SETPOINT_ACT: return inheritRange(b, actuator, id, act);
    case SN_SETPOINT_CTRL:
        if (ctrl[0] != 0 || ctrl[1] != 0)
            return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                                "has both ctrlrange and inheritrange: leave out one");
        return inheritRange(b, actuator, id, ctrl);
    case SN_SETPOINT_NONE: break;
    }
    return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                        "inheritrange is for position and intvelocity actuators");
}

// ctrlrange and ctrllimited as those of each control.
static bool buildAlike(snBuild* b, const snSpecActuator* actuator, const double ctrl[2], int id)
{
    snModel* m = b->m;
    uint8_t limited = 0;
    double range[2] = {0, 0};
    if (!buildRange(b, actuator, actuator->ctrllimited, ctrl, "ctrllimited", "ctrlrange", &limited, range))
        return false;
    for (int n = 0, k = m->actuator_ctrladr[id]; n < m->actuator_ctrlnum[id]; n++, k++) {
        m->actuator_ctrllimited[k] = limited;
        memcpy(m->actuator_ctrlrange + 2 * k, range, sizeof range);
    }
    return true;
}

// Ranges of controls: ctrlrange and ctrllimited are of the first, of a controller of its pos alone.
static bool buildControls(snBuild* b, const snSpecActuator* actuator, const double ctrl[2], int id)
{
    snModel* m = b->m;
    int k = m->actuator_ctrladr[id];
    const int spec = actuator->gaintype == SN_GAIN_PID ? m->actuator_ctrlspec[id] : SN_INPUT_POS;
    if (spec & SN_INPUT_POS) {
        if (!buildRange(b, actuator, actuator->ctrllimited, ctrl, "ctrllimited", "ctrlrange",
                        &m->actuator_ctrllimited[k], m->actuator_ctrlrange + 2 * k))
            return false;
        k++;
    }
    const double* more[] = {spec & SN_INPUT_VEL ? actuator->velrange : NULL,
                            spec & SN_INPUT_FF ? actuator->ffrange : NULL};
    for (int n = 0; n < 2; n++) {
        if (!more[n]) continue;
        if (!buildRange(b, actuator, SN_AUTO, more[n], n ? "ffrange" : "velrange", n ? "ffrange" : "velrange",
                        &m->actuator_ctrllimited[k], m->actuator_ctrlrange + 2 * k))
            return false;
        k++;
    }
    return true;
}

static bool buildRanges(snBuild* b, const snSpecActuator* actuator, int id)
{
    snModel* m = b->m;
    double ctrl[2] = {actuator->ctrlrange[0], actuator->ctrlrange[1]};
    double act[2] = {actuator->actrange[0], actuator->actrange[1]};
    const bool alike = actuator->gaintype == SN_GAIN_DCMOTOR || actuator->gaintype == SN_GAIN_SO3;
    return inheritRanges(b, actuator, id, ctrl, act) &&
           (alike ? buildAlike : buildControls)(b, actuator, ctrl, id) &&
           buildRange(b, actuator, actuator->forcelimited, actuator->forcerange, "forcelimited", "forcerange",
                      &m->actuator_forcelimited[id], m->actuator_forcerange + 2 * id) &&
           buildRange(b, actuator, actuator->actlimited, act, "actlimited", "actrange",
                      &m->actuator_actlimited[id], m->actuator_actrange + 2 * id);
}

// Type and first id of what the actuator drives.
static bool setTarget(snBuild* b, const snSpecActuator* actuator, int id, int type, const char* attribute,
                      snObjType kind, const char* name)
{
    const snSpecHead* target = sn_buildFind(b, &actuator->head, attribute, kind, name);
    if (!target) return false;
    b->m->actuator_trntype[id] = type;
    b->m->actuator_trnid[2 * id] = target->id;
    return true;
}

// Second id: a slider's or a reference site.
static bool setSecondSite(snBuild* b, const snSpecActuator* actuator, int id, const char* attribute,
                          const char* name)
{
    const snSpecHead* site = sn_buildFind(b, &actuator->head, attribute, SN_OBJ_SITE, name);
    if (site) b->m->actuator_trnid[2 * id + 1] = site->id;
    return site != NULL;
}

static bool buildOrientationTarget(snBuild* b, const snSpecActuator* a, int id)
{
    if (a->joint)
        return setTarget(b, a, id, SN_TRN_SO3, "joint", SN_OBJ_JOINT, a->joint) &&
               (b->m->jnt_type[b->m->actuator_trnid[2 * id]] == SN_JNT_BALL ||
                fail(b, a, "an orientation servo needs a ball joint"));
    if (!a->refsite)
        return fail(b, a, "an orientation servo on a site needs 'refsite', to which it turns it");
    return setTarget(b, a, id, SN_TRN_SO3, "site", SN_OBJ_SITE, a->site) &&
           setSecondSite(b, a, id, "refsite", a->refsite);
}

static bool buildTarget(snBuild* b, const snSpecActuator* a, int id)
{
    b->m->actuator_trnid[2 * id] = b->m->actuator_trnid[2 * id + 1] = -1;
    if (a->gaintype == SN_GAIN_SO3) return buildOrientationTarget(b, a, id);
    if (a->joint) return setTarget(b, a, id, SN_TRN_JOINT, "joint", SN_OBJ_JOINT, a->joint);
    if (a->jointinparent)
        return setTarget(b, a, id, SN_TRN_JOINTINPARENT, "jointinparent", SN_OBJ_JOINT, a->jointinparent);
    if (a->tendon) return setTarget(b, a, id, SN_TRN_TENDON, "tendon", SN_OBJ_TENDON, a->tendon);
    if (a->body) return setTarget(b, a, id, SN_TRN_BODY, "body", SN_OBJ_BODY, a->body);
    if (a->site)
        return setTarget(b, a, id, SN_TRN_SITE, "site", SN_OBJ_SITE, a->site) &&
               (!a->refsite || setSecondSite(b, a, id, "refsite", a->refsite));
    if (!a->cranksite)
        return sn_buildFail(b, &a->head, SN_STATUS_MODEL,
                            "drives nothing: name a joint, a tendon, a site or a body");
    if (!a->slidersite)
        return sn_buildFail(b, &a->head, SN_STATUS_MODEL, "a slider-crank needs 'slidersite'");
    if (!(a->cranklength > 0))
        return sn_buildFail(b, &a->head, SN_STATUS_MODEL, "cranklength is %g, must be positive",
                            a->cranklength);
    return setTarget(b, a, id, SN_TRN_SLIDERCRANK, "cranksite", SN_OBJ_SITE, a->cranksite) &&
           setSecondSite(b, a, id, "slidersite", a->slidersite);
}

// The path of a tendon goes around a geom.
static bool wraps(const snModel* m, int tendon)
{
    for (int w = m->tendon_adr[tendon], end = w + m->tendon_num[tendon]; w < end; w++)
        if (m->wrap_type[w] == SN_WRAP_SPHERE || m->wrap_type[w] == SN_WRAP_CYLINDER) return true;
    return false;
}

// What the actuator adds to its joint or tendon.
static bool buildAdded(snBuild* b, const snSpecActuator* actuator, int id)
{
    snModel* m = b->m;
    const double* damping = actuator->damping;
    const int type = m->actuator_trntype[id];
    const bool tendon = type == SN_TRN_TENDON;
    const bool bears = tendon || type == SN_TRN_JOINT || type == SN_TRN_JOINTINPARENT;
    const bool damps = damping[0] != 0 || damping[1] != 0 || damping[2] != 0;
    if (type == SN_TRN_SO3 && actuator->joint && (damps || actuator->armature != 0))
        return sn_buildWarn(b, &actuator->head,
                            "%s has no effect on an orientation servo: give it to the joint",
                            damps ? "damping" : "armature");
    if (!bears && (damps || actuator->armature != 0))
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                            "%s is added to the joint or tendon that an actuator drives, and this one drives "
                            "neither: leave it out",
                            damps ? "damping" : "armature");
    if (tendon && actuator->armature != 0 && wraps(m, m->actuator_trnid[2 * id]))
        return sn_buildFail(b, &actuator->head, SN_STATUS_MODEL,
                            "armature and a tendon around geoms exclude each other");
    m->actuator_armature[id] = actuator->armature;
    m->actuator_damping[id] = damping[0];
    memcpy(m->actuator_dampingpoly + SN_NPOLY * id, damping + 1, SN_NPOLY * sizeof(double));
    return !(actuator->armature < 0) || sn_buildWarn(b, &actuator->head, "armature is negative");
}

// How many controls, forces and activations the actuators before have.
typedef struct Counts {
    int controls, outputs, activations, samples;
} Counts;

static void placeControls(snModel* m, const snSpecActuator* actuator, int id, Counts* counts)
{
    m->actuator_ctrladr[id] = counts->controls;
    m->actuator_ctrlnum[id] = sn_actuatorControls(actuator);
    sn_actuatorInputs(actuator, &m->actuator_ctrlspec[id]);
    m->actuator_outadr[id] = counts->outputs;
    m->actuator_outnum[id] = sn_actuatorOutputs(actuator);
    counts->controls += m->actuator_ctrlnum[id];
    counts->outputs += m->actuator_outnum[id];
}

static bool buildActuator(snBuild* b, const snSpecActuator* actuator, int id, Counts* counts)
{
    snModel* m = b->m;
    if (!checkController(b, actuator) || !checkActivation(b, actuator) || !checkLaws(b, actuator) ||
        !buildTarget(b, actuator, id))
        return false;
    m->actuator_dyntype[id] = actuator->dyntype;
    m->actuator_gaintype[id] = actuator->gaintype;
    m->actuator_biastype[id] = actuator->biastype;
    m->actuator_actnum[id] = sn_actuatorActivations(actuator);
    m->actuator_actadr[id] = m->actuator_actnum[id] ? counts->activations : -1;
    counts->activations += m->actuator_actnum[id];
    placeControls(m, actuator, id, counts);
    m->actuator_group[id] = actuator->group;
    m->actuator_actearly[id] = actuator->actearly != 0;
    memcpy(m->actuator_dynprm + SN_NDYN * id, actuator->dynprm, sizeof actuator->dynprm);
    memcpy(m->actuator_gainprm + SN_NGAIN * id, actuator->gainprm, sizeof actuator->gainprm);
    memcpy(m->actuator_biasprm + SN_NBIAS * id, actuator->biasprm, sizeof actuator->biasprm);
    for (int out = m->actuator_outadr[id]; out < counts->outputs; out++) {
        memcpy(m->actuator_gear + 6 * out, actuator->gear, sizeof actuator->gear);
        memcpy(m->actuator_lengthrange + 2 * out, actuator->lengthrange, sizeof actuator->lengthrange);
    }
    m->actuator_cranklength[id] = actuator->cranklength;
    sn_buildUser(m->actuator_user + (size_t)m->nuser_actuator * (size_t)id, m->nuser_actuator,
                 actuator->user);
    return buildAdded(b, actuator, id) && buildRanges(b, actuator, id) &&
           sn_buildActuatorHistory(b, actuator, id, &counts->samples);
}

bool sn_buildActuators(snBuild* b)
{
    Counts counts = {0};
    SN_EACH (snSpecActuator, actuator, b->spec->actuators)
        if (!buildActuator(b, actuator, actuator->head.id, &counts)) return false;
    return true;
}
