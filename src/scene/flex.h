// Vertices and faces of flexes in scenes.
#ifndef SINEW_SCENE_FLEX_H
#define SINEW_SCENE_FLEX_H

#include <sinew/scene.h>

/// Whether a scene has a place for a flex: it was made for a model with such a flex.
bool snv_hasFlex(const snvScene* scene, const snModel* m, int flex);

/// Vertices of all flexes, and faces of those that are shown, as the switches of `opt` ask for them. Those of
/// others stay as they are.
void snv_moveFlexes(const snModel* m, snData* d, const snvOption* opt, snvScene* scene);

#endif
