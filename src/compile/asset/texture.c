// Textures: patterns and files into the pixels of the model.
#include "compile/asset/asset.h"
#include "compile/asset/texture.h"
#include <limits.h>
#include "base/little_endian.h"
#include "base/memory.h"
#include "compile/asset/asset_file.h"
#include "format/image/png.h"
#include "model/spec/allowed.h"

enum { NSIDE = 6 };
static const char sides[] = "RLUDFB";

// Whether all of a texture is one image, rather than squares that are cut out of it or several files.
static bool isWhole(const snSpecTexture* t)
{
    return t->file && (t->type == SN_TEXTURE_2D || (t->gridsize[0] == 1 && t->gridsize[1] == 1));
}

// The peer's own format: width and height, then the bytes of the pixels, three for each. A texture of fewer
// channels takes as many bytes as it needs from the start of them.
static bool readCustom(snBuild* b, const snSpecTexture* t, const snSpecFile* file, snImage* image)
{
    const int width = file->size >= 8 ? sn_littleI32(file->data) : 0;
    const int height = file->size >= 8 ? sn_littleI32((const char*)file->data + 4) : 0;
    if (t->nchannel > 3 || (t->nchannel < 3 && !isWhole(t)))
        return sn_buildFail(b, &t->head, SN_STATUS_MODEL, "nchannel is %d; of a file that is no PNG it is 3",
                            t->nchannel);
    if (width < 1 || height < 1 || 3 * (uint64_t)width * (uint64_t)height != (uint64_t)file->size - 8)
        return sn_buildFail(
            b, &t->head, SN_STATUS_SYNTAX,
            "'%.200s' is read as width, height (4 bytes each) and pixels of 3 bytes, since it "
            "is no PNG by its name or content_type; its %zu bytes are none such",
            file->name, file->size);
    if (t->nchannel < 3 &&
        !sn_buildWarn(b, &t->head, "nchannel is %d; of a file that is no PNG it is 3", t->nchannel))
        return false;
    const size_t n = (size_t)t->nchannel * (size_t)width * (size_t)height;
    uint8_t* pixels = sn_buildRoom(b, &t->head, n, 1);
    if (!pixels) return false;
    memcpy(pixels, (const char*)file->data + 8, n);
    *image = (snImage){.width = width, .height = height, .channels = t->nchannel, .pixels = pixels};
    return true;
}

static bool readPng(snBuild* b, const snSpecTexture* t, const snSpecFile* file, snImage* image)
{
    if (t->nchannel != 1 && t->nchannel != 3 && t->nchannel != 4)
        return sn_buildFail(b, &t->head, SN_STATUS_MODEL, "nchannel is %d; of a PNG it is 1, 3 or 4",
                            t->nchannel);
    snError why;
    if (sn_readPng(file->name, file->data, file->size, t->nchannel, image, &why))
        return sn_buildFileFail(b, &t->head, &why);
    return true;
}

static void swapPixels(uint8_t* a, uint8_t* b, int n)
{
    for (int k = 0; k < n; k++) {
        const uint8_t kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

static void flip(const snSpecTexture* t, const snImage* image)
{
    const int w = image->width, h = image->height, n = image->channels;
    const size_t row = (size_t)w * (size_t)n;
    for (int r = 0; t->hflip && r < h; r++)
        for (int c = 0; c < w / 2; c++)
            swapPixels(image->pixels + (size_t)r * row + (size_t)c * (size_t)n,
                       image->pixels + (size_t)r * row + (size_t)(w - 1 - c) * (size_t)n, n);
    for (int r = 0; t->vflip && r < h / 2; r++)
        swapPixels(image->pixels + (size_t)r * row, image->pixels + (size_t)(h - 1 - r) * row, w * n);
}

// An image from a file below texturedir, mirrored as the texture wants; its pixels are the caller's.
static bool readImage(snBuild* b, const snSpecTexture* t, const char* name, snImage* image)
{
    snSpecFile file;
    if (t->content_type && strcmp(t->content_type, "image/png") &&
        strcmp(t->content_type, "image/vnd.mujoco.texture"))
        return sn_buildFail(b, &t->head, SN_STATUS_UNSUPPORTED,
                            "content_type=\"%.40s\": a texture is image/png, image/vnd.mujoco.texture or "
                            "image/vnd.sinew.pixels",
                            t->content_type);
    if (!sn_openAsset(b, &t->head, true, name, &file)) return false;
    const bool good =
        sn_isPng(t->content_type, name) ? readPng(b, t, &file, image) : readCustom(b, t, &file, image);
    sn_closeSpecFile(&file);
    if (good) flip(t, image);
    return good;
}

static void noteColors(const snImage* image, snPixels* p)
{
    if (p->colorspace == SN_COLORSPACE_AUTO)
        p->colorspace = image->srgb ? SN_COLORSPACE_SRGB : SN_COLORSPACE_LINEAR;
}

static bool checkSize(snBuild* b, const snSpecTexture* t, const snPixels* p)
{
    const uint64_t pixels = (uint64_t)p->width * (uint64_t)p->height;
    return pixels * (uint64_t)p->nchannel <= SN_IMAGE_LIMIT ||
           sn_buildFail(b, &t->head, SN_STATUS_MODEL, "%d x %d pixels are more than " SN_IMAGE_LIMIT_TEXT,
                        p->width, p->height);
}

static bool allocate(snBuild* b, const snSpecTexture* t, snPixels* p)
{
    if (!checkSize(b, t, p)) return false;
    p->data = sn_buildRoom(b, &t->head, (uint64_t)p->width * (uint64_t)p->height, (size_t)p->nchannel);
    return p->data != NULL;
}

// Nothing but pixels, as many and as wide as the texture's attributes say.
static bool isPixels(const snSpecTexture* t)
{
    return t->content_type && !strcmp(t->content_type, "image/vnd.sinew.pixels");
}

static bool checkPixels(snBuild* b, const snSpecTexture* t, size_t given)
{
    if (t->width < 1 || t->height < 1)
        return sn_buildFail(b, &t->head, SN_STATUS_MODEL, "pixels alone need a positive width and height");
    const uint64_t n = (uint64_t)t->nchannel * (uint64_t)t->width * (uint64_t)t->height;
    return n == given || sn_buildFail(b, &t->head, SN_STATUS_MODEL,
                                      "the pixels are %zu bytes, width x height x nchannel are %llu", given,
                                      (unsigned long long)n);
}

static bool loadPixels(snBuild* b, const snSpecTexture* t, snPixels* p)
{
    snSpecFile file;
    if (!sn_openAsset(b, &t->head, true, t->file, &file)) return false;
    bool good = checkPixels(b, t, file.size);
    p->width = t->width;
    p->height = t->height;
    good = good && allocate(b, t, p);
    if (good) {
        memcpy(p->data, file.data, file.size);
        flip(t,
             &(snImage){.width = p->width, .height = p->height, .channels = p->nchannel, .pixels = p->data});
    }
    sn_closeSpecFile(&file);
    return good;
}

// ---- a cube's sides

static void sizeCube(int width, snPixels* p)
{
    if (width > INT_MAX / NSIDE) width = INT_MAX / NSIDE;
    p->width = width;
    p->height = NSIDE * width;
}

static bool allocateCube(snBuild* b, const snSpecTexture* t, int width, snPixels* p)
{
    sizeCube(width, p);
    return allocate(b, t, p);
}

// A square out of an image, at (row, column), into a side of the cube.
static void copySide(const snImage* image, int row, int column, snPixels* p, int side)
{
    const size_t n = (size_t)p->nchannel, width = (size_t)p->width;
    for (size_t r = 0; r < width; r++)
        memcpy(p->data + ((size_t)side * width + r) * width * n,
               image->pixels + (((size_t)row + r) * (size_t)image->width + (size_t)column) * n, width * n);
}

static void fillSide(const snSpecTexture* t, snPixels* p, int side)
{
    const size_t n = (size_t)p->nchannel, size = (size_t)p->width * (size_t)p->width;
    for (size_t i = 0; i < size; i++)
        sn_texturePixel(p->data + ((size_t)side * size + i) * n, p->nchannel, t->rgb1);
}

// The cells of the grid whose letters name a side go there; sides without a cell are rgb1.
static bool cutGrid(snBuild* b, const snSpecTexture* t, const snImage* image, snPixels* p)
{
    bool filled[NSIDE] = {false};
    for (int i = 0; t->gridlayout && t->gridlayout[i]; i++) {
        if (t->gridlayout[i] == '.') continue;
        const char* letter = strchr(sides, t->gridlayout[i]);
        if (!letter)
            return sn_buildFail(b, &t->head, SN_STATUS_MODEL,
                                "gridlayout=\"%.12s\": '%c' is not one of .RLUDFB", t->gridlayout,
                                t->gridlayout[i]);
        const int side = (int)(letter - sides);
        copySide(image, i / t->gridsize[1] * p->width, i % t->gridsize[1] * p->width, p, side);
        filled[side] = true;
    }
    for (int side = 0; side < NSIDE; side++)
        if (!filled[side]) fillSide(t, p, side);
    return true;
}

// A cube from one image: the same square on every side, or the cells of a grid.
static bool cutImage(snBuild* b, const snSpecTexture* t, const snImage* image, snPixels* p)
{
    const int rows = t->gridsize[0], columns = t->gridsize[1], size = image->width / columns;
    if (image->width % columns || image->height % rows || image->height / rows != size)
        return sn_buildFail(
            b, &t->head, SN_STATUS_MODEL,
            "the image is %d x %d pixels: a grid of %d rows and %d columns has no squares in it",
            image->width, image->height, rows, columns);
    if (rows * columns > 1) return allocateCube(b, t, size, p) && cutGrid(b, t, image, p);
    p->width = p->height = size;
    if (!allocate(b, t, p)) return false;
    memcpy(p->data, image->pixels, (size_t)size * (size_t)size * (size_t)p->nchannel);
    return true;
}

static bool loadSide(snBuild* b, const snSpecTexture* t, const char* name, int side, snPixels* p)
{
    snImage image;
    if (!readImage(b, t, name, &image)) return false;
    bool good = false;
    if (image.width != image.height)
        sn_buildFail(b, &t->head, SN_STATUS_MODEL, "'%.100s' is %d x %d pixels, a cube's sides are squares",
                     name, image.width, image.height);
    else if (p->data && image.width != p->width)
        sn_buildFail(b, &t->head, SN_STATUS_MODEL, "'%.100s' is %d pixels wide, the sides before it %d", name,
                     image.width, p->width);
    else
        good = p->data || allocateCube(b, t, image.width, p);
    if (good) {
        copySide(&image, 0, 0, p, side);
        noteColors(&image, p);
    }
    sn_free(image.pixels);
    return good;
}

static bool loadSides(snBuild* b, const snSpecTexture* t, snPixels* p)
{
    const char* const name[NSIDE] = {t->fileright, t->fileleft,  t->fileup,
                                     t->filedown,  t->filefront, t->fileback};
    for (int side = 0; side < NSIDE; side++)
        if (name[side] && !loadSide(b, t, name[side], side, p)) return false;
    if (!p->data) return sn_buildFail(b, &t->head, SN_STATUS_MODEL, "give 'builtin' or 'file'");
    for (int side = 0; side < NSIDE; side++)
        if (!name[side]) fillSide(t, p, side);
    return true;
}

// ---- all kinds

static bool loadFile(snBuild* b, const snSpecTexture* t, snPixels* p)
{
    snImage image;
    if (!readImage(b, t, t->file, &image)) return false;
    noteColors(&image, p);
    if (t->type == SN_TEXTURE_2D) {
        p->width = image.width;
        p->height = image.height;
        p->data = image.pixels;
        return true;
    }
    const bool good = cutImage(b, t, &image, p);
    sn_free(image.pixels);
    return good;
}

// Of more channels than pixels have, the peer's are pixels of three bytes all the same, and zeros behind
// them.
static bool drawPattern(snBuild* b, const snSpecTexture* t, snPixels p, uint8_t* data)
{
    p.data = data;
    if (p.nchannel > 4) {
        memset(data, 0, (size_t)p.width * (size_t)p.height * (size_t)p.nchannel);
        p.nchannel = 3;
    }
    return sn_texturePattern(t, &p) || sn_buildFail(b, &t->head, SN_STATUS_NO_MEMORY, "out of memory");
}

// It is drawn where it will stand, once there is a model.
static bool measureBuiltin(snBuild* b, const snSpecTexture* t, snPixels* p)
{
    if (t->nchannel < 3)
        return sn_buildFail(b, &t->head, SN_STATUS_MODEL, "nchannel is %d; of a builtin texture it is 3 or 4",
                            t->nchannel);
    if (t->width < 1 || t->height < 1)
        return sn_buildFail(b, &t->head, SN_STATUS_MODEL,
                            "a builtin texture needs a positive width and height");
    p->width = t->width;
    p->height = t->height;
    if (t->type != SN_TEXTURE_2D) sizeCube(t->width, p);
    p->pattern = true;
    return checkSize(b, t, p) &&
           (t->nchannel <= 4 ||
            sn_buildWarn(b, &t->head, "nchannel is %d; of a builtin texture it is 3 or 4", t->nchannel));
}

// ---- by reference

// Why a texture cannot be by reference; NULL: it can.
static const char* whyEmbedded(const snSpecTexture* t)
{
    if (t->builtin) return "it is a pattern";
    if (!t->file) return "its sides are files of their own";
    if (isPixels(t)) return "it is given as pixels";
    if (t->gridsize[0] != 1 || t->gridsize[1] != 1) return "it is a grid";
    if (t->hflip || t->vflip) return "it is mirrored";
    return NULL;
}

// Finds the file of a texture, which is not read; one in memory has no path.
static bool refer(snBuild* b, const snSpecTexture* t, snPixels* p)
{
    const snSpecCompiler* c = sn_specCompiler(b->spec, &t->head);
    const snAsset* asset;
    snError why;
    const char* path =
        sn_findSpecFile(b->spec, &t->head, c->texturedir ? c->texturedir : c->assetdir, t->file, &asset);
    if (!path) return sn_buildFail(b, &t->head, SN_STATUS_NO_MEMORY, "out of memory");
    if (asset)
        return t->embed != SN_FALSE ||
               sn_buildWarn(b, &t->head,
                            "embed=\"false\": its file is in memory, so that its pixels are in the model");
    if (!sn_allowFile(b->spec, c->folder, path, &why)) return sn_buildFileFail(b, &t->head, &why);
    p->path = path;
    return true;
}

// Whether it is by reference: p->path.
static bool chooseReference(snBuild* b, const snSpecTexture* t, snPixels* p)
{
    const bool asked = t->embed == SN_FALSE;
    if (!asked && !(t->embed == SN_AUTO && b->spec->compiler.passthrough)) return true;
    const char* why = whyEmbedded(t);
    if (why && asked)
        return sn_buildFail(b, &t->head, SN_STATUS_MODEL,
                            "embed=\"false\": %s, so that it cannot be by reference: remove embed", why);
    return why ? true : refer(b, t, p);
}

static bool loadTexture(snBuild* b, const snSpecTexture* t, snPixels* p)
{
    p->nchannel = t->nchannel;
    p->colorspace = t->colorspace;
    if (t->nchannel < 1 || t->nchannel > 255)
        return sn_buildFail(b, &t->head, SN_STATUS_MODEL, "nchannel is %d, must be positive", t->nchannel);
    if (!chooseReference(b, t, p)) return false;
    if (p->path) return true;
    if (t->builtin) return measureBuiltin(b, t, p);
    if (t->file && isPixels(t)) return loadPixels(b, t, p);
    if (t->file) return loadFile(b, t, p);
    return loadSides(b, t, p);
}

bool sn_loadTextures(snBuild* b, int* ntexdata)
{
    const int n = b->spec->textures.count;
    size_t total = 0;
    b->pixels = n ? sn_calloc((size_t)n * sizeof *b->pixels) : NULL;
    if (n && !b->pixels) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory for textures");
    for (snSpecTexture* t = b->spec->textures.first; t; t = t->next) {
        snPixels* p = b->pixels + t->head.id;
        if (!loadTexture(b, t, p)) return false;
        if (isPixels(t)) t->file = NULL; // no file of the model's
        total += (size_t)p->width * (size_t)p->height * (size_t)p->nchannel;
        if (total > SN_IMAGE_LIMIT)
            return sn_buildFail(b, &t->head, SN_STATUS_MODEL,
                                "the textures are more than " SN_IMAGE_LIMIT_TEXT);
    }
    *ntexdata = (int)total;
    return true;
}

bool sn_buildTextures(snBuild* b)
{
    snModel* m = b->m;
    size_t at = 0;
    SN_EACH (snSpecTexture, t, b->spec->textures) {
        const int id = t->head.id;
        snPixels* p = b->pixels + id;
        const size_t size = (size_t)p->width * (size_t)p->height * (size_t)p->nchannel;
        m->tex_type[id] = t->type;
        m->tex_colorspace[id] = p->colorspace;
        m->tex_width[id] = p->width;
        m->tex_height[id] = p->height;
        m->tex_nchannel[id] = p->nchannel;
        m->tex_adr[id] = p->path ? -1 : (int)at;
        if (p->pattern && !drawPattern(b, t, *p, m->tex_data + at)) return false;
        if (p->data) memcpy(m->tex_data + at, p->data, size);
        at += size;
        sn_free(p->data);
        p->data = NULL;
    }
    return true;
}

void sn_freeTextures(snBuild* b)
{
    for (int i = 0; b->pixels && i < b->spec->textures.count; i++) sn_free(b->pixels[i].data);
    sn_free(b->pixels);
}
