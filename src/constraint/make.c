// In lanes, too: src/batch/lane/prelude.h.
// The constraint rows of one position: equality, dry friction, limits, contacts. Source: seed 001,
// "Constraint model".
#include <assert.h>
#include <sinew/constraint.h>
#include <limits.h>
#include <string.h>
#include "base/memory.h"
#include "constraint/equality.h"
#include "constraint/row.h"
#include "math/vec.h"
#include "math/zero.h"
#include "model/arena.h"
#include "model/contact.h"
#include "model/kinds.h"
#include "model/made.h"
#include "model/sleep.h"
#include "smooth/tendon/tendon.h"

// One limit that is closer than its margin: a joint or tendon, which side, how far.
typedef struct Limit {
    snConstraintType type;
    int id;
    real dist;
    snVec3 gradient; // of dist by the joint's dofs; x alone for hinge and slide, and by the tendon's length
} Limit;

// Limits of a coordinate, by the distances from its ends, within their margin into out [2]; returns how many.
// In lanes one row serves both ends, unless a lane is near both.
static int coordinateLimits(snConstraintType type, int id, real below, real above, real margin, Limit* out)
{
    const snMask low = below < margin, high = above < margin;
    int count = 0;
    if (sn_any(low) && sn_any(high) && !sn_any(low & high)) {
        out[count++] = (Limit){type, id, sn_select(high, above, below), sn_v3(sn_select(high, -1, 1), 0, 0)};
        return count;
    }
    if (sn_any(low)) out[count++] = (Limit){type, id, below, sn_v3(1, 0, 0)};
    if (sn_any(high)) out[count++] = (Limit){type, id, above, sn_v3(-1, 0, 0)};
    return count;
}

// Limits of a joint within their margin into out [2]; returns how many.
static int jointLimits(const snModel* m, const snData* d, int joint, Limit* out)
{
    if (!m->jnt_limited[joint]) return 0;
    const real* range = m->jnt_range + 2 * joint;
    const real* q = d->qpos + m->jnt_qposadr[joint];
    const real margin = m->jnt_margin[joint];
    int count = 0;
    if (sn_isScalarJoint(m->jnt_type[joint])) {
        count = coordinateLimits(SN_CNSTR_LIMIT_JOINT, joint, q[0] - range[0], range[1] - q[0], margin, out);
    } else if (m->jnt_type[joint] == SN_JNT_BALL) {
        const snVec3 turn = sn_quatToRotvec(sn_quatNormalize(sn_quatLoad(q)));
        const real dist = sn_max(range[0], range[1]) - sn_v3Norm(turn);
        if (sn_any(dist < margin))
            out[count++] = (Limit){SN_CNSTR_LIMIT_JOINT, joint, dist, sn_v3Neg(sn_v3Normalize(turn))};
    }
    return count && sn_isAsleep(d, m->body_treeid[m->jnt_bodyid[joint]]) ? 0 : count;
}

// Trees that a row joins sleep together.
static inline bool sleepsTendon(const snModel* m, const snData* d, int tendon)
{
    return sn_isAsleep(d, m->dof_treeid[m->tendon_dofid[m->tendon_dofadr[tendon]]]);
}

// Limits of a tendon within their margin. One that no dof moves has none.
static int tendonLimits(const snModel* m, const snData* d, int tendon, Limit* out)
{
    if (!m->tendon_limited[tendon] || !d->ten_J_rownnz[tendon] || sleepsTendon(m, d, tendon)) return 0;
    const real *range = m->tendon_range + 2 * tendon, margin = m->tendon_margin[tendon];
    const real below = d->ten_length[tendon] - range[0], above = range[1] - d->ten_length[tendon];
    return coordinateLimits(SN_CNSTR_LIMIT_TENDON, tendon, below, above, margin, out);
}

static int collectLimits(const snModel* m, const snData* d, Limit* out)
{
    int count = 0;
    SN_EACH_JOINT (m, d, j) count += jointLimits(m, d, j, out + count);
    for (int t = 0; t < m->ntendon; t++) count += tendonLimits(m, d, t, out + count);
    return count;
}

// The last dofs that move the bodies of a contact, each once.
typedef struct Chains {
    int count, last[SN_CONTACT_BODIES];
} Chains;

static void findChains(const snModel* m, const snContact* con, Chains* chains)
{
    int body[SN_CONTACT_BODIES];
    const int bodies = sn_contactBodies(m, con, body);
    chains->count = 0;
    for (int i = 0; i < bodies; i++) {
        const int last = sn_bodyLastDof(m, body[i]);
        int k = 0;
        while (k < chains->count && chains->last[k] != last) k++;
        if (k == chains->count) chains->last[chains->count++] = last;
    }
}

static bool areAlike(const Chains* a, const Chains* b)
{
    bool same = a->count == b->count;
    for (int k = 0; k < a->count && same; k++) same = a->last[k] == b->last[k];
    return same;
}

// contactDofs of two bodies, whose last dofs are a and b.
static int pairDofs(const snModel* m, int a, int b, int* dofs)
{
    const int* parent = m->dof_parentid;
    int count = 0;
    while (a != b) {
        if (a > b)
            a = parent[dofs[count++] = a];
        else
            b = parent[dofs[count++] = b];
    }
    return count;
}

// Dofs where a contact's Jacobian can differ from zero, descending, into dofs [nv]. Dofs that move all bodies
// give both contact points the same velocity and drop out.
static int contactDofs(const snModel* m, const Chains* of, int* dofs)
{
    if (of->count == 2) return pairDofs(m, of->last[0], of->last[1], dofs);
    Chains chains = *of;
    int count = 0;
    for (int* last = chains.last;;) {
        int top = last[0];
        bool one = true;
        for (int k = 1; k < chains.count; k++) {
            one &= last[k] == last[0];
            if (last[k] > top) top = last[k];
        }
        if (one) return count;
        dofs[count++] = top;
        for (int k = 0; k < chains.count; k++)
            if (last[k] == top) last[k] = m->dof_parentid[top];
    }
}

// A contact has rows if its bodies do not move as one; notes why not in exclude. One between bodies that move
// as those of the one in front of it touches the same dofs.
static bool planContacts(const snModel* m, snData* d, int* dofs, snRowPlan* plan)
{
    Chains chains[2] = {{0}, {0}}; // of a contact and, in turns, of the one before
    bool fits = true;
    for (int c = 0, own = 0; c < d->ncon; c++) {
        snContact* con = d->contact + c;
        if (!sn_contactIsIn(con)) continue;
        findChains(m, con, chains + own);
        if (chains[own].count == 1) con->exclude = 3;
        if (chains[own].count == 1 || !fits) continue;
        const bool alike = areAlike(chains, chains + 1);
        fits = sn_planRows(plan, c, sn_contactRows(m, con->dim), alike ? NULL : dofs,
                           alike ? 0 : contactDofs(m, chains + own, dofs));
        own = !own;
    }
    return fits;
}

enum {
    ARRAYS = 1
#define X(type, name, ...) +1
    SN_ARENA_FIELDS(X)
#undef X
};

// Drops the rows of an earlier call; what is left for others, with room to align their arrays.
static size_t roomForRows(snData* d)
{
    const size_t slack = ARRAYS * (size_t)SN_ALIGN;
    d->parena = d->contact ? sn_alignUp((size_t)((char*)(d->contact + d->ncon) - (char*)d->arena)) : 0;
    d->nelasticrow = d->nelastic = 0;
    const size_t taken = d->parena + d->pstack + slack;
    const size_t room = d->narena > taken ? d->narena - taken : 0;
    const size_t most =
        (size_t)INT_MAX * (sizeof(real) / sizeof(snDouble)); // so that every address is an int
    return room < most ? room : most;
}

// Room for an array of the rows, from what is left of that of all.
static inline void* cut(char** left, size_t bytes)
{
    void* p = *left;
    *left += sn_alignUp(bytes);
    return p;
}

// Takes the arena arrays of the rows.
static void takeRows(const snModel* m, snData* d, const snRowPlan* plan)
{
    void* const contact = d->contact; // stays
#define X(type, name, ...) d->name = NULL;
    SN_ARENA_FIELDS(X)
#undef X
    d->contact = contact;
    if (plan->rows == 0) return;
    const size_t n = (size_t)plan->rows, ints = n * sizeof(int), reals = n * sizeof(real);
    d->efc_J_colind = sn_arenaKeep(d, (size_t)plan->col * sizeof(int));
    char *const begin = sn_arenaNext(d), *left = begin;
    d->efc_type = cut(&left, ints);
    d->efc_id = cut(&left, ints);
    d->efc_J_rownnz = cut(&left, ints);
    d->efc_J_rowadr = cut(&left, ints);
    d->efc_J_coladr = cut(&left, ints);
    d->efc_J = cut(&left, (size_t)plan->J * sizeof(real));
    d->efc_pos = cut(&left, reals);
    d->efc_margin = cut(&left, reals);
    d->efc_frictionloss = cut(&left, reals);
    d->efc_diagApprox = cut(&left, reals);
    d->efc_KBIP = cut(&left, 4 * reals);
    d->efc_D = cut(&left, reals);
    d->efc_R = cut(&left, reals);
    d->nR0 = sn_integratorKind(m->opt.integrator).metric ? plan->rows : 0;
    if (d->nR0) d->efc_R0 = cut(&left, reals);
    d->efc_vel = cut(&left, reals);
    d->efc_aref = cut(&left, reals);
    d->efc_state = cut(&left, ints);
    d->efc_force = cut(&left, reals);
    const size_t zeros = (size_t)(left - (char*)d->efc_vel);
#ifdef SN_LANES
    d->efc_live = cut(&left, n * sizeof(snMask));
#endif
    const void* taken = sn_arenaAlloc(d, (size_t)(left - begin));
    assert(taken == begin); // the plan fits
    (void)taken;
    memset(d->efc_vel, 0, zeros);
}

// Dofs of a tendon, descending, into dofs [nv].
static int tendonDofs(const snData* d, int tendon, int* dofs)
{
    const snTendonArms arms = sn_armsOfTendon(d, tendon);
    for (int k = 0; k < arms.num; k++) dofs[k] = arms.dofs[arms.num - 1 - k];
    return arms.num;
}

// A row that is scale times the moment arms of a tendon, whose dofs it has.
static void writeTendon(const snData* d, const snRowBlock* block, int tendon, real scale)
{
    const snTendonArms arms = sn_armsOfTendon(d, tendon);
    for (int k = 0; k < arms.num; k++) block->J[k] = scale * arms.J[k];
}

// Dry friction of dofs has their ids, that of tendons nv + theirs.
static bool planDofFriction(const snModel* m, const snData* d, snRowPlan* plan)
{
    SN_EACH_DOF (m, d, i)
        if (sn_any(m->dof_frictionloss[i] > 0) && !sn_isAsleep(d, m->dof_treeid[i]) &&
            !sn_planRows(plan, i, 1, &i, 1))
            return false;
    return true;
}

static bool planFriction(const snModel* m, const snData* d, int* dofs, snRowPlan* plan)
{
    if (sn_anyNotZero(m->dof_frictionloss, m->nv) && !planDofFriction(m, d, plan)) return false;
    for (int t = 0; t < m->ntendon; t++)
        if (sn_any(m->tendon_frictionloss[t] > 0) && d->ten_J_rownnz[t] && !sleepsTendon(m, d, t) &&
            !sn_planRows(plan, m->nv + t, 1, dofs, tendonDofs(d, t, dofs)))
            return false;
    return true;
}

static void fillTendonFriction(const snModel* m, snData* d, const snRowBlock* block, int t)
{
    writeTendon(d, block, t, sn_real(1));
    const snRowShared shared = {.type = SN_CNSTR_FRICTION_TENDON,
                                .id = t,
                                .frictionloss = m->tendon_frictionloss[t],
                                .solref = m->tendon_solref_fri + SN_NREF * t,
                                .solimp = m->tendon_solimp_fri + SN_NIMP * t};
    sn_fillRows(m, d, block->row, 1, &shared, m->tendon_invweight0[t], sn_real(SN_MINVAL));
}

static void fillFriction(const snModel* m, snData* d, int end, snRowWriter* w)
{
    while (w->row < end) {
        const snRowBlock block = sn_beginRows(d, w);
        const int i = block.id;
        if (i >= m->nv) {
            fillTendonFriction(m, d, &block, i - m->nv);
            continue;
        }
        block.J[0] = sn_real(1);
        const snRowShared shared = {.type = SN_CNSTR_FRICTION_DOF,
                                    .id = i,
                                    .frictionloss = m->dof_frictionloss[i],
                                    .solref = m->dof_solref + SN_NREF * i,
                                    .solimp = m->dof_solimp + SN_NIMP * i};
        sn_fillRows(m, d, block.row, 1, &shared, m->dof_invweight0[i], sn_real(SN_MINVAL));
    }
}

static int limitDofs(const snModel* m, const snData* d, const Limit* limit, int* dofs)
{
    if (limit->type == SN_CNSTR_LIMIT_TENDON) return tendonDofs(d, limit->id, dofs);
    const int count = m->jnt_type[limit->id] == SN_JNT_BALL ? 3 : 1;
    for (int k = 0; k < count; k++) dofs[k] = m->jnt_dofadr[limit->id] + count - 1 - k;
    return count;
}

static bool planLimits(const snModel* m, const snData* d, const Limit* limits, int count, int* dofs,
                       snRowPlan* plan)
{
    for (int k = 0; k < count; k++)
        if (!sn_planRows(plan, k, 1, dofs, limitDofs(m, d, limits + k, dofs))) return false;
    return true;
}

static void fillTendonLimit(const snModel* m, snData* d, const Limit* limit, const snRowBlock* block)
{
    const int t = limit->id;
    writeTendon(d, block, t, limit->gradient.x);
    const snRowShared shared = {.type = SN_CNSTR_LIMIT_TENDON,
                                .id = t,
                                .pos = limit->dist,
                                .margin = m->tendon_margin[t],
                                .solref = m->tendon_solref_lim + SN_NREF * t,
                                .solimp = m->tendon_solimp_lim + SN_NIMP * t};
    sn_fillRows(m, d, block->row, 1, &shared, m->tendon_invweight0[t], sn_real(SN_MINVAL));
}

static void fillJointLimit(const snModel* m, snData* d, const Limit* limit, const snRowBlock* block)
{
    const int j = limit->id;
    block->J[0] = limit->gradient.x;
    if (m->jnt_type[j] == SN_JNT_BALL) sn_v3Store(block->J, limit->gradient);
    const snRowShared shared = {.type = SN_CNSTR_LIMIT_JOINT,
                                .id = j,
                                .pos = limit->dist,
                                .margin = m->jnt_margin[j],
                                .solref = m->jnt_solref + SN_NREF * j,
                                .solimp = m->jnt_solimp + SN_NIMP * j};
    sn_fillRows(m, d, block->row, 1, &shared, m->dof_invweight0[m->jnt_dofadr[j]], sn_real(SN_MINVAL));
}

static void fillLimits(const snModel* m, snData* d, const Limit* limits, int end, snRowWriter* w)
{
    while (w->row < end) {
        const snRowBlock block = sn_beginRows(d, w);
        const Limit* limit = limits + block.id;
        if (limit->type == SN_CNSTR_LIMIT_TENDON)
            fillTendonLimit(m, d, limit, &block);
        else
            fillJointLimit(m, d, limit, &block);
    }
}

// Which rows there are, as far as they fit: counts of snData, and the plan by which they are filled.
static void planAll(const snModel* m, snData* d, const Limit* limits, int nlimit, int* dofs, snRowPlan* plan)
{
    const int off = m->opt.disableflags;
    bool fits = (off & SN_DSBL_EQUALITY) || sn_planEqualities(m, d, dofs, plan);
    d->ne = plan->rows;
    fits = fits && ((off & SN_DSBL_FRICTIONLOSS) || planFriction(m, d, dofs, plan));
    d->nf = plan->rows - d->ne;
    fits = fits && planLimits(m, d, limits, nlimit, dofs, plan);
    d->nl = plan->rows - d->ne - d->nf;
    fits = fits && ((off & SN_DSBL_CONTACT) || planContacts(m, d, dofs, plan));
    d->nefc = plan->rows;
    d->nJ = plan->J;
    d->nJcol = plan->col;
    if (d->nefc > d->maxuse_efc) d->maxuse_efc = d->nefc;
    if (!fits) sn_warnFull(d);
}

void sn_makeConstraint(const snModel* m, snData* d)
{
    sn_assertMade(m, d, contact, xpos, xmat, subtree_com, cdof, ten_length);
    const int off = m->opt.disableflags;
    d->ne = d->nf = d->nl = d->nefc = d->nR0 = d->nJ = d->nJcol = 0;
    sn_dropLoops(d); // their arrays stand behind those of the rows
    for (int c = 0; c < d->ncon; c++) d->contact[c].efc_address = -1;
    if ((off & SN_DSBL_CONSTRAINT) || m->nv == 0) return;

    const size_t mark = sn_scratchMark(d);
    Limit* limits = sn_scratchAlloc(d, 2 * ((size_t)m->njnt + (size_t)m->ntendon) * sizeof(Limit));
    int* dofs = sn_scratchInt(d, m->nv);
    const int nlimit = off & SN_DSBL_LIMIT || !limits ? 0 : collectLimits(m, d, limits);
    const size_t most =
        (size_t)sn_mostEqualities(m) + (size_t)m->nv + (size_t)m->ntendon + (size_t)nlimit + (size_t)d->ncon;
    snRowPlan plan = {.support = sn_scratchAlloc(d, most * sizeof(snRowSupport))};
    if (!limits || !dofs || !plan.support) {
        sn_warnFull(d);
        sn_scratchRelease(d, mark);
        return;
    }
    plan.room = roomForRows(d);
    plan.colind = sn_arenaNext(d);
    planAll(m, d, limits, nlimit, dofs, &plan);
    takeRows(m, d, &plan);

    snRowWriter w = {.next = plan.support};
    sn_fillEqualities(m, d, d->ne, &w);
    fillFriction(m, d, d->ne + d->nf, &w);
    fillLimits(m, d, limits, d->ne + d->nf + d->nl, &w);
    sn_fillContacts(m, d, d->nefc, &w);
    assert(w.row == d->nefc && w.J == d->nJ); // all that was planned
    sn_scratchRelease(d, mark);
#ifndef SN_LANES // rigid contact has no R
    if ((m->opt.enableflags & SN_ENBL_DIAGEXACT) && m->opt.contact == SN_CONTACT_SOFT && !d->nR0) {
        sn_assertMade(m, d, qLD, qLDiagInv);
        sn_exactDiagonal(m, d, d->qLD, d->qLDiagInv);
    }
#endif
}
