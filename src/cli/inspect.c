// sinew inspect: what is in a model, as a tree and as JSON.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/inspect.h"
#include "model/option_enum.h"
#include "shape/facts.h"

enum { GROUP, ALL, PHYSICS, LOOPS, CONTACT, SERVO, JSON, PACKAGE_DIR, STRICT, ANYWHERE, NOPTIONS };
static const cliOption options[CLI_MAX_OPTIONS] = {
    [GROUP] = {"group", "NAME", "prints every field of one group instead: body, joint, geom, ..."},
    [ALL] = {"all", NULL, "prints every field of every group too"},
    [PHYSICS] = CLI_PHYSICS,
    [LOOPS] = {"loops", "[soft|exact]",
               "prints the loops instead, their clusters and their mobility at qpos0;\n"
               "with a word: as if the model held its equalities so"},
    [CONTACT] = CLI_CONTACT,
    [SERVO] = CLI_SERVO,
    [JSON] = {"json", NULL, "prints it as JSON, all fields included"},
    [PACKAGE_DIR] = CLI_PACKAGE_DIR,
    [STRICT] = CLI_STRICT,
    [ANYWHERE] = CLI_ANYWHERE,
};

const char* cli_keyword(const char* type, int value)
{
    int count;
    const snEnum* enums = sn_enums(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(enums[i].type, type) != 0) continue;
        for (int k = 0; k < enums[i].count; k++)
            if (enums[i].items[k].value == value) return enums[i].items[k].keyword;
    }
    return "";
}

static bool isAngle(int jointtype)
{
    return jointtype == SN_JNT_HINGE || jointtype == SN_JNT_BALL;
}

// ---- text
// --------------------------------------------------------------------------------------------------

static void printJoint(const snModel* m, int j)
{
    char buffer[32];
    cli_print("joint %s: %s", cli_name(m, SN_OBJ_JOINT, j, buffer),
              cli_keyword("snJointType", m->jnt_type[j]));
    if (!m->jnt_limited[j]) return;
    const double unit = isAngle(m->jnt_type[j]) ? 180 / SN_PI : 1;
    cli_print(", %.4g to %.4g %s", unit * m->jnt_range[2 * j], unit * m->jnt_range[2 * j + 1],
              isAngle(m->jnt_type[j]) ? "degrees" : "m");
}

static void printGeom(const snModel* m, int g)
{
    char buffer[32];
    cli_print("geom %s: %s", cli_name(m, SN_OBJ_GEOM, g, buffer), cli_keyword("snGeomType", m->geom_type[g]));
    for (int i = 0; i < sn_factsOf(m->geom_type[g])->sizes; i++) cli_print(" %.4g", m->geom_size[3 * g + i]);
}

// Links of the body tree: first child and next sibling of each body; 0: none.
typedef struct Tree {
    int *child, *sibling;
    char* stem; // what stands before the present line, 3 columns a level
} Tree;

static bool makeTree(const snModel* m, Tree* tree)
{
    const size_t n = (size_t)m->nbody;
    *tree = (Tree){calloc(n, sizeof(int)), calloc(n, sizeof(int)), calloc(n + 1, 5)};
    if (!tree->child || !tree->sibling || !tree->stem) return false;
    for (int b = m->nbody - 1; b > 0; b--) {
        tree->sibling[b] = tree->child[m->body_parentid[b]];
        tree->child[m->body_parentid[b]] = b;
    }
    return true;
}

static void freeTree(Tree* tree)
{
    free(tree->child);
    free(tree->sibling);
    free(tree->stem);
}

static void printBody(const snModel* m, const Tree* tree, int b)
{
    char buffer[32];
    cli_print("%s", cli_name(m, SN_OBJ_BODY, b, buffer));
    if (b > 0) cli_print("  %.4g kg", m->body_mass[b]);
    if (m->body_mocapid[b] >= 0) cli_print("  mocap");
    putchar('\n');
    const char* bar = tree->child[b] ? "│  " : "   ";
    for (int i = 0; i < m->body_jntnum[b]; i++) {
        cli_print("%s%s", tree->stem, bar);
        printJoint(m, m->body_jntadr[b] + i);
        putchar('\n');
    }
    for (int i = 0; i < m->body_geomnum[b]; i++) {
        cli_print("%s%s", tree->stem, bar);
        printGeom(m, m->body_geomadr[b] + i);
        putchar('\n');
    }
}

// Depth first without recursion: a model may be a chain of any length.
static void printTree(const snModel* m, const Tree* tree)
{
    char* end = tree->stem;
    printBody(m, tree, 0);
    for (int b = tree->child[0], parent = 0; b;) {
        const char* bar = tree->sibling[b] ? "│  " : "   ";
        cli_print("%s%s", tree->stem, tree->sibling[b] ? "├─ " : "└─ ");
        strcpy(end, bar);
        printBody(m, tree, b);
        if (tree->child[b]) {
            end += strlen(bar);
            parent = b;
            b = tree->child[b];
            continue;
        }
        *end = 0;
        while (b && !tree->sibling[b]) {
            b = parent;
            if (!b) return;
            parent = m->body_parentid[b];
            end -= strlen(tree->sibling[b] ? "│  " : "   ");
            *end = 0;
        }
        b = tree->sibling[b];
    }
}

static void printSizes(const snModel* m)
{
    cli_print("\nsizes\n");
#define X(name, meaning)                                                                                     \
    if (m->name) cli_print("  %-14s %-8d %s\n", #name, m->name, meaning);
    SN_MODEL_SIZES(X)
#undef X
}

static void printOptions(const snModel* m)
{
    int count;
    const snOptionField* fields = sn_optionFields(&count);
    cli_print("\noptions\n");
    cli_print("  %-18s%s\n", "physics", cli_keyword("snPhysics", m->physics));
    for (int i = 0; i < count; i++) {
        const char* at = (const char*)&m->opt + fields[i].offset;
        cli_print("  %-18s", fields[i].name);
        if (!strcmp(fields[i].type, "int")) {
            const int value = *(const int*)(const void*)at;
            const snEnum* kinds = sn_optionEnum(&fields[i]);
            if (kinds)
                cli_print("%s", cli_keyword(kinds->type, value));
            else
                cli_print("%d", value);
        } else {
            for (int k = 0; k < fields[i].count; k++)
                cli_print("%s%.6g", k ? " " : "", ((const double*)(const void*)at)[k]);
        }
        putchar('\n');
    }
}

static void printActuators(const snModel* m)
{
    char buffer[32];
    if (m->nactuator) cli_print("\nactuators\n");
    for (int i = 0; i < m->nactuator; i++) {
        cli_print("  %-24s", cli_name(m, SN_OBJ_ACTUATOR, i, buffer));
        for (int n = 0; n < m->actuator_ctrlnum[i]; n++) {
            const int k = m->actuator_ctrladr[i] + n;
            const double* range = m->actuator_ctrlrange + 2 * k;
            if (m->actuator_ctrllimited[k]) cli_print("%s %.4g to %.4g", n ? "," : "", range[0], range[1]);
        }
        putchar('\n');
    }
}

static void printSensors(const snModel* m)
{
    char buffer[32];
    if (m->nsensor) cli_print("\nsensors\n");
    for (int i = 0; i < m->nsensor; i++)
        cli_print("  %-24s %-18s %d\n", cli_name(m, SN_OBJ_SENSOR, i, buffer),
                  cli_keyword("snSensorType", m->sensor_type[i]), m->sensor_dim[i]);
}

static void printKeyframes(const snModel* m)
{
    char buffer[32];
    if (!m->nkey) return;
    cli_print("\nkeyframes\n");
    for (int i = 0; i < m->nkey; i++) cli_print("  %s\n", cli_name(m, SN_OBJ_KEY, i, buffer));
}

static int printText(const snModel* m, bool all)
{
    Tree tree;
    const bool good = makeTree(m, &tree);
    if (good) printTree(m, &tree);
    freeTree(&tree);
    if (!good) return cli_fail(CLI_BAD_INPUT, "out of memory");
    printActuators(m);
    printSensors(m);
    printKeyframes(m);
    printSizes(m);
    printOptions(m);
    cli_printStatistic(m);
    if (all) {
        cli_printVisual(m);
        cli_printFields(m, NULL);
    } else {
        cli_printGroups(m);
    }
    return CLI_DONE;
}

// ---- JSON
// --------------------------------------------------------------------------------------------------

static void addName(cJSON* object, const snModel* m, int objtype, int id)
{
    const char* name = sn_id2name(m, objtype, id);
    if (name && *name)
        cJSON_AddStringToObject(object, "name", name);
    else
        cJSON_AddNullToObject(object, "name");
}

static void addNumbers(cJSON* object, const char* name, const double* x, int n)
{
    cJSON_AddItemToObject(object, name, cJSON_CreateDoubleArray(x, n));
}

static cJSON* addObject(cJSON* array)
{
    cJSON* object = cJSON_CreateObject();
    cJSON_AddItemToArray(array, object);
    return object;
}

static void addBody(cJSON* array, const snModel* m, int b)
{
    cJSON* body = addObject(array);
    addName(body, m, SN_OBJ_BODY, b);
    cJSON_AddNumberToObject(body, "parent", m->body_parentid[b]);
    cJSON_AddNumberToObject(body, "mass", m->body_mass[b]);
    addNumbers(body, "pos", m->body_pos + 3 * b, 3);
    addNumbers(body, "quat", m->body_quat + 4 * b, 4);
    cJSON* joints = cJSON_AddArrayToObject(body, "joints");
    for (int i = 0; i < m->body_jntnum[b]; i++) {
        const int j = m->body_jntadr[b] + i;
        cJSON* joint = addObject(joints);
        addName(joint, m, SN_OBJ_JOINT, j);
        cJSON_AddStringToObject(joint, "type", cli_keyword("snJointType", m->jnt_type[j]));
        if (m->jnt_limited[j]) addNumbers(joint, "range", m->jnt_range + 2 * j, 2);
    }
    cJSON* geoms = cJSON_AddArrayToObject(body, "geoms");
    for (int i = 0; i < m->body_geomnum[b]; i++) {
        const int g = m->body_geomadr[b] + i;
        cJSON* geom = addObject(geoms);
        addName(geom, m, SN_OBJ_GEOM, g);
        cJSON_AddStringToObject(geom, "type", cli_keyword("snGeomType", m->geom_type[g]));
        addNumbers(geom, "size", m->geom_size + 3 * g, sn_factsOf(m->geom_type[g])->sizes);
    }
}

static void addOptions(cJSON* json, const snModel* m)
{
    cJSON* object = cJSON_AddObjectToObject(json, "options");
#define X(type, name, init, meaning) cJSON_AddNumberToObject(object, #name, (double)m->opt.name);
    SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...) addNumbers(object, #name, m->opt.name, count);
    SN_OPTION_VECTORS(X)
#undef X
}

// Of one control as two numbers, of several as a list of such.
static void addControls(cJSON* actuator, const snModel* m, int i)
{
    const int first = m->actuator_ctrladr[i], count = m->actuator_ctrlnum[i];
    if (count == 1) {
        if (m->actuator_ctrllimited[first])
            addNumbers(actuator, "ctrlrange", m->actuator_ctrlrange + 2 * first, 2);
        return;
    }
    cJSON* controls = cJSON_AddArrayToObject(actuator, "controls");
    for (int k = first; k < first + count; k++) {
        cJSON* control = addObject(controls);
        if (m->actuator_ctrllimited[k]) addNumbers(control, "ctrlrange", m->actuator_ctrlrange + 2 * k, 2);
    }
}

static void addActuators(cJSON* json, const snModel* m)
{
    cJSON* array = cJSON_AddArrayToObject(json, "actuators");
    for (int i = 0; i < m->nactuator; i++) {
        cJSON* actuator = addObject(array);
        addName(actuator, m, SN_OBJ_ACTUATOR, i);
        addControls(actuator, m, i);
    }
}

static void addSensors(cJSON* json, const snModel* m)
{
    cJSON* array = cJSON_AddArrayToObject(json, "sensors");
    for (int i = 0; i < m->nsensor; i++) {
        cJSON* sensor = addObject(array);
        addName(sensor, m, SN_OBJ_SENSOR, i);
        cJSON_AddStringToObject(sensor, "type", cli_keyword("snSensorType", m->sensor_type[i]));
        cJSON_AddNumberToObject(sensor, "dim", m->sensor_dim[i]);
    }
}

static int printJson(const snModel* m, const snWarnings* warnings)
{
    cJSON* json = cli_newJson();
    cJSON_AddStringToObject(json, "model", m->names);
    cJSON_AddStringToObject(json, "physics", cli_keyword("snPhysics", m->physics));
    cJSON* sizes = cJSON_AddObjectToObject(json, "sizes");
#define X(name, meaning) cJSON_AddNumberToObject(sizes, #name, m->name);
    SN_MODEL_SIZES(X)
#undef X
    addOptions(json, m);
    cJSON* bodies = cJSON_AddArrayToObject(json, "bodies");
    for (int b = 0; b < m->nbody; b++) addBody(bodies, m, b);
    addActuators(json, m);
    addSensors(json, m);
    cJSON* keys = cJSON_AddArrayToObject(json, "keyframes");
    for (int i = 0; i < m->nkey; i++) addName(addObject(keys), m, SN_OBJ_KEY, i);
    cJSON* list = cJSON_AddArrayToObject(json, "warnings");
    for (int i = 0; i < warnings->count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(warnings->list[i].message));
    cli_addStatistic(cJSON_AddObjectToObject(json, "statistics"), m);
    cli_addVisual(cJSON_AddObjectToObject(json, "visual"), m);
    cli_addFields(cJSON_AddObjectToObject(json, "fields"), m, NULL);
    return cli_printJson(json);
}

static int printGroup(const snModel* m, const char* group, bool json)
{
    if (!json) {
        cli_printFields(m, group);
        return CLI_DONE;
    }
    cJSON* object = cli_newJson();
    cli_addFields(object, m, group);
    return cli_printJson(object);
}

static int run(const cliArguments* arguments)
{
    const char* group = arguments->value[GROUP];
    const bool json = arguments->value[JSON] != NULL;
    if (group && !cli_isGroup(group)) return cli_unknownGroup(group);
    const bool loops = arguments->value[LOOPS] != NULL;
    if (group && arguments->value[ALL]) return cli_fail(CLI_BAD_USAGE, "--group and --all: give one");
    if (loops && (group || arguments->value[ALL]))
        return cli_fail(CLI_BAD_USAGE, "--loops and --%s: give one", group ? "group" : "all");
    snWarnings warnings = {NULL, 0, 0};
    const cliLoad how = {
        .package_dirs = arguments->value[PACKAGE_DIR],
        .physics = arguments->value[PHYSICS],
        .holding = {arguments->value[LOOPS], arguments->value[CONTACT], arguments->value[SERVO]},
        .strict = arguments->value[STRICT] != NULL,
        .anywhere = arguments->value[ANYWHERE] != NULL,
        .warnings = &warnings};
    snModel* m = cli_loadModel(arguments->noperands ? arguments->operands[0] : NULL, how);
    int code = CLI_BAD_INPUT;
    if (m)
        code = loops   ? cli_printLoops(m, json)
               : group ? printGroup(m, group, json)
               : json  ? printJson(m, &warnings)
                       : printText(m, arguments->value[ALL] != NULL);
    sn_freeWarnings(&warnings);
    sn_deleteModel(m);
    return code;
}

const cliCommand cli_inspect = {
    .name = "inspect",
    .operands = "[MODEL]",
    .least = 0,
    .most = 1,
    .summary = "shows the tree of bodies, the sizes and the options of a model",
    .notes = "Without MODEL it shows Sinew's own humanoid.",
    .options = options,
    .noptions = NOPTIONS,
    .run = run,
};
