// The pieces that contacts are made of: which features of two shapes touch, and how the contact follows them.
//
// Places are relative to the centre of the first shape. Jets are along six directions, either motions of the
// second shape while the first stands still (angular velocity, velocity of the centre), or the sizes of both.
#ifndef SINEW_DERIVATIVE_CONTACT_PIECE_H
#define SINEW_DERIVATIVE_CONTACT_PIECE_H

#include "collision/contact/narrow.h"
#include "derivative/contact/jet.h"

/// A shape that moves or grows.
typedef struct snMovingShape {
    const snShape* shape;
    snJet3 pos;
    snJet3 axis[3];
    snJet size[3];
} snMovingShape;

/// Two shapes and the contact of theirs that is asked for.
typedef struct snTouching {
    snMovingShape a, b;
    real dist;     ///< as snContact
    snVec3 pos;    ///< as snContact, but from the centre of a
    snVec3 normal; ///< as snContact
    real scale;    ///< size of the pair, for tolerances
} snTouching;

/// A contact that moves.
typedef struct snMovingPoint {
    snJet dist;
    snJet3 pos, normal;
    snJet3 tangent; ///< what the first tangent follows; zero: a world axis, see sn_contactFrame
    bool rides;     ///< the tangent turns with the shapes
} snMovingPoint;

/// The rates of a contact along one direction.
typedef struct snContactRates {
    real dist;
    snVec3 pos, normal, tangent;
} snContactRates;

/// Whether a piece gives the contact that is asked for, up to `tolerance` (part of the size; rad).
bool sn_reproduces(const snTouching* t, const snMovingPoint* p, real tolerance);

/// Each fills *out with the piece of the contact; false: not recognised.
bool sn_planePiece(const snTouching* t, snMovingPoint* out);
bool sn_stationaryPiece(const snTouching* t, snMovingPoint* out);
bool sn_capsuleBoxPiece(const snTouching* t, snMovingPoint* out);
bool sn_boxBoxPiece(int physics, const snTouching* t, snMovingPoint* out);
bool sn_hfieldPiece(const snModel* m, const snTouching* t, snMovingPoint* out);

/// As sn_stationaryPiece for a ball about `centre`, which need not follow the motion of either shape, in
/// place of the first shape.
bool sn_ballPiece(const snTouching* t, snJet3 centre, snJet radius, snMovingPoint* out);

/// The point x, rigid in a shape as it stands.
static inline snJet3 sn_ridingPoint(const snMovingShape* s, snVec3 local)
{
    snJet3 x = sn_jet3AddScaled(s->pos, local.x, s->axis[0]);
    x = sn_jet3AddScaled(x, local.y, s->axis[1]);
    return sn_jet3AddScaled(x, local.z, s->axis[2]);
}

/// A place in a shape's own axes.
static inline snVec3 sn_seenFrom(const snMovingShape* s, snVec3 x)
{
    return sn_m3TMul(s->shape->mat, sn_v3Sub(x, sn_jet3Value(s->pos)));
}

#endif
