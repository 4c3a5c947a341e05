// For each target: src/target/prelude.h.
// With m_k and r_k mass and centre of what dof k carries (all bodies below it, of the subtree), c the centre
// of the whole and M its mass, r from the point of the tree that spatial vectors refer to,
//     M c' = sum over dofs of qvel_k m_k (l_k + w_k x r_k),
// so that neither composite inertias nor a way through the tree are needed. A body of velocity (w, v) at that
// point, held fixed, and acceleration sum of qvel_k S'_k moves its own centre o with the acceleration
//     sum qvel_k (l'_k + w'_k x o) + w x (v + w x o),
// and the first part sums as the velocities do.
#include "control/task/centre.h"
#include "math/spatial.h"
#include "model/weld.h"
#include "smooth/kinematics/jacobian.h"

// Whether the body is one of the subtree; what is fixed to the world neither moves nor counts.
static inline bool belongs(const snModel* m, int b, int body)
{
    if (body == 0) return true;
    if (m->body_parentid[body] == 0) return m->body_rootid[b] == body;
    while (b > body) b = m->body_parentid[b];
    return b == body;
}

snCentre sn_centreOf(const snModel* m, const snData* d, int body)
{
    snCentre c = {body, m->body_subtreemass[body], sn_v3Load(d->subtree_com + 3 * body)};
    if (body) return c;
    snVec3 sum = sn_v3(0, 0, 0);
    double mass = 0;
    for (int b = 1; b < m->nbody; b++) {
        if (sn_moverOf(m, b) != b || sn_moverOf(m, m->body_parentid[b])) continue;
        sum = sn_v3AddScaled(sum, m->body_subtreemass[b], sn_v3Load(d->subtree_com + 3 * b));
        mass += m->body_subtreemass[b];
    }
    if (mass >= SN_MINVAL) c.pos = sn_v3Scale(sum, 1 / mass);
    c.mass = mass;
    return c;
}

static inline void storeColumn(double* J, int rows, int columns, int k, snVec3 v)
{
    J[k] = v.x;
    J[columns + k] = v.y;
    if (rows > 2) J[2 * columns + k] = v.z;
}

// Dof k carries the subtree of `carried`.
static inline void addDof(const snModel* m, const snData* d, const snCentre* c, int k, int carried, int rows,
                          double* J, int columns, snCentreMotion* sum)
{
    const snVec3 r = sn_v3Sub(sn_v3Load(d->subtree_com + 3 * carried), sn_treeCom(m, d, carried));
    const snMotion S = sn_motionLoad(d->cdof + 6 * k), rate = sn_motionLoad(d->cdof_dot + 6 * k);
    const double share = m->body_subtreemass[carried] / c->mass, v = share * d->qvel[k];
    const snVec3 move = sn_v3Add(S.lin, sn_v3Cross(S.ang, r));
    storeColumn(J, rows, columns, k, sn_v3Scale(move, share));
    sum->vel = sn_v3AddScaled(sum->vel, v, move);
    sum->drift = sn_v3AddScaled(sum->drift, v, sn_v3Add(rate.lin, sn_v3Cross(rate.ang, r)));
}

// Centripetal part of a body.
static inline void addBody(const snModel* m, const snData* d, const snCentre* c, int b, snCentreMotion* sum)
{
    const snMotion v = sn_motionLoad(d->cvel + 6 * b);
    const snVec3 o = sn_v3Sub(sn_v3Load(d->xipos + 3 * b), sn_treeCom(m, d, b));
    const snVec3 u = sn_v3Add(v.lin, sn_v3Cross(v.ang, o));
    sum->drift = sn_v3AddScaled(sum->drift, m->body_mass[b] / c->mass, sn_v3Cross(v.ang, u));
}

__attribute__((flatten)) static snCentreMotion add(const snModel* m, const snData* d, const snCentre* c,
                                                   int rows, double* J, int columns)
{
    snCentreMotion sum = {{0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < m->nv; k++)
        if (belongs(m, m->dof_bodyid[k], c->body))
            addDof(m, d, c, k, m->dof_bodyid[k], rows, J, columns, &sum);
    const int above = c->body ? sn_lastDof(m, m->body_parentid[c->body]) : -1;
    for (int k = above; k >= 0; k = m->dof_parentid[k]) addDof(m, d, c, k, c->body, rows, J, columns, &sum);
    for (int b = 1; b < m->nbody; b++)
        if (belongs(m, b, c->body)) addBody(m, d, c, b, &sum);
    return sum;
}

snCentreMotion sn_centreMotion(const snModel* m, const snData* d, const snCentre* c, int rows, double* J,
                               int columns)
{
    memset(J, 0, (size_t)rows * (size_t)columns * sizeof(double));
    if (c->mass < SN_MINVAL) return (snCentreMotion){{0, 0, 0}, {0, 0, 0}};
    return add(m, d, c, rows, J, columns);
}

// ---- momentum

// A momentum about the point of the tree of body b, about the centre.
static inline snForce aboutCentre(const snModel* m, const snData* d, const snCentre* c, int b, snForce f)
{
    const snVec3 arm = sn_v3Sub(sn_treeCom(m, d, b), c->pos);
    return (snForce){sn_v3Add(f.ang, sn_v3Cross(arm, f.lin)), f.lin};
}

typedef struct Sums {
    snForce h, drift;
} Sums;

static inline snForce addScaled(snForce a, double s, snForce b)
{
    return (snForce){sn_v3AddScaled(a.ang, s, b.ang), sn_v3AddScaled(a.lin, s, b.lin)};
}

static inline void addDofMomentum(const snModel* m, const snData* d, const snCentre* c, int k, int carried,
                                  double* A, int columns, Sums* sum)
{
    const snInertia I = sn_inertiaLoad(d->crb + 10 * carried);
    const snMotion S = sn_motionLoad(d->cdof + 6 * k), rate = sn_motionLoad(d->cdof_dot + 6 * k);
    const snForce h = aboutCentre(m, d, c, carried, sn_inertiaMul(I, S));
    storeColumn(A, 3, columns, k, h.lin);
    storeColumn(A + 3 * (ptrdiff_t)columns, 3, columns, k, h.ang);
    sum->h = addScaled(sum->h, d->qvel[k], h);
    sum->drift = addScaled(sum->drift, d->qvel[k], aboutCentre(m, d, c, carried, sn_inertiaMul(I, rate)));
}

// v x* I v of a body: what is left when its acceleration is 0.
static inline void addBodyMomentum(const snModel* m, const snData* d, const snCentre* c, int b, Sums* sum)
{
    const snMotion v = sn_motionLoad(d->cvel + 6 * b);
    const snForce rate = sn_crossForce(v, sn_inertiaMul(sn_inertiaLoad(d->cinert + 10 * b), v));
    sum->drift = sn_forceAdd(sum->drift, aboutCentre(m, d, c, b, rate));
}

__attribute__((flatten)) static Sums addMomentum(const snModel* m, const snData* d, const snCentre* c,
                                                 double* A, int columns)
{
    Sums sum = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
    for (int k = 0; k < m->nv; k++)
        if (belongs(m, m->dof_bodyid[k], c->body))
            addDofMomentum(m, d, c, k, m->dof_bodyid[k], A, columns, &sum);
    const int above = c->body ? sn_lastDof(m, m->body_parentid[c->body]) : -1;
    for (int k = above; k >= 0; k = m->dof_parentid[k]) addDofMomentum(m, d, c, k, c->body, A, columns, &sum);
    for (int b = 1; b < m->nbody; b++)
        if (belongs(m, b, c->body)) addBodyMomentum(m, d, c, b, &sum);
    return sum;
}

static void linearFirst(double to[6], snForce f)
{
    sn_v3Store(to, f.lin);
    sn_v3Store(to + 3, f.ang);
}

void sn_centreMomentum(const snModel* m, const snData* d, const snCentre* c, double* A, int columns,
                       double h[6], double drift[6])
{
    memset(A, 0, 6 * (size_t)columns * sizeof(double));
    const Sums sum = addMomentum(m, d, c, A, columns);
    linearFirst(h, sum.h);
    linearFirst(drift, sum.drift);
}
