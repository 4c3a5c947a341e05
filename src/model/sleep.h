// Which kinematic trees sleep, and runs of what is awake, which the loops of stages go over. What sleep is,
// docs/sleep.md says.
#ifndef SINEW_MODEL_SLEEP_H
#define SINEW_MODEL_SLEEP_H

#include <sinew/data.h>
#include <stdbool.h>
#include <string.h>
#include "math/real.h"
#include "model/rules.h"

/// tree_asleep of a tree that has just moved, or been woken.
#define SN_AWAKE (-11)

/// What of a list stages compute: runs [first, end) in ascending order. Where everything is awake one run of
/// all; where nothing is, one of none.
/// for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r)) for (int i = r.first; i < r.end; i++)
/// ...
typedef struct snRuns {
    const int *next, *stop; ///< pairs that are left
    int first, end;
} snRuns;

static inline bool sn_isRun(const snRuns* r)
{
    return r->first >= 0;
}

static inline void sn_nextRun(snRuns* r)
{
    if (r->next == r->stop) {
        r->first = -1;
        return;
    }
    r->first = r->next[0];
    r->end = r->next[1];
    r->next += 2;
}

static inline snRuns sn_listedRuns(const int* list, int count)
{
    snRuns r = {list, list + 2 * count, 0, 0};
    if (count) sn_nextRun(&r);
    return r;
}

#ifdef SN_LANES // nothing sleeps there
#define SN_RUNS(list, count, all) ((snRuns){NULL, NULL, 0, all})
#else
#define SN_RUNS(list, count, all)                                                                            \
    (d->nstill ? sn_listedRuns(d->list, d->count) : (snRuns){NULL, NULL, 0, all})
#endif

static inline snRuns sn_awakeBodies(const snModel* m, const snData* d)
{
    (void)d;
    return SN_RUNS(body_run, nbody_run, m->nbody);
}

static inline snRuns sn_awakeJoints(const snModel* m, const snData* d)
{
    (void)d;
    return SN_RUNS(jnt_run, njnt_run, m->njnt);
}

static inline snRuns sn_awakeDofs(const snModel* m, const snData* d)
{
    (void)d;
    return SN_RUNS(dof_run, nv_run, m->nv);
}

static inline snRuns sn_awakeGeoms(const snModel* m, const snData* d)
{
    (void)d;
    return SN_RUNS(geom_run, ngeom_run, m->ngeom);
}

static inline snRuns sn_awakeSites(const snModel* m, const snData* d)
{
    (void)d;
    return SN_RUNS(site_run, nsite_run, m->nsite);
}

/// All that stages compute of bodies but the world, of joints, of dofs, in ascending order.
#define SN_EACH_BODY(m, d, b)                                                                                \
    for (snRuns runs_##b = sn_awakeBodies(m, d); sn_isRun(&runs_##b); sn_nextRun(&runs_##b))                 \
        for (int b = runs_##b.first + !runs_##b.first; b < runs_##b.end; b++)
#define SN_EACH_JOINT(m, d, j)                                                                               \
    for (snRuns runs_##j = sn_awakeJoints(m, d); sn_isRun(&runs_##j); sn_nextRun(&runs_##j))                 \
        for (int j = runs_##j.first; j < runs_##j.end; j++)
#define SN_EACH_DOF(m, d, k)                                                                                 \
    for (snRuns runs_##k = sn_awakeDofs(m, d); sn_isRun(&runs_##k); sn_nextRun(&runs_##k))                   \
        for (int k = runs_##k.first; k < runs_##k.end; k++)

/// Zeros in what stages compute of x [nv].
static inline void sn_zeroDofs(const snModel* m, const snData* d, real* x)
{
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r))
        memset(x + r.first, 0, (size_t)(r.end - r.first) * sizeof *x);
}

/// Whether trees may sleep: by the flag, under physics 4.0, and not where a step looks at other states on its
/// way.
bool sn_maySleep(const snModel* m);

/// Whether a tree sleeps; of tree -1, what is static, false.
static inline bool sn_isAsleep(const snData* d, int tree)
{
#ifdef SN_LANES
    (void)d, (void)tree;
    return false;
#else
    return d->nasleep && tree >= 0 && d->tree_awake[tree] <= 0;
#endif
}

/// Whether a tree sleeps and stages do not compute it; tree -1: false.
static inline bool sn_isStill(const snData* d, int tree)
{
#ifdef SN_LANES
    (void)d, (void)tree;
    return false;
#else
    return d->nstill && tree >= 0 && d->tree_awake[tree] == 0;
#endif
}

/// Whether a tendon's first dof is of such a tree.
static inline bool sn_tendonIsStill(const snModel* m, const snData* d, int tendon)
{
#ifdef SN_LANES
    (void)m, (void)d, (void)tendon;
    return false;
#else
    return d->nstill && m->tendon_dofnum[tendon] &&
           sn_isStill(d, m->dof_treeid[m->tendon_dofid[m->tendon_dofadr[tendon]]]);
#endif
}

/// Wakes the sleepers that have been touched: qpos that is not, byte by byte, as they fell asleep with, a
/// byte of qvel, qfrc_applied or xfrc_applied that is not 0, a mocap body above that moved; where trees may
/// not sleep, all. Lists follow tree_asleep. A sleeper whose poses nobody has computed yet is among the runs
/// until sn_settleSleep.
void sn_wakeTouched(const snModel* m, snData* d);

/// Wakes the island of a tree; its trees have then this in tree_asleep. Lists are not made anew.
void sn_wakeIsland(const snModel* m, snData* d, int tree, int count);

/// Makes the lists of what is awake by tree_asleep; qacc of sleepers is 0.
void sn_listAwake(const snModel* m, snData* d);

/// Sleepers whose poses and velocities have been computed leave the runs.
void sn_settleSleep(const snModel* m, snData* d);

/// All that is kept of sleepers but tree_asleep is as it follows from the state: after a state was set.
void sn_takeAsleep(const snModel* m, snData* d);

/// Takes down the state of those that have just fallen asleep, before lists are made.
void sn_keepAsleep(const snModel* m, snData* d);

/// Sets the entries of sleepers to 0; x [nv].
void sn_zeroAsleep(const snModel* m, const snData* d, snDouble* x);

/// Whether any byte of x[first] to x[end - 1] is not 0: all their bits together.
uint64_t sn_anyBit(const snDouble* x, int first, int end);

#endif
