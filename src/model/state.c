// State vectors: the parts of SN_STATE_TABLE one behind the other. Where contacts are rigid the impulses that
// a step begins with are a part of what it starts from.
#include <sinew/state.h>
#include <string.h>
#include "base/error.h"
#include "model/arena_size.h"
#include "model/rules.h"
#include "model/sleep.h"

// One part: where it lies in snData and how many numbers it has. eq_active is bytes, all others doubles.
typedef struct Part {
    double* reals;
    uint8_t* bytes;
    int count;
} Part;

static Part partOf(const snModel* m, const snData* d, unsigned int bit)
{
    switch (bit) {
    case SN_STATE_TIME: return (Part){(double*)&d->time, NULL, 1};
    case SN_STATE_QPOS: return (Part){d->qpos, NULL, m->nq};
    case SN_STATE_QVEL: return (Part){d->qvel, NULL, m->nv};
    case SN_STATE_ACT: return (Part){d->act, NULL, m->na};
    case SN_STATE_WARMSTART: return (Part){d->qacc_warmstart, NULL, m->nv};
    case SN_STATE_CTRL: return (Part){d->ctrl, NULL, m->nu};
    case SN_STATE_QFRC_APPLIED: return (Part){d->qfrc_applied, NULL, m->nv};
    case SN_STATE_XFRC_APPLIED: return (Part){d->xfrc_applied, NULL, 6 * m->nbody};
    case SN_STATE_EQ_ACTIVE: return (Part){NULL, d->eq_active, m->neq};
    case SN_STATE_MOCAP_POS: return (Part){d->mocap_pos, NULL, 3 * m->nmocap};
    case SN_STATE_MOCAP_QUAT: return (Part){d->mocap_quat, NULL, 4 * m->nmocap};
    case SN_STATE_PLASTIC: return (Part){d->plastic, NULL, m->nplastic};
    case SN_STATE_HISTORY: return (Part){d->history, NULL, m->nhistory};
    case SN_STATE_USERDATA: return (Part){d->userdata, NULL, m->nuserdata};
    case SN_STATE_PLUGIN: return (Part){d->plugin_state, NULL, m->npluginstate};
    default: return (Part){NULL, NULL, 0};
    }
}

// ---- impulses: their count, then as many as a data may keep, those that it does not have being zero

enum { NUMBERS = sizeof(snImpulse) / sizeof(double) };

static int impulseNumbers(const snModel* m, unsigned int bit)
{
    const bool has = bit == SN_STATE_WARMSTART && m->opt.contact == SN_CONTACT_LCP;
    return has ? 1 + NUMBERS * sn_mostImpulses(m) : 0;
}

static void getImpulses(const snData* d, double* state, int numbers)
{
    const size_t used = (size_t)d->nimpulse * sizeof(snImpulse);
    state[0] = d->nimpulse;
    memcpy(state + 1, d->impulse, used);
    memset((char*)(state + 1) + used, 0, (size_t)(numbers - 1) * sizeof(double) - used);
}

static void setImpulses(snData* d, const double* state, int numbers)
{
    const size_t room = d->nimpulsebytes / sizeof(snImpulse), given = (size_t)(numbers - 1) / NUMBERS;
    const int most = (int)(room < given ? room : given);
    d->nimpulse = !(state[0] > 0) ? 0 : state[0] < most ? (int)state[0] : most;
    memcpy(d->impulse, state + 1, (size_t)d->nimpulse * sizeof(snImpulse));
}

// ---- sleepers: tree_asleep, and sensordata, of which they keep the last; 0 where nobody sleeps

static int asleepNumbers(const snModel* m, unsigned int bit)
{
    const bool has = bit == SN_STATE_ASLEEP && sn_means(m->physics, SN_RULE_NEWER_NAMES);
    return has ? m->ntree + m->nsensordata : 0;
}

static void getAsleep(const snModel* m, const snData* d, double* state)
{
    const size_t bytes = (size_t)m->nsensordata * sizeof(double);
    bool asleep = false;
    for (int t = 0; t < m->ntree; t++) {
        state[t] = d->tree_asleep[t];
        asleep |= d->tree_asleep[t] >= 0;
    }
    if (asleep)
        memcpy(state + m->ntree, d->sensordata, bytes);
    else
        memset(state + m->ntree, 0, bytes);
}

// A number that is no tree is that of one that is awake.
static void setAsleep(const snModel* m, snData* d, const double* state)
{
    bool asleep = false;
    for (int t = 0; t < m->ntree; t++) {
        d->tree_asleep[t] = state[t] >= SN_AWAKE && state[t] < m->ntree ? (int)state[t] : SN_AWAKE;
        asleep |= d->tree_asleep[t] >= 0;
    }
    if (asleep) memcpy(d->sensordata, state + m->ntree, (size_t)m->nsensordata * sizeof(double));
    sn_takeAsleep(m, d);
}

// ---- vectors

// Parts that are no plain array.
static int otherNumbers(const snModel* m, unsigned int bit)
{
    return impulseNumbers(m, bit) + asleepNumbers(m, bit);
}

int sn_stateSize(const snModel* m, unsigned int signature)
{
    static const snData none; // only the counts are asked for
    int size = 0;
    for (int i = 0; i < SN_NSTATE; i++)
        if (signature & 1u << i) size += partOf(m, &none, 1u << i).count + otherNumbers(m, 1u << i);
    return size;
}

void sn_getState(const snModel* m, const snData* d, double* state, unsigned int signature)
{
    for (int i = 0; i < SN_NSTATE; i++) {
        if (!(signature & 1u << i)) continue;
        const Part part = partOf(m, d, 1u << i);
        for (int k = 0; k < part.count; k++) *state++ = part.reals ? part.reals[k] : part.bytes[k];
        const int numbers = impulseNumbers(m, 1u << i);
        if (numbers) getImpulses(d, state, numbers);
        if (asleepNumbers(m, 1u << i)) getAsleep(m, d, state);
        state += otherNumbers(m, 1u << i);
    }
}

void sn_setState(const snModel* m, snData* d, const double* state, unsigned int signature)
{
    for (int i = 0; i < SN_NSTATE; i++) {
        if (!(signature & 1u << i)) continue;
        const Part part = partOf(m, d, 1u << i);
        for (int k = 0; k < part.count; k++, state++) {
            if (part.reals)
                part.reals[k] = *state;
            else
                part.bytes[k] = *state != 0;
        }
        const int numbers = impulseNumbers(m, 1u << i);
        if (numbers) setImpulses(d, state, numbers);
        if (asleepNumbers(m, 1u << i)) setAsleep(m, d, state);
        state += otherNumbers(m, 1u << i);
    }
}

snStatus sn_setKeyframe(snModel* m, const snData* d, int key, snError* error)
{
    if (key < 0 || key >= m->nkey)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "no keyframe %d: the model has %d (give them in <keyframe>, or room by <size nkey>)",
                       key, m->nkey);
    m->key_time[key] = d->time;
#define COPY(field, source, count)                                                                           \
    memcpy(m->field + (size_t)key * (size_t)(count), d->source, (size_t)(count) * sizeof(double))
    COPY(key_qpos, qpos, m->nq);
    COPY(key_qvel, qvel, m->nv);
    COPY(key_act, act, m->na);
    COPY(key_ctrl, ctrl, m->nu);
    COPY(key_mpos, mocap_pos, 3 * m->nmocap);
    COPY(key_mquat, mocap_quat, 4 * m->nmocap);
    COPY(key_plastic, plastic, m->nplastic);
#undef COPY
    return SN_STATUS_OK;
}
