// The curves are those of smooth/actuator/muscle.c; here are their slopes. Source: seed 001, "Activation
// dynamics", "Force generation".
#include "derivative/force/muscle.h"
#include <sinew/muscle.h>
#include <math.h>
#include <sinew/types.h>

static double atLeast(double x)
{
    return x > SN_MINVAL ? x : SN_MINVAL;
}

static double forceLengthSlope(double L, double lmin, double lmax)
{
    if (L < lmin || L > lmax) return 0;
    const double a = 0.5 * (lmin + 1), b = 0.5 * (1 + lmax);
    const bool rising = L <= 1, outer = rising ? L <= a : L > b;
    const double foot = outer ? (rising ? lmin : lmax) : 1;
    const double width = atLeast(rising ? (outer ? a - lmin : 1 - a) : (outer ? lmax - b : b - 1));
    const double slope = (L - foot) / (width * width);
    return outer ? slope : -slope;
}

// First and second derivative of the force-velocity curve.
static double forceVelocitySlope(double V, double fvmax, double* second)
{
    const double y = fvmax - 1;
    *second = 0;
    if (V <= -1) return 0;
    if (V <= 0) {
        *second = 2;
        return 2 * (V + 1);
    }
    if (V > y) return 0;
    *second = -2 / atLeast(y);
    return 2 * (y - V) / atLeast(y);
}

static double passiveSlope(double L, double lmax, double fpmax)
{
    const double b = 0.5 * (1 + lmax), width = atLeast(b - 1);
    if (L <= 1) return 0;
    return L <= b ? fpmax * (L - 1) / (width * width) : fpmax / width;
}

snMuscleSlopes sn_muscleSlopes(double length, double velocity, const double lengthrange[2], double acc0,
                               const double prm[9])
{
    const double peak = prm[2] < 0 ? prm[3] / atLeast(acc0) : prm[2];
    const double optimal = (lengthrange[1] - lengthrange[0]) / atLeast(prm[1] - prm[0]);
    const double unit = atLeast(optimal), speed = atLeast(optimal * prm[6]);
    const double L = prm[0] + (length - lengthrange[0]) / unit, V = velocity / speed;
    const double FL = sn_muscleForceLength(L, prm[4], prm[5]), FV = sn_muscleForceVelocity(V, prm[8]);
    const double dFL = forceLengthSlope(L, prm[4], prm[5]) / unit;
    double ddFV;
    const double dFV = forceVelocitySlope(V, prm[8], &ddFV) / speed;
    return (snMuscleSlopes){
        .gain_length = -peak * dFL * FV,
        .gain_velocity = -peak * FL * dFV,
        .gain_velocity_length = -peak * dFL * dFV,
        .gain_velocity_velocity = -peak * FL * ddFV / (speed * speed),
        .bias_length = -peak * passiveSlope(L, prm[5], prm[7]) / unit,
    };
}

// x^3 (6 x^2 - 15 x + 10) and its slope, within 0 and 1
static double smoothStep(double x, double* slope)
{
    const double y = x < 0 ? 0 : x > 1 ? 1 : x;
    *slope = 30 * y * y * (1 - y) * (1 - y);
    return y * y * y * (6 * y * y - 15 * y + 10);
}

// The rate is e/tau with e = ctrl - act.
void sn_muscleDynamicsSlopes(double ctrl, double act, const double prm[3], double* by_ctrl, double* by_act)
{
    const double u = ctrl < 0 ? 0 : ctrl > 1 ? 1 : ctrl, a = act < 0 ? 0 : act > 1 ? 1 : act;
    const double e = u - act, slow = 0.5 + 1.5 * a, dslow = a == act ? 1.5 : 0;
    const double rising = prm[0] * slow, falling = prm[1] / slow;
    const double drising = prm[0] * dslow, dfalling = -falling / slow * dslow; // by act
    double tau = e > 0 ? rising : falling, dtau = e > 0 ? drising : dfalling, dtau_e = 0;
    if (!(prm[2] < SN_MINVAL)) {
        double slope;
        const double share = smoothStep(e / prm[2] + 0.5, &slope);
        tau = falling + (rising - falling) * share;
        dtau = dfalling + (drising - dfalling) * share;
        dtau_e = (rising - falling) * slope / prm[2];
    }
    if (tau < SN_MINVAL) tau = SN_MINVAL, dtau = dtau_e = 0;
    const double by_e = 1 / tau - e * dtau_e / (tau * tau);
    *by_ctrl = u == ctrl ? by_e : 0;
    *by_act = -by_e - e * dtau / (tau * tau);
}
