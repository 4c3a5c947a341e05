// Steps and stages, with the functions that the user has lent and the warnings that they raise.
#include "inside.h"

// Runs a stage. In any of them a callback may be called or a warning raised.
#define RUN(d, stage)                                                                                        \
    do {                                                                                                     \
        const unsigned quiet = quietWarnings(d);                                                             \
        lendCallbacks(d);                                                                                    \
        stage;                                                                                               \
        tellWarnings(d, quiet);                                                                              \
    } while (0)

#define STAGE(name)                                                                                          \
    void mj_##name(const mjModel* m, mjData* d)                                                              \
    {                                                                                                        \
        RUN(d, sn_##name(m, d));                                                                             \
    }

STAGE(step)
STAGE(step1)
STAGE(step2)
STAGE(forward)
STAGE(inverse)
STAGE(fwdPosition)
STAGE(fwdVelocity)
STAGE(fwdActuation)
STAGE(fwdAcceleration)
STAGE(fwdConstraint)
STAGE(Euler)
STAGE(implicit)
STAGE(invConstraint)
STAGE(compareFwdInv)
STAGE(sensorPos)
STAGE(sensorVel)
STAGE(sensorAcc)
STAGE(energyPos)
STAGE(energyVel)
STAGE(checkPos)
STAGE(checkVel)
STAGE(checkAcc)
STAGE(kinematics)
STAGE(comPos)
STAGE(camlight)
STAGE(tendon)
STAGE(transmission)
STAGE(crb)
STAGE(makeM)
STAGE(factorM)
STAGE(comVel)
STAGE(passive)
STAGE(subtreeVel)
STAGE(rnePostConstraint)
STAGE(collision)
STAGE(makeConstraint)
STAGE(referenceConstraint)

void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor)
{
    RUN(d, sn_forwardSkip(m, d, skipstage, skipsensor));
}

void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor)
{
    RUN(d, sn_inverseSkip(m, d, skipstage, skipsensor));
}

void mj_invPosition(const mjModel* m, mjData* d)
{
    mj_fwdPosition(m, d);
}

void mj_invVelocity(const mjModel* m, mjData* d)
{
    mj_fwdVelocity(m, d);
}

void mj_RungeKutta(const mjModel* m, mjData* d, int N)
{
    if (N != 4)
        mju_error("mj_RungeKutta: the order is %d, must be 4", N);
    else
        RUN(d, sn_RungeKutta(m, d));
}

void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result)
{
    sn_rne(m, d, flg_acc, result);
}

// ---- stages without work: there are no flexes; islands and J inv(M) J' are made where they are asked for

#define NOTHING(name)                                                                                        \
    void mj_##name(const mjModel* m, mjData* d)                                                              \
    {                                                                                                        \
        (void)m, (void)d;                                                                                    \
    }

NOTHING(flex)
NOTHING(island)
NOTHING(projectConstraint)

// ---- rows and contacts

// The Hessians of cones lie nowhere here: there is no member for them.
void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1], int flg_coneHessian)
{
    (void)flg_coneHessian;
    sn_constraintUpdate(m, d, jar, cost);
}

int mj_addContact(const mjModel* m, mjData* d, const mjContact* con)
{
    snError error;
    const snStatus status = sn_addContact(m, d, con, &error);
    if (status == SN_STATUS_ARGUMENT) mju_error("mj_addContact: %s", error.message);
    return status != SN_STATUS_OK;
}

// ---- derivatives by differences

void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered, mjtNum* A, mjtNum* B,
                      mjtNum* C, mjtNum* D)
{
    snError error;
    snStatus status;
    RUN(d, status = sn_transitionFD(m, d, eps, flg_centered, A, B, C, D, NULL, &error));
    if (status != SN_STATUS_OK) mju_error("mjd_transitionFD: %s", error.message);
}

void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum* DfDq, mjtNum* DfDv,
                   mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq)
{
    snError error;
    snStatus status;
    RUN(d, status = sn_inverseFD(m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq, NULL,
                                 &error));
    if (status != SN_STATUS_OK) mju_error("mjd_inverseFD: %s", error.message);
}
