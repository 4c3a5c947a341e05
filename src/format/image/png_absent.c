// In the place of png.c in builds without libpng.
#include <string.h>
#include "base/error.h"
#include "format/image/png.h"

snStatus sn_readPng(const char* name, const void* data, size_t size, int channels, snImage* image,
                    snError* error)
{
    (void)data, (void)size, (void)channels;
    memset(image, 0, sizeof *image);
    return sn_failAt(error, SN_STATUS_UNSUPPORTED, name, 0,
                     "a PNG file, and this build of Sinew has no libpng (the option SINEW_PNG is off)");
}
