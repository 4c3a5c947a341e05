// Several contacts as MuJoCo 4 has them: two sides within 5 degrees of each other, or a side and an edge
// within 5 degrees of it, each point as deep as it is along the side's normal. Which side and edge, and whose
// normal, was found by experiment on the peer.
#include "collision/convex/patch.h"
#include "collision/convex/side.h"

#define ALONG_SIDE 0.996  // least cosine between two sides
#define ALONG_EDGE 0.0888 // most sine between an edge and a side

// A side and what corners over it are measured by: each is moved onto the side along `up`, out of it, and its
// depth counts along the normal of the contacts, from the first shape to the second.
typedef struct Ground {
    snVec3 at, up, normal;
    bool of_b; // the side is the second shape's
    real margin;
} Ground;

static snContactPoint pointAt(const Ground* g, snVec3 x)
{
    const snVec3 foot = sn_v3AddScaled(x, -sn_v3Dot(g->up, sn_v3Sub(x, g->at)), g->up);
    const snVec3 between = g->of_b ? sn_v3Sub(foot, x) : sn_v3Sub(x, foot);
    const real dist = sn_v3Dot(g->normal, between);
    return sn_contactPoint(dist, sn_v3AddScaled(foot, (g->of_b ? -0.5 : 0.5) * dist, g->normal), g->normal,
                           true);
}

static void dropFar(const Ground* g, snSide* corners)
{
    int count = 0;
    for (int i = 0; i < corners->count; i++)
        if (!(pointAt(g, corners->v[i]).dist > g->margin)) corners->v[count++] = corners->v[i];
    corners->count = count;
}

// The corners that are near enough, four at most, to contacts.
static int emit(const Ground* g, snSide* corners, snContactPoint* out)
{
    dropFar(g, corners);
    sn_fourCorners(corners, g->up);
    for (int i = 0; i < corners->count; i++) out[i] = pointAt(g, corners->v[i]);
    return corners->count;
}

// Two sides that look at each other: that of b over that of a; the normal is b's.
static int sides(const snSide* a, snSide* b, real margin, snContactPoint* out)
{
    const Ground g = {a->v[0], a->direction, sn_v3Neg(b->direction), false, margin};
    sn_clipSide(a, g.up, b);
    return emit(&g, b, out);
}

// The edge of the other shape along a side. On a capsule it is the line that is farthest along the normal of
// the first contact, on a cylinder the one that is deepest below the side, as in the peer. False: it stands
// off the side. *count: 0 where they miss each other.
static bool edgeOnSide(const snModel* m, const snSide* side, bool of_b, const snShape* other, snVec3 n,
                       real margin, snContactPoint* out, int* count)
{
    snSide edge;
    const snVec3 up = side->direction;
    const bool straight = sn_hasSides(m, other) || sn_isRod(other->type);
    if (!sn_edgeAcross(m, other, straight ? n : sn_v3Neg(up), &edge)) return false;
    if (!(fabs(sn_v3Dot(edge.direction, up)) < ALONG_EDGE)) return false;
    const Ground g = {side->v[0], up, of_b ? sn_v3Neg(up) : up, of_b, margin};
    sn_clipSide(side, up, &edge);
    *count = emit(&g, &edge, out);
    return true;
}

static bool isNormal(const snSide* side, snVec3 n)
{
    return sn_v3Dot(side->direction, n) > 1 - 1e-12;
}

int sn_patch(const snModel* m, const snShape* a, const snShape* b, real margin, snVec3 n, snContactPoint* out)
{
    if (sn_isSmooth(a->type) || sn_isSmooth(b->type)) return 0;
    const snVec3 back = sn_v3Neg(n);
    snSide side_a, side_b;
    const bool flat_a = sn_faceAlong(m, a, n, &side_a), flat_b = sn_faceAlong(m, b, back, &side_b);
    const bool on_a = flat_a && isNormal(&side_a, n), on_b = flat_b && isNormal(&side_b, back);
    int count = 0;
    if (flat_a && flat_b && -sn_v3Dot(side_a.direction, side_b.direction) >= ALONG_SIDE)
        count = sides(&side_a, &side_b, margin, out);
    else if (!flat_b || on_a || !edgeOnSide(m, &side_b, true, a, n, margin, out, &count))
        if (flat_a && !on_b) edgeOnSide(m, &side_a, false, b, back, margin, out, &count);
    return count;
}
