// Errors of checks that know fields of the model, not elements: whose row it is, and where that stands.
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "compile/build/build.h"

// Item `id` of a list whose items have a head first and a next.
#define NTH(type, list)                                                                                      \
    do {                                                                                                     \
        SN_EACH (type, e, list)                                                                              \
            if (e->head.id == row) return &e->head;                                                          \
        return NULL;                                                                                         \
    } while (0)

// The element that owns a row of the fields of a group.
static const snSpecHead* ownerOf(const snBuild* b, const char* group, int row)
{
    const snModel* m = b->m;
    const snSpec* s = b->spec;
    if (!strcmp(group, "body") && row < m->nbody) return &b->body[row]->head;
    if (!strcmp(group, "joint") && row < m->njnt) return &b->joint[row]->head;
    if (!strcmp(group, "dof") && row < m->nv) return &b->joint[m->dof_jntid[row]]->head;
    if (!strcmp(group, "geom") && row < m->ngeom) return &b->geom[row]->head;
    if (!strcmp(group, "site") && row < m->nsite) return &b->site[row]->head;
    if (!strcmp(group, "camera") && row < m->ncam) return &b->camera[row]->head;
    if (!strcmp(group, "light") && row < m->nlight) return &b->light[row]->head;
    if (!strcmp(group, "texture")) NTH(snSpecTexture, s->textures);
    if (!strcmp(group, "material")) NTH(snSpecMaterial, s->materials);
    if (!strcmp(group, "flex")) NTH(snSpecFlex, s->flexes);
    if (!strcmp(group, "pair")) NTH(snSpecPair, s->pairs);
    if (!strcmp(group, "exclude")) NTH(snSpecExclude, s->excludes);
    if (!strcmp(group, "equality")) NTH(snSpecEquality, s->equalities);
    if (!strcmp(group, "tendon")) NTH(snSpecTendon, s->tendons);
    if (!strcmp(group, "actuator")) NTH(snSpecActuator, s->actuators);
    if (!strcmp(group, "sensor")) NTH(snSpecSensor, s->sensors);
    if (!strcmp(group, "numeric")) NTH(snSpecNumeric, s->numerics);
    if (!strcmp(group, "tuple")) NTH(snSpecTuple, s->tuples);
    if (!strcmp(group, "key")) NTH(snSpecKey, s->keys);
    return NULL;
}

// Joint of a coordinate.
static const snSpecHead* ownerOfCoordinate(const snBuild* b, int coordinate)
{
    const snModel* m = b->m;
    int joint = m->njnt - 1;
    while (joint > 0 && m->jnt_qposadr[joint] > coordinate) joint--;
    return joint < 0 ? NULL : &b->joint[joint]->head;
}

static const snSpecHead* ownerOfEntry(const snBuild* b, const char* field, int entry)
{
    int count;
    const snField* fields = sn_modelFields(&count);
    for (int i = 0; i < count; i++) {
        if (strcmp(fields[i].name, field)) continue;
        int rows, columns;
        sn_modelFieldShape(b->m, i, &rows, &columns);
        if (columns < 1 || entry < 0 || entry >= rows * columns) return NULL;
        if (!strcmp(fields[i].group, "state")) return ownerOfCoordinate(b, entry);
        return ownerOf(b, fields[i].group, entry / columns);
    }
    return NULL;
}

// The last place where a section gives an attribute, else any place of the section, else the root's.
static snPlace settingPlace(const snSpec* spec, const char* section, const char* attribute)
{
    snPlace place = {spec->file, 0};
    if (!spec->root) return place;
    place = spec->root->place;
    bool given = false;
    for (const snElement* e = spec->root->first; e; e = e->next) {
        if (strcmp(e->tag, section)) continue;
        const bool here = attribute && sn_attributeText(e, attribute);
        if (here || !given) place = e->place;
        given |= here;
    }
    return place;
}

bool sn_buildFailSetting(snBuild* b, const char* section, const char* attribute, snStatus status,
                         const char* format, ...)
{
    char text[500];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const snSpecHead head = {.tag = section, .place = settingPlace(b->spec, section, attribute)};
    return sn_buildFail(b, &head, status, "%s", text);
}

bool sn_buildWarnSetting(snBuild* b, const char* section, const char* attribute, const char* format, ...)
{
    char text[500];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const snSpecHead head = {.tag = section, .place = settingPlace(b->spec, section, attribute)};
    return sn_buildWarn(b, &head, "%s", text);
}

void sn_buildBlame(snBuild* b)
{
    if (!b->error || b->error->file[0] || !b->spec->file) return;
    char text[900], field[64], option[64];
    memcpy(text, b->error->message, sizeof text);
    text[sizeof text - 1] = 0;
    const snStatus status = b->error->status;
    int entry, end = 0;
    if (b->m && sscanf(text, "model field %63[^[][%d]: %n", field, &entry, &end) == 2 && end) {
        const snSpecHead* owner = ownerOfEntry(b, field, entry);
        // the root stands for what belongs to no element, or to the world that nobody wrote
        if (owner && owner->place.line > 0)
            sn_buildFail(b, owner, status, "its %s is %s: look at the numbers here and around", field,
                         text + end);
        else
            sn_buildFailSetting(b, "mujoco", NULL, status, "%s", text);
    } else if (sscanf(text, "option %63s", option) == 1) {
        sn_buildFailSetting(b, "option", option, status, "%s", text);
    } else {
        sn_buildFailSetting(b, "mujoco", NULL, status, "%s", text);
    }
}
