// Two geoms stay apart. With n the normal from the first to the second and p1, p2 the nearest points, V1, V2
// the velocities of the geoms there,
//     d' = n . (V2 - V1) = (n'(J2 - J1)) qvel,
// as points that slide along the surfaces do not change d. The rate of that has, besides the accelerations of
// the points as they are fixed in the geoms, what comes of the normal that turns and of the points that move
// along the surfaces with s = p' - V:
//     d'' = n . (A2 - A1) + n' . (V2 - V1) + n . (w2 x s2 - w1 x s1).
// Where the collision code cannot tell how n and p move, these last are left out.
#include <math.h>
#include "collision/query/distance.h"
#include "control/task/frame.h"
#include "control/task/rows.h"
#include "derivative/contact/geometry.h"
#include "smooth/kinematics/jacobian.h"

// A geom and its nearest point.
typedef struct Side {
    int geom;
    snVec3 point, vel, ang, drift;
    double motion[6]; // angular velocity, velocity of the geom's centre
} Side;

static Side sideOf(const snModel* m, snData* d, int geom, snVec3 point)
{
    double offset[3];
    snFrameMotion motion;
    const snVec3 arm = sn_v3Sub(point, sn_v3Load(d->geom_xpos + 3 * geom));
    sn_v3Store(offset, sn_m3TMul(sn_m3Load(d->geom_xmat + 9 * geom), arm));
    sn_frameMotion(m, d, SN_OBJ_GEOM, geom, offset, &motion, NULL, 0);
    Side side = {geom, point, sn_v3Load(motion.vel), sn_v3Load(motion.vel + 3), sn_v3Load(motion.drift), {0}};
    sn_v3Store(side.motion, side.ang);
    sn_v3Store(side.motion + 3, sn_v3Sub(side.vel, sn_v3Cross(side.ang, arm)));
    return side;
}

// n'J of a point as a force along n at it.
static snForce pushAt(const snModel* m, const snData* d, const Side* side, snVec3 n)
{
    const snVec3 arm = sn_v3Sub(side->point, sn_treeCom(m, d, m->geom_bodyid[side->geom]));
    return (snForce){sn_v3Cross(arm, n), n};
}

// A = n'(J2 - J1), which is 0 for the dofs that move both.
static void gradient(const snModel* m, const snData* d, const Side side[2], snVec3 n, double* A)
{
    const snForce pull = pushAt(m, d, side, sn_v3Neg(n)), push = pushAt(m, d, side + 1, n);
    int i = sn_lastDof(m, m->geom_bodyid[side[0].geom]), k = sn_lastDof(m, m->geom_bodyid[side[1].geom]);
    while (i != k) { // the later one is not above the other
        const bool first = i > k;
        const int later = first ? i : k;
        A[later] = sn_motionDotForce(sn_motionLoad(d->cdof + 6 * later), first ? pull : push);
        *(first ? &i : &k) = m->dof_parentid[later];
    }
}

// What the normal and the points add to d'': sides in the order of their types, n from the first.
static double sliding(const snModel* m, snData* d, const Side side[2], snVec3 n, double dist)
{
    snContactGradient g;
    snContact con = {.dist = dist, .dim = 1, .efc_address = -1, .geom = {side[0].geom, side[1].geom}};
    const snVec3 level = fabs(n.z) < 0.5 ? sn_v3(0, 0, 1) : sn_v3(0, 1, 0);
    const snVec3 tangent = sn_v3Normalize(sn_v3AddScaled(level, -sn_v3Dot(level, n), n));
    sn_v3Store(con.pos, sn_v3Scale(sn_v3Add(side[0].point, side[1].point), 0.5));
    sn_v3Store(con.frame, n);
    sn_v3Store(con.frame + 3, tangent);
    sn_v3Store(con.frame + 6, sn_v3Cross(n, tangent));
    if (sn_nearestGeometry(m, d, &con, &g, NULL)) return 0;
    double rate = 0, turn[3] = {0}, pos[3] = {0};
    for (int k = 0; k < 12; k++) {
        const double v = side[k / 6].motion[k % 6];
        rate += g.dist[k] * v;
        for (int i = 0; i < 3; i++) turn[i] += g.turn[i][k] * v;
        for (int i = 0; i < 3; i++) pos[i] += g.pos[i][k] * v;
    }
    const snVec3 turned = sn_v3Cross(sn_v3Load(turn), n), middle = sn_v3Load(pos);
    const snVec3 half = sn_v3Scale(sn_v3AddScaled(sn_v3Scale(turned, dist), rate, n), 0.5);
    const snVec3 slide0 = sn_v3Sub(sn_v3Sub(middle, half), side[0].vel);
    const snVec3 slide1 = sn_v3Sub(sn_v3Add(middle, half), side[1].vel);
    const snVec3 carried = sn_v3Sub(sn_v3Cross(side[1].ang, slide1), sn_v3Cross(side[0].ang, slide0));
    return sn_v3Dot(turned, sn_v3Sub(side[1].vel, side[0].vel)) + sn_v3Dot(n, carried);
}

static double driftOf(const snModel* m, snData* d, const Side side[2], snVec3 n, double dist)
{
    const double fixed = sn_v3Dot(n, sn_v3Sub(side[1].drift, side[0].drift));
    if (m->geom_type[side[0].geom] <= m->geom_type[side[1].geom]) return fixed + sliding(m, d, side, n, dist);
    const Side swapped[2] = {side[1], side[0]};
    return fixed + sliding(m, d, swapped, sn_v3Neg(n), dist);
}

// The least acceleration of d for h = d - distance_min: h'' + kd h' + kp h >= 0, and h >= 0 after the next
// step as well, to second order: the velocity v' after it moves h by dt n'J v' + dt^2/2 drift. Of what is too
// near already no more is asked than that it does not come nearer.
static double leastAcceleration(const snTask* t, double h, double rate, double drift, double dt)
{
    const double soft = -t->kd[0] * rate - t->kp[0] * h - drift;
    if (!(dt > 0)) return soft;
    return sn_max(soft, -(sn_max(h, 0) / dt + rate) / dt - 0.5 * drift);
}

// d' >= -kp h, and in one step not beyond h = 0.
static double leastVelocity(const snTask* t, double h, double dt)
{
    return -h * (dt > 0 ? sn_min(t->kp[0], 1 / dt) : t->kp[0]);
}

int sn_distanceRows(const snModel* m, snData* d, snTask* t, int mode, double dt, int columns, double* A,
                    double* lower, double* upper)
{
    snNearest nearest;
    const int geom1 = t->set.objid, geom2 = t->set.refid;
    t->error[0] = 0;
    if (!sn_nearestPoints(m, d, geom1, geom2, t->set.distance_max, &nearest)) return 0;
    const snVec3 n = nearest.normal;
    const Side side[2] = {sideOf(m, d, geom1, nearest.from), sideOf(m, d, geom2, nearest.to)};
    memset(A, 0, (size_t)columns * sizeof(double));
    gradient(m, d, side, n, A);
    const double h = nearest.dist - t->set.distance_min,
                 rate = sn_v3Dot(n, sn_v3Sub(side[1].vel, side[0].vel));
    t->error[0] = sn_max(-h, 0);
    upper[0] = (double)INFINITY;
    lower[0] = mode == SN_CONTROL_ACCELERATION
                   ? leastAcceleration(t, h, rate, driftOf(m, d, side, n, nearest.dist), dt)
                   : leastVelocity(t, h, dt);
    return isfinite(lower[0]) ? 1 : 0;
}
