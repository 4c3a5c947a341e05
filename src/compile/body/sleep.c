// When trees may sleep.
#include <sinew/names.h>
#include "compile/body/body.h"
#include "model/arena_size.h"
#include "model/sleep.h"
#include "smooth/sleep_policy.h"

// ---- policies

static const snSpecHead* rootOf(const snBuild* b, int tree)
{
    int i = 0;
    while (b->m->body_treeid[i] != tree) i++;
    return &b->body[i]->head;
}

static bool checkTendon(snBuild* b, int tendon)
{
    const snModel* m = b->m;
    const char* why = sn_whyTendonKeepsAwake(m, tendon);
    if (!why) return true;
    const int* dof = m->tendon_dofid + m->tendon_dofadr[tendon];
    for (int k = 0; k < m->tendon_dofnum[tendon]; k++) {
        const int tree = m->dof_treeid[dof[k]], policy = m->tree_sleep_policy[tree];
        if (policy == SN_SLEEP_ALLOWED || policy == SN_SLEEP_INIT)
            return sn_buildFail(
                b, rootOf(b, tree), SN_STATUS_MODEL,
                "its tree may not sleep, as tendon '%s' %s: leave 'sleep' out, or give \"never\"",
                sn_id2name(m, SN_OBJ_TENDON, tendon), why);
    }
    return true;
}

static bool isRoot(const snModel* m, int body)
{
    return m->body_dofnum[body] && m->dof_parentid[m->body_dofadr[body]] < 0;
}

static bool takePolicies(snBuild* b)
{
    snModel* m = b->m;
    for (int i = 0; i < m->nbody; i++) {
        const int policy = b->body[i]->sleep;
        const bool root = isRoot(m, i);
        if (policy != SN_SLEEP_AUTO && !root)
            return sn_buildFail(
                b, &b->body[i]->head, SN_STATUS_MODEL,
                "'sleep' is of a whole kinematic tree: give it to the body that moves and that "
                "no moving body carries");
        if (root) m->tree_sleep_policy[m->body_treeid[i]] = policy ? policy : SN_SLEEP_AUTO_ALLOWED;
    }
    return true;
}

bool sn_buildSleep(snBuild* b)
{
    snModel* m = b->m;
    if (!takePolicies(b)) return false;
    for (int t = 0; t < m->ntendon; t++)
        if (!checkTendon(b, t)) return false;
    sn_resolvePolicies(m);
    return true;
}

// ---- what the flag cannot do

bool sn_checkSleep(snBuild* b)
{
    snModel* m = b->m;
    if (!(m->opt.enableflags & SN_ENBL_SLEEP)) return true;
    if (!sn_maySleep(m))
        return sn_buildWarnSetting(
            b, "option", "integrator",
            "with the integrator RK4 nothing sleeps: give another, or leave out the flag "
            "sleep");
    int wanted = 0;
    for (int t = 0; t < m->ntree; t++) wanted += m->tree_sleep_policy[t] == SN_SLEEP_INIT;
    if (!wanted) return true;
    const size_t narena = m->narena; // as for the constants
    m->narena = SN_ARENA_LIMIT;
    snData* d = sn_makeData(m);
    m->narena = narena;
    if (!d) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory to put trees to sleep");
    bool good = true;
    for (int t = 0; t < m->ntree && good; t++)
        if (m->tree_sleep_policy[t] == SN_SLEEP_INIT && d->tree_asleep[t] < 0)
            good = sn_buildWarn(b, rootOf(b, t),
                                "is to sleep from the start, but is in an island with a tree that is not: it "
                                "starts awake; give all of them sleep=\"init\", or part them");
    sn_deleteData(d);
    return good;
}
