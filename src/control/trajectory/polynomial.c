// Polynomials through the ends of a motion, in the share s = t / duration of the time. Each is written from
// the nearer end, so that both ends are met to the last bit: seen from the other end time runs backwards, and
// velocities change their sign. Source: Lynch and Park 2017, 9.2.
#include <math.h>
#include <sinew/trajectory.h>
#include "base/error.h"
#include "math/finite.h"

// One coordinate.
typedef struct Point {
    double pos, vel, acc;
} Point;

static double numberOf(const double* array, int i)
{
    return array ? array[i] : 0;
}

// An end, with derivatives by s.
static Point endOf(const double* pos, const double* vel, const double* acc, int i, double T)
{
    return (Point){pos[i], numberOf(vel, i) * T, numberOf(acc, i) * T * T};
}

// c[0] + c[1] s + ... through the ends at s = 0 and 1.
static void coefficients(int degree, Point a, Point b, double c[6])
{
    const double D = b.pos - a.pos;
    for (int k = 0; k < 6; k++) c[k] = 0;
    c[0] = a.pos;
    if (degree == 1) {
        c[1] = D;
        return;
    }
    c[1] = a.vel;
    if (degree == 3) {
        c[2] = 3 * D - 2 * a.vel - b.vel;
        c[3] = a.vel + b.vel - 2 * D;
        return;
    }
    c[2] = 0.5 * a.acc;
    c[3] = 10 * D - 6 * a.vel - 4 * b.vel - 1.5 * a.acc + 0.5 * b.acc;
    c[4] = -15 * D + 8 * a.vel + 7 * b.vel + 1.5 * a.acc - b.acc;
    c[5] = 6 * D - 3 * a.vel - 3 * b.vel - 0.5 * a.acc + 0.5 * b.acc;
}

static Point evaluate(const double c[6], double s)
{
    Point p = {0, 0, 0};
    for (int k = 5; k >= 0; k--) p.pos = p.pos * s + c[k];
    for (int k = 5; k >= 1; k--) p.vel = p.vel * s + k * c[k];
    for (int k = 5; k >= 2; k--) p.acc = p.acc * s + k * (k - 1) * c[k];
    return p;
}

static Point pointAt(int degree, Point a, Point b, double t, double T)
{
    const bool back = t > 0.5 * T;
    if (back) {
        const Point first = {b.pos, -b.vel, b.acc}, last = {a.pos, -a.vel, a.acc};
        a = first, b = last;
    }
    double c[6];
    coefficients(degree, a, b, c);
    Point p = evaluate(c, back ? (T - t) / T : t / T);
    p.vel = (back ? -p.vel : p.vel) / T;
    p.acc = p.acc / T / T;
    return p;
}

static bool allFinite(const double* array, int n)
{
    return !array || sn_areFinite(array, n);
}

static snStatus check(const snMotionEnds* ends, int degree, double t, snError* error)
{
    const int n = ends->n;
    if (degree != 1 && degree != 3 && degree != 5)
        return sn_fail(error, SN_STATUS_ARGUMENT, "the degree of a polynomial is %d, must be 1, 3 or 5",
                       degree);
    if (n < 0 || (n > 0 && (!ends->pos0 || !ends->pos1)))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "a motion of %d coordinates needs the positions pos0 and pos1 of its ends", n);
    if (!(ends->duration > 0) || !isfinite(ends->duration))
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "the duration of a motion is %g s, must be finite and above 0", ends->duration);
    if (isnan(t)) return sn_fail(error, SN_STATUS_ARGUMENT, "the time of a motion is NaN");
    if (!allFinite(ends->pos0, n) || !allFinite(ends->vel0, n) || !allFinite(ends->acc0, n) ||
        !allFinite(ends->pos1, n) || !allFinite(ends->vel1, n) || !allFinite(ends->acc1, n))
        return sn_fail(error, SN_STATUS_ARGUMENT, "the ends of a motion must be finite numbers");
    return SN_STATUS_OK;
}

snStatus sn_polynomial(const snMotionEnds* ends, int degree, double t, double* pos, double* vel, double* acc,
                       snError* error)
{
    const snStatus status = check(ends, degree, t, error);
    if (status) return status;
    const double T = ends->duration;
    for (int i = 0; i < ends->n; i++) {
        const Point a = endOf(ends->pos0, ends->vel0, ends->acc0, i, T);
        const Point b = endOf(ends->pos1, ends->vel1, ends->acc1, i, T);
        const Point p = t < 0   ? (Point){a.pos, 0, 0}
                        : t > T ? (Point){b.pos, 0, 0}
                                : pointAt(degree, a, b, t, T);
        if (pos) pos[i] = p.pos;
        if (vel) vel[i] = p.vel;
        if (acc) acc[i] = p.acc;
    }
    return SN_STATUS_OK;
}
