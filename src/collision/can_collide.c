// Which types collide.
#include <sinew/collision.h>
#include "base/error.h"
#include "collision/analytic/colliders.h"
#include "collision/broad/filter.h"
#include "shape/kind.h"

// Left to sn_convexConvex: boxes and capsules among themselves touch in more than one point and have
// formulas.
static bool isConvexPair(int type1, int type2)
{
    return sn_isConvex(type1) && sn_isConvex(type2);
}

static bool isFieldPair(int type1, int type2)
{
    return sn_isField(type1) && sn_isConvex(type2);
}

bool sn_canCollide(int type1, int type2)
{
    if (!sn_isShape(type1) || !sn_isShape(type2)) return false;
    if (type1 > type2) return sn_canCollide(type2, type1);
    return sn_analyticCollider(SN_PHYSICS_V3_3_7, type1, type2) || isConvexPair(type1, type2) ||
           isFieldPair(type1, type2) || sn_hasDistances(type2);
}

// Planes and height fields pass through each other: not a fault of the model.
static bool neverCollide(int type1, int type2)
{
    return (sn_isEndless(type1) || sn_isField(type1)) && (sn_isEndless(type2) || sn_isField(type2));
}

static snStatus unsupported(const snModel* m, int g1, int g2, snError* error)
{
    const char* name1 = m->names + m->name_geomadr[g1];
    const char* name2 = m->names + m->name_geomadr[g2];
    return sn_fail(
        error, SN_STATUS_UNSUPPORTED,
        "not supported yet: collision of %s geom '%s' (id %d) with %s geom '%s' (id %d); turn it off "
        "with contype and conaffinity 0 or an exclude",
        sn_shapeWord(m->geom_type[g1]), name1, g1, sn_shapeWord(m->geom_type[g2]), name2, g2);
}

static bool supported(const snModel* m, int g1, int g2)
{
    const int t1 = m->geom_type[g1], t2 = m->geom_type[g2];
    return sn_canCollide(t1, t2) || neverCollide(t1, t2);
}

// Whether a geom of this type could meet one of the types that are there without a function for the two:
// mostly not, and then no pair of geoms need be looked at.
static bool lacksPartner(const bool present[SN_NGEOMTYPE], int type)
{
    for (int other = 0; other < SN_NGEOMTYPE; other++)
        if (present[other] && !sn_canCollide(type, other) && !neverCollide(type, other)) return true;
    return false;
}

snStatus sn_checkCollisions(const snModel* m, snError* error)
{
    bool present[SN_NGEOMTYPE] = {false};
    for (int g = 0; g < m->ngeom; g++)
        if (sn_geomCollides(m, g)) present[m->geom_type[g]] = true;
    for (int p = 0; p < m->npair; p++)
        if (!supported(m, m->pair_geom1[p], m->pair_geom2[p]))
            return unsupported(m, m->pair_geom1[p], m->pair_geom2[p], error);
    for (int g1 = 0; g1 < m->ngeom; g1++) {
        if (!sn_geomCollides(m, g1) || !lacksPartner(present, m->geom_type[g1])) continue;
        for (int g2 = g1 + 1; g2 < m->ngeom; g2++)
            if (!supported(m, g1, g2) && sn_mayMeet(m, g1, g2)) return unsupported(m, g1, g2, error);
    }
    return SN_STATUS_OK;
}
