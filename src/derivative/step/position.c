#include "derivative/step/position.h"
#include <stddef.h>
#include <sinew/difference.h>
#include "model/kinds.h"

static bool hasQuaternion(const snModel* m, int j)
{
    return sn_hasQuaternion(m->jnt_type[j]);
}

// First of the three rotations of a free or ball joint.
static int rotationsOf(const snModel* m, int j)
{
    return m->jnt_dofadr[j] + sn_jointKind(m->jnt_type[j]).quaternion;
}

static void turnAlong(const double* w, double h, const double* dq, const double* dw, double* out, int stride)
{
    double Q[9], W[9];
    sn_quatIntegrateDerivative(w, h, Q, W, NULL);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < stride; c++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += Q[3 * r + k] * dq[k * stride + c] + W[3 * r + k] * dw[k * stride + c];
            out[r * stride + c] = sum;
        }
}

void sn_positionAlong(const snModel* m, const double* w, const double* dq, const double* dw, double* out,
                      int stride)
{
    const double h = m->opt.timestep;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)m->nv * stride; i++) out[i] = dq[i] + h * dw[i];
    for (int j = 0; j < m->njnt; j++) {
        if (!hasQuaternion(m, j)) continue;
        const int k = rotationsOf(m, j);
        const ptrdiff_t at = (ptrdiff_t)k * stride;
        turnAlong(w + k, h, dq + at, dw + at, out + at, stride);
    }
}

static void turnAdjoint(const double* w, double h, const double* g, double* gq, double* gw)
{
    double Q[9], W[9];
    sn_quatIntegrateDerivative(w, h, Q, W, NULL);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) {
            gq[k] += Q[3 * r + k] * g[r];
            gw[k] += W[3 * r + k] * g[r];
        }
}

void sn_positionAdjoint(const snModel* m, const double* w, const double* g, double* gq, double* gw)
{
    const double h = m->opt.timestep;
    for (int j = 0; j < m->njnt; j++) {
        const int end = j + 1 < m->njnt ? m->jnt_dofadr[j + 1] : m->nv;
        const int turned = hasQuaternion(m, j) ? rotationsOf(m, j) : end;
        for (int k = m->jnt_dofadr[j]; k < turned; k++) {
            gq[k] += g[k];
            gw[k] += h * g[k];
        }
        if (turned < end) turnAdjoint(w + turned, h, g + turned, gq + turned, gw + turned);
    }
}
