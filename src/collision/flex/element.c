#include "collision/flex/element.h"
#include <assert.h>
#include "collision/contact/contact.h"

// From the second corner to the first, along the third axis
static void makeCapsule(snElement* e)
{
    const snVec3 along = sn_v3Sub(e->corner[0], e->corner[1]);
    double axes[9];
    sn_contactFrame(sn_v3Normalize(along), sn_v3(0, 0, 0), axes);
    for (int k = 0; k < 3; k++) {
        e->shape.mat.m[3 * k] = axes[3 + k];
        e->shape.mat.m[3 * k + 1] = axes[6 + k];
        e->shape.mat.m[3 * k + 2] = axes[k];
    }
    e->shape.size = sn_v3(e->radius, 0.5 * sn_v3Norm(along), 0);
    e->shape.type = SN_GEOM_CAPSULE;
}

static void makeHull(snElement* e)
{
    double square = 0;
    for (int k = 0; k < e->count; k++) {
        e->point[k] = sn_v3Sub(e->corner[k], e->shape.pos);
        const double far = sn_v3Dot(e->point[k], e->point[k]);
        if (far > square) square = far;
    }
    e->shape.mat = sn_m3Identity();
    e->shape.size = sn_v3(0, 0, 0);
    e->shape.type = SN_GEOM_MESH;
    e->shape.hull.point = e->point;
    e->shape.hull.count = e->count;
    e->shape.hull.radius = sqrt(square);
    e->shape.hull.ball = e->radius;
}

void sn_placeFlexElement(const snModel* m, const snData* d, int flex, int element, snElement* out)
{
    const int* corner = sn_elementCorners(m, flex, element);
    const double* x = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
    snVec3 sum = {0, 0, 0};
    out->count = m->flex_dim[flex] + 1;
    assert(out->count >= 2 && out->count <= 4);
    for (int k = 0; k < out->count; k++) {
        out->corner[k] = sn_v3Load(x + 3 * corner[k]);
        sum = sn_v3Add(sum, out->corner[k]);
    }
    out->radius = m->flex_radius[flex];
    out->middle = sn_v3Scale(sum, 1.0 / out->count);
}

void sn_shapeElement(snElement* element)
{
    element->shape = (snShape){.pos = element->middle, .geom = -1};
    (element->count == 2 ? makeCapsule : makeHull)(element);
}
