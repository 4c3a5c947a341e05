// Keyframes: the default pose, then what is given over it.
#include "base/memory.h"
#include "compile/relation/relation.h"

static void normalizeQuats(double* quat, int n)
{
    for (int k = 0; k < n; k++) sn_quatStore(quat + 4 * k, sn_quatNormalize(sn_quatLoad(quat + 4 * k)));
}

static void defaultKey(snModel* m, int id)
{
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
    int adr, n;
} Entry;

typedef struct Layout {
    const char *name, *what;
    int size;
    int nentries;
    Entry* entries;
} Layout;

static void addEntry(Layout* layout, const snSpecHead* head, int adr, int n)
{
    if (n == 0) return;
    layout->entries[layout->nentries++] = (Entry){head->node, adr, n};
}

static const snOrigin* originOf(const snElement* node)
{
    return node ? node->origin : NULL;
}

// A list is as long as the model's, or as that of the model that the keyframe came with: what was attached
// to it then stays as it is by default.
static bool keyPart(snBuild* b, const snSpecKey* key, const Layout* layout, snSpecNumbers given, double* row)
{
    if (!given.count) return true;
    if (given.count == layout->size) {
        memcpy(row, given.values, (size_t)given.count * sizeof(double));
        return true;
    }
    const snOrigin* origin = originOf(key->head.node);
    int own = 0, at = 0;
    for (int i = 0; i < layout->nentries; i++)
        if (originOf(layout->entries[i].node) == origin) own += layout->entries[i].n;
    if (given.count != own)
        return sn_buildFail(b, &key->head, SN_STATUS_MODEL, "%s has %d numbers, the model has %d %s",
                            layout->name, given.count, layout->size, layout->what);
    for (int i = 0; i < layout->nentries; i++) {
        const Entry* e = &layout->entries[i];
        if (originOf(e->node) != origin) continue;
        memcpy(row + e->adr, given.values + at, (size_t)e->n * sizeof(double));
        at += e->n;
    }
    return true;
}

static Layout jointLayout(const snBuild* b, Entry* entries, bool dofs)
{
    const snModel* m = b->m;
    Layout layout = {dofs ? "qvel" : "qpos", dofs ? "degrees of freedom" : "position coordinates",
                     dofs ? m->nv : m->nq, 0, entries};
    for (int i = 0; i < m->njnt; i++)
        addEntry(&layout, &b->joint[i]->head, dofs ? m->jnt_dofadr[i] : m->jnt_qposadr[i],
                 dofs ? sn_jointDofs(m->jnt_type[i]) : sn_jointCoordinates(m->jnt_type[i]));
    return layout;
}

static Layout actuatorLayout(const snBuild* b, Entry* entries, bool activations)
{
    const snModel* m = b->m;
    Layout layout = {activations ? "act" : "ctrl", activations ? "activations" : "actuators",
                     activations ? m->na : m->nu, 0, entries};
    SN_EACH (snSpecActuator, actuator, b->spec->actuators) {
        const int id = actuator->head.id;
        addEntry(&layout, &actuator->head, activations ? m->actuator_actadr[id] : id,
                 activations ? m->actuator_actnum[id] : 1);
    }
    return layout;
}

static Layout mocapLayout(const snBuild* b, Entry* entries, int n)
{
    const snModel* m = b->m;
    Layout layout = {n == 3 ? "mpos" : "mquat", n == 3 ? "mocap coordinates" : "mocap quaternion entries",
                     n * m->nmocap, 0, entries};
    for (int i = 0; i < m->nbody; i++)
        if (m->body_mocapid[i] >= 0) addEntry(&layout, &b->body[i]->head, n * m->body_mocapid[i], n);
    return layout;
}

static bool buildKey(snBuild* b, const snSpecKey* key, Entry* entries)
{
    snModel* m = b->m;
    const size_t id = (size_t)key->head.id;
    double* qpos = m->key_qpos + (size_t)m->nq * id;
    double* mquat = m->key_mquat + 4 * (size_t)m->nmocap * id;
    m->key_time[id] = key->time;
    const Layout positions = jointLayout(b, entries, false);
    if (!keyPart(b, key, &positions, key->qpos, qpos)) return false;
    const Layout velocities = jointLayout(b, entries, true);
    if (!keyPart(b, key, &velocities, key->qvel, m->key_qvel + (size_t)m->nv * id)) return false;
    const Layout activations = actuatorLayout(b, entries, true);
    if (!keyPart(b, key, &activations, key->act, m->key_act + (size_t)m->na * id)) return false;
    const Layout controls = actuatorLayout(b, entries, false);
    if (!keyPart(b, key, &controls, key->ctrl, m->key_ctrl + (size_t)m->nu * id)) return false;
    const Layout places = mocapLayout(b, entries, 3);
    if (!keyPart(b, key, &places, key->mpos, m->key_mpos + 3 * (size_t)m->nmocap * id)) return false;
    const Layout turns = mocapLayout(b, entries, 4);
    if (!keyPart(b, key, &turns, key->mquat, mquat)) return false;
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == SN_JNT_BALL) normalizeQuats(qpos + m->jnt_qposadr[j], 1);
        if (m->jnt_type[j] == SN_JNT_FREE) normalizeQuats(qpos + m->jnt_qposadr[j] + 3, 1);
    }
    normalizeQuats(mquat, m->nmocap);
    return true;
}

bool sn_buildKeys(snBuild* b)
{
    for (int id = 0; id < b->m->nkey; id++) defaultKey(b->m, id);
    const snModel* m = b->m;
    const int room = m->njnt + m->nu + m->nbody;
    Entry* entries = sn_calloc((size_t)room * sizeof *entries);
    if (!entries) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    bool good = true;
    SN_EACH (snSpecKey, key, b->spec->keys) good = good && buildKey(b, key, entries);
    sn_free(entries);
    return good;
}
