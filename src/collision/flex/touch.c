#include "collision/flex/touch.h"
#include <assert.h>
#include "collision/analytic/colliders.h"
#include "collision/convex/convex.h"
#include "collision/convex/hfield.h"
#include "collision/flex/triangle.h"
#include "collision/sdf/touch.h"

_Static_assert(SN_TRIANGLE_POINTS <= SN_MAXCONPAIR, "room");

// The collider of a triangle; NULL: that of all convex shapes.
typedef int (*Collider)(const snShape* geom, const snElement* triangle, double margin, snContactPoint* out);

static Collider triangleCollider(int type)
{
    return type == SN_GEOM_SPHERE    ? sn_sphereTriangle
           : type == SN_GEOM_CAPSULE ? sn_capsuleTriangle
           : type == SN_GEOM_BOX     ? sn_boxTriangle
                                     : NULL;
}

// A capsule as an element and a sphere, capsule or box. Colliders have the lower type first.
static int touchCapsule(const snModel* m, const snShape* geom, const snShape* capsule, double margin,
                        snContactPoint* out)
{
    const bool turned = geom->type > capsule->type;
    const snShape *a = turned ? capsule : geom, *b = turned ? geom : capsule;
    const int count = sn_analyticCollider(m->physics, a->type, b->type)(a, b, margin, out);
    for (int i = 0; i < count && turned; i++) out[i].normal = sn_v3Neg(out[i].normal);
    return count;
}

int sn_touchGeom(const snModel* m, const snShape* geom, snElement* element, double margin,
                 snContactPoint* out)
{
    assert(!sn_isEndless(geom->type));
    const Collider triangle = triangleCollider(geom->type); // of the types with formulas
    if (sn_hasDistances(geom->type))
        return sn_sdfSimplex(m, geom, element->corner, element->count, element->radius, margin, out);
    if (triangle && element->count == 3) return triangle(geom, element, margin, out);
    sn_shapeElement(element);
    if (sn_isField(geom->type)) return sn_hfieldConvex(m, geom, &element->shape, margin, out);
    if (triangle && element->count == 2) return touchCapsule(m, geom, &element->shape, margin, out);
    return sn_convexConvex(geom, &element->shape, margin, out);
}

int sn_touchElements(const snModel* m, snElement* a, snElement* b, double margin, snContactPoint* out)
{
    sn_shapeElement(a);
    sn_shapeElement(b);
    if (a->count == 2 && b->count == 2) return touchCapsule(m, &a->shape, &b->shape, margin, out);
    return sn_convexConvex(&a->shape, &b->shape, margin, out);
}

bool sn_touchPlane(const snShape* plane, snVec3 vertex, double radius, double margin, snContactPoint* out)
{
    const snVec3 normal = sn_m3Col(plane->mat, 2);
    const double dist = sn_v3Dot(sn_v3Sub(vertex, plane->pos), normal) - radius;
    if (dist > margin) return false;
    *out = (snContactPoint){
        .dist = dist, .pos = sn_v3AddScaled(vertex, -radius - 0.5 * dist, normal), .normal = normal};
    return true;
}
