// Height fields: images, binary files and numbers of the text into heights from 0 to 1, and the geoms that
// have them.
#include "compile/asset/asset.h"
#include <limits.h>
#include "base/little_endian.h"
#include "base/memory.h"
#include "compile/asset/asset_file.h"
#include "format/image/png.h"
#include "shape/facts.h"

struct snHeights {
    int nrow, ncol;
    float* data; ///< [nrow x ncol], the row of least y first
};

enum { MOST_HEIGHTS = 1 << 28 };

static bool allocate(snBuild* b, const snSpecHfield* h, int nrow, int ncol, snHeights* heights)
{
    const uint64_t n = (uint64_t)nrow * (uint64_t)ncol;
    if (n > MOST_HEIGHTS)
        return sn_buildFail(b, &h->head, SN_STATUS_MODEL, "%d x %d heights are more than %d", nrow, ncol,
                            MOST_HEIGHTS);
    heights->nrow = nrow;
    heights->ncol = ncol;
    heights->data = sn_buildRoom(b, &h->head, n, sizeof(float));
    return heights->data != NULL;
}

// Shades of grey, the upper row of the image at the largest y.
static bool readImage(snBuild* b, const snSpecHfield* h, const snSpecFile* file, snHeights* heights)
{
    snImage image;
    snError why;
    if (sn_readPng(file->name, file->data, file->size, 1, &image, &why))
        return sn_buildFileFail(b, &h->head, &why);
    const bool good = allocate(b, h, image.height, image.width, heights);
    const size_t ncol = (size_t)image.width, nrow = (size_t)image.height;
    for (size_t r = 0; good && r < nrow; r++)
        for (size_t c = 0; c < ncol; c++)
            heights->data[(nrow - 1 - r) * ncol + c] = (float)image.pixels[r * ncol + c];
    sn_free(image.pixels);
    return good;
}

// The numbers of rows and columns, then the heights as floats, the row of least y first.
static bool readBinary(snBuild* b, const snSpecHfield* h, const snSpecFile* file, snHeights* heights)
{
    const char* data = file->data;
    const int nrow = file->size >= 8 ? sn_littleI32(data) : 0,
              ncol = file->size >= 8 ? sn_littleI32(data + 4) : 0;
    if (nrow < 1 || ncol < 1 || 4 * (uint64_t)nrow * (uint64_t)ncol != (uint64_t)file->size - 8)
        return sn_buildFail(
            b, &h->head, SN_STATUS_SYNTAX,
            "'%.200s' is read as numbers of rows and columns and that many heights, 4 bytes "
            "each, since it is no PNG by its name or content_type; its %zu bytes are none such",
            file->name, file->size);
    if (!allocate(b, h, nrow, ncol, heights)) return false;
    const size_t n = (size_t)nrow * (size_t)ncol;
    for (size_t k = 0; k < n; k++) {
        heights->data[k] = sn_littleFloat(data + 8 + 4 * k);
        if (!isfinite(heights->data[k]) &&
            !sn_buildWarn(b, &h->head, "'%.200s' has heights that are not finite", file->name))
            return false;
    }
    return true;
}

static bool readFile(snBuild* b, const snSpecHfield* h, snHeights* heights)
{
    snSpecFile file;
    if (h->content_type && strcmp(h->content_type, "image/png") &&
        strcmp(h->content_type, "image/vnd.mujoco.hfield"))
        return sn_buildFail(b, &h->head, SN_STATUS_UNSUPPORTED,
                            "content_type=\"%.40s\": a height field is image/png or image/vnd.mujoco.hfield",
                            h->content_type);
    if (!sn_openAsset(b, &h->head, false, h->file, &file)) return false;
    const bool good = sn_isPng(h->content_type, h->file) ? readImage(b, h, &file, heights)
                                                         : readBinary(b, h, &file, heights);
    sn_closeSpecFile(&file);
    return good;
}

// Rows in the order in which they are seen from above: that of the largest y first. Without elevation: flat.
static bool readText(snBuild* b, const snSpecHfield* h, snHeights* heights)
{
    const double* elevation = h->elevation.values;
    if (h->nrow < 1 || h->ncol < 1)
        return sn_buildFail(b, &h->head, SN_STATUS_MODEL, "give a 'file', or positive 'nrow' and 'ncol'");
    if (h->elevation.count && h->elevation.count != (int64_t)h->nrow * h->ncol)
        return sn_buildFail(b, &h->head, SN_STATUS_MODEL, "elevation has %d numbers, nrow x ncol is %lld",
                            h->elevation.count, (long long)h->nrow * h->ncol);
    if (!allocate(b, h, h->nrow, h->ncol, heights)) return false;
    const size_t nrow = (size_t)h->nrow, ncol = (size_t)h->ncol;
    for (size_t r = 0; r < nrow; r++)
        for (size_t c = 0; c < ncol; c++) {
            float* height = heights->data + (nrow - 1 - r) * ncol + c;
            *height = h->elevation.count ? (float)elevation[r * ncol + c] : 0;
            if (!isfinite(*height) && isfinite(elevation[r * ncol + c]))
                return sn_buildFail(b, &h->head, SN_STATUS_MODEL, "elevation: a number is too large");
        }
    return true;
}

// From 0 at the lowest point to 1 at the highest; level ground is 0.
static bool normalize(snBuild* b, const snSpecHfield* h, snHeights* heights)
{
    const size_t n = (size_t)heights->nrow * (size_t)heights->ncol;
    float low = heights->data[0], high = low;
    for (size_t k = 0; k < n; k++) {
        const float here = heights->data[k];
        if (here < low || isnan(low)) low = here;
        if (here > high || isnan(high)) high = here;
    }
    const float range = high - low;
    if (isnan(low)) return sn_buildFail(b, &h->head, SN_STATUS_MODEL, "no height is a number");
    if (isinf(range) && !isinf(low) && !isinf(high))
        return sn_buildFail(b, &h->head, SN_STATUS_MODEL, "the heights differ by too much");
    for (size_t k = 0; k < n; k++) {
        heights->data[k] -= low;
        if ((double)range > SN_COMPILE_EPS) heights->data[k] /= range;
    }
    return true;
}

static bool loadHfield(snBuild* b, const snSpecHfield* h, snHeights* heights)
{
    for (int k = 0; k < 4; k++)
        if (!(h->size[k] > 0))
            return sn_buildFail(b, &h->head, SN_STATUS_MODEL, "size[%d] is %g, must be positive", k,
                                h->size[k]);
    if (!(h->file ? readFile(b, h, heights) : readText(b, h, heights))) return false;
    const bool flat = heights->nrow < 2 || heights->ncol < 2; // without a surface
    return (!flat || sn_buildOutdated(b, &h->head, "it needs two rows and two columns at least")) &&
           normalize(b, h, heights);
}

bool sn_loadHfields(snBuild* b, int* nhfielddata)
{
    const int n = b->spec->hfields.count;
    int64_t total = 0;
    b->heights = n ? sn_calloc((size_t)n * sizeof *b->heights) : NULL;
    if (n && !b->heights)
        return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory for height fields");
    SN_EACH (snSpecHfield, h, b->spec->hfields) {
        snHeights* heights = b->heights + h->head.id;
        if (!loadHfield(b, h, heights)) return false;
        total += (int64_t)heights->nrow * heights->ncol;
        if (total > MOST_HEIGHTS)
            return sn_buildFail(b, &h->head, SN_STATUS_MODEL, "the height fields have more than %d heights",
                                MOST_HEIGHTS);
    }
    *nhfielddata = (int)total;
    return true;
}

void sn_buildHfields(snBuild* b)
{
    snModel* m = b->m;
    size_t at = 0;
    SN_EACH (snSpecHfield, h, b->spec->hfields) {
        const int id = h->head.id;
        snHeights* heights = b->heights + id;
        const size_t n = (size_t)heights->nrow * (size_t)heights->ncol;
        memcpy(m->hfield_size + 4 * (size_t)id, h->size, sizeof h->size);
        m->hfield_nrow[id] = heights->nrow;
        m->hfield_ncol[id] = heights->ncol;
        m->hfield_adr[id] = (int)at;
        memcpy(m->hfield_data + at, heights->data, n * sizeof(float));
        at += n;
        sn_free(heights->data);
        heights->data = NULL;
    }
}

void sn_freeHfields(snBuild* b)
{
    for (int i = 0; b->heights && i < b->spec->hfields.count; i++) sn_free(b->heights[i].data);
    sn_free(b->heights);
}

// ---- geoms

bool sn_hfieldSize(snBuild* b, snSpecGeom* geom, const snSpecHfield** out)
{
    *out = NULL;
    if (!sn_isFieldAsset(geom->type)) {
        if (!geom->hfield) return true;
        return sn_buildFail(b, &geom->head, SN_STATUS_MODEL, "has a hfield, which needs type=\"hfield\"");
    }
    const snSpecHead* found = sn_buildFind(b, &geom->head, "hfield", SN_OBJ_HFIELD, geom->hfield);
    if (!found) return false;
    *out = (const snSpecHfield*)found;
    // a base slab and a top of which half counts
    const double* size = (*out)->size;
    geom->size[0] = size[0];
    geom->size[1] = size[1];
    geom->size[2] = 0.25 * size[2] + 0.5 * size[3];
    return true;
}
