// A robot of two arms on a free base, tasks on it, and accelerations that meet rows exactly.
#ifndef SINEW_TEST_ARM_CASE_H
#define SINEW_TEST_ARM_CASE_H

#include <math.h>
#include <sinew/task.h>
#include "model_text.h"

/// Joints of one arm of seven hinges, with site `hand` and a geom of its own at the end.
#define ARM(side)                                                                                            \
    "<body name='" side "_shoulder' pos='0 0 .1' euler='10 20 30'><joint axis='0 0 1'/>"                     \
    "<geom size='.05' mass='1'/>"                                                                            \
    "<body pos='0 .05 .1'><joint axis='0 1 0'/><geom size='.04' mass='1' pos='0 0 .1'/>"                     \
    "<body pos='.05 0 .2'><joint axis='1 0 0'/><geom size='.04' mass='1' pos='.1 0 0'/>"                     \
    "<body pos='.3 0 0'><joint axis='0 1 0'/><geom size='.04' mass='.8' pos='.1 0 0'/>"                      \
    "<body pos='.2 0 .02'><joint axis='1 0 0'/><geom size='.03' mass='.5' pos='.05 0 0'/>"                   \
    "<body pos='.1 .03 0'><joint axis='0 1 0'/><geom size='.03' mass='.4' pos='.05 0 0'/>"                   \
    "<body name='" side "_wrist' pos='.05 0 0'><joint axis='0 0 1'/>"                                        \
    "<geom name='" side "_palm' type='box' size='.03 .02 .04' mass='.3' pos='.03 .01 0' euler='5 6 7'/>"     \
    "<site name='" side "_hand' pos='.06 .01 .02' euler='20 40 -30'/>"                                       \
    "</body></body></body></body></body></body></body>"

static const char* const ONE_ARM = "<mujoco><worldbody>" ARM("left") "</worldbody></mujoco>";
static const char* const TWO_ARMS =
    "<mujoco><worldbody><site name='mark' pos='.5 .4 .8'/><body name='base' pos='0 0 1'><freejoint/>"
    "<geom size='.1' mass='5'/><body name='torso' pos='0 0 .2'><joint type='ball'/><geom size='.1' "
    "mass='4'/>" ARM("left") "<body pos='0 -.4 0'>" ARM("right") "</body></body></body></worldbody></mujoco>";

/// What tasks need of a state.
static inline void stages(const snModel* m, snData* d)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_camlight(m, d);
    sn_comVel(m, d);
}

static inline snTaskSettings taskOn(const snModel* m, int type, const char* site)
{
    snTaskSettings s;
    sn_defaultTask(&s);
    s.type = type;
    s.objtype = SN_OBJ_SITE;
    s.objid = sn_name2id(m, SN_OBJ_SITE, site);
    return s;
}

static inline snTask* makeTask(const snModel* m, const snTaskSettings* s)
{
    snError error = {0};
    snTask* t = sn_makeTask(m, s, &error);
    if (!t) fail_msg("%s", error.message);
    return t;
}

enum { ARM_ROWS = 6, ARM_MOST = 64 };

/// Solves S y = b in place, S [n x n], by elimination with pivoting of rows.
static inline void eliminate(int n, double* S, double* b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(S[i * n + k]) > fabs(S[best * n + k])) best = i;
        for (int j = 0; j < n; j++) {
            const double swap = S[k * n + j];
            S[k * n + j] = S[best * n + j];
            S[best * n + j] = swap;
        }
        const double swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const double f = S[i * n + k] / S[k * n + k];
            for (int j = k; j < n; j++) S[i * n + j] -= f * S[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int k = 0; k < n; k++) b[k] /= S[k * n + k];
}

/// The shortest x with A x = b: A [rows x n] of full rank.
static inline void leastNorm(int rows, int n, const double* A, const double* b, double* x)
{
    double S[ARM_ROWS * ARM_ROWS], y[ARM_ROWS];
    for (int i = 0; i < rows; i++) {
        y[i] = b[i];
        for (int j = 0; j < rows; j++) {
            S[i * rows + j] = 0;
            for (int k = 0; k < n; k++) S[i * rows + j] += A[i * n + k] * A[j * n + k];
        }
    }
    eliminate(rows, S, y);
    for (int k = 0; k < n; k++) {
        x[k] = 0;
        for (int i = 0; i < rows; i++) x[k] += A[i * n + k] * y[i];
    }
}

/// The shortest qacc (qvel) that meets the task's rows at d's state.
static inline void meet(const snModel* m, snData* d, snTask* t, int mode, double dt, double* x)
{
    double A[ARM_ROWS * ARM_MOST], lower[ARM_ROWS], upper[ARM_ROWS], weight[ARM_ROWS];
    stages(m, d);
    const int rows = sn_taskRows(m, d, t, mode, dt, m->nv, A, lower, upper, weight);
    for (int i = 0; i < rows; i++) assert_true(lower[i] == upper[i]);
    leastNorm(rows, m->nv, A, lower, x);
}

#endif
