// PNG images as plain bytes.
#ifndef SINEW_FORMAT_IMAGE_PNG_H
#define SINEW_FORMAT_IMAGE_PNG_H

#include <sinew/base.h>

#define SN_IMAGE_LIMIT ((size_t)1 << 29) ///< bytes of pixels of the largest image
#define SN_IMAGE_LIMIT_TEXT "512 MiB"

/// An image, rows from the top down. `pixels` is to be freed with sn_free.
typedef struct snImage {
    int width, height, channels;
    bool srgb;       ///< the file says that it is sRGB
    uint8_t* pixels; ///< [height x width x channels]
} snImage;

/// Reads a PNG of any kind into `channels` bytes a pixel: 1 the red (or grey), 3 RGB, 4 RGBA. 16 bits become
/// the upper 8, fewer than 8 are scaled up; gamma and colour profiles are not applied. error (status SYNTAX)
/// names the file, what is wrong and how far the reader came. Nothing is left allocated on failure.
snStatus sn_readPng(const char* name, const void* data, size_t size, int channels, snImage* image,
                    snError* error);

#endif
