// Curves and activation of muscles.
#include <sinew/muscle.h>
#include <math.h>
#include <sinew/types.h>

static inline double square(double x)
{
    return x * x;
}

static inline double clamp01(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// No call of fmax: a muscle has ten of these.
static inline double atLeast(double x)
{
    return x > SN_MINVAL ? x : SN_MINVAL;
}

double sn_muscleForceLength(double L, double lmin, double lmax)
{
    if (L < lmin || L > lmax) return 0;
    const double a = 0.5 * (lmin + 1), b = 0.5 * (1 + lmax);
    // selects: which of the four pieces it is cannot be guessed
    const bool rising = L <= 1, outer = rising ? L <= a : L > b;
    const double foot = outer ? (rising ? lmin : lmax) : 1;
    const double width = rising ? (outer ? a - lmin : 1 - a) : (outer ? lmax - b : b - 1);
    const double x = (L - foot) / atLeast(width);
    return outer ? 0.5 * square(x) : 1 - 0.5 * square(x);
}

double sn_muscleForceVelocity(double V, double fvmax)
{
    const double y = fvmax - 1;
    if (V <= -1) return 0;
    if (V <= 0) return square(V + 1);
    if (V <= y) return fvmax - square(y - V) / atLeast(y);
    return fvmax;
}

double sn_musclePassive(double L, double lmax, double fpmax)
{
    const double b = 0.5 * (1 + lmax);
    if (L <= 1) return 0;
    if (L <= b) return fpmax * 0.5 * square((L - 1) / atLeast(b - 1));
    return fpmax * (0.5 + (L - b) / atLeast(b - 1));
}

static double peakForce(double acc0, const double prm[9])
{
    return prm[2] < 0 ? prm[3] / atLeast(acc0) : prm[2];
}

static double optimalLength(const double lengthrange[2], const double prm[9])
{
    return (lengthrange[1] - lengthrange[0]) / atLeast(prm[1] - prm[0]);
}

static double scaledLength(double length, const double lengthrange[2], const double prm[9])
{
    return prm[0] + (length - lengthrange[0]) / atLeast(optimalLength(lengthrange, prm));
}

double sn_muscleGain(double length, double velocity, const double lengthrange[2], double acc0,
                     const double prm[9])
{
    const double L = scaledLength(length, lengthrange, prm);
    const double V = velocity / atLeast(optimalLength(lengthrange, prm) * prm[6]);
    return -peakForce(acc0, prm) * sn_muscleForceLength(L, prm[4], prm[5]) *
           sn_muscleForceVelocity(V, prm[8]);
}

// dFV/dV
static double forceVelocitySlope(double V, double fvmax)
{
    const double y = fvmax - 1;
    if (V <= -1) return 0;
    if (V <= 0) return 2 * (V + 1);
    if (V <= y) return 2 * (y - V) / atLeast(y);
    return 0;
}

double sn_muscleGainVelocity(double length, double velocity, const double lengthrange[2], double acc0,
                             const double prm[9])
{
    const double L = scaledLength(length, lengthrange, prm);
    const double speed = atLeast(optimalLength(lengthrange, prm) * prm[6]);
    return -peakForce(acc0, prm) * sn_muscleForceLength(L, prm[4], prm[5]) *
           forceVelocitySlope(velocity / speed, prm[8]) / speed;
}

double sn_muscleBias(double length, const double lengthrange[2], double acc0, const double prm[9])
{
    return -peakForce(acc0, prm) * sn_musclePassive(scaledLength(length, lengthrange, prm), prm[5], prm[7]);
}

// From 0 at x <= 0 to 1 at x >= 1, with two derivatives 0 at both ends.
static double smoothStep(double x)
{
    x = clamp01(x);
    return x * x * x * (6 * x * x - 15 * x + 10);
}

double sn_muscleDynamics(double ctrl, double act, const double prm[3])
{
    const double difference = clamp01(ctrl) - act, slow = 0.5 + 1.5 * clamp01(act);
    const double rising = prm[0] * slow, falling = prm[1] / slow;
    double tau;
    if (prm[2] < SN_MINVAL)
        tau = difference > 0 ? rising : falling;
    else
        tau = falling + (rising - falling) * smoothStep(difference / prm[2] + 0.5);
    return difference / atLeast(tau);
}
