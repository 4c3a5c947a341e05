// Models for the command: from files, or the humanoid that is built in; names of elements for people.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "cli/cli.h"
#include "model/binary/binary.h"

extern const unsigned char humanoidModel[];
extern const size_t humanoidModelSize;

void cli_printWarnings(const snWarnings* warnings)
{
    for (int i = 0; i < warnings->count; i++) cli_complain("warning: %s\n", warnings->list[i].message);
    if (warnings->more > 0) fprintf(stderr, "warning: and %d more\n", warnings->more);
}

snSpec* cli_loadSpec(const char* path, const char* package_dirs, snUrdfOptions urdf,
                     const snLoadOptions* options, snError* error)
{
    enum { MOST_FOLDERS = 64 };
    const char* folders[MOST_FOLDERS];
    char* list = package_dirs ? strdup(package_dirs) : NULL;
    if (package_dirs && !list) {
        error->status = SN_STATUS_NO_MEMORY;
        snprintf(error->message, sizeof error->message, "out of memory");
        return NULL;
    }
    urdf.package_dirs = folders;
    for (char *at = list, *end; at && urdf.npackage_dirs < MOST_FOLDERS; at = end ? end + 1 : NULL) {
        end = strchr(at, ':');
        if (end) *end = 0;
        if (*at) folders[urdf.npackage_dirs++] = at;
    }
    snSpec* spec = sn_loadUrdf(path, &urdf, NULL, 0, options, error);
    free(list);
    return spec;
}

static bool isGiven(const char* word)
{
    return word && *word;
}

bool cli_setHolding(snModel* m, cliHolding holding, snError* error)
{
    if (isGiven(holding.loops))
        m->opt.loops = strcmp(holding.loops, "exact") ? SN_LOOPS_SOFT : SN_LOOPS_EXACT;
    if (isGiven(holding.contact))
        m->opt.contact = strcmp(holding.contact, "lcp") ? SN_CONTACT_SOFT : SN_CONTACT_LCP;
    if (isGiven(holding.servo)) m->opt.servo = strcmp(holding.servo, "end") ? SN_SERVO_BEGIN : SN_SERVO_END;
    return (!isGiven(holding.loops) || sn_checkOption(&m->opt, "loops", error) == SN_STATUS_OK) &&
           (!isGiven(holding.contact) || sn_checkOption(&m->opt, "contact", error) == SN_STATUS_OK);
}

// The same of a model that is there, or not; else it is freed.
static snModel* withHolding(snModel* m, cliHolding holding, snError* error)
{
    if (!m || cli_setHolding(m, holding, error)) return m;
    sn_deleteModel(m);
    return NULL;
}

snModel* cli_readModel(const char* path, cliLoad how, snError* error)
{
    snWarnings own = {NULL, 0, 0};
    const snLoadOptions options = {.strict = how.strict,
                                   .physics = how.physics,
                                   .files_anywhere = how.anywhere,
                                   .warnings = how.warnings ? how.warnings : &own,
                                   .packages = "--" CLI_PACKAGES};
    snModel* m;
    if (!how.package_dirs || sn_isBinaryFile(path)) {
        m = sn_loadModel(path, &options, error);
    } else {
        snSpec* spec = cli_loadSpec(path, how.package_dirs, (snUrdfOptions){0}, &options, error);
        m = spec ? sn_compile(spec, &options, error) : NULL;
        sn_deleteSpec(spec);
    }
    cli_printWarnings(options.warnings);
    sn_freeWarnings(&own);
    return withHolding(m, how.holding, error);
}

// Has the spec say how loops are held; the settings behind that stay.
static bool setLoops(snSpec* spec, const char* loops, snError* error)
{
    snElement* field = loops ? sn_findElement(spec, SN_OBJ_TEXT, "sinew_loops") : NULL;
    const char* data = field ? sn_getText(spec, field, "data") : NULL;
    char text[4096];
    data = data ? data + strspn(data, " \t\r\n") : "";
    const int length =
        snprintf(text, sizeof text, "%s%s", loops ? loops : "", data + strcspn(data, " \t\r\n"));
    if (length >= (int)sizeof text) return sn_fail(error, SN_STATUS_MODEL, "sinew_loops is too long"), false;
    return !loops || sn_setLoops(spec, text, error) == SN_STATUS_OK;
}

// Has the spec say how contacts are held; their settings stay.
static bool setContact(snSpec* spec, const char* contact, snError* error)
{
    const snElement* field = contact ? sn_findElement(spec, SN_OBJ_TEXT, "sinew_lcp") : NULL;
    const char* settings = field ? sn_getText(spec, field, "data") : NULL;
    return !contact || sn_setContact(spec, contact, settings, error) == SN_STATUS_OK;
}

bool cli_setSpecHolding(snSpec* spec, cliHolding holding, snError* error)
{
    return setLoops(spec, holding.loops, error) && setContact(spec, holding.contact, error) &&
           (!holding.servo || sn_setServo(spec, holding.servo, error) == SN_STATUS_OK);
}

snSpec* cli_loadSource(const char* path, cliLoad how, const snLoadOptions* options, snError* error)
{
    snSpec* spec =
        path ? cli_loadSpec(path, how.package_dirs, (snUrdfOptions){0}, options, error)
             : sn_loadSpecText((const char*)humanoidModel, humanoidModelSize, NULL, 0, options, error);
    if (!spec || cli_setSpecHolding(spec, how.holding, error)) return spec;
    sn_deleteSpec(spec);
    return NULL;
}

snModel* cli_loadModel(const char* path, cliLoad how)
{
    snError error = {0};
    const snLoadOptions own = {.physics = how.physics};
    snModel* m = path ? cli_readModel(path, how, &error)
                      : withHolding(sn_loadModelText((const char*)humanoidModel, humanoidModelSize, NULL, 0,
                                                     &own, &error),
                                    how.holding, &error);
    if (!m) cli_fail(0, "%s", error.message);
    return m;
}

const char* cli_name(const snModel* m, int objtype, int id, char buffer[32])
{
    const char* name = sn_id2name(m, objtype, id);
    if (name && *name) return name;
    snprintf(buffer, 32, "[%d]", id);
    return buffer;
}
