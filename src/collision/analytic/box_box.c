// For each target: src/target/prelude.h.
// Box against box: the separating axis with the largest separation (15 candidates), then the patch where the
// two faces (or face and edge, face and corner) overlap when seen along it; a contact at every corner of the
// patch. How many corners, and how deep each counts, was found by experiment on the peer.
//
// Four numbers at a time wherever axes, sides or corners come in threes and fours. Source: Gottschalk, Lin
// and Manocha 1996 (separating axes of boxes).
#include "collision/analytic/box_axis.h"
#include <stddef.h>
#include "collision/analytic/colliders.h"

// A flat piece seen along the normal: points c + s u + t v with |s|, |t| <= 1, x and y across, z along. Only
// the first `free` of u, v count, the others are 0: 2 a face, 1 an edge, 0 a corner.
typedef struct Patch {
    snVec3 c, u, v;
    int free;
} Patch;

// Points of the overlap: places across, halfway between the patches, and the height of the incident one over
// the other. Four in a group: a group for each side of the rectangle that the incident patch's sides cross,
// for the corners of the rectangle and for those of the incident patch.
enum { REFERENCE = 4, INCIDENT = 5, GROUPS = 6 };

typedef struct Corners {
    v4 x[GROUPS], y[GROUPS], z[GROUPS], height[GROUPS];
    v4i found; // those that are there and near enough, as bits in the order of contacts; see cornerBits
} Corners;

// ---- the separating axis

// The axis along a_i x b_j; false: parted.
SN_INLINE bool tryEdges(const Boxes* g, int i, int j, real margin, Axis* best)
{
    Axis axis;
    const real reach = edgeAxis(g, i, j, &axis);
    if (axis.separation > margin) return false;
    // ties, but for rounding, go to a face when the boxes overlap, to an edge when they do not, as in the
    // peer; where boxes touch, to a face, or rounding would take corners from boxes that rest on each other
    const real touching = 1e-6 * reach;
    const real ahead = fabs(best->separation) < touching ? touching : 0;
    if (axis.separation * (1 + 1e-12) > best->separation + ahead) *best = axis;
    return true;
}

SN_INLINE bool separatingAxis(const Boxes* g, real margin, Axis* best)
{
    if (!faceAxis(g, margin, best)) return false;
    for (unsigned bits = promisingEdges(g, best->separation); bits; bits &= bits - 1) {
        const int edge = __builtin_ctz(bits);
        if (!tryEdges(g, edge / 4, edge % 4, margin, best)) return false;
    }
    return true;
}

// ---- the overlap of two patches; the reference is a rectangle |x| <= l.x, |y| <= l.y about the origin

// Of the size of a patch, by which a corner may be outside the other and is inside: where equal faces lie on
// each other rounding puts each corner out of the other patch now and then, and none would be left there.
static const real BESIDE = 1e-12;

// Bits of the corners of a group. Crossings come by the sides of the incident patch, which are lanes.
SN_INLINE v4i cornerBits(int group)
{
    const int first = 4 * group;
    return group < REFERENCE ? (v4i){1 << group, 1 << (group + 4), 1 << (group + 8), 1 << (group + 12)}
                             : (v4i){1 << first, 2 << first, 4 << first, 8 << first};
}

// Where the corner of a bit stands
SN_INLINE int cornerAt(int bit)
{
    return bit < 4 * REFERENCE ? 4 * (bit & 3) + (bit >> 2) : bit;
}

SN_INLINE void putCorners(Corners* out, int group, const Patch* reference, v4 x, v4 y, v4 incident, v4i met,
                          real margin)
{
    const v4 z = v4_all(reference->c.z) + v4_all(reference->v.z / reference->v.y) * y, height = incident - z;
    out->x[group] = x;
    out->y[group] = y;
    out->z[group] = 0.5 * (incident + z);
    out->height[group] = height;
    out->found |= met & ~v4_less(v4_all(margin), height) & cornerBits(group);
}

// Where the sides of the incident patch, or the edge that it is, cross those of the rectangle.
SN_INLINE void crossings(const Patch* reference, const Patch* incident, real margin, Corners* out)
{
    const real l[2] = {reference->u.x, reference->v.y};
    const snVec3 c = incident->c, u = incident->u, v = incident->v;
    const v4 s1 = {-1, 0, 1, 0}, s2 = {0, -1, 0, 1}; // of v and u, to the middles of the sides
    const v4 from[3] = {v4_all(c.x) + s1 * v4_all(v.x) + s2 * v4_all(u.x),
                        v4_all(c.y) + s1 * v4_all(v.y) + s2 * v4_all(u.y),
                        v4_all(c.z) + s1 * v4_all(v.z) + s2 * v4_all(u.z)};
    const v4 half[3] = {v4_of(u.x, v.x, u.x, v.x), v4_of(u.y, v.y, u.y, v.y), v4_of(u.z, v.z, u.z, v.z)};
    const long long more = incident->free == 2 ? -1 : 0;
    const v4i sides = {incident->free ? -1 : 0, more, more, more};
    for (int i = 0; i < 2; i++) {
        const int o = 1 - i;
        const v4i slanted = sides & v4_atMost(v4_all(SN_MINVAL), v4_abs(half[i]));
        const v4 inverse = 1 / half[i];
        for (int side = 0; side < 2; side++) {
            const v4 at = v4_all(side ? l[i] : -l[i]), ahead = at - from[i], s = ahead * inverse;
            const v4 other = from[o] + s * half[o];
            const v4i met =
                slanted & v4_atMost(v4_abs(ahead), v4_abs(half[i])) & v4_atMost(v4_abs(other), v4_all(l[o]));
            putCorners(out, 2 * i + side, reference, i ? other : at, i ? at : other, from[2] + s * half[2],
                       met, margin);
        }
    }
}

// Corners of the rectangle inside the incident patch, in the order of `first`; of edges only the first
SN_INLINE void referenceCorners(const Patch* reference, const Patch* incident, const real first[2],
                                bool only_first, real margin, Corners* out)
{
    const snVec3 c = incident->c, u = incident->u, v = incident->v;
    const real det = u.x * v.y - u.y * v.x;
    if (fabs(det) < SN_MINVAL) return;
    const v4 x = (v4){1, -1, 1, -1} * v4_all(first[0] * reference->u.x),
             y = (v4){1, 1, -1, -1} * v4_all(first[1] * reference->v.y), dx = x - v4_all(c.x),
             dy = y - v4_all(c.y);
    const v4 s = dx * v4_all(v.y) - dy * v4_all(v.x), t = v4_all(u.x) * dy - v4_all(u.y) * dx; // times det
    const real most = (1 + BESIDE) * fabs(det);
    v4i inside = v4_atMost(v4_abs(s), v4_all(most)) & v4_atMost(v4_abs(t), v4_all(most));
    if (only_first) {
        const long long bits = v4i_bits(inside);
        inside = (v4i){1, 2, 4, 8} == (v4i){bits & -bits, bits & -bits, bits & -bits, bits & -bits};
    }
    putCorners(out, REFERENCE, reference, x, y,
               v4_all(c.z) + (s * v4_all(u.z) + t * v4_all(v.z)) / v4_all(det), inside, margin);
}

// Corners of the incident patch inside the rectangle: four of a face, two of an edge, or one
SN_INLINE void incidentCorners(const Patch* reference, const Patch* incident, real margin, Corners* out)
{
    const snVec3 c = incident->c, u = incident->u, v = incident->v;
    const v4 s = {-1, 1, -1, 1}, t = {-1, -1, 1, 1};
    const v4 x = v4_all(c.x) + s * v4_all(u.x) + t * v4_all(v.x),
             y = v4_all(c.y) + s * v4_all(u.y) + t * v4_all(v.y);
    const long long two = incident->free > 0 ? -1 : 0, four = incident->free > 1 ? -1 : 0;
    const v4i inside = (v4i){-1, two, four, four} &
                       v4_atMost(v4_abs(x), v4_all((1 + BESIDE) * reference->u.x)) &
                       v4_atMost(v4_abs(y), v4_all((1 + BESIDE) * reference->v.y));
    putCorners(out, INCIDENT, reference, x, y, v4_all(c.z) + s * v4_all(u.z) + t * v4_all(v.z), inside,
               margin);
}

// The reference patch has u along x and v along y (and sloping); first, only_first: see referenceCorners
SN_INLINE void overlap(const Patch* reference, const Patch* incident, const real first[2], bool only_first,
                       real margin, Corners* out)
{
    const v4 none = v4_all(0);
    out->x[REFERENCE] = out->y[REFERENCE] = none;
    out->found = (v4i){0, 0, 0, 0};
    crossings(reference, incident, margin, out);
    if (incident->free == 2) referenceCorners(reference, incident, first, only_first, margin, out);
    incidentCorners(reference, incident, margin, out);
}

// ---- contacts

// Bits of the corners that stand where this one does. Neither patch is steep, so that those of one place
// across have one height.
SN_INLINE unsigned sameCorners(const Corners* c, int at, real tiny)
{
    const real x = ((const real*)c->x)[at], y = ((const real*)c->y)[at];
    v4i same = {0, 0, 0, 0};
    for (int k = 0; k < GROUPS; k++) {
        const v4 dx = c->x[k] - v4_all(x), dy = c->y[k] - v4_all(y);
        same |= v4_atMost(dx * dx + dy * dy, v4_all(tiny * tiny)) & cornerBits(k);
    }
    return v4i_allBits(same);
}

// Where the corners stand, in the order of contacts. Where edges lie on edges, as in planar models, a corner
// comes up several times, and the first counts.
SN_INLINE int distinctCorners(const Corners* c, real tiny, int at[4 * GROUPS])
{
    int count = 0;
    for (unsigned left = v4i_allBits(c->found); left;) {
        at[count] = cornerAt(__builtin_ctz(left));
        left &= left - 1;
        if (left) left &= ~sameCorners(c, at[count], tiny);
        count++;
    }
    return count;
}

// Which of four points of the world are outside a box scaled by 1.01 and grown by margin, and which outside
// one scaled by 0.99
SN_INLINE void outside(const Box* box, const v4 p[3], real margin, v4i* well, v4i* just)
{
    const real *R = box->R, *S = box->S;
    const v4 x = p[0] - v4_all(box->p.x), y = p[1] - v4_all(box->p.y), z = p[2] - v4_all(box->p.z);
    *well = *just = (v4i){0, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const v4 away = v4_abs(v4_all(R[k]) * x + v4_all(R[3 + k]) * y + v4_all(R[6 + k]) * z);
        *well |= v4_less(v4_all(S[k] * 1.01 + margin), away);
        *just |= v4_less(v4_all(S[k] * 0.99 + margin), away);
    }
}

SN_INLINE v4 take(const v4* numbers, const int at[4])
{
    const real* n = (const real*)numbers;
    return v4_of(n[at[0]], n[at[1]], n[at[2]], n[at[3]]);
}

// Four distances and places, a point a vector
SN_INLINE void turnOver(v4 dist, const v4 p[3], v4 point[4])
{
    point[0] = dist;
    for (int i = 0; i < 3; i++) point[1 + i] = p[i];
    v4_transpose(point);
}

SN_INLINE void putPoint(snContactPoint* out, v4 point, snVec3 n)
{
    _Static_assert(offsetof(snContactPoint, pos) == sizeof(real) && sizeof *out == 10 * sizeof(real), "flat");
    v4_storeAny(&out->dist, point);
    out->normal = n;
    out->tangent = sn_v3(0, 0, 0);
}

// Turns corners given in a frame (columns x, y, z of `frame` at `origin`, z along the normal) into contacts.
// `share`: part of the height difference that counts as distance. A midpoint well outside one box and not
// well inside the other is no contact.
SN_INLINE int emit(const Boxes* g, const Corners* corners, snVec3 origin, snMat3 frame, snVec3 n, real share,
                   real margin, snContactPoint* out)
{
    const real *SA = g->A.S, *SB = g->B.S, *m = frame.m;
    const real tiny = 1e-12 * (SA[0] + SA[1] + SA[2] + SB[0] + SB[1] + SB[2]);
    int at[4 * GROUPS + 3], count = 0;
    const int distinct = distinctCorners(corners, tiny, at);
    for (int k = distinct; k % 4; k++) at[k] = 0;
    for (int i = 0; i < distinct; i += 4) {
        const v4 x = take(corners->x, at + i), y = take(corners->y, at + i), z = take(corners->z, at + i);
        const v4 p[3] = {v4_all(origin.x) + (v4_all(m[0]) * x + v4_all(m[1]) * y + v4_all(m[2]) * z),
                         v4_all(origin.y) + (v4_all(m[3]) * x + v4_all(m[4]) * y + v4_all(m[5]) * z),
                         v4_all(origin.z) + (v4_all(m[6]) * x + v4_all(m[7]) * y + v4_all(m[8]) * z)};
        v4i well_a, just_a, well_b, just_b;
        outside(&g->A, p, margin, &well_a, &just_a);
        outside(&g->B, p, margin, &well_b, &just_b);
        const unsigned stray = v4i_bits((well_a & just_b) | (well_b & just_a));
        v4 point[4];
        turnOver(v4_all(share) * take(corners->height, at + i), p, point);
        for (int k = 0; k < 4 && i + k < distinct; k++)
            if (!(stray >> k & 1)) putPoint(out + count++, point[k], n);
    }
    return count;
}

SN_INLINE snMat3 columns(snVec3 x, snVec3 y, snVec3 z)
{
    return (snMat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

// The feature of a box that lies against direction n (world): its face, or its edge or corner where the
// face is tilted by more than 30 degrees from the plane. In the given frame.
SN_INLINE Patch incidentFeature(const Box* box, snVec3 n, snVec3 origin, snMat3 frame)
{
    Patch patch = {.free = 0};
    snVec3 c = box->p, *side[2] = {&patch.u, &patch.v};
    for (int i = 0; i < 3; i++) {
        const snVec3 half = sn_v3Scale(axisOf(box, i), box->S[i]);
        const real slope = sn_v3Dot(axisOf(box, i), n);
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
SN_INLINE int faceContacts(const Boxes* g, bool of_b, int axis, snVec3 n, snVec3 normal, real margin,
                           snContactPoint* out)
{
    const Box *box = of_b ? &g->B : &g->A, *other = of_b ? &g->A : &g->B;
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const snVec3 origin = sn_v3AddScaled(box->p, box->S[axis], n);
    const snMat3 frame = columns(axisOf(box, i), axisOf(box, j), n);
    const Patch reference = {{0, 0, 0}, {box->S[i], 0, 0}, {0, box->S[j], 0}, 2};
    const Patch incident = incidentFeature(other, n, origin, frame);
    const real first[2] = {-1, -1};
    Corners corners;
    overlap(&reference, &incident, first, false, margin, &corners);
    return emit(g, &corners, origin, frame, normal, 0.5, margin, out);
}

SN_INLINE int steepest(const Box* box, snVec3 n)
{
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(sn_v3Dot(axisOf(box, i), n)) > fabs(sn_v3Dot(axisOf(box, axis), n))) axis = i;
    return axis;
}

// Which of A's corners, signs along axes `edge` and `other` of the face, is asked first
SN_INLINE void firstCorner(int face, real face_sign, int edge, int other, real first[2])
{
    real prefer[3] = {-1, -1, -1};
    if (face == 0 || face == 1) prefer[2] = face_sign > 0 ? 1 : -1;
    if (face == 2) prefer[0] = face_sign > 0 ? -1 : 1;
    first[0] = prefer[edge];
    first[1] = prefer[other];
}

// Edge against edge: the faces next to the two edges, seen along the normal. Of A's corners over B's face
// only one counts, as the peer has it.
SN_INLINE int edgeContacts(const Boxes* g, const Axis* axis, snVec3 n, real margin, snContactPoint* out)
{
    const Box *A = &g->A, *B = &g->B;
    const int edge = axis->a, face = steepest(A, n), other = 3 - edge - face;
    const snVec3 x = axisOf(A, edge), side = axisOf(A, other);
    const snVec3 y = sn_v3Normalize(sn_v3AddScaled(side, -sn_v3Dot(side, n), n));
    const snMat3 frame = columns(x, y, n);
    const real face_sign = sign(sn_v3Dot(axisOf(A, face), n));
    const snVec3 origin = sn_v3AddScaled(A->p, face_sign * A->S[face], axisOf(A, face));
    const real ly = A->S[other] * sn_v3Dot(side, y);
    const Patch reference = {{0, 0, 0}, {A->S[edge], 0, 0}, {0, ly, A->S[other] * sn_v3Dot(side, n)}, 2};

    const int face_b = steepest(B, n), u = (face_b + 1) % 3, v = (face_b + 2) % 3;
    const snVec3 normal_b = axisOf(B, face_b);
    const snVec3 centre = sn_v3AddScaled(B->p, -sign(sn_v3Dot(normal_b, n)) * B->S[face_b], normal_b);
    const Patch incident = {sn_m3TMul(frame, sn_v3Sub(centre, origin)),
                            sn_m3TMul(frame, sn_v3Scale(axisOf(B, u), B->S[u])),
                            sn_m3TMul(frame, sn_v3Scale(axisOf(B, v), B->S[v])), 2};
    real first[2];
    firstCorner(face, face_sign, edge, other, first);
    Corners corners;
    overlap(&reference, &incident, first, true, margin, &corners);
    return emit(g, &corners, origin, frame, n, 1, margin, out);
}

static int collideBoxes(const Box* a, const Box* b, real margin, snContactPoint* out)
{
    Boxes g;
    Axis axis;
    g.A = *a;
    g.B = *b;
    lookFromFirst(&g);
    if (!separatingAxis(&g, margin, &axis)) return 0;
    const snVec3 n = axisNormal(&g, &axis);
    if (axis.kind == EDGES) return edgeContacts(&g, &axis, n, margin, out);
    const bool of_b = axis.kind == FACE_B;
    return faceContacts(&g, of_b, axis.a, of_b ? sn_v3Neg(n) : n, n, margin, out);
}

int sn_boxBox(const snShape* a, const snShape* b, real margin, snContactPoint* out)
{
    const Box A = shapeBox(a), B = shapeBox(b);
    return collideBoxes(&A, &B, margin, out);
}

bool sn_boxBoxBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points)
{
    for (int i = 0; i < count; i++) {
        snCandidate* c = list[i];
        if (!sn_roomForPoints(d, points, 4 * GROUPS)) return false;
        const Box a = geomBox(m, d, c->geom[0]), b = geomBox(m, d, c->geom[1]);
        c->first = points->count;
        c->count =
            collideBoxes(&a, &b, sn_pairReach(m, c->geom[0], c->geom[1], c->pair), points->list + c->first);
        points->count += c->count;
    }
    return true;
}
