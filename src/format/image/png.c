#include "format/image/png.h"
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"

// All state lives here, outside the frame that libpng jumps back to.
typedef struct pngReader {
    const char* name;
    const uint8_t* data;
    size_t size, at;
    int channels; // that are asked for
    snImage* image;
    png_bytep* rows;
    bool starved; // memory ran out: libpng has several words for it
    char why[160];
} pngReader;

static void failed(png_structp png, png_const_charp why)
{
    pngReader* r = png_get_error_ptr(png);
    snprintf(r->why, sizeof r->why, "%s", why);
    png_longjmp(png, 1);
}

static void warned(png_structp png, png_const_charp why)
{
    (void)png, (void)why;
}

static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
    void* block = sn_malloc(size);
    if (!block) ((pngReader*)png_get_mem_ptr(png))->starved = true;
    return block;
}

static void release(png_structp png, png_voidp block)
{
    (void)png;
    sn_free(block);
}

static void readBytes(png_structp png, png_bytep out, size_t n)
{
    pngReader* r = png_get_io_ptr(png);
    if (n > r->size - r->at) png_error(png, "the file ends early, is it cut short?");
    memcpy(out, r->data + r->at, n);
    r->at += n;
}

// Deflate packs at most 1032 bytes into one: a header that promises more pixels than that is a lie, found out
// before memory is taken for them.
static void checkSize(png_structp png, png_infop info, const pngReader* r)
{
    const uint64_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    const uint64_t packed = png_get_rowbytes(png, info) * height;
    if (packed > 1032 * (uint64_t)r->size)
        png_error(png, "the header promises more pixels than the file can hold");
    if (width * height * 4 > SN_IMAGE_LIMIT) png_error(png, "the image is larger than " SN_IMAGE_LIMIT_TEXT);
}

// One channel is taken out of three later on.
static void setTransforms(png_structp png, png_infop info, int channels)
{
    png_set_strip_16(png);
    png_set_palette_to_rgb(png);
    if (png_get_bit_depth(png, info) < 8) png_set_expand_gray_1_2_4_to_8(png);
    png_set_gray_to_rgb(png);
    if (channels == 4) {
        if (png_get_valid(png, info, PNG_INFO_tRNS)) png_set_tRNS_to_alpha(png);
        png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    } else {
        png_set_strip_alpha(png);
    }
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

static void readImage(png_structp png, png_infop info, pngReader* r)
{
    png_read_info(png, info);
    checkSize(png, info, r);
    snImage* image = r->image;
    image->srgb = png_get_valid(png, info, PNG_INFO_sRGB) != 0;
    image->width = (int)png_get_image_width(png, info);
    image->height = (int)png_get_image_height(png, info);
    image->channels = r->channels == 4 ? 4 : 3;
    setTransforms(png, info, r->channels);
    const size_t row = png_get_rowbytes(png, info), height = (size_t)image->height;
    if (row != (size_t)image->width * (size_t)image->channels) png_error(png, "an unknown kind of pixel");
    image->pixels = sn_malloc(row * height);
    r->rows = sn_malloc(height * sizeof *r->rows);
    r->starved |= !image->pixels || !r->rows;
    if (r->starved) png_error(png, "out of memory");
    for (size_t i = 0; i < height; i++) r->rows[i] = image->pixels + i * row;
    png_read_image(png, r->rows);
    png_read_end(png, NULL);
}

static bool decode(pngReader* r)
{
    png_structp png =
        png_create_read_struct_2(PNG_LIBPNG_VER_STRING, r, failed, warned, r, allocate, release);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        r->starved = true;
        png_destroy_read_struct(&png, NULL, NULL);
        return false;
    }
    const bool jumped = setjmp(png_jmpbuf(png)) != 0;
    if (!jumped) {
        png_set_read_fn(png, r, readBytes);
        png_set_user_limits(png, 1 << 20, 1 << 20);
        readImage(png, info, r);
    }
    png_destroy_read_struct(&png, &info, NULL);
    return !jumped;
}

static void keepRed(snImage* image)
{
    const size_t n = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < n; i++) image->pixels[i] = image->pixels[3 * i];
    image->channels = 1;
}

snStatus sn_readPng(const char* name, const void* data, size_t size, int channels, snImage* image,
                    snError* error)
{
    memset(image, 0, sizeof *image);
    if (size < 8 || png_sig_cmp(data, 0, 8))
        return sn_failAt(error, SN_STATUS_SYNTAX, name, 0, "this is no PNG file: it does not begin as one");
    pngReader r = {.name = name, .data = data, .size = size, .channels = channels, .image = image};
    const bool good = decode(&r);
    sn_free(r.rows);
    if (good) {
        if (channels == 1) keepRed(image);
        return SN_STATUS_OK;
    }
    sn_free(image->pixels);
    memset(image, 0, sizeof *image);
    if (r.starved) return sn_failAt(error, SN_STATUS_NO_MEMORY, name, 0, "out of memory for an image");
    return sn_failAt(error, SN_STATUS_SYNTAX, name, 0, "PNG, byte %zu: %s", r.at, r.why);
}
