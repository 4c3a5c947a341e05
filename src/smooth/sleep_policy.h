// Who may sleep where a model leaves it open: found when it is compiled, and by sn_setConst.
#ifndef SINEW_SMOOTH_SLEEP_POLICY_H
#define SINEW_SMOOTH_SLEEP_POLICY_H

#include <sinew/model.h>

/// SN_SLEEP_AUTO_ALLOWED and SN_SLEEP_AUTO_NEVER of tree_sleep_policy, anew; the others stay.
void sn_resolvePolicies(snModel* m);

/// Why trees that a tendon joins may not sleep, whatever is asked; NULL: they may.
const char* sn_whyTendonKeepsAwake(const snModel* m, int tendon);

#endif
