#include "lcp/maximal/body.h"
#include <math.h>
#include <string.h>
#include "math/dense.h"
#include "model/arena.h"
#include "model/weld.h"
#include "smooth/inertia/damped.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/kinematics/resistance.h"

int sn_maximalSize(const snMaximalBody* b)
{
    return 8 + sn_padded(b->rotor);
}

// ---- inertia

// Mass into `lin` and the centre of mass into c, from the moments m c of all that is welded together.
static void addMass(const snModel* m, const snData* d, int body, snMaximalBody* b)
{
    b->lin += m->body_mass[body];
    b->c = sn_v3AddScaled(b->c, m->body_mass[body], sn_v3Load(d->xipos + 3 * body));
}

// C += R I R' + m (r'r 1 - r r')
static void addMoments(const snModel* m, const snData* d, int body, snMaximalBody* b)
{
    const double *R = d->ximat + 9 * body, *I = m->body_inertia + 3 * body, mass = m->body_mass[body];
    double r[3];
    sn_v3Store(r, sn_v3Sub(sn_v3Load(d->xipos + 3 * body), b->c));
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = mass * ((i == j ? square : 0) - r[i] * r[j]);
            for (int k = 0; k < 3; k++) sum += R[3 * i + k] * I[k] * R[3 * j + k];
            b->C[3 * i + j] += sum;
        }
}

// I = C C' in place; false: not positive.
static bool factor(double* C)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = C[3 * i + j];
            for (int k = 0; k < j; k++) sum -= C[3 * i + k] * C[3 * j + k];
            if (i == j && !(sum > SN_MINVAL)) return false;
            C[3 * i + j] = i == j ? sqrt(sum) : sum / C[3 * j + j];
        }
    return true;
}

static void inertias(const snModel* m, const snData* d, const snMaximalBodies* bodies)
{
    for (int i = 1; i < m->nbody; i++)
        if (bodies->of[i] >= 0) addMass(m, d, i, bodies->body + bodies->of[i]);
    for (int n = 0; n < bodies->count; n++) {
        snMaximalBody* b = bodies->body + n;
        b->c = sn_v3Scale(b->c, 1 / b->lin);
    }
    for (int i = 1; i < m->nbody; i++)
        if (bodies->of[i] >= 0) addMoments(m, d, i, bodies->body + bodies->of[i]);
    for (int n = 0; n < bodies->count; n++) {
        snMaximalBody* b = bodies->body + n;
        b->sound = b->lin > SN_MINVAL && factor(b->C);
        b->lin = 1 / sqrt(b->lin);
    }
}

// ---- joints

static double dot6(const double* a, const double* b)
{
    double sum = 0;
    for (int k = 0; k < 6; k++) sum += a[k] * b[k];
    return sum;
}

// v less its parts along orthonormal rows, twice, for rounding; returns its length. part [count], may be
// NULL.
static double orthogonalise(const double Q[][6], int count, double* v, double* part)
{
    for (int k = 0; k < count && part; k++) part[k] = 0;
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < count; k++) {
            const double along = dot6(Q[k], v);
            for (int i = 0; i < 6; i++) v[i] -= along * Q[k][i];
            if (part) part[k] += along;
        }
    return sqrt(dot6(v, v));
}

static void divide(double* v, double by)
{
    for (int i = 0; i < 6; i++) v[i] /= by;
}

// S_F = Q R, and pinv(S_F) = inv(R) Q'. Q goes on with the basis N. false: S_F is not of full rank.
static bool split(const double S[][6], int n, double Q[6][6], double rate[][6])
{
    double R[6][6] = {{0}};
    for (int k = 0; k < n; k++) {
        memcpy(Q[k], S[k], sizeof Q[k]);
        double part[6];
        R[k][k] = orthogonalise(Q, k, Q[k], part);
        if (!(R[k][k] > 1e-9 * sqrt(dot6(S[k], S[k])))) return false;
        divide(Q[k], R[k][k]);
        for (int i = 0; i < k; i++) R[i][k] = part[i];
    }
    for (int k = n - 1; k >= 0; k--) {
        memcpy(rate[k], Q[k], sizeof rate[k]);
        for (int j = k + 1; j < n; j++)
            for (int i = 0; i < 6; i++) rate[k][i] -= R[k][j] * rate[j][i];
        divide(rate[k], R[k][k]);
    }
    for (int k = n; k < 6; k++) {
        double best = 0;
        for (int axis = 0; axis < 6; axis++) {
            double v[6] = {0};
            v[axis] = 1;
            const double length = orthogonalise(Q, k, v, NULL);
            if (!(length > best)) continue;
            best = length;
            memcpy(Q[k], v, sizeof v);
        }
        divide(Q[k], best);
    }
    return true;
}

static bool splitJoints(const snModel* m, const snData* d, bool damped, snMaximalBody* b)
{
    double free[6][6], Q[6][6], rate[6][6];
    const int first = m->body_dofadr[b->id];
    for (int k = 0; k < m->body_dofnum[b->id]; k++) {
        const int dof = first + k;
        const double inertia =
            sn_armatureOfDof(m, dof) + (damped ? m->opt.timestep * sn_dampingOfDof(m, dof, d->qvel[dof]) : 0);
        b->S[k] = sn_motionAt(sn_motionLoad(d->cdof + 6 * dof), sn_treeCom(m, d, b->id), b->c);
        if (inertia < 0) return false;
        b->place[k] = inertia > 0 ? -1 - b->rotor : b->free;
        if (inertia > 0) {
            b->turning[b->rotor] = b->S[k];
            b->root[b->rotor++] = 1 / sqrt(inertia);
        } else {
            sn_motionStore(free[b->free++], b->S[k]);
        }
    }
    if (!split(free, b->free, Q, rate)) return false;
    for (int k = 0; k < b->free; k++) b->rate[k] = sn_forceLoad(rate[k]);
    for (int k = b->free; k < 6; k++) b->hold[k - b->free] = sn_forceLoad(Q[k]);
    return true;
}

// What tendons with armature add to M is not of single dofs.
static void excludeArmature(const snModel* m, const snData* d, const snMaximalBodies* bodies)
{
    for (int t = 0; t < m->ntendon; t++) {
        const int* dof = d->ten_J_colind + d->ten_J_rowadr[t];
        for (int k = 0; k < d->ten_J_rownnz[t] && sn_armatureOfTendon(m, t) != 0; k++)
            bodies->body[bodies->of[m->dof_bodyid[dof[k]]]].sound = false;
    }
}

bool sn_maximalBodies(const snModel* m, snData* d, snMaximalBodies* bodies)
{
    const bool damped = sn_eulerDamped(m);
    int count = 0;
    for (int i = 1; i < m->nbody; i++) count += m->body_dofnum[i] > 0;
    bodies->count = 0;
    bodies->body = sn_scratchAlloc(d, (size_t)count * sizeof(snMaximalBody));
    bodies->of = sn_scratchInt(d, m->nbody);
    if (!bodies->body || !bodies->of) return false;
    bodies->of[0] = -1;
    for (int i = 1; i < m->nbody; i++) {
        bodies->of[i] = m->body_dofnum[i] ? bodies->count : bodies->of[sn_moverOf(m, i)];
        if (m->body_dofnum[i])
            bodies->body[bodies->count++] =
                (snMaximalBody){.id = i, .parent = bodies->of[m->body_parentid[i]], .base = -1};
    }
    inertias(m, d, bodies);
    for (int n = 0; n < count; n++)
        if (bodies->body[n].sound) bodies->body[n].sound = splitJoints(m, d, damped, bodies->body + n);
    excludeArmature(m, d, bodies);
    return true;
}
