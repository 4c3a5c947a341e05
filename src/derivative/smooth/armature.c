// A tendon with armature a adds a J J' to M, where the tree's sparsity has room, and a J r to the bias, with
// r = J' qvel the part of the second derivative of its length that velocities alone give. Of
//     tau_i = a J_i (s_i + r),   s_i = sum of J_j qacc_j over the dofs j coupled to i,
// the derivatives need those of J, H_ik = dJ_i/dq_k, and of r, which comes from position, velocity and
// acceleration of the sites (smooth/tendon): of a straight part e from site to site, of length l along u,
//     r = u.e'' + (e'.e' - (u.e')^2) / l.
#include "derivative/smooth/armature.h"
#include "base/error.h"
#include "derivative/smooth/bias.h"
#include "derivative/smooth/carried.h"
#include "smooth/tendon/tendon.h"
#include "smooth/kinematics/resistance.h"

static bool isMoving(const snModel* m, int t)
{
    return sn_armatureOfTendon(m, t) != 0 && m->wrap_type[m->tendon_adr[t]] != SN_WRAP_JOINT;
}

bool sn_hasMovingArmature(const snModel* m)
{
    for (int t = 0; t < m->ntendon; t++)
        if (isMoving(m, t)) return true;
    return false;
}

static bool isAroundGeom(const snModel* m, int t)
{
    for (int w = m->tendon_adr[t], end = w + m->tendon_num[t]; w < end; w++)
        if (m->wrap_type[w] != SN_WRAP_SITE && m->wrap_type[w] != SN_WRAP_PULLEY) return true;
    return false;
}

snStatus sn_armatureWork(const snModel* m, snData* d, snArmatureWork* work, snError* error)
{
    size_t most = 1;
    for (int t = 0; t < m->ntendon; t++) {
        if (!isMoving(m, t)) continue;
        if (isAroundGeom(m, t))
            return sn_fail(
                error, SN_STATUS_UNSUPPORTED,
                "tendon %d: armature of a tendon around geoms has no derivative; take its armature "
                "away, or use sn_transitionFD",
                t);
        if ((size_t)m->tendon_dofnum[t] > most) most = (size_t)m->tendon_dofnum[t];
    }
    work->H = sn_scratchAlloc(d, most * most * sizeof(double));
    work->chained = sn_scratchAlloc(d, most * most * sizeof(double));
    work->arms = sn_scratchAlloc(d, most * sizeof(double));
    for (int side = 0; side < 2; side++) work->rate[side] = sn_scratchAlloc(d, most * sizeof(snVec3));
    work->q = sn_scratchReal(d, m->nv);
    work->v = sn_scratchReal(d, m->nv);
    work->zero = sn_scratchReal(d, m->nv);
    if (!work->H || !work->chained || !work->arms || !work->rate[0] || !work->rate[1] || !work->q ||
        !work->v || !work->zero)
        return sn_failRoom(error);
    memset(work->zero, 0, (size_t)m->nv * sizeof(double));
    return SN_STATUS_OK;
}

// ---- straight parts

// A straight part of a tendon between two sites, which counts `scale` times.
typedef struct Part {
    int site[2];
    double scale, length;
    snVec3 u;
} Part;

// The next straight part whose second site is path object *w or later; false: there is none.
static bool nextPart(const snModel* m, const snData* d, int t, int* w, double* scale, Part* part)
{
    const int begin = m->tendon_adr[t], end = begin + m->tendon_num[t];
    for (; *w < end; ++*w) {
        if (m->wrap_type[*w] == SN_WRAP_PULLEY) *scale = 1 / m->wrap_prm[*w];
        if (*w == begin || m->wrap_type[*w] != SN_WRAP_SITE || m->wrap_type[*w - 1] != SN_WRAP_SITE) continue;
        const int from = m->wrap_objid[*w - 1], to = m->wrap_objid[*w];
        const snVec3 e = sn_v3Sub(sn_v3Load(d->site_xpos + 3 * to), sn_v3Load(d->site_xpos + 3 * from));
        *part = (Part){{from, to}, *scale, sn_v3Norm(e), sn_v3Normalize(e)};
        ++*w;
        return true;
    }
    return false;
}

static bool moves(const snModel* m, int k, int body)
{
    int i = sn_lastDof(m, body);
    while (i > k) i = m->dof_parentid[i];
    return i == k;
}

static snVec3 armOf(const snModel* m, const snData* d, int site)
{
    return sn_v3Sub(sn_v3Load(d->site_xpos + 3 * site), sn_treeCom(m, d, m->site_bodyid[site]));
}

static inline snVec3 velocityAt(snMotion v, snVec3 arm)
{
    return sn_v3Add(v.lin, sn_v3Cross(v.ang, arm));
}

// ---- H

// Velocities that the dofs of a tendon give the sites of a part.
static void siteRates(const snModel* m, const snData* d, const Part* part, const int* dofs, int n,
                      snArmatureWork* work)
{
    for (int side = 0; side < 2; side++) {
        const int site = part->site[side], body = m->site_bodyid[site];
        const snVec3 arm = armOf(m, d, site);
        for (int c = 0; c < n; c++) {
            const snMotion S = sn_motionLoad(d->cdof + 6 * dofs[c]);
            work->rate[side][c] = moves(m, dofs[c], body) ? velocityAt(S, arm) : sn_v3(0, 0, 0);
        }
    }
}

// How dof k changes the velocity that dof i gives a site, which both move: it turns it, if it carries the
// axis of i; else it moves the site under i.
static snVec3 rateOfRate(const snModel* m, const snData* d, int i, int k, snVec3 rate_i, snVec3 rate_k)
{
    if (k < i || sn_isSameBall(m, i, k)) return sn_v3Cross(sn_v3Load(d->cdof + 6 * k), rate_i);
    return sn_v3Cross(sn_v3Load(d->cdof + 6 * i), rate_k);
}

static void addPart(const snModel* m, const snData* d, const Part* part, const int* dofs, int n,
                    snArmatureWork* work)
{
    siteRates(m, d, part, dofs, n, work);
    const snVec3 *from = work->rate[0], *to = work->rate[1], u = part->u;
    for (int k = 0; k < n; k++) {
        const snVec3 e = sn_v3Sub(to[k], from[k]);
        const snVec3 turn = sn_v3Scale(sn_v3AddScaled(e, -sn_v3Dot(u, e), u), 1 / part->length);
        for (int i = 0; i < n; i++) {
            double sum = sn_v3Dot(turn, sn_v3Sub(to[i], from[i]));
            for (int side = 0; side < 2; side++) {
                const int body = m->site_bodyid[part->site[side]];
                if (!moves(m, dofs[i], body) || !moves(m, dofs[k], body)) continue;
                const snVec3 *rate = work->rate[side],
                             change = rateOfRate(m, d, dofs[i], dofs[k], rate[i], rate[k]);
                sum += (side ? 1 : -1) * sn_v3Dot(u, change);
            }
            work->H[i * n + k] += part->scale * sum;
        }
    }
}

// Whether M has room for what couples dofs i and k.
static bool isCoupled(const snModel* m, int i, int k)
{
    if (i == k) return true;
    const int low = i < k ? i : k, high = i < k ? k : i;
    int j = m->dof_simplenum[high] ? -1 : high;
    while (j > low) j = m->dof_parentid[j];
    return j == low;
}

// H, the arms one a dof, and which dofs are coupled, of tendon t.
static void arms(const snModel* m, const snData* d, int t, snArmatureWork* work)
{
    const int *dofs = m->tendon_dofid + m->tendon_dofadr[t], n = m->tendon_dofnum[t];
    const snTendonArms own = sn_armsOfTendon(d, t);
    double scale = 1;
    Part part;
    memset(work->H, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int w = m->tendon_adr[t]; nextPart(m, d, t, &w, &scale, &part);)
        if (part.length >= SN_MINVAL) addPart(m, d, &part, dofs, n, work);
    for (int i = 0, e = 0; i < n; i++) {
        work->arms[i] = e < own.num && own.dofs[e] == dofs[i] ? own.J[e++] : 0;
        for (int k = 0; k < n; k++) work->chained[i * n + k] = isCoupled(m, dofs[i], dofs[k]);
    }
}

// sum of the numbers x of the dofs coupled to i, each times that of vec
static double coupledSum(const snArmatureWork* work, const int* dofs, int n, int i, const double* x, int step,
                         const double* vec)
{
    double sum = 0;
    for (int j = 0; j < n; j++) sum += work->chained[i * n + j] * x[j * step] * vec[dofs[j]];
    return sum;
}

// ---- r

// r of a part changes by position.dp + velocity.dv + acceleration.da of the second site, and by the opposite
// of the first.
typedef struct Gradient {
    snVec3 position, velocity, acceleration;
} Gradient;

typedef struct PointMotion {
    snVec3 arm, vel, acc;
    snMotion V, A; // of its body; without qacc and gravity
} PointMotion;

static PointMotion pointMotion(const snModel* m, const snData* d, const snBlockWork* block, int site)
{
    const int body = m->site_bodyid[site];
    PointMotion p = {.arm = armOf(m, d, site),
                     .V = sn_motionLoad(d->cvel + 6 * body),
                     .A = sn_motionLoad(block->acc + 6 * body)};
    p.vel = velocityAt(p.V, p.arm);
    p.acc = sn_v3Add(velocityAt(p.A, p.arm), sn_v3Cross(p.V.ang, p.vel));
    return p;
}

static Gradient gradientOf(const Part* part, const PointMotion p[2])
{
    const snVec3 u = part->u, e1 = sn_v3Sub(p[1].vel, p[0].vel), e2 = sn_v3Sub(p[1].acc, p[0].acc);
    const double along = sn_v3Dot(u, e1), l = part->length;
    const snVec3 across = sn_v3AddScaled(e1, -along, u), by_u = sn_v3AddScaled(e2, -2 * along / l, e1);
    const snVec3 turn = sn_v3AddScaled(by_u, -sn_v3Dot(u, by_u), u);
    const double spin = (sn_v3Dot(e1, e1) - along * along) / l;
    return (Gradient){sn_v3Scale(sn_v3AddScaled(turn, -spin, u), part->scale / l),
                      sn_v3Scale(across, 2 * part->scale / l), sn_v3Scale(u, part->scale)};
}

// Changes of position, velocity and acceleration of a point when its body's are dp (of the point), dV, dA.
static double changeAlong(const Gradient* g, const PointMotion* p, snVec3 dp, snMotion dV, snMotion dA)
{
    const snVec3 dv = sn_v3Add(velocityAt(dV, p->arm), sn_v3Cross(p->V.ang, dp));
    const snVec3 turned = sn_v3Add(sn_v3Cross(p->A.ang, dp), sn_v3Cross(dV.ang, p->vel));
    const snVec3 da = sn_v3Add(sn_v3Add(velocityAt(dA, p->arm), turned), sn_v3Cross(p->V.ang, dv));
    return sn_v3Dot(g->position, dp) + sn_v3Dot(g->velocity, dv) + sn_v3Dot(g->acceleration, da);
}

// work->q, v += sign times what a point contributes, dof by dof, with the motions of block.h.
static void addPoint(const snModel* m, const snData* d, const snBlockWork* block, const Gradient* g,
                     const PointMotion* p, int site, double sign, snArmatureWork* work)
{
    for (int k = sn_lastDof(m, m->site_bodyid[site]); k >= 0; k = m->dof_parentid[k]) {
        const snMotion S = sn_motionLoad(d->cdof + 6 * k), rate = sn_motionLoad(d->cdof_dot + 6 * k);
        const snMotion u = sn_motionLoad(block->before + 6 * k), w = sn_motionLoad(block->after + 6 * k),
                       a = sn_motionLoad(block->pushing + 6 * k);
        const snMotion Y = sn_motionAdd(sn_crossMotion(a, S), sn_crossMotion(u, rate));
        const snMotion y = sn_motionAdd(rate, sn_crossMotion(w, S));
        const snMotion dV = sn_motionAdd(rate, sn_crossMotion(S, p->V));
        const snMotion dA =
            sn_motionAdd(sn_motionAdd(Y, sn_crossMotion(rate, p->V)), sn_crossMotion(S, p->A));
        work->q[k] += sign * changeAlong(g, p, velocityAt(S, p->arm), dV, dA);
        work->v[k] += sign * changeAlong(g, p, sn_v3(0, 0, 0), S, sn_motionAdd(y, sn_crossMotion(S, p->V)));
    }
}

// work->q, v: derivatives of r of tendon t.
static void rateGradient(const snModel* m, const snData* d, const snBlockWork* block, int t,
                         snArmatureWork* work)
{
    double scale = 1;
    Part part;
    memset(work->q, 0, (size_t)m->nv * sizeof(double));
    memset(work->v, 0, (size_t)m->nv * sizeof(double));
    for (int w = m->tendon_adr[t]; nextPart(m, d, t, &w, &scale, &part);) {
        if (part.length < SN_MINVAL) continue;
        const PointMotion p[2] = {pointMotion(m, d, block, part.site[0]),
                                  pointMotion(m, d, block, part.site[1])};
        const Gradient g = gradientOf(&part, p);
        for (int side = 0; side < 2; side++)
            addPoint(m, d, block, &g, p + side, part.site[side], side ? 1 : -1, work);
    }
}

// ----

static void addTendon(const snModel* m, const snData* d, const double* qacc, int t,
                      const snArmatureWork* work, int stride, double* q, double* v)
{
    const int *dofs = m->tendon_dofid + m->tendon_dofadr[t], n = m->tendon_dofnum[t];
    const double armature = sn_armatureOfTendon(m, t), r = sn_tendonRate2(m, d, t);
    for (int i = 0; i < n; i++) {
        const double arm = armature * work->arms[i];
        const double force = armature * (coupledSum(work, dofs, n, i, work->arms, 1, qacc) + r);
        double *row_q = q + (ptrdiff_t)dofs[i] * stride, *row_v = v + (ptrdiff_t)dofs[i] * stride;
        for (int k = 0; k < n && q; k++)
            row_q[dofs[k]] +=
                force * work->H[i * n + k] + arm * coupledSum(work, dofs, n, i, work->H + k, n, qacc);
        for (int k = 0; k < m->nv && q; k++) row_q[k] += arm * work->q[k];
        for (int k = 0; k < m->nv && v; k++) row_v[k] += arm * work->v[k];
    }
}

void sn_armatureDerivative(const snModel* m, const snData* d, const double* qacc, snBlockWork* block,
                           snArmatureWork* work, int stride, double* q, double* v)
{
    sn_blockOutwards(m, d, false, work->zero, block);
    for (int t = 0; t < m->ntendon; t++) {
        if (!isMoving(m, t)) continue;
        arms(m, d, t, work);
        rateGradient(m, d, block, t, work);
        addTendon(m, d, qacc, t, work, stride, q, v);
    }
}

// Of a v'J J'v / 2 as far as M has room for it: a sum of v_i s_i H_ik.
void sn_armatureEnergy(const snModel* m, const snData* d, snArmatureWork* work, double* q)
{
    for (int t = 0; t < m->ntendon; t++) {
        if (!isMoving(m, t)) continue;
        const int *dofs = m->tendon_dofid + m->tendon_dofadr[t], n = m->tendon_dofnum[t];
        arms(m, d, t, work);
        for (int i = 0; i < n; i++) {
            const double momentum =
                sn_armatureOfTendon(m, t) * coupledSum(work, dofs, n, i, work->arms, 1, d->qvel);
            for (int k = 0; k < n; k++) q[dofs[k]] += momentum * d->qvel[dofs[i]] * work->H[i * n + k];
        }
    }
}
