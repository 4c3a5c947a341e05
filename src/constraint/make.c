// The constraint rows of one position: equality, dry friction, limits, contacts.
#include <sinew/constraint.h>
#include <limits.h>
#include <string.h>
#include "base/memory.h"
#include "constraint/equality.h"
#include "constraint/row.h"
#include "math/vec.h"
#include "model/arena.h"

// One limit that is closer than its margin: a joint or tendon, which side, how far.
typedef struct Limit {
    snConstraintType type;
    int id;
    double dist;
    snVec3 gradient; // of dist by the joint's dofs; x alone for hinge and slide, and by the tendon's length
} Limit;

// Limits of a joint within their margin into out [2]; returns how many.
static int jointLimits(const snModel* m, const snData* d, int joint, Limit* out)
{
    if (!m->jnt_limited[joint]) return 0;
    const double* range = m->jnt_range + 2 * joint;
    const double* q = d->qpos + m->jnt_qposadr[joint];
    const double margin = m->jnt_margin[joint];
    int count = 0;
    if (m->jnt_type[joint] == SN_JNT_HINGE || m->jnt_type[joint] == SN_JNT_SLIDE) {
        if (q[0] - range[0] < margin)
            out[count++] = (Limit){SN_CNSTR_LIMIT_JOINT, joint, q[0] - range[0], {1, 0, 0}};
        if (range[1] - q[0] < margin)
            out[count++] = (Limit){SN_CNSTR_LIMIT_JOINT, joint, range[1] - q[0], {-1, 0, 0}};
    } else if (m->jnt_type[joint] == SN_JNT_BALL) {
        const snVec3 turn = sn_quatToRotvec(sn_quatNormalize(sn_quatLoad(q)));
        const double dist = fmax(range[0], range[1]) - sn_v3Norm(turn);
        if (dist < margin)
            out[count++] = (Limit){SN_CNSTR_LIMIT_JOINT, joint, dist, sn_v3Neg(sn_v3Normalize(turn))};
    }
    return count;
}

// Limits of a tendon within their margin. One that no dof moves has none.
static int tendonLimits(const snModel* m, const snData* d, int tendon, Limit* out)
{
    if (!m->tendon_limited[tendon] || !d->ten_J_rownnz[tendon]) return 0;
    const double *range = m->tendon_range + 2 * tendon, margin = m->tendon_margin[tendon];
    const double below = d->ten_length[tendon] - range[0], above = range[1] - d->ten_length[tendon];
    int count = 0;
    if (below < margin) out[count++] = (Limit){SN_CNSTR_LIMIT_TENDON, tendon, below, {1, 0, 0}};
    if (above < margin) out[count++] = (Limit){SN_CNSTR_LIMIT_TENDON, tendon, above, {-1, 0, 0}};
    return count;
}

static int collectLimits(const snModel* m, const snData* d, Limit* out)
{
    int count = 0;
    for (int j = 0; j < m->njnt; j++) count += jointLimits(m, d, j, out + count);
    for (int t = 0; t < m->ntendon; t++) count += tendonLimits(m, d, t, out + count);
    return count;
}

// A contact has rows if its bodies do not move as one; notes why not in exclude.
static bool hasRows(const snModel* m, snContact* con)
{
    con->efc_address = -1;
    if (con->exclude) return false;
    if (sn_bodyLastDof(m, m->geom_bodyid[con->geom[0]]) == sn_bodyLastDof(m, m->geom_bodyid[con->geom[1]]))
        con->exclude = 3;
    return !con->exclude;
}

// Whether two contacts touch the same dofs because their bodies move as the same two.
static bool isAlike(const snModel* m, const snContact* a, const snContact* b)
{
    return a &&
           sn_bodyLastDof(m, m->geom_bodyid[a->geom[0]]) == sn_bodyLastDof(m, m->geom_bodyid[b->geom[0]]) &&
           sn_bodyLastDof(m, m->geom_bodyid[a->geom[1]]) == sn_bodyLastDof(m, m->geom_bodyid[b->geom[1]]);
}

static bool planContacts(const snModel* m, snData* d, int* dofs, snRowPlan* plan)
{
    const snContact* last = NULL;
    int ndof = 0;
    bool fits = true;
    for (int c = 0; c < d->ncon; c++) {
        snContact* con = d->contact + c;
        if (!hasRows(m, con) || !fits) continue;
        const bool alike = isAlike(m, last, con);
        if (!alike) ndof = sn_contactDofs(m, con, dofs);
        fits = sn_planRows(plan, sn_contactRows(m, con->dim), ndof, alike);
        last = con;
    }
    return fits;
}

enum {
    ROW_BYTES = 6 * sizeof(int) + 14 * sizeof(double), // of the arrays with an entry for each row
    ARRAYS = 0
#define X(type, name, count, columns, meaning) +1
    SN_ARENA_FIELDS(X)
#undef X
};

bool sn_planRows(snRowPlan* plan, int count, int ndof, bool alike)
{
    const size_t rows = (size_t)plan->rows + (size_t)count;
    const size_t numbers = (size_t)plan->J + (size_t)count * (size_t)ndof;
    const size_t cols = (size_t)plan->col + (alike ? 0 : (size_t)ndof);
    if (rows * ROW_BYTES + numbers * sizeof(double) + cols * sizeof(int) > plan->room) return false;
    plan->rows = (int)rows;
    plan->J = (int)numbers;
    plan->col = (int)cols;
    return true;
}

// Drops the rows of an earlier call; what is left for others, with room to align their arrays.
static size_t roomForRows(snData* d)
{
    const size_t slack = ARRAYS * (size_t)SN_ALIGN;
    d->parena = d->contact ? sn_alignUp((size_t)((char*)(d->contact + d->ncon) - (char*)d->arena)) : 0;
    const size_t taken = d->parena + d->pstack + slack;
    const size_t room = d->narena > taken ? d->narena - taken : 0;
    return room < INT_MAX ? room : INT_MAX; // so that every address is an int
}

// Takes the arena arrays of the rows.
static void takeRows(snData* d, const snRowPlan* plan)
{
#define X(type, name, count, columns, meaning)                                                               \
    if ((void*)d->name != (void*)d->contact) d->name = NULL;
    SN_ARENA_FIELDS(X)
#undef X
    if (plan->rows == 0) return;
    const size_t n = (size_t)plan->rows;
    d->efc_type = sn_arenaAlloc(d, n * sizeof(int));
    d->efc_id = sn_arenaAlloc(d, n * sizeof(int));
    d->efc_J_rownnz = sn_arenaAlloc(d, n * sizeof(int));
    d->efc_J_rowadr = sn_arenaAlloc(d, n * sizeof(int));
    d->efc_J_coladr = sn_arenaAlloc(d, n * sizeof(int));
    d->efc_J_colind = sn_arenaAlloc(d, (size_t)plan->col * sizeof(int));
    d->efc_J = sn_arenaAlloc(d, (size_t)plan->J * sizeof(double));
    d->efc_pos = sn_arenaAlloc(d, n * sizeof(double));
    d->efc_margin = sn_arenaAlloc(d, n * sizeof(double));
    d->efc_frictionloss = sn_arenaAlloc(d, n * sizeof(double));
    d->efc_diagApprox = sn_arenaAlloc(d, n * sizeof(double));
    d->efc_KBIP = sn_arenaAlloc(d, n * 4 * sizeof(double));
    d->efc_D = sn_arenaAlloc(d, n * sizeof(double));
    d->efc_R = sn_arenaAlloc(d, n * sizeof(double));
    d->efc_vel = sn_arenaAlloc(d, n * sizeof(double));
    d->efc_aref = sn_arenaAlloc(d, n * sizeof(double));
    d->efc_state = sn_arenaAlloc(d, n * sizeof(int));
    d->efc_force = sn_arenaAlloc(d, n * sizeof(double));
    memset(d->efc_vel, 0, n * sizeof(double));
    memset(d->efc_aref, 0, n * sizeof(double));
    memset(d->efc_state, 0, n * sizeof(int));
    memset(d->efc_force, 0, n * sizeof(double));
}

// A row that is scale times the moment arms of a tendon.
static void beginTendonRow(const snModel* m, snData* d, snRowWriter* w, int tendon, double scale, int* dofs)
{
    const size_t first = (size_t)tendon * (size_t)m->nv;
    const int n = d->ten_J_rownnz[tendon];
    for (int k = 0; k < n; k++) dofs[k] = d->ten_J_colind[first + (size_t)(n - 1 - k)];
    double* J = sn_beginRows(d, w, 1, dofs, n);
    for (int k = 0; k < n; k++) J[k] = scale * d->ten_J[first + (size_t)dofs[n - 1 - k]];
}

static bool hasFriction(const snModel* m, const snData* d, int tendon)
{
    return m->tendon_frictionloss[tendon] > 0 && d->ten_J_rownnz[tendon];
}

static bool planFriction(const snModel* m, const snData* d, snRowPlan* plan)
{
    for (int i = 0; i < m->nv; i++)
        if (m->dof_frictionloss[i] > 0 && !sn_planRows(plan, 1, 1, false)) return false;
    for (int t = 0; t < m->ntendon; t++)
        if (hasFriction(m, d, t) && !sn_planRows(plan, 1, d->ten_J_rownnz[t], false)) return false;
    return true;
}

static void fillTendonFriction(const snModel* m, snData* d, int* dofs, snRowWriter* w)
{
    for (int t = 0; t < m->ntendon && w->row < w->end; t++) {
        if (!hasFriction(m, d, t)) continue;
        const int row = w->row;
        beginTendonRow(m, d, w, t, 1, dofs);
        const snRowShared shared = {.type = SN_CNSTR_FRICTION_TENDON,
                                    .id = t,
                                    .frictionloss = m->tendon_frictionloss[t],
                                    .solref = m->tendon_solref_fri + SN_NREF * t,
                                    .solimp = m->tendon_solimp_fri + SN_NIMP * t};
        sn_fillRows(m, d, row, 1, &shared, m->tendon_invweight0[t]);
    }
}

static void fillFriction(const snModel* m, snData* d, int* dofs, snRowWriter* w)
{
    for (int i = 0; i < m->nv && w->row < w->end; i++) {
        if (!(m->dof_frictionloss[i] > 0)) continue;
        const int row = w->row;
        *sn_beginRows(d, w, 1, &i, 1) = 1;
        const snRowShared shared = {.type = SN_CNSTR_FRICTION_DOF,
                                    .id = i,
                                    .frictionloss = m->dof_frictionloss[i],
                                    .solref = m->dof_solref + SN_NREF * i,
                                    .solimp = m->dof_solimp + SN_NIMP * i};
        sn_fillRows(m, d, row, 1, &shared, m->dof_invweight0[i]);
    }
    fillTendonFriction(m, d, dofs, w);
}

static int limitDofs(const snModel* m, const snData* d, const Limit* limit)
{
    if (limit->type == SN_CNSTR_LIMIT_TENDON) return d->ten_J_rownnz[limit->id];
    return m->jnt_type[limit->id] == SN_JNT_BALL ? 3 : 1;
}

static bool planLimits(const snModel* m, const snData* d, const Limit* limits, int count, snRowPlan* plan)
{
    for (int k = 0; k < count; k++)
        if (!sn_planRows(plan, 1, limitDofs(m, d, limits + k), false)) return false;
    return true;
}

static void fillTendonLimit(const snModel* m, snData* d, const Limit* limit, int* dofs, snRowWriter* w)
{
    const int t = limit->id, row = w->row;
    beginTendonRow(m, d, w, t, limit->gradient.x, dofs);
    const snRowShared shared = {.type = SN_CNSTR_LIMIT_TENDON,
                                .id = t,
                                .pos = limit->dist,
                                .margin = m->tendon_margin[t],
                                .solref = m->tendon_solref_lim + SN_NREF * t,
                                .solimp = m->tendon_solimp_lim + SN_NIMP * t};
    sn_fillRows(m, d, row, 1, &shared, m->tendon_invweight0[t]);
}

static void fillJointLimit(const snModel* m, snData* d, const Limit* limit, snRowWriter* w)
{
    const int j = limit->id, dof = m->jnt_dofadr[j], row = w->row;
    if (m->jnt_type[j] == SN_JNT_BALL)
        sn_v3Store(sn_beginRows(d, w, 1, (int[]){dof + 2, dof + 1, dof}, 3), limit->gradient);
    else
        *sn_beginRows(d, w, 1, &dof, 1) = limit->gradient.x;
    const snRowShared shared = {.type = SN_CNSTR_LIMIT_JOINT,
                                .id = j,
                                .pos = limit->dist,
                                .margin = m->jnt_margin[j],
                                .solref = m->jnt_solref + SN_NREF * j,
                                .solimp = m->jnt_solimp + SN_NIMP * j};
    sn_fillRows(m, d, row, 1, &shared, m->dof_invweight0[dof]);
}

static void fillLimits(const snModel* m, snData* d, const Limit* limits, int count, int* dofs, snRowWriter* w)
{
    for (int k = 0; k < count && w->row < w->end; k++)
        if (limits[k].type == SN_CNSTR_LIMIT_TENDON)
            fillTendonLimit(m, d, limits + k, dofs, w);
        else
            fillJointLimit(m, d, limits + k, w);
}

static void fillContacts(const snModel* m, snData* d, int* dofs, snRowWriter* w)
{
    const snContact* last = NULL;
    int ndof = 0;
    for (int c = 0; c < d->ncon; c++) {
        const snContact* con = d->contact + c;
        const int rows = sn_contactRows(m, con->dim), row = w->row;
        if (con->exclude) continue;
        if (row + rows > w->end) return;
        const bool alike = isAlike(m, last, con);
        if (!alike) ndof = sn_contactDofs(m, con, dofs);
        double* J = alike ? sn_beginRowsAlike(d, w, rows) : sn_beginRows(d, w, rows, dofs, ndof);
        sn_fillContact(m, d, c, row, dofs, ndof, J);
        last = con;
    }
}

void sn_makeConstraint(const snModel* m, snData* d)
{
    const int off = m->opt.disableflags;
    d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nJcol = 0;
    for (int c = 0; c < d->ncon; c++) d->contact[c].efc_address = -1;
    if ((off & SN_DSBL_CONSTRAINT) || m->nv == 0) return;

    const size_t mark = sn_scratchMark(d);
    Limit* limits = sn_scratchAlloc(d, 2 * ((size_t)m->njnt + (size_t)m->ntendon) * sizeof(Limit));
    int* dofs = sn_scratchInt(d, m->nv);
    if (!limits || !dofs) {
        sn_warn(d, SN_WARN_CNSTRFULL, (int)(d->narena / 1024));
        sn_scratchRelease(d, mark);
        return;
    }
    const bool equality = !(off & SN_DSBL_EQUALITY), friction = !(off & SN_DSBL_FRICTIONLOSS),
               contact = !(off & SN_DSBL_CONTACT);
    const int nl = off & SN_DSBL_LIMIT ? 0 : collectLimits(m, d, limits);
    snRowPlan plan = {.room = roomForRows(d)};
    if ((equality && !sn_planEqualities(m, d, dofs, &plan)) || (friction && !planFriction(m, d, &plan)) ||
        !planLimits(m, d, limits, nl, &plan) || (contact && !planContacts(m, d, dofs, &plan)))
        sn_warn(d, SN_WARN_CNSTRFULL, (int)(d->narena / 1024));
    takeRows(d, &plan);

    snRowWriter w = {.end = plan.rows};
    if (equality) sn_fillEqualities(m, d, dofs, &w);
    d->ne = w.row;
    if (friction) fillFriction(m, d, dofs, &w);
    d->nf = w.row - d->ne;
    fillLimits(m, d, limits, nl, dofs, &w);
    d->nl = w.row - d->ne - d->nf;
    if (contact) fillContacts(m, d, dofs, &w);
    d->nefc = w.row;
    d->nJ = w.J;
    d->nJcol = w.col;
    sn_scratchRelease(d, mark);
}
