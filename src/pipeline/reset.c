// How a simulation begins: the model's start, its loops closed.
#include <sinew/data.h>
#include <string.h>
#include <sinew/pipeline.h>
#include "base/error.h"
#include "constraint/rest.h"
#include "loop/closing/assemble.h"
#include "model/arena.h"
#include "model/blank.h"
#include "model/plugin/plugin.h"
#include "model/sleep.h"

static void closeLoops(const snModel* m, snData* d)
{
    if (sn_mayHaveLoops(m)) sn_closeStart(m, d);
}

static bool isAsleepAtStart(const snModel* m, int tree)
{
    return m->tree_sleep_policy[tree] == SN_SLEEP_INIT;
}

static int sleepersAtStart(const snModel* m)
{
    int count = 0;
    for (int t = 0; t < m->ntree && sn_maySleep(m); t++) count += isAsleepAtStart(m, t);
    return count;
}

// Trees of the policy init are put to sleep as if they had rested long enough. Those whose island has others
// that have not are awake.
static void sleepAtStart(const snModel* m, snData* d)
{
    if (!sleepersAtStart(m)) return;
    for (int t = 0; t < m->ntree; t++)
        if (isAsleepAtStart(m, t)) d->tree_asleep[t] = -1;
    sn_forward(m, d);
    sn_fallAsleep(m, d);
    for (int t = 0; t < m->ntree; t++) {
        if (!isAsleepAtStart(m, t) || d->tree_asleep[t] >= 0) continue;
        d->tree_asleep[t] = SN_AWAKE;
        sn_warn(d, SN_WARN_INITAWAKE, t);
    }
    sn_listAwake(m, d);
}

// Why there is no data: which plugin refuses, and its words.
static void blamePlugin(const snModel* m, int instance, const snError* why, snError* error)
{
    char what[256];
    sn_describePlugin(m, instance, what, sizeof what);
    sn_fail(error, why->status, "%s: %s", what, why->message);
}

snData* sn_tryMakeData(const snModel* m, snError* error)
{
    snError why;
    int failed = 0;
    snData* d = sn_blankData(m);
    if (!d) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory for a data");
        return NULL;
    }
    if (m->nplugin && sn_startPlugins(m, d, &failed, &why) != SN_STATUS_OK) {
        blamePlugin(m, failed, &why, error);
        sn_deleteData(d);
        return NULL;
    }
    closeLoops(m, d);
    sleepAtStart(m, d);
    return d;
}

snData* sn_makeData(const snModel* m)
{
    return sn_tryMakeData(m, NULL);
}

void sn_resetData(const snModel* m, snData* d)
{
    sn_clearData(m, d);
    closeLoops(m, d);
    sleepAtStart(m, d);
}

void sn_resetDataKeyframe(const snModel* m, snData* d, int key)
{
    sn_clearData(m, d);
    if (sleepersAtStart(m)) {
        closeLoops(m, d);
        sleepAtStart(m, d);
    }
    sn_takeKeyframe(m, d, key);
    sn_wakeTouched(m, d);
    closeLoops(m, d);
}

// Whether a stage writes the field before any reads it.
static bool isComputed(const snField* field)
{
    static const char* const kept[] = {"qacc", "qvel_push", "act_dot", "sensordata"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (!strcmp(field->name, kept[i])) return false;
    const bool stage =
        !strcmp(field->group, "pos") || !strcmp(field->group, "vel") || !strcmp(field->group, "acc");
    return stage && !strcmp(field->type, "double");
}

void sn_resetDataDebug(const snModel* m, snData* d, uint8_t value)
{
    int count, narena, rows, columns;
    const snField* fields = sn_dataFields(&count, &narena);
    sn_resetData(m, d);
    for (int i = 0; i < count - narena; i++) {
        if (!isComputed(&fields[i])) continue;
        sn_dataFieldShape(m, d, i, &rows, &columns);
        const size_t size = (size_t)rows * (size_t)columns * fields[i].itemsize;
        if (size) memset(*(void**)((char*)d + fields[i].offset), value, size);
    }
}
