// Bodies in coordinates of their own, in which their inertia is 1, and what their joints leave out.
//
// A moving body, with all that is welded to it, has mass m and moments I = C C' about its centre of mass c.
// Its coordinates are z = (sqrt(m) v_c, C' w), along the world's axes. A dof with armature, or with damping
// that Euler's step is implicit in, has a rotor: one more coordinate, its rate times the root of what it adds
// to the diagonal of M. With S the motions of the dofs, S_R those that have rotors and S_F those that have
// none,
//     N'(u - u_parent - S_R r) = 0,  N a basis of what is orthogonal to S_F,  u a twist at c,
// is what the joints ask, and qvel_F = pinv(S_F)(u - u_parent - S_R r).
#ifndef SINEW_LCP_MAXIMAL_BODY_H
#define SINEW_LCP_MAXIMAL_BODY_H

#include <sinew/data.h>
#include "math/spatial.h"

typedef struct snMaximalBody {
    int id;
    int parent; ///< the moving body that its joints hang on; -1: none moves
    int base;   ///< its first coordinate in its island: (v, 0, w, 0), then its rotors, filled up to fours
    int free, rotor; ///< dofs without and with a rotor
    int place[6];    ///< of a dof: r, the row of `rate`; or -1 - r, the rotor
    snVec3 c;
    double lin;          ///< 1 / sqrt(m)
    double C[9];         ///< lower triangle
    snMotion S[6];       ///< of each dof, at c
    snMotion turning[6]; ///< of those with rotors
    double root[6];      ///< of each rotor: 1 / sqrt of its inertia
    snForce rate[6];     ///< [free] rows of pinv(S_F)
    snForce hold[6];     ///< [6 - free] rows of N'
    bool sound;          ///< it has mass and moments, S_F is of full rank, no tendon's armature is on it
} snMaximalBody;

typedef struct snMaximalBodies {
    int count;
    snMaximalBody* body; ///< [count] parents first
    int* of;             ///< [nbody] the moving body that a body is or is welded to; -1: none
} snMaximalBodies;

/// All moving bodies, in scratch. false: the arena is full.
bool sn_maximalBodies(const snModel* m, snData* d, snMaximalBodies* bodies);

/// A motion or force that is given at one point, at another one.
static inline snMotion sn_motionAt(snMotion v, snVec3 from, snVec3 to)
{
    return (snMotion){v.ang, sn_v3Add(v.lin, sn_v3Cross(v.ang, sn_v3Sub(to, from)))};
}
static inline snForce sn_forceAt(snForce f, snVec3 from, snVec3 to)
{
    return (snForce){sn_v3Add(f.ang, sn_v3Cross(sn_v3Sub(from, to), f.lin)), f.lin};
}

/// Coordinates that a body's own are filled up to.
int sn_maximalSize(const snMaximalBody* b);

#endif
