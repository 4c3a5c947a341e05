// In lanes, too: src/batch/lane/prelude.h.
// Curves and activation of muscles, and their slopes. Source: seed 001, "Activation dynamics", "Force
// generation"; the curves are those of <sinew/muscle.h>.
#include "smooth/actuator/law/muscle.h"
#include <math.h>
#include <sinew/types.h>

static inline real square(real x)
{
    return x * x;
}

static inline real clamp01(real x)
{
    return sn_select(x < 0, 0, sn_select(x > 1, 1, x));
}

real sn_muscleForceLength(real L, real lmin, real lmax)
{
    const snMask off = (L < lmin) | (L > lmax);
    if (sn_all(off)) return sn_real(0);
    const real a = 0.5 * (lmin + 1), b = 0.5 * (1 + lmax);
    // selects: which of the four pieces it is cannot be guessed
    const snMask rising = L <= 1, outer = (rising & (L <= a)) | (sn_not(rising) & (L > b));
    const real foot = sn_select(outer, sn_select(rising, lmin, lmax), 1);
    const real width =
        sn_select(rising, sn_select(outer, a - lmin, 1 - a), sn_select(outer, lmax - b, b - 1));
    const real half = 0.5 * square((L - foot) / sn_max(width, SN_MINVAL)),
               fl = sn_select(outer, half, 1 - half);
    return sn_any(off) ? sn_select(off, 0, fl) : fl;
}

real sn_muscleForceVelocity(real V, real fvmax)
{
    const real y = fvmax - 1;
    const snMask stalled = V <= -1, shorter = V <= 0, rising = V <= y;
    if (sn_all(stalled)) return sn_real(0);
    const real parabola = sn_select(stalled, 0, square(V + 1));
    if (sn_all(shorter)) return parabola;
    const real longer =
        sn_any(rising) ? sn_select(rising, fvmax - square(y - V) / sn_max(y, SN_MINVAL), fvmax) : fvmax;
    return sn_select(shorter, parabola, longer);
}

real sn_musclePassive(real L, real lmax, real fpmax)
{
    const real b = 0.5 * (1 + lmax);
    const snMask slack = L <= 1;
    if (sn_all(slack)) return sn_real(0);
    const snMask near = L <= b;
    const real width = sn_max(b - 1, SN_MINVAL), x = (L - sn_select(near, 1, b)) / width;
    const real fp = sn_select(near, fpmax * 0.5 * square(x), fpmax * (0.5 + x));
    return sn_any(slack) ? sn_select(slack, 0, fp) : fp;
}

static real peakForce(real acc0, const real prm[9])
{
    const snMask scaled = prm[2] < 0;
    return sn_any(scaled) ? sn_select(scaled, prm[3] / sn_max(acc0, SN_MINVAL), prm[2]) : prm[2];
}

static real optimalLength(const real lengthrange[2], const real prm[9])
{
    return (lengthrange[1] - lengthrange[0]) / sn_max(prm[1] - prm[0], SN_MINVAL);
}

static real scaledLength(real length, const real lengthrange[2], const real prm[9])
{
    return prm[0] + (length - lengthrange[0]) / sn_max(optimalLength(lengthrange, prm), SN_MINVAL);
}

real sn_muscleGain(real length, real velocity, const real lengthrange[2], real acc0, const real prm[9])
{
    const real L = scaledLength(length, lengthrange, prm);
    const real V = velocity / sn_max(optimalLength(lengthrange, prm) * prm[6], SN_MINVAL);
    return -peakForce(acc0, prm) * sn_muscleForceLength(L, prm[4], prm[5]) *
           sn_muscleForceVelocity(V, prm[8]);
}

// dFV/dV
static real forceVelocitySlope(real V, real fvmax)
{
    const real y = fvmax - 1;
    const snMask stalled = V <= -1, shorter = V <= 0, rising = V <= y;
    if (sn_all(stalled)) return sn_real(0);
    const real slope = sn_select(stalled, 0, 2 * (V + 1));
    if (sn_all(shorter)) return slope;
    const real longer =
        sn_any(rising) ? sn_select(rising, 2 * (y - V) / sn_max(y, SN_MINVAL), 0) : sn_real(0);
    return sn_select(shorter, slope, longer);
}

real sn_muscleGainVelocity(real length, real velocity, const real lengthrange[2], real acc0,
                           const real prm[9])
{
    const real L = scaledLength(length, lengthrange, prm);
    const real speed = sn_max(optimalLength(lengthrange, prm) * prm[6], SN_MINVAL);
    return -peakForce(acc0, prm) * sn_muscleForceLength(L, prm[4], prm[5]) *
           forceVelocitySlope(velocity / speed, prm[8]) / speed;
}

real sn_muscleBias(real length, const real lengthrange[2], real acc0, const real prm[9])
{
    return -peakForce(acc0, prm) * sn_musclePassive(scaledLength(length, lengthrange, prm), prm[5], prm[7]);
}

// From 0 at x <= 0 to 1 at x >= 1, with two derivatives 0 at both ends.
static real smoothStep(real x)
{
    x = clamp01(x);
    return x * x * x * (6 * x * x - 15 * x + 10);
}

real sn_muscleDynamics(real ctrl, real act, const real prm[3])
{
    const real difference = clamp01(ctrl) - act, slow = 0.5 + 1.5 * clamp01(act);
    const real rising = prm[0] * slow, falling = prm[1] / slow;
    const snMask hard = prm[2] < SN_MINVAL;
    real tau = sn_select(difference > 0, rising, falling);
    if (!sn_all(hard)) {
        const real blend = falling + (rising - falling) * smoothStep(difference / prm[2] + 0.5);
        tau = sn_select(hard, tau, blend);
    }
    return difference / sn_max(tau, SN_MINVAL);
}

#ifndef SN_LANES

// ---- slopes

static real forceLengthSlope(real L, real lmin, real lmax)
{
    if (L < lmin || L > lmax) return 0;
    const real a = 0.5 * (lmin + 1), b = 0.5 * (1 + lmax);
    const bool rising = L <= 1, outer = rising ? L <= a : L > b;
    const real foot = outer ? (rising ? lmin : lmax) : 1;
    const real width = sn_max(rising ? (outer ? a - lmin : 1 - a) : (outer ? lmax - b : b - 1), SN_MINVAL);
    const real slope = (L - foot) / (width * width);
    return outer ? slope : -slope;
}

// d2FV/dV2
static real forceVelocityBend(real V, real fvmax)
{
    const real y = fvmax - 1;
    if (V <= -1) return 0;
    if (V <= 0) return 2;
    return V > y ? 0 : -2 / sn_max(y, SN_MINVAL);
}

static real passiveSlope(real L, real lmax, real fpmax)
{
    const real b = 0.5 * (1 + lmax), width = sn_max(b - 1, SN_MINVAL);
    if (L <= 1) return 0;
    return L <= b ? fpmax * (L - 1) / (width * width) : fpmax / width;
}

snLawSlopes sn_muscleGainSlopes(const snLawPoint* p)
{
    const real *prm = p->prm, optimal = optimalLength(p->lengthrange, prm);
    const real peak = peakForce(p->acc0, prm), unit = sn_max(optimal, SN_MINVAL),
               speed = sn_max(optimal * prm[6], SN_MINVAL);
    const real L = scaledLength(p->length, p->lengthrange, prm), V = p->velocity / speed;
    const real FL = sn_muscleForceLength(L, prm[4], prm[5]), FV = sn_muscleForceVelocity(V, prm[8]);
    const real dFL = forceLengthSlope(L, prm[4], prm[5]) / unit;
    const real dFV = forceVelocitySlope(V, prm[8]) / speed, ddFV = forceVelocityBend(V, prm[8]);
    return (snLawSlopes){.length = -peak * dFL * FV,
                         .velocity = -peak * FL * dFV,
                         .velocity_length = -peak * dFL * dFV,
                         .velocity_velocity = -peak * FL * ddFV / (speed * speed)};
}

snLawSlopes sn_muscleBiasSlopes(const snLawPoint* p)
{
    const real *prm = p->prm, unit = sn_max(optimalLength(p->lengthrange, prm), SN_MINVAL);
    const real slope = passiveSlope(scaledLength(p->length, p->lengthrange, prm), prm[5], prm[7]);
    return (snLawSlopes){.length = -peakForce(p->acc0, prm) * slope / unit};
}

static real smoothStepSlope(real x)
{
    const real y = clamp01(x);
    return 30 * y * y * (1 - y) * (1 - y);
}

// The rate is e/tau with e = ctrl - act.
snRateSlopes sn_muscleRateSlopes(real ctrl, real act, const real prm[3])
{
    const real u = clamp01(ctrl), a = clamp01(act);
    const real e = u - act, slow = 0.5 + 1.5 * a, dslow = a == act ? 1.5 : 0;
    const real rising = prm[0] * slow, falling = prm[1] / slow;
    const real drising = prm[0] * dslow, dfalling = -falling / slow * dslow; // by act
    real tau = e > 0 ? rising : falling, dtau = e > 0 ? drising : dfalling, dtau_e = 0;
    if (!(prm[2] < SN_MINVAL)) {
        const real x = e / prm[2] + 0.5, share = smoothStep(x);
        tau = falling + (rising - falling) * share;
        dtau = dfalling + (drising - dfalling) * share;
        dtau_e = (rising - falling) * smoothStepSlope(x) / prm[2];
    }
    if (tau < SN_MINVAL) tau = SN_MINVAL, dtau = dtau_e = 0;
    const real by_e = 1 / tau - e * dtau_e / (tau * tau);
    return (snRateSlopes){.act = -by_e - e * dtau / (tau * tau), .ctrl = u == ctrl ? by_e : 0};
}

// ---- numbers

bool sn_isMuscleScaled(const real prm[9])
{
    return prm[2] < 0;
}

const char* sn_muscleFault(const real prm[9])
{
    if (!(prm[0] < prm[1])) return "muscle: range: the first number must be smaller than the second";
    if (!(prm[4] < 1 && prm[5] > 1)) return "muscle: lmin must be below 1 and lmax above";
    if (!(prm[3] > 0 && prm[6] > 0 && prm[7] > 0 && prm[8] > 0))
        return "muscle: scale, vmax, fpmax and fvmax must be positive";
    return NULL;
}

#endif
