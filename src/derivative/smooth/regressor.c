// What inverse dynamics and energy are linear in: mass m, first moment h = m c and inertia J of each body
// about the origin of its frame. With w the angular velocity, e its rate, a the acceleration of the origin
// against gravity, all in the body's axes,
//     force  = m a + e x h + w x (w x h),
//     torque = h x a + J e + w x J w,
// about the origin; v the velocity of the origin and g gravity give the energies
//     T = m v.v/2 + h.(v x w) + w'J w/2,   V = - m g.x - g.h.
// Source: Atkeson, An and Hollerbach 1986.
#include <sinew/dynamics_derivative.h>
#include <string.h>
#include "derivative/smooth/bias.h"
#include "math/spatial.h"
#include "model/arena.h"
#include "smooth/kinematics/jacobian.h"

enum { PARAMETERS = 10 };

// J = R diag(moments) R' + m (|c|^2 1 - c c')
void sn_inertialParameters(const snModel* m, double* pi)
{
    for (int b = 0; b < m->nbody; b++, pi += PARAMETERS) {
        const snMat3 R = sn_quatToMat(sn_quatNormalize(sn_quatLoad(m->body_iquat + 4 * b)));
        const double mass = m->body_mass[b], *moments = m->body_inertia + 3 * b, *c = m->body_ipos + 3 * b;
        const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
        static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
        pi[0] = mass;
        for (int k = 0; k < 3; k++) pi[1 + k] = mass * c[k];
        for (int e = 0; e < 6; e++) {
            const double *r = R.m + 3 * row[e], *s = R.m + 3 * column[e];
            pi[4 + e] = r[0] * s[0] * moments[0] + r[1] * s[1] * moments[1] + r[2] * s[2] * moments[2] +
                        mass * ((row[e] == column[e] ? square : 0) - c[row[e]] * c[column[e]]);
        }
    }
}

// Motion of a body in its own axes, at its origin: angular part, part of the origin as it moves.
typedef struct Local {
    snVec3 w, v, e, a;
} Local;

static Local localMotion(const snModel* m, const snData* d, int b, const double* acc)
{
    const snMat3 R = sn_m3Load(d->xmat + 9 * b);
    const snVec3 arm = sn_v3Sub(sn_v3Load(d->xpos + 3 * b), sn_treeCom(m, d, b));
    const snMotion V = sn_motionLoad(d->cvel + 6 * b);
    const snVec3 v = sn_v3Add(V.lin, sn_v3Cross(V.ang, arm));
    Local local = {.w = sn_m3TMul(R, V.ang), .v = sn_m3TMul(R, v)};
    if (!acc) return local;
    const snMotion A = sn_motionLoad(acc + 6 * b);
    const snVec3 a = sn_v3Add(sn_v3Add(A.lin, sn_v3Cross(A.ang, arm)), sn_v3Cross(V.ang, v));
    local.e = sn_m3TMul(R, A.ang);
    local.a = sn_m3TMul(R, a);
    return local;
}

// Column j of the six numbers of J: the j-th of xx yy zz xy xz yz times the vector w.
static inline snVec3 inertiaColumn(int j, snVec3 w)
{
    switch (j) {
    case 0: return sn_v3(w.x, 0, 0);
    case 1: return sn_v3(0, w.y, 0);
    case 2: return sn_v3(0, 0, w.z);
    case 3: return sn_v3(w.y, w.x, 0);
    case 4: return sn_v3(w.z, 0, w.x);
    default: return sn_v3(0, w.z, w.y);
    }
}

// Forces of unit parameters, in the body's axes about its origin.
static void unitForces(const Local* l, snForce f[PARAMETERS])
{
    f[0] = (snForce){sn_v3(0, 0, 0), l->a};
    for (int k = 0; k < 3; k++) {
        const snVec3 h = sn_v3(k == 0, k == 1, k == 2);
        const snVec3 turning = sn_v3Cross(l->w, sn_v3Cross(l->w, h));
        f[1 + k] = (snForce){sn_v3Cross(h, l->a), sn_v3Add(sn_v3Cross(l->e, h), turning)};
    }
    for (int j = 0; j < 6; j++) {
        const snVec3 turning = sn_v3Cross(l->w, inertiaColumn(j, l->w));
        f[4 + j] = (snForce){sn_v3Add(inertiaColumn(j, l->e), turning), sn_v3(0, 0, 0)};
    }
}

// The columns of body b: what unit parameters ask of the dofs that move it.
static void bodyColumns(const snModel* m, const snData* d, int b, const double* acc, double* Y)
{
    const size_t width = (size_t)m->nbody * PARAMETERS;
    const Local local = localMotion(m, d, b, acc);
    const snMat3 R = sn_m3Load(d->xmat + 9 * b);
    const snVec3 arm = sn_v3Sub(sn_v3Load(d->xpos + 3 * b), sn_treeCom(m, d, b));
    snForce f[PARAMETERS];
    unitForces(&local, f);
    for (int i = sn_lastDof(m, b); i >= 0; i = m->dof_parentid[i]) {
        const snMotion S = sn_motionLoad(d->cdof + 6 * i);
        const snMotion s = {sn_m3TMul(R, S.ang), sn_m3TMul(R, sn_v3Add(S.lin, sn_v3Cross(S.ang, arm)))};
        double* row = Y + (size_t)i * width + (size_t)b * PARAMETERS;
        for (int p = 0; p < PARAMETERS; p++) row[p] = sn_motionDotForce(s, f[p]);
    }
}

// acc [nbody x 6], gravity as an upward acceleration of the world
static void accelerations(const snModel* m, const snData* d, const double* qacc, double* acc)
{
    const bool off = m->opt.disableflags & SN_DSBL_GRAVITY;
    sn_v3Store(acc, sn_v3(0, 0, 0));
    sn_v3Store(acc + 3, off ? sn_v3(0, 0, 0) : sn_v3Neg(sn_v3Load(m->opt.gravity)));
    for (int b = 1; b < m->nbody; b++) {
        snMotion a = sn_motionLoad(acc + 6 * m->body_parentid[b]);
        for (int k = m->body_dofadr[b], end = k + m->body_dofnum[b]; k < end; k++) {
            a = sn_motionAddScaled(a, d->qvel[k], sn_motionLoad(d->cdof_dot + 6 * k));
            a = sn_motionAddScaled(a, qacc[k], sn_motionLoad(d->cdof + 6 * k));
        }
        sn_motionStore(acc + 6 * b, a);
    }
}

snStatus sn_rneRegressor(const snModel* m, snData* d, const double* qacc, double* Y, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    double* acc = sn_scratchReal(d, 6 * m->nbody);
    if (!acc) return sn_failRoom(error);
    accelerations(m, d, qacc, acc);
    memset(Y, 0, (size_t)m->nv * (size_t)m->nbody * PARAMETERS * sizeof(double));
    for (int b = 1; b < m->nbody; b++) bodyColumns(m, d, b, acc, Y);
    sn_scratchRelease(d, mark);
    return SN_STATUS_OK;
}

static void kineticOf(const snModel* m, const snData* d, int b, double* y)
{
    const Local l = localMotion(m, d, b, NULL);
    y[0] = 0.5 * sn_v3Dot(l.v, l.v);
    sn_v3Store(y + 1, sn_v3Cross(l.v, l.w));
    for (int j = 0; j < 6; j++) y[4 + j] = 0.5 * sn_v3Dot(l.w, inertiaColumn(j, l.w));
}

static void potentialOf(const snModel* m, const snData* d, int b, double* y)
{
    const bool off = m->opt.disableflags & SN_DSBL_GRAVITY;
    const snVec3 up = off ? sn_v3(0, 0, 0) : sn_v3Neg(sn_v3Load(m->opt.gravity));
    memset(y, 0, PARAMETERS * sizeof(double));
    y[0] = sn_v3Dot(up, sn_v3Load(d->xpos + 3 * b));
    sn_v3Store(y + 1, sn_m3TMul(sn_m3Load(d->xmat + 9 * b), up));
}

void sn_energyRegressor(const snModel* m, const snData* d, double* kinetic, double* potential)
{
    for (int b = 0; b < m->nbody; b++) {
        if (kinetic) kineticOf(m, d, b, kinetic + (ptrdiff_t)PARAMETERS * b);
        if (potential) potentialOf(m, d, b, potential + (ptrdiff_t)PARAMETERS * b);
    }
    if (potential) memset(potential, 0, PARAMETERS * sizeof(double)); // as energy[0], without the world
}
