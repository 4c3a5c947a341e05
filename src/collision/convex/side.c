// Sides as polygons in the plane of contact, clipped one by the other (Sutherland and Hodgman 1974).
#include "collision/convex/side.h"

enum { RIM = 16 }; // corners that stand for the rim of a cylinder
#define BESIDE                                                                                               \
    1e-6 // cosine between the normal and the axis below which a cylinder is touched on its round side

// ---- sides and edges of a shape that face along n, outward

static void boxSide(const snShape* box, int axis, real sign, snSide* out)
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

static bool boxFace(const snShape* box, snVec3 n, snSide* out)
{
    const snVec3 l = sn_m3TMul(box->mat, n);
    const real along[3] = {l.x, l.y, l.z};
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(along[i]) > fabs(along[axis])) axis = i;
    const real sign = copysign(1, along[axis]);
    boxSide(box, axis, sign, out);
    out->direction = sn_v3Scale(sn_m3Col(box->mat, axis), sign);
    out->slope = fabs(along[axis]);
    return true;
}

// The edge along the axis that lies most across n
static bool boxEdge(const snShape* box, snVec3 n, snSide* out)
{
    const snVec3 l = sn_m3TMul(box->mat, n);
    const real along[3] = {l.x, l.y, l.z}, s[3] = {box->size.x, box->size.y, box->size.z};
    int edge = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(along[i]) < fabs(along[edge])) edge = i;
    snVec3 c = box->pos;
    for (int i = 0; i < 3; i++)
        if (i != edge) c = sn_v3AddScaled(c, copysign(s[i], along[i]), sn_m3Col(box->mat, i));
    out->count = 2;
    for (int end = 0; end < 2; end++)
        out->v[end] = sn_v3AddScaled(c, end ? -s[edge] : s[edge], sn_m3Col(box->mat, edge));
    out->direction = sn_m3Col(box->mat, edge);
    out->slope = fabs(along[edge]);
    return true;
}

static snVec3 meshPoint(const snModel* m, const snShape* mesh, int v)
{
    const float* x = m->mesh_vert + 3 * ((size_t)m->mesh_vertadr[m->geom_dataid[mesh->geom]] + (size_t)v);
    return sn_v3Add(mesh->pos, sn_m3Mul(mesh->mat, sn_v3((real)x[0], (real)x[1], (real)x[2])));
}

// Of the polygons at vertex v the one that faces most along n
static int facingsnSide(const snModel* m, int mesh, int v, snVec3 local, real* cosine)
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
    return sn_hullRow(&mesh->hull, sn_hullFarthest(&mesh->hull, local).id);
}

bool sn_meshFace(const snModel* m, const snShape* mesh, int v, snVec3 local, snSide* out)
{
    real cosine;
    const int polygon = facingsnSide(m, m->geom_dataid[mesh->geom], v, local, &cosine);
    if (polygon < 0 || m->mesh_polyvertnum[polygon] > SN_MOST_CORNERS) return false;
    out->count = m->mesh_polyvertnum[polygon];
    const int* vert = m->mesh_polyvert + m->mesh_polyvertadr[polygon];
    for (int i = 0; i < out->count; i++) out->v[i] = meshPoint(m, mesh, vert[i]);
    out->direction = sn_m3Mul(mesh->mat, sn_v3Load(m->mesh_polynormal + 3 * (size_t)polygon));
    out->slope = cosine;
    return out->count >= 3;
}

static bool meshFace(const snModel* m, const snShape* mesh, snVec3 n, snSide* out)
{
    const snVec3 local = sn_m3TMul(mesh->mat, n);
    return sn_meshFace(m, mesh, meshFarthest(mesh, local), local, out);
}

// The edge at the farthest vertex that lies most across n
static bool meshEdge(const snModel* m, const snShape* mesh, snVec3 n, snSide* out)
{
    const snVec3 local = sn_m3TMul(mesh->mat, n);
    const int id = m->geom_dataid[mesh->geom], v = meshFarthest(mesh, local), at = m->mesh_vertadr[id] + v;
    const snVec3 p = meshPoint(m, mesh, v);
    real least = HUGE_VAL;
    out->count = 0;
    for (int k = 0; k < m->mesh_polymapnum[at]; k++) {
        const int polygon = m->mesh_polyadr[id] + m->mesh_polymap[m->mesh_polymapadr[at] + k];
        const int* vert = m->mesh_polyvert + m->mesh_polyvertadr[polygon];
        const int count = m->mesh_polyvertnum[polygon];
        for (int i = 0; i < count; i++) {
            if (vert[i] != v) continue;
            const snVec3 q = meshPoint(m, mesh, vert[(i + 1) % count]);
            const snVec3 along = sn_v3Normalize(sn_v3Sub(q, p));
            const real slope = fabs(sn_v3Dot(n, along));
            if (slope >= least) continue;
            least = slope;
            *out = (snSide){.v = {p, q}, .count = 2, .direction = along, .slope = slope};
        }
    }
    return out->count == 2;
}

// The end of a cylinder as a polygon whose corners are on its rim; false: it is touched beside it.
static bool cylinderFace(const snShape* cylinder, snVec3 n, snSide* out)
{
    const snVec3 axis = sn_m3Col(cylinder->mat, 2);
    const real along = sn_v3Dot(axis, n), sign = copysign(1, along), turn = 2 * SN_PI / RIM;
    if (fabs(along) < BESIDE) return false;
    const snVec3 centre = sn_v3AddScaled(cylinder->pos, sign * cylinder->size.y, axis);
    for (int i = 0; i < RIM; i++) {
        const snVec3 local =
            sn_v3(cylinder->size.x * sn_cos(i * turn), cylinder->size.x * sn_sin(i * turn), 0);
        out->v[i] = sn_v3Add(centre, sn_m3Mul(cylinder->mat, local));
    }
    out->count = RIM;
    out->direction = sn_v3Scale(axis, sign);
    out->slope = fabs(along);
    return true;
}

// The line on the round side of a cylinder or capsule that is farthest along n. Of a capsule, as in the peer,
// the one at r cos(slope) from its axis, a little inside.
static bool tubeEdge(const snShape* tube, snVec3 n, snSide* out)
{
    const snVec3 axis = sn_m3Col(tube->mat, 2);
    const real along = sn_v3Dot(axis, n);
    const snVec3 across = sn_v3AddScaled(n, -along, axis);
    if (sn_v3Norm(across) < SN_MINVAL) return false;
    const snVec3 out_of = sn_isRod(tube->type) ? across : sn_v3Normalize(across);
    const snVec3 middle = sn_v3AddScaled(tube->pos, tube->size.x, out_of);
    for (int end = 0; end < 2; end++)
        out->v[end] = sn_v3AddScaled(middle, end ? -tube->size.y : tube->size.y, axis);
    out->count = 2;
    out->direction = axis;
    out->slope = fabs(along);
    return true;
}

static bool isTube(int type)
{
    const snTerms* t = &sn_factsOf(type)->terms;
    return sn_segmentCount(t) == 1 && t->segment[2] != SN_LENGTH_NONE && t->hull == SN_HULL_NONE;
}

static bool hasDisc(int type)
{
    return isTube(type) && sn_factsOf(type)->terms.round == SN_ROUND_DISC;
}

bool sn_faceAlong(const snModel* m, const snShape* s, snVec3 n, snSide* out)
{
    if (sn_hasSides(m, s)) return sn_isBrick(s->type) ? boxFace(s, n, out) : meshFace(m, s, n, out);
    return hasDisc(s->type) && cylinderFace(s, n, out);
}

bool sn_edgeAcross(const snModel* m, const snShape* s, snVec3 n, snSide* out)
{
    if (sn_hasSides(m, s)) return sn_isBrick(s->type) ? boxEdge(s, n, out) : meshEdge(m, s, n, out);
    return isTube(s->type) && tubeEdge(s, n, out);
}

bool sn_hasSides(const snModel* m, const snShape* s)
{
    return sn_isBrick(s->type) || (sn_isHulled(s->type) && m->mesh_polynum[m->geom_dataid[s->geom]] > 0);
}

// ---- clipping

// Cuts off what is on the positive side of a plane
static void clipBy(snVec3 normal, real offset, snSide* p)
{
    const int count = p->count, sides = count == 2 ? 1 : count;
    snVec3 corner[SN_MOST_CORNERS + 1];
    real over[SN_MOST_CORNERS + 1]; // the plane
    real most = -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        corner[i] = p->v[i];
        over[i] = sn_v3Dot(normal, corner[i]) - offset;
        most = sn_max(over[i], most);
    }
    if (most <= 0) return;
    corner[count] = corner[0];
    over[count] = over[0];
    p->count = 0;
    for (int i = 0; i < count; i++) {
        const real d0 = over[i], d1 = over[i + 1];
        if (d0 <= 0 && p->count < SN_MOST_CORNERS) p->v[p->count++] = corner[i];
        if (i < sides && ((d0 < 0 && d1 > 0) || (d0 > 0 && d1 < 0)) && p->count < SN_MOST_CORNERS)
            p->v[p->count++] = sn_v3AddScaled(corner[i], d0 / (d0 - d1), sn_v3Sub(corner[i + 1], corner[i]));
    }
}

void sn_clipSide(const snSide* side, snVec3 n, snSide* p)
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

void sn_fourCorners(snSide* p, snVec3 n)
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
    const snSide all = *p;
    for (int k = 0; k < 4; k++) p->v[k] = all.v[best[k]];
    p->count = 4;
}
