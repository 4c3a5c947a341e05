// Makes the rows of lanes, each with a model, a state and contacts of its own, and shows them lane by lane.
#include "batch/lane_rows.h"
#include <sinew/constraint.h>
#include "batch/lane/lane.h"
#include "model/arena.h"

// ---- one lane in

static void copyTo(real* to, const snDouble* from, size_t count, int lane)
{
    if (!to) return; // a field that lanes do not read
    for (size_t k = 0; k < count; k++) to[k][lane] = (snLane)from[k];
}

#define SET_double(to, from, count) copyTo(to, from, count, lane);
#define SET_int(to, from, count)
#define SET_float(to, from, count)
#define SET_char(to, from, count)
#define SET_uint8_t(to, from, count)

static void setModel(snModel* m, int lane, const snScalarModel* from)
{
#define X(type, name, rows, columns, group, meaning)                                                         \
    SET_##type(m->name, from->name, (size_t)m->rows*(size_t)(columns))
#define S(size) m->size
    SN_MODEL_FIELDS(X)
#undef S
#undef X
#define X(type, name, init, meaning) SET_##type(&m->opt.name, &from->opt.name, 1)
    SN_OPTION_SCALARS(X)
#undef X
}

static void setState(const snModel* m, snData* d, int lane, const snScalarData* from)
{
    for (int k = 0; k < m->nq; k++) d->qpos[k][lane] = (snLane)from->qpos[k];
    for (int k = 0; k < m->nv; k++) d->qvel[k][lane] = (snLane)from->qvel[k];
    for (int k = 0; k < 3 * m->nmocap; k++) d->mocap_pos[k][lane] = (snLane)from->mocap_pos[k];
    for (int k = 0; k < 4 * m->nmocap; k++) d->mocap_quat[k][lane] = (snLane)from->mocap_quat[k];
    for (int k = 0; k < m->neq; k++) d->eq_active[k][lane] = -(snLaneBits)from->eq_active[k];
}

// ---- contacts

static void setContact(snContact* to, const snScalarContact* from, int lane)
{
    to->live[lane] = -1;
    copyTo(&to->dist, &from->dist, 1, lane);
    copyTo(to->pos, from->pos, 3, lane);
    copyTo(to->frame, from->frame, 9, lane);
    copyTo(&to->includemargin, &from->includemargin, 1, lane);
    copyTo(to->friction, from->friction, 5, lane);
    copyTo(to->solref, from->solref, SN_NREF, lane);
    copyTo(to->solreffriction, from->solreffriction, SN_NREF, lane);
    copyTo(to->solimp, from->solimp, SN_NIMP, lane);
}

static bool isOf(const snContact* slot, const int* geom)
{
    return slot->geom[0] == geom[0] && slot->geom[1] == geom[1];
}

// The slot of a contact behind `before` of the same geoms. Where it is new all lanes of it get zeros, without
// friction and directions.
static snContact* slotOf(snData* d, const snScalarContact* con, int before)
{
    for (int k = 0; k < d->ncon; k++)
        if (isOf(d->contact + k, con->geom) && !before--) return d->contact + k;
    snContact* slot = d->contact + d->ncon++;
    memset(slot, 0, sizeof *slot);
    slot->dim = con->dim;
    slot->geom[0] = con->geom[0];
    slot->geom[1] = con->geom[1];
    return slot;
}

// Contacts of one lane that have rows, or would if their bodies moved.
static void addContacts(snData* d, const snScalarData* from, int lane)
{
    for (int i = 0; i < from->ncon; i++) {
        const snScalarContact* con = from->contact + i;
        int before = 0;
        for (int k = 0; k < i; k++) {
            const snScalarContact* other = from->contact + k;
            before += (other->exclude == 0 || other->exclude == 3) && other->geom[0] == con->geom[0] &&
                      other->geom[1] == con->geom[1];
        }
        if (con->exclude == 0 || con->exclude == 3) setContact(slotOf(d, con, before), con, lane);
    }
}

static void setContacts(snData* d, const TestLane* lanes)
{
    size_t most = 0;
    for (int l = 0; l < SN_LANES; l++) most += (size_t)lanes[l].d->ncon;
    sn_arenaClear(d);
    d->contact = sn_arenaAlloc(d, most * sizeof *d->contact);
    for (int l = 0; l < SN_LANES; l++) addContacts(d, lanes[l].d, l);
}

static bool makeRows(void* work, const TestLane* lanes)
{
    snLaneWork* w = work;
    for (int l = 0; l < SN_LANES; l++) {
        setModel(&w->model, l, lanes[l].m);
        setState(&w->model, &w->data, l, lanes[l].d);
    }
    w->data.eject = sn_mask(false);
    sn_laneForward(&w->model, &w->data, false);
    setContacts(&w->data, lanes);
    sn_makeConstraint(&w->model, &w->data);
    sn_referenceConstraint(&w->model, &w->data);
    return w->data.parena <= sn_laneRowBytes(&w->model);
}

// ---- one lane out

static void showContact(const snData* d, int lane, int id, TestRow* row)
{
    const snContact* con = d->contact + id;
    row->geom[0] = con->geom[0];
    row->geom[1] = con->geom[1];
    row->mu = (snDouble)con->mu[lane];
    for (int k = 0; k < id; k++) row->before += isOf(d->contact + k, con->geom) && d->contact[k].live[lane];
}

static void showRow(const snData* d, int lane, int r, TestRow* row)
{
    const real* kbip = d->efc_KBIP + 4 * r;
    const real fields[TEST_ROW_NUMBERS] = {d->efc_pos[r],
                                           d->efc_margin[r],
                                           d->efc_frictionloss[r],
                                           d->efc_diagApprox[r],
                                           kbip[0],
                                           kbip[1],
                                           kbip[2],
                                           kbip[3],
                                           d->efc_D[r],
                                           d->efc_R[r],
                                           d->efc_vel[r],
                                           d->efc_aref[r]};
    *row = (TestRow){.type = d->efc_type[r], .id = d->efc_id[r], .live = d->efc_live[r][lane]};
    for (int k = 0; k < TEST_ROW_NUMBERS; k++) row->field[k] = (snDouble)fields[k][lane];
    if (row->type >= SN_CNSTR_CONTACT_FRICTIONLESS) showContact(d, lane, row->id, row);
}

static int rowsOf(void* work, int lane, TestRow* rows, snDouble* J)
{
    const snLaneWork* w = work;
    const snData* d = &w->data;
    const int nv = w->model.nv;
    for (int r = 0; r < d->nefc && r < TEST_ROW_MOST; r++, J += nv) {
        const real* from = d->efc_J + d->efc_J_rowadr[r];
        showRow(d, lane, r, rows + r);
        rows[r].J = J;
        for (int k = 0; k < nv; k++) J[k] = 0;
        for (int k = 0; k < d->efc_J_rownnz[r]; k++)
            J[d->efc_J_colind[d->efc_J_coladr[r] + k]] = (snDouble)from[k][lane];
    }
    return d->nefc;
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

extern const TestLaneRows SN_LANE(test_lane_rows);
const TestLaneRows SN_LANE(test_lane_rows) = {TEXT(SN_LANES) "d", makeRows, rowsOf};
