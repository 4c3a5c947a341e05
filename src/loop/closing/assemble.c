// Assembly: loops closed from a start, and velocities that they allow.
#include "loop/closing/assemble.h"
#include <math.h>
#include <sinew/loop.h>
#include <sinew/smooth.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "loop/closing/project.h"
#include "loop/closing/shadow.h"
#include "model/arena.h"

void sn_defaultAssembly(snAssembly* a)
{
    *a = (snAssembly){.seeds = 20, .iterations = 100, .tolerance = 1e-12, .loop = -1};
}

static snStatus checkNumbers(const double* x, int n, const char* name, snError* error)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return sn_fail(error, SN_STATUS_ARGUMENT, "%s[%d] is %g: loops are closed from finite numbers",
                           name, i, x[i]);
    return SN_STATUS_OK;
}

static snStatus checkArguments(const snModel* m, const snData* d, const snAssembly* a, snError* error)
{
    if (a->seeds < 0) return sn_fail(error, SN_STATUS_ARGUMENT, "seeds is %d, must be 0 or more", a->seeds);
    if (a->iterations < 1)
        return sn_fail(error, SN_STATUS_ARGUMENT, "iterations is %d, must be 1 or more", a->iterations);
    if (!(a->tolerance >= 0))
        return sn_fail(error, SN_STATUS_ARGUMENT, "tolerance is %g, must be 0 or more", a->tolerance);
    const snStatus status = checkNumbers(d->qpos, m->nq, "qpos", error);
    return status ? status : checkNumbers(d->qvel, m->nv, "qvel", error);
}

// K qvel is rounding of the largest of its terms.
static bool isConsistent(const snData* d, int c)
{
    const int n = d->cluster_dofnum[c], *dof = d->loop_dof + d->cluster_dofadr[c];
    double speed = 0, size = 0;
    for (int r = 0; r < d->cluster_rownum[c]; r++) {
        const double* K = d->loop_K + d->cluster_Kadr[c] + r * n;
        double sum = 0;
        for (int j = 0; j < n; j++) {
            sum += K[j] * d->qvel[dof[j]];
            size = sn_max(fabs(K[j] * d->qvel[dof[j]]), size);
        }
        speed = sn_max(fabs(sum), speed);
    }
    return speed <= 1e-13 * size;
}

static bool areConsistent(const snData* d)
{
    for (int c = 0; c < d->ncluster; c++)
        if (!isConsistent(d, c)) return false;
    return true;
}

static bool settleVelocities(const snModel* m, snData* shadow)
{
    if (!sn_shadowEquations(m, shadow)) return false;
    if (areConsistent(shadow)) return true;
    if (m->ntendon) sn_tendon(m, shadow);
    sn_makeM(m, shadow);
    return sn_shadowLoops(m, shadow) && sn_loopConsistent(m, shadow, shadow->qM, shadow->qvel);
}

snGapText sn_gapText(const snGap* gap)
{
    snGapText t;
    snprintf(t.text, sizeof t.text, "%.9g %s", gap->size, gap->angle ? "rad" : "m");
    return t;
}

static snStatus failOpen(const snModel* m, const snFinding* found, const snAssembly* a, snError* error)
{
    const char *name = sn_loopName(m, found->end.loop),
               *mend = a->fixed ? "free more dofs, or start elsewhere" : "look at its lengths and sites";
    char number[16];
    snprintf(number, sizeof number, "%d", found->end.loop);
    return sn_fail(error, SN_STATUS_MODEL, "loop \"%.80s\" cannot be closed, it stays open by %s: %s",
                   *name ? name : number, sn_gapText(&found->end).text, mend);
}

static snStatus noRoom(snError* error)
{
    return sn_fail(error, SN_STATUS_NO_MEMORY, "the arena is too small to close the loops");
}

static snStatus assemble(const snModel* m, snData* shadow, snAssembly* a, snFinding* found, snError* error)
{
    *found = sn_searchClosed(m, shadow, a);
    if (!found->room || (found->closed && !settleVelocities(m, shadow))) return noRoom(error);
    a->error = found->end.loop < 0 ? 0 : found->end.size;
    a->loop = found->end.loop;
    a->niter = found->niter;
    return found->closed ? SN_STATUS_OK : failOpen(m, found, a, error);
}

// The state is put back where the loops cannot be closed.
static snStatus assembleShadow(const snModel* m, snData* d, snAssembly* a, snFinding* found, snError* error)
{
    double *qpos = sn_scratchReal(d, m->nq), *qvel = sn_scratchReal(d, m->nv);
    const snWarningStat full = d->warning[SN_WARN_CNSTRFULL];
    snData shadow;
    if (!qpos || !qvel || !sn_beginShadow(m, d, &shadow)) return noRoom(error);
    memcpy(qpos, d->qpos, (size_t)m->nq * sizeof(double));
    memcpy(qvel, d->qvel, (size_t)m->nv * sizeof(double));
    const snStatus status = assemble(m, &shadow, a, found, error);
    sn_endShadow(d, &shadow);
    d->warning[SN_WARN_CNSTRFULL] = full; // the status says it
    if (status == SN_STATUS_OK) return status;
    memcpy(d->qpos, qpos, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, qvel, (size_t)m->nv * sizeof(double));
    return status;
}

snStatus sn_assembleFrom(const snModel* m, snData* d, snAssembly* a, snFinding* found, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    *found = (snFinding){.start.loop = -1, .end.loop = -1};
    a->error = 0;
    a->loop = -1;
    a->niter = 0;
    snStatus status = checkArguments(m, d, a, error);
    if (status == SN_STATUS_OK && sn_mayHaveLoops(m)) status = assembleShadow(m, d, a, found, error);
    sn_scratchRelease(d, mark);
    return status;
}

snStatus sn_assemble(const snModel* m, snData* d, snAssembly* assembly, snError* error)
{
    snFinding found;
    return sn_assembleFrom(m, d, assembly, &found, error);
}

bool sn_isOpen(const snGap* start)
{
    return start->loop >= 0 && !(start->weight <= 1e-5 * start->length);
}

void sn_closeStart(const snModel* m, snData* d)
{
    snAssembly a;
    snFinding found;
    sn_defaultAssembly(&a);
    const snStatus status = sn_assembleFrom(m, d, &a, &found, NULL);
    if (status == SN_STATUS_NO_MEMORY) sn_warnFull(d);
    if (found.start.loop < 0) return;
    d->loop_error_max = found.start.size;
    if (status == SN_STATUS_MODEL || sn_isOpen(&found.start)) sn_warn(d, SN_WARN_LOOPOPEN, found.start.loop);
}
