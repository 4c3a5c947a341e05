// Rigid contact as a stage of forward dynamics.
#ifndef SINEW_LCP_FORWARD_H
#define SINEW_LCP_FORWARD_H

#include "lcp/solve/system.h"

/// What sn_fwdConstraint does where opt.contact is SN_CONTACT_LCP: qacc = (v+ - v) / timestep, efc_force,
/// efc_state, qfrc_constraint. Statistics are 0 before.
void sn_fwdLcp(const snModel* m, snData* d);

/// Solves a system of an island from its x as the options say; statistics take the worst of all islands.
/// alone: no other islands stand in scratch, whose room it could have later: what has no room is left out,
/// with a warning. false: the arena is full.
bool sn_lcpRun(const snModel* m, snData* d, snLcpSystem* s, bool alone);

#endif
