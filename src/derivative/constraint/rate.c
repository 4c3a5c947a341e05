#include "derivative/constraint/rate.h"
#include <string.h>
#include <sinew/kinematics_derivative.h>
#include "derivative/kinematics/rate.h"
#include "math/spatial.h"
#include "model/arena.h"
#include "model/rules.h"
#include "smooth/inertia/equality_anchor.h"
#include "smooth/kinematics/unforced.h"

static bool hasTerm(const snModel* m, const snData* d, int row)
{
    return d->efc_type[row] == SN_CNSTR_EQUALITY && sn_isBetweenBodies(m, d->efc_id[row]);
}

bool sn_rateAllocate(const snModel* m, snData* d, snEqualityRate* rate)
{
    bool needed = false;
    *rate = (snEqualityRate){0};
    for (int r = 0; r < d->ne && !needed; r++) needed = hasTerm(m, d, r);
    if (!needed || !sn_means(m->physics, SN_RULE_EQUALITY_VELOCITY)) return true;
    rate->q = sn_scratchReal(d, 6 * m->nv);
    rate->v = sn_scratchReal(d, 6 * m->nv);
    rate->work = sn_scratchReal(d, 48 * m->nv);
    return rate->q && rate->v && rate->work;
}

// A column of [6 x nv]: its angular and its linear part.
static snVec3 angular(const double* x, int nv, int k)
{
    return (snVec3){x[k], x[nv + k], x[2 * nv + k]};
}

static void putColumn(double* x, int nv, int k, snVec3 column)
{
    x[k] = column.x;
    x[nv + k] = column.y;
    x[2 * nv + k] = column.z;
}

// What both sides of an equality do: the first less the second.
typedef struct Sides {
    int nv;
    double *aq[2], *av[2]; // [6 x nv] of their accelerations by position and velocity
    double *wq[2], *wv[2]; // [6 x nv] of their velocities
    snVec3 w[2], a;        // angular velocities; angular acceleration of the first less that of the second
} Sides;

// The points: difference of their accelerations.
static void points(const Sides* s, double* q, double* v)
{
    const size_t n = 3 * (size_t)s->nv;
    for (size_t i = 0; i < n; i++) {
        q[i] = s->aq[0][n + i] - s->aq[1][n + i];
        v[i] = s->av[0][n + i] - s->av[1][n + i];
    }
}

// r'' = s/2 vec(q2* X q1) with X = (-w.w/2, a + w x (w1 + w2)/2), w = w1 - w2; see
// constraint/equality_bias.c.
typedef struct Turn {
    snQuat q1, q2conj, X;
    double half; // s/2
    snVec3 w, sum;
} Turn;

static snVec3 shown(const Turn* t, snQuat X)
{
    return sn_v3Scale(sn_quatVector(sn_quatMul(sn_quatMul(t->q2conj, X), t->q1)), t->half);
}

// The change of X with those of a and of both angular velocities.
static snQuat changeOf(const Turn* t, snVec3 da, snVec3 dw1, snVec3 dw2)
{
    const snVec3 dw = sn_v3Sub(dw1, dw2), dsum = sn_v3Add(dw1, dw2);
    const snVec3 bent = sn_v3Add(sn_v3Cross(dw, t->sum), sn_v3Cross(t->w, dsum));
    const snVec3 v = sn_v3AddScaled(da, 0.5, bent);
    return (snQuat){-sn_v3Dot(t->w, dw), v.x, v.y, v.z};
}

static snQuat pure(snVec3 v)
{
    return (snQuat){0, 0.5 * v.x, 0.5 * v.y, 0.5 * v.z};
}

static snQuat sumOf(snQuat a, snQuat b, double sign)
{
    return (snQuat){a.w + sign * b.w, a.x + sign * b.x, a.y + sign * b.y, a.z + sign * b.z};
}

// The frames turn by t1 and t2: q1 by (0, t1) q1 / 2, q2* by - q2* (0, t2) / 2.
static snQuat turned(const Turn* t, snQuat dX, snVec3 t1, snVec3 t2)
{
    return sumOf(sumOf(dX, sn_quatMul(t->X, pure(t1)), 1), sn_quatMul(pure(t2), t->X), -1);
}

static Turn turnOf(const snModel* m, const snData* d, int eq, const Sides* s)
{
    const snVec3 w = sn_v3Sub(s->w[0], s->w[1]), sum = sn_v3Add(s->w[0], s->w[1]);
    const snVec3 rate = sn_v3AddScaled(s->a, 0.5, sn_v3Cross(w, sum));
    return (Turn){.q1 = sn_weldFrame(m, d, eq, 0),
                  .q2conj = sn_quatConj(sn_weldFrame(m, d, eq, 1)),
                  .X = {-0.5 * sn_v3Dot(w, w), rate.x, rate.y, rate.z},
                  .half = 0.5 * sn_weldScale(m, eq),
                  .w = w,
                  .sum = sum};
}

static void rotation(const Turn* t, const Sides* s, double* q, double* v)
{
    const int nv = s->nv;
    for (int k = 0; k < nv; k++) {
        const snVec3 t1 = angular(s->wv[0], nv, k), t2 = angular(s->wv[1], nv, k); // also what positions turn
        const snVec3 aq = sn_v3Sub(angular(s->aq[0], nv, k), angular(s->aq[1], nv, k));
        const snVec3 av = sn_v3Sub(angular(s->av[0], nv, k), angular(s->av[1], nv, k));
        const snQuat dX = changeOf(t, aq, angular(s->wq[0], nv, k), angular(s->wq[1], nv, k));
        putColumn(q, nv, k, shown(t, turned(t, dX, t1, t2)));
        putColumn(v, nv, k, shown(t, changeOf(t, av, t1, t2)));
    }
}

static void side(const snModel* m, const snData* d, int eq, int i, double* work, Sides* s)
{
    const int body = sn_equalityBody(m, eq, i), size = 6 * m->nv;
    double point[3];
    s->aq[i] = work;
    s->av[i] = work + size;
    s->wq[i] = work + 2 * size;
    s->wv[i] = work + 3 * size;
    s->w[i] = sn_v3Load(d->cvel + 6 * body);
    sn_v3Store(point, sn_equalityAnchor(m, d, eq, i));
    sn_pointRateDerivative(m, d, body, point, s->aq[i], s->av[i]);
    sn_objectVelocityDerivative(m, d, SN_OBJ_XBODY, body, point, 0, s->wq[i], s->wv[i], NULL);
}

bool sn_rateOf(const snModel* m, const snData* d, int row, snEqualityRate* rate)
{
    if (!rate->q || !hasTerm(m, d, row)) return false;
    const int eq = d->efc_id[row], nv = m->nv;
    Sides s = {.nv = nv};
    for (int i = 0; i < 2; i++) side(m, d, eq, i, rate->work + (size_t)(24 * i * nv), &s);
    points(&s, rate->q, rate->v);
    if (m->eq_type[eq] != SN_EQ_WELD) return true;
    s.a = sn_v3Sub(sn_unforcedAcceleration(m, d, sn_equalityBody(m, eq, 0)).ang,
                   sn_unforcedAcceleration(m, d, sn_equalityBody(m, eq, 1)).ang);
    const Turn turn = turnOf(m, d, eq, &s);
    rotation(&turn, &s, rate->q + 3 * nv, rate->v + 3 * nv);
    return true;
}
