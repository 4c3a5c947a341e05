// Second derivatives of the forces on an ellipsoid, T(i,j,k) = d2 f_i/dv_j dv_k, angular part first. With n =
// diag(a) v as in ellipsoid_fluid.c all that is not bilinear is s(v) x(v): x = v or (n.v) v - (v.v) n, and s
// a product of powers of the quadratic forms v.v, n.v, n.n (and (q w).(q w) for what turns), so that
//     l = grad log s = sum p g/Q,   hess s = s (l l' + sum p (H/Q - g g'/Q^2))
// with g and H of each form Q with power p. Source: seed 001, "Passive forces"; the derivatives are worked
// out here.
#include <math.h>
#include <string.h>
#include "smooth/passive/ellipsoid_fluid.h"

typedef real Tensor[6][6][6];

typedef struct Scalar {
    real value, gradient[3], hessian[3][3];
} Scalar;

// Times Q^p with Q = sum a_k v_k^2; in the logarithm: value is log s, the rest its derivatives.
static void multiply(Scalar* log_s, const real a[3], const real v[3], real p)
{
    real Q = 0;
    for (int k = 0; k < 3; k++) Q += a[k] * v[k] * v[k];
    if (!(Q > 0)) return; // a flat ellipsoid, or underflow
    log_s->value += p * sn_log(Q);
    for (int j = 0; j < 3; j++) {
        log_s->gradient[j] += p * 2 * a[j] * v[j] / Q;
        log_s->hessian[j][j] += p * 2 * a[j] / Q;
        for (int k = 0; k < 3; k++) log_s->hessian[j][k] -= p * 4 * a[j] * v[j] * a[k] * v[k] / (Q * Q);
    }
}

static Scalar fromLog(const Scalar* l, real scale)
{
    Scalar s = {.value = scale * sn_exp(l->value)};
    for (int j = 0; j < 3; j++) {
        s.gradient[j] = s.value * l->gradient[j];
        for (int k = 0; k < 3; k++)
            s.hessian[j][k] = s.value * (l->gradient[j] * l->gradient[k] + l->hessian[j][k]);
    }
    return s;
}

// T += -d2 (s v): the drag s on what moves along v; `at` is 0 for turning, 3 for moving.
static void addDrag(Tensor T, int at, const Scalar* s, const real v[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                T[at + i][at + j][at + k] -=
                    s->hessian[j][k] * v[i] + (i == k) * s->gradient[j] + (i == j) * s->gradient[k];
}

// T += d2 (s x), x = (n.v) v - (v.v) n
static void addLift(Tensor T, const Scalar* s, const real a[3], const real v[3])
{
    real num = 0, vv = 0;
    for (int k = 0; k < 3; k++) num += a[k] * v[k] * v[k], vv += v[k] * v[k];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                const real x = (num - vv * a[i]) * v[i];
                const real xj = 2 * (a[j] - a[i]) * v[j] * v[i] + (i == j) * (num - vv * a[i]);
                const real xk = 2 * (a[k] - a[i]) * v[k] * v[i] + (i == k) * (num - vv * a[i]);
                const real xjk = 2 * ((j == k) * (a[j] - a[i]) * v[i] + (i == k) * (a[j] - a[i]) * v[j] +
                                      (i == j) * (a[k] - a[i]) * v[k]);
                T[3 + i][3 + j][3 + k] +=
                    s->hessian[j][k] * x + s->gradient[j] * xk + s->gradient[k] * xj + s->value * xjk;
            }
}

// T += second derivatives of s (diag(m) x) x y, the parts x, y of the velocity and of the force starting at
// these places.
static void addCross(Tensor T, int force, int x, int y, real s, const real m[3])
{
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3, i = (j + 2) % 3;
        T[force + i][x + j][y + k] += s * m[j];
        T[force + i][y + k][x + j] += s * m[j];
        T[force + k][x + j][y + i] -= s * m[j];
        T[force + k][y + i][x + j] -= s * m[j];
    }
}

// Lift and pressure drag of what moves along v, in the area pi sqrt(n.n/n.v) that it shows.
static void moving(const snEllipsoid* e, const real v[3], Tensor T)
{
    static const real one[3] = {1, 1, 1};
    const snVec3 r = e->r;
    const real side[3] = {r.y * r.z, r.z * r.x, r.x * r.y};
    const real big = sn_max(sn_max(r.x, r.y), r.z), small = sn_min(sn_min(r.x, r.y), r.z);
    const real largest = SN_PI * big * (r.x + r.y + r.z - big - small);
    real a[3], a2[3];
    for (int k = 0; k < 3; k++) a[k] = side[k] * side[k], a2[k] = a[k] * a[k];

    Scalar speed = {0}, shadow = {0}, lift = {0};
    multiply(&speed, one, v, 0.5);
    multiply(&shadow, one, v, 0.5);
    multiply(&shadow, a2, v, 0.5);
    multiply(&shadow, a, v, -0.5);
    multiply(&lift, a, v, 0.5);
    multiply(&lift, a2, v, -0.5);
    multiply(&lift, one, v, -0.5);
    const real blunt = e->fluid[SN_FLUID_BLUNT], slender = e->fluid[SN_FLUID_SLENDER];
    const Scalar whole = fromLog(&speed, e->density * slender * largest);
    const Scalar part = fromLog(&shadow, e->density * (blunt - slender) * SN_PI);
    const Scalar up = fromLog(&lift, e->density * e->fluid[SN_FLUID_KUTTA] * SN_PI);
    addDrag(T, 3, &whole, v);
    addDrag(T, 3, &part, v);
    addLift(T, &up, a, v);
}

static void turning(const snEllipsoid* e, const real w[3], Tensor T)
{
    const snVec3 q = sn_ellipsoidAngularDrag(e);
    const real square[3] = {q.x * q.x, q.y * q.y, q.z * q.z};
    Scalar size = {0};
    multiply(&size, square, w, 0.5);
    const Scalar drag = fromLog(&size, e->density);
    addDrag(T, 0, &drag, w);
}

static void secondDerivatives(const snEllipsoid* e, snMotion v, Tensor T)
{
    static const real one[3] = {1, 1, 1};
    const real w[3] = {v.ang.x, v.ang.y, v.ang.z}, x[3] = {v.lin.x, v.lin.y, v.lin.z};
    const real volume = 4.0 / 3 * SN_PI * e->r.x * e->r.y * e->r.z;
    if (sn_v3Norm(v.lin) >= SN_MINVAL) moving(e, x, T);
    const snVec3 q = sn_ellipsoidAngularDrag(e);
    if (sn_v3Norm(sn_v3(q.x * w[0], q.y * w[1], q.z * w[2])) >= SN_MINVAL) turning(e, w, T);
    addCross(T, 3, 0, 3, e->fluid[SN_FLUID_MAGNUS] * e->density * volume, one);
    addCross(T, 3, 3, 0, e->density, e->fluid + SN_FLUID_MASS);
    addCross(T, 0, 3, 3, e->density, e->fluid + SN_FLUID_MASS);
    addCross(T, 0, 0, 0, e->density, e->fluid + SN_FLUID_INERTIA);
}

void sn_ellipsoidCurvature(const snEllipsoid* e, snMotion v, snMotion u, bool symmetric,
                           snForceGradient* curvature)
{
    Tensor T;
    memset(T, 0, sizeof T);
    secondDerivatives(e, v, T);
    const real along[6] = {u.ang.x, u.ang.y, u.ang.z, u.lin.x, u.lin.y, u.lin.z};
    real* block[2][2] = {{curvature->ww.m, curvature->wv.m}, {curvature->vw.m, curvature->vv.m}};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            real sum = 0, turned = 0;
            for (int j = 0; j < 6; j++) {
                sum += T[i][j][k] * along[j];
                turned += T[j][i][k] * along[j];
            }
            block[i / 3][k / 3][3 * (i % 3) + k % 3] = e->fluid[0] * (symmetric ? 0.5 * (sum + turned) : sum);
        }
}
