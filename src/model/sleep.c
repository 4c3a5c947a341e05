// For each target: src/target/prelude.h.
// Sleepers and lists of what is awake. A sleeper's poses, Jacobians and inertia follow from its qpos alone,
// its velocities are 0, so that all it keeps can be computed again: of a state that was set it is computed
// once more, and then stands.
#include "model/sleep.h"
#include <string.h>

bool sn_maySleep(const snModel* m)
{
    const bool stages = m->opt.integrator == SN_INT_RK4 && m->opt.contact != SN_CONTACT_LCP;
    return (m->opt.enableflags & SN_ENBL_SLEEP) && sn_means(m->physics, SN_RULE_NEWER_NAMES) && !stages;
}

// ---- lists

// Whether stages compute what belongs to a tree; -1: static.
static bool isComputed(const snData* d, int tree)
{
    return tree < 0 || d->tree_awake[tree] != 0;
}

static int addToRuns(int* runs, int count, int i)
{
    if (count && runs[2 * count - 1] == i) {
        runs[2 * count - 1]++;
        return count;
    }
    runs[2 * count] = i;
    runs[2 * count + 1] = i + 1;
    return count + 1;
}

static void listRuns(const snModel* m, snData* d)
{
    d->nsleepgeom = 0; // those listed were others
    d->nbody_run = d->njnt_run = d->nv_run = d->ngeom_run = d->nsite_run = 0;
    for (int i = 0; i < m->nbody; i++)
        if (isComputed(d, m->body_treeid[i])) d->nbody_run = addToRuns(d->body_run, d->nbody_run, i);
    for (int i = 0; i < m->njnt; i++)
        if (isComputed(d, m->body_treeid[m->jnt_bodyid[i]]))
            d->njnt_run = addToRuns(d->jnt_run, d->njnt_run, i);
    for (int i = 0; i < m->nv; i++)
        if (isComputed(d, m->dof_treeid[i])) d->nv_run = addToRuns(d->dof_run, d->nv_run, i);
    for (int i = 0; i < m->ngeom; i++)
        if (isComputed(d, m->body_treeid[m->geom_bodyid[i]]))
            d->ngeom_run = addToRuns(d->geom_run, d->ngeom_run, i);
    for (int i = 0; i < m->nsite; i++)
        if (isComputed(d, m->body_treeid[m->site_bodyid[i]]))
            d->nsite_run = addToRuns(d->site_run, d->nsite_run, i);
}

// The ring that a tree is in, as far as it is one: what is written from outside may lead anywhere.
static void labelRing(const snModel* m, snData* d, int tree)
{
    for (int t = tree, k = 0; k < m->ntree && t >= 0 && t < m->ntree; t = d->tree_asleep[t], k++) {
        if (k && t == tree) return;
        d->sleep_ring[t] = tree;
    }
}

static void listBodies(const snModel* m, snData* d)
{
    for (int b = 0; b < m->nbody; b++) {
        const int tree = m->body_treeid[b];
        const bool moved = m->body_mocapid[m->body_weldid[b]] >= 0 || m->body_mocapid[b] >= 0;
        d->body_awake[b] = tree < 0 ? (moved ? 1 : -1) : d->tree_awake[tree] > 0;
    }
}

void sn_zeroAsleep(const snModel* m, const snData* d, double* x)
{
    for (int i = 0; i < m->nv && d->nasleep; i++)
        if (sn_isAsleep(d, m->dof_treeid[i])) x[i] = 0;
}

// Nothing is computed for them that would say otherwise.
static void clearForces(const snModel* m, snData* d)
{
    double* const fields[] = {d->qacc, d->qacc_smooth, d->qfrc_constraint, d->qfrc_smooth, d->qfrc_actuator};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) sn_zeroAsleep(m, d, fields[k]);
}

void sn_listAwake(const snModel* m, snData* d)
{
    const bool known = d->nasleep > 0;
    d->nasleep = d->nstill = 0;
    for (int t = 0; t < m->ntree; t++) {
        const bool asleep = d->tree_asleep[t] >= 0, still = known && d->tree_awake[t] == 0;
        d->tree_awake[t] = !asleep ? 1 : still ? 0 : -1;
        d->nasleep += asleep;
        d->nstill += asleep && still;
        d->sleep_ring[t] = -1;
    }
    if (!d->nasleep) return;
    for (int t = 0; t < m->ntree; t++)
        if (d->tree_asleep[t] >= 0 && d->sleep_ring[t] < 0) labelRing(m, d, t);
    listBodies(m, d);
    clearForces(m, d);
    if (d->nstill) listRuns(m, d);
}

void sn_settleSleep(const snModel* m, snData* d)
{
    if (d->nstill == d->nasleep) return;
    for (int t = 0; t < m->ntree; t++)
        if (d->tree_awake[t] < 0) d->tree_awake[t] = 0;
    d->nstill = d->nasleep;
    listRuns(m, d);
}

// ---- waking

void sn_wakeIsland(const snModel* m, snData* d, int tree, int count)
{
    while (tree >= 0 && tree < m->ntree && d->tree_asleep[tree] >= 0) {
        const int next = d->tree_asleep[tree];
        d->tree_asleep[tree] = count;
        tree = next;
    }
}

static void wakeAll(const snModel* m, snData* d)
{
    for (int t = 0; t < m->ntree; t++)
        if (d->tree_asleep[t] >= 0) d->tree_asleep[t] = SN_AWAKE;
    if (d->nasleep) sn_listAwake(m, d);
}

uint64_t sn_anyBit(const double* x, int first, int end)
{
    uint64_t bits = 0;
    for (int i = first; i < end; i++) {
        uint64_t number;
        memcpy(&number, x + i, sizeof number);
        bits |= number;
    }
    return bits;
}

static bool differs(const snModel* m, const snData* d, int joint, int end)
{
    if (joint == end) return false;
    const int first = m->jnt_qposadr[joint], last = end < m->njnt ? m->jnt_qposadr[end] : m->nq;
    return memcmp(d->qpos + first, d->sleep_qpos + first, (size_t)(last - first) * sizeof(double)) != 0;
}

// The gaps between runs are the sleepers; those before the next run, from *at on.
static bool nextGap(const int* runs, int count, int all, int* k, int* first, int* end)
{
    if (*k > count) return false;
    *first = *k ? runs[2 * *k - 1] : 0;
    *end = *k < count ? runs[2 * *k] : all;
    ++*k;
    return true;
}

// Whether any sleeper is touched; all of them stand still.
__attribute__((flatten)) static bool anyTouched(const snModel* m, const snData* d)
{
    uint64_t bits = 0;
    bool moved = false;
    int first, end;
    for (int k = 0; nextGap(d->dof_run, d->nv_run, m->nv, &k, &first, &end);)
        bits |= sn_anyBit(d->qvel, first, end) | sn_anyBit(d->qfrc_applied, first, end);
    for (int k = 0; nextGap(d->body_run, d->nbody_run, m->nbody, &k, &first, &end);)
        bits |= sn_anyBit(d->xfrc_applied, 6 * first, 6 * end);
    for (int k = 0; nextGap(d->jnt_run, d->njnt_run, m->njnt, &k, &first, &end);)
        moved |= differs(m, d, first, end);
    return bits || moved;
}

static void wake(const snModel* m, snData* d, int tree, bool touched)
{
    if (touched && tree >= 0) sn_wakeIsland(m, d, tree, SN_AWAKE);
}

static void wakeEachTouched(const snModel* m, snData* d)
{
    for (int i = 0; i < m->nv; i++)
        if (d->tree_asleep[m->dof_treeid[i]] >= 0)
            wake(m, d, m->dof_treeid[i], sn_anyBit(d->qvel, i, i + 1) | sn_anyBit(d->qfrc_applied, i, i + 1));
    for (int b = 0; b < m->nbody; b++)
        if (m->body_treeid[b] >= 0 && d->tree_asleep[m->body_treeid[b]] >= 0)
            wake(m, d, m->body_treeid[b], sn_anyBit(d->xfrc_applied, 6 * b, 6 * b + 6) != 0);
    for (int j = 0; j < m->njnt; j++) {
        const int tree = m->body_treeid[m->jnt_bodyid[j]];
        if (d->tree_asleep[tree] >= 0) wake(m, d, tree, differs(m, d, j, j + 1));
    }
}

static bool mocapMoved(const snData* d, int id)
{
    return memcmp(d->sleep_mocap + 7 * id, d->mocap_pos + 3 * id, 3 * sizeof(double)) != 0 ||
           memcmp(d->sleep_mocap + 7 * id + 3, d->mocap_quat + 4 * id, 4 * sizeof(double)) != 0;
}

static void keepMocap(const snModel* m, snData* d)
{
    for (int id = 0; id < m->nmocap; id++) {
        memcpy(d->sleep_mocap + 7 * id, d->mocap_pos + 3 * id, 3 * sizeof(double));
        memcpy(d->sleep_mocap + 7 * id + 3, d->mocap_quat + 4 * id, 4 * sizeof(double));
    }
}

// Trees that hang on a mocap body that has moved.
static void wakeCarried(const snModel* m, snData* d)
{
    bool moved = false;
    for (int id = 0; id < m->nmocap; id++) moved |= mocapMoved(d, id);
    if (!moved) return;
    for (int b = 0; b < m->nbody; b++) {
        const int tree = m->body_treeid[b], mocap = m->body_mocapid[m->body_rootid[b]];
        if (tree >= 0 && mocap >= 0 && d->tree_asleep[tree] >= 0) wake(m, d, tree, mocapMoved(d, mocap));
    }
    keepMocap(m, d);
}

// Whether the lists are not those of tree_asleep.
static bool areListsOld(const snModel* m, const snData* d)
{
    int different = 0;
    if (!d->nasleep)
        for (int t = 0; t < m->ntree; t++) different |= d->tree_asleep[t] >= 0;
    else
        for (int t = 0; t < m->ntree; t++) different |= (d->tree_asleep[t] >= 0) != (d->tree_awake[t] <= 0);
    return different;
}

void sn_wakeTouched(const snModel* m, snData* d)
{
    if (d->sleepview) return;
    if (!sn_maySleep(m)) {
        if (d->nasleep) wakeAll(m, d);
        return;
    }
    if (areListsOld(m, d)) sn_listAwake(m, d);
    if (!d->nasleep) return;
    if (d->nstill < d->nasleep || anyTouched(m, d)) wakeEachTouched(m, d);
    wakeCarried(m, d);
    if (areListsOld(m, d)) sn_listAwake(m, d);
}

// ---- what is kept

void sn_takeAsleep(const snModel* m, snData* d)
{
    d->nasleep = d->nstill = 0;
    memcpy(d->sleep_qpos, d->qpos, (size_t)m->nq * sizeof(double));
    keepMocap(m, d);
}

void sn_keepAsleep(const snModel* m, snData* d)
{
    for (int j = 0; j < m->njnt; j++) {
        const int tree = m->body_treeid[m->jnt_bodyid[j]];
        if (d->tree_asleep[tree] < 0 || sn_isAsleep(d, tree)) continue;
        const int first = m->jnt_qposadr[j], end = j + 1 < m->njnt ? m->jnt_qposadr[j + 1] : m->nq;
        memcpy(d->sleep_qpos + first, d->qpos + first, (size_t)(end - first) * sizeof(double));
    }
    if (!d->nasleep) keepMocap(m, d);
}
