// What is known of each type of geom whatever its numbers are: the SN_FACTS_TYPE of its header, as a table
// that files for lanes may read, too. Every enumerator begins at 1, so that what a type does not state shows
// (tests/unit/shape).
#ifndef SINEW_SHAPE_FACTS_H
#define SINEW_SHAPE_FACTS_H

#include <sinew/types.h>
#include <stdbool.h>
#include "shape/types.h"

/// What others may rely on.
typedef enum snShapeForm {
    SN_SHAPE_NONE = 1, ///< nothing is computed of it: refusal says so
    SN_SHAPE_ENDLESS,  ///< everything below its plane z = 0: it has no bounds, and meets what is convex alone
    SN_SHAPE_FIELD,    ///< prisms on a grid, each of them convex; it meets what is convex alone
    SN_SHAPE_CONVEX,   ///< the sum of its terms
    SN_SHAPE_DISTANCES ///< given by signed distances (sdf/sdf.h), of any form
} snShapeForm;

/// The asset that a shape is; others may name the mesh that they were fitted to.
typedef enum snShapeAsset { SN_ASSET_NONE = 1, SN_ASSET_MESH, SN_ASSET_FIELD } snShapeAsset;

/// Which number of size a length is.
typedef enum snLength { SN_LENGTH_NONE = 1, SN_LENGTH_0, SN_LENGTH_1, SN_LENGTH_2 } snLength;

/// The place in size of a length that is there.
static inline int sn_sizeOf(snLength length)
{
    return (int)length - (int)SN_LENGTH_0;
}

typedef enum snRoundTerm {
    SN_ROUND_NONE = 1,
    SN_ROUND_ELLIPSOID, ///< semi-axes: size
    SN_ROUND_DISC       ///< across the third axis, radius: size[0]
} snRoundTerm;

typedef enum snHullTerm {
    SN_HULL_NONE = 1,
    SN_HULL_ASSET ///< the hull of the mesh
} snHullTerm;

/// Radius of a ball about the centre inside the shape without its ball.
typedef enum snInnerTerm {
    SN_INNER_NONE = 1, ///< the shape is flat, or the hull says it
    SN_INNER_LEAST     ///< the least of its sizes
} snInnerTerm;

/// A convex shape as the sum of simple terms about its centre, from which GJK, Newton's method and the
/// derivatives of contacts make pairs (collision/convex/support.h, derivative/contact/stationary.c).
typedef struct snTerms {
    snLength segment[3]; ///< half lengths of segments along the axes
    snLength ball;       ///< radius of a ball
    snRoundTerm round;
    snHullTerm hull;
    snInnerTerm inner;
} snTerms;

/// Of what is not convex.
#define SN_TERMS_NONE                                                                                        \
    {                                                                                                        \
        .segment = {SN_LENGTH_NONE, SN_LENGTH_NONE, SN_LENGTH_NONE}, .ball = SN_LENGTH_NONE,                 \
        .round = SN_ROUND_NONE, .hull = SN_HULL_NONE, .inner = SN_INNER_NONE                                 \
    }

enum {
    SN_WRAPS_NOTHING = -1, ///< no tendon runs around it
    SN_SIZES_ANY = 8       ///< no number of size has to be positive
};

/// Refusal of what is there.
#define SN_NOT_REFUSED ""

typedef struct snShapeFacts {
    int sizes;           ///< numbers of size that say something
    int positive;        ///< bits: numbers of size that a file has to give positive; SN_SIZES_ANY
    const char* refusal; ///< why no model may have it
    snShapeForm form;
    snShapeAsset asset;
    int wrap; ///< snWrapType of a tendon that runs around it
    snTerms terms;
} snShapeFacts;

// clang-format off
/// Of a type of which nothing is computed.
#define SN_FACTS_NONE(why) {        \
    .sizes = 3,                     \
    .positive = SN_SIZES_ANY,       \
    .refusal = (why),               \
    .form = SN_SHAPE_NONE,          \
    .asset = SN_ASSET_NONE,         \
    .wrap = SN_WRAPS_NOTHING,       \
    .terms = SN_TERMS_NONE          \
}
// clang-format on

#define X(name, value, keyword, meaning) [SN_GEOM_##name] = SN_FACTS_##name,
static const snShapeFacts sn_shapeFacts[SN_NGEOMTYPE] = {SN_GEOM_TABLE(X)};
#undef X

/// Whether a number is a type of geom; drawings have others, too (snvGeom).
static inline bool sn_isShape(int type)
{
    return type >= 0 && type < SN_NGEOMTYPE;
}

/// The facts of a type; of a number that is none, as a program may write it into a model: nothing.
static inline const snShapeFacts* sn_factsOf(int type)
{
    static const snShapeFacts none = SN_FACTS_NONE("is no type of geom");
    return sn_isShape(type) ? &sn_shapeFacts[type] : &none;
}

/// Whether a type has this form. The set of those that have is a constant, which compilers find out, so that
/// what is asked for each geom of a step loads nothing.
static inline bool sn_hasForm(int type, snShapeForm form)
{
    unsigned types = 0;
#define X(name, value, keyword, meaning)                                                                     \
    types |= (unsigned)(sn_shapeFacts[SN_GEOM_##name].form == form) << SN_GEOM_##name;
    SN_GEOM_TABLE(X)
#undef X
    return sn_isShape(type) && types >> type & 1;
}

static inline bool sn_isEndless(int type)
{
    return sn_hasForm(type, SN_SHAPE_ENDLESS);
}

static inline bool sn_isField(int type)
{
    return sn_hasForm(type, SN_SHAPE_FIELD);
}

static inline bool sn_isConvex(int type)
{
    return sn_hasForm(type, SN_SHAPE_CONVEX);
}

static inline bool sn_hasDistances(int type)
{
    return sn_hasForm(type, SN_SHAPE_DISTANCES);
}

static inline bool sn_isMeshAsset(int type)
{
    return sn_factsOf(type)->asset == SN_ASSET_MESH;
}

static inline bool sn_isFieldAsset(int type)
{
    return sn_factsOf(type)->asset == SN_ASSET_FIELD;
}

/// Convex and given by its sizes alone: what a site may be.
static inline bool sn_isPrimitive(int type)
{
    return sn_isConvex(type) && sn_factsOf(type)->asset == SN_ASSET_NONE;
}

/// The hull of a mesh.
static inline bool sn_isHulled(int type)
{
    return sn_factsOf(type)->terms.hull == SN_HULL_ASSET;
}

static inline int sn_segmentCount(const snTerms* t)
{
    return (t->segment[0] != SN_LENGTH_NONE) + (t->segment[1] != SN_LENGTH_NONE) +
           (t->segment[2] != SN_LENGTH_NONE);
}

/// Nothing but three segments: a box.
static inline bool sn_isBrick(int type)
{
    const snTerms* t = &sn_factsOf(type)->terms;
    return sn_segmentCount(t) == 3 && t->ball == SN_LENGTH_NONE && t->round == SN_ROUND_NONE;
}

/// A ball, swept along the third axis or not at all.
static inline bool sn_isRod(int type)
{
    const snTerms* t = &sn_factsOf(type)->terms;
    return t->ball != SN_LENGTH_NONE && t->segment[0] == SN_LENGTH_NONE && t->segment[1] == SN_LENGTH_NONE &&
           t->round == SN_ROUND_NONE && t->hull == SN_HULL_NONE;
}

/// Curved everywhere: it touches another convex shape in one point.
static inline bool sn_isSmooth(int type)
{
    const snTerms* t = &sn_factsOf(type)->terms;
    return sn_isConvex(type) && sn_segmentCount(t) == 0 && t->round != SN_ROUND_DISC &&
           t->hull == SN_HULL_NONE;
}

#endif
