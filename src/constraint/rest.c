// Islands at rest. What couples trees is what rows couple, and loops.
#include "constraint/rest.h"
#include <math.h>
#include "constraint/equality.h"
#include "constraint/island.h"
#include "model/arena.h"
#include "model/contact.h"
#include "model/elastic.h"
#include "model/sleep.h"
#include "smooth/inertia/equality_anchor.h"

// ---- waking

// Trees that meet in one thing: sleepers of one ring, or of more, and one that is awake.
typedef struct Meeting {
    int sleeper; // a tree; -1: none
    bool more;   // sleepers of another ring
    bool awake;
    int count; // tree_asleep of the one that is awake
} Meeting;

static void attend(const snData* d, Meeting* meeting, int tree)
{
    if (tree < 0) return;
    if (d->tree_asleep[tree] < 0) {
        meeting->count =
            meeting->awake && meeting->count > d->tree_asleep[tree] ? meeting->count : d->tree_asleep[tree];
        meeting->awake = true;
        return;
    }
    meeting->more |= meeting->sleeper >= 0 && d->sleep_ring[tree] != d->sleep_ring[meeting->sleeper];
    if (meeting->sleeper < 0) meeting->sleeper = tree;
}

// A body: its tree, or a mocap body, which is awake.
static void attendBody(const snModel* m, const snData* d, Meeting* meeting, int body)
{
    attend(d, meeting, m->body_treeid[body]);
    if (m->body_treeid[body] >= 0 || d->body_awake[body] != 1) return;
    meeting->awake = true;
    meeting->count = SN_AWAKE;
}

static void attendTendon(const snModel* m, const snData* d, Meeting* meeting, int tendon)
{
    const int* dof = m->tendon_dofid + m->tendon_dofadr[tendon];
    for (int k = 0; k < m->tendon_dofnum[tendon]; k++) attend(d, meeting, m->dof_treeid[dof[k]]);
}

static void attendJoint(const snModel* m, const snData* d, Meeting* meeting, int joint)
{
    attend(d, meeting, m->body_treeid[m->jnt_bodyid[joint]]);
}

static Meeting beginMeeting(void)
{
    return (Meeting){.sleeper = -1, .count = SN_AWAKE};
}

static bool wakes(const Meeting* meeting)
{
    return meeting->sleeper >= 0 && (meeting->awake || meeting->more);
}

static int countOf(const Meeting* meeting)
{
    return meeting->awake ? meeting->count : SN_AWAKE;
}

static bool wakeByContacts(const snModel* m, snData* d)
{
    bool woken = false;
    for (int c = 0; c < d->ncon; c++) {
        int body[SN_CONTACT_BODIES];
        const int count = sn_contactBodies(m, d->contact + c, body);
        Meeting meeting = beginMeeting();
        for (int k = 0; k < count; k++) attendBody(m, d, &meeting, body[k]);
        if (!wakes(&meeting)) continue;
        for (int k = 0; k < count; k++) sn_wakeIsland(m, d, m->body_treeid[body[k]], countOf(&meeting));
        woken = true;
    }
    return woken;
}

// Calls for the body of each vertex of a flex.
static void attendFlex(const snModel* m, const snData* d, Meeting* meeting, int flex)
{
    const int first = m->flex_vertadr[flex];
    for (int v = first; v < first + m->flex_vertnum[flex]; v++)
        attendBody(m, d, meeting, m->flex_vertbodyid[v]);
}

static void wakeFlex(const snModel* m, snData* d, int flex, int count)
{
    const int first = m->flex_vertadr[flex];
    for (int v = first; v < first + m->flex_vertnum[flex]; v++)
        sn_wakeIsland(m, d, m->body_treeid[m->flex_vertbodyid[v]], count);
}

static void meetEquality(const snModel* m, const snData* d, int eq, Meeting* meeting)
{
    const int id[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]};
    for (int k = 0; k < 2; k++) {
        if (sn_isBetweenBodies(m, eq))
            attendBody(m, d, meeting, sn_equalityBody(m, eq, k));
        else if (id[k] >= 0 && m->eq_type[eq] == SN_EQ_JOINT)
            attendJoint(m, d, meeting, id[k]);
        else if (id[k] >= 0 && m->eq_type[eq] == SN_EQ_FLEX)
            attendFlex(m, d, meeting, id[k]);
        else if (id[k] >= 0)
            attendTendon(m, d, meeting, id[k]);
    }
}

static void wakeTendon(const snModel* m, snData* d, int tendon, int count)
{
    const int* dof = m->tendon_dofid + m->tendon_dofadr[tendon];
    for (int k = 0; k < m->tendon_dofnum[tendon]; k++) sn_wakeIsland(m, d, m->dof_treeid[dof[k]], count);
}

static void wakeEquality(const snModel* m, snData* d, int eq, int count)
{
    const int id[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]};
    for (int k = 0; k < 2; k++) {
        if (sn_isBetweenBodies(m, eq))
            sn_wakeIsland(m, d, m->body_treeid[sn_equalityBody(m, eq, k)], count);
        else if (id[k] >= 0 && m->eq_type[eq] == SN_EQ_JOINT)
            sn_wakeIsland(m, d, m->body_treeid[m->jnt_bodyid[id[k]]], count);
        else if (id[k] >= 0 && m->eq_type[eq] == SN_EQ_FLEX)
            wakeFlex(m, d, id[k], count);
        else if (id[k] >= 0)
            wakeTendon(m, d, id[k], count);
    }
}

static bool wakeByEqualities(const snModel* m, snData* d)
{
    bool woken = false;
    for (int eq = 0; eq < m->neq; eq++) {
        Meeting meeting = beginMeeting();
        if (d->eq_active[eq]) meetEquality(m, d, eq, &meeting);
        if (!wakes(&meeting)) continue;
        wakeEquality(m, d, eq, SN_AWAKE);
        woken = true;
    }
    return woken;
}

static bool isAtLimit(const snModel* m, const snData* d, int tendon)
{
    if (!m->tendon_limited[tendon] || m->opt.disableflags & SN_DSBL_LIMIT) return false;
    const double *range = m->tendon_range + 2 * tendon, margin = m->tendon_margin[tendon];
    return d->ten_length[tendon] - range[0] < margin || range[1] - d->ten_length[tendon] < margin;
}

static bool wakeByTendons(const snModel* m, snData* d)
{
    bool woken = false;
    for (int t = 0; t < m->ntendon; t++) {
        Meeting meeting = beginMeeting();
        if (isAtLimit(m, d, t) || m->tendon_frictionloss[t] > 0) attendTendon(m, d, &meeting, t);
        if (!wakes(&meeting)) continue;
        wakeTendon(m, d, t, countOf(&meeting));
        woken = true;
    }
    return woken;
}

bool sn_wakeMet(const snModel* m, snData* d)
{
    if (!d->nasleep || m->opt.disableflags & SN_DSBL_CONSTRAINT) return false;
    bool woken = wakeByContacts(m, d);
    if (!(m->opt.disableflags & SN_DSBL_EQUALITY)) woken |= wakeByEqualities(m, d);
    woken |= wakeByTendons(m, d);
    if (woken) sn_listAwake(m, d);
    return woken;
}

// ---- falling asleep

static bool mayRest(const snModel* m, int tree)
{
    const int policy = m->tree_sleep_policy[tree];
    return policy != SN_SLEEP_NEVER && policy != SN_SLEEP_AUTO_NEVER;
}

// Counts of awake trees whose dofs rest.
static void countSlow(const snModel* m, snData* d)
{
    for (snRuns r = sn_awakeDofs(m, d); sn_isRun(&r); sn_nextRun(&r))
        for (int i = r.first; i < r.end;) {
            const int tree = m->dof_treeid[i], first = i;
            bool rests = mayRest(m, tree);
            for (; i < r.end && m->dof_treeid[i] == tree; i++)
                rests &= fabs(d->qvel[i]) * m->dof_length[i] < m->opt.sleep_tolerance;
            rests = rests && !sn_anyBit(d->qfrc_applied, first, i);
            int* count = d->tree_asleep + tree;
            if (*count < 0) *count = !rests ? SN_AWAKE : *count < -1 ? *count + 1 : -1;
        }
}

// What is pushed does not rest, though it may not move.
static void countPushed(const snModel* m, snData* d)
{
    for (snRuns r = sn_awakeBodies(m, d); sn_isRun(&r); sn_nextRun(&r))
        for (int b = r.first; b < r.end; b++) {
            const int tree = m->body_treeid[b];
            if (tree >= 0 && d->tree_asleep[tree] < 0 && sn_anyBit(d->xfrc_applied, 6 * b, 6 * b + 6))
                d->tree_asleep[tree] = SN_AWAKE;
        }
}

// What is explicit in a step hangs in balance, and would fall asleep in it.
static void keepElasticAwake(const snModel* m, snData* d)
{
    for (int f = 0; f < m->nflex && !sn_integratorKind(m->opt.integrator).metric; f++) {
        if (!sn_isElastic(m, f)) continue;
        const int first = m->flex_vertadr[f];
        for (int v = first; v < first + m->flex_vertnum[f]; v++) {
            const int tree = m->body_treeid[m->flex_vertbodyid[v]];
            if (tree >= 0 && d->tree_asleep[tree] < 0) d->tree_asleep[tree] = SN_AWAKE;
        }
    }
}

// Counts steps at rest; whether any tree has rested long enough.
static bool countRest(const snModel* m, snData* d)
{
    bool ready = false;
    countSlow(m, d);
    countPushed(m, d);
    keepElasticAwake(m, d);
    for (int t = 0; t < m->ntree; t++) ready |= d->tree_asleep[t] == -1;
    return ready;
}

// Sets of trees that rows, loops or flexes couple, parent [ntree]; what stays awake, by the first tree of a
// set.
static void coupleTrees(const snModel* m, const snData* d, int* parent, bool* stays)
{
    for (int t = 0; t < m->ntree; t++) parent[t] = t;
    for (int row = 0, coladr = -1; row < d->nefc; row++) {
        if (d->efc_J_coladr[row] == coladr) continue;
        coladr = d->efc_J_coladr[row];
        const int* dofs = d->efc_J_colind + coladr;
        int tree = m->dof_treeid[dofs[0]], root = sn_findTree(parent, tree);
        for (int k = 1; k < d->efc_J_rownnz[row]; k++) {
            if (m->dof_treeid[dofs[k]] == tree) continue;
            tree = m->dof_treeid[dofs[k]];
            root = sn_uniteTrees(parent, root, tree);
        }
    }
    sn_uniteMechanisms(m, d, parent);
    for (int f = 0; f < m->nflex; f++)
        if (sn_isElastic(m, f) || sn_hasEdgeForces(m, f)) sn_uniteFlex(m, f, parent);
    for (int t = 0; t < m->ntree; t++)
        if (d->tree_asleep[t] != -1) stays[sn_findTree(parent, t)] = true;
}

// Trees of a set follow each other in a ring: last and first [ntree] of each set so far, by its root.
static bool joinRings(const snModel* m, snData* d, int* parent, const bool* stays, int* last)
{
    bool any = false;
    for (int t = 0; t < m->ntree; t++) last[t] = -1;
    for (int t = 0; t < m->ntree; t++) {
        const int root = sn_findTree(parent, t);
        if (stays[root]) continue;
        d->tree_asleep[t] = root; // the first of its set, to which the last one leads
        if (last[root] >= 0) d->tree_asleep[last[root]] = t;
        last[root] = t;
        any = true;
    }
    return any;
}

static void stopSleepers(const snModel* m, snData* d)
{
    for (int i = 0; i < m->nv; i++)
        if (d->tree_asleep[m->dof_treeid[i]] >= 0) d->qvel[i] = 0;
}

// Without islands all that there is is one, as soon as anything has rows; it does not sleep.
static void keepAwake(const snModel* m, snData* d)
{
    for (int t = 0; t < m->ntree; t++)
        if (d->tree_asleep[t] < 0) d->tree_asleep[t] = SN_AWAKE;
}

bool sn_fallAsleep(const snModel* m, snData* d)
{
    if (m->opt.disableflags & SN_DSBL_ISLAND && d->nefc) {
        keepAwake(m, d);
        return false;
    }
    if (m->ntree == 0 || !countRest(m, d)) return false;
    const size_t mark = sn_scratchMark(d);
    int *parent = sn_scratchInt(d, m->ntree), *last = sn_scratchInt(d, m->ntree);
    bool *stays = sn_scratchAlloc(d, (size_t)m->ntree * sizeof *stays), any = false;
    if (parent && last && stays) {
        for (int t = 0; t < m->ntree; t++) stays[t] = false;
        coupleTrees(m, d, parent, stays);
        any = joinRings(m, d, parent, stays, last);
    } else {
        sn_warnFull(d);
    }
    sn_scratchRelease(d, mark);
    if (!any) return false;
    stopSleepers(m, d);
    sn_keepAsleep(m, d);
    return true;
}
