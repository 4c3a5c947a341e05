// SKN: numbers of vertices, texture coordinates, triangles and bones; the first three; then for each bone the
// name of its body (40 bytes), its position and orientation when bound, and the number, indices and weights
// of the vertices that it moves.
#include "format/mesh/skin_file.h"
#include "base/error.h"
#include "base/little_endian.h"
#include "base/memory.h"

enum { HEADER = 16, BONE = SN_SKIN_NAME + 7 * 4 + 4 };

bool sn_makeSkinRoom(snSkinFile* skin, bool names)
{
    const size_t nbone = (size_t)skin->nbone, nbonevert = (size_t)skin->nbonevert;
    skin->vert = sn_malloc(3 * (size_t)skin->nvert * sizeof *skin->vert + 1);
    skin->texcoord = sn_malloc(2 * (size_t)skin->ntexcoord * sizeof *skin->texcoord + 1);
    skin->face = sn_malloc(3 * (size_t)skin->nface * sizeof *skin->face + 1);
    skin->bone = sn_calloc(nbone * sizeof *skin->bone + 1);
    skin->bonevert = sn_malloc(nbonevert * sizeof *skin->bonevert + 1);
    skin->weight = sn_malloc(nbonevert * sizeof *skin->weight + 1);
    skin->names = names ? sn_calloc(nbone * (SN_SKIN_NAME + 1) + 1) : NULL;
    return skin->vert && skin->texcoord && skin->face && skin->bone && skin->bonevert && skin->weight &&
           (skin->names || !names);
}

void sn_freeSkinFile(snSkinFile* skin)
{
    sn_free(skin->vert);
    sn_free(skin->texcoord);
    sn_free(skin->face);
    sn_free(skin->bone);
    sn_free(skin->bonevert);
    sn_free(skin->weight);
    sn_free(skin->names);
    *skin = (snSkinFile){0};
}

static size_t readFloats(const char* data, size_t at, int n, float* values)
{
    for (int k = 0; k < n; k++, at += 4) values[k] = sn_littleFloat(data + at);
    return at;
}

static size_t readInts(const char* data, size_t at, int n, int* values)
{
    for (int k = 0; k < n; k++, at += 4) values[k] = sn_littleI32(data + at);
    return at;
}

// Where the bones begin and how many vertices they move, with all lengths checked against the file's.
static snStatus countBones(const char* name, const char* data, size_t size, size_t at, snSkinFile* skin,
                           snError* error)
{
    int64_t nbonevert = 0;
    for (int i = 0; i < skin->nbone; i++) {
        if (size - at < BONE)
            return sn_failAt(error, SN_STATUS_SYNTAX, name, 0,
                             "byte %zu: the file ends in bone %d; is it cut short?", at, i);
        const int n = sn_littleI32(data + at + BONE - 4);
        if (n < 1 || (uint64_t)n > (size - at - BONE) / 8)
            return sn_failAt(error, SN_STATUS_SYNTAX, name, 0,
                             "byte %zu: bone %d moves %d vertices, more than the file has room for, or none",
                             at + BONE - 4, i, n);
        at += BONE + 8 * (size_t)n;
        nbonevert += n; // below size / 8
    }
    skin->nbonevert = (int)nbonevert;
    if (at == size) return SN_STATUS_OK;
    return sn_failAt(error, SN_STATUS_SYNTAX, name, 0, "byte %zu: %zu bytes follow the last bone", at,
                     size - at);
}

static void readBones(const char* data, size_t at, snSkinFile* skin)
{
    int next = 0;
    for (int i = 0; i < skin->nbone; i++) {
        snSkinBone* bone = skin->bone + i;
        char* name = skin->names + (size_t)i * (SN_SKIN_NAME + 1);
        memcpy(name, data + at, SN_SKIN_NAME); // the byte behind it is 0
        bone->body = name;
        at = readFloats(data, at + SN_SKIN_NAME, 3, bone->bindpos);
        at = readFloats(data, at, 4, bone->bindquat);
        bone->vertadr = next;
        bone->vertnum = sn_littleI32(data + at);
        at = readInts(data, at + 4, bone->vertnum, skin->bonevert + next);
        at = readFloats(data, at, bone->vertnum, skin->weight + next);
        next += bone->vertnum;
    }
}

snStatus sn_readSkin(const char* name, const void* data, size_t size, snSkinFile* skin, snError* error)
{
    *skin = (snSkinFile){0};
    if (size < HEADER)
        return sn_failAt(error, SN_STATUS_SYNTAX, name, 0,
                         "an SKN file begins with four numbers, 16 bytes; it has %zu", size);
    int count[4];
    readInts(data, 0, 4, count);
    for (int k = 0; k < 4; k++)
        if (count[k] < 0)
            return sn_failAt(error, SN_STATUS_SYNTAX, name, 0,
                             "byte %d: a number of items is %d; is this an SKN file?", 4 * k, count[k]);
    const uint64_t bones =
        HEADER + 12 * (uint64_t)count[0] + 8 * (uint64_t)count[1] + 12 * (uint64_t)count[2];
    if (bones > size || (uint64_t)count[3] > size / BONE)
        return sn_failAt(
            error, SN_STATUS_SYNTAX, name, 0,
            "%d vertices, %d texture coordinates, %d triangles and %d bones are more than its %zu "
            "bytes hold; is it cut short?",
            count[0], count[1], count[2], count[3], size);
    *skin = (snSkinFile){.nvert = count[0], .ntexcoord = count[1], .nface = count[2], .nbone = count[3]};
    const snStatus status = countBones(name, data, size, (size_t)bones, skin, error);
    if (status) return status;
    if (!sn_makeSkinRoom(skin, true)) {
        sn_freeSkinFile(skin);
        return sn_failAt(error, SN_STATUS_NO_MEMORY, name, 0, "out of memory for a skin");
    }
    size_t at = readFloats(data, HEADER, 3 * skin->nvert, skin->vert);
    at = readFloats(data, at, 2 * skin->ntexcoord, skin->texcoord);
    at = readInts(data, at, 3 * skin->nface, skin->face);
    readBones(data, at, skin);
    return SN_STATUS_OK;
}
