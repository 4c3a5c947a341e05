// For each target: src/target/prelude.h.
#include "shape/hull_search.h"

snHullPoint sn_hullFarthest(const snHull* hull, snVec3 n)
{
    return sn_searchHull(hull, n);
}
