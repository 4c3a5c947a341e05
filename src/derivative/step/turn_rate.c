// With t the shortest vector of the rotation, u = t x w, s = t x u and c' = e x:
//     d theta' = dt x w / 2 + e (t . dt) s + c (dt x u + t x (dt x w)) + dw + t x dw / 2 + c t x (t x dw),
// and, as t and theta are of one direction and differ by full turns,
//     t = f theta,   dt = f dtheta + (1 - f) / |theta|^2 theta (theta . dtheta).
#include "derivative/step/turn_rate.h"
#include <stddef.h>
#include "smooth/kinematics/turn_rate.h"

typedef struct Turn {
    snVec3 theta, t, w, u, s;
    double f, c, e;
} Turn;

// e; as sn_turnFactor.
static double factorSlope(double x)
{
    const double x2 = x * x, sine = sn_sin(0.5 * x);
    if (x < 0.3) return 1 / 360.0 + x2 * (1 / 7560.0 + x2 * (1 / 201600.0 + x2 * (1 / 5987520.0)));
    return (-2 + 0.5 * x * sn_cos(0.5 * x) / sine + 0.25 * x2 / (sine * sine)) / (x2 * x2);
}

static Turn turnOf(snVec3 theta, snVec3 w)
{
    Turn turn = {.theta = theta, .w = w, .f = sn_shortestTurn(sn_v3Norm(theta))};
    turn.t = sn_v3Scale(theta, turn.f);
    turn.u = sn_v3Cross(turn.t, w);
    turn.s = sn_v3Cross(turn.t, turn.u);
    turn.c = sn_turnFactor(sn_v3Norm(turn.t));
    turn.e = factorSlope(sn_v3Norm(turn.t));
    return turn;
}

// dt of dtheta; it is symmetric.
static snVec3 shorten(const Turn* turn, snVec3 x)
{
    if (turn->f == 1) return x;
    const snVec3 theta = turn->theta;
    const double along = (1 - turn->f) * sn_v3Dot(theta, x) / sn_v3Dot(theta, theta);
    return sn_v3AddScaled(sn_v3Scale(x, turn->f), along, theta);
}

static snVec3 along(const Turn* turn, snVec3 dt, snVec3 dw)
{
    const snVec3 turned = sn_v3Cross(dt, turn->w);
    const snVec3 inner = sn_v3Add(sn_v3Cross(dt, turn->u), sn_v3Cross(turn->t, turned));
    snVec3 sum = sn_v3AddScaled(sn_shortTurnRate(turn->t, dw), 0.5, turned);
    sum = sn_v3AddScaled(sum, turn->e * sn_v3Dot(turn->t, dt), turn->s);
    return sn_v3AddScaled(sum, turn->c, inner);
}

static snVec3 adjoint(const Turn* turn, snVec3 g)
{
    const snVec3 inner = sn_v3Add(sn_v3Cross(turn->u, g), sn_v3Cross(turn->w, sn_v3Cross(g, turn->t)));
    const snVec3 sum =
        sn_v3AddScaled(sn_v3Scale(sn_v3Cross(turn->w, g), 0.5), turn->e * sn_v3Dot(g, turn->s), turn->t);
    return sn_v3AddScaled(sum, turn->c, inner);
}

void sn_turnRateAlong(snVec3 theta, snVec3 w, double h, const double* dmean, double* dw, int stride)
{
    const Turn turn = turnOf(theta, w);
    const ptrdiff_t y = stride, z = 2 * y;
    for (int k = 0; k < stride; k++, dmean++, dw++) {
        const snVec3 dt = shorten(&turn, sn_v3(h * dmean[0], h * dmean[y], h * dmean[z]));
        const snVec3 rate = along(&turn, dt, sn_v3(dw[0], dw[y], dw[z]));
        dw[0] = rate.x;
        dw[y] = rate.y;
        dw[z] = rate.z;
    }
}

void sn_turnRateAdjoint(snVec3 theta, snVec3 w, double h, double* g, double* gmean)
{
    const Turn turn = turnOf(theta, w);
    const snVec3 of = sn_v3Load(g), gt = shorten(&turn, adjoint(&turn, of));
    sn_v3Store(gmean, sn_v3AddScaled(sn_v3Load(gmean), h, gt));
    sn_v3Store(g, sn_shortTurnRate(sn_v3Neg(turn.t), of)); // the transpose
}
