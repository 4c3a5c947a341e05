// A spec compiled again, the state of what remains carried over.
#include <sinew/spec.h>
#include "base/error.h"
#include "compile/build/build.h"
#include "format/mjcf/language/element.h"
#include "model/history.h"
#include "model/kinds.h"
#include <string.h>

typedef struct Carry {
    const snModel *m, *oldm;
    snData* d;
    snData* oldd;
} Carry;

static void copyReals(double* to, const double* from, int toadr, int fromadr, int n)
{
    memcpy(to + toadr, from + fromadr, (size_t)n * sizeof(double));
}

// State of an instance of a plugin, of an element or declared: of one plugin, as many numbers.
static void carryPlugin(const Carry* c, int id, int old)
{
    if (id < 0 || old < 0 || c->m->plugin[id] != c->oldm->plugin[old]) return;
    const int n = c->m->plugin_statenum[id];
    if (n == c->oldm->plugin_statenum[old])
        copyReals(c->d->plugin_state, c->oldd->plugin_state, c->m->plugin_stateadr[id],
                  c->oldm->plugin_stateadr[old], n);
}

static void carryBody(const Carry* c, int id, int old)
{
    copyReals(c->d->xfrc_applied, c->oldd->xfrc_applied, 6 * id, 6 * old, 6);
    carryPlugin(c, c->m->body_plugin[id], c->oldm->body_plugin[old]);
    const int mocap = c->m->body_mocapid[id], oldmocap = c->oldm->body_mocapid[old];
    if (mocap < 0 || oldmocap < 0) return;
    copyReals(c->d->mocap_pos, c->oldd->mocap_pos, 3 * mocap, 3 * oldmocap, 3);
    copyReals(c->d->mocap_quat, c->oldd->mocap_quat, 4 * mocap, 4 * oldmocap, 4);
}

static void carryJoint(const Carry* c, int id, int old)
{
    const int type = c->m->jnt_type[id];
    if (type != c->oldm->jnt_type[old]) return;
    copyReals(c->d->qpos, c->oldd->qpos, c->m->jnt_qposadr[id], c->oldm->jnt_qposadr[old],
              sn_jointCoordinates(type));
    const int dof = c->m->jnt_dofadr[id], olddof = c->oldm->jnt_dofadr[old], n = sn_jointDofs(type);
    copyReals(c->d->qvel, c->oldd->qvel, dof, olddof, n);
    copyReals(c->d->qfrc_applied, c->oldd->qfrc_applied, dof, olddof, n);
    copyReals(c->d->qacc_warmstart, c->oldd->qacc_warmstart, dof, olddof, n);
}

// The buffer of an actuator or sensor whose samples are as many and as large as they were.
static void carryHistory(const Carry* c, int address, int old, int size, int oldsize)
{
    if (address >= 0 && old >= 0 && size == oldsize)
        copyReals(c->d->history, c->oldd->history, address, old, size);
}

static void carryActuator(const Carry* c, int id, int old)
{
    const int controls = c->m->actuator_ctrlnum[id];
    carryPlugin(c, c->m->actuator_plugin[id], c->oldm->actuator_plugin[old]);
    if (controls == c->oldm->actuator_ctrlnum[old])
        copyReals(c->d->ctrl, c->oldd->ctrl, c->m->actuator_ctrladr[id], c->oldm->actuator_ctrladr[old],
                  controls);
    const int n = c->m->actuator_actnum[id];
    if (n > 0 && n == c->oldm->actuator_actnum[old])
        copyReals(c->d->act, c->oldd->act, c->m->actuator_actadr[id], c->oldm->actuator_actadr[old], n);
    carryHistory(c, c->m->actuator_historyadr[id], c->oldm->actuator_historyadr[old],
                 (int)sn_historySize(c->m->actuator_history[2 * id], sn_controlsKept(c->m, id)),
                 (int)sn_historySize(c->oldm->actuator_history[2 * old], sn_controlsKept(c->oldm, old)));
}

static void carrySensor(const Carry* c, int id, int old)
{
    const snModel *m = c->m, *oldm = c->oldm;
    carryPlugin(c, m->sensor_plugin[id], oldm->sensor_plugin[old]);
    if (m->sensor_type[id] != oldm->sensor_type[old] || m->sensor_dim[id] != oldm->sensor_dim[old]) return;
    carryHistory(c, m->sensor_historyadr[id], oldm->sensor_historyadr[old],
                 (int)sn_historySize(m->sensor_history[2 * id], m->sensor_dim[id]),
                 (int)sn_historySize(oldm->sensor_history[2 * old], oldm->sensor_dim[old]));
}

static void carryState(const snSpec* spec, const Carry* c)
{
    c->d->time = c->oldd->time;
    c->d->callback = c->oldd->callback;
    c->d->pool = c->oldd->pool;
    c->d->own_pool = c->oldd->own_pool;
    c->oldd->own_pool = NULL;
    for (const snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e)) {
        if (e->id < 0 || e->oldid < 0) continue;
        switch (sn_mjcfKind(e)) {
        case SN_OBJ_BODY: carryBody(c, e->id, e->oldid); break;
        case SN_OBJ_JOINT: carryJoint(c, e->id, e->oldid); break;
        case SN_OBJ_ACTUATOR: carryActuator(c, e->id, e->oldid); break;
        case SN_OBJ_SENSOR: carrySensor(c, e->id, e->oldid); break;
        case SN_OBJ_PLUGIN: carryPlugin(c, e->id, e->oldid); break;
        case SN_OBJ_EQUALITY: c->d->eq_active[e->id] = c->oldd->eq_active[e->oldid]; break;
        default: break;
        }
    }
    if (c->m->nuserdata == c->oldm->nuserdata)
        copyReals(c->d->userdata, c->oldd->userdata, 0, 0, c->m->nuserdata);
}

snStatus sn_recompile(snSpec* spec, snModel** m, snData** d, const snLoadOptions* options, snError* error)
{
    snError own;
    if (!error) error = &own;
    snModel* model = sn_compile(spec, options, error);
    if (!model) return error->status;
    snData* data = sn_tryMakeData(model, error);
    if (!data) {
        sn_deleteModel(model);
        for (snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e)) e->id = e->oldid;
        return error->status;
    }
    const Carry carry = {model, *m, data, *d};
    carryState(spec, &carry);
    sn_deleteData(*d);
    sn_deleteModel(*m);
    *m = model;
    *d = data;
    return SN_STATUS_OK;
}
