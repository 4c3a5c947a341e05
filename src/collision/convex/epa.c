// For each target: src/target/prelude.h.
// EPA: a polytope of support points inside D; its face nearest to the origin bounds the depth from below, the
// support in the direction of that face from above, and joins the polytope as a new vertex. The origin need
// not be in the polytope from the start: signed face distances order the faces all the same.
#include "collision/convex/epa.h"
#include "collision/convex/hull_ascend.h"
#include "math/simd.h"

// Bounds on time and stack. Hulls of a few thousand vertices, deep in each other, take some 20 to 100, at
// most 400. Only where nearly all directions are equally deep, as of fine spheres one in the other, is there
// no end.
#define MAX_VERTS 512
#define MAX_ROUND_VERTS 128 // pairs without a hull
#define MAX_FACES (2 * MAX_VERTS)

// Faces point to their neighbours, so that a new vertex costs only the faces that it sees and those around
// them. A side is a face and one of its edges, edge k from v[k] to the next: 4 face + k.
typedef struct Face {
    snVec3 n;      // outward unit normal
    real dist;     // n.x on the face
    short v[3];    // vertices, counter-clockwise from outside; v[0] < 0: removed
    short side[3]; // across each edge: the side of the neighbour
} Face;

static const int after[3] = {1, 2, 0};

typedef struct Polytope {
    snSupport vert[MAX_VERTS];
    Face face[MAX_FACES];
    _Alignas(
        v4) real dist[MAX_FACES]; // of the faces; infinite: removed, or none yet up to a multiple of four
    short unused[MAX_FACES];      // places of removed faces
    int nvert, nface, nunused;
    int most; // vertices, at which it is full
} Polytope;

static inline void removeFace(Polytope* poly, int at)
{
    poly->face[at].v[0] = -1;
    poly->dist[at] = INFINITY;
    poly->unused[poly->nunused++] = (short)at;
}

// A place for a face.
static inline int newFace(Polytope* poly)
{
    if (poly->nunused) return poly->unused[--poly->nunused];
    if (poly->nface % 4 == 0) v4_store(poly->dist + poly->nface, v4_all(INFINITY));
    return poly->nface++;
}

// Sets plane and vertices. False: the vertices are in line, or too far apart for numbers.
static bool setPlane(Polytope* poly, int at, int a, int b, int c)
{
    Face* f = &poly->face[at];
    const snVec3 x = poly->vert[a].x, y = poly->vert[b].x, z = poly->vert[c].x;
    const snVec3 n = sn_v3Cross(sn_v3Sub(y, x), sn_v3Sub(z, x));
    const real len = sn_v3Norm(n);
    if (!(len > 0 && isfinite(len))) return false;
    f->n = sn_v3Scale(n, 1 / len);
    f->dist = poly->dist[at] = sn_v3Dot(f->n, x);
    f->v[0] = (short)a;
    f->v[1] = (short)b;
    f->v[2] = (short)c;
    return true;
}

// The faces of the first four vertices. `above`: the last one is on the side that (v1 - v0) x (v2 - v0) looks
// to.
static bool makeTetrahedron(Polytope* poly, bool above)
{
    static const short side[4][3] = {{12, 8, 4}, {2, 10, 13}, {1, 14, 5}, {0, 6, 9}};
    const int a = above ? 2 : 1, b = above ? 1 : 2;
    const int v[4][3] = {{0, a, b}, {0, b, 3}, {b, a, 3}, {a, 0, 3}};
    poly->nvert = 4;
    poly->nface = poly->nunused = 0;
    for (int k = 0; k < 4; k++) {
        if (!setPlane(poly, newFace(poly), v[k][0], v[k][1], v[k][2])) return false;
        memcpy(poly->face[k].side, side[k], sizeof side[k]);
    }
    return true;
}

static snSupport farthest(const snConvexPair* p, snVec3 m)
{
    return sn_convexSupport(p, sn_v3Neg(m));
}

// The support along m or -m that is farther from the plane through x.
static snSupport farther(const snConvexPair* p, snVec3 m, snVec3 x, real* dist)
{
    const snSupport a = farthest(p, m), b = farthest(p, sn_v3Neg(m));
    const real da = sn_v3Dot(m, sn_v3Sub(a.x, x)), db = sn_v3Dot(m, sn_v3Sub(x, b.x));
    *dist = sn_max(da, db);
    return da >= db ? a : b;
}

// A tetrahedron of support points, as large as simple choices make it. False: D is flat.
static bool firstTetrahedron(Polytope* poly, const snConvexPair* p, snVec3 n)
{
    const real flat = 1e-10 * p->scale;
    snSupport* v = poly->vert;
    real dist;
    v[0] = farthest(p, sn_v3Neg(n));
    v[1] = farthest(p, n);
    snVec3 axis = sn_v3Sub(v[1].x, v[0].x);
    if (!(sn_v3Norm(axis) > flat)) return false;
    axis = sn_v3Normalize(axis);
    const snVec3 pick = fabs(axis.x) < 0.6 ? sn_v3(1, 0, 0) : sn_v3(0, 1, 0);
    const snVec3 side = sn_v3Normalize(sn_v3Cross(axis, pick)), other = sn_v3Cross(axis, side);
    v[2] = farther(p, side, v[0].x, &dist);
    if (!(dist > flat)) {
        v[2] = farther(p, other, v[0].x, &dist);
        if (!(dist > flat)) return false;
    }
    const snVec3 m = sn_v3Normalize(sn_v3Cross(axis, sn_v3Sub(v[2].x, v[0].x)));
    v[3] = farther(p, m, v[0].x, &dist);
    if (!(dist > flat)) return false;
    return makeTetrahedron(poly, sn_v3Dot(m, sn_v3Sub(v[3].x, v[0].x)) > 0);
}

// The tetrahedron in which GJK found the origin. False: there is none, or it is all but flat.
static bool seedTetrahedron(Polytope* poly, const snConvexPair* p, const snGjk* seed)
{
    if (!seed || !seed->overlap || seed->count != 4) return false;
    memcpy(poly->vert, seed->vertex, sizeof seed->vertex);
    const snVec3 x = poly->vert[0].x, a = sn_v3Sub(poly->vert[1].x, x), b = sn_v3Sub(poly->vert[2].x, x);
    const real volume = sn_v3Dot(sn_v3Cross(a, b), sn_v3Sub(poly->vert[3].x, x));
    if (!(fabs(volume) > 1e-6 * p->scale * p->scale * p->scale)) return false;
    return makeTetrahedron(poly, volume > 0);
}

// The tetrahedron of a portal and the centre, which is no vertex of D, but inside.
static bool portalTetrahedron(Polytope* poly, const snConvexPair* p, const snPortal* portal)
{
    memcpy(poly->vert, portal->v, sizeof portal->v);
    poly->vert[3] = (snSupport){p->c, {0, 0, 0}, {-1, -1}};
    return makeTetrahedron(poly, false);
}

// The closed line between the faces that a new vertex sees and the others: sides of these.
typedef struct Horizon {
    short side[3 * MAX_FACES];
    int count;
} Horizon;

// Removes the faces that x sees, from `first` on, which it does see, over edges to the next. They are crossed
// in order around each face, so the sides of the horizon come in order, too.
static inline void openTo(Polytope* poly, int first, snVec3 x, real eps, Horizon* h)
{
    short ahead[2 * MAX_FACES + 3]; // sides still to be looked at
    const Face* f = &poly->face[first];
    int depth = 0;
    h->count = 0;
    for (int k = 2; k >= 0; k--) ahead[depth++] = f->side[k];
    removeFace(poly, first);
    while (depth > 0) {
        const int side = ahead[--depth], edge = side & 3;
        f = &poly->face[side >> 2];
        if (f->v[0] < 0) continue;
        if (sn_v3Dot(f->n, x) > f->dist + eps) {
            const int next = after[edge];
            ahead[depth++] = f->side[after[next]];
            ahead[depth++] = f->side[next];
            removeFace(poly, side >> 2);
        } else {
            h->side[h->count++] = (short)side;
        }
    }
}

// The vertices of the horizon, seen from the new one.
typedef struct Ring {
    _Alignas(v4) real x[3][MAX_VERTS + 8]; // beyond the last: the first again
    short vert[MAX_VERTS];
} Ring;

// False: the horizon is no closed line.
static inline bool lookAround(const Polytope* poly, const Horizon* h, snVec3 top, Ring* ring)
{
    if (h->count < 3 || h->count > MAX_VERTS) return false;
    int end = -1;
    for (int i = 0; i < h->count; i++) {
        const Face* beyond = &poly->face[h->side[i] >> 2];
        const int edge = h->side[i] & 3, from = beyond->v[after[edge]];
        if (i > 0 && from != end) return false;
        end = beyond->v[edge];
        const snVec3 x = sn_v3Sub(poly->vert[from].x, top);
        ring->x[0][i] = x.x;
        ring->x[1][i] = x.y;
        ring->x[2][i] = x.z;
        ring->vert[i] = (short)from;
    }
    for (int k = 0; k < 3; k++) v4_storeAny(ring->x[k] + h->count, v4_all(ring->x[k][0]));
    return end == ring->vert[0];
}

// The planes of four faces from the ring to the new vertex: unit normal, n.x on the face; NaN where the
// vertices are in line.
SN_INLINE void planes(const Ring* ring, int first, snVec3 top, v4 plane[4])
{
    v4 a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = v4_load(ring->x[k] + first);
        b[k] = v4_loadAny(ring->x[k] + first + 1);
    }
    const v4 x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    const v4 inv = 1 / v4_sqrt(x * x + y * y + z * z);
    plane[0] = inv * x;
    plane[1] = inv * y;
    plane[2] = inv * z;
    plane[3] = v4_all(top.x) * plane[0] + v4_all(top.y) * plane[1] + v4_all(top.z) * plane[2];
    v4_transpose(plane);
}

// A face on a side of the horizon.
SN_INLINE int addFace(Polytope* poly, const Ring* ring, int i, int side, v4 plane)
{
    const int edge = side & 3, at = newFace(poly);
    Face *beyond = &poly->face[side >> 2], *f = &poly->face[at];
    v4_storeAny(&f->n.x, plane);
    poly->dist[at] = plane[3];
    f->v[0] = ring->vert[i];
    f->v[1] = beyond->v[edge];
    f->v[2] = (short)(poly->nvert - 1);
    f->side[0] = (short)side;
    beyond->side[edge] = (short)(4 * at);
    return at;
}

// The sides of two faces to the new vertex, one behind the other around it
static inline void join(Polytope* poly, int at, int next)
{
    poly->face[at].side[1] = (short)(4 * next + 2);
    poly->face[next].side[2] = (short)(4 * at + 1);
}

// Faces from the horizon to the last vertex. False: the horizon is no closed line, or a face has no plane.
SN_INLINE bool closeTo(Polytope* poly, const Horizon* h)
{
    const snVec3 top = poly->vert[poly->nvert - 1].x;
    Ring ring;
    if (poly->nface + h->count - poly->nunused > MAX_FACES || !lookAround(poly, h, top, &ring)) return false;
    int first = 0, last = 0;
    for (int i = 0; i < h->count; i += 4) {
        v4 plane[4];
        planes(&ring, i, top, plane);
        for (int k = 0; k < 4 && i + k < h->count; k++) {
            if (isnan(plane[k][3])) return false;
            const int at = addFace(poly, &ring, i + k, h->side[i + k], plane[k]);
            if (i + k == 0)
                first = at;
            else
                join(poly, last, at);
            last = at;
        }
    }
    join(poly, last, first);
    return true;
}

typedef enum Growth { GROWN, INSIDE, BROKEN, FULL } Growth;

// Adds a vertex: the faces that it sees give way to faces to it. `first`: one that it sees. FULL: no room.
// BROKEN: rounding made a hole; the polytope is of no more use.
static Growth expand(Polytope* poly, const snSupport* w, int first, real eps)
{
    if (poly->nvert == poly->most) return FULL;
    Horizon horizon;
    openTo(poly, first, w->x, eps, &horizon);
    poly->vert[poly->nvert++] = *w;
    return closeTo(poly, &horizon) ? GROWN : BROKEN;
}

// A face that x sees, -1: none.
static int seenFace(const Polytope* poly, snVec3 x, real eps)
{
    for (int i = 0; i < poly->nface; i++)
        if (sn_v3Dot(poly->face[i].n, x) > poly->dist[i] + eps) return i;
    return -1;
}

// Barycentric place of the foot of the origin on a triangle x in the plane n.x = dist; the least weight,
// negative if the foot is outside.
static real footOn(snVec3 n, real dist, const snVec3 x[3], real weight[3])
{
    const snVec3 foot = sn_v3Scale(n, dist);
    snVec3 r[3];
    for (int k = 0; k < 3; k++) r[k] = sn_v3Sub(x[k], foot);
    real sum = 0, least = INFINITY;
    for (int k = 0; k < 3; k++) {
        weight[k] = sn_v3Dot(n, sn_v3Cross(r[(k + 1) % 3], r[(k + 2) % 3]));
        sum += weight[k];
    }
    for (int k = 0; k < 3; k++) {
        weight[k] /= sum;
        least = sn_min(weight[k], least);
    }
    return least;
}

static real footWeights(const Polytope* poly, const Face* f, real weight[3])
{
    const snVec3 x[3] = {poly->vert[f->v[0]].x, poly->vert[f->v[1]].x, poly->vert[f->v[2]].x};
    return footOn(f->n, f->dist, x, weight);
}

// The best direction so far.
typedef struct Best {
    snWitness at;
    real depth;   // of D without the ball
    int face;     // that gave it
    bool settled; // a local maximum of the gap
    bool proven;  // the maximum
    int climbs;
} Best;

// How far the vertices of a face are above the plane n.x = -depth that D rests on; infinite for a face that
// looks elsewhere.
static real faceAbove(const Polytope* poly, const Face* f, const snWitness* at, real depth)
{
    if (f->v[0] < 0 || -sn_v3Dot(f->n, at->n) < 1 - 1e-5) return INFINITY;
    real most = 0;
    for (int k = 0; k < 3; k++) most = sn_max(depth + sn_v3Dot(at->n, poly->vert[f->v[k]].x), most);
    return most;
}

// The face in that plane (of those that are nearly so, if none is) that holds the foot of the origin: a flat
// side of D is many faces.
static const Face* faceUnder(const snConvexPair* p, const Polytope* poly, const Best* best, real weight[3])
{
    const snWitness* at = &best->at;
    const real depth = best->depth, flat = 1e-9 * p->scale;
    const Face* found = &poly->face[best->face];
    // as a rule the face that gave the best, and no other: it holds the foot well inside
    if (faceAbove(poly, found, at, depth) <= flat && footWeights(poly, found, weight) > 1e-6) return found;
    found = NULL;
    real most = -INFINITY, lowest = INFINITY;
    for (int i = 0; i < poly->nface; i++) {
        const Face* f = &poly->face[i];
        const real above = sn_max(faceAbove(poly, f, at, depth), flat);
        real w[3];
        if (!(above <= lowest) || !isfinite(above)) continue;
        const real least = footWeights(poly, f, w);
        if (above == lowest && !(least > most)) continue;
        lowest = above;
        most = least;
        found = f;
        memcpy(weight, w, sizeof w);
    }
    return found;
}

// ---- flat on flat: each point of a patch is as deep as any other

#define FLAT 5e-12 // of the size, or of a length

// In how many directions, 2 at most, a shape is level along n: 0 at a vertex, 1 on an edge, 2 on a side. v: a
// vertex of its hull that is farthest, if it has one.
static int levelOf(const snConvexPair* p, int side, int v, snVec3 n)
{
    const snHull* hull = p->hull[side];
    int level = 0;
    if (hull && hull->edge_adr && v >= 0) {
        const snVec3 x = sn_convexHullVertex(p, side, v);
        for (const int* e = hull->edge + hull->edge_adr[v]; *e >= 0; e++)
            level += fabs(sn_v3Dot(n, sn_v3Sub(sn_convexHullVertex(p, side, *e), x))) <= FLAT * hull->radius;
    }
    for (int i = side ? p->nseg_a : 0; i < (side ? p->nseg : p->nseg_a); i++)
        level += fabs(sn_v3Dot(n, p->seg[i])) <= FLAT * p->seg_len[i];
    return level < 2 ? level : 2;
}

enum { TURNS = 8 };

// Corners of the side of D in the plane n.x = -depth, in order around it: of a rectangle all four.
static int sideCorners(const snConvexPair* p, snVec3 n, real depth, snSupport corner[TURNS])
{
    const snVec3 pick = fabs(n.x) < 0.6 ? sn_v3(1, 0, 0) : sn_v3(0, 1, 0);
    const snVec3 t = sn_v3Normalize(sn_v3Cross(n, pick)), u = sn_v3Cross(n, t);
    int count = 0;
    for (int k = 0; k < TURNS; k++) {
        const real angle = 0.3 + 2 * SN_PI / TURNS * k;
        const snVec3 aside = sn_v3AddScaled(sn_v3Scale(t, sn_cos(angle)), sn_sin(angle), u);
        const snSupport w = sn_convexSupport(p, sn_v3AddScaled(n, 1e-6, aside));
        if (depth + sn_v3Dot(n, w.x) > FLAT * p->scale) return 0;
        const bool known = count > 0 && sn_v3Norm(sn_v3Sub(w.x, corner[count - 1].x)) <= FLAT * p->scale;
        if (!known) corner[count++] = w;
    }
    return count;
}

// Three supports with the foot of the origin between them, and how much each counts.
typedef struct Under {
    snSupport at[3];
    real weight[3];
} Under;

// Whether sides, or a side and an edge, lie on each other.
static bool isFlat(const snConvexPair* p, const snSupport* vertex, snVec3 n)
{
    return sn_isPolytope(p) && levelOf(p, 0, vertex->id[0], n) + levelOf(p, 1, vertex->id[1], n) >= 3;
}

// Where they do: between corners of the side of D, as in the peer, not between vertices of the polytope, some
// of which may be within it. False: there are none.
static bool flatUnder(const snConvexPair* p, const snWitness* at, real depth, Under* out)
{
    snSupport corner[TURNS];
    const int count = sideCorners(p, at->n, depth, corner);
    for (int i = 1; i + 1 < count; i++) {
        Under three = {.at = {corner[0], corner[i], corner[i + 1]}};
        const snVec3 x[3] = {corner[0].x, corner[i].x, corner[i + 1].x};
        if (!(footOn(at->n, -depth, x, three.weight) >= -FLAT)) continue;
        *out = three;
        return true;
    }
    return false;
}

static bool faceOf(const snConvexPair* p, const Polytope* poly, const Best* best, Under* out)
{
    const Face* found = faceUnder(p, poly, best, out->weight);
    if (!found) return false;
    for (int k = 0; k < 3; k++) out->at[k] = poly->vert[found->v[k]];
    return true;
}

// The points of A and B for direction at->n: the mixture of vertices of a face that makes the foot of the
// origin makes points of A and of B. They are put `at->dist` apart along n.
static void faceWitness(const snConvexPair* p, const Polytope* poly, bool points, Best* best)
{
    snWitness* at = &best->at;
    Under under;
    snVec3 pa = {0, 0, 0}, pb = {0, 0, 0};
    const bool found = faceOf(p, poly, best, &under);
    const snSupport x = found ? under.at[0] : sn_convexSupport(p, at->n);
    const bool flat = isFlat(p, &x, at->n);
    at->bare = flat && !points;
    if (at->bare) return;
    if (!(flat && flatUnder(p, at, best->depth, &under)) && !found) {
        pa = x.pa;
        pb = sn_v3Add(x.pa, x.x);
    } else {
        real sum = 0;
        for (int k = 0; k < 3; k++) sum += sn_max(under.weight[k], 0);
        for (int k = 0; k < 3; k++) {
            const snSupport* v = &under.at[k];
            const real w = sn_max(under.weight[k], 0) / sum;
            pa = sn_v3AddScaled(pa, w, v->pa);
            pb = sn_v3AddScaled(pb, w, sn_v3Add(v->pa, v->x));
        }
    }
    pa = sn_v3AddScaled(pa, p->radius_a, at->n);
    pb = sn_v3AddScaled(pb, -p->radius_b, at->n);
    const snVec3 middle = sn_v3Scale(sn_v3Add(pa, pb), 0.5);
    at->pa = sn_v3AddScaled(middle, -0.5 * at->dist, at->n);
    at->pb = sn_v3AddScaled(middle, 0.5 * at->dist, at->n);
}

// `near`: the supports of the face that gave the direction, or NULL
static void follow(const snConvexPair* p, const snSupport* near, Best* best)
{
    static const real kinks[] = {1e-3, 0};
    for (int i = 0; i < 2; i++) {
        snWitness top = {.n = best->at.n};
        const snAscend got = sn_convexClimb(p, kinks[i], near, near ? 3 : 0, &top);
        if (got == SN_ASCEND_FAILED) continue;
        const real depth = -top.dist - p->radius;
        if (depth > best->depth + 1e-12 * p->scale) continue;
        best->at = top;
        best->depth = depth;
        best->settled = true;
        best->proven = got == SN_ASCEND_OPTIMAL;
        return;
    }
}

// How far about a settled best (1 - cosine of the angle) the surface is taken to be the best's own. A hull
// has other faces near by.
static real ownCone(const snConvexPair* p)
{
    return sn_hasHull(p) ? 1e-6 : 5e-4;
}

// The face nearest to the origin, of several the first.
static int nearestFace(const Polytope* poly)
{
    v4 least = v4_load(poly->dist), place = {0, 1, 2, 3}, at = place;
    for (int i = 4; i < poly->nface; i += 4) {
        place += 4;
        const v4 dist = v4_load(poly->dist + i);
        const v4i nearer = v4_less(dist, least);
        least = v4_select(nearer, dist, least);
        at = v4_select(nearer, place, at);
    }
    const real a = least[1] < least[0] ? least[1] : least[0], b = least[3] < least[2] ? least[3] : least[2];
    at = v4_select(v4_equal(least, v4_all(a < b ? a : b)), at, v4_all(MAX_FACES));
    const real c = at[1] < at[0] ? at[1] : at[0], d = at[3] < at[2] ? at[3] : at[2];
    return (int)(c < d ? c : d);
}

// Whether a face looks the way of a settled best and is nearly as deep: the true surface, where it is round,
// is the best's own there.
static bool isBests(const Polytope* poly, const snConvexPair* p, const Best* best, int face)
{
    return poly->dist[face] > 0.99 * best->depth && sn_v3Dot(poly->face[face].n, best->at.n) < ownCone(p) - 1;
}

// The nearest face that is not the best's; -1: none.
static int lowestFace(const Polytope* poly, const snConvexPair* p, const Best* best)
{
    const int nearest = nearestFace(poly);
    if (!best->settled || p->nround == 0 || !isBests(poly, p, best, nearest)) return nearest;
    int low = -1;
    real least = INFINITY;
    for (int i = 0; i < poly->nface; i++) {
        if (poly->dist[i] >= least || isBests(poly, p, best, i)) continue;
        least = poly->dist[i];
        low = i;
    }
    return low;
}

// Vertices at a settled best and around it, well within the cone: the polytope is then as good as the surface
// there, within the cone that lowestFace leaves out.
static Growth crown(Polytope* poly, const snConvexPair* p, snVec3 n, real eps)
{
    const snVec3 pick = fabs(n.x) < 0.6 ? sn_v3(1, 0, 0) : sn_v3(0, 1, 0);
    const snVec3 t = sn_v3Normalize(sn_v3Cross(n, pick)), u = sn_v3Cross(n, t);
    static const real ring[4][2] = {{0, 0}, {1, 0}, {-0.5, 0.866}, {-0.5, -0.866}};
    const real angle = 0.63 * sqrt(2 * ownCone(p));
    for (int k = 0; k < 4; k++) {
        const snVec3 m = sn_v3AddScaled(sn_v3AddScaled(n, angle * ring[k][0], t), angle * ring[k][1], u);
        const snSupport w = sn_convexSupport(p, m);
        const int seen = seenFace(poly, w.x, eps);
        const Growth growth = seen < 0 ? INSIDE : expand(poly, &w, seen, eps);
        if (growth >= BROKEN) return growth;
    }
    return GROWN;
}

// What a run goes by: see sn_epa.
typedef struct Limits {
    real eps;
    bool climb;
} Limits;

enum { MOST_CLIMBS = 4 };
#define NEAR_SURFACE 0.1

// Takes a face as the best, and with Newton's method the local maximum that it belongs to.
static Growth improve(Polytope* poly, const snConvexPair* p, const Limits* limits, int low, real reach,
                      Best* best)
{
    const Face* face = &poly->face[low];
    best->depth = reach;
    best->face = low;
    best->settled = false;
    best->at.n = sn_v3Neg(face->n);
    best->at.dist = -reach - p->radius;
    // a face on the surface itself needs no climb
    if (!limits->climb || reach - face->dist <= limits->eps) return INSIDE;
    // a climb over a hull costs as much as many supports: not before the polytope is near the surface
    if (sn_hasHull(p) && reach - face->dist > NEAR_SURFACE * fabs(reach)) return INSIDE;
    if (best->climbs++ >= MOST_CLIMBS) return INSIDE;
    const snSupport near[3] = {poly->vert[face->v[0]], poly->vert[face->v[1]], poly->vert[face->v[2]]};
    follow(p, near, best);
    if (best->proven) return GROWN;
    return best->settled ? crown(poly, p, best->at.n, limits->eps) : INSIDE;
}

// Grows the polytope until no face can be better than the best. FULL, BROKEN: it could not be grown that far.
// Ends, as each round but those of a climb, which are few, adds a vertex.
static Growth grow(Polytope* poly, const snConvexPair* p, const Limits* limits, Best* best)
{
    Growth growth = best->settled ? crown(poly, p, best->at.n, limits->eps) : GROWN;
    while (growth < BROKEN && !best->proven) {
        const int low = lowestFace(poly, p, best);
        if (low < 0 || poly->face[low].dist >= best->depth - limits->eps) break;
        const Face* face = &poly->face[low];
        const snSupport w = farthest(p, face->n);
        const real reach = sn_v3Dot(face->n, w.x);
        if (reach < best->depth - (best->settled ? limits->eps : 0)) {
            growth = improve(poly, p, limits, low, reach, best);
            if (growth != INSIDE) continue;
        }
        if (reach - face->dist <= limits->eps) break;
        growth = expand(poly, &w, low, limits->eps);
    }
    return growth;
}

bool sn_epa(const snConvexPair* p, const snWitness* known, const snGjk* seed, bool climb, snWitness* out)
{
    Polytope poly;
    poly.most = sn_hasHull(p) ? MAX_VERTS : MAX_ROUND_VERTS;
    const Limits limits = {1e-13 * p->scale, climb};
    Best best = {.depth = INFINITY};
    if (known) best = (Best){.at = *known, .depth = -known->dist - p->radius, .settled = true};
    const real apart = sn_v3Norm(p->c);
    snVec3 first = known ? known->n : apart > 0 ? sn_v3Scale(p->c, 1 / apart) : sn_v3(1, 0, 0);
    // rounding on coplanar vertices may break a polytope: another one starts from other vertices
    for (int attempt = 0; attempt < 4; attempt++) {
        const bool seeded = attempt == 0 && seedTetrahedron(&poly, p, seed);
        if (!seeded && !firstTetrahedron(&poly, p, first)) return false;
        if (grow(&poly, p, &limits, &best) != BROKEN) break;
        first = sn_v3(first.y + 0.3, first.z - 0.2, first.x + 0.1 * attempt);
    }
    if (climb && !best.settled && (sn_hasHull(p) || best.climbs > MOST_CLIMBS)) follow(p, NULL, &best);
    if (!best.settled) faceWitness(p, &poly, true, &best);
    *out = best.at;
    return isfinite(best.depth);
}

bool sn_epaPortal(const snConvexPair* p, const snPortal* portal, bool points, snWitness* out)
{
    Polytope poly;
    poly.most = MAX_VERTS;
    const Limits limits = {1e-13 * p->scale, false};
    Best best = {.depth = INFINITY};
    if (!portalTetrahedron(&poly, p, portal)) return false;
    if (grow(&poly, p, &limits, &best) >= BROKEN || !isfinite(best.depth)) return false;
    faceWitness(p, &poly, points, &best);
    *out = best.at;
    return true;
}
