// An axis of a frame F points at a point. Seen from F the point is at y, and s = y / |y| goes over the unit
// sphere; s = axis is the goal. With rho = |y|, rho' = s.y', in two directions c along the sphere at s
//     c.s' = c.y' / rho,    c.s'' = c.(y'' - 2 rho' s') / rho.
// The error is the way along the great circle from s to the axis: an angle and a direction, so that rows are
// as good pointing away as pointing at. s then moves as e'' + kd e' + kp e = 0 along great circles, exactly
// where s' points along one through the axis.
#include "control/task/frame.h"
#include "control/task/rows.h"
#include "math/vec.h"
#include "model/arena.h"

static const double NEAREST = 1e-6; // m; at less there is no direction

// The smallest turn from the axis to s; near the opposite of the axis half a turn about one across it.
static snQuat turnTo(snVec3 axis, snVec3 s, snVec3 across)
{
    const double half = 1 + sn_v3Dot(axis, s);
    if (half < 1e-12) return (snQuat){0, across.x, across.y, across.z};
    const snVec3 turn = sn_v3Cross(axis, s);
    return sn_quatNormalize((snQuat){half, turn.x, turn.y, turn.z});
}

// Two directions along the sphere at s; with the z axis at its goal they are x and y.
static void directions(snVec3 axis, snVec3 s, snVec3 c[2])
{
    const snVec3 across = sn_m3Col(sn_quatToMat(sn_quatZToVec(axis)), 0);
    const snVec3 turned = sn_quatRotate(turnTo(axis, s, across), across);
    c[0] = sn_v3Normalize(sn_v3AddScaled(turned, -sn_v3Dot(turned, s), s));
    c[1] = sn_v3Cross(s, c[0]);
}

// The way from s to the axis, in the two directions.
static void wayTo(snVec3 axis, snVec3 s, const snVec3 c[2], double e[2])
{
    const double x = sn_v3Dot(c[0], axis), y = sn_v3Dot(c[1], axis), length = sqrt(x * x + y * y);
    const double angle = sn_atan2(length, sn_v3Dot(axis, s));
    e[0] = length > 0 ? x * (angle / length) : angle;
    e[1] = length > 0 ? y * (angle / length) : 0;
}

// How the point moves against F.
typedef struct PointMotion {
    snVec3 own;             // velocity that is the reference's, not the robot's
    snVec3 velocity, drift; // all of it, and its rate without qacc
} PointMotion;

// The point moves in its own frame, too, with vel and acc of the reference; w turns that frame against F.
static PointMotion pointMotion(const snTask* task, const snFrameMotion* motion)
{
    const snMat3 R = sn_m3Load(motion->mat);
    const snVec3 own = sn_m3Mul(R, sn_v3Load(task->vel)), rate = sn_m3Mul(R, sn_v3Load(task->acc));
    const snVec3 coriolis = sn_v3Cross(sn_v3Load(motion->vel + 3), own);
    return (PointMotion){own, sn_v3Add(sn_v3Load(motion->vel), own),
                         sn_v3AddScaled(sn_v3Add(sn_v3Load(motion->drift), rate), 2, coriolis)};
}

// Two rows c.J / rho of the three of J.
static void project(const snVec3 c[2], double rho, const double* J, int columns, double* A)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < columns; k++)
            A[i * columns + k] =
                (c[i].x * J[k] + c[i].y * J[columns + k] + c[i].z * J[2 * columns + k]) / rho;
}

static void bounds(const snTask* task, int mode, snVec3 s, double rho, const snVec3 c[2],
                   const PointMotion* p, double* b)
{
    const snVec3 rate = sn_v3Scale(sn_v3AddScaled(p->velocity, -sn_v3Dot(s, p->velocity), s), 1 / rho); // s'
    const snVec3 drift = sn_v3AddScaled(p->drift, -2 * sn_v3Dot(s, p->velocity), rate);
    for (int i = 0; i < 2; i++)
        b[i] =
            task->kp[i] * task->error[i] -
            (mode == SN_CONTROL_VELOCITY ? sn_v3Dot(c[i], p->own) / rho
                                         : task->kd[i] * sn_v3Dot(c[i], rate) + sn_v3Dot(c[i], drift) / rho);
}

int sn_gazeRows(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns, double* A,
                double* lower, double* upper)
{
    (void)dt;
    const snTaskSettings* const set = &task->set;
    const snFrame F = {set->objtype, set->objid, set->offset}, point = {set->reftype, set->refid, task->pos};
    const size_t mark = sn_scratchMark(d);
    double* const J = sn_scratchAlloc(d, 3 * (size_t)columns * sizeof *J);
    if (!J) {
        sn_warnFull(d);
        return 0;
    }
    task->error[0] = task->error[1] = 0;
    snFrameMotion motion;
    sn_frameFrom(m, d, point, F, false, &motion, J, NULL, columns);
    const snVec3 y = sn_v3Load(motion.pos), axis = sn_v3Load(set->axis);
    const double rho = sn_v3Norm(y);
    if (rho >= NEAREST) {
        const snVec3 s = sn_v3Scale(y, 1 / rho);
        snVec3 c[2];
        directions(axis, s, c);
        wayTo(axis, s, c, task->error);
        const PointMotion p = pointMotion(task, &motion);
        bounds(task, mode, s, rho, c, &p, lower);
        memcpy(upper, lower, 2 * sizeof *upper);
        project(c, rho, J, columns, A);
    }
    sn_scratchRelease(d, mark);
    return rho >= NEAREST ? 2 : 0;
}
