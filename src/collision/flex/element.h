// Elements of flexes as shapes.
#ifndef SINEW_COLLISION_FLEX_ELEMENT_H
#define SINEW_COLLISION_FLEX_ELEMENT_H

#include "collision/contact/narrow.h"

/// An element as it stands in d: a capsule, or a triangle or tetrahedron with a ball around it. It must stay
/// where it is while its shape is used.
typedef struct snElement {
    int count;        ///< corners
    snVec3 corner[4]; ///< world
    snVec3 point[4];  ///< corners from the middle
    double radius;
    snShape shape;
} snElement;

void sn_placeFlexElement(const snModel* m, const snData* d, int flex, int element, snElement* out);

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
