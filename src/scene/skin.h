// Vertices of skins in scenes.
#ifndef SINEW_SCENE_SKIN_H
#define SINEW_SCENE_SKIN_H

#include <sinew/scene.h>

/// Sets vertices and normals of one skin, if the scene was made for a model with such a skin.
void snv_moveSkin(const snModel* m, const snData* d, int skin, snvScene* scene);

#endif
