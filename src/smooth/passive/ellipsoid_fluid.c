// In lanes, too: src/batch/lane/prelude.h.
// Forces of a fluid on a moving ellipsoid with semi-axes r (seed 001, "Passive forces"): added mass, Magnus
// and Kutta lift, drag. v is the velocity of its centre, w its angular velocity, both in the ellipsoid's
// axes.
//
// The area that the ellipsoid shows to its direction of motion is A = pi sqrt(n.n / n.v), n = diag(a) v with
// a = (ry rz, rz rx, rx ry)^2; n is normal to the contour that casts this shadow.
#include "smooth/passive/ellipsoid_fluid.h"

static inline snVec3 times(snVec3 a, snVec3 b)
{
    return sn_v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

// J += s [v]x
static inline void addCross(snMat3* J, real s, snVec3 v)
{
    J->m[1] -= s * v.z;
    J->m[2] += s * v.y;
    J->m[3] += s * v.z;
    J->m[5] -= s * v.x;
    J->m[6] -= s * v.y;
    J->m[7] += s * v.x;
}

// J += s a b'
static inline void addOuter(snMat3* J, real s, snVec3 a, snVec3 b)
{
    const real x[3] = {s * a.x, s * a.y, s * a.z}, y[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) J->m[3 * i + j] += x[i] * y[j];
}

static inline void addDiagonal(snMat3* J, snVec3 a)
{
    J->m[0] += a.x;
    J->m[4] += a.y;
    J->m[8] += a.z;
}

// J += s [v]x diag(a)
static inline void addCrossDiagonal(snMat3* J, real s, snVec3 v, snVec3 a)
{
    const real x[3] = {a.x, a.y, a.z};
    snMat3 K = {0};
    addCross(&K, s, v);
    for (int k = 0; k < 9; k++) J->m[k] += K.m[k] * x[k % 3];
}

// Virtual momentum p = m_A v, L = I_A w of the fluid that is carried along, in rotating axes:
// force p x w, torque p x v + L x w. Accelerations are left out.
static void addedMass(const snEllipsoid* e, snMotion v, snForce* f, snForceGradient* g)
{
    const snVec3 mass = sn_v3Scale(sn_v3Load(e->fluid + SN_FLUID_MASS), e->density);
    const snVec3 inertia = sn_v3Scale(sn_v3Load(e->fluid + SN_FLUID_INERTIA), e->density);
    const snVec3 p = times(mass, v.lin), L = times(inertia, v.ang);
    f->lin = sn_v3Add(f->lin, sn_v3Cross(p, v.ang));
    f->ang = sn_v3Add(f->ang, sn_v3Add(sn_v3Cross(p, v.lin), sn_v3Cross(L, v.ang)));
    if (!g) return;
    addCross(&g->vw, sn_real(1), p);
    addCrossDiagonal(&g->vv, sn_real(-1), v.ang, mass);
    addCross(&g->wv, sn_real(1), p);
    addCrossDiagonal(&g->wv, sn_real(-1), v.lin, mass);
    addCross(&g->ww, sn_real(1), L);
    addCrossDiagonal(&g->ww, sn_real(-1), v.ang, inertia);
}

// Lift of a spinning body: C rho V w x v.
static void magnus(const snEllipsoid* e, snMotion v, snForce* f, snForceGradient* g)
{
    const real volume = 4.0 / 3 * SN_PI * e->r.x * e->r.y * e->r.z,
               c = e->fluid[SN_FLUID_MAGNUS] * e->density * volume;
    f->lin = sn_v3AddScaled(f->lin, c, sn_v3Cross(v.ang, v.lin));
    if (!g) return;
    addCross(&g->vw, -c, v.lin);
    addCross(&g->vv, c, v.ang);
}

// The area shown to the motion, with what it is made of; d* are gradients by v.
typedef struct Shadow {
    snVec3 a, n;
    real num, den;    // n.v, n.n
    real area;        // pi sqrt(den/num)
    snVec3 dlog_area; // gradient of log(area)
} Shadow;

static Shadow shadow(snVec3 r, snVec3 v)
{
    Shadow s;
    const snVec3 side = {r.y * r.z, r.z * r.x, r.x * r.y};
    s.a = times(side, side);
    s.n = times(s.a, v);
    s.num = sn_v3Dot(s.n, v);
    s.den = sn_v3Dot(s.n, s.n);
    s.area = SN_PI * sqrt(s.den / sn_max(s.num, SN_MINVAL));
    const real half_den = sn_select(s.den > 0, 1 / s.den, 0);
    const real half_num = sn_select(s.num > SN_MINVAL, 1 / s.num, 0);
    s.dlog_area = sn_v3AddScaled(sn_v3Scale(times(s.a, s.n), half_den), -half_num, s.n);
    return s;
}

// c: what scales the lift, bottom: |v| n.n
static void kuttaSlope(const Shadow* s, snVec3 v, snVec3 lift, real c, real bottom, snForceGradient* g)
{
    const snMask still = (s->num <= 0) | (s->den <= 0), turns = bottom > SN_MINVAL;
    if (sn_all(still)) return;
    const real vv = sn_v3Dot(v, v), num = sn_select(still, 1, s->num);
    c = sn_select(still, 0, c);
    const snVec3 straight = sn_v3AddScaled(s->dlog_area, 2 / num, s->n);
    snVec3 turned = sn_v3AddScaled(straight, -1 / vv, v);
    turned = sn_v3AddScaled(turned, -2 / s->den, times(s->a, s->n));
    addOuter(&g->vv, c, lift, sn_v3Select(turns, turned, straight));
    addDiagonal(&g->vv, sn_v3AddScaled(sn_v3(c * s->num, c * s->num, c * s->num), -c * vv, s->a));
    addOuter(&g->vv, 2 * c, v, s->n);
    addOuter(&g->vv, -2 * c, s->n, v);
}

// Lift C rho A cos(alpha) (n/|n| x v) x v of a body at an angle alpha to the stream, cos(alpha) =
// n.v/(|n||v|). (n x v) x v = (n.v) v - (v.v) n.
static void kutta(const snEllipsoid* e, const Shadow* s, snVec3 v, snForce* f, snForceGradient* g)
{
    const real vv = sn_v3Dot(v, v), speed = sqrt(vv), bottom = speed * s->den;
    const real c = e->fluid[SN_FLUID_KUTTA] * e->density * s->area * s->num / sn_max(bottom, SN_MINVAL);
    const snVec3 lift = sn_v3AddScaled(sn_v3Scale(v, s->num), -vv, s->n);
    f->lin = sn_v3AddScaled(f->lin, c, lift);
    if (g) kuttaSlope(s, v, lift, c, bottom, g);
}

// Viscous drag 6 pi mu R v of a sphere of the mean radius R, and pressure drag on the blunt and the slender
// part of the largest shadow.
static void linearDrag(const snEllipsoid* e, const Shadow* s, snVec3 v, snForce* f, snForceGradient* g)
{
    const snVec3 r = e->r;
    const real big = sn_max(sn_max(r.x, r.y), r.z), small = sn_min(sn_min(r.x, r.y), r.z);
    const real middle = r.x + r.y + r.z - big - small, largest = SN_PI * big * middle;
    const real blunt = e->fluid[SN_FLUID_BLUNT], slender = e->fluid[SN_FLUID_SLENDER], speed = sn_v3Norm(v);
    const real area = blunt * s->area + slender * (largest - s->area);
    const real k = e->viscosity * 2 * SN_PI * (r.x + r.y + r.z) + e->density * speed * area;
    f->lin = sn_v3AddScaled(f->lin, -k, v);
    if (!g) return;
    addDiagonal(&g->vv, sn_v3(-k, -k, -k));
    const snMask still = speed < SN_MINVAL;
    if (sn_all(still)) return;
    addOuter(&g->vv, sn_select(still, 0, -e->density * area / speed), v, v);
    addOuter(&g->vv, sn_select(still, 0, -e->density * speed * (blunt - slender) * s->area), v, s->dlog_area);
}

snVec3 sn_ellipsoidAngularDrag(const snEllipsoid* e)
{
    const snVec3 r = e->r;
    const real big = sn_max(sn_max(r.x, r.y), r.z), small = sn_min(sn_min(r.x, r.y), r.z);
    const real middle = r.x + r.y + r.z - big - small, c = sn_real(8.0 / 15 * SN_PI);
    const real yz = sn_max(r.y, r.z), zx = sn_max(r.z, r.x), xy = sn_max(r.x, r.y);
    const snVec3 own = {c * r.x * yz * yz * yz * yz, c * r.y * zx * zx * zx * zx,
                        c * r.z * xy * xy * xy * xy};
    const real largest = c * middle * big * big * big * big;
    const real blunt = e->fluid[SN_FLUID_ANGULAR], slender = e->fluid[SN_FLUID_SLENDER];
    return sn_v3AddScaled(sn_v3(slender * largest, slender * largest, slender * largest), blunt - slender,
                          own);
}

static void angularDrag(const snEllipsoid* e, snVec3 w, snForce* f, snForceGradient* g)
{
    const snVec3 q = sn_ellipsoidAngularDrag(e);
    const real side = 2 * (e->r.x + e->r.y + e->r.z) / 3;
    const snVec3 x = times(q, w);
    const real size = sn_v3Norm(x), k = e->viscosity * SN_PI * side * side * side + e->density * size;
    f->ang = sn_v3AddScaled(f->ang, -k, w);
    if (!g) return;
    addDiagonal(&g->ww, sn_v3(-k, -k, -k));
    const snMask turns = size >= SN_MINVAL;
    if (sn_any(turns)) addOuter(&g->ww, sn_select(turns, -e->density / size, 0), w, times(q, x));
}

static void switchOn(const snEllipsoid* e, snForceGradient* gradient)
{
    const real on = e->fluid[0];
    if (!sn_all(on == 1))
        for (real *p = gradient->ww.m, *end = p + 36; p < end; p++) *p *= on;
}

void sn_ellipsoidDrag(const snEllipsoid* e, snMotion v, snForceGradient* gradient)
{
    snForce f = {0};
    const Shadow s = shadow(e->r, v.lin);
    *gradient = (snForceGradient){0};
    linearDrag(e, &s, v.lin, &f, gradient);
    angularDrag(e, v.ang, &f, gradient);
    switchOn(e, gradient);
}

snForce sn_ellipsoidFluid(const snEllipsoid* e, snMotion v, snForceGradient* gradient)
{
    snForce f = {0};
    if (gradient) *gradient = (snForceGradient){0};
    const Shadow s = shadow(e->r, v.lin);
    addedMass(e, v, &f, gradient);
    magnus(e, v, &f, gradient);
    kutta(e, &s, v.lin, &f, gradient);
    linearDrag(e, &s, v.lin, &f, gradient);
    angularDrag(e, v.ang, &f, gradient);
    const real on = e->fluid[0];
    if (gradient) switchOn(e, gradient);
    return (snForce){sn_v3Scale(f.ang, on), sn_v3Scale(f.lin, on)};
}
