#include "model/binary/binary.h"
#include <sinew/binary.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "model/rules.h"

typedef struct Header {
    char magic[8];
    uint32_t order;
    uint32_t format;
    char version[16];
    uint64_t layout;
    uint64_t size;
    uint64_t checksum;
    uint32_t nsections;
    uint32_t nothing;
} Header;
_Static_assert(sizeof(Header) == 64, "the header is 64 bytes without gaps");

typedef struct Entry {
    char tag[4];
    uint32_t nothing;
    uint64_t start;
    uint64_t size;
} Entry;
_Static_assert(sizeof(Entry) == 24, "an entry of the table is 24 bytes without gaps");

enum { BYTE_ORDER_MARK = 0x01020304, SECTION_LIMIT = 64 };

static size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

// ---- checksum

static uint64_t checksum(const char* bytes, size_t size)
{
    Header header;
    memcpy(&header, bytes, sizeof header);
    header.checksum = 0;
    const uint64_t start = sn_hashWords(0x243f6a8885a308d3u, &header, sizeof header);
    return sn_hashWords(start, bytes + sizeof header, size - sizeof header);
}

void sn_sealBinary(char* bytes, size_t size)
{
    const uint64_t sum = checksum(bytes, size);
    memcpy(bytes + offsetof(Header, checksum), &sum, sizeof sum);
}

// ---- writing

size_t sn_binarySize(const snModel* m, const snSection* sections, int n)
{
    size_t size = sizeof(Header) + (size_t)(n + 1) * sizeof(Entry) + padded(sn_modelSectionSize(m));
    for (int i = 0; i < n; i++) size += padded(sections[i].size);
    return size;
}

// Fills entry `index` of the table; where the next section starts.
static size_t putEntry(char* bytes, int index, const char tag[4], size_t start, size_t size)
{
    Entry entry = {.start = start, .size = size};
    memcpy(entry.tag, tag, 4);
    memcpy(bytes + sizeof(Header) + (size_t)index * sizeof entry, &entry, sizeof entry);
    memset(bytes + start + size, 0, padded(size) - size);
    return start + padded(size);
}

void sn_packBinary(const snModel* m, const snSection* sections, int n, char* bytes)
{
    size_t at = sizeof(Header) + (size_t)(n + 1) * sizeof(Entry);
    sn_packModelSection(m, bytes + at);
    at = putEntry(bytes, 0, SN_BINARY_MODEL, at, sn_modelSectionSize(m));
    for (int i = 0; i < n; i++) {
        if (sections[i].size) memcpy(bytes + at, sections[i].data, sections[i].size);
        at = putEntry(bytes, i + 1, sections[i].tag, at, sections[i].size);
    }
    Header header = {.order = BYTE_ORDER_MARK,
                     .format = SN_BINARY_FORMAT,
                     .layout = sn_modelLayout(),
                     .size = at,
                     .nsections = (uint32_t)n + 1};
    memcpy(header.magic, SN_BINARY_MAGIC, sizeof header.magic);
    snprintf(header.version, sizeof header.version, "%s", sn_version());
    memcpy(bytes, &header, sizeof header);
    sn_sealBinary(bytes, at);
}

snStatus sn_saveBinary(const snModel* m, const snSection* sections, int n, const char* path, snError* error)
{
    if (!path) return sn_fail(error, SN_STATUS_ARGUMENT, "no path given");
    const size_t size = sn_binarySize(m, sections, n);
    if (size > SN_FILE_LIMIT)
        return sn_failAt(error, SN_STATUS_FILE, path, 0,
                         "the model has %zu bytes, more than the " SN_FILE_LIMIT_TEXT " that can be read",
                         size);
    char* bytes = sn_malloc(size);
    if (!bytes) return sn_failAt(error, SN_STATUS_NO_MEMORY, path, 0, "out of memory: %zu bytes", size);
    sn_packBinary(m, sections, n, bytes);
    const snStatus status = sn_writeFile(path, bytes, size, error);
    sn_free(bytes);
    return status;
}

size_t sn_sizeModel(const snModel* m)
{
    return sn_binarySize(m, NULL, 0);
}

snStatus sn_saveModelBytes(const snModel* m, void* bytes, size_t size, snError* error)
{
    if (!bytes) return sn_fail(error, SN_STATUS_ARGUMENT, "no room given for the model's bytes");
    if (size != sn_sizeModel(m))
        return sn_fail(error, SN_STATUS_ARGUMENT, "room for %zu bytes given, the model has %zu", size,
                       sn_sizeModel(m));
    sn_packBinary(m, NULL, 0, bytes);
    return SN_STATUS_OK;
}

snStatus sn_saveModel(const snModel* m, const char* path, snError* error)
{
    return sn_saveBinary(m, NULL, 0, path, error);
}

// ---- reading

bool sn_isBinary(const void* bytes, size_t size)
{
    return size >= 8 && !memcmp(bytes, SN_BINARY_MAGIC, 8);
}

bool sn_isBinaryFile(const char* path)
{
    char start[8] = "";
    const size_t n = path ? sn_peekFile(path, start, sizeof start) : 0;
    if (sn_isBinary(start, n)) return true;
    const char* dot = path ? strrchr(path, '.') : NULL;
    const bool named = dot && (!strcmp(dot, ".snb") || !strcmp(dot, ".mjb"));
    return named && !(n > 0 && (start[0] == '<' || start[0] == ' ' || start[0] == '\n'));
}

static snStatus damaged(const char* file, const char* what, snError* error)
{
    return sn_failAt(error, SN_STATUS_SYNTAX, file, 0, "damaged model: %s", what);
}

// The version that the header claims, without what no version holds: it goes into messages.
static void copyVersion(const char from[16], char to[17])
{
    int n = 0;
    while (n < 16 && from[n] > ' ' && from[n] < 127) {
        to[n] = from[n];
        n++;
    }
    to[n] = 0;
}

static snStatus checkHeader(const Header* header, size_t size, const char* file, snBinary* out,
                            snError* error)
{
    if (header->order != BYTE_ORDER_MARK)
        return sn_failAt(
            error, SN_STATUS_UNSUPPORTED, file, 0,
            "the model was written on a machine with another byte order; convert its source here");
    if (header->format != SN_BINARY_FORMAT)
        return sn_failAt(error, SN_STATUS_UNSUPPORTED, file, 0,
                         "the model has binary format %u, Sinew %s reads format %u; convert its source again",
                         header->format, sn_version(), SN_BINARY_FORMAT);
    if (header->size != size)
        return sn_failAt(error, SN_STATUS_SYNTAX, file, 0,
                         "damaged model: %zu bytes are there, there should be %llu", size,
                         (unsigned long long)header->size);
    if (header->nothing || header->nsections < 1 || header->nsections > SECTION_LIMIT)
        return damaged(file, "a wrong number of sections", error);
    copyVersion(header->version, out->version);
    out->layout = header->layout;
    out->nsections = (int)header->nsections;
    return SN_STATUS_OK;
}

static Entry entryOf(const snBinary* binary, int index)
{
    Entry entry;
    memcpy(&entry, binary->bytes + sizeof(Header) + (size_t)index * sizeof entry, sizeof entry);
    return entry;
}

// Sections follow each other to the end of the file.
static bool goodSections(const snBinary* binary, size_t size)
{
    size_t at = sizeof(Header) + (size_t)binary->nsections * sizeof(Entry);
    if (at > size) return false;
    for (int i = 0; i < binary->nsections; i++) {
        const Entry entry = entryOf(binary, i);
        if (entry.nothing || entry.start != at || entry.size > size - at) return false;
        at += padded((size_t)entry.size);
        if (at > size) return false;
    }
    return at == size;
}

snStatus sn_openBinary(const void* bytes, size_t size, const char* file, snBinary* out, snError* error)
{
    Header header;
    const char* place = file ? file : "bytes in memory";
    *out = (snBinary){.bytes = bytes, .file = place};
    if (!sn_isBinary(bytes, size))
        return sn_failAt(
            error, SN_STATUS_SYNTAX, place, 0,
            "not a compiled model of Sinew: it does not begin like one (MuJoCo's .mjb is another format)");
    if (size < sizeof header) return damaged(place, "cut off in its header", error);
    if (size > SN_FILE_LIMIT) return damaged(place, "it is larger than " SN_FILE_LIMIT_TEXT, error);
    memcpy(&header, bytes, sizeof header);
    const snStatus status = checkHeader(&header, size, place, out, error);
    if (status != SN_STATUS_OK) return status;
    if (checksum(bytes, size) != header.checksum)
        return damaged(place, "its checksum does not match its contents", error);
    if (!goodSections(out, size)) return damaged(place, "its sections do not fit its length", error);
    return SN_STATUS_OK;
}

snSection sn_binarySection(const snBinary* binary, int index)
{
    const Entry entry = entryOf(binary, index);
    snSection section = {.data = binary->bytes + entry.start, .size = (size_t)entry.size};
    memcpy(section.tag, entry.tag, sizeof section.tag);
    return section;
}

bool sn_findSection(const snBinary* binary, const char tag[4], snSection* out)
{
    for (int i = 0; i < binary->nsections; i++) {
        *out = sn_binarySection(binary, i);
        if (!memcmp(out->tag, tag, 4)) return true;
    }
    return false;
}

// Rules of the compiler are in the arrays: others want the source.
static snModel* ofPhysics(snModel* m, const char* physics, const char* file, snError* error)
{
    if (!m || !physics || !strcmp(physics, sn_physicsWord(m->physics))) return m;
    sn_failAt(error, SN_STATUS_ARGUMENT, file ? file : "model", 0,
              "physics is %s and the compiled model means %s; compile its source again", physics,
              sn_physicsWord(m->physics));
    sn_deleteModel(m);
    return NULL;
}

snModel* sn_binaryModel(const snBinary* binary, const snLoadOptions* options, snError* error)
{
    snSection section;
    if (binary->layout != sn_modelLayout()) {
        sn_failAt(
            error, SN_STATUS_UNSUPPORTED, binary->file, 0,
            "the model was written by Sinew %s with other fields than this Sinew %s has; convert its source "
            "again",
            binary->version, sn_version());
        return NULL;
    }
    if (!sn_findSection(binary, SN_BINARY_MODEL, &section)) {
        damaged(binary->file, "no model in it", error);
        return NULL;
    }
    return ofPhysics(sn_unpackModelSection(&section, binary->file, error), options ? options->physics : NULL,
                     binary->file, error);
}

snModel* sn_loadModelBytes(const void* bytes, size_t size, const snLoadOptions* options, snError* error)
{
    snBinary binary;
    if (!bytes && size) {
        sn_fail(error, SN_STATUS_ARGUMENT, "no bytes given");
        return NULL;
    }
    if (sn_openBinary(bytes, size, NULL, &binary, error) != SN_STATUS_OK) return NULL;
    return sn_binaryModel(&binary, options, error);
}
