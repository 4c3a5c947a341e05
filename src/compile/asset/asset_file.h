// What textures, height fields and skins share: files that are read when a model is compiled.
#ifndef SINEW_COMPILE_ASSET_ASSET_FILE_H
#define SINEW_COMPILE_ASSET_ASSET_FILE_H

#include "compile/build/build.h"
#include "model/spec/spec_file.h"

/// Opens a file in the folder of textures, or else of meshes, that holds for the element; see
/// sn_openSpecFile.
bool sn_openAsset(snBuild* b, const snSpecHead* element, bool texture, const char* name, snSpecFile* file);

/// Whether a file is a PNG: by its content_type, without one by the ending of its name.
bool sn_isPng(const char* content_type, const char* file);

/// The error of a reader of files becomes that of the element that names the file; returns false.
bool sn_buildFileFail(snBuild* b, const snSpecHead* element, const snError* why);

/// Room for n items of `width` bytes, or NULL with an error that names the element. n may be 0.
void* sn_buildRoom(snBuild* b, const snSpecHead* element, size_t n, size_t width);

#endif
