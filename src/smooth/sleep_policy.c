#include "smooth/sleep_policy.h"
#include "model/elastic.h"
#include "model/kinds.h"
#include "smooth/kinematics/resistance.h"

static void forbid(snModel* m, int tree)
{
    if (tree >= 0 && m->tree_sleep_policy[tree] == SN_SLEEP_AUTO_ALLOWED)
        m->tree_sleep_policy[tree] = SN_SLEEP_AUTO_NEVER;
}

static void forbidTendon(snModel* m, int tendon)
{
    const int* dof = m->tendon_dofid + m->tendon_dofadr[tendon];
    for (int k = 0; k < m->tendon_dofnum[tendon]; k++) forbid(m, m->dof_treeid[dof[k]]);
}

static void forbidSite(snModel* m, int site)
{
    if (site >= 0) forbid(m, m->body_treeid[m->site_bodyid[site]]);
}

// An actuator may move its trees at any time, and nobody asks whether it would while they sleep.
static void forbidActuated(snModel* m, int actuator)
{
    const int* id = m->actuator_trnid + 2 * actuator;
    switch (sn_transmissionTarget(m->actuator_trntype[actuator], id[1])) {
    case SN_OBJ_JOINT: forbid(m, m->body_treeid[m->jnt_bodyid[id[0]]]); break;
    case SN_OBJ_TENDON: forbidTendon(m, id[0]); break;
    case SN_OBJ_SITE:
        forbidSite(m, id[0]);
        forbidSite(m, id[1]);
        break;
    case SN_OBJ_BODY: forbid(m, m->body_treeid[id[0]]); break;
    default: break;
    }
}

// How many trees a tendon joins: 0, 1, 2, or 3 for more.
static int treesOfTendon(const snModel* m, int tendon)
{
    const int* dof = m->tendon_dofid + m->tendon_dofadr[tendon];
    int seen[2] = {-1, -1}, count = 0;
    for (int k = 0; k < m->tendon_dofnum[tendon] && count < 3; k++) {
        const int tree = m->dof_treeid[dof[k]];
        if (tree == seen[0] || tree == seen[1]) continue;
        if (count < 2) seen[count] = tree;
        count++;
    }
    return count;
}

// Its forces act without rows, so that nothing wakes one tree when the other moves.
const char* sn_whyTendonKeepsAwake(const snModel* m, int tendon)
{
    const int trees = treesOfTendon(m, tendon);
    if (trees > 2) return "joins more than two trees";
    const bool pulls =
        !sn_cubicIsZero(sn_springOfTendon(m, tendon)) || !sn_cubicIsZero(sn_damperOfTendon(m, tendon));
    return trees == 2 && pulls ? "joins two trees by stiffness or damping" : NULL;
}

// Vertices that nothing holds together.
static void forbidFlex(snModel* m, int flex)
{
    if (m->flex_edgeequality[flex] || sn_isElastic(m, flex)) return;
    const int first = m->flex_vertadr[flex];
    for (int v = first; v < first + m->flex_vertnum[flex]; v++)
        forbid(m, m->body_treeid[m->flex_vertbodyid[v]]);
}

void sn_resolvePolicies(snModel* m)
{
    for (int t = 0; t < m->ntree; t++)
        if (m->tree_sleep_policy[t] == SN_SLEEP_AUTO_NEVER) m->tree_sleep_policy[t] = SN_SLEEP_AUTO_ALLOWED;
    for (int i = 0; i < m->nactuator; i++) forbidActuated(m, i);
    for (int t = 0; t < m->ntendon; t++)
        if (sn_whyTendonKeepsAwake(m, t)) forbidTendon(m, t);
    for (int f = 0; f < m->nflex; f++) forbidFlex(m, f);
}
