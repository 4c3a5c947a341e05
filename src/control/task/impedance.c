// Impedance: each row is a mass, a damper and a spring that the measured wrench moves,
//     mass (a - a_ref) + kd (v - v_ref) - kp e = f.
// The frame itself is to move so, or (admittance) a reference is moved so, and the frame follows it stiffly.
// Source: Hogan 1985.
#include <math.h>
#include <string.h>
#include "control/task/frame.h"
#include "control/task/rows.h"
#include "control/task/track.h"
#include "math/finite.h"

enum { ROWS = 6, STATE = 13 };

// a - a_ref of row i where spring and damper act at a time h after the present: 0: now; dt: what an implicit
// Euler step of dt takes; dt / 2: the trapezoidal rule. dv = v - v_ref. Finite for any gains >= 0.
static double rowAcceleration(const snTask* task, int i, double h, double e, double dv, double f)
{
    const double D = task->kd[i], K = task->kp[i];
    return (f - D * dv + K * (e - h * dv)) / (task->set.mass[i] + h * (D + h * K));
}

// Turns a pair of vectors, position and rotation, from the reference frame's axes to those of the rows.
static void toRows(snMat3 axes, const double from[ROWS], double to[ROWS])
{
    sn_v3Store(to, sn_m3TMul(axes, sn_v3Load(from)));
    sn_v3Store(to + 3, sn_m3TMul(axes, sn_v3Load(from + 3)));
}

static void fromRows(snMat3 axes, const double from[ROWS], double to[ROWS])
{
    sn_v3Store(to, sn_m3Mul(axes, sn_v3Load(from)));
    sn_v3Store(to + 3, sn_m3Mul(axes, sn_v3Load(from + 3)));
}

// The wrench in the axes of the rows.
static void wrenchOfRows(const snModel* m, const snData* d, const snTask* task, snMat3 axes, double f[ROWS])
{
    double seen[ROWS];
    sn_taskView(m, d, task, task->wrench, seen);
    sn_taskView(m, d, task, task->wrench + 3, seen + 3);
    toRows(axes, seen, f);
}

int sn_impedanceRows(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns, double* A,
                     double* lower, double* upper)
{
    const bool velocity = mode == SN_CONTROL_VELOCITY;
    const snFollowed followed = {task->pos, task->pos + 3, task->vel, task->acc};
    snTracking k;
    sn_trackFrame(m, d, task, &followed, columns, A, &k);
    double f[ROWS];
    wrenchOfRows(m, d, task, k.axes, f);
    for (int i = 0; i < ROWS; i++) {
        const double dv = k.v[i] - k.vel[i];
        const double a =
            k.acc[i] + rowAcceleration(task, i, velocity ? dt : 0, k.e[i], dv, f[i]) - k.drift[i];
        lower[i] = upper[i] = velocity ? k.v[i] + dt * a : a;
    }
    return ROWS;
}

// The state of an admittance: pose [7], velocity [6].
static void takeState(snTask* task, const snFrameMotion* motion)
{
    memcpy(task->state, motion->pos, sizeof motion->pos);
    sn_quatStore(task->state + 3, sn_matToQuat(sn_m3Load(motion->mat)));
    memcpy(task->state + 7, motion->vel, sizeof motion->vel);
    task->fresh = false;
}

// Acceleration [6] of the reference over the next dt.
static void yieldingAcceleration(const snModel* m, const snData* d, const snTask* task, snMat3 axes,
                                 double dt, double acc[ROWS])
{
    const double* const state = task->state;
    double error[ROWS], faster[ROWS], e[ROWS], dv[ROWS], f[ROWS], a[ROWS];
    for (int i = 0; i < 3; i++) error[i] = task->pos[i] - state[i];
    const snMat3 R = sn_quatToMat(sn_quatNormalize(sn_quatLoad(state + 3)));
    sn_v3Store(error + 3, sn_rotationError(task->pos + 3, R.m));
    for (int i = 0; i < ROWS; i++) faster[i] = state[7 + i] - task->vel[i];
    toRows(axes, error, e);
    toRows(axes, faster, dv);
    wrenchOfRows(m, d, task, axes, f);
    for (int i = 0; i < ROWS; i++) a[i] = rowAcceleration(task, i, dt / 2, e[i], dv[i], f[i]);
    fromRows(axes, a, acc);
    for (int i = 0; i < ROWS; i++) acc[i] += task->acc[i];
}

// The state moves with the mean velocity; from here on it is the one at the end of dt.
static void advance(double* state, const double mean[ROWS], const double acc[ROWS], double dt)
{
    const snQuat q = sn_quatNormalize(sn_quatLoad(state + 3));
    const snVec3 own = sn_quatRotate(sn_quatConj(q), sn_v3Load(mean + 3));
    for (int i = 0; i < 3; i++) state[i] += dt * mean[i];
    sn_quatStore(state + 3, sn_quatIntegrate(q, own, dt));
    for (int i = 0; i < ROWS; i++) state[7 + i] += dt * acc[i];
}

int sn_admittanceRows(const snModel* m, snData* d, snTask* task, int mode, double dt, int columns, double* A,
                      double* lower, double* upper)
{
    snFrameMotion motion;
    double before[STATE];
    const bool fresh = task->fresh;
    memcpy(before, task->state, sizeof before);
    sn_taskFrame(m, d, task, &motion, NULL, NULL, 0);
    if (task->fresh) takeState(task, &motion);
    double acc[ROWS], mean[ROWS];
    const snMat3 axes = task->set.local ? sn_m3Load(motion.mat) : sn_m3Identity();
    yieldingAcceleration(m, d, task, axes, dt, acc);
    for (int i = 0; i < ROWS; i++) mean[i] = task->state[7 + i] + dt / 2 * acc[i];
    const bool velocity = mode == SN_CONTROL_VELOCITY;
    const snFollowed followed = {task->state, task->state + 3, velocity ? mean : task->state + 7, acc};
    snTracking k;
    sn_trackFrame(m, d, task, &followed, columns, A, &k);
    const double rate = task->set.follow;
    for (int i = 0; i < ROWS; i++)
        lower[i] = upper[i] =
            velocity ? k.vel[i] + rate * k.e[i]
                     : k.acc[i] + 2 * rate * (k.vel[i] - k.v[i]) + rate * rate * k.e[i] - k.drift[i];
    advance(task->state, mean, acc, dt);
    if (!sn_areFinite(task->state, STATE)) { // the rows say so; the next cycle begins where this one did
        memcpy(task->state, before, sizeof before);
        task->fresh = fresh;
    }
    return ROWS;
}
