// The constraint rows of one position: equality, dry friction, limits, contacts.
#include <sinew/constraint.h>
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

// Marks which contacts have rows; returns the number of rows.
static int countContacts(const snModel* m, snData* d)
{
    int rows = 0;
    for (int c = 0; c < d->ncon; c++) {
        snContact* con = d->contact + c;
        con->efc_address = -1;
        if (con->exclude) continue;
        if (sn_bodyLastDof(m, m->geom_bodyid[con->geom[0]]) ==
            sn_bodyLastDof(m, m->geom_bodyid[con->geom[1]])) {
            con->exclude = 3;
            continue;
        }
        rows += sn_contactRows(m, con->dim);
    }
    return rows;
}

// Takes the arena arrays of `rows` rows, or of as many as fit; returns how many. Nothing is taken twice: the
// rows of an earlier call are dropped first.
static int takeRows(const snModel* m, snData* d, int rows)
{
    enum {
        ARRAYS = 0
#define X(type, name, count, columns, meaning) +1
        SN_ARENA_FIELDS(X)
#undef X
    };
    const size_t nv = (size_t)m->nv;
    const size_t per_row = nv * sizeof(double) + 3 * sizeof(int) + 14 * sizeof(double);
    const size_t slack = ARRAYS * (size_t)SN_ALIGN;
    d->parena = d->contact ? sn_alignUp((size_t)((char*)(d->contact + d->ncon) - (char*)d->arena)) : 0;
    const size_t taken = d->parena + d->pstack, room = d->narena > taken ? d->narena - taken : 0;
    const size_t most = room > slack ? (room - slack) / per_row : 0;
    if ((size_t)rows > most) {
        rows = (int)most;
        sn_warn(d, SN_WARN_CNSTRFULL, (int)(d->narena / 1024));
    }
    if (rows == 0) {
        d->efc_type = d->efc_id = d->efc_state = NULL;
        d->efc_J = d->efc_pos = d->efc_margin = d->efc_frictionloss = d->efc_diagApprox = d->efc_KBIP = NULL;
        d->efc_D = d->efc_R = d->efc_vel = d->efc_aref = d->efc_force = NULL;
        return 0;
    }
    const size_t n = (size_t)rows;
    d->efc_type = sn_arenaAlloc(d, n * sizeof(int));
    d->efc_id = sn_arenaAlloc(d, n * sizeof(int));
    d->efc_J = sn_arenaAlloc(d, n * nv * sizeof(double));
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
    memset(d->efc_J, 0, n * nv * sizeof(double));
    memset(d->efc_vel, 0, n * sizeof(double));
    memset(d->efc_aref, 0, n * sizeof(double));
    memset(d->efc_state, 0, n * sizeof(int));
    memset(d->efc_force, 0, n * sizeof(double));
    return rows;
}

// Row of efc_J = scale times the moment arms of a tendon.
static void fillTendonRow(const snModel* m, snData* d, int row, int tendon, double scale)
{
    const size_t nv = (size_t)m->nv;
    const double* from = d->ten_J + (size_t)tendon * nv;
    double* J = d->efc_J + (size_t)row * nv;
    for (size_t k = 0; k < nv; k++) J[k] = scale * from[k];
}

static bool hasFriction(const snModel* m, const snData* d, int tendon)
{
    return m->tendon_frictionloss[tendon] > 0 && d->ten_J_rownnz[tendon];
}

static int fillTendonFriction(const snModel* m, snData* d, int row, int end)
{
    for (int t = 0; t < m->ntendon && row < end; t++) {
        if (!hasFriction(m, d, t)) continue;
        fillTendonRow(m, d, row, t, 1);
        const snRowShared shared = {.type = SN_CNSTR_FRICTION_TENDON,
                                    .id = t,
                                    .frictionloss = m->tendon_frictionloss[t],
                                    .solref = m->tendon_solref_fri + SN_NREF * t,
                                    .solimp = m->tendon_solimp_fri + SN_NIMP * t};
        sn_fillRows(m, d, row++, 1, &shared, m->tendon_invweight0[t]);
    }
    return row;
}

static int fillFriction(const snModel* m, snData* d, int row, int end)
{
    for (int i = 0; i < m->nv && row < end; i++) {
        if (!(m->dof_frictionloss[i] > 0)) continue;
        d->efc_J[(size_t)row * (size_t)m->nv + (size_t)i] = 1;
        const snRowShared shared = {.type = SN_CNSTR_FRICTION_DOF,
                                    .id = i,
                                    .frictionloss = m->dof_frictionloss[i],
                                    .solref = m->dof_solref + SN_NREF * i,
                                    .solimp = m->dof_solimp + SN_NIMP * i};
        sn_fillRows(m, d, row++, 1, &shared, m->dof_invweight0[i]);
    }
    return fillTendonFriction(m, d, row, end);
}

static void fillTendonLimit(const snModel* m, snData* d, int row, const Limit* limit)
{
    const int t = limit->id;
    fillTendonRow(m, d, row, t, limit->gradient.x);
    const snRowShared shared = {.type = SN_CNSTR_LIMIT_TENDON,
                                .id = t,
                                .pos = limit->dist,
                                .margin = m->tendon_margin[t],
                                .solref = m->tendon_solref_lim + SN_NREF * t,
                                .solimp = m->tendon_solimp_lim + SN_NIMP * t};
    sn_fillRows(m, d, row, 1, &shared, m->tendon_invweight0[t]);
}

static int fillLimits(const snModel* m, snData* d, int row, int end, const Limit* limits, int count)
{
    for (int k = 0; k < count && row < end; k++) {
        const Limit* limit = limits + k;
        if (limit->type == SN_CNSTR_LIMIT_TENDON) {
            fillTendonLimit(m, d, row++, limit);
            continue;
        }
        const int j = limit->id, dof = m->jnt_dofadr[j];
        double* J = d->efc_J + (size_t)row * (size_t)m->nv + dof;
        if (m->jnt_type[j] == SN_JNT_BALL)
            sn_v3Store(J, limit->gradient);
        else
            J[0] = limit->gradient.x;
        const snRowShared shared = {.type = SN_CNSTR_LIMIT_JOINT,
                                    .id = j,
                                    .pos = limit->dist,
                                    .margin = m->jnt_margin[j],
                                    .solref = m->jnt_solref + SN_NREF * j,
                                    .solimp = m->jnt_solimp + SN_NIMP * j};
        sn_fillRows(m, d, row++, 1, &shared, m->dof_invweight0[dof]);
    }
    return row;
}

static int countFriction(const snModel* m, const snData* d)
{
    int count = 0;
    for (int i = 0; i < m->nv; i++) count += m->dof_frictionloss[i] > 0;
    for (int t = 0; t < m->ntendon; t++) count += hasFriction(m, d, t);
    return count;
}

static int fillContacts(const snModel* m, snData* d, int row, int end, int* dofs)
{
    for (int c = 0; c < d->ncon; c++) {
        const snContact* con = d->contact + c;
        if (con->exclude || row + sn_contactRows(m, con->dim) > end) continue;
        const int ndof = sn_contactDofs(m, con, dofs);
        sn_fillContact(m, d, c, row, dofs, ndof);
        row += sn_contactRows(m, con->dim);
    }
    return row;
}

void sn_makeConstraint(const snModel* m, snData* d)
{
    const int off = m->opt.disableflags;
    d->ne = d->nf = d->nl = d->nefc = 0;
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
    const int ne = off & SN_DSBL_EQUALITY ? 0 : sn_countEqualities(m, d);
    int nf = 0;
    if (!(off & SN_DSBL_FRICTIONLOSS)) nf = countFriction(m, d);
    const int nl = off & SN_DSBL_LIMIT ? 0 : collectLimits(m, d, limits);
    const int nc = off & SN_DSBL_CONTACT ? 0 : countContacts(m, d);
    const int rows = takeRows(m, d, ne + nf + nl + nc);

    int row = ne ? sn_fillEqualities(m, d, 0, rows) : 0;
    d->ne = row;
    if (nf) row = fillFriction(m, d, row, rows);
    d->nf = row - d->ne;
    row = fillLimits(m, d, row, rows, limits, nl);
    d->nl = row - d->ne - d->nf;
    if (nc) row = fillContacts(m, d, row, rows, dofs);
    d->nefc = row;
    sn_scratchRelease(d, mark);
}
