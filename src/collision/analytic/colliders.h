// Colliders with a closed form. See snCollider for the contract of each.
#ifndef SINEW_COLLISION_ANALYTIC_COLLIDERS_H
#define SINEW_COLLISION_ANALYTIC_COLLIDERS_H

#include "collision/analytic/batch.h"

/// The collider with a closed form for two types, type1 <= type2; NULL: none.
snCollider sn_analyticCollider(int type1, int type2);

/// The same for many pairs; NULL: none.
snBatchCollider sn_batchCollider(int type1, int type2);

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
int sn_capsuleBox(const snShape* capsule, const snShape* box, real margin, snContactPoint* out);
int sn_boxBox(const snShape* a, const snShape* b, real margin, snContactPoint* out);

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
bool sn_capsuleBoxBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points);
bool sn_boxBoxBatch(const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points);

/// Centres nearer than this have no direction between them but rounding error. In planar models the segments
/// of capsules cross exactly, so this happens.
#define SN_CONCENTRIC 1e-14

/// Two balls given by centre and radius: one contact or none. `spare` is the normal of concentric
/// balls, of any length; the x axis if it is zero.
static inline int sn_ballBall(snVec3 c1, real r1, snVec3 c2, real r2, snVec3 spare, real margin,
                              snContactPoint* out)
{
    const snVec3 between = sn_v3Sub(c2, c1);
    const real reach = r1 + r2 + margin, square = sn_v3Dot(between, between);
    if (square > reach * reach) return 0;
    const real length = sqrt(square);
    const snVec3 n = length < SN_CONCENTRIC ? sn_v3Normalize(spare) : sn_v3Scale(between, 1 / length);
    const real dist = length - r1 - r2;
    *out = (snContactPoint){dist, sn_v3AddScaled(c1, r1 + 0.5 * dist, n), n, {0, 0, 0}};
    return 1;
}

static inline real sn_clamp(real x, real lo, real hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

#endif
