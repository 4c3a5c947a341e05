// Custom numbers, texts and tuples; keyframes; the names of everything.
#include "compile/build.h"

static bool buildTuple(snBuild* b, const snSpecTuple* tuple, int* address)
{
    snModel* m = b->m;
    if (!tuple->elements.count) return sn_buildFail(b, &tuple->head, SN_STATUS_MODEL, "has no elements");
    m->tuple_adr[tuple->head.id] = *address;
    m->tuple_size[tuple->head.id] = tuple->elements.count;
    SN_EACH (snSpecTupleElement, element, tuple->elements) {
        const snSpecHead* object =
            sn_buildFind(b, &element->head, "objname", element->objtype, element->objname);
        if (!object) return false;
        m->tuple_objtype[*address] = element->objtype;
        m->tuple_objid[*address] = object->id;
        m->tuple_objprm[*address] = element->prm;
        (*address)++;
    }
    return true;
}

bool sn_buildCustom(snBuild* b)
{
    snModel* m = b->m;
    int address = 0;
    SN_EACH (snSpecNumeric, numeric, b->spec->numerics) {
        const int id = numeric->head.id, size = numeric->size >= 0 ? numeric->size : numeric->data.count;
        m->numeric_adr[id] = address;
        m->numeric_size[id] = size;
        for (int k = 0; k < numeric->data.count; k++) m->numeric_data[address + k] = numeric->data.values[k];
        address += size;
    }
    address = 0;
    SN_EACH (snSpecText, text, b->spec->texts) {
        const char* data = text->data ? text->data : "";
        const int size = (int)strlen(data) + 1;
        m->text_adr[text->head.id] = address;
        m->text_size[text->head.id] = size;
        memcpy(m->text_data + address, data, (size_t)size);
        address += size;
    }
    address = 0;
    SN_EACH (snSpecTuple, tuple, b->spec->tuples)
        if (!buildTuple(b, tuple, &address)) return false;
    return true;
}

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

static bool keyPart(snBuild* b, const snSpecKey* key, const char* name, const char* what, snSpecNumbers given,
                    int size, double* row)
{
    if (!given.count) return true;
    if (given.count != size)
        return sn_buildFail(b, &key->head, SN_STATUS_MODEL, "%s has %d numbers, the model has %d %s", name,
                            given.count, size, what);
    memcpy(row, given.values, (size_t)size * sizeof(double));
    return true;
}

static bool buildKey(snBuild* b, const snSpecKey* key)
{
    snModel* m = b->m;
    const size_t id = (size_t)key->head.id;
    double* qpos = m->key_qpos + (size_t)m->nq * id;
    double* mquat = m->key_mquat + 4 * (size_t)m->nmocap * id;
    m->key_time[id] = key->time;
    if (!keyPart(b, key, "qpos", "position coordinates", key->qpos, m->nq, qpos) ||
        !keyPart(b, key, "qvel", "degrees of freedom", key->qvel, m->nv, m->key_qvel + (size_t)m->nv * id) ||
        !keyPart(b, key, "act", "activations", key->act, m->na, m->key_act + (size_t)m->na * id) ||
        !keyPart(b, key, "ctrl", "actuators", key->ctrl, m->nu, m->key_ctrl + (size_t)m->nu * id) ||
        !keyPart(b, key, "mpos", "mocap coordinates", key->mpos, 3 * m->nmocap,
                 m->key_mpos + 3 * (size_t)m->nmocap * id) ||
        !keyPart(b, key, "mquat", "mocap quaternion entries", key->mquat, 4 * m->nmocap, mquat))
        return false;
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
    SN_EACH (snSpecKey, key, b->spec->keys)
        if (!buildKey(b, key)) return false;
    return true;
}
