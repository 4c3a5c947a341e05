// The loops of a model, closed as it stands at qpos0: which there are, their clusters, how these can move.
#include "cli/inspect.h"
#include "math/elementary/elementary.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double errorOf(const snData* d, int closure)
{
    double error = 0;
    for (int r = 0; r < d->closure_rownum[closure]; r++)
        error = sn_max(fabs(d->loop_delta[d->closure_rowadr[closure] + r]), error);
    return error;
}

// ---- what a loop joins

typedef struct Ends {
    const char* type;
    int objtype;
    int id[2]; // -1: nothing
} Ends;

static Ends endsOf(const snModel* m, int loop)
{
    if (loop < m->nloop)
        return (Ends){cli_keyword("snLoopType", m->loop_type[loop]),
                      SN_OBJ_SITE,
                      {m->loop_siteid[2 * loop], m->loop_siteid[2 * loop + 1]}};
    const int eq = loop - m->nloop, type = m->eq_type[eq];
    return (Ends){cli_keyword("snEqType", type),
                  type == SN_EQ_JOINT    ? SN_OBJ_JOINT
                  : type == SN_EQ_TENDON ? SN_OBJ_TENDON
                  : type == SN_EQ_FLEX   ? SN_OBJ_FLEX
                                         : m->eq_objtype[eq],
                  {m->eq_obj1id[eq], m->eq_obj2id[eq]}};
}

// "site (body)" for what has a body of its own, else the name.
static void describeEnd(const snModel* m, const Ends* ends, int k, char text[160])
{
    char buffer[32], body[32];
    const int id = ends->id[k];
    if (id < 0) {
        snprintf(text, 160, "constant");
        return;
    }
    const char* name = cli_name(m, ends->objtype, id, buffer);
    if (ends->objtype == SN_OBJ_SITE)
        snprintf(text, 160, "%.70s (%.70s)", name, cli_name(m, SN_OBJ_BODY, m->site_bodyid[id], body));
    else
        snprintf(text, 160, "%.70s", name);
}

static const char* nameOf(const snModel* m, int loop, char buffer[32])
{
    const char* name = sn_loopName(m, loop);
    if (*name) return name;
    snprintf(buffer, 32, "[%d]", loop);
    return buffer;
}

// The place of a loop among those that hold; -1: it does not.
static int placeOf(const snData* d, int loop)
{
    for (int l = 0; l < d->nclosure; l++)
        if (d->closure_id[l] == loop) return l;
    return -1;
}

// Which equalities hold is a question only where they are held exactly.
static int loopCount(const snModel* m)
{
    return m->nloop + (m->opt.loops == SN_LOOPS_EXACT ? m->neq : 0);
}

// ---- text

static void printLoop(const snModel* m, const snData* d, int loop)
{
    char buffer[32], end[2][160];
    const Ends ends = endsOf(m, loop);
    const int place = placeOf(d, loop);
    for (int k = 0; k < 2; k++) describeEnd(m, &ends, k, end[k]);
    cli_print("  %-16s %-18s ", nameOf(m, loop, buffer), ends.type);
    if (place < 0)
        cli_print("%4s %7s %9s", "off", "", "");
    else
        cli_print("%4d %7d %9.2g", d->closure_rownum[place], d->closure_cluster[place], errorOf(d, place));
    cli_print("  %s - %s\n", end[0], end[1]);
}

static void printProperties(const char* name, const snLoopProperties* p)
{
    cli_print("  %-7s %5d %5d %5d %9d %11d %14d %10.3g\n", name, p->n, p->nc, p->r, p->mobility,
              p->redundancy, p->gruebler, p->condition);
}

static void printClusters(const snModel* m, const snData* d)
{
    cli_print("\nclusters    n   n^c     r  mobility  redundancy  n_tot - 6 N_L  condition\n");
    for (int c = 0; c < d->ncluster; c++) {
        snLoopProperties p;
        char name[16];
        sn_loopProperties(m, d, c, &p);
        snprintf(name, sizeof name, "%d", c);
        printProperties(name, &p);
    }
    cli_print("\nmobility    %d of %d dofs, error %.2g\n", sn_loopMobility(m, d), m->nv, d->loop_error);
}

static void printAll(const snModel* m, const snData* d)
{
    const int count = loopCount(m);
    cli_print("loops, %d\n", count);
    if (count) cli_print("  %-16s %-18s %4s %7s %9s  between\n", "name", "type", "rows", "cluster", "error");
    for (int loop = 0; loop < count; loop++) printLoop(m, d, loop);
    if (count < m->nloop + m->neq)
        cli_print("  and %d equalities, which are soft: --loops exact holds them as loops\n",
                  m->nloop + m->neq - count);
    if (d->ncluster) printClusters(m, d);
}

// ---- JSON

static cJSON* addObject(cJSON* array)
{
    cJSON* object = cJSON_CreateObject();
    cJSON_AddItemToArray(array, object);
    return object;
}

static void addLoop(cJSON* array, const snModel* m, const snData* d, int loop)
{
    cJSON* object = addObject(array);
    const Ends ends = endsOf(m, loop);
    const int place = placeOf(d, loop);
    cJSON_AddStringToObject(object, "name", sn_loopName(m, loop));
    cJSON_AddStringToObject(object, "type", ends.type);
    cJSON* between = cJSON_AddArrayToObject(object, "between");
    for (int k = 0; k < 2; k++) {
        char buffer[32];
        cJSON_AddItemToArray(
            between, ends.id[k] < 0 ? cJSON_CreateNull()
                                    : cJSON_CreateString(cli_name(m, ends.objtype, ends.id[k], buffer)));
    }
    cJSON_AddBoolToObject(object, "holds", place >= 0);
    if (place < 0) return;
    cJSON_AddNumberToObject(object, "rows", d->closure_rownum[place]);
    cJSON_AddNumberToObject(object, "cluster", d->closure_cluster[place]);
    cJSON_AddNumberToObject(object, "error", errorOf(d, place));
}

static void addCluster(cJSON* array, const snModel* m, const snData* d, int cluster)
{
    snLoopProperties p;
    sn_loopProperties(m, d, cluster, &p);
    cJSON* object = addObject(array);
    cJSON_AddNumberToObject(object, "n", p.n);
    cJSON_AddNumberToObject(object, "nc", p.nc);
    cJSON_AddNumberToObject(object, "r", p.r);
    cJSON_AddNumberToObject(object, "mobility", p.mobility);
    cJSON_AddNumberToObject(object, "redundancy", p.redundancy);
    cJSON_AddNumberToObject(object, "gruebler", p.gruebler);
    cJSON_AddNumberToObject(object, "condition", p.condition);
    cJSON_AddNumberToObject(object, "error", p.error);
}

static int printAllJson(const snModel* m, const snData* d)
{
    cJSON* json = cli_newJson();
    cJSON* loops = cJSON_AddArrayToObject(json, "loops");
    for (int loop = 0; loop < loopCount(m); loop++) addLoop(loops, m, d, loop);
    cJSON* clusters = cJSON_AddArrayToObject(json, "clusters");
    for (int c = 0; c < d->ncluster; c++) addCluster(clusters, m, d, c);
    cJSON_AddNumberToObject(json, "dofs", m->nv);
    cJSON_AddNumberToObject(json, "mobility", sn_loopMobility(m, d));
    cJSON_AddNumberToObject(json, "error", d->loop_error);
    return cli_printJson(json);
}

int cli_printLoops(const snModel* m, bool json)
{
    snData* d = sn_makeData(m);
    int code = CLI_DONE;
    if (!d) return cli_fail(CLI_BAD_INPUT, "out of memory");
    sn_fwdPosition(m, d);
    if (json)
        code = printAllJson(m, d);
    else
        printAll(m, d);
    sn_deleteData(d);
    return code;
}
