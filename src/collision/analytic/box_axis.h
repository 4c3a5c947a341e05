// Axes that may part two boxes: the normals of their faces, and the products of their edges.
//
// Four numbers at a time wherever axes, sides or corners come in threes and fours. Source: Gottschalk, Lin
// and Manocha 1996 (separating axes of boxes).
#ifndef SINEW_COLLISION_ANALYTIC_BOX_AXIS_H
#define SINEW_COLLISION_ANALYTIC_BOX_AXIS_H

#include "collision/contact/narrow.h"
#include "math/simd.h"

// A box where it stands: centre, axes as columns, half sides
typedef struct Box {
    snVec3 p;
    const real* R;
    const real* S;
} Box;

// The two boxes, and B seen from A: C = RA' RB, d = RA' (pB - pA). A fourth lane is 0 here and below.
typedef struct Boxes {
    Box A, B;
    v4 row[3], column[3], d; // of C
} Boxes;

// The axis of least overlap, pointing from A to B
typedef struct Axis {
    real separation;
    enum { FACE_A, FACE_B, EDGES } kind;
    int a, b;      // axes of A and B that define it
    real sign;     // +-1, which way of them
    real cross[2]; // EDGES: their product along the axes of A that follow a
} Axis;

SN_INLINE real sign(real x)
{
    return x < 0 ? -1 : 1;
}

SN_INLINE snVec3 axisOf(const Box* box, int i)
{
    return sn_v3(box->R[i], box->R[3 + i], box->R[6 + i]);
}

// The rows of a matrix; nothing is read behind its end.
SN_INLINE void loadRows(const real m[9], v4* row0, v4* row1, v4* row2)
{
    const v4i three = {-1, -1, -1, 0};
    const v4 last = v4_loadAny(m + 5);
    *row0 = v4_keep(three, v4_loadAny(m));
    *row1 = v4_keep(three, v4_loadAny(m + 3));
    *row2 = v4_keep(three, V4_SHUFFLE(last, last, 1, 2, 3, 3));
}

SN_INLINE void lookFromFirst(Boxes* g)
{
    v4 a0, a1, a2, b0, b1, b2;
    loadRows(g->A.R, &a0, &a1, &a2);
    loadRows(g->B.R, &b0, &b1, &b2);
    for (int i = 0; i < 3; i++) {
        g->row[i] = v4_all(a0[i]) * b0 + v4_all(a1[i]) * b1 + v4_all(a2[i]) * b2;
        g->column[i] = a0 * v4_all(b0[i]) + a1 * v4_all(b1[i]) + a2 * v4_all(b2[i]);
    }
    const snVec3 v = sn_v3Sub(g->B.p, g->A.p);
    g->d = a0 * v4_all(v.x) + a1 * v4_all(v.y) + a2 * v4_all(v.z);
}

// The faces of one box; false: parted.
SN_INLINE bool tryFaces(int kind, v4 along, v4 reach, real margin, Axis* best)
{
    const v4 separation = v4_abs(along) - reach;
    if (v4i_bits(v4_less(v4_all(margin), separation)) & 7) return false;
    for (int i = 0; i < 3; i++)
        if (separation[i] > best->separation)
            *best = (Axis){.separation = separation[i], .kind = kind, .a = i, .b = i, .sign = sign(along[i])};
    return true;
}

// a_i x b_j, in A's frame: with e_i the unit axis, e_i x (column j of C). Returns how far the boxes reach
// along it together.
SN_INLINE real edgeAxis(const Boxes* g, int i, int j, Axis* out)
{
    const int p = (i + 1) % 3, q = (i + 2) % 3, k = (j + 1) % 3, l = (j + 2) % 3;
    const real mp = g->row[p][j], mq = g->row[q][j], scale = 1 / sqrt(mp * mp + mq * mq);
    const real np = -mq * scale, nq = mp * scale;
    const real along = np * g->d[p] + nq * g->d[q];
    const real reach = g->A.S[p] * fabs(np) + g->A.S[q] * fabs(nq) +
                       (g->B.S[k] * fabs(g->row[i][l]) + g->B.S[l] * fabs(g->row[i][k])) * scale;
    *out = (Axis){fabs(along) - reach, EDGES, i, j, sign(along), {np, nq}};
    return reach;
}

// Which of the edges a_i x b_j, as a mask with bit 4 i + j in lane j, need be tried: not those that are
// parallel, where a face axis says the same, nor those that fall short of the best so far. Of a product as
// long as l, l times its separation is compared, in squares; ties with faces are short of them.
SN_INLINE v4i promisingEdgesOf(const Boxes* g, int i, real best)
{
    const int p = (i + 1) % 3, q = (i + 2) % 3;
    const real *SA = g->A.S, *SB = g->B.S, limit = best < 0 ? best * best : 0;
    const v4 mp = g->row[p], mq = g->row[q], m = v4_abs(g->row[i]), square = mp * mp + mq * mq;
    const v4 reach_a = v4_all(SA[p]) * v4_abs(mq) + v4_all(SA[q]) * v4_abs(mp);
    const v4 reach_b = v4_of(SB[1], SB[2], SB[0], 1) * V4_SHUFFLE(m, m, 2, 0, 1, 3) +
                       v4_of(SB[2], SB[0], SB[1], 1) * V4_SHUFFLE(m, m, 1, 2, 0, 3);
    const v4 scaled = v4_abs(mp * v4_all(g->d[q]) - mq * v4_all(g->d[p])) - (reach_a + reach_b);
    const v4i parallel = v4_less(square, v4_all(1e-12)),
              behind = v4_less(scaled, v4_all(0)) &
                       v4_atMost(v4_all(limit) * square, scaled * scaled * v4_all(1 + 1e-12));
    return ~(parallel | behind) & (v4i){1 << 4 * i, 2 << 4 * i, 4 << 4 * i, 0};
}

// The same of all nine.
SN_INLINE unsigned promisingEdges(const Boxes* g, real best)
{
    return v4i_allBits(promisingEdgesOf(g, 0, best) | promisingEdgesOf(g, 1, best) |
                       promisingEdgesOf(g, 2, best));
}

// The face with the largest separation; false: parted.
SN_INLINE bool faceAxis(const Boxes* g, real margin, Axis* best)
{
    *best = (Axis){.separation = -HUGE_VAL}; // stays the first face if the poses are not numbers
    v4 reach_a = v4_of(g->A.S[0], g->A.S[1], g->A.S[2], 1),
       reach_b = v4_of(g->B.S[0], g->B.S[1], g->B.S[2], 1);
    v4 along_b = v4_all(0);
    for (int i = 0; i < 3; i++) {
        reach_a += v4_abs(g->column[i]) * v4_all(g->B.S[i]);
        reach_b += v4_abs(g->row[i]) * v4_all(g->A.S[i]);
        along_b += g->row[i] * v4_all(g->d[i]);
    }
    return tryFaces(FACE_A, g->d, reach_a, margin, best) && tryFaces(FACE_B, along_b, reach_b, margin, best);
}

// The axis in the world, from A to B
SN_INLINE snVec3 axisNormal(const Boxes* g, const Axis* axis)
{
    const int p = (axis->a + 1) % 3, q = (axis->a + 2) % 3;
    const snVec3 n = axis->kind == FACE_A   ? axisOf(&g->A, axis->a)
                     : axis->kind == FACE_B ? axisOf(&g->B, axis->b)
                                            : sn_v3Add(sn_v3Scale(axisOf(&g->A, p), axis->cross[0]),
                                                       sn_v3Scale(axisOf(&g->A, q), axis->cross[1]));
    return sn_v3Scale(n, axis->sign);
}

SN_INLINE Box shapeBox(const snShape* s)
{
    return (Box){s->pos, s->mat.m, &s->size.x};
}

SN_INLINE Box geomBox(const snModel* m, const snData* d, int g)
{
    return (Box){sn_v3Load(d->geom_xpos + 3 * g), d->geom_xmat + 9 * g, m->geom_size + 3 * g};
}

#endif
