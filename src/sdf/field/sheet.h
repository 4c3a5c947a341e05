// A leaf of a distance field: one to four sheets, each given at the corners of the leaf and at the middles of
// its edges, sides and itself, and quadratic between them along each axis. Sheets of leaves of one size that
// lie side by side meet. The distance is the least or the largest of the sheets, so that a leaf can hold the
// creases of a distance, which lie where two or more parts of a surface are equally far.
#ifndef SINEW_SDF_FIELD_SHEET_H
#define SINEW_SDF_FIELD_SHEET_H

#include "math/vec.h"

enum {
    SN_SHEET = 27,  ///< numbers of a sheet: three along each axis, x fastest, then y
    SN_MAXSHEET = 4 ///< sheets of a leaf
};

/// A leaf as the tree holds it.
typedef struct snLeaf {
    int first, count; ///< sheets
    bool largest;     ///< the distance is the largest of them, else the least
} snLeaf;

/// What sdf_child says of a leaf, and back.
static inline int sn_leafCode(snLeaf leaf)
{
    return -1 - (8 * leaf.first + 2 * (leaf.count - 1) + leaf.largest);
}

static inline snLeaf sn_leafOf(int code)
{
    const int x = -1 - code;
    return (snLeaf){x >> 3, (x >> 1 & 3) + 1, x & 1};
}

/// Weights w of three numbers at x = 0, 1/2 and 1, from 0 to 1, and their slopes.
static inline void sn_sheetWeights(real x, real w[3], real slope[3])
{
    w[0] = (2 * x - 1) * (x - 1);
    w[1] = 4 * x * (1 - x);
    w[2] = x * (2 * x - 1);
    slope[0] = 4 * x - 3;
    slope[1] = 4 - 8 * x;
    slope[2] = 4 * x - 1;
}

static inline real sn_weigh3(const real a[3], const real w[3])
{
    return a[0] * w[0] + a[1] * w[1] + a[2] * w[2];
}

/// A sheet at x, from 0 to 1 along each axis; slope: its slope there by x, or NULL.
static inline real sn_sheetAt(const float c[SN_SHEET], snVec3 x, snVec3* slope)
{
    real wx[3], wy[3], wz[3], dx[3], dy[3], dz[3], z[3], by_x[3], by_y[3];
    sn_sheetWeights(x.x, wx, dx);
    sn_sheetWeights(x.y, wy, dy);
    sn_sheetWeights(x.z, wz, dz);
    for (int k = 0; k < 3; k++) {
        real y[3], y_by_x[3];
        for (int j = 0; j < 3; j++) {
            const float* row = c + 9 * k + 3 * j;
            const real a[3] = {(real)row[0], (real)row[1], (real)row[2]};
            y[j] = sn_weigh3(a, wx);
            y_by_x[j] = sn_weigh3(a, dx);
        }
        z[k] = sn_weigh3(y, wy);
        by_x[k] = sn_weigh3(y_by_x, wy);
        by_y[k] = sn_weigh3(y, dy);
    }
    if (slope) *slope = sn_v3(sn_weigh3(by_x, wz), sn_weigh3(by_y, wz), sn_weigh3(z, dz));
    return sn_weigh3(z, wz);
}

/// Distance of a leaf at x; slope: as of sn_sheetAt.
static inline real sn_leafAt(const float* sheets, int count, bool largest, snVec3 x, snVec3* slope)
{
    real best = sn_sheetAt(sheets, x, slope);
    for (int k = 1; k < count; k++) {
        snVec3 other_slope;
        const real other = sn_sheetAt(sheets + SN_SHEET * k, x, slope ? &other_slope : NULL);
        if (largest ? !(other > best) : !(other < best)) continue;
        best = other;
        if (slope) *slope = other_slope;
    }
    return best;
}

#endif
