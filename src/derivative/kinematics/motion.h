// How bodies move along directions: in forward mode, all bodies at once.
#ifndef SINEW_DERIVATIVE_KINEMATICS_MOTION_H
#define SINEW_DERIVATIVE_KINEMATICS_MOTION_H

#include <sinew/data.h>
#include "math/lanes.h"
#include "math/spatial.h"

/// Changes of position, velocity and acceleration of all dofs along n directions: dof k's along direction j
/// at [k stride + j]. NULL: no change.
typedef struct snDofColumns {
    int n, stride;
    const double *q, *v, *a;
} snDofColumns;

/// What these do to bodies, about the centre of mass of the tree held as a fixed point of the world: x moves
/// the body's pose; v, a are the changes of its velocity and spatial acceleration. Each is
/// [nbody x lanes x 6 x 4]: the spatial vectors of four directions are lanes.
typedef struct snBodyColumns {
    int n, lanes; ///< lanes: n / 4, rounded up
    double *x, *v, *a;
} snBodyColumns;

/// For how many times four directions there must be room.
static inline int sn_lanesOf(int n)
{
    return (n + 3) / 4;
}

/// Where in [nbody x lanes x 6 x 4] the first number of a body along direction j is; the next are 4 apart.
static inline size_t sn_laneAt(int lanes, int body, int j)
{
    return 24 * ((size_t)body * (size_t)lanes + (size_t)j / 4) + (size_t)j % 4;
}

static inline snMotion sn_laneMotion(const double* p)
{
    return (snMotion){{p[0], p[4], p[8]}, {p[12], p[16], p[20]}};
}

/// Four directions of a body.
SN_INLINE snLanes6 sn_lanesAt(const double* p)
{
    return (snLanes6){{v4_load(p), v4_load(p + 4), v4_load(p + 8)},
                      {v4_load(p + 12), v4_load(p + 16), v4_load(p + 20)}};
}
SN_INLINE void sn_lanesPut(double* p, snLanes6 s)
{
    v4_store(p, s.ang.x), v4_store(p + 4, s.ang.y), v4_store(p + 8, s.ang.z);
    v4_store(p + 12, s.lin.x), v4_store(p + 16, s.lin.y), v4_store(p + 20, s.lin.z);
}

/// The same spatial vector along four directions.
SN_INLINE snLanes6 sn_lanesAll(snVec3 ang, snVec3 lin)
{
    return (snLanes6){{v4_all(ang.x), v4_all(ang.y), v4_all(ang.z)},
                      {v4_all(lin.x), v4_all(lin.y), v4_all(lin.z)}};
}

/// Room for them in scratch; false: the arena is full.
bool sn_bodyColumnsAlloc(const snModel* m, snData* d, int n, snBodyColumns* to);

/// Fills them. Reads qvel, qacc, cdof of sn_forward.  Cost: O(n (nbody + nv)).
void sn_bodyColumns(const snModel* m, const snData* d, const snDofColumns* along, const snBodyColumns* to);

#endif
