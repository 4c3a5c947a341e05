#include "collision/broad/filter.h"

bool sn_isExcluded(const snModel* m, int body1, int body2)
{
    const int lo = body1 < body2 ? body1 : body2, hi = body1 < body2 ? body2 : body1;
    const int signature = (lo << 16) + hi;
    for (int i = 0; i < m->nexclude; i++)
        if (m->exclude_signature[i] == signature) return true;
    return false;
}

bool sn_isPredefined(const snModel* m, int g1, int g2)
{
    for (int p = 0; p < m->npair; p++) {
        if (m->pair_geom1[p] == g1 && m->pair_geom2[p] == g2) return true;
        if (m->pair_geom1[p] == g2 && m->pair_geom2[p] == g1) return true;
    }
    return false;
}
