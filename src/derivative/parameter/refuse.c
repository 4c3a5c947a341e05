#include "derivative/parameter/refuse.h"
#include <sinew/names.h>
#include "base/error.h"
#include "derivative/parameter/wanted.h"
#include "derivative/sensor/rows.h"
#include "model/kinds.h"
#include "model/sensor_kind.h"
#include "smooth/actuator/law/law.h"
#include "smooth/actuator/setpoint.h"
#include "smooth/kinematics/resistance.h"
#include "smooth/passive/fluid.h"

typedef struct Check {
    const snModel* m;
    const snData* d;
    const double* sensor;
    const snModelGradient* wanted;
    snError* error;
} Check;

static snStatus refuse(const Check* c, const char* array, const char* kind, int type, int id,
                       const char* cause)
{
    const char* name = id < 0 ? NULL : sn_id2name(c->m, type, id);
    return sn_fail(c->error, SN_STATUS_UNSUPPORTED,
                   "gradient by %s: %s %d '%s': %s; take differences of sn_step", array, kind, id,
                   name ? name : "", cause);
}

// Which of those that are wanted is the first.
static const char* firstInertia(const snModelGradient* g)
{
    return g->body_mass      ? "body_mass"
           : g->body_inertia ? "body_inertia"
           : g->body_ipos    ? "body_ipos"
           : g->body_iquat   ? "body_iquat"
                             : NULL;
}
static const char* firstFrame(const snModelGradient* g)
{
    return g->body_ipos ? "body_ipos" : g->body_iquat ? "body_iquat" : NULL;
}
static const char* firstGeom(const snModelGradient* g)
{
    return g->geom_size ? "geom_size" : g->geom_pos ? "geom_pos" : g->geom_quat ? "geom_quat" : NULL;
}

static bool isInertial(int sameframe)
{
    return sameframe == SN_SAMEFRAME_INERTIA || sameframe == SN_SAMEFRAME_INERTIAROT;
}

// ---- actuators

static bool scalesByAcc0(const snForceLaw* law, const double* prm)
{
    return law->scaled && law->scaled(prm);
}

static bool dampsByGear(const snModel* m, int i)
{
    const double* others = m->actuator_dampingpoly + SN_NPOLY * i;
    return m->actuator_damping[i] != 0 || others[0] != 0 || others[1] != 0;
}

static snStatus actuator(const Check* c, int i)
{
    const snModel* m = c->m;
    const snModelGradient* g = c->wanted;
    const snForceLaw *gain = sn_gainLaw(m->actuator_gaintype[i]), *bias = sn_biasLaw(m->actuator_biastype[i]);
    const snActivationLaw* activation = sn_activationLaw(m->actuator_dyntype[i]);
    const char *array = NULL, *cause = NULL;
    const bool pid = m->actuator_gaintype[i] == SN_GAIN_PID, acts = m->actuator_actadr[i] >= 0;
    if (g->actuator_gainprm && gain->no_gradient) array = "actuator_gainprm", cause = gain->no_gradient;
    if (g->actuator_biasprm && bias->no_gradient) array = "actuator_biasprm", cause = bias->no_gradient;
    if (g->actuator_gear && (gain->no_gradient || bias->no_gradient)) {
        array = "actuator_gear";
        cause = gain->no_gradient ? gain->no_gradient : bias->no_gradient;
    }
    if (g->actuator_gear && (pid || acts) && sn_setpointPeriod(m, i) > 0) {
        array = "actuator_gear";
        cause = pid ? "full turns of its setpoint are as long as the gear"
                    : "full turns of its activation are as long as the gear";
    }
    if (g->actuator_gear && (m->actuator_armature[i] != 0 || dampsByGear(m, i))) {
        array = "actuator_gear";
        cause = "its armature and damping go by the square of the gear";
    }
    if (g->actuator_dynprm && activation->no_gradient)
        array = "actuator_dynprm", cause = activation->no_gradient;
    const bool scaled = scalesByAcc0(gain, m->actuator_gainprm + SN_NGAIN * i) ||
                        scalesByAcc0(bias, m->actuator_biasprm + SN_NBIAS * i);
    if (g->setconst && scaled && (firstInertia(g) || g->dof_armature)) {
        array = firstInertia(g) ? firstInertia(g) : "dof_armature";
        cause = "the force of this muscle follows from its acc0";
    }
    if (sn_integratorKind(m->opt.integrator).stages && (activation->by_tau || (pid && acts))) {
        const char* by = g->actuator_dynprm        ? "actuator_dynprm"
                         : pid && g->actuator_gear ? "actuator_gear"
                                                   : NULL;
        if (by) array = by, cause = "RK4 integrates its activation";
    }
    return array ? refuse(c, array, "actuator", SN_OBJ_ACTUATOR, i, cause) : SN_STATUS_OK;
}

// ---- joints, bodies

static snStatus joint(const Check* c, int j)
{
    const snModel* m = c->m;
    const bool turns = sn_hasQuaternion(m->jnt_type[j]);
    if (!c->wanted->qpos_spring || !turns || sn_cubicIsZero(sn_springOfJoint(m, j))) return SN_STATUS_OK;
    return refuse(c, "qpos_spring", "joint", SN_OBJ_JOINT, j, "it turns about more than one axis");
}

static bool hasFluid(const snModel* m)
{
    const int none = SN_DSBL_SPRING | SN_DSBL_DAMPER;
    return sn_hasFluid(m) && (m->opt.disableflags & none) != none;
}

static snStatus bodies(const Check* c)
{
    const char* array = firstInertia(c->wanted);
    if (!array || !hasFluid(c->m) || c->m->nbody < 2) return SN_STATUS_OK;
    return refuse(c, array, "body", SN_OBJ_BODY, 1, "a fluid acts on its inertia");
}

// ---- flexes

static snStatus flexes(const Check* c)
{
    const snModel* m = c->m;
    const char* array = firstInertia(c->wanted)   ? firstInertia(c->wanted)
                        : c->wanted->dof_armature ? "dof_armature"
                                                  : NULL;
    for (int i = 0; i < m->neq && array && c->wanted->setconst; i++)
        if (m->eq_type[i] == SN_EQ_FLEX)
            return refuse(c, array, "equality", SN_OBJ_EQUALITY, i,
                          "weights of a flex's edges follow from inertias");
    return SN_STATUS_OK;
}

// ---- loops

static const char* firstOf(const snModelGradient* g)
{
#define X(name, rows, columns, meaning)                                                                      \
    if (g->name) return #name;
    SN_MODEL_GRADIENT(X, m)
#undef X
    return NULL;
}

static snStatus loops(const Check* c)
{
    const char* array = firstOf(c->wanted);
    if (!array || !c->d->nclosure) return SN_STATUS_OK;
    return sn_fail(c->error, SN_STATUS_UNSUPPORTED,
                   "gradient by %s: loops that are held exactly have none; take differences of sn_step",
                   array);
}

// ---- contacts

static snStatus surfaces(const Check* c)
{
    const char* array = firstOf(c->wanted);
    for (int i = 0; i < c->d->ncon && array; i++) {
        const snContact* con = c->d->contact + i;
        const double* v = con->surfacevel;
        if (con->efc_address < 0 || (con->adhesion == 0 && v[0] == 0 && v[1] == 0 && v[2] == 0)) continue;
        return sn_fail(
            c->error, SN_STATUS_UNSUPPORTED,
            "gradient by %s: contact %d has %s, with which there is none; take differences of sn_step", array,
            i, con->adhesion != 0 ? "adhesion" : "a surfacevel");
    }
    return SN_STATUS_OK;
}

// ---- geoms, sites

static const char* geomRole(const snModel* m, const snData* d, int geom)
{
    for (int w = 0; w < m->nwrap; w++)
        if ((m->wrap_type[w] == SN_WRAP_SPHERE || m->wrap_type[w] == SN_WRAP_CYLINDER) &&
            m->wrap_objid[w] == geom)
            return "a tendon wraps it";
    if (hasFluid(m) && m->geom_fluid[SN_NFLUID * geom] > 0) return "a fluid acts on it";
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuator_trntype[i] == SN_TRN_BODY && d->actuator_force[m->actuator_outadr[i]] != 0 &&
            m->actuator_trnid[2 * i] == m->geom_bodyid[geom])
            return "an adhesion acts on its contacts";
    return NULL;
}

static snStatus geom(const Check* c, int g)
{
    const char* array = firstGeom(c->wanted);
    if (!array && isInertial(c->m->geom_sameframe[g])) array = firstFrame(c->wanted);
    const char* role = array ? geomRole(c->m, c->d, g) : NULL;
    return role ? refuse(c, array, "geom", SN_OBJ_GEOM, g, role) : SN_STATUS_OK;
}

// Sites that have the inertial frame of their body move with that.
static const char* siteRole(const snModel* m, int site)
{
    for (int w = 0; w < m->nwrap; w++)
        if (m->wrap_type[w] == SN_WRAP_SITE && m->wrap_objid[w] == site) return "a tendon goes through it";
    for (int i = 0; i < m->nactuator; i++) {
        const int type = m->actuator_trntype[i], *id = m->actuator_trnid + 2 * i;
        const bool sites = sn_transmissionTarget(type, id[1]) == SN_OBJ_SITE;
        if (sites && (id[0] == site || id[1] == site)) return "an actuator acts on it";
    }
    for (int e = 0; e < m->neq; e++)
        if (m->eq_objtype[e] == SN_OBJ_SITE && (m->eq_obj1id[e] == site || m->eq_obj2id[e] == site))
            return "an equality holds it";
    return NULL;
}

static snStatus site(const Check* c, int s)
{
    const char* array = firstFrame(c->wanted);
    const char* role = array && isInertial(c->m->site_sameframe[s]) ? siteRole(c->m, s) : NULL;
    return role ? refuse(c, array, "site", SN_OBJ_SITE, s, role) : SN_STATUS_OK;
}

// ---- sensors

// Whether it shows the frame of an object in that of another.
static bool isFrame(int type)
{
    const snSensorForm form = sn_sensorKind(type)->form;
    return form == SN_FORM_FRAME || form == SN_FORM_FRAMEACC;
}

// What the frame of an object hangs on.
static const char* frameArray(const Check* c, int type, int id)
{
    const snModelGradient* g = c->wanted;
    if (type == SN_OBJ_BODY) return firstFrame(g);
    if (type == SN_OBJ_GEOM) {
        if (g->geom_pos) return "geom_pos";
        if (g->geom_quat) return "geom_quat";
        return isInertial(c->m->geom_sameframe[id]) ? firstFrame(g) : NULL;
    }
    return type == SN_OBJ_SITE && isInertial(c->m->site_sameframe[id]) ? firstFrame(g) : NULL;
}

static const char* frictionOrGeom(const snModelGradient* g)
{
    return g->geom_friction ? "geom_friction" : g->pair_friction ? "pair_friction" : firstGeom(g);
}

static const char* actuatorArray(const snModelGradient* g)
{
    return g->actuator_gainprm   ? "actuator_gainprm"
           : g->actuator_biasprm ? "actuator_biasprm"
           : g->actuator_gear    ? "actuator_gear"
           : g->actuator_dynprm  ? "actuator_dynprm"
                                 : NULL;
}

static const char* energyArray(const snModelGradient* g, bool potential)
{
    if (firstInertia(g)) return firstInertia(g);
    if (!potential) return g->dof_armature ? "dof_armature" : NULL;
    return g->gravity                ? "gravity"
           : g->jnt_stiffness        ? "jnt_stiffness"
           : g->jnt_stiffnesspoly    ? "jnt_stiffnesspoly"
           : g->qpos_spring          ? "qpos_spring"
           : g->tendon_stiffness     ? "tendon_stiffness"
           : g->tendon_stiffnesspoly ? "tendon_stiffnesspoly"
                                     : NULL;
}

// The array that sensor s shows by itself, NULL: none that is wanted.
static const char* shown(const Check* c, int s)
{
    const snModel* m = c->m;
    const snModelGradient* g = c->wanted;
    const snSensorRow* row = sn_sensorRow(m->sensor_type[s]);
    const char* array = NULL;
    if (!row) return NULL; // the sensor itself is refused
    switch (row->shows) {
    case SN_SHOWS_LINK:
        array = firstInertia(g);
        if (!array && g->gravity) array = "gravity";
        if (!array) array = frictionOrGeom(g);
        break;
    case SN_SHOWS_CONTACTS: array = frictionOrGeom(g); break;
    case SN_SHOWS_SURFACES: array = firstGeom(g) ? firstGeom(g) : firstFrame(g); break;
    case SN_SHOWS_GEAR: return g->actuator_gear ? "actuator_gear" : NULL;
    case SN_SHOWS_JOINTFORCE:
        array = actuatorArray(g);
        if (!array && m->ngravcomp) array = firstInertia(g) ? firstInertia(g) : g->gravity ? "gravity" : NULL;
        return array;
    case SN_SHOWS_ACTUATORS: return actuatorArray(g);
    case SN_SHOWS_INERTIA: return firstInertia(g);
    case SN_SHOWS_POTENTIAL: return energyArray(g, true);
    case SN_SHOWS_KINETIC: return energyArray(g, false);
    case SN_SHOWS_GRAVITY: array = g->gravity ? "gravity" : NULL; break;
    case SN_SHOWS_FRAMES: break;
    }
    if (!array && m->sensor_objid[s] >= 0) array = frameArray(c, m->sensor_objtype[s], m->sensor_objid[s]);
    if (!array && isFrame(m->sensor_type[s]) && m->sensor_refid[s] >= 0)
        array = frameArray(c, m->sensor_reftype[s], m->sensor_refid[s]);
    return array;
}

static bool counts(const Check* c, int s)
{
    for (int k = 0; k < c->m->sensor_dim[s]; k++)
        if (c->sensor[c->m->sensor_adr[s] + k] != 0) return true;
    return false;
}

static snStatus sensor(const Check* c, int s)
{
    const char* array = counts(c, s) ? shown(c, s) : NULL;
    return array ? refuse(c, array, "sensor", SN_OBJ_SENSOR, s, "it shows the array itself") : SN_STATUS_OK;
}

// ----

static snStatus all(const Check* c, int count, snStatus (*check)(const Check*, int))
{
    snStatus status = SN_STATUS_OK;
    for (int i = 0; i < count && !status; i++) status = check(c, i);
    return status;
}

snStatus sn_isParameterDifferentiable(const snModel* m, const snData* d, const double* sensor_gradient,
                                      const snModelGradient* wanted, snError* error)
{
    const Check c = {m, d, sensor_gradient, wanted, error};
    const bool sensors = sensor_gradient && !(m->opt.disableflags & SN_DSBL_SENSOR);
    snStatus status = loops(&c);
    if (!status) status = flexes(&c);
    if (!status) status = surfaces(&c);
    if (!status) status = all(&c, m->nactuator, actuator);
    if (!status) status = all(&c, m->njnt, joint);
    if (!status) status = bodies(&c);
    if (!status) status = all(&c, m->ngeom, geom);
    if (!status) status = all(&c, m->nsite, site);
    return status || !sensors ? status : all(&c, m->nsensor, sensor);
}
