// A body whose spatial velocity along w is u_b = sum of S_k w_k has the part g_b = B_b u_b of D w, B the
// gradient of the fluid's force by its velocity: in axes that move with the body a function of its velocity
// and of u_b. As in fluid.c, with E_b = d(B_b u)/dv,
//     dg_b = S_k x* g_b + E_b y_k + B_b z_k,   z_k = (what w gives before k's joint) x S_k,
// by position and E_b S_k by velocity. Source: seed 001, "Passive forces"; the derivatives are worked out
// here.
#include "derivative/force/damping.h"
#include "derivative/force/pull.h"
#include "model/arena.h"
#include "smooth/passive/fluid.h"

// Of all that a body carries.
typedef struct Load {
    snForceGradient B, E;
    snForce g;
} Load;

// z [nv]: dof by dof along the chain of body b, from the velocity along w before it. Returns that after it.
static snMotion rates(const snModel* m, const snData* d, int b, const double* w, snMotion u, snMotion* z)
{
    const snMotion still = {{0, 0, 0}, {0, 0, 0}};
    for (int k = m->body_dofadr[b], end = k + m->body_dofnum[b]; k < end;) {
        const int last = sn_lastCarrier(m, k);
        const int next = last < 0 ? k + 3 : last + 1; // the dofs that turn together, or three translations
        const snMotion before = u;
        for (; k < next; k++) {
            const snMotion s = sn_motionLoad(d->cdof + 6 * k);
            z[k] = last < 0 ? still : sn_crossMotion(before, s);
            u = sn_motionAddScaled(u, w[k], s);
        }
    }
    return u;
}

static void loads(const snModel* m, const snData* d, const double* w, snGyroBodies bias, Load* load,
                  snMotion* u, snMotion* z)
{
    memset(load, 0, (size_t)m->nbody * sizeof *load);
    u[0] = (snMotion){{0, 0, 0}, {0, 0, 0}};
    for (int b = 1; b < m->nbody; b++) {
        const int p = m->body_parentid[b];
        const bool symmetric = !sn_hasBias(m, bias, b);
        u[b] = u[p];
        if (m->body_dofnum[b]) u[b] = rates(m, d, b, w, u[p], z);
        (void)sn_fluidForce(m, d, b, &load[b].B, symmetric ? SN_FLUID_SYMMETRIC : SN_FLUID_WHOLE);
        sn_fluidCurvature(m, d, b, u[b], symmetric, &load[b].E);
        load[b].g = sn_gradientMul(&load[b].B, u[b]);
    }
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b];
        if (!p) continue;
        load[p].g = sn_forceAdd(load[p].g, load[b].g);
        real *to = load[p].B.ww.m, *from = load[b].B.ww.m;
        for (int k = 0; k < 72; k++) to[k] += from[k];
    }
}

static void entry(const snModel* m, const snData* d, const Load* load, const snMotion* z, int i, int k,
                  const snDampingSum* sum)
{
    const size_t at = (size_t)i * (size_t)m->nv + (size_t)k;
    const snMotion s = sn_motionLoad(d->cdof + 6 * k), row = sn_motionLoad(d->cdof + 6 * i);
    if (sum->v) sum->v[at] += sn_motionDotForce(row, sn_gradientMul(&load->E, s));
    if (!sum->q) return;
    snMotion y = sn_motionLoad(d->cdof_dot + 6 * k);
    y.lin = sn_v3Sub(y.lin, sn_v3Cross(sn_v3Load(m->opt.wind), s.ang));
    snForce f = sn_forceAdd(sn_gradientMul(&load->E, y), sn_gradientMul(&load->B, z[k]));
    if (k > sn_lastCarrier(m, i)) f = sn_forceAdd(f, sn_crossForce(s, load->g));
    sum->q[at] += sn_motionDotForce(row, f);
}

bool sn_fluidDampingDerivative(const snModel* m, snData* d, const double* w, snGyroBodies bias,
                               const snDampingSum* sum)
{
    const size_t mark = sn_scratchMark(d), nbody = (size_t)m->nbody;
    Load* load = sn_scratchAlloc(d, nbody * sizeof *load);
    snMotion *u = sn_scratchAlloc(d, nbody * sizeof *u), *z = sn_scratchAlloc(d, (size_t)m->nv * sizeof *z);
    const bool room = load && u && z;
    if (room) {
        loads(m, d, w, bias, load, u, z);
        for (int k = 0; k < m->nv; k++) {
            const Load* below = load + m->dof_bodyid[k];
            entry(m, d, below, z, k, k, sum);
            for (int i = m->dof_parentid[k]; i >= 0; i = m->dof_parentid[i]) {
                entry(m, d, below, z, i, k, sum);
                entry(m, d, below, z, k, i, sum);
            }
        }
    }
    sn_scratchRelease(d, mark);
    return room;
}
