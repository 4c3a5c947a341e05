#include "../lane_collision.h"
#include <sinew/collision.h>
#include "batch/lane/lane.h"

extern const snLaneEngine sn_laneEngine;

static void put(real* to, const snDouble* from, int count, int lane)
{
    for (int k = 0; k < count; k++) to[k][lane] = (snLane)from[k];
}

static void take(snDouble* to, const real* from, int count, int lane)
{
    for (int k = 0; k < count; k++) to[k] = (snDouble)from[k][lane];
}

static void place(void* work, int lane, const snScalarData* d)
{
    snLaneWork* w = work;
    put(w->data.geom_xpos, d->geom_xpos, 3 * w->model.ngeom, lane);
    put(w->data.geom_xmat, d->geom_xmat, 9 * w->model.ngeom, lane);
}

static void parameters(void* work, int lane, const snScalarModel* m)
{
    snModel* to = &((snLaneWork*)work)->model;
    put(to->geom_size, m->geom_size, 3 * m->ngeom, lane);
    put(to->geom_margin, m->geom_margin, m->ngeom, lane);
    put(to->geom_gap, m->geom_gap, m->ngeom, lane);
    put(to->geom_friction, m->geom_friction, 3 * m->ngeom, lane);
    put(to->geom_solmix, m->geom_solmix, m->ngeom, lane);
    put(to->geom_solref, m->geom_solref, SN_NREF * m->ngeom, lane);
    put(to->geom_solimp, m->geom_solimp, SN_NIMP * m->ngeom, lane);
    put(to->hfield_size, m->hfield_size, 4 * m->nhfield, lane);
}

static unsigned collide(void* work)
{
    snLaneWork* w = work;
    w->data.eject = sn_mask(false);
    sn_collision(&w->model, &w->data);
    return sn_bits(w->data.eject);
}

static void takeContact(snScalarContact* to, const snContact* c, int lane)
{
    take(&to->dist, &c->dist, 1, lane);
    take(to->pos, c->pos, 3, lane);
    take(to->frame, c->frame, 9, lane);
    take(&to->includemargin, &c->includemargin, 1, lane);
    take(to->friction, c->friction, 5, lane);
    take(to->solref, c->solref, SN_NREF, lane);
    take(to->solreffriction, c->solreffriction, SN_NREF, lane);
    take(to->solimp, c->solimp, SN_NIMP, lane);
    to->dim = c->dim;
    to->geom[0] = c->geom[0];
    to->geom[1] = c->geom[1];
    to->exclude = c->exclude;
}

static int contacts(void* work, int lane, snScalarContact* out, int most)
{
    const snData* d = &((snLaneWork*)work)->data;
    int count = 0;
    for (int i = 0; i < d->ncon; i++)
        if (d->contact[i].live[lane] && count < most) takeContact(out + count++, d->contact + i, lane);
    return count;
}

static bool areFinite(const real* x, int n)
{
    bool finite = true;
    for (int k = 0; k < n; k++) finite &= sn_all(fabs(x[k]) < 1e100);
    return finite;
}

static int slots(void* work, bool* finite)
{
    const snData* d = &((snLaneWork*)work)->data;
    *finite = true;
    for (int i = 0; i < d->ncon; i++) {
        const snContact* c = d->contact + i;
        *finite &= areFinite(&c->dist, 1) && areFinite(c->pos, 3) && areFinite(c->frame, 9);
    }
    return d->ncon;
}

#define testLaneCollision SN_LANE(testLaneCollision)
extern const TestLaneCollision testLaneCollision;
const TestLaneCollision testLaneCollision = {
    .engine = &sn_laneEngine,
    .place = place,
    .parameters = parameters,
    .collide = collide,
    .contacts = contacts,
    .slots = slots,
};
