// Forces of a fluid. A body with the velocity v_b feels f_b = f(v_b - W) in axes that move with it, W the
// wind, a velocity of the whole fluid. Both in the world, at the tree's centre of mass: when dof k turns the
// body, f_b and the axes go with it,
//     df_b = S_k x* f_b + B_b (dv_b - S_k x (v_b - W)),   B_b = df_b/dv_b,
// and v_b changes by the axes that k carries, dv_b = S_k x (v_b - w_k) with w_k the velocity before k's
// joint:
//     df_b = S_k x* f_b + B_b y_k,   y_k = (w_k - W) x S_k,
// the same y_k for all bodies below. w_k x S_k is cdof_dot. With f and B summed over what the lower of i and
// k moves, row i and column k of the derivative is
//     S_i' B y_k + (S_i' (S_k x* f) unless k carries S_i, which takes as much away)
// by position and S_i' B S_k by velocity. Source: seed 001, "Passive forces"; the derivatives are worked out
// here.
#include "derivative/force/fluid.h"
#include "derivative/force/pull.h"
#include "model/arena.h"
#include "smooth/passive/fluid.h"

// Of all that a body carries.
typedef struct Load {
    snForceGradient B;
    snForce f;
} Load;

static void loads(const snModel* m, const snData* d, Load* load)
{
    memset(load, 0, (size_t)m->nbody * sizeof *load);
    for (int b = 1; b < m->nbody; b++) load[b].f = sn_fluidForce(m, d, b, &load[b].B, SN_FLUID_WHOLE);
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b];
        if (!p) continue;
        load[p].f = sn_forceAdd(load[p].f, load[b].f);
        real *to = load[p].B.ww.m, *from = load[b].B.ww.m;
        for (int k = 0; k < 36; k++) to[k] += from[k];
    }
}

static void entry(const snModel* m, const snData* d, const Load* load, int i, int k, double* q, double* v)
{
    const size_t at = (size_t)i * (size_t)m->nv + (size_t)k;
    const snMotion s = sn_motionLoad(d->cdof + 6 * k), row = sn_motionLoad(d->cdof + 6 * i);
    if (v) v[at] += sn_motionDotForce(row, sn_gradientMul(&load->B, s));
    if (!q) return;
    snMotion y = sn_motionLoad(d->cdof_dot + 6 * k);
    y.lin = sn_v3Sub(y.lin, sn_v3Cross(sn_v3Load(m->opt.wind), s.ang));
    snForce f = sn_gradientMul(&load->B, y);
    if (k > sn_lastCarrier(m, i)) f = sn_forceAdd(f, sn_crossForce(s, load->f));
    q[at] += sn_motionDotForce(row, f);
}

bool sn_fluidDerivative(const snModel* m, snData* d, double* q, double* v)
{
    if (!sn_hasFluid(m)) return true;
    const size_t mark = sn_scratchMark(d);
    Load* load = sn_scratchAlloc(d, (size_t)m->nbody * sizeof *load);
    if (load) {
        loads(m, d, load);
        for (int k = 0; k < m->nv; k++) {
            const Load* below = load + m->dof_bodyid[k];
            entry(m, d, below, k, k, q, v);
            for (int i = m->dof_parentid[k]; i >= 0; i = m->dof_parentid[i]) {
                entry(m, d, below, i, k, q, v);
                entry(m, d, below, k, i, q, v);
            }
        }
    }
    sn_scratchRelease(d, mark);
    return load;
}
