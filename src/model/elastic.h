// Which flexes have forces of their own, between bodies that nothing else may couple.
#ifndef SINEW_MODEL_ELASTIC_H
#define SINEW_MODEL_ELASTIC_H

#include <sinew/model.h>
#include <stdbool.h>

/// Whether elements of a flex resist stretching or bending.
static inline bool sn_isElastic(const snModel* m, int flex)
{
    return !m->flex_rigid[flex] && (m->flex_stiffnessadr[flex] >= 0 || m->flex_bendingadr[flex] >= 0);
}

/// Whether its edges have stiffness or damping.
static inline bool sn_hasEdgeForces(const snModel* m, int flex)
{
    return !m->flex_rigid[flex] && (m->flex_edgestiffness[flex] != 0 || m->flex_edgedamping[flex] != 0);
}

/// The first flex of which that holds; -1: none.
static inline int sn_firstFlex(const snModel* m, bool (*holds)(const snModel*, int))
{
    for (int f = 0; f < m->nflex; f++)
        if (holds(m, f)) return f;
    return -1;
}

#endif
