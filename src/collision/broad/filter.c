#include "collision/broad/filter.h"
#include "model/signature.h"

// The first of n ascending signatures that is not below one; n: none.
static int lowerBound(const int* signatures, int n, int signature)
{
    int low = 0;
    while (low < n) {
        const int middle = low + (n - low) / 2;
        if (signatures[middle] < signature)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

bool sn_isExcluded(const snModel* m, int body1, int body2)
{
    const int lo = body1 < body2 ? body1 : body2, hi = body1 < body2 ? body2 : body1;
    const int signature = sn_signature(lo, hi), at = lowerBound(m->exclude_signature, m->nexclude, signature);
    return at < m->nexclude && m->exclude_signature[at] == signature;
}

static bool isPair(const snModel* m, int g1, int g2)
{
    const int signature = sn_signature(m->geom_bodyid[g1], m->geom_bodyid[g2]);
    for (int p = lowerBound(m->pair_signature, m->npair, signature);
         p < m->npair && m->pair_signature[p] == signature; p++)
        if (m->pair_geom1[p] == g1 && m->pair_geom2[p] == g2) return true;
    return false;
}

bool sn_isPredefined(const snModel* m, int g1, int g2)
{
    return isPair(m, g1, g2) || isPair(m, g2, g1);
}
