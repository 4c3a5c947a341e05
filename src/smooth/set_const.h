// What compilers ask of sn_setConst besides.
#ifndef SINEW_SMOOTH_SET_CONST_H
#define SINEW_SMOOTH_SET_CONST_H

#include <sinew/data.h>

/// sn_setConst, and what a description leaves open, which sn_setConst does under 3.3.7 alone
/// (SN_RULE_SET_CONST): damping of ratios, rest lengths of tendons, the statistics.
void sn_resolveConst(snModel* m, snData* d);

#endif
