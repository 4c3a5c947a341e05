// What a rewriting does, rule by rule.
#include "cli/migrate.h"
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "format/mjcf/language/reading.h"
#include "model/rules.h"
#include "model/spec/spec.h"

bool cli_leave(const cliMigration* g, const snElement* element, const char* text)
{
    const snReader r = {.spec = g->spec, .error = g->error, .options = g->load, .expanding = true};
    return sn_mjcfWarn(&r, element, "%s", text);
}

snElement* cli_elementOf(const cliMigration* g, int objtype, int id)
{
    for (snElement* e = sn_root(g->spec); e; e = sn_nextInTree(sn_root(g->spec), e))
        if (sn_elementType(e) == objtype && sn_elementId(e) == id) return e;
    return NULL;
}

// ---- rules of few lines

static bool sayMulticcd(const cliMigration* g)
{
    const bool on = g->before->opt.enableflags & SN_ENBL_MULTICCD;
    if (on == ((g->after->opt.enableflags & SN_ENBL_MULTICCD) != 0)) return true;
    snElement* flag = sn_section(g->spec, "option/flag", g->error);
    return flag && sn_setText(g->spec, flag, "multiccd", on ? "enable" : "disable", g->error) == SN_STATUS_OK;
}

// Whether the forces of tendons are limited.
static bool sayTendonLimits(const cliMigration* g)
{
    const snModel* m = g->before;
    for (int i = 0; m->ntendon == g->after->ntendon && i < m->ntendon; i++) {
        if (m->tendon_actfrclimited[i] == g->after->tendon_actfrclimited[i]) continue;
        snElement* e = cli_elementOf(g, SN_OBJ_TENDON, i);
        const char* word = m->tendon_actfrclimited[i] ? "true" : "false";
        if (e && sn_setText(g->spec, e, "actuatorfrclimited", word, g->error)) return false;
    }
    return true;
}

static bool sayBounds(const cliMigration* g)
{
    const snStatistic *old = &g->before->stat, *new = &g->after->stat;
    if (old->extent == new->extent && !memcmp(old->center, new->center, sizeof old->center)) return true;
    snElement* e = sn_section(g->spec, "statistic", g->error);
    return e && !sn_setNumbers(g->spec, e, "extent", &old->extent, 1, g->error) &&
           !sn_setNumbers(g->spec, e, "center", old->center, 3, g->error);
}

static bool differ(const double* a, const double* b, int n)
{
    for (int i = 0; i < n; i++)
        if (fabs(a[i] - b[i]) > 1e-12 * (1 + fabs(a[i]))) return true;
    return false;
}

// Whether the axes or moments of a body are others; moments may be small.
static bool hasOtherAxes(const cliMigration* g, int body)
{
    const double *old = g->before->body_inertia + 3 * body, *new = g->after->body_inertia + 3 * body;
    for (int i = 0; i < 3; i++)
        if (fabs(old[i] - new[i]) > 1e-12 * fabs(old[i])) return true;
    return differ(g->before->body_iquat + 4 * body, g->after->body_iquat + 4 * body, 4);
}

static snElement* childOf(const snElement* parent, const char* tag)
{
    snElement* e = sn_elementFirst(parent);
    while (e && strcmp(sn_elementTag(e), tag) != 0) e = sn_elementNext(e);
    return e;
}

static bool sayInertia(const cliMigration* g, snElement* body, int id)
{
    const snModel* m = g->before;
    snElement* e = childOf(body, "inertial");
    if (!e) e = sn_addElement(g->spec, body, "inertial", NULL, g->error);
    static const char* const others[] = {"fullinertia", "axisangle", "euler", "xyaxes", "zaxis"};
    for (int i = 0; e && i < 5; i++)
        if (sn_setText(g->spec, e, others[i], NULL, g->error)) return false;
    return e && !sn_setNumbers(g->spec, e, "pos", m->body_ipos + 3 * id, 3, g->error) &&
           !sn_setNumbers(g->spec, e, "quat", m->body_iquat + 4 * id, 4, g->error) &&
           !sn_setNumbers(g->spec, e, "mass", m->body_mass + id, 1, g->error) &&
           !sn_setNumbers(g->spec, e, "diaginertia", m->body_inertia + 3 * id, 3, g->error);
}

// Inertia of bodies by its axes, where they may be said.
static bool sayAxes(const cliMigration* g)
{
    const snElement* compiler = sn_section(g->spec, "compiler", g->error);
    const char* word = compiler ? sn_getText(g->spec, compiler, "inertiafromgeom") : NULL;
    if (g->after->nbody != g->before->nbody || (word && !strcmp(word, "true"))) return compiler != NULL;
    for (int b = 1; b < g->before->nbody; b++) {
        snElement* e = hasOtherAxes(g, b) ? cli_elementOf(g, SN_OBJ_BODY, b) : NULL;
        if (e && !sayInertia(g, e, b)) return false;
    }
    return true;
}

// Damping that was said as a ratio, by its number.
static bool sayDamping(const cliMigration* g)
{
    const snModel* m = g->before;
    for (int i = 0; m->nactuator == g->after->nactuator && i < m->nactuator; i++) {
        const double* bias = m->actuator_biasprm + SN_NBIAS * i;
        const double damping = -bias[2];
        if (bias[2] == g->after->actuator_biasprm[SN_NBIAS * i + 2]) continue;
        snElement* e = cli_elementOf(g, SN_OBJ_ACTUATOR, i);
        const bool general = e && !strcmp(sn_elementTag(e), "general");
        if (e && (general ? sn_setNumbers(g->spec, e, "biasprm", bias, SN_NBIAS, g->error)
                          : sn_setText(g->spec, e, "dampratio", NULL, g->error) ||
                                sn_setNumbers(g->spec, e, "kv", &damping, 1, g->error)))
            return false;
    }
    return true;
}

// ---- the table

// In this order: a later one may rely on what those before have written.
static const struct Rewrite {
    snRule rule;
    bool (*rewrite)(const cliMigration* g); // false: *error
    bool later;                             // to the later release alone
} rewrites[] = {
    {SN_RULE_MULTICCD_ON, sayMulticcd, false},         {SN_RULE_PRINCIPAL_AXES, sayAxes, false},
    {SN_RULE_DAMPING_RATIO, sayDamping, false},        {SN_RULE_PLANE_BOUNDS, sayBounds, false},
    {SN_RULE_TENDON_LIMITS, sayTendonLimits, false},   {SN_RULE_GAP_BEYOND, cli_keepMargins, true},
    {SN_RULE_MOCAP_WELD, cli_keepMocapContacts, true},
};

bool cli_differs(const cliMigration* g, snRule rule)
{
    return sn_means(g->before->physics, rule) != sn_means(g->after->physics, rule);
}

static bool rewriteAll(const cliMigration* g)
{
    for (size_t i = 0; i < sizeof rewrites / sizeof *rewrites; i++) {
        const struct Rewrite* r = rewrites + i;
        const bool wanted = cli_differs(g, r->rule) && (!r->later || sn_means(g->after->physics, r->rule));
        if (wanted && !r->rewrite(g)) return false;
    }
    return true;
}

// The model that a copy means under other physics, whose warnings are told here, with the lines of the
// source.
static snModel* compileAfter(const snSpec* spec, const snLoadOptions* load, snError* error)
{
    snLoadOptions own = *load;
    own.physics = NULL;
    snSpec* copy = sn_copySpec(spec);
    if (!copy) sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    snModel* m = copy && !sn_setPhysics(copy, load->physics, error) ? sn_compile(copy, &own, error) : NULL;
    sn_deleteSpec(copy);
    return m;
}

// The spec in canonical text, read again: default classes and frames are worked in as they are meant before.
static snSpec* canonical(snSpec* spec, const snLoadOptions* quiet, snError* error)
{
    size_t size;
    char* text = sn_writeSpec(spec, NULL, &size, quiet, error);
    snSpec* out = text ? sn_loadSpecText(text, size, spec->assets, spec->nassets, quiet, error) : NULL;
    sn_freeText(text);
    return out;
}

// Rewrites a canonical spec.
static bool rewrite(snSpec* spec, const snModel* after, const snLoadOptions* load, snError* error)
{
    const snLoadOptions quiet = cli_quiet(load);
    snModel* before = sn_compile(spec, &quiet, error);
    const bool done = before && rewriteAll(&(cliMigration){spec, before, after, &quiet, error}) &&
                      sn_setPhysics(spec, load->physics, error) == SN_STATUS_OK;
    sn_deleteModel(before);
    return done;
}

snLoadOptions cli_quiet(const snLoadOptions* load)
{
    return (snLoadOptions){.files_anywhere = true, .packages = load->packages, .silent = load->silent};
}

// Another spec in the place of *spec.
static bool replace(snSpec** spec, const snModel* after, const snLoadOptions* load, snError* error)
{
    const snLoadOptions quiet = cli_quiet(load);
    snSpec* fresh = canonical(*spec, &quiet, error);
    if (!fresh || !rewrite(fresh, after, load, error)) {
        sn_deleteSpec(fresh);
        return false;
    }
    sn_deleteSpec(*spec);
    *spec = fresh;
    return true;
}

bool cli_migrate(snSpec** spec, const snLoadOptions* load, snError* error)
{
    const snLoadOptions quiet = cli_quiet(load);
    snModel* before = sn_compile(*spec, &quiet, error);
    snModel* after = before ? compileAfter(*spec, load, error) : NULL;
    bool done = after != NULL;
    if (done && before->physics == after->physics)
        done = sn_setPhysics(*spec, load->physics, error) == SN_STATUS_OK;
    else if (done)
        done = cli_nameRest(&(cliMigration){*spec, before, after, load, error}) &&
               replace(spec, after, load, error);
    sn_deleteModel(before);
    sn_deleteModel(after);
    return done;
}
