// Tasks are made: one block of memory, laid out by the sizes of the type.
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "control/task/check.h"
#include "control/task/start.h"
#include "control/task/type.h"

void sn_defaultTask(snTaskSettings* settings)
{
    *settings = (snTaskSettings){
        .weight = 1,
        .kp = 100,
        .kd = -1,
        .objtype = SN_OBJ_BODY,
        .reftype = SN_OBJ_UNKNOWN,
        .refid = -1,
        .axis = {0, 0, 1},
        .mass = {1, 1, 1, 1, 1, 1},
        .follow = 100,
        .distance_min = 0.02,
        .distance_max = 0.2,
    };
}

// The dofs that a task is to have: those given, or all but of free joints. dof NULL: only counts.
static int selectDofs(const snModel* m, const snTaskSettings* s, int* dof)
{
    if (!(sn_taskKind(s->type)->reads & SN_READS_DOFS)) return 0;
    int count = 0;
    for (int i = 0; i < (s->dof ? s->ndof : m->nv); i++) {
        if (!s->dof && sn_isFreeDof(m, i)) continue;
        if (dof) dof[count] = s->dof ? s->dof[i] : i;
        count++;
    }
    return count;
}

static int sizeOf(const snModel* m, const snTaskSettings* s, int size)
{
    switch (size) {
    case SN_SIZE_NQ: return m->nq;
    case SN_SIZE_NV: return m->nv;
    case SN_SIZE_NDOF: return selectDofs(m, s, NULL);
    case SN_SIZE_ROWS: return s->rows;
    default: return size;
    }
}

// Room for count things behind what is there; base NULL: only measures.
static void* take(char* base, size_t* used, size_t count, size_t size)
{
    void* const room = base && count ? base + *used : NULL;
    *used += sn_alignUp(count * size);
    return room;
}

static double* takeReal(char* base, size_t* used, int count)
{
    return take(base, used, (size_t)count, sizeof(double));
}

// Lays out all arrays of a task whose settings and sizes are there; returns the bytes.
static size_t layOut(snTask* t, char* base)
{
    const snTaskSettings* const s = &t->set;
    const bool linear = s->type == SN_TASK_LINEAR, yields = s->type == SN_TASK_ADMITTANCE;
    size_t used = sn_alignUp(sizeof *t);
    t->kp = takeReal(base, &used, t->rows);
    t->kd = takeReal(base, &used, t->rows);
    t->weight = takeReal(base, &used, t->rows);
    t->error = takeReal(base, &used, t->rows);
    t->beyond = takeReal(base, &used, t->rows);
    t->pos = takeReal(base, &used, t->npos);
    t->vel = takeReal(base, &used, t->nvel);
    t->acc = takeReal(base, &used, t->nvel);
    t->wrench = takeReal(base, &used, sn_taskKind(s->type)->reads & SN_READS_MASS ? 6 : 0);
    t->state = takeReal(base, &used, yields ? 13 : 0);
    t->lower = takeReal(base, &used, linear ? t->rows : 0);
    t->upper = takeReal(base, &used, linear ? t->rows : 0);
    t->A = take(base, &used, linear ? (size_t)t->rows * (size_t)s->columns : 0, sizeof *t->A);
    return used;
}

static void fillGains(snTask* t)
{
    const snTaskSettings* const s = &t->set;
    const bool mass = sn_taskKind(s->type)->reads & SN_READS_MASS;
    for (int i = 0; i < t->rows; i++) {
        t->kp[i] = s->kp;
        t->kd[i] = s->kd < 0 ? 2 * sqrt(s->kp * (mass ? s->mass[i] : 1)) : s->kd;
        t->weight[i] = 1;
    }
}

static void normalizeAxis(snTaskSettings* s)
{
    const double length = sqrt(s->axis[0] * s->axis[0] + s->axis[1] * s->axis[1] + s->axis[2] * s->axis[2]);
    for (int k = 0; k < 3 && s->type == SN_TASK_GAZE; k++) s->axis[k] /= length;
}

// Name and dofs of the settings, behind the arrays.
static size_t copySettings(const snModel* m, const snTaskSettings* s, snTask* t, char* base, size_t used)
{
    const size_t length = s->name ? strlen(s->name) + 1 : 0;
    const int ndof = selectDofs(m, s, NULL);
    char* const name = take(base, &used, length, 1);
    int* const dof = take(base, &used, (size_t)ndof, sizeof *dof);
    if (name) memcpy(name, s->name, length);
    if (dof) selectDofs(m, s, dof);
    t->set.name = name;
    t->set.dof = dof;
    t->set.ndof = ndof;
    return used;
}

snTask* sn_makeTask(const snModel* m, const snTaskSettings* settings, snError* error)
{
    if (sn_checkTask(m, settings, error)) return NULL;
    const snTaskKind* const kind = sn_taskKind(settings->type);
    snTask sized = {.set = *settings, .active = true, .fresh = true};
    sized.rows = sizeOf(m, settings, kind->rows);
    sized.npos = sizeOf(m, settings, kind->npos);
    sized.nvel = sizeOf(m, settings, kind->nvel);
    const size_t bytes = copySettings(m, settings, &sized, NULL, layOut(&sized, NULL));
    snTask* const t = sn_calloc(bytes);
    if (t) {
        *t = sized;
        copySettings(m, settings, t, (char*)t, layOut(t, (char*)t));
        normalizeAxis(&t->set);
        fillGains(t);
        if (sn_startTask(m, t)) return t;
    }
    sn_freeTask(t);
    sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory for a task");
    return NULL;
}

void sn_freeTask(snTask* task)
{
    sn_free(task);
}
