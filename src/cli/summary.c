#include "cli/summary.h"
#include <stdio.h>
#include <string.h>
#include "cli/inspect.h"
#include "cli/json.h"
#include "cli/profile.h"

void cli_count(cliCount* count, int value)
{
    count->sum += value;
    if (value > count->most) count->most = value;
}

const snEnumItem* cli_warning(int warning)
{
#define X(name, value, keyword, meaning) {#name, value, keyword, meaning},
    static const snEnumItem items[] = {SN_WARNING_TABLE(X)};
#undef X
    return items + warning;
}

static double perStep(const cliSummary* s, double sum)
{
    return s->steps ? sum / (double)s->steps : 0;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void printCount(const cliSummary* s, const char* title, cliCount count)
{
    cli_print("%-11s %.1f on average, %d at most\n", title, perStep(s, count.sum), count.most);
}

static void printEnergy(const char* when, const double energy[2])
{
    cli_print("%.6g J at the %s (potential %.6g, kinetic %.6g)", energy[0] + energy[1], when, energy[0],
              energy[1]);
}

static void printWarnings(const cliSummary* s)
{
    int kinds = 0;
    for (int i = 0; i < SN_NWARNING; i++) {
        if (!s->warning[i]) continue;
        cli_print("%-11s %s\n", kinds++ ? "" : "warnings", s->warning_text[i]);
    }
    if (!kinds) cli_print("%-11s none\n", "warnings");
}

static void printSolver(const cliSummary* s, const snModel* m)
{
    printCount(s, "iterations", s->iterations);
    cli_print("%-11s %.2g at most, tolerance %.2g\n", "residual", s->solver_residual, m->opt.tolerance);
    if (m->opt.noslip_iterations > 0) cli_print("%-11s %.2g at most\n", "noslip", s->noslip_residual);
}

static void printRigid(const cliSummary* s, const snModel* m)
{
    cli_print("%-11s rigid (lcp), method %s\n", "contact", cli_keyword("snLcpMethod", m->opt.lcp_method));
    printCount(s, "sweeps", s->iterations);
    cli_print("%-11s %.2g m/s at most, tolerance %.2g\n", "residual", s->solver_residual,
              m->opt.lcp_tolerance);
}

void cli_printSummary(const cliSummary* s, const snModel* m)
{
    cli_print("%-11s %s: %d coordinates, %d dofs, %d controls, %d bodies, %d geoms, %d sensors\n", "model",
              m->names[0] ? m->names
              : s->path   ? s->path
                          : "",
              m->nq, m->nv, m->nu, m->nbody, m->ngeom, m->nsensor);
    cli_print("%-11s %.6g s in %lld steps of %.6g s%s%s\n", "simulated", s->time, s->steps, m->opt.timestep,
              strcmp(s->outcome, "done") ? ", " : "", strcmp(s->outcome, "done") ? s->outcome : "");
    cli_print("%-11s %.3g s: %.1f times real time, %.0f steps a second, %.1f us a step\n", "wall time",
              s->wall, ratio((double)s->steps * m->opt.timestep, s->wall), ratio((double)s->steps, s->wall),
              perStep(s, 1e6 * s->wall));
    printCount(s, "contacts", s->contacts);
    printCount(s, "rows", s->rows);
    if (m->opt.contact == SN_CONTACT_LCP)
        printRigid(s, m);
    else
        printSolver(s, m);
    if (s->loops)
        cli_print("%-11s %d in %d cluster%s, mobility %d of %d dofs, error %.2g at most\n", "loops", s->loops,
                  s->clusters, s->clusters == 1 ? "" : "s", s->mobility, m->nv, s->loop_error);
    if (s->profiled) cli_printProfile(s);
    cli_print("%-11s ", "energy");
    printEnergy("start", s->energy_start);
    if (!s->unstable_reason[0]) {
        cli_print("\n%-11s ", "");
        printEnergy("end", s->energy_end);
    }
    putchar('\n');
    printWarnings(s);
    if (s->record) cli_print("%-11s %s\n", "recording", s->record);
}

static void addCount(cJSON* json, const cliSummary* s, const char* name, cliCount count)
{
    cJSON* object = cJSON_AddObjectToObject(json, name);
    cJSON_AddNumberToObject(object, "mean", perStep(s, count.sum));
    cJSON_AddNumberToObject(object, "max", count.most);
}

static void addEnergy(cJSON* json, const char* name, const double energy[2])
{
    cJSON* object = cJSON_AddObjectToObject(json, name);
    cJSON_AddNumberToObject(object, "potential", energy[0]);
    cJSON_AddNumberToObject(object, "kinetic", energy[1]);
}

int cli_printSummaryJson(const cliSummary* s, const snModel* m)
{
    cJSON* json = cli_newJson();
    cJSON_AddStringToObject(json, "model", m->names);
    if (s->path)
        cJSON_AddStringToObject(json, "path", s->path);
    else
        cJSON_AddNullToObject(json, "path");
    cJSON_AddStringToObject(json, "physics", cli_keyword("snPhysics", m->physics));
    cJSON* sizes = cJSON_AddObjectToObject(json, "sizes");
#define X(name, meaning) cJSON_AddNumberToObject(sizes, #name, m->name);
    SN_MODEL_SIZES(X)
#undef X
    cJSON_AddStringToObject(json, "outcome", s->outcome);
    cJSON_AddNumberToObject(json, "timestep", m->opt.timestep);
    cJSON_AddNumberToObject(json, "steps", (double)s->steps);
    cJSON_AddNumberToObject(json, "time", s->time);
    cJSON_AddNumberToObject(json, "wall_time", s->wall);
    cJSON_AddNumberToObject(json, "times_real_time", ratio((double)s->steps * m->opt.timestep, s->wall));
    cJSON_AddNumberToObject(json, "steps_per_second", ratio((double)s->steps, s->wall));
    cJSON* contact = cJSON_AddObjectToObject(json, "contact");
    cJSON_AddStringToObject(contact, "model", cli_keyword("snContactModel", m->opt.contact));
    if (m->opt.contact == SN_CONTACT_LCP) {
        cJSON_AddStringToObject(contact, "method", cli_keyword("snLcpMethod", m->opt.lcp_method));
        cJSON_AddNumberToObject(contact, "tolerance", m->opt.lcp_tolerance);
    }
    addCount(json, s, "contacts", s->contacts);
    addCount(json, s, "rows", s->rows);
    addCount(json, s, "solver_iterations", s->iterations);
    cJSON_AddNumberToObject(json, "solver_residual", s->solver_residual);
    cJSON_AddNumberToObject(json, "noslip_residual", s->noslip_residual);
    cJSON* loops = cJSON_AddObjectToObject(json, "loops");
    cJSON_AddNumberToObject(loops, "count", s->loops);
    cJSON_AddNumberToObject(loops, "clusters", s->clusters);
    cJSON_AddNumberToObject(loops, "mobility", s->mobility);
    cJSON_AddNumberToObject(loops, "error", s->loop_error);
    if (s->profiled) {
        addCount(json, s, "jacobian_numbers", s->numbers);
        cli_addProfile(json, s);
    }
    cJSON* energy = cJSON_AddObjectToObject(json, "energy");
    addEnergy(energy, "start", s->energy_start);
    addEnergy(energy, "end", s->energy_end);
    cJSON* warnings = cJSON_AddObjectToObject(json, "warnings");
    for (int i = 0; i < SN_NWARNING; i++)
        cJSON_AddNumberToObject(warnings, cli_warning(i)->keyword, s->warning[i]);
    cJSON* texts = cJSON_AddArrayToObject(json, "warning_texts");
    for (int i = 0; i < SN_NWARNING; i++)
        if (s->warning[i]) cJSON_AddItemToArray(texts, cJSON_CreateString(s->warning_text[i]));
    if (s->unstable_reason[0]) {
        cJSON* unstable = cJSON_AddObjectToObject(json, "unstable");
        cJSON_AddNumberToObject(unstable, "time", s->unstable_time);
        cJSON_AddStringToObject(unstable, "reason", s->unstable_reason);
    }
    if (s->record) cJSON_AddStringToObject(json, "record", s->record);
    return cli_printJson(json);
}
