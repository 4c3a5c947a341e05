#include "loop/joint/joint.h"

static const snVec3 ZERO = {0, 0, 0}, AXIS[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

int sn_loopRowCount(snLoopType type)
{
    switch (type) {
    case SN_LOOP_FIXED: return 6;
    case SN_LOOP_REVOLUTE:
    case SN_LOOP_PRISMATIC:
    case SN_LOOP_HELICAL: return 5;
    case SN_LOOP_CYLINDRICAL:
    case SN_LOOP_UNIVERSAL: return 4;
    case SN_LOOP_PLANAR:
    case SN_LOOP_SPHERICAL: return 3;
    case SN_LOOP_SPHERE_IN_CYLINDER: return 2;
    case SN_LOOP_SPHERE_IN_PLANE:
    case SN_LOOP_DISTANCE: return 1;
    }
    return 0;
}

int sn_loopAngleCount(snLoopType type)
{
    switch (type) {
    case SN_LOOP_FIXED:
    case SN_LOOP_PRISMATIC: return 3;
    case SN_LOOP_REVOLUTE:
    case SN_LOOP_HELICAL:
    case SN_LOOP_CYLINDRICAL:
    case SN_LOOP_PLANAR: return 2;
    case SN_LOOP_UNIVERSAL: return 1;
    case SN_LOOP_SPHERICAL:
    case SN_LOOP_SPHERE_IN_CYLINDER:
    case SN_LOOP_SPHERE_IN_PLANE:
    case SN_LOOP_DISTANCE: break;
    }
    return 0;
}

static void addRow(snLoopRows* rows, snForce T, double delta)
{
    rows->T[rows->count] = T;
    rows->T_rate[rows->count] = (snForce){ZERO, ZERO};
    rows->delta[rows->count++] = delta;
}

// A row along a direction that is fixed in S: of the angular or of the linear velocity.
static void addAngular(snLoopRows* rows, int axis, double delta)
{
    addRow(rows, (snForce){AXIS[axis], ZERO}, delta);
}

static void addLinear(snLoopRows* rows, int axis, double delta)
{
    addRow(rows, (snForce){ZERO, AXIS[axis]}, delta);
}

// A row along a direction that moves against S: it and its rate in S's coordinates.
static void addMoving(snLoopRows* rows, snForce T, snForce rate, double delta)
{
    addRow(rows, T, delta);
    rows->T_rate[rows->count - 1] = rate;
}

// The rate, seen from S, of a vector in S's coordinates that is fixed in P: P turns against S with -w.
static snVec3 rateInS(const snLoopPose* pose, snVec3 v)
{
    return sn_v3Cross(v, pose->v_J.ang);
}

// All three angles: the rotation vector from where S should be to where it is.
static void addRotation(const snLoopPose* pose, snLoopRows* rows)
{
    const snVec3 d = sn_quatToRotvec(sn_matToQuat(sn_m3Transpose(pose->E)));
    addAngular(rows, 0, d.x);
    addAngular(rows, 1, d.y);
    addAngular(rows, 2, d.z);
}

// z axes parallel: the rotation vector that takes P's z to S's, d_1 = E_23 and d_2 = -E_13 to first order
// (example 8.1).
static void addParallel(const snLoopPose* pose, snLoopRows* rows)
{
    const snVec3 z_p = sn_m3Col(pose->E, 2);
    const double sine = sqrt(z_p.x * z_p.x + z_p.y * z_p.y), angle = sn_atan2(sine, z_p.z);
    const double scale = sine > SN_MINVAL ? angle / sine : 1;
    const bool opposite = sine <= SN_MINVAL && z_p.z < 0; // any way round will do
    addAngular(rows, 0, opposite ? angle : scale * z_p.y);
    addAngular(rows, 1, opposite ? 0 : -scale * z_p.x);
}

// S's origin at P's.
static void addPoint(const snLoopPose* pose, snLoopRows* rows)
{
    const snVec3 d = sn_m3Mul(pose->E, pose->r);
    addLinear(rows, 0, d.x);
    addLinear(rows, 1, d.y);
    addLinear(rows, 2, d.z);
}

// S's origin on P's z axis, along directions of S, whose z is parallel to it.
static void addOnAxis(const snLoopPose* pose, snLoopRows* rows)
{
    const snVec3 d = sn_m3Mul(pose->E, sn_v3(pose->r.x, pose->r.y, 0));
    addLinear(rows, 0, d.x);
    addLinear(rows, 1, d.y);
}

double sn_loopTurn(const snLoopPose* pose)
{
    return sn_atan2(pose->E.m[1] - pose->E.m[3], pose->E.m[0] + pose->E.m[4]);
}

// u_z = pitch w_z; a turn more or less is no error: of all its windings the joint is on the nearest.
static void addThread(const snLoopPose* pose, double pitch, snLoopRows* rows)
{
    const double error = pose->r.z - pitch * sn_loopTurn(pose),
                 winding = fabs(2 * 3.14159265358979323846 * pitch);
    addRow(rows, (snForce){sn_v3(0, 0, -pitch), AXIS[2]}, winding > 0 ? remainder(error, winding) : error);
}

// P's z axis at right angles to S's x axis: delta = z_p . x_s.
static void addRightAngle(const snLoopPose* pose, snLoopRows* rows)
{
    const snVec3 z_p = sn_m3Col(pose->E, 2);
    addMoving(rows, (snForce){sn_v3Cross(AXIS[0], z_p), ZERO},
              (snForce){sn_v3Cross(AXIS[0], rateInS(pose, z_p)), ZERO}, z_p.x);
}

// S's origin at 0 along an axis of P.
static void addAlongP(const snLoopPose* pose, int axis, double delta, snLoopRows* rows)
{
    const snVec3 a = sn_m3Col(pose->E, axis);
    addMoving(rows, (snForce){ZERO, a}, (snForce){ZERO, rateInS(pose, a)}, delta);
}

// |r| = length. The direction turns with P and with r itself. At |r| = 0 it is P's x axis.
static void addDistance(const snLoopPose* pose, double length, snLoopRows* rows)
{
    const double norm = sn_v3Norm(pose->r);
    const snVec3 n = sn_m3Mul(pose->E, sn_v3Normalize(pose->r)), u = pose->v_J.lin;
    snVec3 rate = rateInS(pose, n);
    if (norm > SN_MINVAL) rate = sn_v3AddScaled(rate, 1 / norm, sn_v3AddScaled(u, -sn_v3Dot(n, u), n));
    addMoving(rows, (snForce){ZERO, n}, (snForce){ZERO, rate}, norm - length);
}

snLoopRows sn_loopJoint(snLoopType type, double parameter, const snLoopPose* pose)
{
    snLoopRows rows = {.count = 0};
    switch (type) {
    case SN_LOOP_FIXED:
        addRotation(pose, &rows);
        addPoint(pose, &rows);
        break;
    case SN_LOOP_REVOLUTE:
        addParallel(pose, &rows);
        addPoint(pose, &rows);
        break;
    case SN_LOOP_PRISMATIC:
        addRotation(pose, &rows);
        addOnAxis(pose, &rows);
        break;
    case SN_LOOP_HELICAL:
        addParallel(pose, &rows);
        addOnAxis(pose, &rows);
        addThread(pose, parameter, &rows);
        break;
    case SN_LOOP_CYLINDRICAL:
        addParallel(pose, &rows);
        addOnAxis(pose, &rows);
        break;
    case SN_LOOP_PLANAR:
        addParallel(pose, &rows);
        addLinear(&rows, 2, pose->r.z);
        break;
    case SN_LOOP_SPHERICAL: addPoint(pose, &rows); break;
    case SN_LOOP_UNIVERSAL:
        addRightAngle(pose, &rows);
        addPoint(pose, &rows);
        break;
    case SN_LOOP_SPHERE_IN_CYLINDER:
        addAlongP(pose, 0, pose->r.x, &rows);
        addAlongP(pose, 1, pose->r.y, &rows);
        break;
    case SN_LOOP_SPHERE_IN_PLANE: addAlongP(pose, 2, pose->r.z, &rows); break;
    case SN_LOOP_DISTANCE: addDistance(pose, parameter, &rows); break;
    }
    return rows;
}
