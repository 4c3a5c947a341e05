// A MuJoCo, opened at run time, so that two engines can live in one program.
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <mujoco/mujoco.h>
#include <stdbool.h>

// X(name): the functions that are called
#define PEER_FUNCTIONS(X)                                                                                    \
    X(mj_loadXML)                                                                                            \
    X(mj_deleteModel)                                                                                        \
    X(mj_makeData)                                                                                           \
    X(mj_deleteData)                                                                                         \
    X(mj_resetData)                                                                                          \
    X(mj_resetDataKeyframe)                                                                                  \
    X(mj_step)                                                                                               \
    X(mj_forward)                                                                                            \
    X(mj_kinematics)                                                                                         \
    X(mj_comPos)                                                                                             \
    X(mj_camlight)                                                                                           \
    X(mj_tendon)                                                                                             \
    X(mj_makeM)                                                                                              \
    X(mj_factorM)                                                                                            \
    X(mj_collision)                                                                                          \
    X(mj_makeConstraint)                                                                                     \
    X(mj_island)                                                                                             \
    X(mj_transmission)                                                                                       \
    X(mj_projectConstraint)                                                                                  \
    X(mj_sensorPos)                                                                                          \
    X(mj_sensorVel)                                                                                          \
    X(mj_sensorAcc)                                                                                          \
    X(mj_comVel)                                                                                             \
    X(mj_passive)                                                                                            \
    X(mj_referenceConstraint)                                                                                \
    X(mj_rne)                                                                                                \
    X(mj_fwdVelocity)                                                                                        \
    X(mj_fwdActuation)                                                                                       \
    X(mj_fwdAcceleration)                                                                                    \
    X(mj_fwdConstraint)                                                                                      \
    X(mj_Euler)                                                                                              \
    X(mj_implicit)                                                                                           \
    X(mjd_transitionFD)                                                                                      \
    X(mj_version)

typedef struct Peer {
#define X(name) __typeof__(&name) name;
    PEER_FUNCTIONS(X)
#undef X
} Peer;

/// Opens the library; prints what is wrong and returns false on failure.
bool openPeer(Peer* peer, const char* path);

/// The shapes that come with the library at this path: its models may name them from now on.
void openPeersShapes(const char* path);

#endif
