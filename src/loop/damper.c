#include "loop/damper.h"
#include <string.h>
#include "loop/cluster.h"
#include "loop/joint/closure.h"
#include "loop/joint/spring.h"
#include "loop/reduced.h"
#include "model/arena.h"

static double dampingOf(const snModel* m, const snData* d, int closure)
{
    const int id = d->closure_id[closure];
    return id < m->nloop && !(m->opt.disableflags & SN_DSBL_DAMPER) ? m->loop_damping[id] : 0;
}

bool sn_hasLoopDampers(const snModel* m, const snData* d)
{
    for (int l = 0; l < d->nclosure; l++)
        if (dampingOf(m, d, l) != 0) return true;
    return false;
}

static double dot(const double* a, const double* b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// j of a loop joint.
static void rateRow(const snModel* m, snData* d, int closure, double* j)
{
    memset(j, 0, (size_t)m->nv * sizeof(double));
    sn_addLoopFreedom(m, d, d->closure_id[closure], 1, j);
}

// j'g: g is zero but in the loop's own cluster, whose dofs hold all of j.
static double alongParticular(const snData* d, int closure, const double* j)
{
    const int c = d->closure_cluster[closure], first = d->cluster_dofadr[c];
    double sum = 0;
    for (int i = first; i < first + d->cluster_dofnum[c]; i++) sum += j[d->loop_dof[i]] * d->loop_g[i];
    return sum;
}

bool sn_addLoopDampers(const snModel* m, snData* d, int mechanism, double h, int stride, double* A, double* y)
{
    const int n = d->mechanism_ynum[mechanism];
    const size_t mark = sn_scratchMark(d);
    double *j = sn_scratchReal(d, m->nv), *r = sn_scratchReal(d, sn_padded(n));
    const bool room = j && r;
    for (int l = 0; l < d->nclosure && room; l++) {
        const double hc = h * dampingOf(m, d, l);
        if (hc == 0 || d->cluster_mechanism[d->closure_cluster[l]] != mechanism) continue;
        rateRow(m, d, l, j);
        sn_loopReduce(d, mechanism, j, r);
        const double along = hc * alongParticular(d, l, j);
        for (int a = 0; a < n; a++) {
            y[a] -= along * r[a];
            for (int b = 0; b < n; b++) A[(size_t)a * (size_t)stride + (size_t)b] += hc * r[a] * r[b];
        }
    }
    sn_scratchRelease(d, mark);
    return room;
}

bool sn_mulLoopDampers(const snModel* m, snData* d, double h, const double* x, double* result)
{
    const size_t mark = sn_scratchMark(d);
    double* j = sn_scratchReal(d, m->nv);
    for (int l = 0; l < d->nclosure && j; l++) {
        const double hc = h * dampingOf(m, d, l);
        if (hc == 0) continue;
        rateRow(m, d, l, j);
        const double rate = hc * dot(j, x, m->nv);
        for (int i = 0; i < m->nv; i++) result[i] += rate * j[i];
    }
    sn_scratchRelease(d, mark);
    return j != NULL;
}
