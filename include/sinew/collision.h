// Contacts between geoms.
#ifndef SINEW_COLLISION_H
#define SINEW_COLLISION_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Finds all contacts (seed 001, "Collision detection"). Clears the arena first.
/// Reads: geom_xpos, geom_xmat of sn_kinematics. Writes: ncon, contact in the arena; nbroad, nnarrow.
/// Order of contacts: by the two bodies, lower id first; then predefined pairs in the model's order; then by
/// contact.geom (with the midphase flag off: by the geom of the lower body). It does not depend on earlier
/// steps. A contact is kept if its distance is at most the margin; `exclude` is 1 in the gap, that is from
/// margin - gap on; with adhesion it pulls there, without friction. Flags: constraint, contact, filterparent,
/// midphase (order only); override; speculative: what is fast also has contacts of what it will meet within
/// the step (reads cdof, subtree_com, qvel), whose dist is the margin and the way that is left until
/// sn_makeConstraint sets it. When the arena is full, what fits stays and SN_WARN_CONTACTFULL counts.
/// Allocates nothing. Cost: a sweep, O(n log n) for n geoms spread over a plane, and some 10 to 150 ns a pair
/// whose bounds overlap.
SN_API void sn_collision(const snModel* m, snData* d);

/// Adds a contact behind those there are, as it is but for efc_address, -1; sn_makeConstraint gives it rows.
/// All rows are dropped. SN_STATUS_ARGUMENT if its geoms, its parts of flexes or its dim are none,
/// SN_STATUS_NO_MEMORY when the arena is full; error may be NULL.
SN_API snStatus sn_addContact(const snModel* m, snData* d, const snContact* contact, snError* error);

/// Keeps the first contacts, `kept` of them, or all where there are fewer. All rows are dropped;
/// sn_makeConstraint makes those of what is left.
SN_API void sn_dropContacts(snData* d, int kept);

/// Whether the narrow phase can collide two geom types (snGeomType, either order). False for two planes,
/// which pass through each other, and for types out of range.
SN_API bool sn_canCollide(int type1, int type2);

/// Checks that all geoms that may meet, by masks, bodies, excludes and pairs, are of types that can collide.
/// SN_STATUS_UNSUPPORTED if not; error (may be NULL) names the two geoms and their types.
/// Cost: at most quadratic in the number of geoms; meant for loading.
SN_API snStatus sn_checkCollisions(const snModel* m, snError* error);

/// Signed distance of two geoms (m): the gap of their surfaces, negative the least translation that parts
/// them; distmax if it is larger, if a geom id is out of range, or if there is no such measure (two planes).
/// fromto [6] (may be NULL): nearest points, world, on geom1 and on geom2; zero when distmax is returned.
/// Reads: geom_xpos, geom_xmat of sn_kinematics. Ignores contype, margin and excludes.
/// Cost: about 1 us, deep overlaps of round shapes up to 20, fine hulls deep in each other up to 1000.
SN_API double sn_geomDistance(const snModel* m, const snData* d, int geom1, int geom2, double distmax,
                              double fromto[6]);

#ifdef __cplusplus
}
#endif
#endif
