#include "derivative/step/acceleration.h"
#include <math.h>
#include <string.h>
#include <sinew/pipeline.h>
#include <sinew/support.h>
#include "base/error.h"
#include "derivative/constraint/constraint.h"
#include "derivative/constraint/loop.h"
#include "derivative/constraint/loop_spring.h"
#include "derivative/constraint/loop_system.h"
#include "derivative/constraint/polish.h"
#include "derivative/force/force.h"
#include "derivative/smooth/bias.h"
#include "derivative/step/columns.h"
#include "math/panel.h"
#include "model/arena.h"
#include "model/contact.h"
#include "model/kinds.h"
#include "model/late.h"
#include "model/sleep.h"

double* sn_scratchMatrix(snData* d, int rows, int columns)
{
    const size_t bytes = (size_t)rows * (size_t)columns * sizeof(double);
    double* a = sn_scratchAlloc(d, bytes);
    if (a) memset(a, 0, bytes);
    return a;
}

snStatus sn_noRoom(const snData* d, snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY,
                   "derivative of a step: the arena of %zu bytes is full; give the model more memory by "
                   "<size memory>",
                   d->narena);
}

// ---- what has a derivative

static snStatus refuse(snError* error, const char* cause)
{
    return sn_fail(error, SN_STATUS_UNSUPPORTED,
                   "derivative of a step: %s has none; sn_transitionFD takes it, by differences", cause);
}

static const char* callbackName(const snCallbacks* c)
{
    return c->passive         ? "passive"
           : c->control       ? "control"
           : c->contactfilter ? "contactfilter"
           : c->sensor        ? "sensor"
           : c->act_dyn       ? "act_dyn"
           : c->act_gain      ? "act_gain"
           : c->act_bias      ? "act_bias"
                              : NULL;
}

snStatus sn_isStepDifferentiable(const snModel* m, const snData* d, snError* error)
{
    const char* callback = callbackName(&d->callback);
    if (callback)
        return sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "derivative of a step: the user's function callback.%s has none; sn_transitionFD takes it, by "
            "differences",
            callback);
    if (m->nplugin)
        return sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "derivative of a step: the plugin '%s' has none; sn_transitionFD takes it, by differences",
            m->plugin_name + m->plugin_nameadr[0]);
    const snStatus late = sn_refuseLateActuator(m, "derivative of a step", error);
    if (late) return late;
    if (m->opt.servo == SN_SERVO_END && sn_integratorKind(m->opt.integrator).implicit)
        return refuse(error, "an implicit step with the option servo at end");
    if (sn_integratorKind(m->opt.integrator).metric)
        return refuse(error, "a step of the integrator discrete");
    if (m->opt.contact == SN_CONTACT_LCP) return refuse(error, "rigid contact (contact lcp)");
    if (sn_maySleep(m))
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "derivative of a step: the flag sleep holds trees still: disable it for this");
    if (m->opt.noslip_iterations > 0) return refuse(error, "a solver with noslip_iterations above 0");
    return SN_STATUS_OK;
}

// ---- the point

static bool isGood(const double* x, int n)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= SN_MAXVAL)) return false;
    return true;
}

static int fullArenas(const snData* d)
{
    return d->warning[SN_WARN_CONTACTFULL].number + d->warning[SN_WARN_CNSTRFULL].number;
}

static bool touchesFlex(const snData* d)
{
    for (int c = 0; c < d->ncon; c++)
        if (sn_isFlexContact(d->contact + c)) return true;
    return false;
}

snStatus sn_forwardPolished(const snModel* m, snData* d, bool sensors, snError* error)
{
    const int full = fullArenas(d);
    if (!isGood(d->qpos, m->nq) || !isGood(d->qvel, m->nv) || !isGood(d->act, m->na) ||
        !isGood(d->ctrl, m->nu))
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "derivative of a step: a number of qpos, qvel, act or ctrl is not finite or too large");
    sn_forwardSkip(m, d, SN_STAGE_NONE, !sensors);
    if (fullArenas(d) != full) return sn_noRoom(d, error);
    if (!isGood(d->qacc, m->nv))
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "derivative of a step: a number of qacc is not finite or too large: a step would reset "
            "the state");
    if (touchesFlex(d)) return refuse(error, "a step with contacts of flexes");
    return d->nefc ? sn_polish(m, d, error) : SN_STATUS_OK;
}

// ---- its derivative

typedef struct Parts {
    snForceDerivative sum;
    double* wrench;      // [nbody x 6]
    double *rowq, *rowv; // [nlooprow x nv] what loops ask of qacc
} Parts;

// Derivatives of all forces less M qacc + bias.
static snStatus addForces(const snModel* m, snData* d, Parts* p, snError* error)
{
    snForceDerivative* sum = &p->sum;
    snStatus status = sn_appliedDerivative(m, d, p->wrench, sum, error);
    if (!status) status = sn_passiveDerivative(m, d, sum, error);
    if (!status) status = sn_actuatorDerivative(m, d, sum, error);
    if (!status && d->nefc) status = sn_constraintDerivative(m, d, d->qacc, sum->q, sum->v, error);
    if (!status && d->nclosure) status = sn_loopSpringDerivative(m, d, true, sum->q, sum->v, error);
    if (!status && d->nclosure) status = sn_loopDerivative(m, d, sum->q, p->rowq, p->rowv, error);
    for (int i = 0; i < m->nv * m->nv; i++) {
        sum->q[i] = -sum->q[i];
        sum->v[i] = -sum->v[i];
    }
    if (!status) status = sn_biasDerivative(m, d, d->qacc, p->wrench, sum->q, sum->v, error);
    return status;
}

// Columns [at, at + count) of `force`.
static void place(const snAccelerationDerivative* out, int nv, int at, const double* part, int count,
                  double sign)
{
    for (int i = 0; i < nv; i++) {
        double* row = out->force + (ptrdiff_t)i * out->stride + at;
        for (int c = 0; c < count; c++) row[c] = sign * part[(ptrdiff_t)i * count + c];
    }
}

// H = M + J' C J
static snStatus hessian(const snModel* m, snData* d, double* H, snError* error)
{
    sn_fullM(m, d->qM, H);
    return d->nefc ? sn_constraintHessian(m, d, H, error) : SN_STATUS_OK;
}

// P, and what the loops ask.
static snStatus prescribe(const snModel* m, snData* d, const Parts* p, snAccelerationDerivative* out,
                          snError* error)
{
    const int nv = m->nv;
    double* H = sn_scratchMatrix(d, nv, nv);
    snStatus status = H ? hessian(m, d, H, error) : sn_noRoom(d, error);
    if (!status) status = sn_loopResponseMatrix(m, d, H, out->P, out->step, error);
    if (status) return status;
    const bool room =
        sn_loopPrescribed(m, d, H, out->P, out->step, nv, p->rowq, out->prescribed, out->stride) &&
        sn_loopPrescribed(m, d, H, out->P, out->step, nv, p->rowv, out->prescribed + nv, out->stride);
    return room ? SN_STATUS_OK : sn_noRoom(d, error);
}

static snStatus forces(const snModel* m, snData* d, snAccelerationDerivative* out, snError* error)
{
    const int nv = m->nv, na = m->na, nu = m->nu;
    const size_t mark = sn_scratchMark(d);
    Parts p = {{sn_scratchMatrix(d, nv, nv), sn_scratchMatrix(d, nv, nv), sn_scratchMatrix(d, nv, na),
                sn_scratchMatrix(d, nv, nu)},
               sn_scratchMatrix(d, m->nbody, 6),
               sn_scratchMatrix(d, d->nlooprow, nv),
               sn_scratchMatrix(d, d->nlooprow, nv)};
    const bool room = p.sum.q && p.sum.v && p.sum.act && p.sum.u && p.wrench && p.rowq && p.rowv;
    snStatus status = room ? addForces(m, d, &p, error) : sn_noRoom(d, error);
    if (!status && d->nclosure) status = prescribe(m, d, &p, out, error);
    if (!status) {
        place(out, nv, 0, p.sum.q, nv, -1);
        place(out, nv, nv, p.sum.v, nv, -1);
        place(out, nv, 2 * nv, p.sum.act, na, 1);
        place(out, nv, 2 * nv + na, p.sum.u, nu, 1);
    }
    sn_scratchRelease(d, mark);
    return status;
}

// Of a diagonal number of H what must be left as a pivot of its factor, beside the rounding of 1e-16.
static const double LEAST_PIVOT = 1e-9;

static snStatus isRegular(const double* H, int nv, const double* inverse, snError* error)
{
    for (int i = 0; i < nv; i++) {
        const double left = H[(ptrdiff_t)i * (nv + 1)] * inverse[i] * inverse[i];
        if (inverse[i] > 0 && left <= 1 / LEAST_PIVOT) continue;
        return refuse(error, "a step with constraints so stiff beside the inertia they act on (efc_D, "
                             "body_invweight0) that rounding hides the rest");
    }
    return SN_STATUS_OK;
}

// The factor of H = M + J' C J.
static snStatus factor(const snModel* m, snData* d, snAccelerationDerivative* out, snError* error)
{
    const int nv = m->nv;
    out->factor = sn_scratchMatrix(d, nv, out->step);
    out->inverse = sn_scratchMatrix(d, 1, out->step);
    const size_t mark = sn_scratchMark(d);
    double* H = sn_scratchMatrix(d, nv, nv);
    snStatus status = out->factor && out->inverse && H ? SN_STATUS_OK : sn_noRoom(d, error);
    if (!status) status = hessian(m, d, H, error);
    if (!status) {
        for (int i = 0; i < nv; i++)
            memcpy(out->factor + (ptrdiff_t)i * out->step, H + (ptrdiff_t)i * nv, (size_t)nv * sizeof *H);
        (void)sn_panelFactor(out->factor, nv, out->step, out->inverse);
        status = isRegular(H, nv, out->inverse, error);
    }
    sn_scratchRelease(d, mark);
    return status;
}

static bool takeLoops(const snModel* m, snData* d, snAccelerationDerivative* out)
{
    out->P = sn_scratchMatrix(d, m->nv, out->step);
    out->prescribed = sn_scratchMatrix(d, m->nv, out->stride);
    out->work = sn_scratchMatrix(d, m->nv, out->stride);
    return out->P && out->prescribed && out->work;
}

snStatus sn_accelerationDerivative(const snModel* m, snData* d, snAccelerationDerivative* out, snError* error)
{
    const int nv = m->nv;
    *out = (snAccelerationDerivative){.stride = sn_padded(sn_stepInputs(m)), .step = sn_padded(nv)};
    out->force = sn_scratchMatrix(d, nv, out->stride);
    out->LD = sn_scratchMatrix(d, 1, m->nLD);
    out->diagInv = sn_scratchMatrix(d, 1, nv);
    if (!out->force || !out->LD || !out->diagInv) return sn_noRoom(d, error);
    memcpy(out->LD, d->qLD, (size_t)m->nLD * sizeof(double));
    memcpy(out->diagInv, d->qLDiagInv, (size_t)nv * sizeof(double));
    if (d->nclosure && !takeLoops(m, d, out)) return sn_noRoom(d, error);
    snStatus status = forces(m, d, out, error);
    if (!status && m->na) status = sn_activationRateDerivative(m, d, &out->rates, error);
    if (!status && d->nefc && !d->nclosure) status = factor(m, d, out, error);
    return status;
}

// X <- P X
static void respond(const snModel* m, const snAccelerationDerivative* a, double* X, int stride)
{
    const size_t bytes = (size_t)m->nv * (size_t)stride * sizeof *X;
    memcpy(a->work, X, bytes);
    memset(X, 0, bytes);
    sn_columnsAddProduct(a->P, a->step, m->nv, m->nv, a->work, stride, X);
}

void sn_accelerationSolve(const snModel* m, const snAccelerationDerivative* a, double* X, int stride)
{
    if (a->P)
        respond(m, a, X, stride);
    else if (a->factor)
        sn_columnsSolvePanel(a->factor, a->inverse, m->nv, a->step, X, stride);
    else
        sn_columnsSolveTree(m, a->LD, a->diagInv, X, stride);
}
