// Colliders with a closed form. See snCollider for the contract of each.
#ifndef SINEW_COLLISION_ANALYTIC_COLLIDERS_H
#define SINEW_COLLISION_ANALYTIC_COLLIDERS_H

#include "model/rules.h"
#ifdef SN_LANES
#include "collision/contact/narrow.h"
#define SN_BATCH_COLLIDER(name, collide, most, type1, type2) // pairs of the scalar engine
#else
#include "collision/analytic/batch.h"

/// The collider with a closed form for two types, type1 <= type2, under a snPhysics; NULL: none.
snCollider sn_analyticCollider(int physics, int type1, int type2);

/// The same for many pairs; NULL: none.
snBatchCollider sn_batchCollider(int physics, int type1, int type2);
#endif

int sn_planeSphere(const snShape* plane, const snShape* sphere, real margin, snContactPoint* out);
int sn_planeCapsule(const snShape* plane, const snShape* capsule, real margin, snContactPoint* out);
int sn_planeEllipsoid(const snShape* plane, const snShape* ellipsoid, real margin, snContactPoint* out);
int sn_planeCylinder(const snShape* plane, const snShape* cylinder, real margin, snContactPoint* out);
int sn_planeBox(const snShape* plane, const snShape* box, real margin, snContactPoint* out);
int sn_planeMesh(const snShape* plane, const snShape* mesh, real margin, snContactPoint* out);
int sn_sphereSphere(const snShape* a, const snShape* b, real margin, snContactPoint* out);
int sn_sphereCapsule(const snShape* sphere, const snShape* capsule, real margin, snContactPoint* out);
int sn_sphereCylinder(const snShape* sphere, const snShape* cylinder, real margin, snContactPoint* out);
int sn_sphereBox(const snShape* sphere, const snShape* box, real margin, snContactPoint* out);
int sn_capsuleCapsule(const snShape* a, const snShape* b, real margin, snContactPoint* out);
int sn_capsulesBeside(const snShape* a, const snShape* b, real margin, snContactPoint* out);
int sn_capsuleBox(const snShape* capsule, const snShape* box, real margin, snContactPoint* out);
int sn_boxBox(const snShape* a, const snShape* b, real margin, snContactPoint* out);
int sn_boxBoxClipped(const snShape* a, const snShape* b, real margin, snContactPoint* out);

#ifndef SN_LANES
bool sn_planeSphereBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points);
bool sn_planeCapsuleBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points);
bool sn_planeEllipsoidBatch(const snModel* m, snData* d, snCandidate* const* list, int count,
                            snPoints* points);
bool sn_planeCylinderBatch(const snModel* m, snData* d, snCandidate* const* list, int count,
                           snPoints* points);
bool sn_planeBoxBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points);
bool sn_planeMeshBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points);
bool sn_sphereSphereBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points);
bool sn_sphereCapsuleBatch(const snModel* m, snData* d, snCandidate* const* list, int count,
                           snPoints* points);
bool sn_sphereCylinderBatch(const snModel* m, snData* d, snCandidate* const* list, int count,
                            snPoints* points);
bool sn_sphereBoxBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points);
bool sn_capsuleCapsuleBatch(const snModel* m, snData* d, snCandidate* const* list, int count,
                            snPoints* points);
bool sn_capsulesBesideBatch(const snModel* m, snData* d, snCandidate* const* list, int count,
                            snPoints* points);
bool sn_capsuleBoxBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points);
bool sn_boxBoxBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points);
bool sn_boxBoxClippedBatch(const snModel* m, snData* d, snCandidate* const* list, int count,
                           snPoints* points);
#endif

/// Whether two types, type1 <= type2, are boxes whose faces are clipped under this snPhysics; the table has
/// the collider of before.
static inline bool sn_areClippedBoxes(int physics, int type1, int type2)
{
    return type1 == SN_GEOM_BOX && type2 == SN_GEOM_BOX && sn_means(physics, SN_RULE_BOX_BOX);
}

/// The same for capsules that may lie beside each other.
static inline bool sn_areCapsulesBeside(int physics, int type1, int type2)
{
    return type1 == SN_GEOM_CAPSULE && type2 == SN_GEOM_CAPSULE && sn_means(physics, SN_RULE_CAPSULES_BESIDE);
}

/// Whether under this snPhysics contacts of the two types are corners of a mesh's side on a plane, which have
/// no closed form: sn_planeHull.
static inline bool sn_isSideOnPlane(int physics, int type1, int type2)
{
    return type1 == SN_GEOM_PLANE && type2 == SN_GEOM_MESH && sn_means(physics, SN_RULE_PLANE_MESH);
}

/// Centres nearer than this have no direction between them but rounding error. In planar models the segments
/// of capsules cross exactly, so this happens.
#define SN_CONCENTRIC 1e-14

/// Two balls given by centre and radius: whether they have a contact. `spare` is the normal of concentric
/// balls, of any length; the x axis if it is zero.
static inline snMask sn_ballBall(snVec3 c1, real r1, snVec3 c2, real r2, snVec3 spare, real margin,
                                 snContactPoint* out)
{
    const snVec3 between = sn_v3Sub(c2, c1);
    const real reach = r1 + r2 + margin, square = sn_v3Dot(between, between);
    const snMask found = sn_not(square > reach * reach);
    if (!sn_any(found)) return found;
    const real length = sqrt(square);
    const snMask concentric = length < SN_CONCENTRIC;
    snVec3 n = sn_v3Scale(between, 1 / length);
    if (sn_any(concentric)) n = sn_v3Select(concentric, sn_v3Normalize(spare), n);
    const real dist = length - r1 - r2;
    *out = sn_contactPoint(dist, sn_v3AddScaled(c1, r1 + 0.5 * dist, n), n, found);
    return found;
}

static inline real sn_clamp(real x, real lo, real hi)
{
    return sn_select(x < lo, lo, sn_select(x > hi, hi, x));
}

#endif
