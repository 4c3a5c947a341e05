#include "format/mjcf/tree/attach_keys.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "model/kinds.h"

// The numbers of one list of a keyframe on their way to the elements.
typedef struct Laying {
    snSpec* spec;
    int key;
    snKeyList list;
    snSpecNumbers given;
    int at; // how many have been laid down
    bool failed;
} Laying;

// The numbers of one element that a list ends at or before, as a compilation fills them up: with 0, but
// single coordinates and mocap bodies stay as they are by default, and springs begin where they would.
static void layDownShort(Laying* l, snElement* node, int n, int left)
{
    const bool mocap = l->list == SN_KEY_MPOS || l->list == SN_KEY_MQUAT, plastic = l->list == SN_KEY_PLASTIC;
    if (n == 1 || mocap || (plastic && !left)) return;
    double* values = sn_specAlloc(l->spec, (size_t)n * sizeof *values);
    for (int i = 0; values && i < n; i++)
        values[i] = i < left ? l->given.values[l->at + i] : plastic ? (double)NAN : 0;
    l->failed |= !values || !sn_addKeyNumbers(&l->spec->tree, node, l->key, l->list, values, n);
}

// The next n numbers are for one element.
static void layDown(Laying* l, snElement* node, int n)
{
    const int left = l->given.count > l->at ? l->given.count - l->at : 0;
    if (n && n <= left)
        l->failed |= !sn_addKeyNumbers(&l->spec->tree, node, l->key, l->list, l->given.values + l->at, n);
    else if (n)
        layDownShort(l, node, n, left);
    l->at += n;
}

static void layDownJoints(Laying* l, bool dofs)
{
    for (const snSpecBody* body = l->spec->world; body; body = sn_specNextBody(body))
        SN_EACH (snSpecJoint, joint, body->joints)
            layDown(l, joint->head.node, dofs ? sn_jointDofs(joint->type) : sn_jointCoordinates(joint->type));
}

static void layDownMocap(Laying* l, int n)
{
    for (const snSpecBody* body = l->spec->world; body; body = sn_specNextBody(body))
        if (body->mocap) layDown(l, body->head.node, n);
}

static void layDownActuators(Laying* l, bool activations)
{
    SN_EACH (snSpecActuator, actuator, l->spec->actuators)
        layDown(l, actuator->head.node,
                activations ? sn_actuatorActivations(actuator) : sn_actuatorControls(actuator));
}

static void layDownPlastic(Laying* l)
{
    for (const snSpecBody* body = l->spec->world; body; body = sn_specNextBody(body))
        SN_EACH (snSpecJoint, joint, body->joints) layDown(l, joint->head.node, sn_plasticOfJoint(joint));
    SN_EACH (snSpecTendon, tendon, l->spec->tendons)
        layDown(l, tendon->head.node, sn_plasticOfTendon(tendon));
}

static void tellShort(const snSpecKey* key, const char* const* words, const Laying* l, snConflicts* told)
{
    const size_t used = strlen(told->text);
    snprintf(told->text + used, sizeof told->text - used,
             "%s%s of its keyframe '%.60s' has %d of %d %s: give all", used ? "; " : "", words[0],
             key->head.name ? key->head.name : "", l->given.count, l->at, words[1]);
}

static bool layDownList(snSpec* spec, const snSpecKey* key, snKeyList list, snConflicts* told, snError* error)
{
#define X(name, attribute, what) {#attribute, what},
    static const char* const words[][2] = {SN_KEY_LISTS(X)};
#undef X
    Laying l = {spec, key->head.node->key, list, *sn_specKeyList(key, list), 0, false};
    if (!l.given.count) return true;
    sn_dropKeyNumbers(spec->root, l.key, list);
    switch (list) {
    case SN_KEY_QPOS: layDownJoints(&l, false); break;
    case SN_KEY_QVEL: layDownJoints(&l, true); break;
    case SN_KEY_MPOS: layDownMocap(&l, 3); break;
    case SN_KEY_MQUAT: layDownMocap(&l, 4); break;
    case SN_KEY_PLASTIC: layDownPlastic(&l); break;
    default: layDownActuators(&l, list == SN_KEY_ACT); break;
    }
    const snPlace place = key->head.place;
    if (l.given.count > l.at) {
        sn_failAt(error, SN_STATUS_MODEL, place.file, place.line,
                  "<key name=\"%s\">: %s has %d numbers, the model has %d %s",
                  key->head.name ? key->head.name : "", words[list][0], l.given.count, l.at, words[list][1]);
        return false;
    }
    if (l.given.count < l.at && told) tellShort(key, words[list], &l, told);
    if (l.failed || !sn_putAttribute(&spec->tree, key->head.node, words[list][0], NULL)) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return false;
    }
    return true;
}

bool sn_layDownKeys(snSpec* spec, snConflicts* told, snError* error)
{
    SN_EACH (snSpecKey, key, spec->keys) {
        if (!key->head.node->key) key->head.node->key = ++spec->nkeyed;
        for (int list = 0; list < SN_KEY_LIST_COUNT; list++)
            if (!layDownList(spec, key, (snKeyList)list, told, error)) return false;
    }
    return true;
}

bool sn_beginAttachment(snSpec* spec, snSpec* child, snAttachments* all)
{
    int n = 0;
    for (snElement* e = child->root; e; e = sn_nextInTree(child->root, e)) e->id = n++;
    snAttachment* now = sn_specAlloc(spec, sizeof *now);
    if (!all->latest) {
        all->latest = sn_specAlloc(spec, (size_t)n * sizeof *all->latest);
        all->nelements = n;
    }
    if (!now || !all->latest) return false;
    *now = (snAttachment){all->now, all->now ? all->now->index + 1 : 1, spec->nkeyed};
    all->now = now;
    spec->nkeyed += child->nkeyed;
    return true;
}

bool sn_takeKeyNumbers(snSpec* spec, snElement* copy, const snElement* from, snAttachments* all)
{
    copy->key = from->key ? all->now->nkeyed + from->key : 0;
    copy->keyed = NULL;
    if (from->id >= all->nelements) return true; // the file has changed since the first time
    int* latest = &all->latest[from->id];
    for (const snAttachment* time = all->now; time && time->index > *latest; time = time->before)
        for (const snKeyNumbers* n = from->keyed; n; n = n->next)
            if (!sn_addKeyNumbers(&spec->tree, copy, time->nkeyed + n->key, n->list, n->values, n->count))
                return false;
    *latest = all->now->index;
    return true;
}
