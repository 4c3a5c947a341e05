// Bullet behind rigid.h: its defaults, sequential impulses with so many sweeps.
#include "rigid.h"
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <vector>

namespace {

struct World {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies; // the floor last
    btScalar timestep;
};

btVector3 vector(const double* v)
{
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

// friction: Bullet multiplies those of the two
btRigidBody* add(World* w, btCollisionShape* shape, double mass, const btTransform& pose, double friction)
{
    btVector3 inertia(0, 0, 0);
    w->shapes.emplace_back(shape);
    if (mass > 0) shape->calculateLocalInertia(btScalar(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, inertia);
    info.m_startWorldTransform = pose;
    info.m_friction = btScalar(std::sqrt(friction));
    btRigidBody* body = new btRigidBody(info);
    w->bodies.emplace_back(body);
    body->setActivationState(DISABLE_DEACTIVATION);
    w->world.addRigidBody(body);
    return body;
}

} // namespace

void* rigidMake(const RigidScene* s)
{
    World* w = new World;
    w->timestep = btScalar(s->timestep);
    w->world.setGravity(vector(s->gravity));
    w->world.getSolverInfo().m_numIterations = s->sweeps;
    for (int i = 0; i < s->count; i++) {
        const RigidBody& b = s->body[i];
        const btQuaternion turn(btScalar(b.quat[1]), btScalar(b.quat[2]), btScalar(b.quat[3]),
                                btScalar(b.quat[0]));
        btCollisionShape* shape = b.half[1] > 0
                                      ? static_cast<btCollisionShape*>(new btBoxShape(vector(b.half)))
                                      : new btSphereShape(btScalar(b.half[0]));
        add(w, shape, b.mass, btTransform(turn, vector(b.pos)), s->mu)->setLinearVelocity(vector(b.vel));
    }
    add(w, new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btTransform::getIdentity(), s->mu);
    return w;
}

void rigidDelete(void* world)
{
    World* w = static_cast<World*>(world);
    for (const auto& body : w->bodies) w->world.removeRigidBody(body.get());
    delete w;
}

void rigidStep(void* world)
{
    World* w = static_cast<World*>(world);
    w->world.stepSimulation(w->timestep, 0);
}

int rigidContacts(const void* world)
{
    const World* w = static_cast<const World*>(world);
    int sum = 0;
    for (int i = 0; i < w->dispatcher.getNumManifolds(); i++)
        sum += w->dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    return sum;
}

void rigidPlace(const void* world, double* pos)
{
    const World* w = static_cast<const World*>(world);
    for (std::size_t i = 0; i + 1 < w->bodies.size(); i++)
        for (int k = 0; k < 3; k++)
            pos[3 * i + std::size_t(k)] = w->bodies[i]->getWorldTransform().getOrigin()[k];
}
