// Vertices of skins in scenes.
#ifndef SINEW_SCENE_SKIN_H
#define SINEW_SCENE_SKIN_H

#include <sinew/scene.h>

/// Whether a scene has a place for the vertices of a skin: it was made for a model with such a skin.
bool snv_hasSkin(const snvScene* scene, const snModel* m, int skin);

/// snv_updateSkin of the groups that are shown; the vertices of other skins are 0.
void snv_moveSkins(const snModel* m, const snData* d, const uint8_t groups[SN_NGROUP], snvScene* scene);

#endif
