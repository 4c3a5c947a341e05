// In lanes, too: src/batch/lane/prelude.h.
// Fluid forces (seed 001, "Passive forces"): on the box of a body's inertia, or on its ellipsoid geoms.
#include "smooth/passive/fluid.h"
#include "shape/extent.h"
#include "smooth/passive/ellipsoid_fluid.h"
#include "smooth/kinematics/jacobian.h"

// Sides of the box of uniform density with the body's mass and principal moments:
// I_x = mass (y^2 + z^2)/12, so x^2 = 6 (I_y + I_z - I_x)/mass.
static inline snVec3 inertiaBox(const snModel* m, int b)
{
    const real* I = m->body_inertia + 3 * b;
    const real mass = m->body_mass[b], s = 6 / sn_select(mass < SN_MINVAL, SN_MINVAL, mass);
    return sn_v3(sqrt(sn_max(I[1] + I[2] - I[0], SN_MINVAL) * s),
                 sqrt(sn_max(I[0] + I[2] - I[1], SN_MINVAL) * s),
                 sqrt(sn_max(I[0] + I[1] - I[2], SN_MINVAL) * s));
}

// The fluid around a body; none where it feels none.
typedef struct Medium {
    real density, viscosity;
} Medium;

static inline Medium medium(const snModel* m, snMask felt)
{
    return (Medium){sn_select(felt, m->opt.density, 0), sn_select(felt, m->opt.viscosity, 0)};
}

// Force on a box with sides s that moves with velocity v in its own axes. Quadratic drag on the faces: along
// i -rho/2 s_j s_k |v_i| v_i, and the same pressure integrated over the turning faces gives the torque
// -rho/64 s_i (s_j^4 + s_k^4) |w_i| w_i. Viscous drag as on a sphere of the mean side (Stokes).
static snForce boxFluid(Medium medium, snVec3 s, snMotion v, snForceGradient* g)
{
    const real x4 = s.x * s.x * s.x * s.x, y4 = s.y * s.y * s.y * s.y, z4 = s.z * s.z * s.z * s.z;
    const snVec3 w = v.ang, u = v.lin;
    const real t = -medium.density / 64, f = -medium.density / 2;
    const snVec3 turn = {t * s.x * (y4 + z4) * fabs(w.x), t * s.y * (x4 + z4) * fabs(w.y),
                         t * s.z * (x4 + y4) * fabs(w.z)};
    const snVec3 push = {f * s.y * s.z * fabs(u.x), f * s.x * s.z * fabs(u.y), f * s.x * s.y * fabs(u.z)};
    const real side = (s.x + s.y + s.z) / 3, viscous = SN_PI * side * medium.viscosity;
    const real a = -viscous * side * side, b = -3 * viscous;
    if (g) {
        *g = (snForceGradient){0};
        const real da[3] = {turn.x, turn.y, turn.z}, db[3] = {push.x, push.y, push.z};
        for (int k = 0; k < 3; k++) {
            g->ww.m[4 * k] = a + 2 * da[k];
            g->vv.m[4 * k] = b + 2 * db[k];
        }
    }
    return (snForce){sn_v3((turn.x + a) * w.x, (turn.y + a) * w.y, (turn.z + a) * w.z),
                     sn_v3((push.x + b) * u.x, (push.y + b) * u.y, (push.z + b) * u.z)};
}

static inline snMat3 add(snMat3 a, snMat3 b)
{
    for (int k = 0; k < 9; k++) a.m[k] += b.m[k];
    return a;
}

static inline snMat3 sub(snMat3 a, snMat3 b)
{
    for (int k = 0; k < 9; k++) a.m[k] -= b.m[k];
    return a;
}

static inline snMat3 toWorld(snMat3 R, snMat3 B)
{
    return sn_m3MulM3(sn_m3MulM3(R, B), sn_m3Transpose(R));
}

// (B + B')/2
static void symmetrise(snForceGradient* g)
{
    const snForceGradient b = *g;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int k = 3 * i + j, t = 3 * j + i;
            g->ww.m[k] = 0.5 * (b.ww.m[k] + b.ww.m[t]);
            g->vv.m[k] = 0.5 * (b.vv.m[k] + b.vv.m[t]);
            g->wv.m[k] = 0.5 * (b.wv.m[k] + b.vw.m[t]);
            g->vw.m[k] = 0.5 * (b.vw.m[k] + b.wv.m[t]);
        }
}

// to += B, from the shape's axes R at `arm` from the tree's centre of mass to world axes there: a velocity
// (w, v) is (w, v + w x arm) at the shape, a force (T, F) there is (T + arm x F, F).
static void addGradient(snForceGradient* to, snForceGradient b, snMat3 R, snVec3 arm)
{
    const real o = sn_real(0);
    const snMat3 A = {{o, -arm.z, arm.y, arm.z, o, -arm.x, -arm.y, arm.x, o}};
    b.ww = toWorld(R, b.ww);
    b.wv = toWorld(R, b.wv);
    b.vw = toWorld(R, b.vw);
    b.vv = toWorld(R, b.vv);
    const snMat3 vw = sub(b.vw, sn_m3MulM3(b.vv, A));
    to->ww = add(to->ww, add(sub(b.ww, sn_m3MulM3(b.wv, A)), sn_m3MulM3(A, vw)));
    to->wv = add(to->wv, add(b.wv, sn_m3MulM3(A, b.vv)));
    to->vw = add(to->vw, vw);
    to->vv = add(to->vv, b.vv);
}

// A shape of body b: where its frame is.
typedef struct Frame {
    snMat3 R;
    snVec3 arm;
} Frame;

static Frame frameAt(const snModel* m, const snData* d, int b, const real* pos, const real* mat)
{
    return (Frame){sn_m3Load(mat), sn_v3Sub(sn_v3Load(pos), sn_treeCom(m, d, b))};
}

// Velocity of the frame relative to the fluid, in its own axes.
static snMotion relative(const snModel* m, const snData* d, int b, const Frame* f)
{
    const snMotion c = sn_motionLoad(d->cvel + 6 * b);
    const snVec3 at = sn_v3Add(c.lin, sn_v3Cross(c.ang, f->arm));
    return (snMotion){sn_m3TMul(f->R, c.ang), sn_m3TMul(f->R, sn_v3Sub(at, sn_v3Load(m->opt.wind)))};
}

static snForce toCom(const Frame* f, snForce local)
{
    const snVec3 force = sn_m3Mul(f->R, local.lin);
    return (snForce){sn_v3Add(sn_m3Mul(f->R, local.ang), sn_v3Cross(f->arm, force)), force};
}

static snMask hasEllipsoids(const snModel* m, int b)
{
    snMask some = sn_mask(false);
    for (int i = m->body_geomadr[b], end = i + m->body_geomnum[b]; i < end; i++)
        some |= m->geom_fluid[SN_NFLUID * i] > 0;
    return some;
}

static snEllipsoid ellipsoidOf(const snModel* m, int geom, Medium medium)
{
    return (snEllipsoid){sn_semiAxes(m->geom_type[geom], m->geom_size + 3 * geom),
                         m->geom_fluid + SN_NFLUID * geom, medium.density, medium.viscosity};
}

// f where the mask is set, else 0; so, too, its gradient (may be NULL).
static inline snForce only(snMask mask, snForce f, snForceGradient* g)
{
    const snVec3 zero = sn_v3(0, 0, 0);
    if (sn_all(mask)) return f;
    real* slope = (real*)g; // its 36 numbers
    for (int k = 0; k < 36 && g; k++) slope[k] = sn_select(mask, slope[k], 0);
    return (snForce){sn_v3Select(mask, f.ang, zero), sn_v3Select(mask, f.lin, zero)};
}

static snForce ellipsoids(const snModel* m, const snData* d, int b, Medium medium, snForceGradient* gradient,
                          snFluidPart part)
{
    snForce sum = {0};
    for (int i = m->body_geomadr[b], end = i + m->body_geomnum[b]; i < end; i++) {
        const snEllipsoid e = ellipsoidOf(m, i, medium);
        const snMask there = e.fluid[0] > 0;
        if (!sn_any(there)) continue;
        const Frame frame = frameAt(m, d, b, d->geom_xpos + 3 * i, d->geom_xmat + 9 * i);
        snForceGradient g, *slope = gradient ? &g : NULL;
        const snForce f = only(there, sn_ellipsoidFluid(&e, relative(m, d, b, &frame), slope), slope);
        sum = sn_forceAdd(sum, toCom(&frame, f));
        if (!gradient) continue;
        if (part == SN_FLUID_DRAG) sn_ellipsoidDrag(&e, relative(m, d, b, &frame), &g);
        if (part != SN_FLUID_WHOLE) symmetrise(&g);
        addGradient(gradient, g, frame.R, frame.arm);
    }
    return sum;
}

static snForce box(const snModel* m, const snData* d, int b, Medium medium, snMask there,
                   snForceGradient* gradient)
{
    const Frame frame = frameAt(m, d, b, d->xipos + 3 * b, d->ximat + 9 * b);
    snForceGradient g, *slope = gradient ? &g : NULL;
    const snForce f =
        only(there, boxFluid(medium, inertiaBox(m, b), relative(m, d, b, &frame), slope), slope);
    if (gradient) addGradient(gradient, g, frame.R, frame.arm);
    return toCom(&frame, f);
}

snForce sn_fluidForce(const snModel* m, const snData* d, int body, snForceGradient* gradient,
                      snFluidPart part)
{
    const snMask felt = (m->body_mass[body] >= SN_MINVAL) & sn_hasFluid(m), round = hasEllipsoids(m, body);
    snForce sum = {0};
    if (!sn_any(felt)) return sum;
    if (sn_any(round)) sum = ellipsoids(m, d, body, medium(m, felt), gradient, part);
    if (sn_all(round)) return sum;
    const snForce f = box(m, d, body, medium(m, felt), sn_not(round), gradient);
    return (snForce){sn_v3Select(round, sum.ang, f.ang), sn_v3Select(round, sum.lin, f.lin)};
}

// ---- second derivatives

#ifndef SN_LANES

// Second derivatives of boxFluid, without those that are 0: by each component twice.
static void boxCurvature(Medium medium, snVec3 s, snMotion v, snMotion u, snForceGradient* g)
{
    snForceGradient slope;
    (void)boxFluid(medium, s, v, &slope);
    snForceGradient still;
    (void)boxFluid(medium, s, (snMotion){{0, 0, 0}, {0, 0, 0}}, &still);
    const real w[3] = {v.ang.x, v.ang.y, v.ang.z}, x[3] = {v.lin.x, v.lin.y, v.lin.z};
    const real dw[3] = {u.ang.x, u.ang.y, u.ang.z}, dx[3] = {u.lin.x, u.lin.y, u.lin.z};
    *g = (snForceGradient){0};
    for (int k = 0; k < 3; k++) { // the slope is linear in |v|
        if (w[k] != 0) g->ww.m[4 * k] = (slope.ww.m[4 * k] - still.ww.m[4 * k]) / w[k] * dw[k];
        if (x[k] != 0) g->vv.m[4 * k] = (slope.vv.m[4 * k] - still.vv.m[4 * k]) / x[k] * dx[k];
    }
}

// A velocity of the body, seen from the frame.
static snMotion toFrame(const Frame* f, snMotion v)
{
    const snVec3 at = sn_v3Add(v.lin, sn_v3Cross(v.ang, f->arm));
    return (snMotion){sn_m3TMul(f->R, v.ang), sn_m3TMul(f->R, at)};
}

void sn_fluidCurvature(const snModel* m, const snData* d, int body, snMotion u, bool symmetric,
                       snForceGradient* curvature)
{
    if (!(m->body_mass[body] >= SN_MINVAL)) return;
    snForceGradient g;
    if (!hasEllipsoids(m, body)) {
        const Frame frame = frameAt(m, d, body, d->xipos + 3 * body, d->ximat + 9 * body);
        boxCurvature(medium(m, true), inertiaBox(m, body), relative(m, d, body, &frame), toFrame(&frame, u),
                     &g);
        addGradient(curvature, g, frame.R, frame.arm);
        return;
    }
    for (int i = m->body_geomadr[body], end = i + m->body_geomnum[body]; i < end; i++) {
        const snEllipsoid e = ellipsoidOf(m, i, medium(m, true));
        if (!(e.fluid[0] > 0)) continue;
        const Frame frame = frameAt(m, d, body, d->geom_xpos + 3 * i, d->geom_xmat + 9 * i);
        sn_ellipsoidCurvature(&e, relative(m, d, body, &frame), toFrame(&frame, u), symmetric, &g);
        addGradient(curvature, g, frame.R, frame.arm);
    }
}

#endif
