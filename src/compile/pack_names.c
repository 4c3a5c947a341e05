// The block of names: the model's, then those of each kind by id, then those of loop joints, each closed by a
// 0 byte. An element without a name has the empty one.
#include <sinew/names.h>
#include "base/memory.h"
#include "compile/number.h"
#include "format/mjcf/language/loop_text.h"
#include "model/named_kinds.h"
#include <limits.h>

// Calls `visit` for every element that can have a name, in no order of ids.
typedef void (*Visit)(void* user, snObjType kind, const snSpecHead* head);

static void eachNamed(const snSpec* s, Visit visit, void* user)
{
    for (const snSpecBody* body = s->world; body; body = sn_specNextBody(body)) {
        visit(user, SN_OBJ_BODY, &body->head);
        SN_EACH (snSpecJoint, e, body->joints) visit(user, SN_OBJ_JOINT, &e->head);
        SN_EACH (snSpecGeom, e, body->geoms) visit(user, SN_OBJ_GEOM, &e->head);
        SN_EACH (snSpecSite, e, body->sites) visit(user, SN_OBJ_SITE, &e->head);
        SN_EACH (snSpecCamera, e, body->cameras) visit(user, SN_OBJ_CAMERA, &e->head);
        SN_EACH (snSpecLight, e, body->lights) visit(user, SN_OBJ_LIGHT, &e->head);
    }
    SN_EACH (snSpecTexture, e, s->textures) visit(user, SN_OBJ_TEXTURE, &e->head);
    SN_EACH (snSpecSkin, e, s->skins) visit(user, SN_OBJ_SKIN, &e->head);
    SN_EACH (snSpecFlex, e, s->flexes) visit(user, SN_OBJ_FLEX, &e->head);
    SN_EACH (snSpecHfield, e, s->hfields) visit(user, SN_OBJ_HFIELD, &e->head);
    SN_EACH (snSpecMesh, e, s->meshes) visit(user, SN_OBJ_MESH, &e->head);
    SN_EACH (snSpecMaterial, e, s->materials) visit(user, SN_OBJ_MATERIAL, &e->head);
    SN_EACH (snSpecPair, e, s->pairs) visit(user, SN_OBJ_PAIR, &e->head);
    SN_EACH (snSpecExclude, e, s->excludes) visit(user, SN_OBJ_EXCLUDE, &e->head);
    SN_EACH (snSpecTendon, e, s->tendons) visit(user, SN_OBJ_TENDON, &e->head);
    SN_EACH (snSpecEquality, e, s->equalities) visit(user, SN_OBJ_EQUALITY, &e->head);
    SN_EACH (snSpecActuator, e, s->actuators) visit(user, SN_OBJ_ACTUATOR, &e->head);
    SN_EACH (snSpecSensor, e, s->sensors) visit(user, SN_OBJ_SENSOR, &e->head);
    SN_EACH (snSpecNumeric, e, s->numerics) visit(user, SN_OBJ_NUMERIC, &e->head);
    SN_EACH (snSpecText, e, s->texts) visit(user, SN_OBJ_TEXT, &e->head);
    SN_EACH (snSpecTuple, e, s->tuples) visit(user, SN_OBJ_TUPLE, &e->head);
    SN_EACH (snSpecKey, e, s->keys) visit(user, SN_OBJ_KEY, &e->head);
    SN_EACH (snSpecPlugin, e, s->plugins)
        if (e->order == SN_PLUGIN_DECLARED || e->order == SN_PLUGIN_SHARED)
            visit(user, SN_OBJ_PLUGIN, &e->head);
}

static void addLength(void* user, snObjType kind, const snSpecHead* head)
{
    (void)kind;
    if (head->name) *(size_t*)user += strlen(head->name);
}

bool sn_buildNameSize(const snBuild* b, int nobjects, int* nnames)
{
    size_t length = strlen(b->spec->modelname) + 1 + (size_t)nobjects;
    eachNamed(b->spec, addLength, &length);
    SN_EACH (snSpecText, e, b->spec->texts)
        if (sn_loopTextName(e->head.name, NULL)) length += strlen(e->head.name) + 1;
    if (length > INT_MAX) return false;
    *nnames = (int)length;
    return true;
}

typedef struct {
    const char** name; // by kind, then by id
    int start[SN_NOBJECT];
} NameTable;

static void enterName(void* user, snObjType kind, const snSpecHead* head)
{
    const NameTable* table = user;
    table->name[table->start[kind] + head->id] = head->name;
}

bool sn_buildNames(snBuild* b)
{
    snModel* m = b->m;
    NameTable table = {NULL, {0}};
    int objects = 0;
#define X(kind, size, adr)                                                                                   \
    table.start[SN_OBJ_##kind] = objects;                                                                    \
    objects += m->size;
    SN_NAMED_KINDS(X)
#undef X
    table.name = sn_calloc((size_t)objects * sizeof *table.name);
    if (!table.name) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    eachNamed(b->spec, enterName, &table);
    size_t address = strlen(b->spec->modelname) + 1;
    memcpy(m->names, b->spec->modelname, address);
    const char** name = table.name;
#define X(kind, size, adr)                                                                                   \
    for (int i = 0; i < m->size; i++, name++) {                                                              \
        const char* text = *name ? *name : "";                                                               \
        const size_t length = strlen(text) + 1;                                                              \
        m->adr[i] = (int)address;                                                                            \
        memcpy(m->names + address, text, length);                                                            \
        address += length;                                                                                   \
    }
    SN_NAMED_KINDS(X)
#undef X
    sn_free(table.name);
    for (int l = 0; l < m->nloop; l++) {
        const size_t length = strlen(b->loop_name[l]) + 1;
        m->loop_nameadr[l] = (int)address;
        memcpy(m->names + address, b->loop_name[l], length);
        address += length;
    }
    // fewer than counted when elements were left out
    m->nnames = (int)address;
    m->nnames_map = sn_namesMapSize(m);
    return true;
}

static void noteId(void* user, snObjType kind, const snSpecHead* head)
{
    (void)user, (void)kind;
    if (head->node) head->node->id = head->id;
}

void sn_noteIds(snSpec* spec)
{
    for (snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e)) {
        e->oldid = e->id;
        e->id = -1;
    }
    eachNamed(spec, noteId, NULL);
}
