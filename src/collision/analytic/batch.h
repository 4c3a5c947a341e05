// Many pairs of the same two types, one after the other.
#ifndef SINEW_COLLISION_ANALYTIC_BATCH_H
#define SINEW_COLLISION_ANALYTIC_BATCH_H

#include "collision/contact/candidate.h"
#include "collision/contact/contact.h"
#include "collision/contact/narrow.h"

/// Points of several candidates, in the scratch memory of a data.
typedef struct snPoints {
    snContactPoint* list;
    int count, capacity;
} snPoints;

/// Makes room for `more` points and then some; false: scratch is full.
bool sn_growPoints(snData* d, snPoints* points, int more);

static inline bool sn_roomForPoints(snData* d, snPoints* points, int more)
{
    return points->count + more <= points->capacity || sn_growPoints(d, points, more);
}

/// Collides `count` candidates, all of the same two types: adds their points, sets `first` and `count` of
/// each. False: scratch is full, and the rest have no points.
typedef bool (*snBatchCollider)(const snModel* m, snData* d, snCandidate* const* list, int count,
                                snPoints* points);

/// The loop of an snBatchCollider that makes at most `most` points a pair. What is known when it is compiled,
/// the collider and the types, leaves of the two shapes only what the collider reads.
static inline __attribute__((always_inline)) bool sn_collideEach(const snModel* m, snData* d,
                                                                 snCandidate* const* list, int count,
                                                                 snPoints* points, snCollider collide,
                                                                 int most, int type1, int type2)
{
    for (int i = 0; i < count; i++) {
        snCandidate* c = list[i];
        if (!sn_roomForPoints(d, points, most)) return false;
        const snShape a = sn_geomShapeAs(m, d, c->geom[0], type1),
                      b = sn_geomShapeAs(m, d, c->geom[1], type2);
        c->first = points->count;
        c->count = collide(&a, &b, sn_pairReach(m, c->geom[0], c->geom[1], c->pair), points->list + c->first);
        points->count += c->count;
    }
    return true;
}

/// Defines an snBatchCollider; to stand where the collider is defined, so that it becomes part of the loop.
#define SN_BATCH_COLLIDER(name, collide, most, type1, type2)                                                 \
    __attribute__((flatten)) bool name(const snModel* m, snData* d, snCandidate* const* list, int count,     \
                                       snPoints* points)                                                     \
    {                                                                                                        \
        return sn_collideEach(m, d, list, count, points, collide, most, type1, type2);                       \
    }

#endif
