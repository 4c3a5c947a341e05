// Parts of the text that come from records or from the compiled model: settings, actuators whose shortcut has
// become gain and bias, keyframes.
#include "format/mjcf/read/reader.h"
#include "format/mjcf/tree/inherit.h"
#include "format/mjcf/write/writer.h"
#include "math/eig3.h"
#include "math/orient.h"
#include "model/kinds.h"
#include "model/option_default.h"
#include "shape/kind.h"
#include <stdio.h>
#include <string.h>

// ---- looks of fixed tendons, which the language gives to default classes alone

static bool hasLook(const snSpecTendon* tendon)
{
    const snSpecTendon* plain = sn_defaultTendon();
    return !strcmp(tendon->head.tag, "fixed") && (tendon->width != plain->width || tendon->material ||
                                                  memcmp(tendon->rgba, plain->rgba, sizeof plain->rgba) != 0);
}

static void className(char name[40], const snSpecTendon* tendon)
{
    snprintf(name, 40, "fixed tendon %d", tendon->head.node->id);
}

// The default classes that fixed tendons need for their looks.
static void putTendonClasses(snWriter* w)
{
    SN_EACH (snSpecTendon, tendon, w->spec->tendons) {
        if (!hasLook(tendon)) continue;
        char name[40];
        className(name, tendon);
        sn_openTag(w, "default><default");
        sn_putText(w, "class", name);
        sn_put(w, "><tendon");
        sn_putNumbers(w, "width", &tendon->width, 1);
        if (tendon->material) sn_putText(w, "material", tendon->material);
        const double rgba[4] = {(double)tendon->rgba[0], (double)tendon->rgba[1], (double)tendon->rgba[2],
                                (double)tendon->rgba[3]};
        sn_putNumbers(w, "rgba", rgba, 4);
        sn_put(w, "/></default></default>");
    }
}

void sn_putTendonClass(snWriter* w, const snElement* element)
{
    const snSpecTendon* tendon = element->record;
    char name[40];
    if (!hasLook(tendon)) return;
    className(name, tendon);
    sn_putText(w, "class", name);
}

// ---- settings

// An element with the attributes of a record that are not as usual; nothing when there are none.
static void putElement(snWriter* w, snMjcfId id, const void* record, const void* standard)
{
    const size_t before = w->size;
    sn_openTag(w, sn_mjcfElement(id)->tag);
    const size_t opened = w->size;
    sn_putRecord(w, sn_mjcfElement(id), record, standard);
    if (w->size > opened)
        sn_put(w, "/>");
    else
        sn_takeBack(w, before);
}

static void putCompiler(snWriter* w)
{
    snSpecCompiler compiler = w->spec->compiler, standard = sn_defaultCompiler();
    compiler.degree = 0;
    compiler.meshdir = compiler.texturedir = compiler.assetdir = NULL; // files have their whole names
    compiler.strippath = 0;
    compiler.savecompiled = compiler.savecanonical = 1; // the text is what they ask for
    // where classes stay, orientations that need it are written as quaternions
    if (w->classes || !strcmp(compiler.eulerseq, standard.eulerseq)) compiler.eulerseq = standard.eulerseq;
    const snLengthRange lengthrange = sn_defaultLengthRange();
    sn_openTag(w, "compiler");
    sn_putRecord(w, sn_mjcfElement(SN_MJCF_COMPILER), &compiler, &standard);
    const size_t opened = w->size;
    sn_put(w, ">");
    const size_t inside = w->size;
    w->depth++;
    putElement(w, SN_MJCF_LENGTHRANGE, &w->spec->lengthrange, &lengthrange);
    w->depth--;
    if (w->size > inside) {
        sn_openTag(w, "/compiler>");
        return;
    }
    sn_takeBack(w, opened);
    sn_put(w, "/>");
}

// The counts of user numbers that the model has, as the peer writes them.
static snSpecSize countedSize(const snWriter* w)
{
    snSpecSize size = w->spec->size;
    const snModel* m = w->m;
    const struct {
        int* given;
        int count;
    } counts[] = {{&size.nuser_body, m->nuser_body},         {&size.nuser_jnt, m->nuser_jnt},
                  {&size.nuser_geom, m->nuser_geom},         {&size.nuser_site, m->nuser_site},
                  {&size.nuser_cam, m->nuser_cam},           {&size.nuser_tendon, m->nuser_tendon},
                  {&size.nuser_actuator, m->nuser_actuator}, {&size.nuser_sensor, m->nuser_sensor}};
    for (int i = 0; i < SN_COUNT(counts); i++)
        if (*counts[i].given < 0 && counts[i].count > 0) *counts[i].given = counts[i].count;
    return size;
}

static void putOption(snWriter* w)
{
    const snOption standard = sn_optionOf(w->spec->physics);
    const size_t before = w->size;
    sn_openTag(w, "option");
    const size_t opened = w->size;
    sn_putRecord(w, sn_mjcfElement(SN_MJCF_OPTION), &w->spec->option, &standard);
    double groups[31];
    int n = 0;
    for (int i = 0; i < 31; i++)
        if (w->spec->option.disableactuator >> i & 1) groups[n++] = i;
    if (n) sn_putNumbers(w, "actuatorgroupdisable", groups, n);
    const bool some = w->size > opened;
    sn_put(w, ">");
    const size_t inside = w->size;
    w->depth++;
    putElement(w, SN_MJCF_FLAG, &w->spec->option, &standard);
    w->depth--;
    if (!some && w->size == inside)
        sn_takeBack(w, before);
    else
        sn_openTag(w, "/option>");
}

static void putVisual(snWriter* w)
{
    const snVisual standard = sn_visualOf(w->spec->physics);
    const size_t before = w->size;
    sn_openTag(w, "visual>");
    const size_t opened = w->size;
    w->depth++;
    for (int id = SN_MJCF_VISUAL_GLOBAL; id <= SN_MJCF_VISUAL_RGBA; id++)
        putElement(w, (snMjcfId)id, &w->spec->visual, &standard);
    w->depth--;
    if (w->size > opened)
        sn_openTag(w, "/visual>");
    else
        sn_takeBack(w, before);
}

void sn_putSettings(snWriter* w)
{
    const snSpecSize size = sn_defaultSize();
    const snSpecStatistic statistic = sn_defaultStatistic();
    putCompiler(w);
    putOption(w);
    const bool counted = w->classes && w->notation == SN_NOTATION_COMPILED;
    const snSpecSize given = counted ? countedSize(w) : w->spec->size;
    putElement(w, SN_MJCF_SIZE, &given, &size);
    putVisual(w);
    putElement(w, SN_MJCF_STATISTIC, &w->spec->statistic, &statistic);
    if (!w->classes) putTendonClasses(w);
}

// ---- actuators

// What a shortcut says in its own words, when no default class has a say.
static bool isPlain(const snWriter* w, const snElement* element)
{
    const snClasses classes = sn_classesOf(w->spec, element);
    int where;
    for (int i = 0; i < classes.count; i++)
        for (const snElement* e = classes.list[i]->first; e; e = e->next)
            if (strcmp(e->tag, "default") && sn_mjcfInside(element->parent, e->tag, &where)) return false;
    const snSpecHead* head = element->record;
    return sn_specCompiler(w->spec, head)->autolimits == w->spec->compiler.autolimits;
}

static void putGeneral(snWriter* w, const snElement* element)
{
    const snSpecActuator* record = element->record;
    snSpecActuator actuator = *record;
    const int id = w->m ? element->id : -1;
    if (actuator.inheritrange > 0 && id >= 0) { // a word that `general` does not have in 3.3.7
        const bool act = sn_dynamicsKind(actuator.dyntype).setpoint == SN_SETPOINT_ACT;
        double* range = act ? actuator.actrange : actuator.ctrlrange;
        const double* made = act ? w->m->actuator_actrange : w->m->actuator_ctrlrange;
        actuator.inheritrange = 0;
        memcpy(range, made + 2 * (act ? id : w->m->actuator_ctrladr[id]), 2 * sizeof(double));
    }
    if (id >= 0) {
        const int control = w->m->actuator_ctrladr[id];
        const bool first = actuator.gaintype == SN_GAIN_PID ? w->m->actuator_ctrlspec[id] & SN_INPUT_POS
                                                            : w->m->actuator_ctrlnum[id] > 0;
        if (first) actuator.ctrllimited = w->m->actuator_ctrllimited[control];
        actuator.forcelimited = w->m->actuator_forcelimited[id];
        actuator.actlimited = w->m->actuator_actlimited[id];
    }
    sn_openTag(w, actuator.plug ? "plugin" : "general");
    if (actuator.head.name) sn_putText(w, "name", actuator.head.name);
    const snMjcfId kind = actuator.plug ? SN_MJCF_ACTUATOR_PLUGIN : SN_MJCF_GENERAL;
    sn_putRecord(w, sn_mjcfElement(kind), &actuator, sn_defaultActuator());
}

void sn_putActuator(snWriter* w, const snElement* element)
{
    const bool canonical = w->notation == SN_NOTATION_CANONICAL && isPlain(w, element);
    if (canonical || (!w->classes && !isPlain(w, element))) {
        putGeneral(w, element);
        return;
    }
    sn_openTag(w, element->tag);
    for (int i = 0; i < element->nattributes; i++)
        if (w->classes || strcmp(element->attributes[i].name, "class"))
            sn_putText(w, element->attributes[i].name, element->attributes[i].value);
}

// ---- materials

bool sn_hasLayers(const snWriter* w, const snElement* element)
{
    if (w->classes || sn_mjcfKind(element) != SN_OBJ_MATERIAL) return false;
    const snClasses classes = sn_classesOf(w->spec, element);
    bool layers = element->first, said = false;
    for (int i = 0; i < classes.count; i++)
        for (const snElement* e = classes.list[i]->first; e; e = e->next) {
            if (strcmp(e->tag, "material")) continue;
            layers |= e->first != NULL;
            said |= e->first || sn_attributeText(e, "texture");
        }
    return layers && said;
}

void sn_putLayers(snWriter* w, const snElement* element)
{
    int count;
    const snEnumItem* roles = sn_mjcfWords("TEXROLE", &count);
    const snSpecMaterial* material = element->record;
    sn_put(w, ">");
    w->depth++;
    for (int i = 0; i < count; i++) {
        const char* texture = material->textures[roles[i].value];
        if (!texture) continue;
        sn_openTag(w, "layer");
        sn_putText(w, "texture", texture);
        sn_putText(w, "role", roles[i].keyword);
        sn_put(w, "/>");
    }
    w->depth--;
    sn_openTag(w, "/material>");
}

// ---- inertias

// Whether bodies that were attached weigh by other rules than those that are written.
static bool weighsOtherwise(const snSpecCompiler* own, const snSpecCompiler* written)
{
    return own->boundmass != written->boundmass || own->boundinertia != written->boundinertia ||
           own->balanceinertia != written->balanceinertia ||
           own->inertiafromgeom != written->inertiafromgeom || own->fitaabb != written->fitaabb ||
           memcmp(own->inertiagrouprange, written->inertiagrouprange, sizeof own->inertiagrouprange) != 0;
}

void sn_putInertial(snWriter* w, const snElement* element)
{
    const int id = w->m ? element->id : -1;
    if (strcmp(element->tag, "body") || id <= 0) return;
    const snSpecCompiler* own = sn_specCompiler(w->spec, element->record);
    if (!w->spec->compiler.saveinertial && !weighsOtherwise(own, &w->spec->compiler)) return;
    // merged bodies and bodies that were turned to their inertia have another frame than the text
    if (w->spec->compiler.fusestatic || sn_childElement(element, "inertial") ||
        sn_childElement(element, "freejoint"))
        return;
    const snModel* m = w->m;
    if (!(m->body_mass[id] > 0)) return;
    sn_openTag(w, "inertial");
    sn_putNumbers(w, "pos", m->body_ipos + 3 * id, 3);
    sn_putNumbers(w, "quat", m->body_iquat + 4 * id, 4);
    sn_putNumbers(w, "mass", m->body_mass + id, 1);
    sn_putNumbers(w, "diaginertia", m->body_inertia + 3 * id, 3);
    sn_put(w, "/>");
}

void sn_putPrincipal(snWriter* w, const snElement* element)
{
    const snSpecInertial* inertial = element->record;
    const double* full = inertial->fullinertia;
    const snMat3 tensor = {{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
    double moments[3], quat[4];
    sn_quatStore(quat, sn_exactEig3(tensor, moments));
    sn_putNumbers(w, "quat", quat, 4);
    sn_putNumbers(w, "diaginertia", moments, 3);
}

// ---- shapes between two points

void sn_putSpan(snWriter* w, const snElement* element)
{
    const bool site = sn_mjcfKind(element) == SN_OBJ_SITE;
    const snSpecGeom* geom = site ? NULL : element->record;
    const snSpecSite* place = site ? element->record : NULL;
    const double *ends = site ? place->fromto : geom->fromto, *given = site ? place->size : geom->size;
    const snVec3 from = sn_v3Load(ends), to = sn_v3Load(ends + 3), along = sn_v3Sub(from, to);
    const double direction[3] = {along.x, along.y, along.z};
    double size[3] = {given[0], given[1], given[2]}, pos[3], quat[4];
    snQuat turn;
    if (!sn_shapeKind(site ? place->type : geom->type)->span(sn_v3Norm(along), size) ||
        !sn_orientZ(direction, &turn)) {
        sn_putNumbers(w, "fromto", ends, 6); // which no model has
        return;
    }
    sn_v3Store(pos, sn_v3Scale(sn_v3Add(from, to), 0.5));
    sn_quatStore(quat, turn);
    sn_putNumbers(w, "size", size, 3);
    sn_putNumbers(w, "pos", pos, 3);
    sn_putNumbers(w, "quat", quat, 4);
}

// ---- keyframes

static void putRow(snWriter* w, const char* name, const double* rows, int columns, int id)
{
    if (columns) sn_putNumbers(w, name, rows + (size_t)columns * (size_t)id, columns);
}

// A keyframe as it is said.
static void putGivenKey(snWriter* w, const snSpecKey* key)
{
#define X(name, attribute, what) #attribute,
    static const char* const words[] = {SN_KEY_LISTS(X)};
#undef X
    if (key->head.name) sn_putText(w, "name", key->head.name);
    if (key->time != 0) sn_putNumbers(w, "time", &key->time, 1);
    for (int list = 0; list < SN_KEY_LIST_COUNT; list++) {
        const snSpecNumbers* numbers = sn_specKeyList(key, (snKeyList)list);
        if (numbers->count) sn_putNumbers(w, words[list], numbers->values, numbers->count);
    }
}

void sn_putKey(snWriter* w, const snElement* element)
{
    if (!element->key && w->notation != SN_NOTATION_COMPILED) {
        putGivenKey(w, element->record);
        return;
    }
    const snModel* m = w->m;
    const snSpecKey* key = element->record;
    const int id = element->id;
    const bool all = element->key != 0; // it was attached, its numbers stand at what came with it
    if (key->head.name) sn_putText(w, "name", key->head.name);
    sn_putNumbers(w, "time", &key->time, 1);
    if (all || key->qpos.count) putRow(w, "qpos", m->key_qpos, m->nq, id);
    if (all || key->qvel.count) putRow(w, "qvel", m->key_qvel, m->nv, id);
    if (all || key->act.count) putRow(w, "act", m->key_act, m->na, id);
    if (all || key->mpos.count) putRow(w, "mpos", m->key_mpos, 3 * m->nmocap, id);
    if (all || key->mquat.count) putRow(w, "mquat", m->key_mquat, 4 * m->nmocap, id);
    if (all || key->ctrl.count) putRow(w, "ctrl", m->key_ctrl, m->nu, id);
    if ((all && m->nplastic) || key->plastic.count) putRow(w, "plastic", m->key_plastic, m->nplastic, id);
}
