// Contacts in a cycle: ramps, where they are, what their forces do, and what came out.
#include <math.h>
#include <string.h>
#include "control/controller.h"
#include "control/limit/contact_frame.h"
#include "control/limit/friction.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/kinematics/object.h"

// Steps add up to the end of the ramp but for rounding, which must not make one more.
static double moved(double from, double step, double to)
{
    return fabs(to - from) <= step * (1 + 1e-6) ? to : from + copysign(step, to - from);
}

void sn_contactRamp(const snController* c)
{
    for (int i = 0; i < c->ncontact; i++) {
        snControlContact* contact = c->contact[i];
        const double step = contact->set.ramp > 0 ? c->set.dt / contact->set.ramp : 1;
        contact->scale = moved(contact->scale, step, contact->active);
    }
}

// Bodies are meant at xpos here; object.h calls that frame xbody.
static snObjectFrame frameOf(const snModel* m, const snData* d, int objtype, int objid)
{
    return sn_objectFrame(m, d, objtype == SN_OBJ_BODY ? (int)SN_OBJ_XBODY : objtype, objid);
}

void sn_contactPlaces(const snController* c, const snData* d)
{
    for (int i = 0; i < c->ncontact; i++) {
        const snContactSettings* set = &c->contact[i]->set;
        snContactPlace* place = c->work->place + i;
        if (c->contact[i]->address < 0) continue;
        const snObjectFrame frame = frameOf(c->model, d, set->objtype, set->objid);
        place->body[0] = frame.body;
        place->body[1] = frameOf(c->model, d, set->reftype, set->refid).body;
        memcpy(place->pos, frame.pos, sizeof place->pos);
        memcpy(place->mat, frame.mat, sizeof place->mat);
        sn_contactAxes(set, frame.mat, place->axes);
        for (int p = 0; p < set->npoint; p++)
            sn_v3Store(place->point[p], sn_v3Add(sn_v3Load(frame.pos),
                                                 sn_m3Mul(sn_m3Load(frame.mat), sn_v3Load(set->point[p]))));
    }
}

// The forces of unit size along the axes at each point, as spatial forces at the centre of mass of a body's
// tree: unit [6][3 npoint].
enum { MOST = 3 * SN_CONTACT_POINTS };

static void unitForces(const snModel* m, const snData* d, const snContactPlace* place, int npoint, int body,
                       double unit[6][MOST])
{
    const snVec3 com = sn_treeCom(m, d, body);
    for (int p = 0; p < npoint; p++) {
        const snVec3 arm = sn_v3Sub(sn_v3Load(place->point[p]), com);
        for (int k = 0; k < 3; k++) {
            const snVec3 axis = {place->axes[k], place->axes[3 + k], place->axes[6 + k]};
            const snVec3 turn = sn_v3Cross(arm, axis);
            const double f[6] = {turn.x, turn.y, turn.z, axis.x, axis.y, axis.z};
            for (int r = 0; r < 6; r++) unit[r][3 * p + k] = f[r];
        }
    }
}

// Adds sign J' of one body to the columns of the contact.
static void addColumns(const snController* c, const snData* d, int contact, int side, double sign)
{
    const snModel* m = c->model;
    const snContactPlace* place = c->work->place + contact;
    const int body = place->body[side], npoint = c->contact[contact]->set.npoint;
    double unit[6][MOST];
    unitForces(m, d, place, npoint, body, unit);
    for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k]) {
        double* row = c->work->dynamics[k] + c->contact[contact]->address;
        double s[6];
        for (int r = 0; r < 6; r++) s[r] = sign * d->cdof[6 * k + r];
        for (int j = 0; j < 3 * npoint; j++)
            row[j] += s[0] * unit[0][j] + s[1] * unit[1][j] + s[2] * unit[2][j] + s[3] * unit[3][j] +
                      s[4] * unit[4][j] + s[5] * unit[5][j];
    }
}

void sn_contactColumns(const snController* c, const snData* d)
{
    for (int i = 0; i < c->ncontact; i++) {
        if (c->contact[i]->address < 0) continue;
        addColumns(c, d, i, 0, -c->work->force);
        addColumns(c, d, i, 1, c->work->force);
    }
}

// ---- cones
//
// A cone (facets 0) is cut out by planes that touch it: the four of a box, and in further directions those
// where forces came out beyond it. All points of a contact have the same, as forces that press along one edge
// of their cones do so at any point. Planes stay from cycle to cycle, so that what has been cut off does not
// come back and active sets stay right; where there is no room the oldest goes that no force presses on.

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
    for (int p = 0; p < contact->set.npoint; p++) most = fmax(most, fabs(contact->force[3 * p + 2]));
    const double* f = contact->force + 3 * point;
    return hypot(f[0], f[1]) - contact->set.mu * f[2] > SN_CONE_TOLERANCE * most;
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
        const double *f = contact->force + 3 * p, size = hypot(f[0], f[1]);
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

// ---- results

static void sumForces(snControlContact* contact, const snContactPlace* place)
{
    snVec3 force = {0, 0, 0}, torque = {0, 0, 0};
    for (int p = 0; p < contact->set.npoint; p++) {
        const snVec3 f = sn_m3Mul(sn_m3Load(place->axes), sn_v3Load(contact->force + 3 * p));
        const snVec3 arm = sn_v3Sub(sn_v3Load(place->point[p]), sn_v3Load(place->pos));
        force = sn_v3Add(force, f);
        torque = sn_v3Add(torque, sn_v3Cross(arm, f));
    }
    sn_v3Store(contact->wrench, force);
    sn_v3Store(contact->wrench + 3, torque);
    sn_contactCop(&contact->set, place->mat, contact->force, contact->cop);
}

void sn_contactResults(const snController* c)
{
    for (int i = 0; i < c->ncontact; i++) {
        snControlContact* contact = c->contact[i];
        const size_t bytes = 3 * (size_t)contact->set.npoint * sizeof(double);
        if (contact->address >= 0) {
            memcpy(contact->force, c->x + contact->address, bytes);
            sumForces(contact, c->work->place + i);
        } else {
            memset(contact->force, 0, bytes);
            memset(contact->wrench, 0, sizeof contact->wrench);
            contact->cop[0] = contact->cop[1] = NAN;
        }
    }
}
