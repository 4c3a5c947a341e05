// Memory of controllers: what the model alone sizes, made once, and what contacts and tasks size.
#include <math.h>
#include "base/error.h"
#include "base/memory.h"
#include "control/controller.h"

// clang-format off
// X(type, array, count)
#define MODEL_ARRAYS(X) \
    X(double, c->qpos_lower, nv) X(double, c->qpos_upper, nv) X(double, c->velocity_max, nv) \
    X(double, c->acceleration_max, nv) X(double, c->torque_lower, nv) X(double, c->torque_upper, nv) \
    X(double, c->qvel, nv) X(double, c->qacc, nv) X(double, c->tau, nv) \
    X(double, w->rest, nv) X(double, w->given, nv) X(double, w->torque_lower, nv) X(double, w->torque_upper, nv) \
    X(double*, w->dynamics, nv) X(unsigned char, c->actuated, nv) X(unsigned char, c->frozen, nv) \
    X(snTask*, c->task, c->set.max_tasks) X(snControlContact*, c->contact, c->set.max_contacts)
#define CYCLE_ARRAYS(X) \
    X(double, c->x, r->columns) X(int, c->rank, SN_CONTROL_LEVELS + 1) X(double, c->violation, SN_CONTROL_LEVELS + 1) \
    X(snControlRow, c->row, r->rows) X(signed char, c->state, r->rows) X(double, c->slack, r->rows) \
    X(snRowGroup, w->group, r->groups) X(snContactPlace, w->place, r->contacts) \
    X(double, w->A, (size_t)r->rows * (size_t)r->columns) X(double, w->lower, r->rows) \
    X(double, w->upper, r->rows) X(double, w->weight, r->rows) \
    X(double, w->size, r->rows) X(double, w->error, r->rows) X(double, w->kp, r->rows) X(double, w->kd, r->rows) X(double, w->missing, r->rows) \
    X(double, w->reach_work, sn_reachWork(r->columns, r->rows, r->reach)) \
    X(double, w->W, (size_t)r->columns * (size_t)r->columns) \
    X(double, w->spare, (size_t)c->model->nv * (size_t)r->columns)
// clang-format on

static size_t aligned(size_t count, size_t size)
{
    return sn_alignUp(count * size + 1);
}

bool sn_controlAllocate(snController* c)
{
    struct snControlWork* w = c->work;
    const size_t nv = (size_t)c->model->nv;
    size_t bytes = 0;
#define X(type, array, count) bytes += aligned((size_t)(count), sizeof(type));
    MODEL_ARRAYS(X)
#undef X
    char* at = sn_calloc(bytes);
    w->constant = at;
    if (!at) return false;
#define X(type, array, count)                                                                                \
    (array) = (type*)(void*)at;                                                                              \
    at += aligned((size_t)(count), sizeof(type));
    MODEL_ARRAYS(X)
#undef X
    return true;
}

static bool isEnough(const snControlRoom* have, const snControlRoom* need)
{
    return have->contacts >= need->contacts && have->groups >= need->groups &&
           have->columns >= need->columns && have->rows >= need->rows && have->reach >= need->reach;
}

snStatus sn_controlReserve(snController* c, snError* error)
{
    struct snControlWork* w = c->work;
    const snControlRoom need = sn_controlRoom(c), *r = &need;
    if (c->set.max_rows > 0 && need.rows > c->set.max_rows)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "the controller has room for %d rows and needs %d: raise max_rows", c->set.max_rows,
                       need.rows);
    if (w->memory && isEnough(&w->room, &need)) return SN_STATUS_OK;
    size_t bytes = 0;
#define X(type, array, count) bytes += aligned((size_t)(count), sizeof(type));
    CYCLE_ARRAYS(X)
#undef X
    snHqp* hqp = sn_makeHqp(need.columns, SN_CONTROL_LEVELS + 1, need.rows, error);
    if (!hqp) return error ? error->status : SN_STATUS_NO_MEMORY;
    char* at = sn_calloc(bytes);
    if (!at) {
        sn_freeHqp(hqp);
        return sn_fail(error, SN_STATUS_NO_MEMORY, "no memory for a controller of %d rows and %d unknowns",
                       need.rows, need.columns);
    }
    sn_freeHqp(w->hqp);
    sn_free(w->memory);
    w->hqp = hqp;
    w->memory = at;
    w->room = need;
    w->norm_columns = 0;
    c->nx = c->nrow = c->nlevel = 0;
    c->infeasible = -1;
#define X(type, array, count)                                                                                \
    (array) = (type*)(void*)at;                                                                              \
    at += aligned((size_t)(count), sizeof(type));
    CYCLE_ARRAYS(X)
#undef X
    return SN_STATUS_OK;
}
