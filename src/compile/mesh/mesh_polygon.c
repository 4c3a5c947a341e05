// Polygons of a mesh: triangles with the same normal, merged along the edges that they share. Contacts of
// meshes with several points come from them.
//
// Before the rule MESH_POLYGONS, which normals count as the same hangs on the order in which they are
// compared, because the tolerance makes "the same" intransitive. So that polygons are the peer's, planes are
// kept as it keeps them: in a balanced (red-black) tree that is ordered by normal, and the triangles come in
// their order.
#include "base/memory.h"
#include "compile/mesh/mesh.h"

#define SAME_COSINE 0.99999872 ///< normals are the same within 1.6e-3 rad
#define MIN_SINE 1e-7          ///< corners closer to a line than this are on it, vertices being floats

// A group of triangles with one normal: a node of the tree, and a list of the edges that lie on its outline.
typedef struct {
    snVec3 normal;
    int parent, left, right; ///< -1: none
    bool red;
    int first, last; ///< edges in the order in which they were added; -1: none
    int part;        ///< its youngest part
} Plane;

// What of a plane is connected, as far as is known.
typedef struct {
    int older;  ///< next older part of the plane, -1: none
    int inside; ///< the older part that it has turned out to belong to; itself: none
    int edge;   ///< its first edge, -1: none
} Part;

typedef struct {
    int from, to;
    int plane;
    int part;
    int prev, next; ///< in the list of its plane
    int chain;      ///< next edge with the same slot in the table
    bool gone;      ///< shared by two triangles of the plane
} Edge;

typedef struct {
    const snMesh* mesh;
    Plane* planes;
    int nplane, root;
    Edge* edges;
    int nedge;
    Part* parts;
    int npart;
    int* slots; ///< heads of chains of edges, by plane and ends, or by plane, part and start
    unsigned mask;
} Sorter;

// ---- the tree

// Zero where a triangle has no normal.
static snVec3 planeNormal(const snMesh* mesh, int a, int b, int c)
{
    const snVec3 v = sn_meshVert(mesh, a);
    const snVec3 cross = sn_v3Cross(sn_v3Sub(sn_meshVert(mesh, b), v), sn_v3Sub(sn_meshVert(mesh, c), v));
    const real length = sn_v3Norm(cross);
    return length < SN_MINVAL ? sn_v3(0, 0, 0) : sn_v3Scale(cross, 1 / length);
}

static bool isZero(snVec3 a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

// By the sign of a difference of two components, the larger first.
static int compareAlong(real a, real b)
{
    return a > b ? -1 : 1;
}

// Below zero: a comes first; zero: they are the same. Triangles without a normal come first, and are a plane
// of their own.
static int compareNormals(snVec3 a, snVec3 b)
{
    if (sn_v3Dot(a, b) > SAME_COSINE) return 0;
    if (isZero(a) || isZero(b)) return isZero(b) - isZero(a);
    if (fabs(a.x - b.x) > SN_MINVAL) return compareAlong(a.x, b.x);
    if (fabs(a.y - b.y) > SN_MINVAL) return compareAlong(a.y, b.y);
    return fabs(a.z - b.z) > SN_MINVAL ? compareAlong(a.z, b.z) : 0;
}

static void rotate(Sorter* s, int p, bool left)
{
    Plane* const P = s->planes;
    const int up = left ? P[p].right : P[p].left;
    const int inner = left ? P[up].left : P[up].right;
    *(left ? &P[p].right : &P[p].left) = inner;
    if (inner >= 0) P[inner].parent = p;
    P[up].parent = P[p].parent;
    if (P[p].parent < 0)
        s->root = up;
    else
        *(P[P[p].parent].left == p ? &P[P[p].parent].left : &P[P[p].parent].right) = up;
    *(left ? &P[up].left : &P[up].right) = p;
    P[p].parent = up;
}

// Restores the tree's balance above a new red leaf (Cormen et al., Introduction to Algorithms, 13.3).
static void balance(Sorter* s, int p)
{
    Plane* const P = s->planes;
    while (p != s->root && P[P[p].parent].red) {
        int parent = P[p].parent;
        const int above = P[parent].parent;
        const bool left = P[above].left == parent;
        const int uncle = left ? P[above].right : P[above].left;
        if (uncle >= 0 && P[uncle].red) {
            P[parent].red = P[uncle].red = false;
            P[above].red = true;
            p = above;
            continue;
        }
        if (p == (left ? P[parent].right : P[parent].left)) {
            rotate(s, parent, left);
            parent = p;
        }
        P[parent].red = false;
        P[above].red = true;
        rotate(s, above, !left);
        break;
    }
    P[s->root].red = false;
}

// A new plane below `parent`, which has none on that side.
static int addPlane(Sorter* s, snVec3 normal, int parent, bool left)
{
    const int p = s->nplane++;
    s->planes[p] = (Plane){.normal = normal,
                           .parent = parent,
                           .left = -1,
                           .right = -1,
                           .red = true,
                           .first = -1,
                           .last = -1,
                           .part = -1};
    if (parent < 0)
        s->root = p;
    else
        *(left ? &s->planes[parent].left : &s->planes[parent].right) = p;
    balance(s, p);
    return p;
}

// The first plane that is not before the normal, if the normal is not before it either; else a new one, or -1
// when one on the way down was the same: the peer drops such a triangle.
static int planeOf(Sorter* s, snVec3 normal)
{
    int found = -1, parent = -1;
    bool met = false, left = false;
    for (int p = s->root; p >= 0;) {
        const int order = compareNormals(normal, s->planes[p].normal);
        parent = p;
        left = order <= 0;
        met |= order == 0;
        if (left) found = p;
        p = left ? s->planes[p].left : s->planes[p].right;
    }
    if (!met) return addPlane(s, normal, parent, left);
    return compareNormals(normal, s->planes[found].normal) == 0 ? found : -1;
}

static int nextPlane(const Sorter* s, int p)
{
    const Plane* const P = s->planes;
    if (P[p].right >= 0) {
        for (p = P[p].right; P[p].left >= 0;) p = P[p].left;
        return p;
    }
    while (P[p].parent >= 0 && P[P[p].parent].right == p) p = P[p].parent;
    return P[p].parent;
}

static int firstPlane(const Sorter* s)
{
    int p = s->root;
    while (p >= 0 && s->planes[p].left >= 0) p = s->planes[p].left;
    return p;
}

// ---- outlines

static int* slotOf(const Sorter* s, int a, int b, int c)
{
    uint64_t hash = (uint64_t)(unsigned)a * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (unsigned)b) * 0xc2b2ae3d27d4eb4fu;
    hash = (hash ^ (hash >> 29) ^ (unsigned)c) * 0x165667b19e3779f9u;
    return &s->slots[(unsigned)(hash >> 32) & s->mask];
}

static int partOf(const Sorter* s, int part)
{
    Part* const parts = s->parts;
    while (parts[part].inside != part) part = parts[part].inside = parts[parts[part].inside].inside;
    return part;
}

// The oldest edge from - to of a plane's outline, -1: none.
static int findEdge(const Sorter* s, int plane, int from, int to)
{
    int found = -1;
    for (int e = *slotOf(s, plane, from, to); e >= 0; e = s->edges[e].chain) {
        const Edge* edge = &s->edges[e];
        if (!edge->gone && edge->plane == plane && edge->from == from && edge->to == to) found = e;
    }
    return found;
}

static void addEdge(Sorter* s, int plane, int from, int to, int part)
{
    const int e = s->nedge++;
    int* slot = slotOf(s, plane, from, to);
    Plane* p = &s->planes[plane];
    s->edges[e] = (Edge){from, to, plane, part, p->last, -1, *slot, false};
    *slot = e;
    if (p->last >= 0)
        s->edges[p->last].next = e;
    else
        p->first = e;
    p->last = e;
}

static void removeEdge(Sorter* s, int e)
{
    Edge* edge = &s->edges[e];
    Plane* p = &s->planes[edge->plane];
    *(edge->prev >= 0 ? &s->edges[edge->prev].next : &p->first) = edge->next;
    *(edge->next >= 0 ? &s->edges[edge->next].prev : &p->last) = edge->prev;
    edge->gone = true;
}

// Adds a triangle to a plane: edges that it shares vanish, and with them the gap between what they part.
static void addTriangle(Sorter* s, int plane, const int v[3])
{
    bool shared[3];
    int part = -1;
    for (int k = 0; k < 3; k++) {
        const int e = findEdge(s, plane, v[(k + 1) % 3], v[k]);
        shared[k] = e >= 0;
        if (e < 0) continue;
        const int other = partOf(s, s->edges[e].part);
        if (part < 0)
            part = other;
        else if (other != part) {
            const int younger = other > part ? other : part;
            part = other < part ? other : part;
            s->parts[younger].inside = part;
        }
        removeEdge(s, e);
    }
    if (part < 0) {
        part = s->npart++;
        s->parts[part] = (Part){s->planes[plane].part, part, -1};
        s->planes[plane].part = part;
    }
    for (int k = 0; k < 3; k++)
        if (!shared[k]) addEdge(s, plane, v[k], v[(k + 1) % 3], part);
}

static void sortTriangles(Sorter* s, const int* face, int nface)
{
    for (int i = 0; i < nface; i++) {
        const int* v = face + 3 * (size_t)i;
        const snVec3 normal = planeNormal(s->mesh, v[0], v[1], v[2]);
        const int plane = planeOf(s, normal);
        if (plane >= 0) addTriangle(s, plane, v);
    }
}

// ---- planes of neighbours, under the rule MESH_POLYGONS

// For each half edge, 3 of a triangle, the one that runs the other way; -1: none. chain [3 nface] is scratch.
static void findTwins(Sorter* s, const int* face, int nface, int* twin, int* chain)
{
    for (int h = 0; h < 3 * nface; h++) {
        int* slot = slotOf(s, -1, face[h], face[h - h % 3 + (h + 1) % 3]);
        chain[h] = *slot;
        *slot = h;
    }
    for (int h = 0; h < 3 * nface; h++) {
        const int from = face[h], to = face[h - h % 3 + (h + 1) % 3];
        int other = *slotOf(s, -1, to, from);
        while (other >= 0 && (face[other] != to || face[other - other % 3 + (other + 1) % 3] != from))
            other = chain[other];
        twin[h] = other;
    }
    memset(s->slots, 0xff, ((size_t)s->mask + 1) * sizeof *s->slots);
}

// A plane behind all others.
static int lastPlane(Sorter* s, snVec3 normal)
{
    const int p = s->nplane++;
    s->planes[p] = (Plane){normal, p - 1, -1, -1, false, -1, -1, -1};
    if (p > 0)
        s->planes[p - 1].right = p;
    else
        s->root = 0;
    return p;
}

static snVec3 faceNormal(const Sorter* s, const int* face, int i)
{
    return planeNormal(s->mesh, face[3 * i], face[3 * i + 1], face[3 * i + 2]);
}

// A plane of a triangle and of all that hang together with it by edges and look its way. stack [nface].
static void spread(Sorter* s, const int* face, const int* twin, int first, bool* taken, int* stack)
{
    const snVec3 normal = faceNormal(s, face, first);
    const int plane = lastPlane(s, normal);
    int depth = 0;
    taken[first] = true;
    stack[depth++] = first;
    while (depth > 0) {
        const int i = stack[--depth];
        addTriangle(s, plane, face + 3 * (size_t)i);
        for (int k = 0; k < 3; k++) {
            const int next = twin[3 * i + k] < 0 ? i : twin[3 * i + k] / 3;
            if (taken[next] || !(sn_v3Dot(faceNormal(s, face, next), normal) > SAME_COSINE)) continue;
            taken[next] = true;
            stack[depth++] = next;
        }
    }
}

static bool sortNeighbours(Sorter* s, const int* face, int nface)
{
    int* twin = sn_malloc(7 * (size_t)nface * sizeof *twin);
    bool* taken = sn_calloc((size_t)nface * sizeof *taken);
    const bool good = twin && taken;
    if (good) {
        findTwins(s, face, nface, twin, twin + 3 * (size_t)nface);
        for (int i = 0; i < nface; i++)
            if (!taken[i]) spread(s, face, twin, i, taken, twin + 6 * (size_t)nface);
    }
    sn_free(twin);
    sn_free(taken);
    return good;
}

// ---- polygons

// Chains edges anew, by plane, part and start. Edges stand in the order in which they were added.
static void chainByStart(Sorter* s)
{
    memset(s->slots, 0xff, ((size_t)s->mask + 1) * sizeof *s->slots);
    for (int e = 0; e < s->nedge; e++) {
        Edge* edge = &s->edges[e];
        if (edge->gone) continue;
        edge->part = partOf(s, edge->part);
        if (s->parts[edge->part].edge < 0) s->parts[edge->part].edge = e;
        int* slot = slotOf(s, edge->plane, edge->part, edge->from);
        edge->chain = *slot;
        *slot = e;
    }
}

// The oldest edge of a part that starts at a vertex, but for the plane's very first, which only starts walks.
static int edgeFrom(const Sorter* s, const Edge* start, int vertex)
{
    int found = -1;
    for (int e = *slotOf(s, start->plane, start->part, vertex); e >= 0; e = s->edges[e].chain) {
        const Edge* edge = &s->edges[e];
        if (edge->plane == start->plane && edge->part == start->part && edge->from == vertex &&
            e != s->planes[start->plane].first)
            found = e;
    }
    return found;
}

// Walks around the outline of the part that an edge belongs to. A walk that does not come back within as many
// steps as the plane has edges is given up; so is an outline of two. Returns how many vertices it wrote.
static int walk(const Sorter* s, int first, int nedge, int* out)
{
    const Edge* start = &s->edges[first];
    int n = 0, vertex = start->to;
    out[n++] = start->from;
    out[n++] = start->to;
    for (int step = 0; step < nedge; step++) {
        const int e = edgeFrom(s, start, vertex);
        if (e < 0) return 0;
        vertex = s->edges[e].to;
        if (vertex == start->from) return n >= 3 ? n : 0;
        out[n++] = vertex;
    }
    return 0;
}

static int countEdges(const Sorter* s, int plane)
{
    int n = 0;
    for (int e = s->planes[plane].first; e >= 0; e = s->edges[e].next) n++;
    return n;
}

static void endPolygon(snMesh* mesh, int nvert)
{
    if (!nvert) return;
    mesh->npolyvert += nvert;
    mesh->polyadr[++mesh->npoly] = mesh->npolyvert;
}

// Appends the polygons of a plane, those of its oldest part first. order [npart] is scratch.
static void planePolygons(const Sorter* s, int plane, int* order, snMesh* mesh)
{
    const int nedge = countEdges(s, plane);
    if (nedge == 3) { // as it is, whatever the order of its edges
        int n = 0;
        for (int e = s->planes[plane].first; e >= 0; e = s->edges[e].next)
            mesh->polyvert[mesh->npolyvert + n++] = s->edges[e].from;
        endPolygon(mesh, n);
        return;
    }
    int n = 0;
    for (int p = s->planes[plane].part; p >= 0; p = s->parts[p].older)
        if (s->parts[p].edge >= 0) order[n++] = p;
    while (n-- > 0)
        endPolygon(mesh, walk(s, s->parts[order[n]].edge, nedge, mesh->polyvert + mesh->npolyvert));
}

static bool allocate(Sorter* s, int nface)
{
    unsigned nslots = 16;
    while (nslots < 6 * (unsigned)nface) nslots *= 2;
    s->mask = nslots - 1;
    s->planes = sn_malloc((size_t)nface * sizeof *s->planes);
    s->edges = sn_malloc(3 * (size_t)nface * sizeof *s->edges);
    s->parts = sn_malloc((size_t)nface * sizeof *s->parts);
    s->slots = sn_malloc((size_t)nslots * sizeof *s->slots);
    if (!s->planes || !s->edges || !s->parts || !s->slots) return false;
    memset(s->slots, 0xff, (size_t)nslots * sizeof *s->slots);
    return true;
}

static bool sortAll(Sorter* s, const int* face, int nface, bool by_edges)
{
    if (by_edges) return sortNeighbours(s, face, nface);
    sortTriangles(s, face, nface);
    return true;
}

static bool makePolygons(Sorter* s, const int* face, int nface, bool by_edges, snMesh* mesh)
{
    int* order = sn_malloc((size_t)nface * sizeof *order);
    // a walk that is given up may have written one vertex more than its plane has edges, and one
    mesh->polyvert = sn_malloc((6 * (size_t)nface + 2) * sizeof *mesh->polyvert);
    mesh->polyadr = sn_malloc(((size_t)nface + 1) * sizeof *mesh->polyadr);
    const bool good = order && mesh->polyvert && mesh->polyadr && sortAll(s, face, nface, by_edges);
    if (good) {
        mesh->polyadr[0] = 0;
        chainByStart(s);
        for (int p = firstPlane(s); p >= 0; p = nextPlane(s, p)) planePolygons(s, p, order, mesh);
    }
    sn_free(order);
    return good;
}

bool sn_meshPolygons(snBuild* b, snMesh* mesh)
{
    Sorter s = {.mesh = mesh, .root = -1};
    const int* face = mesh->face;
    int nface = mesh->nface;
    if (mesh->graph) face = sn_meshHullFaces(mesh, &nface);
    const bool by_edges = sn_means(b->spec->physics, SN_RULE_MESH_POLYGONS);
    const bool good = allocate(&s, nface) && makePolygons(&s, face, nface, by_edges, mesh);
    sn_free(s.planes);
    sn_free(s.edges);
    sn_free(s.parts);
    sn_free(s.slots);
    return good || sn_buildFail(b, &mesh->spec->head, SN_STATUS_NO_MEMORY, "out of memory");
}

// Normal of the whole outline: the sum of the cross products of its corners (Newell).
static snVec3 outlineNormal(const snMesh* mesh, const int* v, int n)
{
    snVec3 sum = {0, 0, 0};
    const snVec3 origin = sn_meshVert(mesh, v[0]);
    for (int i = 1; i + 1 < n; i++)
        sum = sn_v3Add(sum, sn_v3Cross(sn_v3Sub(sn_meshVert(mesh, v[i]), origin),
                                       sn_v3Sub(sn_meshVert(mesh, v[i + 1]), origin)));
    const real length = sn_v3Norm(sum);
    return length < SN_MINVAL ? sn_v3(0, 0, 0) : sn_v3Scale(sum, 1 / length);
}

snVec3 sn_meshPolygonNormal(const snMesh* mesh, int polygon, bool whole)
{
    const int* v = mesh->polyvert + mesh->polyadr[polygon];
    const snVec3 origin = sn_meshVert(mesh, v[0]);
    const snVec3 a = sn_v3Sub(sn_meshVert(mesh, v[1]), origin), b = sn_v3Sub(sn_meshVert(mesh, v[2]), origin);
    const snVec3 cross = sn_v3Cross(a, b);
    const real length = sn_v3Norm(cross);
    // three corners on a line say nothing
    if (whole || length < MIN_SINE * sn_v3Norm(a) * sn_v3Norm(b) || length < SN_MINVAL)
        return outlineNormal(mesh, v, mesh->polyadr[polygon + 1] - mesh->polyadr[polygon]);
    return sn_v3Scale(cross, 1 / length);
}
