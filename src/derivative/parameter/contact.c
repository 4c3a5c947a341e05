#include "derivative/parameter/contact.h"
#include <math.h>
#include <string.h>
#include "constraint/row.h"
#include "derivative/constraint/change.h"
#include "derivative/contact/geometry.h"
#include "derivative/parameter/wanted.h"

static double weightOf(const snRowWeights* w, int r)
{
    return w->speed[r] + w->sensor[r];
}

// ---- friction

// The edges c_0 +- mu_j c_j of a pyramid; their R goes with (1 + mu_1^2) mu_1^2, at its least with mu_1^2.
static void pyramid(const snData* d, const snRowPoint* point, const snRowLaw* law, const snRowWeights* w,
                    double mu[5])
{
    double scale = 0;
    for (int j = 1; j < law->dim; j++) {
        const int up = law->row + 2 * (j - 1), down = up + 1;
        const double half = 0.5 / law->mu[j - 1];
        const double speed = half * (w->speed[up] - w->speed[down]);
        const double jar = half * (point->jar[up] - point->jar[down]);
        const double *C = law->edgeC + 2 * (j - 1), wu = weightOf(w, up), wd = weightOf(w, down);
        mu[j - 1] += speed * (point->force[up] - point->force[down]) - jar * (wu * C[0] - wd * C[1]);
        scale += wu * point->force[up] + wd * point->force[down];
    }
    const double f = law->mu[0];
    const bool free = d->efc_R[law->row] > sn_leastR(d, law->row);
    mu[0] -= scale * ((free ? 2 * f / (1 + f * f) : 0) + 2 / f);
}

// In the middle zone s = D (x_0 - T)^2 / (2 (1 + mu^2)), T = |mu_j x_j|, mu = mu_1/sqrt(impratio).
static void middle(const snModel* m, const snData* d, const snRowPoint* point, const snRowLaw* law,
                   const snRowWeights* w, double by[5])
{
    const double *x = point->jar + law->row, *f = law->force, *mu = law->mu;
    const double cone = mu[0] / sqrt(sn_max(m->opt.impratio, SN_MINVAL));
    const double K = d->efc_D[law->row] / (1 + cone * cone);
    double T = 0, all = 0;
    for (int j = 1; j < law->dim; j++) T += mu[j - 1] * mu[j - 1] * x[j] * x[j];
    T = sqrt(T);
    for (int i = 0; i < law->dim; i++) all += weightOf(w, law->row + i) * f[i];
    by[0] -= all * 2 * cone * cone / ((1 + cone * cone) * mu[0]);
    for (int j = 1; j < law->dim; j++) {
        const double dT = mu[j - 1] * x[j] * x[j] / T;
        by[j - 1] += weightOf(w, law->row) * K * dT;
        for (int i = 1; i < law->dim; i++) {
            const double tangent = mu[i - 1] * mu[i - 1] * x[i] / T;
            by[j - 1] -= weightOf(w, law->row + i) * dT * (K * tangent + f[i] / T);
        }
        by[j - 1] += weightOf(w, law->row + j) * 2 * f[j] / mu[j - 1];
    }
}

// Where all rows act with their quadratic, D_j goes with mu_j^2 / mu_1^2.
static void bottom(const snRowLaw* law, const snRowWeights* w, double mu[5])
{
    for (int j = 2; j < law->dim; j++) {
        const double power = 2 * weightOf(w, law->row + j) * law->force[j];
        mu[j - 1] += power / law->mu[j - 1];
        mu[0] -= power / law->mu[0];
    }
}

static int pairOf(const snModel* m, const snContact* con)
{
    for (int p = 0; p < m->npair; p++) {
        const int a = m->pair_geom1[p], b = m->pair_geom2[p];
        if ((a == con->geom[0] && b == con->geom[1]) || (a == con->geom[1] && b == con->geom[0])) return p;
    }
    return -1;
}

// A friction below the least one does not count.
static void toPair(const snModel* m, int pair, const double mu[5], double* friction)
{
    for (int k = 0; k < 5; k++)
        if (m->pair_friction[5 * pair + k] >= SN_MINMU) friction[5 * pair + k] += mu[k];
}

static void toGeoms(const snModel* m, const snContact* con, const double mu[5], double* friction)
{
    static const int kind[5] = {0, 0, 1, 2, 2};
    const int a = con->geom[0], b = con->geom[1];
    const int prior = m->geom_priority[a] - m->geom_priority[b];
    for (int k = 0; k < 5; k++) {
        const double fa = m->geom_friction[3 * a + kind[k]], fb = m->geom_friction[3 * b + kind[k]];
        const double share = prior ? prior > 0 : fa == fb ? 0.5 : fa > fb;
        if (fa >= SN_MINMU) friction[3 * a + kind[k]] += share * mu[k];
        if (fb >= SN_MINMU) friction[3 * b + kind[k]] += (1 - share) * mu[k];
    }
}

void sn_addFrictionGradient(const snModel* m, const snData* d, const snRowPoint* point, const snRowLaw* law,
                            const snRowWeights* weights, const snModelGradient* sum)
{
    const snContact* con = d->contact + d->efc_id[law->row];
    double mu[5] = {0};
    if (con->dim == 1 || m->opt.enableflags & SN_ENBL_OVERRIDE) return;
    if (law->edges)
        pyramid(d, point, law, weights, mu);
    else if (point->state[law->row] == SN_CNSTRSTATE_CONE)
        middle(m, d, point, law, weights, mu);
    else
        bottom(law, weights, mu);
    const int pair = pairOf(m, con);
    if (pair < 0 && sum->geom_friction) toGeoms(m, con, mu, sum->geom_friction);
    if (pair >= 0 && sum->pair_friction) toPair(m, pair, mu, sum->pair_friction);
}

// ---- geometry

enum { CHANGES = 7 }; // of dist, pos and turn

// What multiplies changes of the components, and of the edges by sensors.
typedef struct Contact {
    const snRowLaw* law;
    const double* force;  // of its rows
    const double* sensor; // [count] of its rows
    snMat3 frame;         // rows: normal and tangents
    snMotion between[3];  // velocity of geom 1 against geom 0 with qacc, qvel, the multiplier
    double speed[6];      // components of the last
} Contact;

static snVec3 rowOf(const snMat3* frame, int i)
{
    return sn_v3Load(frame->m + 3 * (i % 3));
}

static double component(const Contact* c, int i, int which)
{
    const snMotion* v = c->between + which;
    return sn_v3Dot(rowOf(&c->frame, i), i < 3 ? v->lin : v->ang);
}

// Change k of component i of a velocity: by dist, by the point moving along an axis, by a turn about it.
static double componentChange(const Contact* c, int i, int which, int k)
{
    const snMotion* v = c->between + which;
    if (k == 0) return 0;
    const int axis = (k - 1) % 3;
    const snVec3 e = sn_v3(axis == 0, axis == 1, axis == 2), row = rowOf(&c->frame, i);
    if (k > 3) return sn_v3Dot(sn_v3Cross(e, row), i < 3 ? v->lin : v->ang);
    return i < 3 ? sn_v3Dot(row, sn_v3Cross(v->ang, e)) : 0;
}

static double bySensors(const Contact* c, const double jar[6], double dist)
{
    const snRowLaw* law = c->law;
    double sum = 0, edge[SN_EDGES];
    if (!law->edges) return 0;
    sn_edgesOf(law, jar, 1, edge);
    for (int r = 0; r < law->count; r++)
        sum += c->sensor[r] * (law->kappa[0] * c->force[r] * dist - law->edgeC[r] * edge[r]);
    return sum;
}

static double byChange(const Contact* c, int k)
{
    const snRowLaw* law = c->law;
    double jar[6] = {0}, sum = 0;
    const double dist = k == 0;
    for (int i = 0; i < law->dim; i++) {
        jar[i] = sn_jarChange(law, i, componentChange(c, i, 0, k), componentChange(c, i, 1, k), i ? 0 : dist,
                              dist);
        sum += componentChange(c, i, 2, k) * law->force[i];
    }
    for (int i = 0; i < law->dim; i++) {
        double df = law->kappa[i] * law->force[i] * dist;
        for (int j = 0; j < law->dim; j++) df -= law->C[i][j] * jar[j];
        sum += (c->speed[i] + (law->edges ? 0 : c->sensor[i])) * df;
    }
    return sum + bySensors(c, jar, dist);
}

static void beginContact(const snModel* m, const snData* d, const snContact* con, snMotion* const motion[3],
                         Contact* c)
{
    c->frame = sn_m3Load(con->frame);
    for (int which = 0; which < 3; which++) {
        snMotion at[2];
        for (int s = 0; s < 2; s++) {
            const int b = m->geom_bodyid[con->geom[s]];
            const snVec3 com = sn_v3Load(d->subtree_com + 3 * m->body_rootid[b]);
            const snMotion v = motion[which][b];
            at[s] = (snMotion){v.ang, sn_v3Add(v.lin, sn_v3Cross(v.ang, sn_v3Sub(sn_v3Load(con->pos), com)))};
        }
        c->between[which] = sn_motionAddScaled(at[1], -1, at[0]);
    }
    for (int i = 0; i < c->law->dim; i++) c->speed[i] = component(c, i, 2);
}

static void addTo(double* to, const double* frame, snVec3 x)
{
    if (to) sn_v3Store(to, sn_v3Add(sn_v3Load(to), sn_m3TMul(sn_m3Load(frame), x)));
}

// A geom moves by its own place in the body or, where it has the inertial frame of that, by this one.
static void toFrames(const snModel* m, const snData* d, int g, snVec3 turn, snVec3 move,
                     const snModelGradient* sum)
{
    const int b = m->geom_bodyid[g], same = m->geom_sameframe[g];
    const bool withPlace = same == SN_SAMEFRAME_INERTIA,
               withTurn = withPlace || same == SN_SAMEFRAME_INERTIAROT;
    if (sum->geom_pos && sn_readsPlace(same)) addTo(sum->geom_pos + 3 * g, d->xmat + 9 * b, move);
    if (sum->geom_quat && sn_readsTurn(same)) addTo(sum->geom_quat + 3 * g, d->geom_xmat + 9 * g, turn);
    if (sum->body_ipos && withPlace && sn_readsPlace(m->body_sameframe[b]))
        addTo(sum->body_ipos + 3 * b, d->xmat + 9 * b, move);
    if (sum->body_iquat && withTurn && sn_readsTurn(m->body_sameframe[b]))
        addTo(sum->body_iquat + 3 * b, d->ximat + 9 * b, turn);
}

static bool followsInertia(const snModel* m, const snContact* con)
{
    for (int s = 0; s < 2; s++) {
        const int same = m->geom_sameframe[con->geom[s]];
        if (same == SN_SAMEFRAME_INERTIA || same == SN_SAMEFRAME_INERTIAROT) return true;
    }
    return false;
}

static snStatus toPlaces(const snModel* m, snData* d, const snContact* con, const double by[CHANGES],
                         const snModelGradient* sum, snError* error)
{
    snContactGradient g;
    const snStatus status = sn_contactGeometry(m, d, con, &g, error);
    for (int s = 0; s < 2 && !status; s++) {
        double to[6];
        for (int k = 0; k < 6; k++) {
            to[k] = by[0] * g.dist[6 * s + k];
            for (int i = 0; i < 3; i++)
                to[k] += by[1 + i] * g.pos[i][6 * s + k] + by[4 + i] * g.turn[i][6 * s + k];
        }
        toFrames(m, d, con->geom[s], sn_v3Load(to), sn_v3Load(to + 3), sum);
    }
    return status;
}

static snStatus toSizes(const snModel* m, snData* d, const snContact* con, const double by[CHANGES],
                        double* size, snError* error)
{
    double g[CHANGES][6];
    const snStatus status = sn_contactSize(m, d, con, g, error);
    for (int s = 0; s < 2 && !status; s++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < CHANGES; i++) size[3 * con->geom[s] + k] += by[i] * g[i][3 * s + k];
    return status;
}

snStatus sn_addGeomGradient(const snModel* m, snData* d, const snRowLaw* law, const snRowPoint* point,
                            const snRowWeights* weights, snMotion* const motion[3],
                            const snModelGradient* sum, snError* error)
{
    const snContact* con = d->contact + d->efc_id[law->row];
    const bool inertial = (sum->body_ipos || sum->body_iquat) && followsInertia(m, con);
    const bool places = sum->geom_pos || sum->geom_quat || inertial;
    if (!places && !sum->geom_size) return SN_STATUS_OK;
    Contact c = {.law = law, .force = point->force + law->row, .sensor = weights->sensor + law->row};
    double by[CHANGES];
    beginContact(m, d, con, motion, &c);
    for (int k = 0; k < CHANGES; k++) by[k] = byChange(&c, k);
    snStatus status = places ? toPlaces(m, d, con, by, sum, error) : SN_STATUS_OK;
    if (!status && sum->geom_size) status = toSizes(m, d, con, by, sum->geom_size, error);
    return status;
}
