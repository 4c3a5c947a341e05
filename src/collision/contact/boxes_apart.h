// Boxes around two geoms along their own axes.
#ifndef SINEW_COLLISION_CONTACT_BOXES_APART_H
#define SINEW_COLLISION_CONTACT_BOXES_APART_H

#include "collision/contact/narrow.h"

/// Whether the boxes around two geoms (box_a, box_b: their geom_aabb), margin included, are parted along an
/// axis of one of them. Cheaper than a first support of a large hull; errs on the side of overlap.
static inline snMask sn_boxesApart(const snShape* a, const real* box_a, const snShape* b, const real* box_b,
                                   real margin)
{
    const snVec3 ca = sn_v3Add(a->pos, sn_m3Mul(a->mat, sn_v3Load(box_a)));
    const snVec3 cb = sn_v3Add(b->pos, sn_m3Mul(b->mat, sn_v3Load(box_b)));
    const snMat3 C = sn_m3TMulM3(a->mat, b->mat);
    real da[3], db[3];
    sn_v3Store(da, sn_m3TMul(a->mat, sn_v3Sub(cb, ca)));
    sn_v3Store(db, sn_m3TMul(b->mat, sn_v3Sub(cb, ca)));
    snMask apart = sn_mask(false);
    for (int i = 0; i < 3 && !sn_all(apart); i++) {
        real reach_a = box_a[3 + i], reach_b = box_b[3 + i];
        for (int j = 0; j < 3; j++) {
            reach_a += fabs(C.m[3 * i + j]) * box_b[3 + j];
            reach_b += fabs(C.m[3 * j + i]) * box_a[3 + j];
        }
        const real slack = (1e-9 + SN_COARSE) * (reach_a + reach_b);
        apart |= (fabs(da[i]) > reach_a + margin + slack) | (fabs(db[i]) > reach_b + margin + slack);
    }
    return apart;
}

#endif
