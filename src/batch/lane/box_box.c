// Box against box: its twin is collision/analytic/box_box.c, which has the derivation: the separating axis,
// then the corners of the patch where the two faces, or face and edge, overlap. Of its own, for each lane has
// its own axis and its own faces: what they are made of is chosen first, then one overlap serves all lanes.
#include "batch/lane/slots.h"
#include "collision/analytic/colliders.h"

// A box where it stands: centre, axes, half sides
typedef struct Box {
    snVec3 p, axis[3];
    real S[3];
} Box;

// The two boxes, and B seen from A: C = RA' RB, d = RA' (pB - pA)
typedef struct Boxes {
    Box A, B;
    real C[3][3], d[3];
} Boxes;

// The axis of least overlap, pointing from A to B
typedef struct Axis {
    real separation;
    snMask of_a, of_b, edges; // a face of A, a face of B, two edges
    real a, b;                // axes of A and B that define it
    real sign;                // +-1, which way of them
    real cross[2];            // edges: their product along the axes of A that follow a
} Axis;

// A flat piece: points c + s u + t v with |s|, |t| <= 1, x and y across, z along the normal. Lanes in `edge`
// have u, those in `face` u and v, the others a corner.
typedef struct Patch {
    snVec3 c, u, v;
    snMask face, edge;
} Patch;

// The rectangle |x| <= lx, |y| <= ly that it is laid over, and how much it rises along y.
typedef struct Rectangle {
    real lx, ly, rise;
    real first[2];     // signs of the corner that is asked first
    snMask only_first; // of its corners one counts
} Rectangle;

enum { CORNERS = 24 };

// Corners of the overlap that are near enough, side by side: places across, halfway between the patches, and
// the height of the incident one over the other.
typedef struct Corners {
    real x[CORNERS], y[CORNERS], z[CORNERS], height[CORNERS];
    real count;
    int used;
    real tiny, margin;
} Corners;

static inline real sign(real x)
{
    return sn_select(x < 0, -1, 1);
}

static inline snMask choose(snMask mask, snMask a, snMask b)
{
    return (mask & a) | (sn_not(mask) & b);
}

// One of three by a number 0, 1 or 2
static inline real pick(const real x[3], real which)
{
    return sn_select(which == 0, x[0], sn_select(which == 1, x[1], x[2]));
}

static inline snVec3 pickAxis(const Box* box, real which)
{
    return sn_v3Select(which == 0, box->axis[0], sn_v3Select(which == 1, box->axis[1], box->axis[2]));
}

// 1, 2, 0 after 0, 1, 2
static inline real next(real which)
{
    return sn_select(which == 2, 0, which + 1);
}

static Box boxOf(const snShape* s)
{
    return (Box){s->pos,
                 {sn_m3Col(s->mat, 0), sn_m3Col(s->mat, 1), sn_m3Col(s->mat, 2)},
                 {s->size.x, s->size.y, s->size.z}};
}

// ---- the separating axis

static void better(Axis* best, snMask mask, real separation, real a, real b, real way)
{
    best->separation = sn_select(mask, separation, best->separation);
    best->a = sn_select(mask, a, best->a);
    best->b = sn_select(mask, b, best->b);
    best->sign = sn_select(mask, way, best->sign);
}

// The faces of both boxes; returns the lanes where they are parted.
static snMask tryFaces(const Boxes* g, real margin, Axis* best)
{
    snMask parted = sn_mask(false);
    for (int k = 0; k < 6; k++) {
        const int i = k % 3;
        real along = g->d[i], reach = k < 3 ? g->A.S[i] : g->B.S[i];
        if (k < 3) {
            for (int j = 0; j < 3; j++) reach += fabs(g->C[i][j]) * g->B.S[j];
        } else {
            along = g->C[0][i] * g->d[0] + g->C[1][i] * g->d[1] + g->C[2][i] * g->d[2];
            for (int j = 0; j < 3; j++) reach += fabs(g->C[j][i]) * g->A.S[j];
        }
        const real separation = fabs(along) - reach;
        const snMask ahead = separation > best->separation;
        parted |= separation > margin;
        better(best, ahead, separation, sn_real((snLane)i), sn_real((snLane)i), sign(along));
        best->of_b = choose(ahead, sn_mask(k >= 3), best->of_b);
    }
    best->of_a = sn_not(best->of_b);
    return parted;
}

// Square of the sine below which edges are parallel; in floats the product of such edges has no direction.
#define PARALLEL (1e-12 + 0.01 * SN_COARSE)

// a_i x b_j in A's frame: with e_i the unit axis, e_i x (column j of C); see tryEdges and promisingEdges of
// box_box.c. `face`: the largest separation of a face. Returns the lanes where they are parted.
static snMask tryEdges(const Boxes* g, int i, int j, real face, real margin, Axis* best)
{
    const int p = (i + 1) % 3, q = (i + 2) % 3, k = (j + 1) % 3, l = (j + 2) % 3;
    const real mp = g->C[p][j], mq = g->C[q][j], square = mp * mp + mq * mq;
    const real reach_b = g->B.S[k] * fabs(g->C[i][l]) + g->B.S[l] * fabs(g->C[i][k]);
    const real scaled =
        fabs(mp * g->d[q] - mq * g->d[p]) - (g->A.S[p] * fabs(mq) + g->A.S[q] * fabs(mp) + reach_b);
    const real limit = sn_select(face < 0, face * face, 0);
    const snMask behind = (scaled < 0) & (scaled * scaled * (1 + 1e-12) >= limit * square);
    const snMask tried = sn_not((square < PARALLEL) | behind);
    if (!sn_any(tried)) return tried;
    const real scale = 1 / sqrt(square), np = -mq * scale, nq = mp * scale;
    const real along = np * g->d[p] + nq * g->d[q];
    const real reach = g->A.S[p] * fabs(np) + g->A.S[q] * fabs(nq) + reach_b * scale;
    const real separation = fabs(along) - reach;
    const real touching = (1e-6 + SN_COARSE) * reach;
    const snMask barely = (fabs(best->separation) < touching) | sn_mask(SN_COARSE > 0);
    const real ahead = sn_select(barely, touching, 0);
    const snMask mask = tried & (separation * (1 + 1e-12) > best->separation + ahead);
    better(best, mask, separation, sn_real((snLane)i), sn_real((snLane)j), sign(along));
    best->edges |= mask;
    best->cross[0] = sn_select(mask, np, best->cross[0]);
    best->cross[1] = sn_select(mask, nq, best->cross[1]);
    return tried & (separation > margin);
}

// Returns the lanes that are not parted.
static snMask separatingAxis(const Boxes* g, real margin, Axis* best)
{
    *best = (Axis){.separation = sn_real(-HUGE_VAL)};
    snMask parted = tryFaces(g, margin, best);
    const real face = best->separation;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (sn_all(parted)) return sn_mask(false);
            parted |= tryEdges(g, i, j, face, margin, best);
        }
    best->of_a &= sn_not(best->edges);
    best->of_b &= sn_not(best->edges);
    return sn_not(parted);
}

// The axis in the world, from A to B
static snVec3 axisNormal(const Boxes* g, const Axis* axis)
{
    snVec3 n = sn_v3Select(axis->of_b, pickAxis(&g->B, axis->b), pickAxis(&g->A, axis->a));
    if (sn_any(axis->edges)) {
        const real p = next(axis->a), q = next(p);
        const snVec3 cross = sn_v3Add(sn_v3Scale(pickAxis(&g->A, p), axis->cross[0]),
                                      sn_v3Scale(pickAxis(&g->A, q), axis->cross[1]));
        n = sn_v3Select(axis->edges, cross, n);
    }
    return sn_v3Scale(n, axis->sign);
}

// ---- the overlap of a rectangle and the incident patch

#define BESIDE (1e-12 + SN_COARSE) // see box_box.c

// A corner at (x, y), where the incident patch is at height `incident`; not where one stands already.
static void putCorner(Corners* out, const Rectangle* r, real x, real y, real incident, snMask met)
{
    const real z = r->rise / r->ly * y, height = incident - z;
    snMask found = met & sn_not(height > out->margin);
    if (!sn_any(found)) return;
    for (int k = 0; k < out->used; k++) {
        const real dx = out->x[k] - x, dy = out->y[k] - y;
        const snMask there = out->count > (snLane)k;
        found &= sn_not(there & (dx * dx + dy * dy <= out->tiny * out->tiny));
    }
    if (!sn_any(found)) return;
    for (int k = 0; k <= out->used && k < CORNERS; k++) {
        const snMask here = found & (out->count == (snLane)k);
        if (!sn_any(here)) continue;
        out->x[k] = sn_select(here, x, out->x[k]);
        out->y[k] = sn_select(here, y, out->y[k]);
        out->z[k] = sn_select(here, 0.5 * (incident + z), out->z[k]);
        out->height[k] = sn_select(here, height, out->height[k]);
        if (k == out->used) {
            out->used++;
            break;
        }
    }
    out->count += sn_select(found, 1, 0);
}

// Where a side of the incident patch crosses those of the rectangle.
static void crossings(const Rectangle* r, const Patch* incident, int at, Corners* out)
{
    const snVec3 along = at & 1 ? incident->v : incident->u, across = at & 1 ? incident->u : incident->v;
    const snVec3 middle = sn_v3AddScaled(incident->c, sn_real((snLane)(at < 2 ? -1 : 1)), across);
    const real l[2] = {r->lx, r->ly}, from[2] = {middle.x, middle.y}, half[2] = {along.x, along.y};
    const snMask side = at ? incident->face : incident->face | incident->edge;
    for (int i = 0; i < 2; i++) {
        const int o = 1 - i;
        const snMask slanted = side & (fabs(half[i]) >= SN_MINVAL);
        if (!sn_any(slanted)) continue;
        const real inverse = 1 / half[i];
        for (int k = 0; k < 2; k++) {
            const real place = k ? l[i] : -l[i], ahead = place - from[i], s = ahead * inverse;
            const real other = from[o] + s * half[o];
            const snMask met = slanted & (fabs(ahead) <= fabs(half[i])) & (fabs(other) <= l[o]);
            if (!sn_any(met)) continue;
            putCorner(out, r, i ? other : place, i ? place : other, middle.z + s * along.z, met);
        }
    }
}

// Corners of the rectangle inside the incident patch
static void referenceCorners(const Rectangle* r, const Patch* incident, Corners* out)
{
    const snVec3 c = incident->c, u = incident->u, v = incident->v;
    const real det = u.x * v.y - u.y * v.x, most = (1 + BESIDE) * fabs(det);
    snMask left = incident->face & sn_not(fabs(det) < SN_MINVAL);
    if (!sn_any(left)) return;
    for (int k = 0; k < 4; k++) {
        const snLane sx = k & 1 ? -1 : 1, sy = k & 2 ? -1 : 1;
        const real x = sx * (r->first[0] * r->lx), y = sy * (r->first[1] * r->ly), dx = x - c.x, dy = y - c.y;
        const real s = dx * v.y - dy * v.x, t = u.x * dy - u.y * dx; // times det
        const snMask inside = left & (fabs(s) <= most) & (fabs(t) <= most);
        if (!sn_any(inside)) continue;
        left &= sn_not(inside & r->only_first);
        putCorner(out, r, x, y, c.z + (s * u.z + t * v.z) / det, inside);
    }
}

// Corners of the incident patch inside the rectangle: four of a face, two of an edge, or one
static void incidentCorners(const Rectangle* r, const Patch* incident, Corners* out)
{
    const snVec3 c = incident->c, u = incident->u, v = incident->v;
    for (int k = 0; k < 4; k++) {
        const snLane s = k & 1 ? 1 : -1, t = k & 2 ? 1 : -1;
        const snMask there = k > 1 ? incident->face : k ? incident->face | incident->edge : sn_mask(true);
        const real x = c.x + s * u.x + t * v.x, y = c.y + s * u.y + t * v.y;
        const snMask inside = there & (fabs(x) <= (1 + BESIDE) * r->lx) & (fabs(y) <= (1 + BESIDE) * r->ly);
        if (sn_any(inside)) putCorner(out, r, x, y, c.z + s * u.z + t * v.z, inside);
    }
}

static void overlap(const Rectangle* r, const Patch* incident, Corners* out)
{
    for (int at = 0; at < 4; at++) crossings(r, incident, at, out);
    referenceCorners(r, incident, out);
    incidentCorners(r, incident, out);
}

// ---- which two patches

// Where they are seen from: columns x, y and the normal of the patches at `origin`
typedef struct View {
    snVec3 x, y, z, origin;
} View;

static inline snVec3 into(const View* v, snVec3 a)
{
    return sn_v3(sn_v3Dot(v->x, a), sn_v3Dot(v->y, a), sn_v3Dot(v->z, a));
}

static Box pickBox(snMask of_b, const Boxes* g, bool other)
{
    const Box *a = other ? &g->B : &g->A, *b = other ? &g->A : &g->B;
    Box box = {.p = sn_v3Select(of_b, b->p, a->p)};
    for (int i = 0; i < 3; i++) {
        box.axis[i] = sn_v3Select(of_b, b->axis[i], a->axis[i]);
        box.S[i] = sn_select(of_b, b->S[i], a->S[i]);
    }
    return box;
}

// The feature of a box that lies against direction n: its face, or its edge or corner where the face is
// tilted by more than 30 degrees from the plane.
static Patch incidentFeature(const Box* box, const View* view)
{
    Patch patch = {.face = sn_mask(false), .edge = sn_mask(false)};
    snVec3 c = box->p;
    for (int i = 0; i < 3; i++) {
        const snVec3 half = sn_v3Scale(box->axis[i], box->S[i]), seen = into(view, half);
        const real slope = sn_v3Dot(box->axis[i], view->z);
        const snMask steep = (fabs(slope) > 0.5) | patch.face;
        const snMask first = sn_not(steep | patch.edge), second = sn_not(steep) & patch.edge;
        c = sn_v3Select(steep, sn_v3AddScaled(c, -sign(slope), half), c);
        patch.u = sn_v3Select(first, seen, patch.u);
        patch.v = sn_v3Select(second, seen, patch.v);
        patch.face |= second;
        patch.edge = (patch.edge & sn_not(second)) | first;
    }
    patch.c = into(view, sn_v3Sub(c, view->origin));
    return patch;
}

// Face of one box against what the other turns to it. n points from A to B.
static void facePatches(const Boxes* g, const Axis* axis, snVec3 n, View* view, Rectangle* r, Patch* incident)
{
    const Box box = pickBox(axis->of_b, g, false), other = pickBox(axis->of_b, g, true);
    const real i = next(axis->a), j = next(i);
    n = sn_v3Select(axis->of_b, sn_v3Neg(n), n);
    *view = (View){pickAxis(&box, i), pickAxis(&box, j), n, sn_v3AddScaled(box.p, pick(box.S, axis->a), n)};
    *r = (Rectangle){pick(box.S, i), pick(box.S, j), sn_real(0), {sn_real(-1), sn_real(-1)}, sn_mask(false)};
    *incident = incidentFeature(&other, view);
}

static real steepest(const Box* box, snVec3 n)
{
    real axis = sn_real(0), most = fabs(sn_v3Dot(box->axis[0], n));
    for (int i = 1; i < 3; i++) {
        const real slope = fabs(sn_v3Dot(box->axis[i], n));
        axis = sn_select(slope > most, (snLane)i, axis);
        most = sn_max(slope, most);
    }
    return axis;
}

// Which of A's corners, signs along axes `edge` and `other` of the face, is asked first
static void firstCorner(real face, real face_sign, real edge, real other, real first[2])
{
    const real prefer[3] = {sn_select((face == 2) & sn_not(face_sign > 0), 1, -1), sn_real(-1),
                            sn_select((face < 2) & (face_sign > 0), 1, -1)};
    first[0] = pick(prefer, edge);
    first[1] = pick(prefer, other);
}

// The faces next to two edges, seen along the normal. Of A's corners over B's face only one counts.
static void edgePatches(const Boxes* g, const Axis* axis, snVec3 n, View* view, Rectangle* r, Patch* incident)
{
    const Box *A = &g->A, *B = &g->B;
    const real edge = axis->a, face = steepest(A, n), other = 3 - edge - face;
    const snVec3 x = pickAxis(A, edge), side = pickAxis(A, other), up = pickAxis(A, face);
    const snVec3 y = sn_v3Normalize(sn_v3AddScaled(side, -sn_v3Dot(side, n), n));
    const real face_sign = sign(sn_v3Dot(up, n)), reach = pick(A->S, other);
    *view = (View){x, y, n, sn_v3AddScaled(A->p, face_sign * pick(A->S, face), up)};
    *r = (Rectangle){.lx = pick(A->S, edge),
                     .ly = reach * sn_v3Dot(side, y),
                     .rise = reach * sn_v3Dot(side, n),
                     .only_first = sn_mask(true)};
    firstCorner(face, face_sign, edge, other, r->first);

    const real face_b = steepest(B, n), u = next(face_b), v = next(u);
    const snVec3 down = pickAxis(B, face_b);
    const snVec3 centre = sn_v3AddScaled(B->p, -sign(sn_v3Dot(down, n)) * pick(B->S, face_b), down);
    *incident = (Patch){into(view, sn_v3Sub(centre, view->origin)),
                        into(view, sn_v3Scale(pickAxis(B, u), pick(B->S, u))),
                        into(view, sn_v3Scale(pickAxis(B, v), pick(B->S, v))), sn_mask(true), sn_mask(false)};
}

// Of all lanes: those of edges have the second of each.
static void mixPatches(snMask edges, View* view, const View* view2, Rectangle* r, const Rectangle* r2,
                       Patch* patch, const Patch* patch2)
{
    view->x = sn_v3Select(edges, view2->x, view->x);
    view->y = sn_v3Select(edges, view2->y, view->y);
    view->z = sn_v3Select(edges, view2->z, view->z);
    view->origin = sn_v3Select(edges, view2->origin, view->origin);
    r->lx = sn_select(edges, r2->lx, r->lx);
    r->ly = sn_select(edges, r2->ly, r->ly);
    r->rise = sn_select(edges, r2->rise, r->rise);
    for (int i = 0; i < 2; i++) r->first[i] = sn_select(edges, r2->first[i], r->first[i]);
    r->only_first = edges;
    patch->c = sn_v3Select(edges, patch2->c, patch->c);
    patch->u = sn_v3Select(edges, patch2->u, patch->u);
    patch->v = sn_v3Select(edges, patch2->v, patch->v);
    patch->face = choose(edges, patch2->face, patch->face);
    patch->edge = choose(edges, patch2->edge, patch->edge);
}

// ---- contacts

// Lanes where a point of the world is outside a box scaled by 1.01 and grown by margin, and outside one
// scaled by 0.99
static void outside(const Box* box, snVec3 p, real margin, snMask* well, snMask* just)
{
    const snVec3 v = sn_v3Sub(p, box->p);
    *well = *just = sn_mask(false);
    for (int k = 0; k < 3; k++) {
        const real away = fabs(sn_v3Dot(box->axis[k], v));
        *well |= away > box->S[k] * 1.01 + margin;
        *just |= away > box->S[k] * 0.99 + margin;
    }
}

// Corners to contacts. A midpoint well outside one box and not well inside the other is none. Of faces half
// the height counts as distance.
static int emit(const Boxes* g, const Corners* corners, const View* view, const Axis* axis, snVec3 n,
                snMask near, snContactPoint* out)
{
    const real share = sn_select(axis->edges, 1, 0.5);
    for (int k = 0; k < corners->used; k++) {
        const real x = corners->x[k], y = corners->y[k], z = corners->z[k];
        const snVec3 at = {view->x.x * x + view->y.x * y + view->z.x * z,
                           view->x.y * x + view->y.y * y + view->z.y * z,
                           view->x.z * x + view->y.z * y + view->z.z * z};
        const snVec3 p = sn_v3Add(view->origin, at);
        snMask well_a, just_a, well_b, just_b;
        outside(&g->A, p, corners->margin, &well_a, &just_a);
        outside(&g->B, p, corners->margin, &well_b, &just_b);
        const snMask stray = (well_a & just_b) | (well_b & just_a);
        const snMask there = near & (corners->count > (snLane)k);
        out[k] = sn_contactPoint(share * corners->height[k], p, n, there & sn_not(stray));
    }
    return corners->used;
}

int sn_boxBox(const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    Boxes g = {.A = boxOf(a), .B = boxOf(b)};
    const snVec3 between = sn_v3Sub(b->pos, a->pos);
    real sum = sn_real(0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) g.C[i][j] = sn_v3Dot(g.A.axis[i], g.B.axis[j]);
        g.d[i] = sn_v3Dot(g.A.axis[i], between);
        sum += g.A.S[i] + g.B.S[i];
    }
    Axis axis;
    const snMask near = separatingAxis(&g, margin, &axis);
    if (!sn_any(near)) return 0;
    const snVec3 n = axisNormal(&g, &axis);
    View view, view2;
    Rectangle r, r2;
    Patch incident, incident2;
    if (!sn_all(axis.edges)) facePatches(&g, &axis, n, &view, &r, &incident);
    if (sn_all(axis.edges))
        edgePatches(&g, &axis, n, &view, &r, &incident);
    else if (sn_any(axis.edges)) {
        edgePatches(&g, &axis, n, &view2, &r2, &incident2);
        mixPatches(axis.edges, &view, &view2, &r, &r2, &incident, &incident2);
    }
    Corners corners = {.tiny = (1e-12 + SN_COARSE) * sum, .margin = margin};
    overlap(&r, &incident, &corners);
    return emit(&g, &corners, &view, &axis, n, near, out);
}
