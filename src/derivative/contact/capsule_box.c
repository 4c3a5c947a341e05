// A capsule on a box: two balls on its segment, each against the box like a sphere. The first is at an end or
// where the segment is nearest to an edge or a corner; the second where the segment leaves the box's sides,
// or as far from the first as the box is wide along it; see sn_capsuleBox.
#include "collision/analytic/capsule_box.h"
#include "derivative/contact/piece.h"

// Coordinates along the segment, each moving
enum { MOST_PLACES = 32 };

typedef struct Places {
    snJet at[MOST_PLACES];
    int count;
} Places;

static void add(Places* p, snJet at)
{
    if (p->count < MOST_PLACES && isfinite(at.x)) p->at[p->count++] = at;
}

// From the centre of the segment to the middle of an edge (along axis k), or with k < 0 to a corner, of the
// box
static snJet3 toFeature(const snTouching* t, const int sign[3], int k)
{
    snJet3 w = sn_jet3Sub(t->b.pos, t->a.pos);
    for (int i = 0; i < 3; i++)
        if (i != k) w = sn_jet3AddMul(w, sn_jetScale(t->b.size[i], sign[i]), t->b.axis[i]);
    return w;
}

// Of lines that are nearest: s - c u = a.w, c s - u = k.w
static snJet nearestToEdge(const snTouching* t, const snBoxNearest* n, snJet* u)
{
    const snJet3 a = t->a.axis[2], k = t->b.axis[n->axis], w = toFeature(t, n->sign, n->axis);
    const snJet c = sn_jet3Dot(a, k), kw = sn_jet3Dot(k, w);
    const snJet det = sn_jetSub(sn_jet(1), sn_jetMul(c, c));
    const snJet s = sn_jetDiv(sn_jetSub(sn_jet3Dot(a, w), sn_jetMul(c, kw)), det);
    *u = sn_jetSub(sn_jetMul(c, s), kw);
    return s;
}

// The first ball; *u: where on the edge.
static snJet firstPlace(const snTouching* t, const snBoxNearest* n, snJet* u)
{
    const snJet h = t->a.size[1];
    const bool edge = n->feature == SN_ON_EDGE, corner = n->feature == SN_ON_CORNER;
    const bool at_end = fabs(n->s) >= h.x || (!edge && !corner);
    *u = sn_jet(0);
    if (at_end) {
        const snJet s = sn_jetScale(h, n->s < 0 ? -1 : 1);
        // the place on the edge over the end: c s - k.w
        if (edge)
            *u = sn_jet3Dot(t->b.axis[n->axis],
                            sn_jet3Sub(sn_jet3Mul(t->a.axis[2], s), toFeature(t, n->sign, n->axis)));
        return s;
    }
    if (corner) return sn_jet3Dot(t->a.axis[2], toFeature(t, n->sign, -1));
    return nearestToEdge(t, n, u);
}

// Where balls may be: at the first place, at the ends, where the segment crosses the planes of the box's
// faces, and as far from the first as the box is wide, or to the end of the edge.
static Places allPlaces(const snTouching* t, const snBoxNearest* n)
{
    const snMovingShape* box = &t->b;
    const snJet3 w = sn_jet3Sub(t->b.pos, t->a.pos);
    Places p = {.count = 0};
    snJet u;
    const snJet first = firstPlace(t, n, &u);
    add(&p, first);
    for (int sign = -1; sign <= 1; sign += 2) {
        add(&p, sn_jetScale(t->a.size[1], sign));
        for (int i = 0; i < 3; i++) {
            const snJet a = sn_jet3Dot(t->a.axis[2], box->axis[i]), S = sn_jetScale(box->size[i], sign);
            if (fabs(a.x) < SN_MINVAL) continue;
            if (n->feature == SN_ON_FACE)
                add(&p, sn_jetDiv(sn_jetAdd(sn_jet3Dot(w, box->axis[i]), S), a));
            else
                add(&p, sn_jetAddScaled(first, 2, sn_jetDiv(S, a)));
            if (n->feature == SN_ON_EDGE && i == n->axis)
                add(&p, sn_jetAdd(first, sn_jetDiv(sn_jetSub(S, u), a)));
        }
    }
    return p;
}

bool sn_capsuleBoxPiece(const snTouching* t, snMovingPoint* out)
{
    const snShape *capsule = t->a.shape, *box = t->b.shape;
    const snVec3 axis = sn_m3Col(capsule->mat, 2);
    const snBoxSegment g = sn_boxSegment(capsule, box);
    const snBoxNearest n = sn_nearestOnBox(&g);
    const Places places = allPlaces(t, &n);
    // centre of the ball
    const real along = sn_v3Dot(axis, sn_v3AddScaled(t->pos, -(capsule->size.x + 0.5 * t->dist), t->normal));
    for (int i = 0; i < places.count; i++) {
        if (fabs(places.at[i].x - along) > 1e-9 * t->scale) continue;
        if (sn_ballPiece(t, sn_jet3AddMul(t->a.pos, places.at[i], t->a.axis[2]), t->a.size[0], out))
            return true;
    }
    return false;
}
