// Textures on their way into the model.
#ifndef SINEW_COMPILE_ASSET_TEXTURE_H
#define SINEW_COMPILE_ASSET_TEXTURE_H

#include "compile/build/build.h"

/// The pixels of a texture, rows from the top down; six squares on top of each other for a cube: right, left,
/// up, down, front, back. A cube whose sides are all the same may be one square.
struct snPixels {
    int width, height, nchannel, colorspace;
    bool pattern;     ///< built in: drawn into the model
    uint8_t* data;    ///< else [height x width x nchannel], to free with sn_free
    const char* path; ///< by reference: the file in whose place there are no pixels; lives in the spec
};

/// A colour from 0 to 1 as bytes, rounded down; an alpha channel is opaque.
void sn_texturePixel(uint8_t* pixel, int nchannel, const double rgb[3]);
/// Fills the pixels of a built-in pattern; width, height, nchannel and data are set. Of a cube height is
/// 6 width. false: out of memory.
bool sn_texturePattern(const snSpecTexture* texture, snPixels* pixels);

#endif
