#include "engine.h"
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gaussian.h"
#include "peer.h"

// X(field, size): a state, one array behind the other
#define STATE(X) X(qpos, nq) X(qvel, nv) X(qacc_warmstart, nv) X(ctrl, nu) X(act, na)

// ---- ours
// --------------------------------------------------------------------------------------------------

static snModel* m;
static snData* d;

static bool loadOurs(const char* path)
{
    snError error;
    m = sn_loadModel(path, &(snLoadOptions){.physics = "4.0"}, &error);
    if (!m) fprintf(stderr, "bench: %s\n", error.message);
    return m;
}

static bool makeOurs(void)
{
    d = sn_makeData(m);
    return d;
}

static Sizes sizesOurs(void)
{
    return (Sizes){m->nq, m->nv, m->nu, m->na};
}

static void setOurs(const double* x)
{
#define X(field, size) memcpy(d->field, x, sizeof(double) * (size_t)m->size), x += m->size;
    STATE(X)
#undef X
}

static void stepOurs(void)
{
    sn_step(m, d);
}

static void placeOurs(void)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
}

static void collideOurs(void)
{
    sn_collision(m, d);
}

static Work workOurs(void)
{
    const snWarningStat* w = d->warning;
    return (Work){d->ncon, d->nefc, w[SN_WARN_CONTACTFULL].number || w[SN_WARN_CNSTRFULL].number};
}

const Engine ours = {"Sinew",  loadOurs,  makeOurs,    sizesOurs, setOurs,
                     stepOurs, placeOurs, collideOurs, workOurs};

// ---- theirs
// ------------------------------------------------------------------------------------------------

static Peer peer;
static mjModel* pm;
static mjData* pd;

bool openTheirs(const char* path)
{
    if (!openPeer(&peer, path)) return false;
    openPeersShapes(path);
    return true;
}

static bool loadTheirs(const char* path)
{
    char error[1000] = "";
    pm = peer.mj_loadXML(path, NULL, error, sizeof error);
    if (!pm) fprintf(stderr, "bench: %s\n", error);
    return pm;
}

static bool makeTheirs(void)
{
    pd = peer.mj_makeData(pm);
    return pd;
}

static Sizes sizesTheirs(void)
{
    return (Sizes){(int)pm->nq, (int)pm->nv, (int)pm->nu, (int)pm->na};
}

static void setTheirs(const double* x)
{
#define X(field, size) memcpy(pd->field, x, sizeof(double) * (size_t)pm->size), x += pm->size;
    STATE(X)
#undef X
}

static void stepTheirs(void)
{
    peer.mj_step(pm, pd);
}

static void placeTheirs(void)
{
    peer.mj_kinematics(pm, pd);
    peer.mj_comPos(pm, pd);
}

static void collideTheirs(void)
{
    peer.mj_collision(pm, pd);
}

static Work workTheirs(void)
{
    const mjWarningStat* w = pd->warning;
    return (Work){(int)pd->ncon, (int)pd->nefc, w[mjWARN_CONTACTFULL].number || w[mjWARN_CNSTRFULL].number};
}

const Engine theirs = {"MuJoCo",   loadTheirs,  makeTheirs,    sizesTheirs, setTheirs,
                       stepTheirs, placeTheirs, collideTheirs, workTheirs};

// ---- where the states come from
// ----------------------------------------------------------------------------

// The number that a scene says of itself, 0 without.
static double said(const char* name)
{
    const int id = sn_name2id(m, SN_OBJ_NUMERIC, name);
    return id < 0 ? 0 : m->numeric_data[m->numeric_adr[id]];
}

void settleOurs(void)
{
    if (m->nkey) sn_resetDataKeyframe(m, d, 0);
    advanceOurs((int)said("settle"));
}

void advanceOurs(int steps)
{
    static uint64_t seed = 1;
    const double noise = said("noise");
    for (int i = 0; i < steps; i++) {
        for (int a = 0; noise > 0 && a < m->nu; a++) d->ctrl[a] = noise * gaussian(&seed);
        sn_step(m, d);
    }
}

void copyState(double* x)
{
#define X(field, size) memcpy(x, d->field, sizeof(double) * (size_t)m->size), x += m->size;
    STATE(X)
#undef X
}
