#include "shape/hull_search.h"
#include "math/clones.h"

SN_CLONES snHullPoint sn_hullFarthest(const snHull* hull, snVec3 n)
{
    return sn_searchHull(hull, n);
}
