// A pose that moves to another along a line of SE(3), T0 exp(s xi), or with position and rotation apart. The
// twist xi = (theta, v) is that of the frame itself, at s = 1; the line is written from the nearer end, which
// is met to the last bit. With V(x) the integral of exp(u x) over u from 0 to 1, x a rotation vector,
//     exp(xi) = (rotation exp(theta), position V(theta) v).
// Source: Lynch and Park 2017, 9.2.
#include <math.h>
#include <sinew/trajectory.h>
#include "base/error.h"
#include "math/finite.h"
#include "math/vec.h"

// The motion from one pose to the other: in the frame on the way where `screw`, else theta in the frame and
// v in world axes.
typedef struct Line {
    snPose from, to;
    snVec3 theta, v;
    bool screw;
} Line;

// How far on the way, its rate and the rate of that.
typedef struct Progress {
    double s, left, rate, rate2; // left = 1 - s
} Progress;

static snQuat exponential(snVec3 theta)
{
    return sn_quatAxisAngle(sn_v3Normalize(theta), sn_v3Norm(theta));
}

// V(theta) v = v + (1 - cos a)/a^2 theta x v + (a - sin a)/a^3 theta x (theta x v), a = |theta|
static snVec3 carried(snVec3 theta, snVec3 v)
{
    const double square = sn_v3Dot(theta, theta), a = sqrt(square);
    const bool small = square < 1e-4;
    const double half = sn_sin(0.5 * a);
    const double first = small ? 0.5 - square / 24 + square * square / 720 : 2 * half * half / square;
    const double second = small ? 1. / 6 - square / 120 : (a - sn_sin(a)) / (a * square);
    const snVec3 turned = sn_v3Cross(theta, v);
    return sn_v3AddScaled(sn_v3AddScaled(v, first, turned), second, sn_v3Cross(theta, turned));
}

// inv(V(theta)) p = p - theta x p / 2 + (1 - a/2 cot(a/2))/a^2 theta x (theta x p), a at most pi
static snVec3 brought(snVec3 theta, snVec3 p)
{
    const double square = sn_v3Dot(theta, theta), h = 0.5 * sqrt(square);
    const double second = square < 1e-4 ? 1. / 12 + square / 720 : (1 - h * sn_cos(h) / sn_sin(h)) / square;
    const snVec3 turned = sn_v3Cross(theta, p);
    return sn_v3AddScaled(sn_v3AddScaled(p, -0.5, turned), second, sn_v3Cross(theta, turned));
}

static snPose poseOf(const double pose[7])
{
    return (snPose){sn_v3Load(pose), sn_quatNormalize(sn_quatLoad(pose + 3))};
}

static Line lineOf(const double pose0[7], const double pose1[7], bool screw)
{
    Line line = {.from = poseOf(pose0), .to = poseOf(pose1), .screw = screw};
    const snQuat back = sn_quatConj(line.from.quat);
    snQuat turn = sn_quatMul(back, line.to.quat);
    if (turn.w < 0) { // the same rotation, the short way
        line.to.quat = (snQuat){-line.to.quat.w, -line.to.quat.x, -line.to.quat.y, -line.to.quat.z};
        turn = (snQuat){-turn.w, -turn.x, -turn.y, -turn.z};
    }
    line.theta = sn_quatToRotvec(turn);
    line.v = sn_v3Sub(line.to.pos, line.from.pos);
    if (screw) line.v = brought(line.theta, sn_quatRotate(back, line.v));
    return line;
}

// The quintic from 0 to 1, 10 s^3 - 15 s^4 + 6 s^5 by the share s of the time.
static Progress progressAt(double t, double duration)
{
    if (t <= 0) return (Progress){0, 1, 0, 0};
    if (t >= duration) return (Progress){1, 0, 0, 0};
    const double x = t / duration, y = (duration - t) / duration;
    return (Progress){
        .s = x * x * x * (10 - 15 * x + 6 * x * x),
        .left = y * y * y * (10 - 15 * y + 6 * y * y),
        .rate = 30 * x * x * y * y / duration,
        .rate2 = 60 * x * y * (y - x) / duration / duration,
    };
}

static snPose poseAt(const Line* line, Progress at)
{
    const bool back = at.s > 0.5;
    const snPose base = back ? line->to : line->from;
    const double s = back ? -at.left : at.s;
    const snVec3 turn = sn_v3Scale(line->theta, s);
    snVec3 move = sn_v3Scale(line->v, s);
    if (line->screw) move = sn_quatRotate(base.quat, carried(turn, move));
    return (snPose){sn_v3Add(base.pos, move), sn_quatNormalize(sn_quatMul(base.quat, exponential(turn)))};
}

// At the pose q: of the origin, then angular. The frame turns about theta alone, so theta has the same
// numbers in all its orientations, and a velocity v in its axes changes by theta x v.
static void motionAt(const Line* line, snQuat q, Progress at, double vel[6], double acc[6])
{
    const snVec3 theta = sn_quatRotate(line->from.quat, line->theta);
    const snVec3 v = line->screw ? sn_quatRotate(q, line->v) : line->v;
    const snVec3 turned = line->screw ? sn_v3Cross(theta, v) : sn_v3(0, 0, 0);
    if (vel) {
        sn_v3Store(vel, sn_v3Scale(v, at.rate));
        sn_v3Store(vel + 3, sn_v3Scale(theta, at.rate));
    }
    if (acc) {
        sn_v3Store(acc, sn_v3AddScaled(sn_v3Scale(v, at.rate2), at.rate * at.rate, turned));
        sn_v3Store(acc + 3, sn_v3Scale(theta, at.rate2));
    }
}

static bool isPose(const double pose[7])
{
    double square = 0;
    if (!sn_areFinite(pose, 7)) return false;
    for (int i = 3; i < 7; i++) square += pose[i] * pose[i];
    return sqrt(square) >= SN_MINVAL && isfinite(square);
}

snStatus sn_poseTrajectory(const double pose0[7], const double pose1[7], double duration, bool screw,
                           double t, double pose[7], double vel[6], double acc[6], snError* error)
{
    if (!(duration > 0) || !isfinite(duration))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "the duration of a motion is %g s, must be finite and above 0", duration);
    if (isnan(t)) return sn_fail(error, SN_STATUS_ARGUMENT, "the time of a motion is NaN");
    if (!isPose(pose0) || !isPose(pose1))
        return sn_fail(
            error, SN_STATUS_ARGUMENT,
            "the ends of a motion must be poses: a finite position and a quaternion that is not 0");
    const Line line = lineOf(pose0, pose1, screw);
    const Progress at = progressAt(t, duration);
    const snPose now = poseAt(&line, at);
    if (pose) {
        sn_v3Store(pose, now.pos);
        sn_quatStore(pose + 3, now.quat);
    }
    motionAt(&line, now.quat, at, vel, acc);
    return SN_STATUS_OK;
}
