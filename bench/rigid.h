// What the bench of rigid contact, and tests, ask of an engine in a library of its own: free boxes and balls
// on a floor, z = 0. Each engine's library has these functions by these names.
#ifndef BENCH_RIGID_H
#define BENCH_RIGID_H

#ifdef __cplusplus
extern "C" {
#endif

/// A box or a ball of even density.
typedef struct RigidBody {
    double half[3]; ///< of a box; a ball has its radius here, then 0, 0
    double mass;
    double pos[3], quat[4]; ///< centre, and w x y z
    double vel[3];          ///< of the centre
} RigidBody;

typedef struct RigidScene {
    int count; ///< bodies
    int sweeps;
    const RigidBody* body;
    double gravity[3], timestep;
    double mu; ///< of every contact
} RigidScene;

/// A new world, in which nothing falls asleep; NULL: there is no memory.
void* rigidMake(const RigidScene* scene);
void rigidDelete(void* world);

/// One step, collision included.
void rigidStep(void* world);

/// Points of contact in the last step.
int rigidContacts(const void* world);

/// pos [3 count]: the centres.
void rigidPlace(const void* world, double* pos);

#ifdef __cplusplus
}
#endif
#endif
