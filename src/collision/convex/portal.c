// From the centre c the origin is at o = -c, a vertex x at x - c. Three of these, in such an order that their
// determinant is positive, have the ray to o between them if it is on the inner side of the three planes
// through c and two of them. A support beyond a plane that it is not on the inner side of takes the place of
// the third vertex; then, while the triangle is before the origin, the support beyond the triangle takes the
// place of the one that the ray does not need. Each support is a chance to find a gap.
#include "collision/convex/portal.h"
#include <assert.h>

enum { MOST_SUPPORTS = 60 };

// The support beyond a plane through the origin with the outward normal m. False: all of D is behind it.
static bool beyond(const snConvexPair* p, snVec3 m, snSupport* w, snPortal* out)
{
    *w = sn_convexSupport(p, sn_v3Neg(m));
    const real reach = sn_v3Dot(m, w->x);
    if (reach >= 0) return true;
    const real inv = 1 / sn_v3Norm(m);
    out->n = sn_v3Scale(m, -inv);
    out->gap = -reach * inv;
    return false;
}

static snVec3 seen(const snConvexPair* p, const snSupport* v)
{
    return sn_v3Sub(v->x, p->c);
}

static void swap(snSupport* a, snSupport* b)
{
    const snSupport kept = *a;
    *a = *b;
    *b = kept;
}

// Two more vertices: one beside the plane of ray and first vertex, one beside that of the first two.
static bool firstThree(const snConvexPair* p, snVec3 n, snPortal* out)
{
    const snVec3 o = sn_v3Neg(p->c), a = seen(p, &out->v[0]);
    snVec3 m = sn_v3Cross(o, a);
    if (!(sn_v3Dot(m, m) > 1e-18 * sn_v3Dot(o, o) * sn_v3Dot(a, a))) // on the ray: any plane
        m = sn_v3Cross(n, fabs(n.x) < 0.6 ? sn_v3(1, 0, 0) : sn_v3(0, 1, 0));
    if (!beyond(p, m, &out->v[1], out)) return false;
    m = sn_v3Cross(a, seen(p, &out->v[1]));
    const bool turned = sn_v3Dot(m, o) < 0;
    if (turned) m = sn_v3Neg(m);
    if (!beyond(p, m, &out->v[2], out)) return false;
    if (turned) swap(&out->v[0], &out->v[1]);
    return true;
}

// Which plane has the ray on its outer side, with its outward normal; -1: none.
static int outerPlane(const snConvexPair* p, const snPortal* portal, snVec3* m)
{
    const snVec3 a[3] = {seen(p, &portal->v[0]), seen(p, &portal->v[1]), seen(p, &portal->v[2])};
    for (int k = 0; k < 3; k++) {
        *m = sn_v3Cross(a[k == 2 ? 0 : k + 1], a[k]);
        if (sn_v3Dot(*m, p->c) < 0) return k;
    }
    return -1;
}

// The vertex before which the ray leaves the triangle of the other two and w.
static int needless(const snConvexPair* p, const snPortal* portal, const snSupport* w)
{
    const snVec3 g = sn_v3Cross(seen(p, w), p->c);
    bool left[3];
    for (int k = 0; k < 3; k++) left[k] = sn_v3Dot(g, seen(p, &portal->v[k])) >= 0;
    for (int k = 0; k < 3; k++)
        if (left[k] && !left[k == 2 ? 0 : k + 1]) return k == 0 ? 2 : k - 1;
    return -1;
}

snPortalFound sn_findPortal(const snConvexPair* p, snVec3 n, snPortal* out)
{
    assert(p->inner > 0);
    snSupport w, *v = out->v;
    if (!firstThree(p, n, out)) return SN_PORTAL_APART;
    int left = MOST_SUPPORTS;
    snVec3 m;
    for (int k; left > 0 && (k = outerPlane(p, out, &m)) >= 0; left--) {
        if (!beyond(p, m, &w, out)) return SN_PORTAL_APART;
        v[k == 0 ? 2 : k - 1] = w;
        swap(&v[0], &v[1]); // w is on the other side of the plane than the vertex was
    }
    for (; left > 0; left--) {
        m = sn_v3Cross(sn_v3Sub(v[1].x, v[0].x), sn_v3Sub(v[2].x, v[0].x));
        if (sn_v3Dot(m, v[0].x) >= 0) return SN_PORTAL_FOUND;
        if (!beyond(p, m, &w, out)) return SN_PORTAL_APART;
        const int k = needless(p, out, &w);
        if (k < 0) return SN_PORTAL_UNKNOWN;
        v[k] = w;
    }
    return SN_PORTAL_UNKNOWN;
}
