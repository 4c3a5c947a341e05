// Textures, materials, height fields and skins of the model.
#ifndef SINEW_COMPILE_ASSET_ASSET_H
#define SINEW_COMPILE_ASSET_ASSET_H

#include "compile/build/build.h"

// Each function returns false when the description is wrong; b->error then says what, where, and the mend.

// texture.c
/// Draws and reads all textures, once they have ids; *ntexdata receives the bytes of their pixels.
bool sn_loadTextures(snBuild* b, int* ntexdata);
/// Moves them into the model.
bool sn_buildTextures(snBuild* b);
void sn_freeTextures(snBuild* b);

// hfield.c
/// Reads the heights of all height fields, once they have ids; *nhfielddata receives their number.
bool sn_loadHfields(snBuild* b, int* nhfielddata);
/// Moves them into the model.
void sn_buildHfields(snBuild* b);
void sn_freeHfields(snBuild* b);
/// A geom with a height field, and only that, gets the half sizes of the box that has its mass; *out: the
/// field, NULL for other geoms.
bool sn_hfieldSize(snBuild* b, snSpecGeom* geom, const snSpecHfield** out);

// skin.c
/// What skins hold in all.
typedef struct snSkinSizes {
    int nvert, ntexcoord, nface, nbone, nbonevert;
} snSkinSizes;
/// Reads all skins and marks the bodies of their bones as referenced; before bodies are fused and numbered.
bool sn_loadSkins(snBuild* b);
bool sn_countSkins(snBuild* b, snSkinSizes* sizes);
/// Copies them into the model, once bodies and materials have ids.
bool sn_buildSkins(snBuild* b);
void sn_freeSkins(snBuild* b);

// paths.c
/// Room for the paths of all assets, at least 1; -1: too long.
int sn_buildPathSize(const snBuild* b);
bool sn_buildPaths(snBuild* b); // names of files

// material.c
/// Materials; what was loaded of textures, height fields and skins moves into the model.
bool sn_buildAssets(snBuild* b);

#endif
