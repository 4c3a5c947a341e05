// Pinocchio on a robot, behind a C interface: a library of its own, opened at run time where there is one.
// States and results are in our conventions: quaternions w x y z, translations of a free joint in the world.
#ifndef BENCH_ROBOTS_H
#define BENCH_ROBOTS_H

#ifdef __cplusplus
extern "C" {
#endif

/// What is timed. Where Pinocchio has two ways, in the frames of the bodies and in the world's, both are.
enum {
    PIN_POSES,
    PIN_INVERSE,
    PIN_MASS,
    PIN_MASS_WORLD,
    PIN_FORWARD,
    PIN_FORWARD_WORLD,
    PIN_INVERSE_DERIVATIVE,
    PIN_FORWARD_DERIVATIVE,
    PIN_TASKS
};

/// The robot of a file *.tree of bench/robots.py; NULL if it cannot be read.
void* pinRobot(const char* path);

/// Sizes of ours: bodies without the world, coordinates, dofs.
void pinSizes(const void* robot, int* nbody, int* nq, int* nv);

/// State k, from 0 on: qpos [nq], qvel, qacc, tau [nv].
void pinSetState(void* robot, int k, const double* qpos, const double* qvel, const double* qacc,
                 const double* tau);

/// A task at state k. Results stay inside.
void pinRun(void* robot, int task, int k);

/// The results of the last run, which was of this task and state.
/// poses: position [nbody x 3], then matrix [nbody x 9], without the world; inverse: tau [nv]; mass: M [nv x
/// nv], then inv(M) tau [nv]; forward: qacc [nv]; derivatives: by q [nv x nv], by v [nv x nv], by a or tau
/// [nv x nv], of robots without a free joint.
void pinResult(void* robot, int task, int k, double* out);

#ifdef __cplusplus
}
#endif
#endif
