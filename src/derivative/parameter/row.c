#include "derivative/parameter/row.h"
#include <sinew/constraint.h>
#include "constraint/equality.h"
#include "derivative/parameter/contact.h"
#include "derivative/parameter/inertia.h"
#include "derivative/parameter/wanted.h"
#include "derivative/sensor/sensor.h"
#include "derivative/smooth/bias.h"
#include "model/arena.h"
#include "smooth/inertia/equality_anchor.h"

// ---- what multiplies the rows

static snStatus sensorWeights(const snModel* m, snData* d, const double* sensor, double* to, snError* error)
{
    const int n = d->nefc;
    const size_t mark = sn_scratchMark(d), square = (size_t)n * (size_t)n * sizeof(double);
    double* f = sn_scratchAlloc(d, square);
    double* out = sn_scratchAlloc(d, (size_t)m->nsensordata * (size_t)n * sizeof *out);
    if (!f || !out) return sn_failRoom(error);
    memset(f, 0, square);
    for (int r = 0; r < n; r++) f[(ptrdiff_t)r * (n + 1)] = 1;
    const snDirections along = {.n = n, .f = f};
    const snStatus status = sn_sensorDerivative(m, d, &along, out, error);
    for (int s = 0; s < m->nsensordata && !status; s++)
        for (int r = 0; r < n; r++) to[r] += sensor[s] * out[(ptrdiff_t)s * n + r];
    sn_scratchRelease(d, mark);
    return status;
}

static snStatus weigh(const snModel* m, snData* d, const snParameterStage* stage, snRowWeights* w,
                      snError* error)
{
    w->speed = sn_scratchReal(d, d->nefc);
    w->sensor = sn_scratchReal(d, d->nefc);
    if (!w->speed || !w->sensor) return sn_failRoom(error);
    sn_mulJacVec(m, d, w->speed, stage->force);
    memset(w->sensor, 0, (size_t)d->nefc * sizeof(double));
    const bool sensors = stage->sensor && m->nsensordata && !(m->opt.disableflags & SN_DSBL_SENSOR);
    return sensors ? sensorWeights(m, d, stage->sensor, w->sensor, error) : SN_STATUS_OK;
}

// ---- dry friction

static void addLoss(const snData* d, const snRowPoint* point, int r, double weight,
                    const snModelGradient* sum)
{
    const int state = point->state[r], id = d->efc_id[r];
    if (state != SN_CNSTRSTATE_LINEARNEG && state != SN_CNSTRSTATE_LINEARPOS) return;
    const double by = point->force[r] > 0 ? weight : -weight;
    if (d->efc_type[r] == SN_CNSTR_FRICTION_DOF && sum->dof_frictionloss) sum->dof_frictionloss[id] += by;
    if (d->efc_type[r] == SN_CNSTR_FRICTION_TENDON && sum->tendon_frictionloss)
        sum->tendon_frictionloss[id] += by;
}

// ---- inverse inertias: R is in proportion to their sum

// The two of a row; NULL: none.
typedef struct Sources {
    const double* of[2];
    double* to[2];
} Sources;

static void source(Sources* s, int side, const double* of, double* to, int at)
{
    s->of[side] = of + at;
    s->to[side] = to + at;
}

static void bodySources(const snModel* m, const snModelGradient* sum, int body1, int body2, int turn,
                        Sources* s)
{
    source(s, 0, m->body_invweight0, sum->body_invweight0, 2 * body1 + turn);
    source(s, 1, m->body_invweight0, sum->body_invweight0, 2 * body2 + turn);
}

static void equalitySources(const snModel* m, const snModelGradient* sum, int eq, int i, Sources* s)
{
    const int id[2] = {m->eq_obj1id[eq], m->eq_obj2id[eq]};
    if (sn_isBetweenBodies(m, eq)) {
        bodySources(m, sum, sn_equalityBody(m, eq, 0), sn_equalityBody(m, eq, 1), i >= 3, s);
        return;
    }
    for (int k = 0; k < 2 && id[k] >= 0 && m->eq_type[eq] != SN_EQ_FLEX; k++) // which refuse.c refuses
        if (m->eq_type[eq] == SN_EQ_JOINT)
            source(s, k, m->dof_invweight0, sum->dof_invweight0, m->jnt_dofadr[id[k]]);
        else
            source(s, k, m->tendon_invweight0, sum->tendon_invweight0, id[k]);
}

// Of row i of a constraint.
static Sources sourcesOf(const snModel* m, const snData* d, const snModelGradient* sum, int r, int i)
{
    Sources s = {0};
    const int id = d->efc_id[r];
    switch (d->efc_type[r]) {
    case SN_CNSTR_EQUALITY: equalitySources(m, sum, id, i, &s); break;
    case SN_CNSTR_FRICTION_DOF: source(&s, 0, m->dof_invweight0, sum->dof_invweight0, id); break;
    case SN_CNSTR_LIMIT_JOINT:
        source(&s, 0, m->dof_invweight0, sum->dof_invweight0, m->jnt_dofadr[id]);
        break;
    case SN_CNSTR_FRICTION_TENDON:
    case SN_CNSTR_LIMIT_TENDON: source(&s, 0, m->tendon_invweight0, sum->tendon_invweight0, id); break;
    default: {
        const int* geom = d->contact[id].geom;
        bodySources(m, sum, m->geom_bodyid[geom[0]], m->geom_bodyid[geom[1]], 0, &s);
    }
    }
    return s;
}

static void addWeights(const snModel* m, const snData* d, const snRowPoint* point, const snRowWeights* w,
                       int row, int count, const snModelGradient* sum)
{
    const bool contact = sn_isContact(d->efc_type[row]);
    for (int r = row; r < row + count; r++) {
        const int state = point->state[r];
        if (state != SN_CNSTRSTATE_QUADRATIC && state != SN_CNSTRSTATE_CONE) continue;
        const int of = contact ? row : r;
        if (d->efc_R[of] <= sn_leastR(d, of)) continue;
        const Sources s = sourcesOf(m, d, sum, r, r - row);
        const double all = (s.of[0] ? *s.of[0] : 0) + (s.of[1] ? *s.of[1] : 0);
        const double by = -(w->speed[r] + w->sensor[r]) * point->force[r] / all;
        for (int k = 0; k < 2; k++)
            if (s.to[k]) *s.to[k] += by;
    }
}

// ---- all

typedef struct Work {
    snRowPoint point;
    snRowWeights weights;
    snMotion* motion[3];
    snModelGradient sum; // with room for all inverse inertias
} Work;

static double* roomFor(snData* d, double* wanted, int count)
{
    if (wanted) return wanted;
    double* room = sn_scratchReal(d, count);
    if (room) memset(room, 0, (size_t)count * sizeof *room);
    return room;
}

static snStatus prepare(const snModel* m, snData* d, const snParameterStage* stage,
                        const snModelGradient* sum, Work* work, snError* error)
{
    const double* speeds[3] = {d->qacc, d->qvel, stage->force};
    work->sum = *sum;
    work->sum.body_invweight0 = roomFor(d, sum->body_invweight0, 2 * m->nbody);
    work->sum.dof_invweight0 = roomFor(d, sum->dof_invweight0, m->nv);
    work->sum.tendon_invweight0 = roomFor(d, sum->tendon_invweight0, m->ntendon);
    bool room = work->sum.body_invweight0 && work->sum.dof_invweight0 && work->sum.tendon_invweight0;
    for (int k = 0; k < 3; k++) {
        snBodyMotions motions;
        room = room && sn_bodyMotionsAlloc(m, d, &motions);
        if (!room) break;
        sn_bodyMotions(m, d, speeds[k], NULL, NULL, &motions);
        work->motion[k] = motions.v;
    }
    if (!room || !sn_rowPoint(m, d, d->qacc, &work->point)) return sn_failRoom(error);
    return weigh(m, d, stage, &work->weights, error);
}

static snStatus addAll(const snModel* m, snData* d, Work* work, snError* error)
{
    const snModelGradient* sum = &work->sum;
    const snRowPoint* point = &work->point;
    snStatus status = SN_STATUS_OK;
    for (int r = 0, count; r < d->nefc && !status; r += count) {
        count = sn_rowsOf(m, d, r);
        if (!sn_rowsAct(point, r, count)) continue;
        addLoss(d, point, r, work->weights.speed[r] + work->weights.sensor[r], sum);
        addWeights(m, d, point, &work->weights, r, count, sum);
        if (!sn_isContact(d->efc_type[r])) continue;
        const snRowLaw law = sn_rowLaw(m, d, point, r);
        sn_addFrictionGradient(m, d, point, &law, &work->weights, sum);
        status = sn_addGeomGradient(m, d, &law, point, &work->weights, work->motion, sum, error);
    }
    return status;
}

snStatus sn_addRowGradient(const snModel* m, snData* d, const snParameterStage* stage,
                           const snModelGradient* sum, snError* error)
{
    if (!d->nefc) return SN_STATUS_OK;
    const size_t mark = sn_scratchMark(d);
    Work work;
    snStatus status = prepare(m, d, stage, sum, &work, error);
    if (!status) status = addAll(m, d, &work, error);
    sn_scratchRelease(d, mark);
    return status;
}
