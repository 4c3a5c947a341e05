// The list of things to draw while it is made: who asks, and how a geom is appended. One function a kind of
// thing; snv_addGeoms calls them in the order in which the peer lists them.
#ifndef SINEW_SCENE_LIST_H
#define SINEW_SCENE_LIST_H

#include <sinew/scene.h>

/// What the list is made from, and the scene that it stands in.
typedef struct snvList {
    const snModel* m;
    snData* d; ///< its arena is scratch memory; fields are only read
    const snvOption* opt;
    const snvPerturb* pert; ///< never NULL
    int catmask;            ///< snCatBit: categories that are wanted
    snvScene* scene;
} snvList;

/// The next geom, with the defaults of snv_initGeom, this origin and its number as segid. NULL: there is no
/// room, and the scene's status says so. It is in the list once snv_endGeom is called.
snvGeom* snv_beginGeom(const snvList* list, int category, int objtype, int objid);
void snv_endGeom(const snvList* list);

// ---- what the bodies are made of: geom_list.c, site_list.c, skin_list.c
void snv_addModelGeoms(const snvList* list);
void snv_addSites(const snvList* list);
void snv_addSkins(const snvList* list);

#endif
