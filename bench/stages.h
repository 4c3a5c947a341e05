// The stages that the bench times, each with our calls and the peer's, in the order of a step.
#ifndef BENCH_STAGES_H
#define BENCH_STAGES_H

// X(label, our calls, the peer's calls); m, d are ours, p the peer with its model pm and data pd.
// The peer finds islands and projects the rows before the solver, ours inside it: both count as solver. The
// parts of `velocity` come one by one before it; velocities of tendons and actuators have no function of
// their own in the peer and are in `velocity` alone. The
// peer's whole step clears flg_rnepost; without it its sensors would find the forces of the step before. The
// last three integrate the same state: with the method of the model, and with the two implicit ones.
// clang-format off
#define STAGES(X) \
    X("kinematics",   sn_kinematics(m, d), p->mj_kinematics(pm, pd)) \
    X("comPos",       sn_comPos(m, d); sn_camlight(m, d), p->mj_comPos(pm, pd); p->mj_camlight(pm, pd)) \
    X("tendon",       sn_tendon(m, d), p->mj_tendon(pm, pd)) \
    X("inertia",      sn_makeM(m, d), p->mj_makeM(pm, pd)) \
    X("factor",       sn_factorM(m, d), p->mj_factorM(pm, pd)) \
    X("collision",    sn_collision(m, d), p->mj_collision(pm, pd)) \
    X("rows",         sn_makeConstraint(m, d), p->mj_makeConstraint(pm, pd)) \
    X("transmission", sn_transmission(m, d), p->mj_transmission(pm, pd)) \
    X("comVel",       sn_comVel(m, d), p->mj_comVel(pm, pd)) \
    X("passive",      sn_passive(m, d), p->mj_passive(pm, pd)) \
    X("reference",    sn_referenceConstraint(m, d), p->mj_referenceConstraint(pm, pd)) \
    X("bias",         sn_rne(m, d, 0, d->qfrc_bias), p->mj_rne(pm, pd, 0, pd->qfrc_bias)) \
    X("velocity",     sn_fwdVelocity(m, d), p->mj_fwdVelocity(pm, pd)) \
    X("actuation",    sn_fwdActuation(m, d), p->mj_fwdActuation(pm, pd)) \
    X("acceleration", sn_fwdAcceleration(m, d), p->mj_fwdAcceleration(pm, pd)) \
    X("solver",       sn_fwdConstraint(m, d), \
                      p->mj_island(pm, pd); p->mj_projectConstraint(pm, pd); p->mj_fwdConstraint(pm, pd)) \
    X("sensors",      sn_sensorPos(m, d); sn_sensorVel(m, d); sn_sensorAcc(m, d), \
                      pd->flg_rnepost = 0; p->mj_sensorPos(pm, pd); p->mj_sensorVel(pm, pd); p->mj_sensorAcc(pm, pd)) \
    X("integration",  integrateOurs(s, k, s->integrator), integratePeers(s, k, s->integrator)) \
    X("implicitfast", integrateOurs(s, k, SN_INT_IMPLICITFAST), integratePeers(s, k, SN_INT_IMPLICITFAST)) \
    X("implicit",     integrateOurs(s, k, SN_INT_IMPLICIT), integratePeers(s, k, SN_INT_IMPLICIT))
// clang-format on

static const char* const stage_names[] = {
#define X(label, ours, theirs) label,
    STAGES(X)
#undef X
};
enum { NSTAGES = sizeof(stage_names) / sizeof(stage_names[0]), STEP = NSTAGES, NTIMES = NSTAGES + 1 };

#endif
