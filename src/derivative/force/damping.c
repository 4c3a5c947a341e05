// How D w changes, D = qDeriv. Actuators and dampers of tendons give D the squares b J J', as far as dofs of
// one chain go, so that with the places P of D row r of D w has b J_r a_r, a_r = sum over c in P(r) of J_c
// w_c, and changes by
//     db J_r a_r + b dJ_r a_r + b J_r sum over c in P(r) of dJ_c w_c.
// Source: seed 001, "Numerical integration"; the derivatives are worked out here.
#include "derivative/force/damping.h"
#include <string.h>
#include "derivative/force/actuator.h"
#include "derivative/force/force.h"
#include "derivative/smooth/bias.h"
#include "model/arena.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/law/law.h"
#include "smooth/actuator/so3.h"
#include "smooth/passive/fluid.h"
#include "smooth/tendon/tendon.h"
#include "smooth/velocity_derivative.h"

// Scratch for one square.
typedef struct Work {
    double *J, *a, *slope; // [nv] dense arms, a_r, db/dq
    double* H;             // [nv x nv] dJ/dq
    int* rows;             // [nv] those where J or H is not 0
    int count;
} Work;

static void load(const snModel* m, const snTendonArms* arms, Work* work)
{
    const size_t nv = (size_t)m->nv;
    memset(work->J, 0, nv * sizeof(double));
    memset(work->slope, 0, nv * sizeof(double));
    memset(work->H, 0, nv * nv * sizeof(double));
    for (int k = 0; k < arms->num; k++) work->J[arms->dofs[k]] = arms->J[k];
}

// Once J and H are there: the rows and a.
static void prepare(const snModel* m, const double* w, Work* work)
{
    const size_t nv = (size_t)m->nv;
    work->count = 0;
    for (size_t r = 0; r < nv; r++) {
        bool any = work->J[r] != 0;
        for (size_t c = 0; c < nv && !any; c++) any = work->H[r * nv + c] != 0;
        if (any) work->rows[work->count++] = (int)r;
    }
    for (int x = 0; x < work->count; x++) {
        double sum = 0;
        for (int y = 0; y < work->count; y++)
            if (sn_haveOneChain(m, work->rows[x], work->rows[y]))
                sum += work->J[work->rows[y]] * w[work->rows[y]];
        work->a[work->rows[x]] = sum;
    }
}

static void addSquare(const snModel* m, const double* w, const Work* work, double b, double* q)
{
    const size_t nv = (size_t)m->nv;
    for (int x = 0; x < work->count; x++) {
        const int r = work->rows[x];
        double* row = q + (size_t)r * nv;
        for (size_t k = 0; k < nv; k++)
            row[k] += work->a[r] * (work->J[r] * work->slope[k] + b * work->H[(size_t)r * nv + k]);
        for (int y = 0; y < work->count && work->J[r] != 0; y++) {
            const int c = work->rows[y];
            if (!sn_haveOneChain(m, r, c)) continue;
            const double scale = b * work->J[r] * w[c];
            for (size_t k = 0; k < nv; k++) row[k] += scale * work->H[(size_t)c * nv + k];
        }
    }
}

// ---- actuators

// Of b by length, velocity and what the gain acts on.
typedef struct Slopes {
    double length, velocity, input;
} Slopes;

static Slopes slopesOf(const snModel* m, const snData* d, int i)
{
    const int a = m->actuator_actadr[i];
    const double u = a >= 0 ? d->act[a + m->actuator_actnum[i] - 1] : sn_actuatorControl(m, d, i);
    if (!(fabs(u) <= SN_MAXVAL)) return (Slopes){0, 0, 0};
    const snLawPoint point = sn_gainPoint(m, d, i);
    const snLawSlopes gain = sn_gainLaw(m->actuator_gaintype[i])->slopes(&point);
    return (Slopes){gain.velocity_length * u, gain.velocity_velocity * u, gain.velocity};
}

static snTendonArms armsOf(const snData* d, int out)
{
    const int at = d->moment_rowadr[out];
    return (snTendonArms){d->moment_colind + at, d->actuator_moment + at, d->moment_rownnz[out]};
}

// Of one force of an orientation servo, whose b stays as it is.
static void addAxis(const snModel* m, const snData* d, int i, int axis, double b, const double* w, Work* work,
                    double* q)
{
    const snTendonArms arms = armsOf(d, m->actuator_outadr[i] + axis);
    load(m, &arms, work);
    sn_axisMomentDerivative(m, d, i, axis, 1, work->H);
    prepare(m, w, work);
    addSquare(m, w, work, b, q);
}

static void addOrientation(const snModel* m, snData* d, int i, const double* w, Work* work,
                           const snDampingSum* sum)
{
    const double b = sn_actuatorDamping(m, d, i);
    for (int k = 0; k < 3 && b != 0 && sum->q; k++) addAxis(m, d, i, k, b, w, work, sum->q);
}

static void addActuator(const snModel* m, snData* d, int i, const double* w, Work* work,
                        const snDampingSum* sum)
{
    const size_t nv = (size_t)m->nv, na = (size_t)m->na, nu = (size_t)m->nu;
    const double b = sn_actuatorDamping(m, d, i);
    const Slopes s = slopesOf(m, d, i);
    if (b == 0 && s.length == 0 && s.velocity == 0 && s.input == 0) return;
    const int act = m->actuator_actadr[i], ctrl = m->actuator_ctrladr[i];
    const snTendonArms arms = armsOf(d, m->actuator_outadr[i]);
    load(m, &arms, work);
    sn_addMomentDerivative(m, d, i, work->H);
    prepare(m, w, work);
    if (s.length != 0) sn_actuatorLengthGradient(m, d, i, s.length, work->slope);
    for (int x = 0; x < work->count && s.velocity != 0; x++)
        for (size_t k = 0; k < nv; k++)
            work->slope[k] += s.velocity * d->qvel[work->rows[x]] * work->H[(size_t)work->rows[x] * nv + k];
    if (sum->q) addSquare(m, w, work, b, sum->q);
    for (int x = 0; x < work->count; x++) {
        const size_t r = (size_t)work->rows[x];
        const double scale = work->J[r] * work->a[r];
        for (size_t k = 0; k < nv && sum->v; k++) sum->v[r * nv + k] += scale * s.velocity * work->J[k];
        if (sum->act && act >= 0)
            sum->act[r * na + (size_t)(act + m->actuator_actnum[i] - 1)] += scale * s.input;
        if (sum->u && act < 0 && s.input != 0)
            sum->u[r * nu + (size_t)ctrl] += scale * s.input * sn_controlSlope(m, d, ctrl);
    }
}

// Engine and derivative alike leave out what stands at a limit.
static void actuators(const snModel* m, snData* d, const double* w, Work* work, const snDampingSum* sum)
{
    if (m->opt.disableflags & SN_DSBL_ACTUATION) return;
    for (int i = 0; i < m->nactuator; i++) {
        if (sn_isActuatorDisabled(m, i) || sn_isActuatorSaturated(m, d, i)) continue;
        (sn_isOrientationServo(m, i) ? addOrientation : addActuator)(m, d, i, w, work, sum);
    }
}

static snStatus checkActuators(const snModel* m, snData* d, snError* error)
{
    if (m->opt.disableflags & SN_DSBL_ACTUATION) return SN_STATUS_OK;
    for (int i = 0; i < m->nactuator; i++) {
        if (m->actuator_trntype[i] != SN_TRN_BODY || sn_isActuatorDisabled(m, i)) continue;
        const snStatus status = sn_checkAdhesion(m, d, i, error);
        if (status != SN_STATUS_OK) return status;
    }
    return SN_STATUS_OK;
}

// ---- dampers

// How the damping of a damper changes with its velocity.
static double dampingRate(snCubic damper, double velocity)
{
    const double curvature = sn_cubicCurvature(damper, fabs(velocity));
    return velocity < 0 ? -curvature : curvature;
}

void sn_addDofDampingRate(const snModel* m, const snData* d, const double* w, double scale, double* v,
                          int stride)
{
    if (m->opt.disableflags & SN_DSBL_DAMPER) return;
    for (int k = 0; k < m->nv; k++)
        v[(ptrdiff_t)k * stride + k] -= scale * dampingRate(sn_damperOfDof(m, k), d->qvel[k]) * w[k];
}

static void addTendon(const snModel* m, const snData* d, int t, const double* w, Work* work,
                      const snDampingSum* sum)
{
    const size_t nv = (size_t)m->nv;
    const snCubic damper = sn_damperOfTendon(m, t);
    const double rate = dampingRate(damper, d->ten_velocity[t]);
    const snTendonArms arms = sn_armsOfTendon(d, t);
    load(m, &arms, work);
    sn_tendonLengthDerivative(m, d, t, 1, work->H);
    prepare(m, w, work);
    for (int x = 0; x < work->count && rate != 0; x++)
        for (size_t k = 0; k < nv; k++)
            work->slope[k] -= rate * d->qvel[work->rows[x]] * work->H[(size_t)work->rows[x] * nv + k];
    if (sum->q) addSquare(m, w, work, -sn_cubicSlope(damper, fabs(d->ten_velocity[t])), sum->q);
    for (int x = 0; x < work->count && sum->v; x++) {
        const size_t r = (size_t)work->rows[x];
        for (size_t k = 0; k < nv; k++) sum->v[r * nv + k] -= rate * work->J[r] * work->a[r] * work->J[k];
    }
}

static void tendons(const snModel* m, const snData* d, const double* w, Work* work, const snDampingSum* sum)
{
    if (m->opt.disableflags & SN_DSBL_DAMPER) return;
    for (int t = 0; t < m->ntendon; t++) {
        const snCubic damper = sn_damperOfTendon(m, t);
        const bool fixed = m->wrap_type[m->tendon_adr[t]] == SN_WRAP_JOINT;
        if (!sn_cubicIsZero(damper) && !(fixed && sn_cubicIsLinear(damper))) addTendon(m, d, t, w, work, sum);
    }
}

// ---- all

static bool squares(const snModel* m, snData* d, const double* w, const snDampingSum* sum)
{
    const size_t mark = sn_scratchMark(d);
    Work work = {sn_scratchReal(d, m->nv), sn_scratchReal(d, m->nv),
                 sn_scratchReal(d, m->nv), sn_scratchAlloc(d, (size_t)m->nv * (size_t)m->nv * sizeof(double)),
                 sn_scratchInt(d, m->nv),  0};
    const bool room = work.J && work.a && work.slope && work.H && work.rows;
    if (room) {
        actuators(m, d, w, &work, sum);
        tendons(m, d, w, &work, sum);
        if (sum->v) sn_addDofDampingRate(m, d, w, 1, sum->v, m->nv);
    }
    sn_scratchRelease(d, mark);
    return room;
}

snStatus sn_dampingDerivative(const snModel* m, snData* d, const double* w, snGyroBodies bias, double* q,
                              double* v, double* act, double* u, snError* error)
{
    const snDampingSum sum = {q, v, act, u};
    const int none = SN_DSBL_SPRING | SN_DSBL_DAMPER;
    const bool fluid = sn_hasFluid(m) && (m->opt.disableflags & none) != none;
    snStatus status = checkActuators(m, d, error);
    if (status != SN_STATUS_OK || m->nv == 0) return status;
    if (bias) status = sn_biasDampingDerivative(m, d, w, bias, &sum, error);
    if (status != SN_STATUS_OK) return status;
    if (squares(m, d, w, &sum) && (!fluid || sn_fluidDampingDerivative(m, d, w, bias, &sum)))
        return SN_STATUS_OK;
    return sn_failRoom(error);
}
