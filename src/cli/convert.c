// sinew convert: a model from one kind of file to another.
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/migrate.h"
#include "model/binary/binary.h"

// Options by their place in the table below.
enum {
    PACKAGE_DIR,
    FLOATING_BASE,
    KEEP_FIXED,
    KEEP_VISUALS,
    ACTUATORS,
    PHYSICS,
    LOOPS,
    CONTACT,
    SERVO,
    NO_SOURCE,
    STRICT,
    ANYWHERE,
    NOPTIONS
};

static cliHolding holdingOf(const cliArguments* arguments)
{
    return (cliHolding){arguments->value[LOOPS], arguments->value[CONTACT], arguments->value[SERVO]};
}

static bool migrates(const snLoadOptions* load)
{
    return load->physics != NULL;
}

// What a model means that does not say it: that what is asked for differs from.
static const char* silentOf(const char* physics)
{
    if (!physics) return NULL;
    return strcmp(physics, "4.0") ? "4.0" : "3.3.7";
}

// How what loadSpec gave is read on.
static snLoadOptions onwards(const snLoadOptions* load)
{
    return migrates(load) ? cli_quiet(load) : *load;
}

// A spec of any model file, of a compiled one its source; the options bear on URDF.
static snSpec* loadSpec(const char* in, const cliArguments* arguments, const snLoadOptions* load,
                        snError* error)
{
    const snUrdfOptions options = {.floating_base = arguments->value[FLOATING_BASE] != NULL,
                                   .keep_fixed = arguments->value[KEEP_FIXED] != NULL,
                                   .keep_visuals = arguments->value[KEEP_VISUALS] != NULL,
                                   .actuators = arguments->value[ACTUATORS] != NULL};
    snLoadOptions own = *load; // read as it means itself, and then rewritten
    if (migrates(load)) own.physics = NULL;
    snSpec* spec = cli_loadSpec(in, arguments->value[PACKAGE_DIR], options, &own, error);
    if (spec && cli_setSpecHolding(spec, holdingOf(arguments), error) &&
        (!migrates(load) || cli_migrate(&spec, load, error)))
        return spec;
    sn_deleteSpec(spec);
    return NULL;
}

static snStatus toText(const char* in, const char* out, const cliArguments* arguments,
                       const snLoadOptions* load, snError* error)
{
    snSpec* spec = loadSpec(in, arguments, load, error);
    if (!spec) return error->status;
    const snLoadOptions own = onwards(load);
    const snStatus status = sn_saveSpec(spec, out, &own, error);
    sn_deleteSpec(spec);
    return status;
}

// The most sections that a compiled model may have.
enum { MOST_SECTIONS = 64 };

// A compiled model that this Sinew reads, as it is, checked; what stands beside the model goes along.
static snStatus copyBinary(const snBinary* binary, const char* out, cliHolding holding, bool nosource,
                           const snLoadOptions* load, snError* error)
{
    snSection others[MOST_SECTIONS];
    int n = 0;
    snModel* m = sn_binaryModel(binary, load, error);
    if (!m) return error->status;
    for (int i = 0; i < binary->nsections; i++) {
        const snSection section = sn_binarySection(binary, i);
        const bool source = !memcmp(section.tag, SN_BINARY_SOURCE, 4) ||
                            !memcmp(section.tag, SN_BINARY_FILES, 4) ||
                            !memcmp(section.tag, SN_BINARY_MEANING, 4);
        if (memcmp(section.tag, SN_BINARY_MODEL, 4) != 0 && !(source && nosource)) others[n++] = section;
    }
    const bool good = cli_setHolding(m, holding, error);
    const snStatus saved = good ? sn_saveBinary(m, others, n, out, error) : error->status;
    sn_deleteModel(m);
    return saved;
}

static snStatus compileTo(const char* in, const char* out, const cliArguments* arguments,
                          const snLoadOptions* load, snError* error)
{
    const bool nosource = arguments->value[NO_SOURCE] != NULL;
    snSpec* spec = loadSpec(in, arguments, load, error);
    if (!spec) return error->status;
    const snLoadOptions own = onwards(load);
    snModel* m = nosource ? sn_compile(spec, &own, error) : NULL;
    const snStatus status = m          ? sn_saveModel(m, out, error)
                            : nosource ? error->status
                                       : sn_saveSpecBinary(spec, out, &own, error);
    sn_deleteModel(m);
    sn_deleteSpec(spec);
    return status;
}

static snStatus toBinary(const char* in, const char* out, const cliArguments* arguments,
                         const snLoadOptions* load, snError* error)
{
    char* bytes;
    size_t size;
    snBinary binary;
    snSection source;
    if (!sn_isBinaryFile(in)) return compileTo(in, out, arguments, load, error);
    snStatus status = sn_readFile(in, &bytes, &size, error);
    if (status != SN_STATUS_OK) return status;
    status = sn_openBinary(bytes, size, in, &binary, error);
    const cliHolding holding = holdingOf(arguments);
    // another Sinew's model, and one whose source is to say something else, are compiled again
    const bool other = holding.loops || holding.contact || holding.servo || load->physics;
    if (!status && (binary.layout != sn_modelLayout() || other) &&
        sn_findSection(&binary, SN_BINARY_SOURCE, &source))
        status = compileTo(in, out, arguments, load, error);
    else if (!status)
        status = copyBinary(&binary, out, holding, arguments->value[NO_SOURCE] != NULL, load, error);
    sn_free(bytes);
    return status;
}

// The kinds of file that can be written, by the end of their names.
static const struct {
    const char* end;
    snStatus (*write)(const char* in, const char* out, const cliArguments* arguments,
                      const snLoadOptions* load, snError* error);
} kinds[] = {{".snb", toBinary}, {".xml", toText}, {".mjz", toText}, {".zip", toText}};
enum { NKINDS = sizeof(kinds) / sizeof(kinds[0]) };

static bool endsWith(const char* text, const char* end)
{
    const size_t n = strlen(text), k = strlen(end);
    return n > k && !strcmp(text + n - k, end);
}

static int run(const cliArguments* arguments)
{
    const char *in = arguments->operands[0], *out = arguments->operands[1];
    for (int i = 0; i < NKINDS; i++) {
        if (!endsWith(out, kinds[i].end)) continue;
        snError error = {0};
        snWarnings warnings = {NULL, 0, 0};
        const snLoadOptions load = {.strict = arguments->value[STRICT] != NULL,
                                    .physics = arguments->value[PHYSICS],
                                    .silent = silentOf(arguments->value[PHYSICS]),
                                    .files_anywhere = arguments->value[ANYWHERE] != NULL,
                                    .warnings = &warnings,
                                    .packages = "--" CLI_PACKAGES};
        const snStatus status = kinds[i].write(in, out, arguments, &load, &error);
        cli_printWarnings(&warnings);
        sn_freeWarnings(&warnings);
        return status ? cli_fail(CLI_BAD_INPUT, "%s", error.message) : CLI_DONE;
    }
    return cli_fail(CLI_BAD_USAGE,
                    "%s: what to write is told by the end of its name, which may be .xml, .mjz, .zip or .snb",
                    out);
}

static const cliOption options[CLI_MAX_OPTIONS] = {
    [PACKAGE_DIR] = CLI_PACKAGE_DIR,
    [FLOATING_BASE] = {"floating-base", NULL, "the root link of a URDF gets a free joint"},
    [KEEP_FIXED] = {"keep-fixed", NULL, "links of a URDF on fixed joints stay bodies"},
    [KEEP_VISUALS] = {"keep-visuals", NULL, "visual shapes of a URDF are kept"},
    [ACTUATORS] = {"actuators", NULL, "transmissions of a URDF become motors"},
    [PHYSICS] = CLI_PHYSICS,
    [LOOPS] = CLI_LOOPS,
    [CONTACT] = CLI_CONTACT,
    [SERVO] = CLI_SERVO,
    [NO_SOURCE] = {"no-source", NULL, "a compiled model without its source and its files"},
    [STRICT] = CLI_STRICT,
    [ANYWHERE] = CLI_ANYWHERE,
};

const cliCommand cli_convert = {
    .name = "convert",
    .operands = "IN OUT",
    .least = 2,
    .most = 2,
    .summary = "writes a model as another kind of file",
    .notes = "IN is any model file: MJCF, URDF, .mjz or .snb. OUT ends with\n"
             "  .xml    MJCF: no includes, default classes or attachments any more, angles in radians;\n"
             "          files that a .snb holds are written into a folder beside it, NAME_assets\n"
             "  .mjz    an archive (or .zip) of that text and all files that it refers to\n"
             "  .snb    compiled, quick to load, for this version of Sinew, with its source\n"
             "OUT is written beside the old one and renamed when it is whole.\n"
             "--physics rewrites a model of the other release, which one that does not say it is then taken "
             "for, so that\n"
             "its numbers stay, as far as this release can say it, and names the lines of the rest.",
    .options = options,
    .noptions = NOPTIONS,
    .run = run,
};
