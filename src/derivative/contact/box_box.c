// Two boxes: the normal is that of a face of one, or the product of two edges. Along it the faces that look
// at each other (or the face and the edge or corner) are seen on each other, and a contact is where
//     an edge of the incident side crosses the upright through a side of the reference face,
//     a corner of the reference face is over the incident face,
//     a corner of the incident side is over the reference face.
// dist is the height of the one over the other along the normal, of faces half of it; pos is in the middle.
// Where the rule BOX_BOX holds the incident side is always a face, dist the whole height, and two edges have
// one contact, halfway between their nearest points.
#include "derivative/contact/piece.h"
#include "model/rules.h"

// The normal: from A to B
typedef struct Axis {
    enum { FACE_A, FACE_B, EDGES } kind;
    int a, b; // axes of A and B that define it
    real sign;
} Axis;

// A side of a box seen along the normal: a face, an edge or a corner; see sn_boxBox.
typedef struct Side {
    const snMovingShape* box;
    real sign[3];  // which end along each axis
    int across[2]; // axes in it
    int free;      // how many: 2 a face, 1 an edge, 0 a corner
    snJet3 normal; // face: along which to look for its plane
} Side;

// What holds of all corners of a contact patch
typedef struct Patch {
    Side reference, incident;
    snJet3 n;      // out of the reference box
    snJet3 normal; // of the contact
    real share;    // of the height that is dist
} Patch;

static real cosine(const snMovingShape* box, int i, snVec3 n)
{
    return sn_v3Dot(sn_jet3Value(box->axis[i]), n);
}

// Coordinates of a point of a side, in its box and in half sizes; s, t: along the axes in the side, -1 to 1
static void coordinates(const Side* side, real s, real t, real at[3])
{
    memcpy(at, side->sign, sizeof side->sign);
    if (side->free > 0) at[side->across[0]] = s;
    if (side->free > 1) at[side->across[1]] = t;
}

static snJet3 place(const Side* side, real s, real t)
{
    const snMovingShape* box = side->box;
    real at[3];
    coordinates(side, s, t, at);
    snJet3 x = box->pos;
    for (int i = 0; i < 3; i++) x = sn_jet3AddMul(x, sn_jetScale(box->size[i], at[i]), box->axis[i]);
    return x;
}

// The same without its motion
static snVec3 placeNow(const Side* side, real s, real t)
{
    const snMovingShape* box = side->box;
    real at[3];
    coordinates(side, s, t, at);
    snVec3 x = sn_jet3Value(box->pos);
    for (int i = 0; i < 3; i++) x = sn_v3AddScaled(x, at[i] * box->size[i].x, sn_jet3Value(box->axis[i]));
    return x;
}

// The face along an axis that looks along n.
static Side faceAlong(const snMovingShape* box, int axis, snVec3 n)
{
    const real sign = cosine(box, axis, n) < 0 ? -1 : 1;
    Side side = {.box = box, .across = {(axis + 1) % 3, (axis + 2) % 3}, .free = 2};
    side.sign[axis] = sign;
    side.normal = box->axis[axis];
    return side;
}

// What lies against direction n: axes that are level, within 30 degrees, are in it.
static Side sideAgainst(const snMovingShape* box, snVec3 n)
{
    Side side = {.box = box};
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        const real slope = cosine(box, i, n);
        if (fabs(slope) > 0.5 || side.free == 2) {
            side.sign[i] = slope < 0 ? 1 : -1;
            axis = i;
        } else {
            side.across[side.free++] = i;
        }
    }
    side.normal = box->axis[axis];
    return side;
}

static int steepest(const snMovingShape* box, snVec3 n)
{
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(cosine(box, i, n)) > fabs(cosine(box, axis, n))) axis = i;
    return axis;
}

static Patch facePatch(bool clipped, const snTouching* t, const Axis* axis)
{
    const bool of_b = axis->kind == FACE_B;
    const snMovingShape *box = of_b ? &t->b : &t->a, *other = of_b ? &t->a : &t->b;
    Patch p = {.share = clipped ? 1 : 0.5};
    p.normal = sn_jet3Scale(box->axis[of_b ? axis->b : axis->a], axis->sign);
    p.n = of_b ? sn_jet3Scale(p.normal, -1) : p.normal;
    const snVec3 n = sn_jet3Value(p.n);
    p.reference = faceAlong(box, of_b ? axis->b : axis->a, n);
    p.incident = clipped ? faceAlong(other, steepest(other, n), sn_v3Neg(n)) : sideAgainst(other, n);
    return p;
}

static Patch edgePatch(const snTouching* t, const Axis* axis)
{
    Patch p = {.share = 1};
    p.normal = sn_jet3Normalize(sn_jet3Cross(t->a.axis[axis->a], t->b.axis[axis->b]));
    p.n = p.normal = sn_jet3Scale(p.normal, axis->sign);
    const snVec3 n = sn_jet3Value(p.n);
    const int face = steepest(&t->a, n);
    p.reference = faceAlong(&t->a, face, n);
    p.reference.across[0] = axis->a;
    p.reference.across[1] = 3 - axis->a - face;
    p.incident = faceAlong(&t->b, steepest(&t->b, n), sn_v3Neg(n));
    return p;
}

// ---- corners

// x of the incident side, height above the reference face along n
static void underCorner(const Patch* p, snJet3 x, snMovingPoint* out)
{
    const snJet3 normal = p->reference.normal;
    const snJet up = sn_jet3Dot(normal, sn_jet3Sub(x, place(&p->reference, 0, 0)));
    const snJet height = sn_jetDiv(up, sn_jet3Dot(normal, p->n));
    *out = (snMovingPoint){.dist = sn_jetScale(height, p->share),
                           .pos = sn_jet3AddMul(x, sn_jetScale(height, -0.5), p->n),
                           .normal = p->normal};
}

// x of the reference face under the incident face
static void overCorner(const Patch* p, snJet3 x, snMovingPoint* out)
{
    const snJet3 normal = p->incident.normal;
    const snJet up = sn_jet3Dot(normal, sn_jet3Sub(place(&p->incident, 0, 0), x));
    const snJet height = sn_jetDiv(up, sn_jet3Dot(normal, p->n));
    *out = (snMovingPoint){.dist = sn_jetScale(height, p->share),
                           .pos = sn_jet3AddMul(x, sn_jetScale(height, 0.5), p->n),
                           .normal = p->normal};
}

// Edge of the incident side, its middle at (s, t) and along axis `along` of it, through the upright plane
// over the side of the reference face at `sign` along its axis i.
static bool crossing(const Patch* p, real s, real t, int along, int i, real sign, snMovingPoint* out)
{
    const Side *r = &p->reference, *c = &p->incident;
    const snJet3 axis = r->box->axis[r->across[i]];
    const snJet3 across = sn_jet3Sub(axis, sn_jet3Mul(p->n, sn_jet3Dot(p->n, axis)));
    const int k = c->across[along];
    const snJet3 middle = place(c, s, t), half = sn_jet3Mul(c->box->axis[k], c->box->size[k]);
    const snJet3 rim = place(r, i ? 0 : sign, i ? sign : 0);
    const snJet slope = sn_jet3Dot(across, half);
    if (fabs(slope.x) < SN_MINVAL) return false;
    const snJet at = sn_jetDiv(sn_jet3Dot(across, sn_jet3Sub(rim, middle)), slope);
    if (!(fabs(at.x) <= 1 + 1e-9)) return false;
    underCorner(p, sn_jet3AddMul(middle, at, half), out);
    return true;
}

// Whether the contact, seen along the normal, is on the line through x along e.
static bool isOnLine(const snTouching* t, snVec3 x, snVec3 e)
{
    const snVec3 across = sn_v3Cross(t->normal, e);
    return fabs(sn_v3Dot(across, sn_v3Sub(x, t->pos))) <= 1e-9 * t->scale * sn_v3Norm(across);
}

static bool isOver(const snTouching* t, snVec3 x)
{
    const snVec3 away = sn_v3Sub(x, t->pos);
    return sn_v3Norm(sn_v3AddScaled(away, -sn_v3Dot(away, t->normal), t->normal)) <= 1e-9 * t->scale;
}

static snVec3 axisAcross(const Side* side, int i)
{
    return sn_jet3Value(side->box->axis[side->across[i]]);
}

static bool findCrossing(const snTouching* t, const Patch* p, snMovingPoint* out)
{
    static const real middle[4][2] = {{0, -1}, {-1, 0}, {0, 1}, {1, 0}};
    const Side *r = &p->reference, *c = &p->incident;
    const int edges = c->free == 2 ? 4 : c->free;
    for (int edge = 0; edge < edges; edge++) {
        const real u = middle[edge][0], v = middle[edge][1];
        if (!isOnLine(t, placeNow(c, u, v), axisAcross(c, edge & 1))) continue;
        for (int side = 0; side < 4; side++) {
            const int i = side / 2;
            const real sign = side & 1 ? 1 : -1;
            if (isOnLine(t, placeNow(r, i ? 0 : sign, i ? sign : 0), axisAcross(r, 1 - i)) &&
                crossing(p, u, v, edge & 1, i, sign, out) && sn_reproduces(t, out, 1e-9))
                return true;
        }
    }
    return false;
}

static bool findCorner(const snTouching* t, const Patch* p, snMovingPoint* out)
{
    static const real sign[4][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    for (int k = 0; k < 4 && p->incident.free == 2; k++) {
        if (!isOver(t, placeNow(&p->reference, sign[k][0], sign[k][1]))) continue;
        overCorner(p, place(&p->reference, sign[k][0], sign[k][1]), out);
        if (sn_reproduces(t, out, 1e-9)) return true;
    }
    for (int k = 0; k < 1 << p->incident.free; k++) {
        if (!isOver(t, placeNow(&p->incident, sign[k][0], sign[k][1]))) continue;
        underCorner(p, place(&p->incident, sign[k][0], sign[k][1]), out);
        if (sn_reproduces(t, out, 1e-9)) return true;
    }
    return false;
}

// ---- one point of two edges

// The middle of the edge along an axis that is farthest along n
static snJet3 edgeAlong(const snMovingShape* box, int axis, snVec3 n)
{
    Side side = {.box = box, .across = {axis}, .free = 1};
    for (int i = 0; i < 3; i++)
        if (i != axis) side.sign[i] = cosine(box, i, n) < 0 ? -1 : 1;
    return place(&side, 0, 0);
}

static snJet clamped(snJet x, snJet most)
{
    if (x.x > most.x) return most;
    return x.x < -most.x ? sn_jetScale(most, -1) : x;
}

// See edgeContact of collision/analytic/box_clip.c.
static bool nearestOfEdges(const snTouching* t, const Axis* axis, snMovingPoint* out)
{
    const snJet3 u = t->a.axis[axis->a], v = t->b.axis[axis->b];
    const snJet most_u = t->a.size[axis->a], most_v = t->b.size[axis->b];
    const snJet3 n = sn_jet3Scale(sn_jet3Normalize(sn_jet3Cross(u, v)), axis->sign);
    const snJet3 a = edgeAlong(&t->a, axis->a, sn_jet3Value(n));
    const snJet3 b = edgeAlong(&t->b, axis->b, sn_v3Neg(sn_jet3Value(n)));
    const snJet3 w = sn_jet3Sub(b, a);
    const snJet uv = sn_jet3Dot(u, v), uw = sn_jet3Dot(u, w), vw = sn_jet3Dot(v, w);
    snJet s = sn_jetDiv(sn_jetSub(uw, sn_jetMul(uv, vw)), sn_jetSub(sn_jet(1), sn_jetMul(uv, uv)));
    s = clamped(s, most_u);
    const snJet at = clamped(sn_jetSub(sn_jetMul(uv, s), vw), most_v);
    s = clamped(sn_jetAdd(sn_jetMul(uv, at), uw), most_u);
    const snJet3 sum = sn_jet3Add(sn_jet3AddMul(a, s, u), sn_jet3AddMul(b, at, v));
    *out = (snMovingPoint){.dist = sn_jet3Dot(n, w), .pos = sn_jet3Scale(sum, 0.5), .normal = n};
    return sn_reproduces(t, out, 1e-9);
}

static bool tryAxis(bool clipped, const snTouching* t, const Axis* axis, snMovingPoint* out)
{
    if (clipped && axis->kind == EDGES) return nearestOfEdges(t, axis, out);
    const Patch p = axis->kind == EDGES ? edgePatch(t, axis) : facePatch(clipped, t, axis);
    return findCrossing(t, &p, out) || findCorner(t, &p, out);
}

// ---- axes

static bool isNormal(const snTouching* t, snVec3 axis, real* sign)
{
    *sign = sn_v3Dot(axis, t->normal) < 0 ? -1 : 1;
    return sn_v3Norm(sn_v3AddScaled(t->normal, -*sign, axis)) < 1e-9;
}

// Overlap of the boxes, negative, or gap along a face's normal
static real separation(const snTouching* t, const snMovingShape* box, int i)
{
    const snVec3 axis = sn_jet3Value(box->axis[i]);
    real reach = fabs(sn_v3Dot(axis, sn_jet3Value(t->b.pos)));
    for (int k = 0; k < 3; k++)
        reach -=
            t->a.size[k].x * fabs(cosine(&t->a, k, axis)) + t->b.size[k].x * fabs(cosine(&t->b, k, axis));
    return reach;
}

// The faces with this normal, that of the wider gap first; of equal ones A's.
static bool tryFaces(bool clipped, const snTouching* t, snMovingPoint* out)
{
    Axis axis[2];
    real gap[2];
    int count = 0;
    for (int of_b = 0; of_b < 2; of_b++) {
        const snMovingShape* box = of_b ? &t->b : &t->a;
        for (int i = 0; i < 3; i++) {
            real sign;
            if (!isNormal(t, sn_jet3Value(box->axis[i]), &sign) || count > of_b) continue;
            gap[count] = separation(t, box, i);
            axis[count++] = (Axis){of_b ? FACE_B : FACE_A, i, i, sign};
        }
    }
    const int first = count == 2 && gap[1] > gap[0];
    for (int k = 0; k < count; k++)
        if (tryAxis(clipped, t, &axis[k ? !first : first], out)) return true;
    return false;
}

static bool tryEdges(bool clipped, const snTouching* t, snMovingPoint* out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const snVec3 n = sn_v3Cross(sn_jet3Value(t->a.axis[i]), sn_jet3Value(t->b.axis[j]));
            Axis axis = {EDGES, i, j, 1};
            if (sn_v3Dot(n, n) < 1e-12 || !isNormal(t, sn_v3Normalize(n), &axis.sign)) continue;
            if (tryAxis(clipped, t, &axis, out)) return true;
        }
    return false;
}

bool sn_boxBoxPiece(int physics, const snTouching* t, snMovingPoint* out)
{
    const bool clipped = sn_means(physics, SN_RULE_BOX_BOX);
    return tryFaces(clipped, t, out) || tryEdges(clipped, t, out);
}
