// Sides as polygons in the plane of contact, clipped one by the other (Sutherland and Hodgman 1974).
#include "collision/convex/side.h"
#include <string.h>

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

static const float* verticesOf(const snModel* m, const snShape* mesh)
{
    return m->mesh_vert + 3 * (size_t)m->mesh_vertadr[m->geom_dataid[mesh->geom]];
}

static snVec3 rowOf(const float* vert, int v)
{
    const float* x = vert + 3 * (size_t)v;
    return sn_v3((real)x[0], (real)x[1], (real)x[2]);
}

snVec3 sn_meshPoint(const snModel* m, const snShape* mesh, int v)
{
    return sn_v3Add(mesh->pos, sn_m3Mul(mesh->mat, rowOf(verticesOf(m, mesh), v)));
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
    return sn_hullRow(&mesh->hull, sn_hullFarthest(&mesh->hull, local).id);
}

snPolygon sn_meshPolygon(const snModel* m, const snShape* mesh, int v, snVec3 local)
{
    snPolygon p = {.count = 0};
    p.id = facingPolygon(m, m->geom_dataid[mesh->geom], v, local, &p.cosine);
    if (p.id < 0) return p;
    p.vert = m->mesh_polyvert + m->mesh_polyvertadr[p.id];
    p.count = m->mesh_polyvertnum[p.id];
    return p;
}

// Two axes across a normal.
static void axesAcross(snVec3 n, snVec3* t, snVec3* u)
{
    *t = sn_v3Normalize(sn_v3Cross(n, fabs(n.x) < 0.6 ? sn_v3(1, 0, 0) : sn_v3(0, 1, 0)));
    *u = sn_v3Cross(n, *t);
}

// Which of `sectors` directions around a side, evenly spread along the rim of a square, is the last that an
// edge e goes beyond; -1: it goes nowhere. The corner between edges of two sectors is the farthest of all in
// some direction.
static int sectorOf(snVec3 e, snVec3 t, snVec3 u, int sectors)
{
    const real x = sn_v3Dot(e, t), y = sn_v3Dot(e, u), sum = fabs(x) + fabs(y);
    if (!(sum > 0)) return -1;
    const real part = y >= 0 ? 1 - x / sum : 3 + x / sum; // 0 to 4, once around
    const int sector = (int)(0.25 * part * sectors);
    return sector < sectors ? sector : sectors - 1;
}

// Takes the corners that are farthest in some direction; in the mesh's axes, so that they are the same in all
// poses.
static void takeOutermost(const snModel* m, const snShape* mesh, const snPolygon* p, snSide* out)
{
    const float* vert = verticesOf(m, mesh);
    snVec3 t, u;
    axesAcross(sn_v3Load(m->mesh_polynormal + 3 * (size_t)p->id), &t, &u);
    out->count = 0;
    for (int i = 1, before = -1, last = p->vert[0]; i <= p->count + 1; i++) { // the first corner comes last
        const int v = p->vert[i % p->count];
        const int sector = sectorOf(sn_v3Sub(rowOf(vert, v), rowOf(vert, last)), t, u, SN_SIDE_CORNERS);
        if (sector < 0) continue;
        if (before >= 0 && sector != before && out->count < SN_SIDE_CORNERS)
            out->v[out->count++] = sn_meshPoint(m, mesh, last);
        before = sector;
        last = v;
    }
}

static bool meshFace(const snModel* m, const snShape* mesh, snVec3 n, snSide* out)
{
    const snVec3 local = sn_m3TMul(mesh->mat, n);
    const snPolygon p = sn_meshPolygon(m, mesh, meshFarthest(mesh, local), local);
    out->count = 0;
    if (!p.count) return false;
    if (p.count > SN_SIDE_CORNERS)
        takeOutermost(m, mesh, &p, out);
    else
        for (; out->count < p.count; out->count++)
            out->v[out->count] = sn_meshPoint(m, mesh, p.vert[out->count]);
    out->direction = sn_m3Mul(mesh->mat, sn_v3Load(m->mesh_polynormal + 3 * (size_t)p.id));
    out->slope = p.cosine;
    return out->count >= 3;
}

// The edge at the farthest vertex that lies most across n
static bool meshEdge(const snModel* m, const snShape* mesh, snVec3 n, snSide* out)
{
    const snVec3 local = sn_m3TMul(mesh->mat, n);
    const int id = m->geom_dataid[mesh->geom], v = meshFarthest(mesh, local), at = m->mesh_vertadr[id] + v;
    const snVec3 p = sn_meshPoint(m, mesh, v);
    real least = HUGE_VAL;
    out->count = 0;
    for (int k = 0; k < m->mesh_polymapnum[at]; k++) {
        const int polygon = m->mesh_polyadr[id] + m->mesh_polymap[m->mesh_polymapadr[at] + k];
        const int* vert = m->mesh_polyvert + m->mesh_polyvertadr[polygon];
        const int count = m->mesh_polyvertnum[polygon];
        for (int i = 0; i < count; i++) {
            if (vert[i] != v) continue;
            const snVec3 q = sn_meshPoint(m, mesh, vert[(i + 1) % count]);
            const snVec3 along = sn_v3Normalize(sn_v3Sub(q, p));
            const real slope = fabs(sn_v3Dot(n, along));
            if (slope >= least) continue;
            least = slope;
            out->v[0] = p;
            out->v[1] = q;
            out->count = 2;
            out->direction = along;
            out->slope = slope;
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

// Twice the area of the triangle that corner k makes with the diagonal from i to j.
static real beside(const snSide* p, int i, int k, int j, snVec3 n)
{
    return area2(p->v[i], p->v[k], p->v[j], p->v[i], n);
}

// The corner that is farthest from the diagonal from i to j on the way from k to `end`, both in order around
// p and `end` beyond it: it moves on as j does. Of corners at the same distance the one whose number is
// least.
static int farthest(const snSide* p, int i, int j, int k, int end, snVec3 n, real* far)
{
    *far = beside(p, i, k % p->count, j, n);
    for (; k + 1 < end; k++) {
        const real next = beside(p, i, (k + 1) % p->count, j, n);
        if (next < *far || (next == *far && k + 1 != p->count)) break;
        *far = next;
    }
    return k;
}

// Leaves corners that stand apart, at most SN_SIDE_CORNERS / 2: of more those that are farthest in as many
// directions.
static void dropNear(snSide* p, snVec3 n)
{
    enum { SECTORS = SN_SIDE_CORNERS / 2 };
    const int count = p->count;
    const bool thin = count > SECTORS;
    snVec3 t, u, all[SN_MOST_CORNERS], last = p->v[0];
    real size = 0;
    memcpy(all, p->v, (size_t)count * sizeof *all);
    axesAcross(n, &t, &u);
    for (int i = 1; i < count; i++) size = sn_max(sn_v3Norm(sn_v3Sub(all[i], last)), size);
    p->count = 0;
    for (int i = 1, before = -1; i <= count + thin; i++) { // thin: the first corner comes last
        const snVec3 e = sn_v3Sub(all[i % count], last);
        if (!(sn_v3Norm(e) > 1e-12 * size)) continue;
        const int sector = thin ? sectorOf(e, t, u, SECTORS) : 0;
        if (!thin || (before >= 0 && sector != before && p->count < SECTORS)) p->v[p->count++] = last;
        before = sector;
        last = all[i % count];
    }
    if (!p->count) p->v[p->count++] = last; // all are at one place
}

// The other two corners of the quadrangle of a diagonal are the farthest on each side of it.
void sn_fourCorners(snSide* p, snVec3 n)
{
    if (p->count <= 4) return;
    dropNear(p, n);
    const int count = p->count;
    if (count <= 4) return;
    int best[4] = {0, 1, 2, 3};
    real most = -1, far[2];
    for (int i = 0; i + 2 < count; i++) {
        int near = i + 1, beyond = i + 3;
        for (int j = i + 2; j < count && j + 1 < count + i; j++) {
            if (beyond <= j) beyond = j + 1;
            near = farthest(p, i, j, near, j, n, far);
            beyond = farthest(p, i, j, beyond, count + i, n, far + 1);
            if (far[0] + far[1] <= most) continue;
            most = far[0] + far[1];
            best[0] = i;
            best[1] = near;
            best[2] = j;
            best[3] = beyond % count;
        }
    }
    const snVec3 corner[4] = {p->v[best[0]], p->v[best[1]], p->v[best[2]], p->v[best[3]]};
    memcpy(p->v, corner, sizeof corner);
    p->count = 4;
}
