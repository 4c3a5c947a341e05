// Data: made, copied, reset; states.
#include "inside.h"

mjData* mj_makeData(const mjModel* m)
{
    snData* d = sn_makeData(m);
    if (!d) mju_error("mj_makeData: out of memory");
    return d;
}

mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src)
{
    mjData* d = dest ? dest : mj_makeData(m);
    if (!d) return NULL;
    void* threadpool = d->callback.user; // which stays, as what was made of it
    sn_copyData(d, m, src);
    d->callback.user = threadpool;
    return d;
}

mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src)
{
    return mj_copyData(dest, m, src);
}

void mj_deleteData(mjData* d)
{
    sn_deleteData(d);
}

void mj_resetData(const mjModel* m, mjData* d)
{
    sn_resetData(m, d);
}

void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value)
{
    sn_resetDataDebug(m, d, debug_value);
}

void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key)
{
    sn_resetDataKeyframe(m, d, key);
}

// ---- states

static bool isSignature(const char* function, unsigned int sig)
{
    const bool good = sig >> mjNSTATE == 0;
    if (!good) mju_error("%s: the signature %u has bits that are no part of the state", function, sig);
    return good;
}

int mj_stateSize(const mjModel* m, unsigned int sig)
{
    return isSignature("mj_stateSize", sig) ? sn_stateSize(m, sig) : 0;
}

void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, unsigned int sig)
{
    if (isSignature("mj_getState", sig)) sn_getState(m, d, state, sig);
}

void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, unsigned int sig)
{
    if (isSignature("mj_setState", sig)) sn_setState(m, d, state, sig);
}
