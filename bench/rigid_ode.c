// ODE behind rigid.h: its defaults, and the quick step with so many sweeps.
#include <ode/ode.h>
#include <stdlib.h>
#include "rigid.h"

enum { MOST_POINTS = 8 }; // of a pair; boxes have no more

typedef struct World {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    int count, ncontact;
    double timestep, mu;
    dBodyID body[];
} World;

static void addBody(World* w, const RigidBody* b, dBodyID* body)
{
    dMass mass;
    dGeomID geom;
    if (b->half[1] > 0) {
        const double x = 2 * b->half[0], y = 2 * b->half[1], z = 2 * b->half[2];
        geom = dCreateBox(w->space, x, y, z);
        dMassSetBoxTotal(&mass, b->mass, x, y, z);
    } else {
        geom = dCreateSphere(w->space, b->half[0]);
        dMassSetSphereTotal(&mass, b->mass, b->half[0]);
    }
    *body = dBodyCreate(w->world);
    dBodySetMass(*body, &mass);
    dGeomSetBody(geom, *body);
    dBodySetPosition(*body, b->pos[0], b->pos[1], b->pos[2]);
    dBodySetQuaternion(*body, b->quat);
    dBodySetLinearVel(*body, b->vel[0], b->vel[1], b->vel[2]);
}

void* rigidMake(const RigidScene* s)
{
    World* w = calloc(1, sizeof *w + sizeof(dBodyID) * (size_t)s->count);
    if (!w) return NULL;
    dInitODE2(0);
    w->world = dWorldCreate();
    w->space = dHashSpaceCreate(NULL);
    w->contacts = dJointGroupCreate(0);
    w->count = s->count;
    w->timestep = s->timestep;
    w->mu = s->mu;
    dWorldSetGravity(w->world, s->gravity[0], s->gravity[1], s->gravity[2]);
    dWorldSetQuickStepNumIterations(w->world, s->sweeps);
    dWorldSetAutoDisableFlag(w->world, 0);
    dCreatePlane(w->space, 0, 0, 1, 0);
    for (int i = 0; i < s->count; i++) addBody(w, &s->body[i], &w->body[i]);
    return w;
}

void rigidDelete(void* world)
{
    World* w = world;
    dJointGroupDestroy(w->contacts);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    free(w);
}

static void touch(void* world, dGeomID a, dGeomID b)
{
    World* w = world;
    dContact contact[MOST_POINTS];
    const int n = dCollide(a, b, MOST_POINTS, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < n; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = w->mu;
        dJointAttach(dJointCreateContact(w->world, w->contacts, &contact[i]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
    w->ncontact += n;
}

void rigidStep(void* world)
{
    World* w = world;
    w->ncontact = 0;
    dSpaceCollide(w->space, w, touch);
    dWorldQuickStep(w->world, w->timestep);
    dJointGroupEmpty(w->contacts);
}

int rigidContacts(const void* world)
{
    const World* w = world;
    return w->ncontact;
}

void rigidPlace(const void* world, double* pos)
{
    const World* w = world;
    for (int i = 0; i < w->count; i++)
        for (int k = 0; k < 3; k++) pos[3 * i + k] = dBodyGetPosition(w->body[i])[k];
}
