#include "derivative/constraint/loop_rows.h"
#include <math.h>

static const snVec3 ZERO = {0, 0, 0}, X = {1, 0, 0};

// The rows so far: changes of T, of its rate and of delta; and what they are changes by.
typedef struct Rows {
    const snLoopPose* pose;
    const snLoopMove* by;
    int count;
    snForce T[SN_LOOP_MAXROWS], rate[SN_LOOP_MAXROWS];
    double delta[SN_LOOP_MAXROWS];
} Rows;

static void addMoving(Rows* rows, snForce T, snForce rate, double delta)
{
    rows->T[rows->count] = T;
    rows->rate[rows->count] = rate;
    rows->delta[rows->count++] = delta;
}

static void addFixed(Rows* rows, double delta)
{
    const snForce none = {ZERO, ZERO};
    addMoving(rows, none, none, delta);
}

// Of a vector in S's coordinates that is fixed in P.
static snVec3 changeInS(const Rows* rows, snVec3 v)
{
    return sn_v3Cross(v, rows->by->x.ang);
}

// The angle is atan2(E_01 - E_10, E_00 + E_11).
double sn_turnChange(const snLoopPose* pose, const snLoopMove* by)
{
    const snMat3* E = &pose->E;
    const snVec3 dx = sn_v3Cross(sn_m3Col(*E, 0), by->x.ang), dy = sn_v3Cross(sn_m3Col(*E, 1), by->x.ang);
    const double y = E->m[1] - E->m[3], x = E->m[0] + E->m[4], size = x * x + y * y;
    return size > SN_MINVAL ? (x * (dy.x - dx.y) - y * (dx.x + dy.y)) / size : 0;
}

double sn_wayChange(const snLoopPose* pose, const snLoopMove* by)
{
    return sn_m3TMul(pose->E, by->x.lin).z;
}

// Of r, in P's coordinates.
static snVec3 changeOfPlace(const Rows* rows)
{
    return sn_m3TMul(rows->pose->E, rows->by->x.lin);
}

// The rotation vector of a turn that goes on by `turn`: the inverse of the right Jacobian of the exponential.
static void addRotation(Rows* rows)
{
    const snVec3 d = sn_quatToRotvec(sn_matToQuat(sn_m3Transpose(rows->pose->E))), turn = rows->by->x.ang;
    const double angle = sn_v3Norm(d), half = 0.5 * angle;
    const double b =
        angle > 1e-3 ? (1 - half / sn_tan(half)) / (angle * angle) : 1.0 / 12 + angle * angle / 720;
    const snVec3 across = sn_v3Cross(d, turn);
    snVec3 change = sn_v3AddScaled(turn, 0.5, across);
    change = sn_v3AddScaled(change, b, sn_v3Cross(d, across));
    addFixed(rows, change.x);
    addFixed(rows, change.y);
    addFixed(rows, change.z);
}

// delta = scale (y, -x) of P's z axis, scale = angle/sine = 1 + sine^2/6 + ...
static void addParallel(Rows* rows)
{
    const snVec3 z = sn_m3Col(rows->pose->E, 2), dz = changeInS(rows, z);
    const double sine = sqrt(z.x * z.x + z.y * z.y), angle = sn_atan2(sine, z.z);
    double scale = 1, change = 0;
    if (sine > 1e-4) {
        const double dsine = (z.x * dz.x + z.y * dz.y) / sine;
        const double dangle = (z.z * dsine - sine * dz.z) / (sine * sine + z.z * z.z);
        scale = angle / sine;
        change = dangle / sine - angle * dsine / (sine * sine);
    } else if (z.z > 0) {
        change = (z.x * dz.x + z.y * dz.y) / 3;
    }
    addFixed(rows, scale * dz.y + change * z.y);
    addFixed(rows, -scale * dz.x - change * z.x);
}

// delta = E r
static void addPoint(Rows* rows)
{
    const snVec3 d = sn_m3Mul(rows->pose->E, rows->pose->r);
    const snVec3 change = sn_v3Add(changeInS(rows, d), rows->by->x.lin);
    addFixed(rows, change.x);
    addFixed(rows, change.y);
    addFixed(rows, change.z);
}

// delta = E (r_x, r_y, 0)
static void addOnAxis(Rows* rows)
{
    const snVec3 r = rows->pose->r, dr = changeOfPlace(rows);
    const snVec3 d = sn_m3Mul(rows->pose->E, sn_v3(r.x, r.y, 0));
    const snVec3 change = sn_v3Add(changeInS(rows, d), sn_m3Mul(rows->pose->E, sn_v3(dr.x, dr.y, 0)));
    addFixed(rows, change.x);
    addFixed(rows, change.y);
}

// delta = r_z - pitch times the angle of sn_loopTurn
static void addThread(Rows* rows, double pitch)
{
    addFixed(rows, sn_wayChange(rows->pose, rows->by) - pitch * sn_turnChange(rows->pose, rows->by));
}

// T = (x x z_p, 0), delta = z_p . x
static void addRightAngle(Rows* rows)
{
    const snVec3 z = sn_m3Col(rows->pose->E, 2), dz = changeInS(rows, z);
    const snVec3 rate = sn_v3Add(sn_v3Cross(dz, rows->pose->v_J.ang), sn_v3Cross(z, rows->by->v.ang));
    addMoving(rows, (snForce){sn_v3Cross(X, dz), ZERO}, (snForce){sn_v3Cross(X, rate), ZERO}, dz.x);
}

// T = (0, a) along an axis of P
static void addAlongP(Rows* rows, int axis, double delta)
{
    const snVec3 a = sn_m3Col(rows->pose->E, axis), da = changeInS(rows, a);
    const snVec3 rate = sn_v3Add(sn_v3Cross(da, rows->pose->v_J.ang), sn_v3Cross(a, rows->by->v.ang));
    addMoving(rows, (snForce){ZERO, da}, (snForce){ZERO, rate}, delta);
}

// T = (0, n), n = E r / |r|, whose rate is n x w + (u - (n . u) n) / |r|; delta = |r| - length
static void addDistance(Rows* rows)
{
    const snLoopPose* pose = rows->pose;
    const snVec3 d = sn_m3Mul(pose->E, pose->r), n = sn_v3Normalize(d), u = pose->v_J.lin;
    const double norm = sn_v3Norm(d);
    if (!(norm > SN_MINVAL)) { // no direction: that of P's x axis is held
        addFixed(rows, sn_v3Dot(sn_m3Col(pose->E, 0), rows->by->x.lin));
        return;
    }
    const snVec3 dd = sn_v3Add(changeInS(rows, d), rows->by->x.lin), du = rows->by->v.lin;
    const double dnorm = sn_v3Dot(n, dd), nu = sn_v3Dot(n, u);
    const snVec3 dn = sn_v3Scale(sn_v3AddScaled(dd, -dnorm, n), 1 / norm);
    const snVec3 across = sn_v3AddScaled(u, -nu, n);
    snVec3 change = sn_v3AddScaled(du, -nu, dn);
    change = sn_v3AddScaled(change, -(sn_v3Dot(dn, u) + sn_v3Dot(n, du)), n);
    change = sn_v3AddScaled(change, -dnorm / norm, across);
    snVec3 rate = sn_v3Add(sn_v3Cross(dn, pose->v_J.ang), sn_v3Cross(n, rows->by->v.ang));
    rate = sn_v3AddScaled(rate, 1 / norm, change);
    addMoving(rows, (snForce){ZERO, dn}, (snForce){ZERO, rate}, dnorm);
}

static void addRows(snLoopType type, double parameter, Rows* rows)
{
    const snVec3 dr = changeOfPlace(rows);
    switch (type) {
    case SN_LOOP_FIXED:
        addRotation(rows);
        addPoint(rows);
        break;
    case SN_LOOP_REVOLUTE:
        addParallel(rows);
        addPoint(rows);
        break;
    case SN_LOOP_PRISMATIC:
        addRotation(rows);
        addOnAxis(rows);
        break;
    case SN_LOOP_HELICAL:
        addParallel(rows);
        addOnAxis(rows);
        addThread(rows, parameter);
        break;
    case SN_LOOP_CYLINDRICAL:
        addParallel(rows);
        addOnAxis(rows);
        break;
    case SN_LOOP_PLANAR:
        addParallel(rows);
        addFixed(rows, dr.z);
        break;
    case SN_LOOP_SPHERICAL: addPoint(rows); break;
    case SN_LOOP_UNIVERSAL:
        addRightAngle(rows);
        addPoint(rows);
        break;
    case SN_LOOP_SPHERE_IN_CYLINDER:
        addAlongP(rows, 0, dr.x);
        addAlongP(rows, 1, dr.y);
        break;
    case SN_LOOP_SPHERE_IN_PLANE: addAlongP(rows, 2, dr.z); break;
    case SN_LOOP_DISTANCE: addDistance(rows); break;
    }
}

void sn_loopRowsMoved(snLoopType type, double parameter, const snLoopPose* pose, const snMotion* A, double t,
                      const snLoopMove* by, snForce T[SN_LOOP_MAXROWS], double out[SN_LOOP_MAXROWS])
{
    const snLoopRows at = sn_loopJoint(type, parameter, pose);
    Rows rows = {.pose = pose, .by = by};
    addRows(type, parameter, &rows);
    for (int r = 0; r < rows.count; r++) {
        const double T_v = sn_motionDotForce(pose->v_J, rows.T[r]) + sn_motionDotForce(by->v, at.T[r]);
        T[r] = rows.T[r];
        out[r] = sn_motionDotForce(*A, rows.T[r]) + sn_motionDotForce(by->a, at.T[r]) +
                 sn_motionDotForce(pose->v_J, rows.rate[r]) + sn_motionDotForce(by->v, at.T_rate[r]) +
                 2 / t * T_v + rows.delta[r] / (t * t);
    }
}
