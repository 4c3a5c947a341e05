// Central differences of sixth order of what sn_forward computes, against which derivatives are held. At a
// step of h = 1e-3 their error is some h^6 of the function's own, and rounding over h: 1e-12.
#ifndef SINEW_TEST_STAGE_DIFFERENCE_H
#define SINEW_TEST_STAGE_DIFFERENCE_H

#include <math.h>
#include <stdlib.h>
#include "derivative/central_slope.h"
#include "model_text.h"

/// What is differentiated, from data after sn_forward; out [as many as the test says].
typedef void StageOutput(const snModel* m, snData* d, double* out);

typedef enum Variable { BY_POSITION, BY_VELOCITY, BY_ACTIVATION, BY_CONTROL } Variable;

static inline int variableSize(const snModel* m, Variable by)
{
    return by == BY_ACTIVATION ? m->na : by == BY_CONTROL ? m->nu : m->nv;
}

static inline double uniform(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

/// A state and controls at random: positions that far from qpos0, velocities within speed, controls -1 to 1,
/// activations 0 to 1.
static inline void randomState(const snModel* m, snData* d, unsigned seed, double far, double speed)
{
    sn_resetData(m, d);
    for (int k = 0; k < m->nv; k++) d->qvel[k] = far * uniform(&seed);
    sn_integratePos(m, d->qpos, d->qvel, 1);
    for (int k = 0; k < m->nv; k++) d->qvel[k] = speed * uniform(&seed);
    for (int k = 0; k < m->nu; k++) d->ctrl[k] = uniform(&seed);
    for (int k = 0; k < m->na; k++) d->act[k] = 0.5 + 0.5 * uniform(&seed);
    sn_forward(m, d);
}

/// out = output at the state of d, but for a step of variable number k.
static inline void stageAt(const snModel* m, const snData* d, snData* other, Variable by, int k, double step,
                           StageOutput* output, double* out)
{
    sn_copyData(other, m, d);
    double* moved = by == BY_VELOCITY ? other->qvel : by == BY_ACTIVATION ? other->act : other->ctrl;
    if (by == BY_POSITION) {
        double* direction = calloc((size_t)m->nv, sizeof(double));
        direction[k] = 1;
        sn_integratePos(m, other->qpos, direction, step);
        free(direction);
    } else {
        moved[k] += step;
    }
    sn_forward(m, other);
    output(m, other, out);
}

typedef struct Stage {
    const snModel* m;
    const snData* d;
    snData* other;
    Variable by;
    int k;
    StageOutput* output;
} Stage;

static inline void sampleStage(void* context, double x, double* out)
{
    const Stage* s = context;
    stageAt(s->m, s->d, s->other, s->by, s->k, x, s->output, out);
}

/// result [n] = d output / d variable k.
static inline void stageDifference(const snModel* m, const snData* d, snData* other, Variable by, int k,
                                   StageOutput* output, int n, double h, double* result)
{
    Stage stage = {m, d, other, by, k, output};
    centralSlope(sampleStage, &stage, h, n, result);
}

/// Holds D [n x variables] against differences: no entry farther off than `tolerance` of the largest, of 1 at
/// least.
static inline void assertDerivative(const char* what, const snModel* m, const snData* d, Variable by,
                                    StageOutput* output, int n, double h, double tolerance, const double* D)
{
    const int columns = variableSize(m, by);
    snData* other = sn_makeData(m);
    double* column = malloc(((size_t)n + 1) * sizeof(double));
    double error = 0, size = 1;
    int row = 0, col = 0;
    for (int k = 0; k < columns; k++) {
        stageDifference(m, d, other, by, k, output, n, h, column);
        for (int r = 0; r < n; r++) {
            const double e = fabs(D[(size_t)r * (size_t)columns + (size_t)k] - column[r]);
            size = fmax(size, fabs(column[r]));
            if (!(e <= error)) error = e, row = r, col = k;
        }
    }
    if (!(error <= tolerance * size))
        fail_msg("%s: by %s: error %g of %g at row %d, column %d", what,
                 (const char*[]){"position", "velocity", "activation", "control"}[by], error, size, row, col);
    free(column);
    sn_deleteData(other);
}

#endif
