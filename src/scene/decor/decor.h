// What is drawn beside the geoms, sites and skins of a model: one file a subject. snv_addGeoms calls these
// functions in the order in which the peer lists things. Each asks for its own switch; decoration is left out
// by the caller where that category is not wanted.
#ifndef SINEW_SCENE_DECOR_H
#define SINEW_SCENE_DECOR_H

#include "scene/list/list.h"

// ---- category dynamic

void snv_addTendons(const snvList* list);
void snv_addSliderCranks(const snvList* list);

// ---- decoration

void snv_addBodyVolumes(const snvList* list); ///< flag BODYBVH
void snv_addMeshVolumes(const snvList* list); ///< flag MESHBVH
void snv_addTaxels(const snvList* list);      ///< flag CONTACTPOINT: what tactile sensors feel
void snv_addInertias(const snvList* list);
void snv_addPerturbation(const snvList* list); ///< flag PERTOBJ: the spring, and the body where it is wanted
void snv_addBodyFrames(const snvList* list);
void snv_addWorldFrame(const snvList* list);
void snv_addSelection(const snvList* list);  ///< flag SELECT
void snv_addBodyLabels(const snvList* list); ///< where there is no box of inertia that has the label
void snv_addJoints(const snvList* list);
void snv_addActuators(const snvList* list);
void snv_addIslandLabels(const snvList* list);
void snv_addCameras(const snvList* list);     ///< with their frusta and frames
void snv_addLights(const snvList* list);      ///< with their frames
void snv_addCentres(const snvList* list);     ///< flag COM
void snv_addConnections(const snvList* list); ///< flag AUTOCONNECT
void snv_addRays(const snvList* list);        ///< of range finders
void snv_addForces(const snvList* list);      ///< flag PERTFORCE: applied to bodies
void snv_addConstraints(const snvList* list); ///< equalities, and loops that are open
void snv_addContacts(const snvList* list);    ///< with their frames and forces

// ---- what they share: shape.c

/// A number of vis.scale as a length in the model.
static inline double snv_length(const snvList* list, float scale)
{
    return list->m->stat.meansize * (double)scale;
}

/// The selected body; 0: none.
static inline int snv_selected(const snvList* list)
{
    const int body = list->pert->select;
    return body > 0 && body < list->m->nbody ? body : 0;
}

/// Where a point of a body is.
static inline snVec3 snv_bodyPoint(const snvList* list, int body, const double local[3])
{
    const snData* d = list->d;
    return sn_v3Add(sn_v3Load(d->xpos + 3 * body), sn_m3Mul(sn_m3Load(d->xmat + 9 * body), sn_v3Load(local)));
}

/// The next geom of decoration, as snv_initGeom sets it. snv_endGeom ends it. NULL: no room.
snvGeom* snv_beginShape(const snvList* list, int objtype, int objid, int type, const double size[3],
                        const double pos[3], const double mat[9], const float rgba[4]);

/// A triangle, whole. False: no room.
bool snv_addTriangle(const snvList* list, int objtype, int objid, const snVec3 corner[3],
                     const float rgba[4]);

/// The same for a capsule, cylinder, arrow or line from one point to another.
snvGeom* snv_beginLink(const snvList* list, int objtype, int objid, int type, double width, snVec3 from,
                       snVec3 to, const float rgba[4]);

/// A text alone in a frame of a body, a geom of unknown origin with its id. snv_endGeom ends it. NULL: no
/// room.
snvGeom* snv_beginText(const snvList* list, int body, const double pos[3], const double mat[9]);

/// The end of the rows that are no contacts.
static inline int snv_contactRows(const snData* d)
{
    const int rows = d->ne + d->nf + d->nl;
    return rows < d->nefc ? rows : d->nefc;
}

/// Mixes a colour with that of constraint violations by the impedance of the last row of this type
/// (snConstraintType) and id, if there is one: it shows how much a limit holds.
void snv_mixLimit(const snvList* list, int type, int id, float rgb[3]);

// ---- path.c, rope.c

/// A capsule from one point to another, in all else a copy of `look`. False: no room.
bool snv_addPart(const snvList* list, const snvGeom* look, double width, snVec3 from, snVec3 to);

/// The path of a tendon as such capsules; those that lie on a geom are half as wide. Only the first has the
/// label of `look`.
void snv_addPath(const snvList* list, int tendon, const snvGeom* look, double width);

/// The parts of a rope that hangs between two points: `count` parts [count] begin at the points [count + 1]
/// and end at the next. Returns count: 1 where it is not longer than the way or there is no gravity, 2 where
/// it hangs almost straight down, else most. The peer spaces points evenly along the way, as for one part
/// more, whose end is missing. Room for most + 1, at least 3 points.
int snv_hang(snVec3 from, snVec3 to, double length, snVec3 gravity, int most, snVec3* points);

#endif
