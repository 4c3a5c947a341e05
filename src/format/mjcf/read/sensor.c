// sensor: every kind, from its own attributes to one record of object and reference.
#include "format/mjcf/language/newer.h"
#include "format/mjcf/read/reader.h"
#include "model/rules.h"
#include "model/sensor_kind.h"
#include <stdio.h>
#include <string.h>

typedef struct Choice {
    const char* name;
    int type;
} Choice;

// The one choice that is given; more than one, or none where one is needed, is an error.
static bool choose(const snReader* r, const snXmlNode* node, const Choice* choices, int n, bool needed,
                   const char* words, int* type, const char** name)
{
    int given = 0;
    for (int i = 0; i < n; i++) {
        if (!choices[i].name) continue;
        given++;
        *type = choices[i].type;
        *name = choices[i].name;
    }
    if (n == 1 && !given) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute '%s' is empty", words);
    if (given > 1 || (needed && !given))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "give %s one of %s", needed ? "exactly" : "at most",
                           words);
    return true;
}

static bool setDistance(const snReader* r, const snXmlNode* node, const snSensorText* t, snSpecSensor* s)
{
    const Choice first[] = {{t->geom1, SN_OBJ_GEOM}, {t->body1, SN_OBJ_BODY}};
    const Choice second[] = {{t->geom2, SN_OBJ_GEOM}, {t->body2, SN_OBJ_BODY}};
    return choose(r, node, first, 2, true, "geom1, body1", &s->objtype, &s->objname) &&
           choose(r, node, second, 2, true, "geom2, body2", &s->reftype, &s->refname);
}

// The words of data, all or (physics 3.3.7) those that there were.
static void listWords(const snReader* r, const snXmlNode* node, const snEnumItem* words, int count,
                      char text[200])
{
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        const char* word = words[i].keyword;
        if (!sn_means(r->spec->physics, SN_RULE_NEWER_NAMES) &&
            sn_isNewerWord(node, "data", word, strlen(word)))
            continue;
        at += (size_t)snprintf(text + at, 200 - at, "%s%s", at ? ", " : "", word);
    }
}

// Bits of what a sensor reports, in the order of the words.
static bool readData(const snReader* r, const snXmlNode* node, const char* kind, const char* text, int* bits)
{
    int count, last = -1;
    const snEnumItem* words = sn_mjcfWords(kind, &count);
    *bits = 0;
    for (const char* at = text ? text : ""; *(at += strspn(at, " \t\n\r"));) {
        const size_t n = strcspn(at, " \t\n\r");
        int i = 0;
        while (i < count && (strlen(words[i].keyword) != n || strncmp(at, words[i].keyword, n))) i++;
        if (!sn_means(r->spec->physics, SN_RULE_NEWER_NAMES) && sn_isNewerWord(node, "data", at, n))
            return sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED, "data=\"%s\": %.*s %s, remove it",
                               sn_short(text).text, (int)n, at, sn_mjcfWhyNewer(r));
        if (i == count || i <= last) {
            char list[200] = "";
            listWords(r, node, words, count, list);
            return sn_mjcfFail(r, node, SN_STATUS_MODEL, "data=\"%s\": expected some of %s, in this order",
                               sn_short(text).text, list);
        }
        *bits |= words[i].value;
        last = i;
        at += n;
    }
    return true;
}

static bool setRange(const snReader* r, const snXmlNode* node, const snSensorText* t, snSpecSensor* s)
{
    const Choice on[] = {{t->site, SN_OBJ_SITE}, {t->camera, SN_OBJ_CAMERA}};
    if (!t->site && !sn_means(r->spec->physics, SN_RULE_NEWER_NAMES))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "attribute 'site' is %s",
                           sn_xmlAttribute(node, "site") ? "empty" : "missing");
    return choose(r, node, on, 2, true, "site, camera", &s->objtype, &s->objname) &&
           readData(r, node, "RAYDATA", t->data, &s->intprm[0]);
}

enum { NETFORCE = 3, LINVEL = 128, ANGVEL = 256 };

static bool setContact(const snReader* r, const snXmlNode* node, const snSensorText* t, snSpecSensor* s)
{
    const Choice first[] = {{t->geom1, SN_OBJ_GEOM},
                            {t->body1, SN_OBJ_BODY},
                            {t->subtree1, SN_OBJ_XBODY},
                            {t->site, SN_OBJ_SITE}};
    const Choice second[] = {{t->geom2, SN_OBJ_GEOM}, {t->body2, SN_OBJ_BODY}, {t->subtree2, SN_OBJ_XBODY}};
    if (!choose(r, node, first, 4, false, "geom1, body1, subtree1, site", &s->objtype, &s->objname) ||
        !choose(r, node, second, 3, false, "geom2, body2, subtree2", &s->reftype, &s->refname))
        return false;
    if (t->num < 1 || t->num > SN_MOST_CONTACT_REPORTS)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "num is %d, must be from 1 to %d", t->num,
                           SN_MOST_CONTACT_REPORTS);
    int bits = 0;
    if (!readData(r, node, "CONTACTDATA", t->data, &bits)) return false;
    if (t->reduce == NETFORCE && bits & (LINVEL | ANGVEL))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "reduce=\"netforce\": contacts together have no linvel and no angvel");
    s->intprm[0] = bits ? bits : 1;
    s->intprm[1] = t->reduce;
    s->intprm[2] = t->num;
    return true;
}

static bool setFrame(const snReader* r, const snXmlNode* node, const snSensorText* t, snSpecSensor* s)
{
    s->objtype = t->objtype;
    s->objname = t->objname;
    const char* reftype = sn_xmlAttribute(node, "reftype");
    if (reftype && !t->reftype && t->refname) {
        if (!sn_mjcfWarn(r, node, "reftype=\"%s\" is no kind of frame, reference and all are passed over",
                         sn_short(reftype).text))
            return false;
    } else if (!t->reftype != !t->refname)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "give both or none of 'reftype' and 'refname'");
    s->reftype = t->reftype;
    s->refname = t->reftype ? t->refname : NULL;
    return true;
}

static bool setUser(const snReader* r, const snXmlNode* node, const snSensorText* t, snSpecSensor* s)
{
    if (!t->objtype != !t->objname)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "give both or none of 'objtype' and 'objname'");
    if (t->dim < 0) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "dim is %d, must not be negative", t->dim);
    if ((t->datatype == SN_DATATYPE_AXIS && t->dim != 3) ||
        (t->datatype == SN_DATATYPE_QUATERNION && t->dim != 4))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "dim is %d, must be 3 for an axis, 4 for a quaternion",
                           t->dim);
    s->objtype = t->objtype;
    s->objname = t->objname;
    s->dim = t->dim;
    s->datatype = t->datatype;
    s->needstage = t->needstage;
    return true;
}

static bool setPlugin(const snReader* r, const snXmlNode* node, const snSensorText* t, snSpecSensor* s)
{
    if (!t->objtype != !t->objname)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "give both or none of 'objtype' and 'objname'");
    return setFrame(r, node, t, s);
}

static bool setObject(const snReader* r, const snXmlNode* node, snSensorForm form, const snSensorText* t,
                      snSpecSensor* s)
{
    const Choice site = {t->site, SN_OBJ_SITE}, joint = {t->joint, SN_OBJ_JOINT},
                 tendon = {t->tendon, SN_OBJ_TENDON}, actuator = {t->actuator, SN_OBJ_ACTUATOR},
                 body = {t->body, SN_OBJ_BODY}, camera = {t->camera, SN_OBJ_CAMERA},
                 mesh = {t->mesh, SN_OBJ_MESH}, geom = {t->geom, SN_OBJ_GEOM};
    int* type = &s->objtype;
    const char** name = &s->objname;
    switch (form) {
    case SN_FORM_SITE: return choose(r, node, &site, 1, true, "site", type, name);
    case SN_FORM_JOINT: return choose(r, node, &joint, 1, true, "joint", type, name);
    case SN_FORM_TENDON: return choose(r, node, &tendon, 1, true, "tendon", type, name);
    case SN_FORM_ACTUATOR: return choose(r, node, &actuator, 1, true, "actuator", type, name);
    case SN_FORM_BODY: return choose(r, node, &body, 1, true, "body", type, name);
    case SN_FORM_RANGE: return setRange(r, node, t, s);
    case SN_FORM_CAMERA:
        return choose(r, node, &site, 1, true, "site", type, name) &&
               choose(r, node, &camera, 1, true, "camera", &s->reftype, &s->refname);
    case SN_FORM_INSIDE:
        *type = t->objtype;
        *name = t->objname;
        s->intprm[0] = t->enclosed;
        return choose(r, node, &site, 1, true, "site", &s->reftype, &s->refname);
    case SN_FORM_FRAME:
    case SN_FORM_FRAMEACC: return setFrame(r, node, t, s);
    case SN_FORM_DISTANCE: return setDistance(r, node, t, s);
    case SN_FORM_CONTACT: return setContact(r, node, t, s);
    case SN_FORM_TAXELS:
        return choose(r, node, &mesh, 1, true, "mesh", type, name) &&
               choose(r, node, &geom, 1, true, "geom", &s->reftype, &s->refname);
    case SN_FORM_USER: return setUser(r, node, t, s);
    case SN_FORM_PLUGIN: return setPlugin(r, node, t, s);
    case SN_FORM_NONE:
    case SN_FORM_LATER: break;
    }
    return true;
}

static bool readSensor(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    const int type = sn_sensorType(node->tag);
    const snSensorForm form = sn_sensorKind(type)->form;
    if (form == SN_FORM_LATER) return sn_mjcfLater(r, node, NULL);
    snSensorText t = {.num = 1, .datatype = SN_DATATYPE_REAL, .needstage = SN_STAGE_ACC};
    if (!sn_readAttributes(r, node, sn_mjcfSensorForm(form), SN_IN_ELEMENT, &t)) return false;
    snSpecSensor* sensor = sn_specAlloc(r->spec, sizeof *sensor);
    if (!sensor) return sn_mjcfNoMemory(r);
    if (!sn_readHead(r, node, SN_OBJ_SENSOR, &sensor->head)) return false;
    sensor->type = type;
    sensor->cutoff = t.cutoff;
    sensor->noise = t.noise;
    sensor->user = t.user;
    sensor->nsample = t.nsample;
    sensor->interp = t.interp;
    sensor->delay = t.delay;
    memcpy(sensor->interval, t.interval, sizeof t.interval);
    if (t.cutoff < 0 || t.noise < 0)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "cutoff and noise must not be negative, are %g and %g",
                           t.cutoff, t.noise);
    if (!setObject(r, node, form, &t, sensor)) return false;
    if (!sensor->objname != (sensor->objtype == SN_OBJ_UNKNOWN) ||
        !sensor->refname != (sensor->reftype == SN_OBJ_UNKNOWN))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "the name of its object is empty");
    SN_SPEC_APPEND(&r->spec->sensors, sensor);
    if (form != SN_FORM_PLUGIN) return sn_readNoChildren(r, node);
    return sn_readInstance(r, node, t.plugin, t.instance, SN_PLUGIN_OF_SENSOR, &sensor->plug);
}

bool sn_readSensors(snReader* r, const snXmlNode* section, void* context)
{
    static const snMjcfElement none = {"sensor", "sensor", 0, NULL};
#define X(name, value, keyword, ...) {keyword, readSensor, false},
    static const snChild children[] = {SN_SENSOR_TABLE(X)};
#undef X
    (void)context;
    return sn_readAttributes(r, section, &none, SN_IN_ELEMENT, NULL) &&
           sn_readChildren(r, section, children, SN_COUNT(children), NULL);
}
