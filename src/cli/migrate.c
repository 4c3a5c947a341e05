// What a rewriting does, rule by rule.
#include "cli/migrate.h"
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

// ---- a rule of few lines

static bool sayMulticcd(const cliMigration* g)
{
    if (g->before->opt.enableflags & SN_ENBL_MULTICCD) return true;
    snElement* flag = sn_section(g->spec, "option/flag", g->error);
    return flag && sn_setText(g->spec, flag, "multiccd", "disable", g->error) == SN_STATUS_OK;
}

// ---- the table

// In this order: a later one may rely on what those before have written.
static const struct Rewrite {
    snRule rule;
    bool (*rewrite)(const cliMigration* g); // false: *error
} rewrites[] = {
    {SN_RULE_MULTICCD_ON, sayMulticcd},
    {SN_RULE_GAP_BEYOND, cli_keepMargins},
    {SN_RULE_MOCAP_WELD, cli_keepMocapContacts},
};

static bool rewriteAll(const cliMigration* g)
{
    for (size_t i = 0; i < sizeof rewrites / sizeof *rewrites; i++) {
        const snRule rule = rewrites[i].rule;
        if (sn_means(g->before->physics, rule) || !sn_means(g->after->physics, rule)) continue;
        if (!rewrites[i].rewrite(g)) return false;
    }
    return cli_nameRest(g);
}

// The model that a copy means under 4.0.
static snModel* compileAfter(const snSpec* spec, const snLoadOptions* quiet, snError* error)
{
    snSpec* copy = sn_copySpec(spec);
    if (!copy) sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    snModel* m = copy && !sn_setPhysics(copy, "4.0", error) ? sn_compile(copy, quiet, error) : NULL;
    sn_deleteSpec(copy);
    return m;
}

bool cli_migrate(snSpec* spec, const snLoadOptions* load, snError* error)
{
    snLoadOptions quiet = *load; // what the model's own warnings are is said when it is written
    quiet.strict = false;
    quiet.warnings = NULL;
    quiet.physics = NULL;
    snModel* before = sn_compile(spec, &quiet, error);
    if (!before) return false;
    if (before->physics == SN_PHYSICS_4_0) {
        sn_deleteModel(before);
        return true;
    }
    snModel* after = compileAfter(spec, &quiet, error);
    const bool done = after && rewriteAll(&(cliMigration){spec, before, after, load, error}) &&
                      sn_setPhysics(spec, "4.0", error) == SN_STATUS_OK;
    sn_deleteModel(before);
    sn_deleteModel(after);
    return done;
}
