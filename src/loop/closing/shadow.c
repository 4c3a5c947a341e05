#include "loop/closing/shadow.h"
#include <sinew/smooth.h>
#include <string.h>
#include "loop/position.h"
#include "model/arena.h"

enum { OWN_pos = 1, OWN_state = 0, OWN_input = 0, OWN_vel = 0, OWN_acc = 0, OWN_cache = 0 };

bool sn_beginShadow(const snModel* m, snData* d, snData* shadow)
{
    bool room = true;
    snData own = *d;
#define SN_ROWS(rows) (size_t)(m->rows)
#define X(type, name, rows, columns, stage, ...)                                                             \
    if (OWN_##stage) {                                                                                       \
        own.name = sn_scratchAlloc(d, SN_ROWS(rows) * (size_t)(columns) * sizeof(type));                     \
        room = room && own.name;                                                                             \
    }
    SN_DATA_FIELDS(X)
#undef X
#undef SN_ROWS
    if (!room) return false;
    own.pstack = d->pstack;
    own.maxuse_arena = d->maxuse_arena;
    sn_dropLoops(&own);
    own.closure_id = NULL;
    own.nstill = 0; // its poses are not there yet
    own.sleepview = 1;
    *shadow = own;
    return true;
}

static bool needsTendons(const snModel* m)
{
    for (int i = 0; i < m->neq; i++)
        if (m->eq_type[i] == SN_EQ_TENDON) return true;
    return false;
}

static void pose(const snModel* m, snData* shadow)
{
    sn_kinematics(m, shadow);
    sn_comPos(m, shadow);
    if (needsTendons(m)) sn_tendon(m, shadow);
}

bool sn_shadowEquations(const snModel* m, snData* shadow)
{
    pose(m, shadow);
    return sn_loopEquations(m, shadow);
}

bool sn_shadowLoops(const snModel* m, snData* shadow)
{
    pose(m, shadow);
    return sn_loopGeometry(m, shadow);
}

void sn_endShadow(snData* d, const snData* shadow)
{
    memcpy(d->warning, shadow->warning, sizeof d->warning);
    d->maxuse_arena = shadow->maxuse_arena;
}
