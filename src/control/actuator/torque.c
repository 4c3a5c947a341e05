// Torques of actuators: see torque.h.
#include "control/actuator/torque.h"
#include <math.h>
#include <sinew/smooth.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "control/actuator/group.h"
#include "control/actuator/law.h"
#include "control/actuator/reach.h"
#include "smooth/actuator/activation.h"

struct snControlActuatorsWork {
    snActuatorGroups* groups;
    unsigned char* reach;          // [nv]
    double *given, *target, *rest; // [nv]
    bool foreign;                  // some actuator that can give force is not spanned
};

// ---- memory

// clang-format off
#define ARRAYS(X) \
    X(a->actuated, nv) X(a->owned, nv) X(w->reach, nv) X(a->spanned, nactuator) X(w->given, nv) X(w->target, nv) \
    X(w->rest, nv)
// clang-format on

// Lays the arrays out behind the two structs; returns the bytes that all take.
static size_t layOut(snControlActuators* a, struct snControlActuatorsWork* w, char* block)
{
    const size_t nv = (size_t)a->nv, nactuator = (size_t)a->nactuator;
    size_t at = sn_alignUp(sizeof *a) + sn_alignUp(sizeof *w);
#define X(array, count)                                                                                      \
    if (block) array = (void*)(block + at);                                                                  \
    at += sn_alignUp((count) * sizeof *array);
    ARRAYS(X)
#undef X
    return at;
}

static void findActuated(const snModel* m, snControlActuators* a)
{
    bool any = false;
    for (int i = 0; i < m->nv; i++) any = any || a->work->reach[i];
    for (int i = 0; i < m->nv; i++) {
        a->actuated[i] = any ? a->work->reach[i] != 0 : m->jnt_type[m->dof_jntid[i]] != SN_JNT_FREE;
        a->rows += (a->work->reach[i] & SN_REACH_SHARED) != 0;
    }
}

snControlActuators* sn_makeControlActuators(const snModel* m, snError* error)
{
    snControlActuators size = {.nv = m->nv, .nactuator = m->nactuator};
    snControlActuators* a = sn_calloc(layOut(&size, NULL, NULL));
    if (!a) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "no memory for the actuators of a controller");
        return NULL;
    }
    *a = size;
    a->work = (void*)((char*)a + sn_alignUp(sizeof *a));
    layOut(a, a->work, (char*)a);
    for (int i = 0; i < m->nactuator; i++) {
        a->spanned[i] = sn_isActuatorSpanned(m, i);
        a->work->foreign = a->work->foreign || !a->spanned[i];
    }
    if (sn_actuatorReach(m, a->work->reach))
        a->work->groups = sn_makeActuatorGroups(m, a->work->reach, a->spanned, error);
    else
        sn_fail(error, SN_STATUS_NO_MEMORY, "no memory for a data of the model");
    if (a->work->groups) {
        findActuated(m, a);
        return a;
    }
    sn_freeControlActuators(a);
    return NULL;
}

void sn_freeControlActuators(snControlActuators* a)
{
    if (!a) return;
    sn_freeActuatorGroups(a->work->groups);
    sn_free(a);
}

// ---- limits

static void clampTotal(const snModel* m, double* torque)
{
    for (int j = 0; j < m->njnt; j++)
        if (m->jnt_actfrclimited[j])
            torque[m->jnt_dofadr[j]] = sn_clampToRange(torque[m->jnt_dofadr[j]], m->jnt_actfrcrange + 2 * j);
}

// Adds arm [low, high] to an interval.
static void addInterval(double arm, double low, double high, double* lower, double* upper)
{
    if (arm == 0) return;
    *lower += arm > 0 ? arm * low : arm * high;
    *upper += arm > 0 ? arm * high : arm * low;
}

// Nothing where spanned actuators reach, anything elsewhere.
static void startInterval(const snControlActuators* a, int unlimited, double* lower, double* upper)
{
    for (int i = 0; i < a->nv; i++) {
        const int reach = a->work->reach[i];
        const bool limited = reach & SN_REACH_SPANNED && !(reach & unlimited);
        lower[i] = limited ? 0 : -(double)INFINITY;
        upper[i] = limited ? 0 : (double)INFINITY;
    }
}

void sn_controlTorqueRange(const snModel* m, const snControlActuators* a, double* lower, double* upper)
{
    startInterval(a, SN_REACH_SHARED, lower, upper);
    for (int i = 0; i < m->nactuator; i++) {
        if (!sn_isActuatorOnJoint(m, i)) continue;
        const int dof = m->jnt_dofadr[m->actuator_trnid[2 * i]];
        double low = -(double)INFINITY, high = INFINITY;
        if (a->spanned[i]) sn_actuatorForceRange(m, i, &low, &high);
        addInterval(m->actuator_gear[6 * m->actuator_outadr[i]], low, high, lower + dof, upper + dof);
    }
    for (int i = 0; m->ngravcomp && i < m->nv; i++)
        if (m->jnt_actgravcomp[m->dof_jntid[i]]) lower[i] = -(upper[i] = INFINITY);
    clampTotal(m, lower);
    clampTotal(m, upper);
}

static void addForce(const snData* d, int out, double force, double* torque)
{
    const int first = d->moment_rowadr[out], end = first + d->moment_rownnz[out];
    for (int e = first; e < end; e++) torque[d->moment_colind[e]] += d->actuator_moment[e] * force;
}

void sn_controlGiven(const snModel* m, snData* d, const snControlActuators* a, double* given)
{
    memset(given, 0, (size_t)m->nv * sizeof *given);
    if (m->nactuator == 0 || m->opt.disableflags & SN_DSBL_ACTUATION) return;
    if (m->ngravcomp && !(m->opt.disableflags & SN_DSBL_GRAVITY))
        for (int k = 0; k < m->nv; k++)
            if (m->jnt_actgravcomp[m->dof_jntid[k]]) given[k] = d->qfrc_gravcomp[k];
    if (!a->work->foreign) return;
    sn_fwdActuation(m, d);
    for (int i = 0; i < m->nactuator; i++)
        for (int out = m->actuator_outadr[i], k = 0; k < m->actuator_outnum[i] && !a->spanned[i]; k++)
            addForce(d, out + k, d->actuator_force[out + k], given);
}

void sn_controlTorqueLimits(const snModel* m, snData* d, snControlActuators* a, double* lower, double* upper)
{
    const struct snControlActuatorsWork* w = a->work;
    sn_controlGiven(m, d, a, w->given);
    startInterval(a, 0, lower, upper);
    for (int i = 0; i < m->nactuator; i++) {
        if (!a->spanned[i]) continue;
        const snActuatorLaw law = sn_actuatorLaw(m, d, i);
        const int out = m->actuator_outadr[i], first = d->moment_rowadr[out],
                  end = first + d->moment_rownnz[out];
        for (int e = first; e < end; e++) {
            const int dof = d->moment_colind[e];
            addInterval(d->actuator_moment[e], law.low, law.high, lower + dof, upper + dof);
        }
    }
    for (int k = 0; k < m->nv; k++) {
        lower[k] += w->given[k];
        upper[k] += w->given[k];
    }
    clampTotal(m, lower);
    clampTotal(m, upper);
}

int sn_controlTorqueRows(const snModel* m, snData* d, snControlActuators* a, int columns, double* G,
                         double* lower, double* upper)
{
    if (a->rows == 0) return 0;
    snActuatorGroups* groups = a->work->groups;
    int rows = 0;
    sn_controlGiven(m, d, a, a->work->given);
    sn_groupActuators(m, d, groups);
    for (int k = 0; k < m->nv; k++)
        if (groups->root[k] == k && groups->dofs[k] > 1)
            rows += sn_groupRows(d, groups, k, a->work->given, columns, G + (size_t)rows * (size_t)columns,
                                 lower + rows, upper + rows);
    return rows;
}

// ---- controls

// What is asked of the spanned actuators, and of dofs without them what is left to qfrc_applied.
static void splitTorque(const snModel* m, snData* d, const snControlActuators* a, const double* tau)
{
    const struct snControlActuatorsWork* w = a->work;
    sn_controlGiven(m, d, a, w->given);
    for (int k = 0; k < m->nv; k++) w->target[k] = tau[k] - w->given[k];
    memcpy(w->rest, w->given, (size_t)m->nv * sizeof(double));
    clampTotal(m, w->rest);
    for (int k = 0; k < m->nv; k++) w->rest[k] = tau[k] - w->rest[k];
}

// Below this part of the largest torque a rest is what the caller's solver left beside what actuators span,
// and on other dofs rounding, not a force to be applied.
static const double SMALL_REST = 1e-7, ROUNDING = 1e-13;

static bool applyRest(const snModel* m, snData* d, snControlActuators* a, const double* tau)
{
    const struct snControlActuatorsWork* w = a->work;
    double scale = 0;
    bool any = false;
    for (int k = 0; k < m->nv; k++) scale = sn_max(sn_max(fabs(tau[k]), fabs(w->given[k])), scale);
    for (int k = 0; k < m->nv; k++) {
        const bool spanned = w->reach[k] & SN_REACH_SPANNED, bare = a->actuated[k] && !spanned;
        const bool own = bare || fabs(w->rest[k]) > (spanned ? SMALL_REST : ROUNDING) * scale;
        if (own)
            d->qfrc_applied[k] = w->rest[k];
        else if (a->owned[k])
            d->qfrc_applied[k] = 0;
        a->owned[k] = own;
        any = any || own;
    }
    return any;
}

int sn_controlWrite(const snModel* m, snData* d, snControlActuators* a, const double* tau)
{
    struct snControlActuatorsWork* w = a->work;
    snActuatorGroups* groups = w->groups;
    int output = SN_OUTPUT_NONE;
    splitTorque(m, d, a, tau);
    sn_groupActuators(m, d, groups);
    for (int k = 0; k < m->nv; k++)
        if (groups->root[k] == k && w->reach[k] & SN_REACH_SPANNED)
            sn_solveGroup(d, groups, k, w->target, w->rest);
    for (int i = 0; i < m->nactuator; i++) {
        if (!a->spanned[i]) continue;
        d->ctrl[m->actuator_ctrladr[i]] = sn_controlOfForce(m, i, groups->law[i], groups->force[i]);
        output |= SN_OUTPUT_CTRL;
    }
    return output | (applyRest(m, d, a, tau) ? SN_OUTPUT_APPLIED : 0);
}
