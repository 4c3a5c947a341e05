// What the bodies of a model are made of, in the list of things to draw.
#ifndef SINEW_SCENE_MODEL_LIST_H
#define SINEW_SCENE_MODEL_LIST_H

#include "scene/list/list.h"

// ---- flex_list.c, skin_list.c, geom_list.c, site_list.c
void snv_addFlexes(const snvList* list);
void snv_addSkins(const snvList* list);
void snv_addModelGeoms(const snvList* list);
void snv_addSites(const snvList* list);
void snv_addGeomFrames(const snvList* list); ///< of those in the list
void snv_addSiteFrames(const snvList* list);

#endif
