// Rows of friction.
//
// A cone (facets 0) is cut out by planes that touch it: the four of a box, and in further directions those
// where forces came out beyond it. All points of a contact have the same, as forces that press along one edge
// of their cones do so at any point. Planes stay from cycle to cycle, so that what has been cut off does not
// come back and active sets stay right; where there is no room the oldest goes that no force presses on.
#include <math.h>
#include "control/controller.h"
#include "control/limit/friction.h"
#include "math/elementary/elementary.h"

// Planes touch a little inside, so that those 2^-7 rad from each other meet on the cone: nearer ones would be
// all but parallel. That is 8e-6 of mu.
static const double INSIDE = 1 - 7.6293848300101885e-06; // cos(2^-8)

int sn_contactForceRows(const snContactSettings* s)
{
    return sn_frictionRowCount(s) + (s->facets == 0 ? s->npoint * SN_CONE_PLANES : 0);
}

// The rows of plane k, behind those of the box.
static void writePlane(const snController* c, const snRowGroup* g, int k)
{
    const snControlContact* contact = c->contact[g->id];
    const double* direction = c->work->place[g->id].plane[k];
    const int npoint = contact->set.npoint, first = g->rows + (k - SN_CONE_PLANES) * npoint;
    for (int p = 0; p < npoint; p++) {
        double* A = sn_groupRow(c, g, first + p) + contact->address + 3 * p;
        A[0] = direction[0] * c->work->force;
        A[1] = direction[1] * c->work->force;
        A[2] = -INSIDE * contact->set.mu * c->work->force;
        c->work->upper[g->first + first + p] = 0;
    }
}

void sn_frictionGroup(const snController* c, const snRowGroup* g)
{
    const snControlContact* contact = c->contact[g->id];
    const bool cone = contact->set.facets == 0;
    struct snControlWork* w = c->work;
    const int rows =
        sn_frictionRows(&contact->set, w->place[g->id].mat, contact->scale, c->nx,
                        sn_groupRow(c, g, 0) + contact->address, w->lower + g->first, w->upper + g->first);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 3 * contact->set.npoint; j++)
            sn_groupRow(c, g, i)[contact->address + j] *= w->force;
    for (int k = 0; k < SN_CONE_PLANES && cone && contact->set.mu > 0; k++)
        if (k < w->place[g->id].planes) writePlane(c, g, k);
}

// Beyond rounding of the largest force of its contact.
static bool isOutside(const snControlContact* contact, int point)
{
    double most = 1;
    for (int p = 0; p < contact->set.npoint; p++) most = sn_max(fabs(contact->force[3 * p + 2]), most);
    const double* f = contact->force + 3 * point;
    return sn_hypot(f[0], f[1]) - contact->set.mu * f[2] > SN_CONE_TOLERANCE * most;
}

static bool isPressed(const snController* c, const snRowGroup* g, int k)
{
    const int npoint = c->contact[g->id]->set.npoint, first = g->rows + (k - SN_CONE_PLANES) * npoint;
    for (int p = 0; p < npoint; p++)
        if (c->state[g->first + first + p] != SN_HQP_FREE) return true;
    return false;
}

// Which plane the next one takes the place of.
static int freePlane(const snController* c, const snRowGroup* g)
{
    snContactPlace* place = c->work->place + g->id;
    if (place->planes < SN_CONE_PLANES) return place->planes++;
    for (int tries = 0; tries < SN_CONE_PLANES; tries++) {
        const int k = place->oldest;
        place->oldest = (k + 1) % SN_CONE_PLANES;
        if (!isPressed(c, g, k)) return k;
    }
    return place->oldest;
}

static bool cut(const snController* c, const snRowGroup* g)
{
    const snControlContact* contact = c->contact[g->id];
    bool any = false;
    for (int p = 0; p < contact->set.npoint && contact->set.facets == 0 && contact->set.mu > 0; p++) {
        const double *f = contact->force + 3 * p, size = sn_hypot(f[0], f[1]);
        if (!isOutside(contact, p) || !(size > 0)) continue;
        const int k = freePlane(c, g);
        double* direction = c->work->place[g->id].plane[k];
        direction[0] = f[0] / size;
        direction[1] = f[1] / size;
        writePlane(c, g, k);
        any = true;
    }
    return any;
}

bool sn_coneCuts(const snController* c)
{
    bool any = false;
    for (int k = 0; k < c->work->ngroup; k++)
        if (c->work->group[k].kind == SN_ROW_FRICTION) any |= cut(c, c->work->group + k);
    return any;
}
