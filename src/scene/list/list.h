// The list of things to draw while it is made: who asks, and how a geom is appended. One function a kind of
// thing, in scene/model_list.h and decor/decor.h; snv_addGeoms calls them in the order in which the peer
// lists them.
#ifndef SINEW_SCENE_LIST_H
#define SINEW_SCENE_LIST_H

#include "math/vec.h"
#include <sinew/island.h>
#include <sinew/scene.h>

/// What the list is made from, and the scene that it stands in.
typedef struct snvList {
    const snModel* m;
    snData* d; ///< its arena is scratch memory; fields are only read
    const snvOption* opt;
    const snvPerturb* pert; ///< never NULL
    int catmask;            ///< snCatBit: categories that are wanted
    snvScene* scene;
    const float* rgba;     ///< [4 ngeom] colours of geoms
    snIslandLists islands; ///< where flag or labels ask for them; else there are none
} snvList;

/// The next geom, with the defaults of snv_initGeom, this origin and its number as segid. NULL: there is no
/// room, and the scene's status says so. It is in the list once snv_endGeom is called.
snvGeom* snv_beginGeom(const snvList* list, int category, int objtype, int objid);
void snv_endGeom(const snvList* list);

// ---- what is wanted

/// Whether geoms of some of these categories (bits of snCatBit) are wanted.
static inline bool snv_wants(const snvList* list, int category)
{
    return (list->catmask & category) != 0;
}
/// Whether a switch is on.
static inline bool snv_isOn(const snvList* list, snVisFlag flag)
{
    return list->opt->flags[flag] != 0;
}
/// Whether a group is shown; one that is out of range is the nearest that is in it.
static inline bool snv_showsGroup(const uint8_t groups[SN_NGROUP], int group)
{
    return groups[group < 0 ? 0 : group >= SN_NGROUP ? SN_NGROUP - 1 : group] != 0;
}
/// SN_CAT_STATIC for bodies that cannot move, else SN_CAT_DYNAMIC.
int snv_bodyCategory(const snModel* m, int body);
/// Whether what belongs to a body is shown: its category is wanted, and what cannot move only with flag
/// STATIC.
bool snv_showsBody(const snvList* list, int body);
/// The same for what belongs to a group, too.
bool snv_showsPart(const snvList* list, int body, const uint8_t groups[SN_NGROUP], int group);

// ---- what geoms have in common: list.c; snv_setShape: geom.c

/// Type, size and pose as snv_initGeom sets them, and nothing else.
void snv_setShape(snvGeom* geom, int type, const double size[3], const double pos[3], const double mat[9]);

/// Where labels of this kind (snLabel) are wanted, labels a geom with the name of an element, or with its
/// kind and number, "geom 3".
void snv_labelGeom(const snvList* list, snvGeom* geom, int label, int objtype, int objid);

/// Colour and looks by a material (-1: none). Its colour gives way to `rgba`, unless that is the default
/// grey.
void snv_setMaterial(const snvList* list, snvGeom* geom, int matid, const float rgba[4]);

/// Whether a geom or site has a frame: the peer asks whether its material (-1: none) or else its own colour
/// is to be seen, though the two together may say otherwise.
static inline bool snv_hasFrame(const snModel* m, int matid, const float rgba[4])
{
    return (matid >= 0 && matid < m->nmat ? m->mat_rgba[4 * matid + 3] : rgba[3]) != 0;
}

/// The colour of what belongs to a body under flag TRANSPARENT: bodies that move are seen through by
/// vis.map.alpha.
void snv_makeTransparent(const snvList* list, snvGeom* geom);

/// The island of a body that has dofs or is welded to one that has; -1: none.
int snv_bodyIsland(const snvList* list, int body);
/// The colour of an island, opaque; -1: grey.
void snv_islandColour(const snvList* list, int island, float rgba[4]);

/// A frame as three cylinders along its axes, red, green and blue: decoration, of unknown origin with this
/// id. Sizes are those of vis.scale times `scale`.
void snv_addFrame(const snvList* list, int objid, const double pos[3], const double mat[9], double scale);

#endif
