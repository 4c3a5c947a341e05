#include "../lane_elementary.h"

static void all(const snDouble* x, const snDouble* y, snDouble out[ELEMENTARY_COUNT][16])
{
    real a, b, s, c;
    for (int l = 0; l < SN_LANES; l++) {
        a[l] = x[l];
        b[l] = y[l];
    }
    sn_sincos(a, &s, &c);
    const real results[ELEMENTARY_COUNT] = {
        sn_sin(a),    sn_cos(a),    s,           c,         sn_tan(a),      sn_asin(a),
        sn_acos(a),   sn_exp(a),    sn_expm1(a), sn_log(a), sn_atan2(a, b), sn_pow(a, b),
        sn_max(a, b), sn_min(a, b),
    };
    for (int k = 0; k < ELEMENTARY_COUNT; k++)
        for (int l = 0; l < SN_LANES; l++) out[k][l] = results[k][l];
}

extern const TestLaneElementary SN_LANE(testLaneElementary);
const TestLaneElementary SN_LANE(testLaneElementary) = {SN_LANES, all};
