// Rules without an equivalent: in which lines they show.
#include "cli/migrate.h"
#include <stdio.h>
#include <string.h>
#include "collision/broad/filter.h"
#include "control/task/frame.h"
#include "model/rules.h"
#include "model/spec/tree.h"
#include "model/weld.h"
#include "smooth/actuator/setpoint.h"

static bool isOnWhatRests(const snModel* m, int sensor)
{
    const int type = m->sensor_type[sensor];
    if (type != SN_SENS_ACCELEROMETER && type != SN_SENS_FRAMELINACC) return false;
    return !sn_moverOf(m, sn_frameBody(m, m->sensor_objtype[sensor], m->sensor_objid[sensor]));
}

static bool feelsTendons(const snModel* m, int sensor)
{
    const int type = m->sensor_type[sensor];
    if (type != SN_SENS_FORCE && type != SN_SENS_TORQUE) return false;
    for (int w = 0; w < m->nwrap; w++)
        if (m->wrap_type[w] == SN_WRAP_SITE) return true;
    return false;
}

static bool isSoftClosure(const snModel* m, int equality)
{
    const int type = m->eq_type[equality];
    return (type == SN_EQ_CONNECT || type == SN_EQ_WELD) && m->opt.loops == SN_LOOPS_SOFT;
}

static bool meetsABox(const snModel* m, int geom)
{
    if (m->geom_type[geom] != SN_GEOM_BOX) return false;
    for (int g = 0; g < m->ngeom; g++)
        if (g != geom && m->geom_type[g] == SN_GEOM_BOX && sn_mayMeet(m, g, geom)) return true;
    return false;
}

static bool hasJoint(const snModel* m, int type)
{
    for (int j = 0; j < m->njnt; j++)
        if (m->jnt_type[j] == type) return true;
    return false;
}

static bool turnsByRungeKutta(const snModel* m, int none)
{
    (void)none;
    return m->opt.integrator == SN_INT_RK4 && (hasJoint(m, SN_JNT_BALL) || hasJoint(m, SN_JNT_FREE));
}

static bool spinsByImplicitFast(const snModel* m, int none)
{
    (void)none;
    return m->opt.integrator == SN_INT_IMPLICITFAST && hasJoint(m, SN_JNT_FREE);
}

static bool anyGap(const snModel* m)
{
    for (int i = 0; i < m->ngeom; i++)
        if (m->geom_gap[i] != 0) return true;
    for (int p = 0; p < m->npair; p++)
        if (m->pair_gap[p] != 0) return true;
    return false;
}

// Where one margin holds for all contacts, or bounds them from below, a gap is no longer taken from it.
static bool hasOneMargin(const snModel* m, int none)
{
    (void)none;
    return (m->opt.enableflags & SN_ENBL_OVERRIDE || m->opt.contact == SN_CONTACT_LCP) && anyGap(m);
}

static bool isCutShort(const snModel* m, int sensor)
{
    const double cutoff = m->sensor_cutoff[sensor];
    return m->sensor_type[sensor] == SN_SENS_RANGEFINDER && cutoff > 0 && cutoff < 1;
}

static bool turnsByServo(const snModel* m, int actuator)
{
    snModel new = *m; // the same arrays, by the other rules
    new.physics = SN_PHYSICS_V4_0;
    return sn_setpointPeriod(&new, actuator) > 0;
}

static bool goesBySideSites(const snModel* m, int tendon)
{
    const int first = m->tendon_adr[tendon];
    for (int w = first; w < first + m->tendon_num[tendon]; w++)
        if ((m->wrap_type[w] == SN_WRAP_SPHERE || m->wrap_type[w] == SN_WRAP_CYLINDER) && m->wrap_prm[w] >= 0)
            return true;
    return false;
}

static bool hasMargin(const snModel* m, int geom)
{
    return m->geom_margin[geom] != 0 || m->geom_gap[geom] != 0;
}

static bool hasFlexMargin(const snModel* m, int flex)
{
    return m->flex_margin[flex] != 0 || m->flex_gap[flex] != 0;
}

static bool isMocap(const snModel* m, int body)
{
    return m->body_mocapid[body] >= 0;
}

static bool hasManyPoints(const snModel* m, int none)
{
    (void)none;
    return m->opt.enableflags & SN_ENBL_MULTICCD;
}

// What TRACE_SCALE changes is when the solver stops, within `tolerance`: no line says that.
static const struct Named {
    snRule rule;
    int objtype; // of what shows it; SN_OBJ_UNKNOWN: the options
    bool (*shows)(const snModel* m, int id);
    const char* sentence; // the line follows
} named[] =
    {
        {SN_RULE_STATIC_ACCELERATION, SN_OBJ_SENSOR, isOnWhatRests,
         "under 4.0 it has gravity in it, for what it is on does not move,"},
        {SN_RULE_TENSION, SN_OBJ_SENSOR, feelsTendons, "under 4.0 forces of spatial tendons are in it,"},
        {SN_RULE_RANGEFINDER_CUTOFF, SN_OBJ_SENSOR, isCutShort,
         "under 4.0 it is -cutoff, no longer -1, where nothing is hit,"},
        {SN_RULE_GAP_BEYOND, SN_OBJ_UNKNOWN, hasOneMargin,
         "under 4.0 gaps are not taken from the margin of flag override or of rigid contact,"},
        {SN_RULE_EQUALITY_VELOCITY, SN_OBJ_EQUALITY, isSoftClosure,
         "under 4.0 its reference has a term of the velocity,"},
        {SN_RULE_BOX_BOX, SN_OBJ_GEOM, meetsABox,
         "under 4.0 contacts with other boxes are about twice as deep,"},
        {SN_RULE_SIDE_SITES, SN_OBJ_TENDON, goesBySideSites,
         "under 4.0 it goes around a geom with a side site the way that leads over the site,"},
        {SN_RULE_TURNING_SETPOINTS, SN_OBJ_ACTUATOR, turnsByServo,
         "under 4.0 setpoints beyond half a turn are those a turn nearer,"},
        {SN_RULE_MULTICCD_DEPTHS, SN_OBJ_UNKNOWN, hasManyPoints,
         "under 4.0 the flag multiccd gives other points, each of its own depth,"},
        {SN_RULE_ROTATION_STAGES, SN_OBJ_UNKNOWN, turnsByRungeKutta,
         "under 4.0 RK4 is of fourth order with ball and free joints, too,"},
        {SN_RULE_MARGIN_SUM, SN_OBJ_FLEX, hasFlexMargin,
         "under 4.0 its margin and gap are added to those of what it meets, and gaps lie beyond margins,"},
        {SN_RULE_GYROSCOPIC, SN_OBJ_UNKNOWN, spinsByImplicitFast,
         "under 4.0 implicitfast moves lone free bodies as implicit does,"},
},
  lost[] = {
      // on the way back to 3.3.7 alone: what has an equivalent on the way to 4.0
      {SN_RULE_MARGIN_SUM, SN_OBJ_GEOM, hasMargin,
       "under 4.0 its margin and gap are added to those of what it meets,"},
      {SN_RULE_MOCAP_WELD, SN_OBJ_BODY, isMocap,
       "under 4.0 it does not touch children across a joint, nor is it static to rays,"},
};

// ---- what only the two models side by side show

static bool hasOtherHull(const snModel* before, const snModel* after, int mesh)
{
    const int a = before->mesh_graphadr[mesh], b = after->mesh_graphadr[mesh];
    if (a < 0 || b < 0) return false;
    const int *old = before->mesh_graph + a, *new = after->mesh_graph + b, count = old[0];
    return new[0] != count ||
           memcmp(old + 2 + count, new + 2 + count, (size_t)count * sizeof *old) != 0; // vertices
}

static bool isTurnedOver(const snModel* before, const snModel* after, int mesh)
{
    if (!before->mesh_facenum[mesh]) return false;
    const int* old = before->mesh_face + 3 * before->mesh_faceadr[mesh];
    const int* new = after->mesh_face + 3 * after->mesh_faceadr[mesh];
    return old[1] == new[2] && old[2] == new[1] && old[1] != old[2];
}

static const struct Compared {
    snRule rule;
    bool (*shows)(const snModel* before, const snModel* after, int mesh);
    const char* sentence;
} compared[] = {
    {SN_RULE_HULL_VERTICES, hasOtherHull, "under 4.0 its hull has other vertices,"},
    {SN_RULE_MIRRORED_MESH, isTurnedOver, "under 4.0 its triangles are turned over,"},
};

// Bodies or geoms that are in one of the models alone.
static const struct Counted {
    snRule rule;
    int objtype;
    const char* sentence;
} counted[] = {
    {SN_RULE_FUSED_FORCES, SN_OBJ_BODY,
     "under 4.0 fusestatic keeps what a fluid acts on, and takes in what has no mass,"},
    {SN_RULE_DISCARDED_FLUID_SHAPES, SN_OBJ_GEOM, "under 4.0 discardvisual keeps what has a fluidshape,"},
};

static int countOf(const snModel* m, int objtype)
{
    switch (objtype) {
    case SN_OBJ_SENSOR: return m->nsensor;
    case SN_OBJ_EQUALITY: return m->neq;
    case SN_OBJ_GEOM: return m->ngeom;
    case SN_OBJ_ACTUATOR: return m->nactuator;
    case SN_OBJ_TENDON: return m->ntendon;
    case SN_OBJ_BODY: return m->nbody;
    case SN_OBJ_FLEX: return m->nflex;
    default: return 1;
    }
}

// Sentences say what 4.0 does, so that on the way back it is what is lost.
static bool leave(const cliMigration* g, const snElement* e, const char* sentence)
{
    if (g->after->physics >= SN_PHYSICS_V4_0) return cli_leave(g, e, sentence);
    char text[300];
    snprintf(text, sizeof text, "%s which 3.3.7 cannot say,", sentence);
    return cli_leave(g, e, text);
}

static bool nameRule(const cliMigration* g, const struct Named* n)
{
    const snModel* m = g->before;
    if (!cli_differs(g, n->rule)) return true;
    for (int id = 0; id < countOf(m, n->objtype); id++) {
        if (!n->shows(m, id)) continue;
        const snElement* e = n->objtype == SN_OBJ_UNKNOWN ? sn_section(g->spec, "option", g->error)
                                                          : cli_elementOf(g, n->objtype, id);
        if (e && !leave(g, e, n->sentence)) return false;
    }
    return true;
}

static bool nameMeshes(const cliMigration* g, const struct Compared* c)
{
    if (!cli_differs(g, c->rule) || g->before->nmesh != g->after->nmesh) return true;
    for (int id = 0; id < g->before->nmesh; id++) {
        const snElement* e = c->shows(g->before, g->after, id) ? cli_elementOf(g, SN_OBJ_MESH, id) : NULL;
        if (e && !leave(g, e, c->sentence)) return false;
    }
    return true;
}

// The elements that one of the models has by name and the other has not; where none has a name, the
// compiler's.
static bool nameMissing(const cliMigration* g, const struct Counted* c)
{
    if (!cli_differs(g, c->rule) || countOf(g->before, c->objtype) == countOf(g->after, c->objtype))
        return true;
    bool found = false;
    for (snElement* e = sn_root(g->spec); e; e = sn_nextInTree(sn_root(g->spec), e)) {
        const char* name = sn_elementType(e) == c->objtype ? sn_getText(g->spec, e, "name") : NULL;
        if (!name ||
            (sn_name2id(g->before, c->objtype, name) < 0) == (sn_name2id(g->after, c->objtype, name) < 0))
            continue;
        found = true;
        if (!leave(g, e, c->sentence)) return false;
    }
    const snElement* compiler = found ? NULL : sn_section(g->spec, "compiler", g->error);
    return found || (compiler && leave(g, compiler, c->sentence));
}

bool cli_nameRest(const cliMigration* g)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (!nameRule(g, named + i)) return false;
    const bool back = g->after->physics < SN_PHYSICS_V4_0;
    for (size_t i = 0; back && i < sizeof lost / sizeof *lost; i++)
        if (!nameRule(g, lost + i)) return false;
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        if (!nameMeshes(g, compared + i)) return false;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        if (!nameMissing(g, counted + i)) return false;
    return true;
}
