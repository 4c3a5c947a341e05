// Robots and controllers for tests of whole cycles, and the engine under what a controller decides.
#ifndef SINEW_TEST_CONTROLLER_CASE_H
#define SINEW_TEST_CONTROLLER_CASE_H

#include <math.h>
#include <sinew/control.h>
#include <stdio.h>
#include "model_text.h"
#include "random_tree.h"

/// A leg of six hinges and a foot with site `foot`, whose sole is 0.05 below.
#define BIPED_LEG(side, y)                                                                                   \
    "<body pos='0 " y " -.1'><joint name='" side "_yaw' axis='0 0 1'/><geom size='.05' mass='1'/>"           \
    "<body><joint name='" side "_roll' axis='1 0 0'/><geom size='.05' mass='1'/>"                            \
    "<body><joint name='" side "_hip' axis='0 1 0'/><geom size='.06' mass='3' pos='0 0 -.2'/>"               \
    "<body pos='0 0 -.4'><joint name='" side "_knee' axis='0 1 0' range='0 150'/>"                           \
    "<geom size='.05' mass='2' pos='0 0 -.2'/>"                                                              \
    "<body pos='0 0 -.4'><joint name='" side "_pitch' axis='0 1 0'/><geom size='.03' mass='.3'/>"            \
    "<body name='" side "_foot'><joint name='" side "_ankle' axis='1 0 0'/>"                                 \
    "<geom type='box' size='.1 .05 .02' pos='.02 0 -.03' mass='1'/>"                                         \
    "<site name='" side "_foot' pos='.02 0 -.05'/></body></body></body></body></body></body>"
#define BIPED_ARM(side, y)                                                                                   \
    "<body pos='0 " y " .3'><joint name='" side "_shoulder' axis='0 1 0'/>"                                  \
    "<geom size='.04' mass='1' pos='0 0 -.1'/><body pos='0 0 -.25'>"                                         \
    "<joint name='" side "_elbow' axis='0 1 0'/><geom size='.03' mass='.8' pos='.1 0 0'/>"                   \
    "<body pos='.2 0 0'><joint name='" side "_wrist' axis='1 0 0'/><geom size='.03' mass='.3'/>"             \
    "<site name='" side "_hand' pos='.05 0 0'/></body></body></body>"
#define BIPED                                                                                                \
    "<body name='base' pos='0 0 1'><freejoint/><geom type='box' size='.1 .15 .2' mass='15' pos='0 0 "        \
    ".1'/>" BIPED_LEG("left", ".1") BIPED_LEG("right", "-.1") BIPED_ARM("left", ".2")                        \
        BIPED_ARM("right", "-.2") "</body>"
#define BIPED_MODEL(option)                                                                                  \
    "<mujoco>" option "<compiler autolimits='true'/><default><joint armature='.01' damping='.5'/>"           \
    "<geom contype='0' conaffinity='0'/></default><worldbody>" BIPED "</worldbody></mujoco>"

static inline int idOf(const snModel* m, int type, const char* name)
{
    const int id = sn_name2id(m, type, name);
    if (id < 0) fail_msg("no %s", name);
    return id;
}

static inline snController* controllerOf(const snModel* m, const snControllerSettings* settings)
{
    snControllerSettings own;
    snError error = {0};
    sn_defaultController(&own);
    snController* c = sn_makeController(m, settings ? settings : &own, &error);
    if (!c) fail_msg("%s", error.message);
    return c;
}

static inline snTask* addTask(snController* c, const snTaskSettings* s)
{
    snError error = {0};
    const int i = sn_controllerAddTask(c, s, &error);
    if (i < 0) fail_msg("%s", error.message);
    return c->task[i];
}

static inline snTask* addSite(snController* c, int type, const char* site, int level)
{
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = type;
    s.name = site;
    s.level = level;
    s.objtype = SN_OBJ_SITE;
    if (site) s.objid = idOf(c->model, SN_OBJ_SITE, site);
    return addTask(c, &s);
}

/// A task on the whole: centre of mass, posture, ...
static inline snTask* addWhole(snController* c, int type, int level)
{
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = type;
    s.level = level;
    return addTask(c, &s);
}

/// A sole with four points on a site.
static inline snContactSettings soleOn(const snModel* m, const char* site)
{
    snContactSettings s;
    sn_defaultContact(&s);
    s.name = site;
    s.objid = idOf(m, SN_OBJ_SITE, site);
    s.npoint = 4;
    for (int p = 0; p < 4; p++) {
        s.point[p][0] = p & 1 ? .1 : -.1;
        s.point[p][1] = p & 2 ? .05 : -.05;
    }
    s.mu = .6;
    return s;
}

static inline snControlContact* addContact(snController* c, const snContactSettings* s)
{
    snError error = {0};
    const int i = sn_controllerAddContact(c, s, &error);
    if (i < 0) fail_msg("%s", error.message);
    if (sn_controllerContact(c, i, true, &error) != SN_STATUS_OK) fail_msg("%s", error.message);
    return c->contact[i];
}

static inline void solve(snController* c, snData* d)
{
    snError error = {0};
    if (sn_controllerSolve(c, d, &error) != SN_STATUS_OK) fail_msg("%s", error.message);
    assert_int_equal(c->result.status, SN_QP_SOLVED);
}

static inline void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.15g, not %.15g (%.3g)", a, b, a - b);
}

static inline double largest(const double* x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/// Adds a contact's wrench to xfrc_applied of its body, and the opposite to the other's.
static inline void applyWrench(const snModel* m, snData* d, const snControlContact* contact)
{
    const int site = contact->set.objid;
    const double *pos = d->site_xpos + 3 * site, *f = contact->wrench;
    const int body[2] = {m->site_bodyid[site],
                         contact->set.reftype == SN_OBJ_UNKNOWN ? 0 : m->site_bodyid[contact->set.refid]};
    for (int side = 0; side < 2; side++) {
        const double sign = side ? -1 : 1, *at = d->xipos + 3 * body[side];
        const double arm[3] = {pos[0] - at[0], pos[1] - at[1], pos[2] - at[2]};
        double* x = d->xfrc_applied + 6 * body[side];
        for (int k = 0; k < 3 && body[side]; k++) {
            x[k] += sign * f[k];
            x[3 + k] +=
                sign * (f[3 + k] + arm[(k + 1) % 3] * f[(k + 2) % 3] - arm[(k + 2) % 3] * f[(k + 1) % 3]);
        }
    }
}

/// The engine at d's state under the controller's torques and contact forces, which no actuator or contact of
/// its own gives. `owner` was solved at d.
static inline void engineUnder(const snController* c, snData* d)
{
    for (int i = 0; i < c->model->nv; i++) d->qfrc_applied[i] += c->tau[i];
    for (int i = 0; i < c->ncontact; i++)
        if (c->contact[i]->address >= 0) applyWrench(c->model, d, c->contact[i]);
    sn_forward(c->model, d);
}

/// x is the engine's qacc, to `tolerance` of the largest.
static inline void movesAsPlanned(const snController* c, snData* d, double tolerance)
{
    engineUnder(c, d);
    for (int i = 0; i < c->model->nv; i++)
        near(d->qacc[i], c->qacc[i], tolerance * (1 + largest(c->qacc, c->model->nv)));
}

static inline void disturb(const snModel* m, snData* d, Random* r, double position, double velocity)
{
    for (int j = 0; j < m->njnt; j++)
        if (m->jnt_type[j] == SN_JNT_HINGE || m->jnt_type[j] == SN_JNT_SLIDE)
            d->qpos[m->jnt_qposadr[j]] += position * randomReal(r);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = velocity * randomReal(r);
}

/// The biped with bent knees, both soles level and flat, at rest.
static inline void crouch(const snModel* m, snData* d)
{
    static const char* const SIDE[] = {"left", "right"};
    char name[32];
    for (int s = 0; s < 2; s++) {
        const struct {
            const char* joint;
            double angle;
        } bent[] = {{"hip", -.4}, {"knee", .8}, {"pitch", -.4}, {"elbow", -.5}};
        for (int k = 0; k < 4; k++) {
            snprintf(name, sizeof name, "%s_%s", SIDE[s], bent[k].joint);
            d->qpos[m->jnt_qposadr[idOf(m, SN_OBJ_JOINT, name)]] = bent[k].angle;
        }
    }
}

#endif
