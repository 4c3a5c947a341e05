#include "collision/sdf/pair.h"

#define TOLERANCE 1e-8 // of the size, of a step

// ---- where they stand

static void store3(double out[3], snVec3 v)
{
    sn_v3Store(out, v);
}

bool sn_placeSdfPair(snSdfPair* p, const snShape* solid, const snSdfBox* solid_box, const snShape* field,
                     const snSdfBox* field_box, double margin)
{
    p->turn = sn_m3TMulM3(field->mat, solid->mat);
    p->shift = sn_m3TMul(field->mat, sn_v3Sub(solid->pos, field->pos));
    p->margin = margin;
    // the field's box seen from the solid
    const snVec3 centre = sn_m3TMul(p->turn, sn_v3Sub(field_box->centre, p->shift));
    const snVec3 half =
        sn_turnedBox(sn_m3Transpose(p->turn).m,
                     (const double[3]){field_box->half.x, field_box->half.y, field_box->half.z});
    double c[2][3], h[2][3], square = 0;
    store3(c[0], centre), store3(h[0], half), store3(c[1], solid_box->centre), store3(h[1], solid_box->half);
    const double reach = margin > 0 ? margin : 0;
    for (int k = 0; k < 3; k++) {
        p->low[k] = sn_max(c[0][k] - h[0][k] - reach, c[1][k] - h[1][k]);
        p->high[k] = sn_min(c[0][k] + h[0][k] + reach, c[1][k] + h[1][k]);
        const double wide = p->high[k] - p->low[k];
        if (!(wide >= 0)) return false;
        square += wide * wide;
    }
    p->size = sqrt(square);
    return isfinite(p->size);
}

// ---- what is at a point

double sn_pairField(const snSdfPair* p, snVec3 x, snVec3* g)
{
    double point[3], gradient[3];
    sn_v3Store(point, sn_v3Add(sn_m3Mul(p->turn, x), p->shift));
    const double d = sn_sdfAt(&p->field, point, gradient);
    const snVec3 own = sn_m3TMul(p->turn, sn_v3Load(gradient));
    const double length = sn_v3Norm(own);
    *g = length > 0 ? sn_v3Scale(own, 1 / length) : sn_v3(0, 0, 1);
    return length > 1 ? d / length : d;
}

double sn_pairSolid(const snSdfPair* p, snVec3 x, snVec3* g)
{
    double point[3], gradient[3];
    sn_v3Store(point, x);
    const double d = sn_sdfAt(&p->solid, point, gradient);
    *g = sn_v3Load(gradient);
    return d;
}

snVec3 sn_pairProject(const snSdfPair* p, snVec3 x)
{
    enum { ROUNDS = 4 };
    for (int i = 0; i < ROUNDS; i++) {
        snVec3 g;
        const double d = sn_pairSolid(p, x, &g), square = sn_v3Dot(g, g);
        if (!(d > 1e-3 * TOLERANCE * p->size) || !(square > 0)) break;
        x = sn_v3AddScaled(x, -d / square, g);
        if (p->solid.exact) break;
    }
    return x;
}

// ---- the least point nearby

// Whether the field turns beside a point, across an edge that the direction leads over.
static bool turnsAcross(const snSdfPair* p, snVec3 x, snVec3 across)
{
    const double beside = 2e-3 * p->size;
    snVec3 a, b;
    sn_pairField(p, sn_v3AddScaled(x, beside, across), &a);
    sn_pairField(p, sn_v3AddScaled(x, -beside, across), &b);
    return sn_v3Dot(a, b) < 0.9;
}

// Of the normals of both where neither is known to be smooth: that of the one without an edge.
static snVec3 smoother(const snSdfPair* p, snVec3 x, snVec3 out, snVec3 down)
{
    if (sn_v3Dot(out, down) > 0.999) return sn_v3Normalize(sn_v3Add(out, down));
    return turnsAcross(p, x, sn_v3Normalize(sn_v3Sub(out, down))) ? out : down;
}

// The spot at a point. Its normal leads out of the solid where it has a point beside it down the field: of a
// face it is the face's, also where the field has an edge; of an edge of an exact solid it leads down the
// field. What the point still is outside of the solid is part of the gap.
static snSpot spotAt(const snSdfPair* p, snVec3 x, double d, snVec3 down)
{
    snVec3 g, n = down;
    const double beside = (p->solid.exact ? 1e-4 : 1e-9) * p->size;
    const double outside = sn_pairSolid(p, sn_v3AddScaled(x, beside, down), &g), length = sn_v3Norm(g);
    if (length > 0) {
        const snVec3 out = sn_v3Scale(g, 1 / length);
        if (sn_v3Dot(out, down) > 0.05) n = p->solid.exact ? out : smoother(p, x, out, down);
    }
    return (snSpot){x, n, d + (p->solid.exact || !(outside > beside) ? 0 : outside)};
}

// Projected gradients, their steps by how the gradient turned in the last one (Barzilai and Borwein 1988).
snSpot sn_pairDescend(const snSdfPair* p, snVec3 x, double step, int iterations)
{
    const double least = TOLERANCE * p->size, most = p->solid.exact ? p->size : 2 * step;
    snVec3 g, next_g;
    x = sn_pairProject(p, x);
    double d = sn_pairField(p, x, &g);
    for (int i = 0; i < iterations && step > least; i++) {
        const snVec3 next = sn_pairProject(p, sn_v3AddScaled(x, -step, g)), move = sn_v3Sub(next, x);
        const double square = sn_v3Dot(move, move);
        if (!(square > least * least)) break;
        const double next_d = sn_pairField(p, next, &next_g);
        if (!(next_d < d)) {
            step *= 0.25;
            continue;
        }
        const double gain = d - next_d;
        if (next_d - (iterations - i) * gain > p->margin) return (snSpot){.dist = HUGE_VAL};
        const double bend = sn_v3Dot(move, sn_v3Sub(next_g, g));
        step = bend * 4 * step > square ? square / bend : 4 * step;
        if (step > most) step = most;
        x = next;
        d = next_d;
        g = next_g;
        if (gain < least) break;
    }
    return spotAt(p, x, d, sn_v3Neg(g));
}

// The point of the field's surface that is down the field from a point outside.
static snVec3 onField(const snSdfPair* p, snVec3 x)
{
    enum { ROUNDS = 30 };
    for (int i = 0; i < ROUNDS; i++) {
        snVec3 g;
        const double d = sn_pairField(p, x, &g);
        if (!(fabs(d) > TOLERANCE * p->size)) break;
        x = sn_v3AddScaled(x, -d, g);
    }
    return x;
}

// From surface to surface, which is nearer each time.
void sn_pairSettle(const snSdfPair* p, snSpot* spot)
{
    enum { ROUNDS = 20 };
    if (!(spot->dist > TOLERANCE * p->size)) return;
    snVec3 best = spot->x, other = onField(p, best);
    double apart = sn_v3Norm(sn_v3Sub(other, best));
    for (int i = 0; i < ROUNDS; i++) {
        const snVec3 x = sn_pairProject(p, other), y = onField(p, x);
        const double next = sn_v3Norm(sn_v3Sub(y, x));
        if (!(next < apart * (1 - 1e-9))) break;
        best = x;
        other = y;
        apart = next;
    }
    *spot = (snSpot){best, sn_v3Normalize(sn_v3Sub(other, best)), apart};
}
