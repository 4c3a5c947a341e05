// Boxes around geoms along their own axes.
#ifndef SINEW_COLLISION_CONTACT_BOXES_APART_H
#define SINEW_COLLISION_CONTACT_BOXES_APART_H

#include "collision/contact/narrow.h"

/// A geom where it stands, and its box (geom_aabb).
typedef struct snPlacedBox {
    snVec3 pos;
    snMat3 mat;
    const real* box;
} snPlacedBox;

static inline snPlacedBox sn_placedBox(const snModel* m, const snData* d, int geom)
{
    return (snPlacedBox){sn_v3Load(d->geom_xpos + 3 * geom), sn_m3Load(d->geom_xmat + 9 * geom),
                         m->geom_aabb + 6 * geom};
}

/// Whether the boxes around two geoms, margin included, are parted along an axis of one of them. Cheaper than
/// a first support of a large hull; errs on the side of overlap.
static inline snMask sn_boxesApart(const snPlacedBox* a, const snPlacedBox* b, real margin)
{
    const snVec3 ca = sn_v3Add(a->pos, sn_m3Mul(a->mat, sn_v3Load(a->box)));
    const snVec3 cb = sn_v3Add(b->pos, sn_m3Mul(b->mat, sn_v3Load(b->box)));
    const snVec3 between = sn_v3Sub(cb, ca);
    const real *half_a = a->box + 3, *half_b = b->box + 3, much = sn_real(1 + (1e-9 + SN_COARSE));
    snVec3 across[3]; // cosines between axis i of a and those of b, without signs
    snMask apart = sn_mask(false);
    for (int i = 0; i < 3; i++) {
        const snVec3 axis = sn_m3Col(a->mat, i), c = sn_m3TMul(b->mat, axis);
        across[i] = sn_v3(fabs(c.x), fabs(c.y), fabs(c.z));
        const real reach = half_a[i] + sn_v3Dot(across[i], sn_v3Load(half_b));
        apart |= fabs(sn_v3Dot(axis, between)) > much * reach + margin;
        if (sn_all(apart)) return apart;
    }
    const snVec3 sum = sn_v3AddScaled(sn_v3AddScaled(sn_v3Scale(across[0], half_a[0]), half_a[1], across[1]),
                                      half_a[2], across[2]);
    const snVec3 along = sn_m3TMul(b->mat, between);
    apart |= fabs(along.x) > much * (half_b[0] + sum.x) + margin;
    apart |= fabs(along.y) > much * (half_b[1] + sum.y) + margin;
    apart |= fabs(along.z) > much * (half_b[2] + sum.z) + margin;
    return apart;
}

/// Whether the box around a geom is above a plane by more than the margin; errs on the side of below. Of the
/// plane's box nothing is read.
static inline snMask sn_boxAbove(const snPlacedBox* plane, const snPlacedBox* a, real margin)
{
    const snVec3 n = sn_m3Col(plane->mat, 2);
    const snVec3 local = sn_m3TMul(a->mat, n), centre = sn_v3Load(a->box);
    const real height = sn_v3Dot(n, sn_v3Sub(a->pos, plane->pos)) + sn_v3Dot(local, centre);
    const real reach = fabs(local.x) * a->box[3] + fabs(local.y) * a->box[4] + fabs(local.z) * a->box[5];
    return height > reach + margin + (1e-9 + SN_COARSE) * (reach + fabs(height) + sn_v3Norm(centre));
}

#endif
