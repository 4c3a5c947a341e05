// Elements of flexes as shapes.
#ifndef SINEW_COLLISION_FLEX_ELEMENT_H
#define SINEW_COLLISION_FLEX_ELEMENT_H

#include <math.h>
#include "collision/contact/narrow.h"

/// An element as it stands in d: an edge, triangle or tetrahedron with a ball around it.
typedef struct snElement {
    int count;        ///< corners
    snVec3 corner[4]; ///< world
    snVec3 middle;
    double radius;
    snVec3 point[4]; ///< corners from the middle, set with `shape`
    snShape shape;   ///< capsule or hull; sn_shapeElement
} snElement;

void sn_placeFlexElement(const snModel* m, const snData* d, int flex, int element, snElement* out);

/// Sets its shape, which points into the element.
void sn_shapeElement(snElement* element);

/// Whether two elements are farther apart than `reach` along the line between their middles: most are.
static inline bool sn_elementsApart(const snElement* a, const snElement* b, double reach)
{
    const snVec3 n = sn_v3Sub(b->middle, a->middle);
    double high = -HUGE_VAL, low = HUGE_VAL;
    for (int k = 0; k < a->count; k++) {
        const double along = sn_v3Dot(n, sn_v3Sub(a->corner[k], a->middle));
        if (along > high) high = along;
    }
    for (int k = 0; k < b->count; k++) {
        const double along = sn_v3Dot(n, sn_v3Sub(b->corner[k], a->middle));
        if (along < low) low = along;
    }
    const double gap = low - high, least = a->radius + b->radius + reach;
    return gap > 0 && gap * gap > least * least * (1 + 1e-9) * sn_v3Dot(n, n);
}

/// Corners of an element [flex_dim + 1], counted from flex_vertadr.
static inline const int* sn_elementCorners(const snModel* m, int flex, int element)
{
    return m->flex_elem + m->flex_elemdataadr[flex] + element * (m->flex_dim[flex] + 1);
}

/// Whether it collides: tetrahedra inside do not.
static inline bool sn_isElementActive(const snModel* m, int flex, int element)
{
    return m->flex_dim[flex] < 3 ||
           m->flex_elemlayer[m->flex_elemadr[flex] + element] < m->flex_activelayers[flex];
}

#endif
