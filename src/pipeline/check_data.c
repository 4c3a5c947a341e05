// Whether a data that came from outside may be simulated: ranges by a table, then what must agree.
#include <sinew/check_data.h>
#include <sinew/check_rows.h>
#include "base/error.h"
#include "base/memory.h"
#include "collision/broad/few.h"
#include "constraint/check_layout.h"
#include "loop/check_loops.h"
#include "model/check/misfit.h"
#include "model/sleep.h"

// R(field, count, low, high): every entry is in low .. high - 1, whatever else is asked of it below. All
// fields of int stand here or in check_layout.c and check_loops.c; tests/unit/pipeline/test_check_data.c
// finds one that nothing checks. Before anything is computed they are 0; where there are no loops, those of
// dofs are left from when there were.
#define RANGES(R)                                                                                            \
    R(wrap_obj, 2 * m->nwrap, -2, m->ngeom)                                                                  \
    R(ten_J_colind, m->nJten, 0, m->nv)                                                                      \
    R(moment_colind, m->nJmom, 0, m->nv)                                                                     \
    R(dof_cluster, m->nv, -1, m->nv)                                                                         \
    R(dof_place, m->nv, -1, m->nv)                                                                           \
    R(dof_y, m->nv, -1, m->nv)                                                                               \
    R(tree_mechanism, m->ntree, -1, m->ntree)                                                                \
    R(tree_asleep, m->ntree, SN_AWAKE, m->ntree)                                                             \
    R(tree_awake, m->ntree, -1, 2)                                                                           \
    R(body_awake, m->nbody, -1, 2)                                                                           \
    R(sleep_ring, m->ntree, -1, m->ntree)                                                                    \
    R(body_run, 2 * m->nbody, 0, m->nbody + 1)                                                               \
    R(jnt_run, 2 * m->njnt, 0, m->njnt + 1)                                                                  \
    R(dof_run, 2 * m->nv, 0, m->nv + 1)                                                                      \
    R(geom_run, 2 * m->ngeom, 0, m->ngeom + 1)                                                               \
    R(site_run, 2 * m->nsite, 0, m->nsite + 1)                                                               \
    R(sleep_geom, m->ngeom, 0, m->ngeom + (m->ngeom == 0))                                                   \
    R(efc_state, d->nefc, SN_CNSTRSTATE_SATISFIED, SN_CNSTRSTATE_CONE + 1)

// Counts that nothing above 0 bounds: they count, and lead nowhere.
#define COUNTS(C)                                                                                            \
    C(nbroad) C(nnarrow) C(nimpulse) C(nAblock) C(maxuse_con) C(maxuse_efc) C(solver_niter) C(loop_rank)

// The first entry that is not in low .. high - 1; -1: none. In builds for tests what no row of a sparse array
// uses is poison, as nobody has written it.
static int firstOutside(const int* x, int count, int low, int high)
{
    int bad = sn_outside(x, count, low, high);
#ifdef SN_POISON
    while (bad >= 0 && (unsigned)x[bad] == SN_POISON_WORD) {
        const int next = sn_outside(x + bad + 1, count - bad - 1, low, high);
        bad = next < 0 ? -1 : bad + 1 + next;
    }
#endif
    return bad;
}

static snStatus checkRanges(const snModel* m, const snData* d, snError* error)
{
#define R(field, count, low, high)                                                                           \
    {                                                                                                        \
        const int bad = firstOutside(d->field, count, low, high);                                            \
        if (bad >= 0) return sn_misfit(error, #field, bad);                                                  \
    }
    RANGES(R)
#undef R
#define C(count)                                                                                             \
    if (d->count < 0) return sn_misfit(error, #count, 0);
    COUNTS(C)
#undef C
    return SN_STATUS_OK;
}

// Rows of a sparse array with ascending columns, which are dofs: those that no row uses may be anything.
static snStatus checkArms(const char* field, const int* adr, const int* num, const int* colind, int rows,
                          int total, int nv, snError* error)
{
    const int bad = sn_unpacked(adr, num, rows, 0, total);
    if (bad >= 0) return sn_misfit(error, field, bad);
    for (int i = 0; i < rows; i++)
        for (int k = adr[i]; k < adr[i] + num[i]; k++)
            if (colind[k] < 0 || colind[k] >= nv || (k > adr[i] && colind[k] <= colind[k - 1]))
                return sn_misfit(error, field, i);
    return SN_STATUS_OK;
}

// Rows of the lower triangle of a matrix by dofs, each ending with its own, or empty.
static snStatus checkElastic(const snModel* m, const snData* d, snError* error)
{
    const int *adr = d->elastic_rowadr, *col = d->elastic_colind;
    if ((d->nelasticrow != 0 && d->nelasticrow != m->nv + 1) || d->nelastic < 0 ||
        (!d->nelasticrow && d->nelastic))
        return sn_misfit(error, "nelastic", 0);
    if (d->nelasticrow && (adr[0] != 0 || adr[m->nv] != d->nelastic))
        return sn_misfit(error, "elastic_rowadr", 0);
    for (int i = 0; d->nelasticrow && i < m->nv; i++) {
        if (adr[i + 1] < adr[i] || adr[i + 1] > d->nelastic) return sn_misfit(error, "elastic_rowadr", i);
        if (adr[i + 1] > adr[i] && col[adr[i + 1] - 1] != i) return sn_misfit(error, "elastic_colind", i);
        for (int k = adr[i]; k < adr[i + 1]; k++)
            if (col[k] < 0 || (k > adr[i] && col[k] <= col[k - 1]))
                return sn_misfit(error, "elastic_colind", i);
    }
    return SN_STATUS_OK;
}

// The moment arms of a tendon are of dofs that it may touch, which the inertia has room for.
static snStatus checkTendonArms(const snModel* m, const snData* d, int t, snError* error)
{
    const int *dof = m->tendon_dofid + m->tendon_dofadr[t], *end = dof + m->tendon_dofnum[t];
    for (int k = d->ten_J_rowadr[t]; k < d->ten_J_rowadr[t] + d->ten_J_rownnz[t]; k++) {
        while (dof < end && *dof < d->ten_J_colind[k]) dof++;
        if (dof == end || *dof != d->ten_J_colind[k]) return sn_misfit(error, "ten_J_colind", k);
    }
    return SN_STATUS_OK;
}

// The number of points of a tendon's path if they lie on its objects one by one; -1: they do not.
static int pathLength(const snModel* m, const snData* d, int t)
{
    int at = d->ten_wrapadr[t];
    const int most = 2 * m->nwrap;
    for (int w = m->tendon_adr[t], end = w + m->tendon_num[t]; w < end; w++) {
        const int type = m->wrap_type[w], id = m->wrap_objid[w];
        if (type == SN_WRAP_JOINT) continue;
        const bool geom = type == SN_WRAP_SPHERE || type == SN_WRAP_CYLINDER;
        const int object = type == SN_WRAP_SITE ? -1 : type == SN_WRAP_PULLEY ? -2 : id;
        for (int k = 0; k < 1 + geom; k++, at++) {
            const bool on = at < most && d->wrap_obj[at] == object;
            if (!on && geom && k == 0) break; // the straight line stays clear of it
            if (!on) return -1;
        }
    }
    return at - d->ten_wrapadr[t];
}

static snStatus checkPaths(const snModel* m, const snData* d, snError* error)
{
    const int bad = sn_unpacked(d->ten_wrapadr, d->ten_wrapnum, m->ntendon, 0, 2 * m->nwrap);
    if (bad >= 0) return sn_misfit(error, "ten_wrapadr", bad);
    bool computed = false;
    for (int t = 0; t < m->ntendon; t++) computed = computed || d->ten_wrapnum[t];
    for (int t = 0; t < m->ntendon && computed; t++)
        if (pathLength(m, d, t) != d->ten_wrapnum[t]) return sn_misfit(error, "ten_wrapnum", t);
    return SN_STATUS_OK;
}

static snStatus checkTendons(const snModel* m, const snData* d, snError* error)
{
    if (checkArms("ten_J_rowadr", d->ten_J_rowadr, d->ten_J_rownnz, d->ten_J_colind, m->ntendon, m->nJten,
                  m->nv, error) != SN_STATUS_OK)
        return SN_STATUS_ARGUMENT;
    for (int t = 0; t < m->ntendon; t++)
        if (checkTendonArms(m, d, t, error) != SN_STATUS_OK) return SN_STATUS_ARGUMENT;
    return checkPaths(m, d, error);
}

// Runs are no more than what they are of.
static bool sleepCountsFit(const snModel* m, const snData* d)
{
    return d->nasleep >= 0 && d->nasleep <= m->ntree && d->nstill >= 0 && d->nstill <= d->nasleep &&
           d->nbody_run >= 0 && d->nbody_run <= m->nbody && d->njnt_run >= 0 && d->njnt_run <= m->njnt &&
           d->nv_run >= 0 && d->nv_run <= m->nv && d->ngeom_run >= 0 && d->ngeom_run <= m->ngeom &&
           d->nsite_run >= 0 && d->nsite_run <= m->nsite && d->sleepview == 0 && d->nsleepgeom >= 0 &&
           d->nsleepgeom <= m->ngeom && (d->meet_flags & ~SN_DSBL_FILTERPARENT) == 0;
}

// Whether runs are of all that belongs to trees which stages compute. body: of each thing; NULL: it has a
// tree.
static bool areRunsOf(const snData* d, const int* runs, int count, const int* tree, const int* body, int n)
{
    int done = 0, first = -1, end = -1;
    for (int i = 0; i <= n; i++) {
        const int t = i == n ? -1 : tree[body ? body[i] : i];
        const bool computed = i < n && (t < 0 || d->tree_awake[t] != 0);
        if (computed && end == i) {
            end++;
            continue;
        }
        if (first >= 0 && end <= i) {
            if (done == count || runs[2 * done] != first || runs[2 * done + 1] != end) return false;
            done++;
            first = -1;
        }
        if (computed) first = i, end = i + 1;
    }
    return done == count;
}

// Lists and counts of sleepers are those of tree_asleep.
static bool sleepFits(const snModel* m, const snData* d)
{
    if (!sleepCountsFit(m, d)) return false;
    int asleep = 0, still = 0;
    for (int t = 0; t < m->ntree; t++) {
        const bool sleeps = d->tree_asleep[t] >= 0;
        asleep += sleeps;
        still += sleeps && d->tree_awake[t] == 0;
        if (d->nasleep && sleeps != (d->tree_awake[t] <= 0)) return false;
    }
    if (asleep != d->nasleep || (asleep && still != d->nstill)) return false;
    return !d->nstill || (areRunsOf(d, d->body_run, d->nbody_run, m->body_treeid, NULL, m->nbody) &&
                          areRunsOf(d, d->jnt_run, d->njnt_run, m->body_treeid, m->jnt_bodyid, m->njnt) &&
                          areRunsOf(d, d->dof_run, d->nv_run, m->dof_treeid, NULL, m->nv) &&
                          areRunsOf(d, d->geom_run, d->ngeom_run, m->body_treeid, m->geom_bodyid, m->ngeom) &&
                          areRunsOf(d, d->site_run, d->nsite_run, m->body_treeid, m->site_bodyid, m->nsite));
}

static snStatus checkCounts(const snData* d, snError* error)
{
    const bool fit = d->ncon >= 0 && d->nefc >= 0 && d->ne >= 0 && d->nf >= 0 && d->nl >= 0 &&
                     d->ne <= d->nefc && d->nf <= d->nefc - d->ne && d->nl <= d->nefc - d->ne - d->nf &&
                     (d->nR0 == 0 || d->nR0 == d->nefc) && d->nJ >= 0 && d->nJcol >= 0 && d->nclosure >= 0 &&
                     d->ncluster >= 0 && d->nmechanism >= 0 &&
                     (d->nclosure > 0 || (d->ncluster == 0 && d->nmechanism == 0));
    return fit ? SN_STATUS_OK : sn_misfit(error, "nefc", 0);
}

snStatus sn_checkData(const snModel* m, const snData* d, snError* error)
{
    int* work = sn_malloc((size_t)m->nv * sizeof *work + 1);
    if (!work) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    const bool listed = sleepFits(m, d);
    if (!listed) sn_misfit(error, "nasleep", 0);
    const bool meet = listed && sn_meetsRightly(m, d);
    if (listed && !meet) sn_misfit(error, "meet_with", 0);
    const bool fit = meet && checkCounts(d, error) == SN_STATUS_OK &&
                     checkRanges(m, d, error) == SN_STATUS_OK && sn_checkRows(m, d, error) == SN_STATUS_OK &&
                     sn_checkLayout(m, d, error) == SN_STATUS_OK &&
                     checkTendons(m, d, error) == SN_STATUS_OK && checkElastic(m, d, error) == SN_STATUS_OK &&
                     checkArms("moment_rowadr", d->moment_rowadr, d->moment_rownnz, d->moment_colind, m->nout,
                               m->nJmom, m->nv, error) == SN_STATUS_OK &&
                     sn_checkDataLoops(m, d, work, error) == SN_STATUS_OK;
    sn_free(work);
    return fit ? SN_STATUS_OK : SN_STATUS_ARGUMENT;
}
