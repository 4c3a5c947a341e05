// Box against box: the separating axis with the largest separation (15 candidates), then the patch where the
// two faces (or face and edge, face and corner) overlap when seen along it; a contact at every corner of the
// patch. How many corners, and how deep each counts, was found by experiment on the peer.
#include "collision/analytic/colliders.h"

// The two boxes seen from the first: C = RA' RB, d = RA' (pB - pA)
typedef struct Boxes {
    snMat3 RA, RB, C;
    snVec3 pA, pB;
    real SA[3], SB[3], d[3];
} Boxes;

// The axis of least overlap, pointing from A to B
typedef struct Axis {
    real separation;
    snVec3 n; // world
    enum { FACE_A, FACE_B, EDGES } kind;
    int a, b; // axes of A and B that define it
} Axis;

// A flat piece seen along the normal: points c + s u + t v with |s|, |t| <= 1, x and y across, z along. Only
// the first `free` of u, v count: 2 a face, 1 an edge, 0 a corner.
typedef struct Patch {
    snVec3 c, u, v;
    int free;
} Patch;

// A point of the overlap: place across, heights of both patches
typedef struct Corner {
    real x, y, reference, incident;
} Corner;

typedef struct Corners {
    Corner point[24]; // 4 edges cross a rectangle's sides at most twice each, 4 + 4 corners
    int count;
} Corners;

static real sign(real x)
{
    return x < 0 ? -1 : 1;
}

// ---- the separating axis

static bool tryFace(const Boxes* g, int kind, int axis, Axis* best, real margin)
{
    const real *m = g->C.m, *d = g->d;
    real along, reach;
    if (kind == FACE_A) {
        along = d[axis];
        reach = g->SA[axis] + fabs(m[3 * axis]) * g->SB[0] + fabs(m[3 * axis + 1]) * g->SB[1] +
                fabs(m[3 * axis + 2]) * g->SB[2];
    } else {
        along = m[axis] * d[0] + m[3 + axis] * d[1] + m[6 + axis] * d[2];
        reach = g->SB[axis] + fabs(m[axis]) * g->SA[0] + fabs(m[3 + axis]) * g->SA[1] +
                fabs(m[6 + axis]) * g->SA[2];
    }
    const real separation = fabs(along) - reach;
    if (separation > margin) return false;
    if (separation > best->separation) {
        const snVec3 n = sn_m3Col(kind == FACE_A ? g->RA : g->RB, axis);
        *best = (Axis){separation, sn_v3Scale(n, sign(along)), kind, axis, axis};
    }
    return true;
}

// a_i x b_j, in A's frame: with e_i the unit axis, e_i x (column j of C)
static bool tryEdges(const Boxes* g, int i, int j, Axis* best, real margin)
{
    const int p = (i + 1) % 3, q = (i + 2) % 3, k = (j + 1) % 3, l = (j + 2) % 3;
    const real* m = g->C.m;
    const real square = m[3 * p + j] * m[3 * p + j] + m[3 * q + j] * m[3 * q + j];
    if (square < 1e-12) return true; // parallel: a face axis says the same
    const real scale = 1 / sqrt(square);
    const real np = -m[3 * q + j] * scale, nq = m[3 * p + j] * scale;
    const real along = np * g->d[p] + nq * g->d[q];
    const real reach = g->SA[p] * fabs(np) + g->SA[q] * fabs(nq) +
                       (g->SB[k] * fabs(m[3 * i + l]) + g->SB[l] * fabs(m[3 * i + k])) * scale;
    const real separation = fabs(along) - reach;
    if (separation > margin) return false;
    // ties, but for rounding, go to a face when the boxes overlap, to an edge when they do not, as in the
    // peer
    if (separation * (1 + 1e-12) > best->separation) {
        const snVec3 n = sn_v3Add(sn_v3Scale(sn_m3Col(g->RA, p), np), sn_v3Scale(sn_m3Col(g->RA, q), nq));
        *best = (Axis){separation, sn_v3Scale(n, sign(along)), EDGES, i, j};
    }
    return true;
}

static bool separatingAxis(const Boxes* g, real margin, Axis* best)
{
    *best = (Axis){.separation = -HUGE_VAL}; // stays the first face if the poses are not numbers
    for (int i = 0; i < 3; i++)
        if (!tryFace(g, FACE_A, i, best, margin)) return false;
    for (int i = 0; i < 3; i++)
        if (!tryFace(g, FACE_B, i, best, margin)) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (!tryEdges(g, i, j, best, margin)) return false;
    return true;
}

// ---- the overlap of two patches; the reference is a rectangle |x| <= lx, |y| <= ly about the origin

// Where a segment of the incident patch crosses the sides of the rectangle
static void crossings(const real l[2], const Patch* reference, snVec3 from, snVec3 half, Corners* out)
{
    const real c[2] = {from.x, from.y}, h[2] = {half.x, half.y};
    for (int i = 0; i < 2; i++) {
        if (fabs(h[i]) < SN_MINVAL) continue;
        for (int side = -1; side <= 1; side += 2) {
            const real s = (side * l[i] - c[i]) / h[i];
            const real other = c[1 - i] + s * h[1 - i];
            if (fabs(s) > 1 || fabs(other) > l[1 - i]) continue;
            const real x = i ? other : side * l[0], y = i ? side * l[1] : other;
            out->point[out->count++] =
                (Corner){x, y, reference->c.z + reference->v.z * y / l[1], from.z + s * half.z};
        }
    }
}

// Corners of the rectangle inside the incident patch, in the order of `first`; at most `most`
static void referenceCorners(const real l[2], const Patch* reference, const Patch* incident,
                             const real first[2], int most, Corners* out)
{
    const snVec3 u = incident->u, v = incident->v;
    const real det = u.x * v.y - u.y * v.x;
    if (fabs(det) < SN_MINVAL) return;
    for (int k = 0, found = 0; k < 4 && found < most; k++) {
        const real x = (k & 1 ? -first[0] : first[0]) * l[0], y = (k & 2 ? -first[1] : first[1]) * l[1];
        const real dx = x - incident->c.x, dy = y - incident->c.y;
        const real s = (dx * v.y - dy * v.x) / det, t = (u.x * dy - u.y * dx) / det;
        if (fabs(s) > 1 || fabs(t) > 1) continue;
        found++;
        out->point[out->count++] =
            (Corner){x, y, reference->c.z + reference->v.z * y / l[1], incident->c.z + s * u.z + t * v.z};
    }
}

// Corners of the incident patch inside the rectangle
static void incidentCorners(const real l[2], const Patch* reference, const Patch* incident, Corners* out)
{
    for (int k = 0; k < 1 << incident->free; k++) {
        snVec3 p = incident->c;
        if (incident->free > 0) p = sn_v3AddScaled(p, k & 1 ? 1 : -1, incident->u);
        if (incident->free > 1) p = sn_v3AddScaled(p, k & 2 ? 1 : -1, incident->v);
        if (fabs(p.x) > l[0] || fabs(p.y) > l[1]) continue;
        out->point[out->count++] = (Corner){p.x, p.y, reference->c.z + reference->v.z * p.y / l[1], p.z};
    }
}

// The reference patch has u along x and v along y (and sloping); first, most: see referenceCorners
static void overlap(const Patch* reference, const Patch* incident, const real first[2], int most,
                    Corners* out)
{
    const real l[2] = {reference->u.x, reference->v.y};
    const snVec3 c = incident->c, u = incident->u, v = incident->v;
    out->count = 0;
    if (incident->free == 1) crossings(l, reference, c, u, out);
    if (incident->free == 2)
        for (int side = -1; side <= 1; side += 2) {
            crossings(l, reference, sn_v3AddScaled(c, side, v), u, out);
            crossings(l, reference, sn_v3AddScaled(c, side, u), v, out);
        }
    if (incident->free == 2) referenceCorners(l, reference, incident, first, most, out);
    incidentCorners(l, reference, incident, out);
}

// ---- contacts

// Whether p, in a box's frame, is outside the box scaled by `scale` and grown by `margin`
static bool outside(snVec3 p, const real S[3], real scale, real margin)
{
    return fabs(p.x) > S[0] * scale + margin || fabs(p.y) > S[1] * scale + margin ||
           fabs(p.z) > S[2] * scale + margin;
}

// A midpoint well outside one box and not well inside the other is no contact
static bool stray(const Boxes* g, snVec3 p, real margin)
{
    const snVec3 a = sn_m3TMul(g->RA, sn_v3Sub(p, g->pA)), b = sn_m3TMul(g->RB, sn_v3Sub(p, g->pB));
    return (outside(a, g->SA, 1.01, margin) && outside(b, g->SB, 0.99, margin)) ||
           (outside(b, g->SB, 1.01, margin) && outside(a, g->SA, 0.99, margin));
}

// Where edges lie on edges, as in planar models, a corner comes up several times
static bool isKnown(const snContactPoint* list, int count, snVec3 p, real tiny)
{
    for (int i = 0; i < count; i++)
        if (sn_v3Norm(sn_v3Sub(list[i].pos, p)) <= tiny) return true;
    return false;
}

// Turns corners given in a frame (columns x, y, z of `frame` at `origin`, z along the normal) into contacts.
// `share`: part of the height difference that counts as distance.
static int emit(const Boxes* g, const Corners* corners, snVec3 origin, snMat3 frame, snVec3 n, real share,
                real margin, snContactPoint* out)
{
    int count = 0;
    const real tiny = 1e-12 * (g->SA[0] + g->SA[1] + g->SA[2] + g->SB[0] + g->SB[1] + g->SB[2]);
    for (int i = 0; i < corners->count; i++) {
        const Corner* c = corners->point + i;
        const real height = c->incident - c->reference;
        if (height > margin) continue;
        const snVec3 local = {c->x, c->y, 0.5 * (c->incident + c->reference)};
        const snVec3 p = sn_v3Add(origin, sn_m3Mul(frame, local));
        if (stray(g, p, margin) || isKnown(out, count, p, tiny)) continue;
        out[count++] = (snContactPoint){share * height, p, n, {0, 0, 0}};
    }
    return count;
}

static snMat3 columns(snVec3 x, snVec3 y, snVec3 z)
{
    return (snMat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

// The feature of a box that lies against direction n (world): its face, or its edge or corner where the
// face is tilted by more than 30 degrees from the plane. In the given frame.
static Patch incidentFeature(snVec3 pos, snMat3 R, const real S[3], snVec3 n, snVec3 origin, snMat3 frame)
{
    Patch patch = {.free = 0};
    snVec3 c = pos, *side[2] = {&patch.u, &patch.v};
    for (int i = 0; i < 3; i++) {
        const snVec3 half = sn_v3Scale(sn_m3Col(R, i), S[i]);
        const real slope = sn_v3Dot(sn_m3Col(R, i), n);
        // of three unit axes at most two are that level; a third only if the poses are not numbers
        if (fabs(slope) > 0.5 || patch.free == 2)
            c = sn_v3AddScaled(c, -sign(slope), half);
        else
            *side[patch.free++] = sn_m3TMul(frame, half);
    }
    patch.c = sn_m3TMul(frame, sn_v3Sub(c, origin));
    return patch;
}

// Face of one box against what the other turns to it. n points out of the face. The distance of a corner is
// half its depth, as the peer has it.
static int faceContacts(const Boxes* g, bool of_b, int axis, snVec3 n, snVec3 normal, real margin,
                        snContactPoint* out)
{
    const snMat3 R = of_b ? g->RB : g->RA, otherR = of_b ? g->RA : g->RB;
    const real *S = of_b ? g->SB : g->SA, *otherS = of_b ? g->SA : g->SB;
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const snVec3 origin = sn_v3AddScaled(of_b ? g->pB : g->pA, S[axis], n);
    const snMat3 frame = columns(sn_m3Col(R, i), sn_m3Col(R, j), n);
    const Patch reference = {{0, 0, 0}, {S[i], 0, 0}, {0, S[j], 0}, 2};
    const Patch incident = incidentFeature(of_b ? g->pA : g->pB, otherR, otherS, n, origin, frame);
    const real first[2] = {-1, -1};
    Corners corners;
    overlap(&reference, &incident, first, 4, &corners);
    return emit(g, &corners, origin, frame, normal, 0.5, margin, out);
}

static int steepest(snMat3 R, snVec3 n)
{
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(sn_v3Dot(sn_m3Col(R, i), n)) > fabs(sn_v3Dot(sn_m3Col(R, axis), n))) axis = i;
    return axis;
}

// Which of A's corners, signs along axes `edge` and `other` of the face, is asked first
static void firstCorner(int face, real face_sign, int edge, int other, real first[2])
{
    real prefer[3] = {-1, -1, -1};
    if (face == 0 || face == 1) prefer[2] = face_sign > 0 ? 1 : -1;
    if (face == 2) prefer[0] = face_sign > 0 ? -1 : 1;
    first[0] = prefer[edge];
    first[1] = prefer[other];
}

// Edge against edge: the faces next to the two edges, seen along the normal. Of A's corners over B's face
// only one counts, as the peer has it.
static int edgeContacts(const Boxes* g, const Axis* axis, real margin, snContactPoint* out)
{
    const snVec3 n = axis->n;
    const int edge = axis->a, face = steepest(g->RA, n), other = 3 - edge - face;
    const snVec3 x = sn_m3Col(g->RA, edge), side = sn_m3Col(g->RA, other);
    const snVec3 y = sn_v3Normalize(sn_v3AddScaled(side, -sn_v3Dot(side, n), n));
    const snMat3 frame = columns(x, y, n);
    const real face_sign = sign(sn_v3Dot(sn_m3Col(g->RA, face), n));
    const snVec3 origin = sn_v3AddScaled(g->pA, face_sign * g->SA[face], sn_m3Col(g->RA, face));
    const real ly = g->SA[other] * sn_v3Dot(side, y);
    const Patch reference = {{0, 0, 0}, {g->SA[edge], 0, 0}, {0, ly, g->SA[other] * sn_v3Dot(side, n)}, 2};

    const int face_b = steepest(g->RB, n), u = (face_b + 1) % 3, v = (face_b + 2) % 3;
    const snVec3 normal_b = sn_m3Col(g->RB, face_b);
    const snVec3 centre = sn_v3AddScaled(g->pB, -sign(sn_v3Dot(normal_b, n)) * g->SB[face_b], normal_b);
    const Patch incident = {sn_m3TMul(frame, sn_v3Sub(centre, origin)),
                            sn_m3TMul(frame, sn_v3Scale(sn_m3Col(g->RB, u), g->SB[u])),
                            sn_m3TMul(frame, sn_v3Scale(sn_m3Col(g->RB, v), g->SB[v])), 2};
    real first[2];
    firstCorner(face, face_sign, edge, other, first);
    Corners corners;
    overlap(&reference, &incident, first, 1, &corners);
    return emit(g, &corners, origin, frame, n, 1, margin, out);
}

int sn_boxBox(const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    Boxes g = {.RA = a->mat, .RB = b->mat, .C = sn_m3TMulM3(a->mat, b->mat), .pA = a->pos, .pB = b->pos};
    sn_v3Store(g.SA, a->size);
    sn_v3Store(g.SB, b->size);
    sn_v3Store(g.d, sn_m3TMul(a->mat, sn_v3Sub(b->pos, a->pos)));
    Axis axis;
    if (!separatingAxis(&g, margin, &axis)) return 0;
    switch (axis.kind) {
    case FACE_A: return faceContacts(&g, false, axis.a, axis.n, axis.n, margin, out);
    case FACE_B: return faceContacts(&g, true, axis.b, sn_v3Neg(axis.n), axis.n, margin, out);
    default: return edgeContacts(&g, &axis, margin, out);
    }
}

SN_BATCH_COLLIDER(sn_boxBoxBatch, sn_boxBox, SN_GEOM_BOX, SN_GEOM_BOX)
