// The old way of several contacts: sides that lie flat on each other, others rocked about the first contact.
#include "collision/convex/manifold.h"
#include "collision/contact/contact.h"
#include "collision/convex/convex.h"
#include "collision/convex/side.h"

// A side counts as square to the normal up to this cosine, an edge up to this sine, as in the peer: 1.6e-3
// rad
#define SQUARE_SIDE 0.99999872
#define SQUARE_EDGE 0.0016

static bool facing(const snModel* m, const snShape* s, snVec3 n, snSide* out)
{
    return sn_faceAlong(m, s, n, out) && out->slope >= SQUARE_SIDE;
}

static bool edge(const snModel* m, const snShape* s, snVec3 n, snSide* out)
{
    return sn_edgeAcross(m, s, n, out) && out->slope < SQUARE_EDGE;
}

static int clippedSides(const snModel* m, const snShape* a, const snShape* b, const snContactPoint* first,
                        snContactPoint* out)
{
    const snVec3 n = first->normal;
    snSide side, piece;
    bool found;
    if (facing(m, a, n, &side))
        found = facing(m, b, sn_v3Neg(n), &piece) || edge(m, b, sn_v3Neg(n), &piece);
    else
        found = facing(m, b, sn_v3Neg(n), &side) && edge(m, a, n, &piece);
    if (found) sn_clipSide(&side, n, &piece);
    if (!found || piece.count < 2) {
        out[0] = *first;
        return 1;
    }
    sn_fourCorners(&piece, n);
    // places across the normal; along it, that of the first contact
    for (int i = 0; i < piece.count; i++) {
        const snVec3 x = piece.v[i];
        out[i] = *first;
        out[i].pos = sn_v3AddScaled(x, sn_v3Dot(n, sn_v3Sub(first->pos, x)), n);
    }
    return piece.count;
}

// ---- contacts of the shapes rocked about the first contact

static snShape rocked(const snShape* s, snVec3 centre, snVec3 axis, real angle)
{
    const snMat3 R = sn_quatToMat(sn_quatAxisAngle(axis, angle));
    snShape out = *s;
    out.mat = sn_m3MulM3(R, s->mat);
    out.pos = sn_v3Add(centre, sn_m3Mul(R, sn_v3Sub(s->pos, centre)));
    return out;
}

static bool isNew(const snContactPoint* list, int count, snVec3 pos, real apart)
{
    for (int i = 0; i < count; i++)
        if (sn_v3Norm(sn_v3Sub(list[i].pos, pos)) <= apart) return false;
    return true;
}

static int rockedContacts(const snModel* m, const snShape* a, const snShape* b, real margin,
                          const snContactPoint* first, snContactPoint* out)
{
    const real angle = 1e-3, apart = 1e-3 * sn_min(m->geom_rbound[a->geom], m->geom_rbound[b->geom]);
    real frame[9];
    sn_contactFrame(first->normal, first->tangent, frame);
    int count = 1;
    out[0] = *first;
    for (int k = 0; k < 4; k++) {
        const snVec3 axis = sn_v3Load(frame + (k < 2 ? 3 : 6));
        const real turn = k & 1 ? angle : -angle;
        const snShape ra = rocked(a, first->pos, axis, turn), rb = rocked(b, first->pos, axis, -turn);
        snContactPoint found;
        if (!sn_convexConvex(&ra, &rb, margin, &found) || !isNew(out, count, found.pos, apart)) continue;
        found.dist = first->dist;
        out[count++] = found;
    }
    return count;
}

int sn_manifold(const snModel* m, const snShape* a, const snShape* b, real margin,
                const snContactPoint* first, snContactPoint* out)
{
    out[0] = *first;
    if (sn_isSmooth(a->type) || sn_isSmooth(b->type)) return 1;
    if (margin <= 0 && sn_hasSides(m, a) && sn_hasSides(m, b)) return clippedSides(m, a, b, first, out);
    return rockedContacts(m, a, b, margin, first, out);
}
