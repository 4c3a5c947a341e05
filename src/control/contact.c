// Contacts in a cycle: ramps, where they are, what their forces do, and what came out. Their friction is in
// friction_rows.c.
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

enum { MOST = 3 * SN_CONTACT_POINTS };

// The forces of unit size along the axes at each point, as spatial forces at the centre of mass of a body's
// tree: unit [6][3 npoint].
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
