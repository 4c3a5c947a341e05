// What elasticity of flexes adds to the matrix of a step (step_metric.h), by dofs. It couples trees, so that
// M has no place for it.
#ifndef SINEW_SMOOTH_ELASTIC_METRIC_H
#define SINEW_SMOOTH_ELASTIC_METRIC_H

#include <sinew/data.h>
#include <stdbool.h>

/// The lower triangle of a symmetric matrix by rows: dof i couples with col[adr[i]] .. col[adr[i + 1] - 1],
/// ascending, itself the last; dofs that move no flex, and sleepers, have none.
typedef struct snElastic {
    int *adr, *col; ///< [nv + 1], and as many as it says
    double* value;
} snElastic;

static inline bool sn_hasElastic(const snElastic* e, int dof)
{
    return e && e->adr[dof + 1] > e->adr[dof];
}

/// Whether the model has a flex that a step takes at its end: not with the solvers that need a factor of the
/// whole matrix, where elasticity is explicit (sn_checkFlexOptions refuses them).
bool sn_takesElastic(const snModel* m);

/// flexedge_tension and elastic_rowadr, elastic_colind, elastic_value, where a step takes them. Takes
/// scratch; false: the arena is full.
bool sn_makeElastic(const snModel* m, snData* d);

/// Room for `count` numbers in elastic_colind and elastic_value, whose rows elastic_rowadr knows. false: the
/// arena is full.
bool sn_elasticRoom(snData* d, int count);

/// What the data has; adr NULL: nothing.
static inline snElastic sn_elasticOf(const snData* d)
{
    return d->nelasticrow ? (snElastic){d->elastic_rowadr, d->elastic_colind, d->elastic_value}
                          : (snElastic){0};
}

/// pull [nv] += h K qvel. Takes scratch; false: the arena is full.
bool sn_addElasticPull(const snModel* m, snData* d, double* pull);

/// result [nv] += the matrix times x.
void sn_mulElastic(const snModel* m, const snElastic* elastic, const double* x, double* result);

#endif
