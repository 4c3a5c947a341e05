// Sides as polygons in the plane of contact, clipped one by the other (Sutherland and Hodgman 1974).
#include "collision/convex/manifold.h"
#include "collision/convex/convex.h"
#include "collision/contact/contact.h"

// A side counts as square to the normal up to this cosine, an edge up to this sine, as in the peer: 1.6e-3
// rad
#define SQUARE_SIDE 0.99999872
#define SQUARE_EDGE 0.0016

enum { MOST_VERTS = 64 };

// Points in world axes, in order around the polygon; two are an edge
typedef struct Polygon {
    snVec3 v[MOST_VERTS];
    int count;
} Polygon;

// ---- sides and edges of a shape that face along n, outward

static void boxSide(const snShape* box, int axis, real sign, Polygon* out)
{
    const real s[3] = {box->size.x, box->size.y, box->size.z};
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const snVec3 u = sn_v3Scale(sn_m3Col(box->mat, j), s[j]), v = sn_v3Scale(sn_m3Col(box->mat, k), s[k]);
    const snVec3 c = sn_v3AddScaled(box->pos, sign * s[axis], sn_m3Col(box->mat, axis));
    out->count = 4;
    out->v[0] = sn_v3Add(c, sn_v3Add(u, v));
    out->v[1] = sn_v3Add(c, sn_v3Sub(v, u));
    out->v[2] = sn_v3Sub(c, sn_v3Add(u, v));
    out->v[3] = sn_v3Add(c, sn_v3Sub(u, v));
}

static bool boxFacing(const snShape* box, snVec3 n, Polygon* out)
{
    const snVec3 l = sn_m3TMul(box->mat, n);
    const real along[3] = {l.x, l.y, l.z};
    for (int i = 0; i < 3; i++) {
        if (fabs(along[i]) < SQUARE_SIDE) continue;
        boxSide(box, i, copysign(1, along[i]), out);
        return true;
    }
    return false;
}

// The edge along the axis that lies most across n, if it does
static bool boxEdge(const snShape* box, snVec3 n, Polygon* out)
{
    const snVec3 l = sn_m3TMul(box->mat, n);
    const real along[3] = {l.x, l.y, l.z}, s[3] = {box->size.x, box->size.y, box->size.z};
    int edge = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(along[i]) < fabs(along[edge])) edge = i;
    if (fabs(along[edge]) >= SQUARE_EDGE) return false;
    snVec3 c = box->pos;
    for (int i = 0; i < 3; i++)
        if (i != edge) c = sn_v3AddScaled(c, copysign(s[i], along[i]), sn_m3Col(box->mat, i));
    out->count = 2;
    for (int end = 0; end < 2; end++)
        out->v[end] = sn_v3AddScaled(c, end ? -s[edge] : s[edge], sn_m3Col(box->mat, edge));
    return true;
}

static snVec3 meshPoint(const snModel* m, const snShape* mesh, int v)
{
    const float* x = m->mesh_vert + 3 * ((size_t)m->mesh_vertadr[m->geom_dataid[mesh->geom]] + (size_t)v);
    return sn_v3Add(mesh->pos, sn_m3Mul(mesh->mat, sn_v3((real)x[0], (real)x[1], (real)x[2])));
}

// Of the polygons at vertex v the one that faces most along n
static int facingPolygon(const snModel* m, int mesh, int v, snVec3 local, real* cosine)
{
    const int at = m->mesh_vertadr[mesh] + v;
    int best = -1;
    *cosine = -1;
    for (int k = 0; k < m->mesh_polymapnum[at]; k++) {
        const int polygon = m->mesh_polyadr[mesh] + m->mesh_polymap[m->mesh_polymapadr[at] + k];
        const real along = sn_v3Dot(local, sn_v3Load(m->mesh_polynormal + 3 * (size_t)polygon));
        if (along <= *cosine) continue;
        *cosine = along;
        best = polygon;
    }
    return best;
}

// Mesh vertex farthest along n, an index into the mesh
static int meshFarthest(const snShape* mesh, snVec3 local)
{
    const int v = sn_hullFarthest(&mesh->hull, local).id;
    return mesh->hull.global ? mesh->hull.global[v] : v;
}

static bool meshFacing(const snModel* m, const snShape* mesh, snVec3 n, Polygon* out)
{
    const snVec3 local = sn_m3TMul(mesh->mat, n);
    real cosine;
    const int polygon =
        facingPolygon(m, m->geom_dataid[mesh->geom], meshFarthest(mesh, local), local, &cosine);
    if (polygon < 0 || cosine < SQUARE_SIDE || m->mesh_polyvertnum[polygon] > MOST_VERTS) return false;
    out->count = m->mesh_polyvertnum[polygon];
    const int* vert = m->mesh_polyvert + m->mesh_polyvertadr[polygon];
    for (int i = 0; i < out->count; i++) out->v[i] = meshPoint(m, mesh, vert[i]);
    return out->count >= 3;
}

// The edge at the farthest vertex that lies most across n, if one does
static bool meshEdge(const snModel* m, const snShape* mesh, snVec3 n, Polygon* out)
{
    const snVec3 local = sn_m3TMul(mesh->mat, n);
    const int id = m->geom_dataid[mesh->geom], v = meshFarthest(mesh, local), at = m->mesh_vertadr[id] + v;
    const snVec3 p = meshPoint(m, mesh, v);
    real least = SQUARE_EDGE;
    out->count = 0;
    for (int k = 0; k < m->mesh_polymapnum[at]; k++) {
        const int polygon = m->mesh_polyadr[id] + m->mesh_polymap[m->mesh_polymapadr[at] + k];
        const int* vert = m->mesh_polyvert + m->mesh_polyvertadr[polygon];
        const int count = m->mesh_polyvertnum[polygon];
        for (int i = 0; i < count; i++) {
            if (vert[i] != v) continue;
            const snVec3 q = meshPoint(m, mesh, vert[(i + 1) % count]);
            const real slope = fabs(sn_v3Dot(n, sn_v3Normalize(sn_v3Sub(q, p))));
            if (slope >= least) continue;
            least = slope;
            *out = (Polygon){.v = {p, q}, .count = 2};
        }
    }
    return out->count == 2;
}

static bool facing(const snModel* m, const snShape* s, snVec3 n, Polygon* out)
{
    return sn_isBrick(s->type) ? boxFacing(s, n, out) : meshFacing(m, s, n, out);
}

static bool edge(const snModel* m, const snShape* s, snVec3 n, Polygon* out)
{
    return sn_isBrick(s->type) ? boxEdge(s, n, out) : meshEdge(m, s, n, out);
}

// ---- clipping

// Cuts off what is on the positive side of a plane
static void clipBy(snVec3 normal, real offset, Polygon* p)
{
    Polygon in = *p;
    p->count = 0;
    const int sides = in.count == 2 ? 1 : in.count;
    for (int i = 0; i < in.count; i++) {
        const snVec3 from = in.v[i], to = in.v[(i + 1) % in.count];
        const real d0 = sn_v3Dot(normal, from) - offset, d1 = sn_v3Dot(normal, to) - offset;
        if (d0 <= 0 && p->count < MOST_VERTS) p->v[p->count++] = from;
        if (i < sides && ((d0 < 0 && d1 > 0) || (d0 > 0 && d1 < 0)) && p->count < MOST_VERTS)
            p->v[p->count++] = sn_v3AddScaled(from, d0 / (d0 - d1), sn_v3Sub(to, from));
    }
}

// The part of p over the polygon `side`, seen along n
static void clip(const Polygon* side, snVec3 n, Polygon* p)
{
    snVec3 middle = {0, 0, 0};
    for (int i = 0; i < side->count; i++) middle = sn_v3AddScaled(middle, 1.0 / side->count, side->v[i]);
    for (int i = 0; i < side->count && p->count; i++) {
        const snVec3 x = side->v[i], e = sn_v3Sub(side->v[(i + 1) % side->count], x);
        snVec3 outward = sn_v3Cross(e, n);
        if (sn_v3Dot(outward, sn_v3Sub(middle, x)) > 0) outward = sn_v3Neg(outward);
        clipBy(outward, sn_v3Dot(outward, x), p);
    }
}

static real area2(snVec3 a, snVec3 b, snVec3 c, snVec3 d, snVec3 n)
{
    return fabs(sn_v3Dot(n, sn_v3Cross(sn_v3Sub(c, a), sn_v3Sub(d, b))));
}

// Leaves four corners with the largest area
static void reduce(Polygon* p, snVec3 n)
{
    if (p->count <= 4) return;
    int best[4] = {0, 1, 2, 3};
    real most = -1;
    for (int i = 0; i < p->count; i++)
        for (int j = i + 2; j < p->count;
             j++) // a diagonal; the other two corners are the farthest on each side
        {
            int side[2] = {-1, -1};
            real far[2] = {-1, -1};
            for (int k = 0; k < p->count; k++) {
                if (k == i || k == j) continue;
                const int s = k > i && k < j ? 0 : 1;
                const real away = area2(p->v[i], p->v[k], p->v[j], p->v[i], n);
                if (away <= far[s]) continue;
                far[s] = away;
                side[s] = k;
            }
            if (side[0] < 0 || side[1] < 0 || far[0] + far[1] <= most) continue;
            most = far[0] + far[1];
            best[0] = i;
            best[1] = side[0];
            best[2] = j;
            best[3] = side[1];
        }
    const Polygon all = *p;
    for (int k = 0; k < 4; k++) p->v[k] = all.v[best[k]];
    p->count = 4;
}

static int clippedSides(const snModel* m, const snShape* a, const snShape* b, const snContactPoint* first,
                        snContactPoint* out)
{
    const snVec3 n = first->normal;
    Polygon side, piece;
    bool found;
    if (facing(m, a, n, &side))
        found = facing(m, b, sn_v3Neg(n), &piece) || edge(m, b, sn_v3Neg(n), &piece);
    else
        found = facing(m, b, sn_v3Neg(n), &side) && edge(m, a, n, &piece);
    if (found) clip(&side, n, &piece);
    if (!found || piece.count < 2) {
        out[0] = *first;
        return 1;
    }
    reduce(&piece, n);
    // places across the normal; along it, that of the first contact
    for (int i = 0; i < piece.count; i++) {
        const snVec3 x = piece.v[i];
        out[i] = *first;
        out[i].pos = sn_v3AddScaled(x, sn_v3Dot(n, sn_v3Sub(first->pos, x)), n);
    }
    return piece.count;
}

// ---- contacts of the shapes rocked about the first contact

static snShape rocked(const snShape* s, snVec3 centre, snVec3 axis, real angle)
{
    const snMat3 R = sn_quatToMat(sn_quatAxisAngle(axis, angle));
    snShape out = *s;
    out.mat = sn_m3MulM3(R, s->mat);
    out.pos = sn_v3Add(centre, sn_m3Mul(R, sn_v3Sub(s->pos, centre)));
    return out;
}

static bool isNew(const snContactPoint* list, int count, snVec3 pos, real apart)
{
    for (int i = 0; i < count; i++)
        if (sn_v3Norm(sn_v3Sub(list[i].pos, pos)) <= apart) return false;
    return true;
}

static int rockedContacts(const snModel* m, const snShape* a, const snShape* b, real margin,
                          const snContactPoint* first, snContactPoint* out)
{
    const real angle = 1e-3, apart = 1e-3 * fmin(m->geom_rbound[a->geom], m->geom_rbound[b->geom]);
    real frame[9];
    sn_contactFrame(first->normal, first->tangent, frame);
    int count = 1;
    out[0] = *first;
    for (int k = 0; k < 4; k++) {
        const snVec3 axis = sn_v3Load(frame + (k < 2 ? 3 : 6));
        const real turn = k & 1 ? angle : -angle;
        const snShape ra = rocked(a, first->pos, axis, turn), rb = rocked(b, first->pos, axis, -turn);
        snContactPoint found;
        if (!sn_convexConvex(&ra, &rb, margin, &found) || !isNew(out, count, found.pos, apart)) continue;
        found.dist = first->dist;
        out[count++] = found;
    }
    return count;
}

static bool isFlat(const snModel* m, const snShape* s)
{
    return sn_isBrick(s->type) || (sn_isHulled(s->type) && m->mesh_polynum[m->geom_dataid[s->geom]] > 0);
}

int sn_manifold(const snModel* m, const snShape* a, const snShape* b, real margin,
                const snContactPoint* first, snContactPoint* out)
{
    out[0] = *first;
    if (sn_isSmooth(a->type) || sn_isSmooth(b->type)) return 1;
    if (margin <= 0 && isFlat(m, a) && isFlat(m, b)) return clippedSides(m, a, b, first, out);
    return rockedContacts(m, a, b, margin, first, out);
}
