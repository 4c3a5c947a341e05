// For each target: src/target/prelude.h.
// Box against box as MuJoCo 3.12 and later has it. The axis of largest separation: of the faces, unless two
// edges part the boxes clearly more or in another direction. A face: that of the other box that looks against
// it, clipped by its sides (Sutherland and Hodgman 1974), a contact at each corner that is left. Two edges:
// one contact, halfway between their nearest points.
#include "collision/analytic/box_axis.h"
#include "collision/analytic/colliders.h"

enum { CORNERS = 8 }; // of a rectangle cut by four sides

// Points seen from the middle of a face, with the normal along z.
typedef struct Polygon {
    snVec3 at[CORNERS];
    int count;
} Polygon;

// ---- the axis

// Edges count before the best face where they part the boxes by a twentieth more, or are 8 degrees off it
// and farther by more than rounding.
static bool isClearlyFarther(const Boxes* g, const Axis* edges, const Axis* face)
{
    const real ahead = edges->separation - face->separation;
    if (ahead > 0.05 * fabs(face->separation)) return true;
    const real cosine = sn_v3Dot(axisNormal(g, edges), axisNormal(g, face));
    const real size = g->A.S[0] + g->A.S[1] + g->A.S[2] + g->B.S[0] + g->B.S[1] + g->B.S[2];
    return fabs(cosine) < 0.99 && ahead > 1e-13 * size;
}

SN_INLINE bool chosenAxis(const Boxes* g, real margin, Axis* best)
{
    if (!faceAxis(g, margin, best)) return false;
    Axis edges = {.separation = -HUGE_VAL};
    for (unsigned bits = promisingEdges(g, best->separation); bits; bits &= bits - 1) {
        const int at = __builtin_ctz(bits);
        Axis axis;
        edgeAxis(g, at / 4, at % 4, &axis);
        if (axis.separation > margin) return false;
        if (axis.separation > edges.separation) edges = axis;
    }
    if (edges.separation > best->separation && isClearlyFarther(g, &edges, best)) *best = edges;
    return true;
}

// ---- faces

static real coordinate(snVec3 x, int axis)
{
    return axis ? x.y : x.x;
}

// Cuts off what is beyond `side`, +-1, times `most` along x or y.
static void cut(Polygon* p, int axis, real side, real most)
{
    real beyond[CORNERS];
    bool out = false;
    for (int i = 0; i < p->count; i++) {
        beyond[i] = side * coordinate(p->at[i], axis) - most;
        out |= beyond[i] > 0;
    }
    if (!out) return;
    const Polygon in = *p;
    p->count = 0;
    for (int i = 0; i < in.count; i++) {
        const int next = i + 1 < in.count ? i + 1 : 0;
        if (!(beyond[i] > 0) && p->count < CORNERS) p->at[p->count++] = in.at[i];
        if (!(beyond[i] * beyond[next] < 0) || p->count == CORNERS) continue;
        const real share = beyond[i] / (beyond[i] - beyond[next]);
        p->at[p->count++] = sn_v3AddScaled(in.at[i], share, sn_v3Sub(in.at[next], in.at[i]));
    }
}

// Of corners that stand in one place, seen along the normal, the first stays.
static void thin(Polygon* p, real tiny)
{
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        bool stands = false;
        for (int k = 0; k < count; k++) {
            const real dx = p->at[i].x - p->at[k].x, dy = p->at[i].y - p->at[k].y;
            stands |= dx * dx + dy * dy <= tiny * tiny;
        }
        if (!stands) p->at[count++] = p->at[i];
    }
    p->count = count;
}

// The face of a box that looks most against n, seen in a frame (columns) from `origin`.
static Polygon faceAgainst(const Box* box, snVec3 n, snVec3 origin, snMat3 frame)
{
    real slope[3];
    int axis = 0;
    for (int i = 0; i < 3; i++) slope[i] = sn_v3Dot(axisOf(box, i), n);
    for (int i = 1; i < 3; i++)
        if (fabs(slope[i]) > fabs(slope[axis])) axis = i;
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const real out = slope[axis] > 0 ? -box->S[axis] : box->S[axis];
    const snVec3 middle = sn_v3AddScaled(box->p, out, axisOf(box, axis));
    const snVec3 c = sn_m3TMul(frame, sn_v3Sub(middle, origin));
    const snVec3 u = sn_m3TMul(frame, sn_v3Scale(axisOf(box, j), box->S[j]));
    const snVec3 v = sn_m3TMul(frame, sn_v3Scale(axisOf(box, k), box->S[k]));
    const snVec3 ahead = sn_v3Add(c, u), behind = sn_v3Sub(c, u);
    return (Polygon){{sn_v3Add(ahead, v), sn_v3Add(behind, v), sn_v3Sub(behind, v), sn_v3Sub(ahead, v)}, 4};
}

// n points out of the face; `normal`: of the contacts.
static int faceContacts(const Boxes* g, const Axis* axis, snVec3 normal, real margin, snContactPoint* out)
{
    const bool of_b = axis->kind == FACE_B;
    const Box *box = of_b ? &g->B : &g->A, *other = of_b ? &g->A : &g->B;
    const snVec3 n = of_b ? sn_v3Neg(normal) : normal;
    const int i = (axis->a + 1) % 3, j = (axis->a + 2) % 3;
    const snVec3 x = axisOf(box, i), y = axisOf(box, j);
    const snVec3 origin = sn_v3AddScaled(box->p, box->S[axis->a], n);
    const snMat3 frame = {{x.x, y.x, n.x, x.y, y.y, n.y, x.z, y.z, n.z}};
    Polygon p = faceAgainst(other, n, origin, frame);
    for (int side = 0; side < 4; side++) cut(&p, side / 2, side & 1 ? -1 : 1, box->S[side < 2 ? i : j]);
    thin(&p, 1e-7 * sqrt(box->S[i] * box->S[i] + box->S[j] * box->S[j]));
    int count = 0;
    for (int k = 0; k < p.count; k++) {
        const snVec3 at = p.at[k];
        if (at.z > margin) continue;
        const snVec3 middle = sn_v3(at.x, at.y, 0.5 * at.z);
        out[count++] = sn_contactPoint(at.z, sn_v3Add(origin, sn_m3Mul(frame, middle)), normal, true);
    }
    return count;
}

// ---- edges

// The middle of the edge along an axis that is farthest along n
static snVec3 edgeAlong(const Box* box, int axis, snVec3 n)
{
    snVec3 c = box->p;
    for (int i = 0; i < 3; i++) {
        const snVec3 a = axisOf(box, i);
        if (i != axis) c = sn_v3AddScaled(c, sn_v3Dot(a, n) < 0 ? -box->S[i] : box->S[i], a);
    }
    return c;
}

// Nearest points of two segments that are not parallel: s along u from 0, t along v from w, the other of each
// anew where one is at its end (Ericson 2005, 5.1.9).
static int edgeContact(const Boxes* g, const Axis* axis, snVec3 n, snContactPoint* out)
{
    const snVec3 u = axisOf(&g->A, axis->a), v = axisOf(&g->B, axis->b);
    const real most_s = g->A.S[axis->a], most_t = g->B.S[axis->b];
    const snVec3 a = edgeAlong(&g->A, axis->a, n), b = edgeAlong(&g->B, axis->b, sn_v3Neg(n));
    const snVec3 w = sn_v3Sub(b, a);
    const real uv = sn_v3Dot(u, v), uw = sn_v3Dot(u, w), vw = sn_v3Dot(v, w);
    real s = sn_clamp((uw - uv * vw) / (1 - uv * uv), -most_s, most_s);
    const real t = sn_clamp(uv * s - vw, -most_t, most_t);
    s = sn_clamp(uv * t + uw, -most_s, most_s);
    const snVec3 sum = sn_v3Add(sn_v3AddScaled(a, s, u), sn_v3AddScaled(b, t, v));
    *out = sn_contactPoint(axis->separation, sn_v3Scale(sum, 0.5), n, true);
    return 1;
}

static int collideBoxes(const Box* a, const Box* b, real margin, snContactPoint* out)
{
    Boxes g;
    Axis axis;
    g.A = *a;
    g.B = *b;
    lookFromFirst(&g);
    if (!chosenAxis(&g, margin, &axis)) return 0;
    const snVec3 n = axisNormal(&g, &axis);
    return axis.kind == EDGES ? edgeContact(&g, &axis, n, out) : faceContacts(&g, &axis, n, margin, out);
}

int sn_boxBoxClipped(const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    const Box A = shapeBox(a), B = shapeBox(b);
    return collideBoxes(&A, &B, margin, out);
}

bool sn_boxBoxClippedBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points)
{
    for (int i = 0; i < count; i++) {
        snCandidate* c = list[i];
        if (!sn_roomForPoints(d, points, CORNERS)) return false;
        const Box a = geomBox(m, d, c->geom[0]), b = geomBox(m, d, c->geom[1]);
        c->first = points->count;
        c->count =
            collideBoxes(&a, &b, sn_pairReach(m, c->geom[0], c->geom[1], c->pair), points->list + c->first);
        points->count += c->count;
    }
    return true;
}
