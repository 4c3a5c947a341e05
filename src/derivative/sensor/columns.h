// What the derivatives of all sensors share: a block of directions, and how bodies move along them.
//
// A point, axis or force that is held in a body moves with the body's displacement x of a column; spatial
// vectors are about the centre of mass of the body's tree, held as a fixed point of the world.
#ifndef SINEW_DERIVATIVE_SENSOR_COLUMNS_H
#define SINEW_DERIVATIVE_SENSOR_COLUMNS_H

#include <sinew/data.h>
#include "derivative/kinematics/frame.h"
#include "derivative/kinematics/motion.h"
#include "derivative/linear.h"
#include "smooth/kinematics/jacobian.h"

/// How a contact moves: change of its distance, shift of its point, rotation vector of its frame.
typedef struct snContactShift {
    double dist;
    snVec3 pos, turn;
} snContactShift;

/// Arrays of directions and the output begin at the block's first column; rows are `stride` apart.
typedef struct snColumns {
    const snModel* m;
    snData* d;
    int n; ///< columns of this block
    size_t stride;
    snDirections along;
    snBodyColumns body;
    snVec3* com; ///< [nbody x n] shift of subtree_com; NULL: no sensor asks
    double*
        force;  ///< [nbody x lanes x 6 x 4] change of cfrc_int of bodies that are felt; NULL: no sensor asks
    bool* felt; ///< [nbody] whether a force or torque sensor is on the body or above; or NULL
    bool all_contacts;       ///< or those with rows alone
    snContactShift* contact; ///< [ncon x n]; NULL: no sensor asks
    double* actuator;        ///< [nout x n] change of actuator_force; NULL: no sensor asks
    double* raw;             ///< [nactuator] actuator_force before limits, along with it
    snForceDerivative joint; ///< d qfrc_actuator; NULL: no sensor asks
    double* sum;             ///< [lanes x 3 x 4] for a sum over bodies
    double *work, *column,
        *square; ///< [nv], [n], [nv x nv] for whoever computes; square: with tendons or actuators
    double* out; ///< [nsensordata x n]
    snError* error;
} snColumns;

static inline size_t sn_columnAt(const snColumns* c, int row, int j)
{
    return (size_t)row * (size_t)c->n + (size_t)j;
}

/// The numbers of sensor s along direction j: component k is at [k stride].
static inline double* sn_sensorColumn(const snColumns* c, int s, int j)
{
    return c->out + (size_t)c->m->sensor_adr[s] * c->stride + j;
}

static inline void sn_putVec3(const snColumns* c, int s, int j, snVec3 v)
{
    double* out = sn_sensorColumn(c, s, j);
    out[0] = v.x;
    out[c->stride] = v.y;
    out[2 * c->stride] = v.z;
}

static inline void sn_putQuat(const snColumns* c, int s, int j, snQuat q)
{
    double* out = sn_sensorColumn(c, s, j);
    out[0] = q.w;
    out[c->stride] = q.x;
    out[2 * c->stride] = q.y;
    out[3 * c->stride] = q.z;
}

/// to [n] += scale row `row` of a matrix of directions; nothing if that is NULL.
static inline void sn_addRow(const snColumns* c, const double* matrix, int row, double scale, double* to)
{
    if (!matrix || scale == 0) return;
    const double* from = matrix + (size_t)row * c->stride;
    for (int j = 0; j < c->n; j++) to[j] += scale * from[j];
}

/// to [n] += gradient [nv] times the columns of a matrix [nv x n] of directions.
static inline void sn_addGradient(const snColumns* c, const double* matrix, const double* gradient,
                                  double* to)
{
    for (int k = 0; k < c->m->nv; k++) sn_addRow(c, matrix, k, gradient[k], to);
}

/// to [n] += qvel' H dq for each direction dq.
static inline void sn_addCurved(const snColumns* c, const double* H, double* to)
{
    const size_t nv = (size_t)c->m->nv;
    for (size_t k = 0; k < nv && c->along.q; k++) {
        double slope = 0;
        for (size_t i = 0; i < nv; i++) slope += c->d->qvel[i] * H[i * nv + k];
        sn_addRow(c, c->along.q, (int)k, slope, to);
    }
}

/// Displacement and changes of velocity and acceleration of a body.
static inline snMotion sn_shiftOf(const snColumns* c, int body, int j)
{
    return sn_laneMotion(c->body.x + sn_laneAt(c->body.lanes, body, j));
}
static inline snMotion sn_velocityChangeOf(const snColumns* c, int body, int j)
{
    return sn_laneMotion(c->body.v + sn_laneAt(c->body.lanes, body, j));
}
static inline snMotion sn_accelerationChangeOf(const snColumns* c, int body, int j)
{
    return sn_laneMotion(c->body.a + sn_laneAt(c->body.lanes, body, j));
}

/// Shift of a world point that is fixed in a body.
static inline snVec3 sn_pointShift(const snColumns* c, int body, snVec3 point, int j)
{
    return sn_velocityAt(sn_shiftOf(c, body, j), sn_v3Sub(point, sn_treeCom(c->m, c->d, body)));
}

/// Change of the velocity that a body gives to a point, which itself is shifted.
static inline snVec3 sn_pointVelocityChange(const snColumns* c, int body, snVec3 point, snVec3 shift, int j)
{
    const snVec3 arm = sn_v3Sub(point, sn_treeCom(c->m, c->d, body));
    const snVec3 turning = sn_v3Load(c->d->cvel + 6 * body);
    return sn_v3Add(sn_velocityAt(sn_velocityChangeOf(c, body, j), arm), sn_v3Cross(turning, shift));
}

/// R' (change - turn x v): the change of R'v where R turns.
static inline snVec3 sn_localChange(snMat3 R, snVec3 v, snVec3 change, snVec3 turn)
{
    return sn_m3TMul(R, sn_v3Sub(change, sn_v3Cross(turn, v)));
}

#endif
