// Keyframes: the default pose, then what is given over it.
#include "base/memory.h"
#include "compile/relation/relation.h"
#include "compile/scale/scale.h"
#include "model/kinds.h"

static void normalizeQuats(double* quat, int n)
{
    for (int k = 0; k < n; k++) sn_quatStore(quat + 4 * k, sn_quatNormalize(sn_quatLoad(quat + 4 * k)));
}

// Where springs that yield begin. NaN for tendons, whose lengths at rest are not known before all else is.
static void defaultPlastic(snModel* m, int id)
{
    double* row = m->key_plastic + (size_t)m->nplastic * (size_t)id;
    for (int i = 0; i < m->nplastic; i++) row[i] = SN_NAN;
    for (int j = 0; j < m->njnt; j++)
        if (m->jnt_plasticadr[j] >= 0)
            memcpy(row + m->jnt_plasticadr[j], m->qpos_spring + m->jnt_qposadr[j],
                   (size_t)sn_jointCoordinates(m->jnt_type[j]) * sizeof(double));
}

void sn_buildPlasticKeys(snModel* m)
{
    for (int id = 0; id < m->nkey; id++)
        for (int i = 0; i < m->ntendon; i++) {
            double* pair = m->key_plastic + (size_t)m->nplastic * (size_t)id + m->tendon_plasticadr[i];
            for (int k = 0; k < 2 && m->tendon_plasticadr[i] >= 0; k++)
                if (isnan(pair[k])) pair[k] = m->tendon_lengthspring[2 * i + k];
        }
}

static void defaultKey(snModel* m, int id)
{
    defaultPlastic(m, id);
    memcpy(m->key_qpos + (size_t)m->nq * (size_t)id, m->qpos0, (size_t)m->nq * sizeof(double));
    for (int i = 0; i < m->nbody; i++) {
        const int mocap = m->body_mocapid[i];
        if (mocap < 0) continue;
        const size_t row = (size_t)m->nmocap * (size_t)id + (size_t)mocap;
        memcpy(m->key_mpos + 3 * row, m->body_pos + 3 * i, 3 * sizeof(double));
        memcpy(m->key_mquat + 4 * row, m->body_quat + 4 * i, 4 * sizeof(double));
    }
}

// The numbers of one element in a list of a keyframe.
typedef struct Entry {
    const snElement* node;
    const snSpecHead* of; // whose unit they have: of a free joint its body
    int adr, n;
} Entry;

// One list of all keyframes.
typedef struct Layout {
    snKeyList list;
    int size;     // of a row
    double* rows; // [nkey]
    int nentries;
    Entry* entries;
} Layout;

static void addEntry(Layout* layout, const snSpecHead* head, int adr, int n)
{
    if (n == 0) return;
    layout->entries[layout->nentries++] = (Entry){head->node, head, adr, n};
}

static void layOutJoints(const snBuild* b, Layout* layout)
{
    const snModel* m = b->m;
    const bool dofs = layout->list == SN_KEY_QVEL;
    for (int i = 0; i < m->njnt; i++) {
        addEntry(layout, &b->joint[i]->head, dofs ? m->jnt_dofadr[i] : m->jnt_qposadr[i],
                 dofs ? sn_jointDofs(m->jnt_type[i]) : sn_jointCoordinates(m->jnt_type[i]));
        if (m->jnt_type[i] == SN_JNT_FREE)
            layout->entries[layout->nentries - 1].of = &b->body[m->jnt_bodyid[i]]->head;
    }
}

static void layOutActuators(const snBuild* b, Layout* layout)
{
    const bool activations = layout->list == SN_KEY_ACT;
    SN_EACH (snSpecActuator, actuator, b->spec->actuators) {
        const int id = actuator->head.id;
        addEntry(layout, &actuator->head,
                 activations ? b->m->actuator_actadr[id] : b->m->actuator_ctrladr[id],
                 activations ? b->m->actuator_actnum[id] : b->m->actuator_ctrlnum[id]);
    }
}

static void layOutMocap(const snBuild* b, Layout* layout)
{
    const int n = layout->list == SN_KEY_MPOS ? 3 : 4;
    for (int i = 0; i < b->m->nbody; i++)
        if (b->m->body_mocapid[i] >= 0) addEntry(layout, &b->body[i]->head, n * b->m->body_mocapid[i], n);
}

static void layOutPlastic(const snBuild* b, Layout* layout)
{
    for (int i = 0; i < b->m->njnt; i++)
        addEntry(layout, &b->joint[i]->head, b->m->jnt_plasticadr[i], sn_plasticOfJoint(b->joint[i]));
    SN_EACH (snSpecTendon, tendon, b->spec->tendons)
        addEntry(layout, &tendon->head, b->m->tendon_plasticadr[tendon->head.id], sn_plasticOfTendon(tendon));
}

static Layout layOut(const snBuild* b, snKeyList list, Entry* entries)
{
    const snModel* m = b->m;
    Layout layout = {.list = list, .entries = entries};
    switch (list) {
    case SN_KEY_QPOS: layout.size = m->nq, layout.rows = m->key_qpos; break;
    case SN_KEY_QVEL: layout.size = m->nv, layout.rows = m->key_qvel; break;
    case SN_KEY_ACT: layout.size = m->na, layout.rows = m->key_act; break;
    case SN_KEY_MPOS: layout.size = 3 * m->nmocap, layout.rows = m->key_mpos; break;
    case SN_KEY_MQUAT: layout.size = 4 * m->nmocap, layout.rows = m->key_mquat; break;
    case SN_KEY_PLASTIC: layout.size = m->nplastic, layout.rows = m->key_plastic; break;
    default: layout.size = m->nu, layout.rows = m->key_ctrl; break;
    }
    if (list == SN_KEY_QPOS || list == SN_KEY_QVEL)
        layOutJoints(b, &layout);
    else if (list == SN_KEY_MPOS || list == SN_KEY_MQUAT)
        layOutMocap(b, &layout);
    else if (list == SN_KEY_PLASTIC)
        layOutPlastic(b, &layout);
    else
        layOutActuators(b, &layout);
    return layout;
}

// Numbers that the model has without what was attached to it.
static int countOwn(const Layout* layout)
{
    int own = 0;
    for (int i = 0; i < layout->nentries; i++)
        if (!layout->entries[i].node || !layout->entries[i].node->origin) own += layout->entries[i].n;
    return own;
}

// A list that is too short, as the peer fills it up: with 0, but single coordinates and mocap bodies that are
// not reached stay as they are by default.
static void fillShort(const Layout* layout, const snSpecNumbers* given, double* row)
{
    const bool mocap = layout->list == SN_KEY_MPOS || layout->list == SN_KEY_MQUAT;
    for (int i = 0, at = 0; i < layout->nentries; at += layout->entries[i++].n) {
        const Entry* e = &layout->entries[i];
        const int left = given->count > at ? given->count - at : 0, n = left < e->n ? left : e->n;
        if (n < e->n && (mocap || e->n == 1)) continue;
        memset(row + e->adr, 0, (size_t)e->n * sizeof *row);
        if (n) memcpy(row + e->adr, given->values + at, (size_t)n * sizeof *row);
    }
}

// The list in the units of the model; values NULL: out of memory.
static snSpecNumbers inUnits(snBuild* b, const Layout* layout, snSpecNumbers given)
{
    if (!b->spec->scales) return given;
    double* values = sn_specAlloc(b->spec, (size_t)given.count * sizeof *values);
    if (values) memcpy(values, given.values, (size_t)given.count * sizeof *values);
    for (int i = 0, at = 0; values && i < layout->nentries && at < given.count;
         at += layout->entries[i++].n) {
        const Entry* e = &layout->entries[i];
        const int left = given.count - at;
        sn_scaleKeyNumbers(b, layout->list, e->of, values + at, left < e->n ? left : e->n);
    }
    return (snSpecNumbers){values, given.count};
}

// A list that stands in the keyframe is as long as the model's, or as that of the model without what was
// attached to it.
static bool fillGiven(snBuild* b, const snSpecKey* key, const Layout* layout)
{
#define X(name, attribute, what) {#attribute, what},
    static const char* const words[][2] = {SN_KEY_LISTS(X)};
#undef X
    const snSpecNumbers* given = sn_specKeyList(key, layout->list);
    double* row = layout->rows + (size_t)layout->size * (size_t)key->head.id;
    if (!given->count) return true;
    if (given->count > layout->size)
        return sn_buildFail(b, &key->head, SN_STATUS_MODEL, "%s has %d numbers, the model has %d %s",
                            words[layout->list][0], given->count, layout->size, words[layout->list][1]);
    const snSpecNumbers meant = inUnits(b, layout, *given);
    if (!meant.values) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    if (meant.count == layout->size || layout->list == SN_KEY_PLASTIC)
        memcpy(row, meant.values, (size_t)meant.count * sizeof *row);
    else
        fillShort(layout, &meant, row);
    return given->count == layout->size || given->count == countOwn(layout) ||
           sn_buildWarn(b, &key->head, "%s has %d numbers, the model has %d %s: give all",
                        words[layout->list][0], given->count, layout->size, words[layout->list][1]);
}

// Numbers of attached keyframes stand at the elements.
static void fillAttached(const snBuild* b, const Layout* layout, const snSpecKey* const* attached)
{
    for (int i = 0; i < layout->nentries; i++) {
        const Entry* e = &layout->entries[i];
        for (const snKeyNumbers* n = e->node ? e->node->keyed : NULL; n; n = n->next) {
            const snSpecKey* key = attached[n->key];
            if (n->list != layout->list || n->count != e->n || !key || sn_specKeyList(key, n->list)->count)
                continue;
            double* row = layout->rows + (size_t)layout->size * (size_t)key->head.id;
            memcpy(row + e->adr, n->values, (size_t)n->count * sizeof *row);
            sn_scaleKeyNumbers(b, layout->list, e->of, row + e->adr, n->count);
        }
    }
}

static bool buildList(snBuild* b, snKeyList list, const snSpecKey* const* attached, Entry* entries)
{
    const Layout layout = layOut(b, list, entries);
    fillAttached(b, &layout, attached);
    bool good = true;
    SN_EACH (snSpecKey, key, b->spec->keys) good = good && fillGiven(b, key, &layout);
    return good;
}

// NaN stands for where the spring begins.
static void closePlastic(const snModel* m, int joint, double* plastic)
{
    const double* begin = m->qpos_spring + m->jnt_qposadr[joint];
    for (int k = 0; k < sn_jointCoordinates(m->jnt_type[joint]); k++)
        if (isnan(plastic[k])) plastic[k] = begin[k];
}

static void normalizeKey(snModel* m, int id)
{
    double* qpos = m->key_qpos + (size_t)m->nq * (size_t)id;
    double* plastic = m->key_plastic + (size_t)m->nplastic * (size_t)id;
    for (int j = 0; j < m->njnt; j++) {
        const int quaternion = sn_jointKind(m->jnt_type[j]).quaternion;
        if (m->jnt_plasticadr[j] >= 0) closePlastic(m, j, plastic + m->jnt_plasticadr[j]);
        if (quaternion >= 0) normalizeQuats(qpos + m->jnt_qposadr[j] + quaternion, 1);
        if (quaternion >= 0 && m->jnt_plasticadr[j] >= 0) normalizeQuats(plastic + m->jnt_plasticadr[j], 1);
    }
    normalizeQuats(m->key_mquat + 4 * (size_t)m->nmocap * (size_t)id, m->nmocap);
}

bool sn_buildKeys(snBuild* b)
{
    snModel* m = b->m;
    const snSpecKey** attached = sn_calloc(((size_t)b->spec->nkeyed + 1) * sizeof *attached);
    Entry* entries = sn_calloc((size_t)(m->njnt + m->nactuator + m->nbody + m->ntendon) * sizeof *entries);
    bool good = attached && entries;
    if (!good) sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    for (int id = 0; id < m->nkey; id++) defaultKey(m, id);
    SN_EACH (snSpecKey, key, b->spec->keys) {
        m->key_time[key->head.id] = key->time;
        if (good && key->head.node) attached[key->head.node->key] = key;
    }
    for (int list = 0; list < SN_KEY_LIST_COUNT; list++)
        good = good && buildList(b, (snKeyList)list, attached, entries);
    SN_EACH (snSpecKey, key, b->spec->keys)
        if (good) normalizeKey(m, key->head.id);
    sn_free(attached);
    sn_free(entries);
    return good;
}
