// Members are deflated, or stored where that is no smaller; no times are kept, so that the same files give
// the same bytes.
#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include "base/error.h"
#include "base/memory.h"
#include "format/archive/archive.h"

enum {
    LOCAL_SIZE = 30,
    ENTRY_SIZE = 46,
    END_SIZE = 22,
    VERSION = 20, // of what has to be known: deflate
    UTF8 = 0x800, // how names are written
    DAY = 0x21,   // 1 January 1980, the first there is
    DEFLATED = 8,
    MOST = 0xfffe // members
};

typedef struct Output {
    unsigned char* data; // room for all
    size_t size;
} Output;

static void put(Output* o, const void* bytes, size_t size)
{
    if (size) memcpy(o->data + o->size, bytes, size);
    o->size += size;
}

static void put16(Output* o, unsigned value)
{
    const unsigned char bytes[2] = {(unsigned char)value, (unsigned char)(value >> 8)};
    put(o, bytes, sizeof bytes);
}

static void put32(Output* o, unsigned value)
{
    put16(o, value & 0xffff);
    put16(o, value >> 16);
}

typedef struct Packed {
    unsigned crc;
    size_t size, place;
    bool deflated;
} Packed;

// Deflates into what is left; false: that is no smaller.
static bool deflateInto(Output* o, const snAsset* file, size_t* size)
{
    z_stream s = {.next_in = (unsigned char*)(size_t)file->data, .avail_in = (uInt)file->size};
    if (file->size < 2 || deflateInit2(&s, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY))
        return false;
    s.next_out = o->data + o->size;
    s.avail_out = (uInt)file->size - 1;
    const bool good = deflate(&s, Z_FINISH) == Z_STREAM_END;
    *size = s.total_out;
    deflateEnd(&s);
    return good;
}

// What a header and an entry of the directory have alike.
static void putCommon(Output* o, const snAsset* file, const Packed* packed)
{
    put16(o, VERSION);
    put16(o, UTF8);
    put16(o, packed->deflated ? DEFLATED : 0);
    put16(o, 0);
    put16(o, DAY);
    put32(o, packed->crc);
    put32(o, (unsigned)packed->size);
    put32(o, (unsigned)file->size);
    put16(o, (unsigned)strlen(file->name));
    put16(o, 0);
}

static void putMember(Output* o, const snAsset* file, Packed* packed)
{
    const size_t name = strlen(file->name);
    *packed =
        (Packed){.crc = (unsigned)crc32(crc32(0, NULL, 0), file->data, (uInt)file->size), .place = o->size};
    o->size += LOCAL_SIZE + name; // written when the size is known
    packed->deflated = deflateInto(o, file, &packed->size);
    if (packed->deflated)
        o->size += packed->size;
    else
        put(o, file->data, packed->size = file->size);
    Output header = {o->data, packed->place};
    put32(&header, 0x04034b50);
    putCommon(&header, file, packed);
    put(&header, file->name, name);
}

static void putEntry(Output* o, const snAsset* file, const Packed* packed)
{
    put32(o, 0x02014b50);
    put16(o, VERSION);
    putCommon(o, file, packed);
    put16(o, 0);
    put16(o, 0);
    put16(o, 0);
    put32(o, 0);
    put32(o, (unsigned)packed->place);
    put(o, file->name, strlen(file->name));
}

static void putAll(Output* o, const snAsset* files, int count, Packed* packed)
{
    for (int i = 0; i < count; i++) putMember(o, &files[i], &packed[i]);
    const size_t directory = o->size;
    for (int i = 0; i < count; i++) putEntry(o, &files[i], &packed[i]);
    const unsigned length = (unsigned)(o->size - directory);
    put32(o, 0x06054b50);
    put32(o, 0);
    put16(o, (unsigned)count);
    put16(o, (unsigned)count);
    put32(o, length);
    put32(o, (unsigned)directory);
    put16(o, 0);
}

snStatus sn_packArchive(const snAsset* files, int count, char** bytes, size_t* size, snError* error)
{
    size_t room = END_SIZE, content = 0;
    *bytes = NULL;
    for (int i = 0; i < count; i++) {
        if (!sn_isMemberName(files[i].name, strlen(files[i].name)))
            return sn_fail(error, SN_STATUS_UNSUPPORTED,
                           "'%.200s' is no name that a file in an archive may have: rename it",
                           files[i].name);
        content += files[i].size;
        room += files[i].size + LOCAL_SIZE + ENTRY_SIZE + 2 * strlen(files[i].name);
    }
    if (content > SN_ARCHIVE_LIMIT || count > MOST)
        return sn_fail(error, SN_STATUS_UNSUPPORTED,
                       "the model with its files is too large for an archive: %zu bytes in %d files", content,
                       count);
    Packed* packed = sn_malloc(((size_t)count + 1) * sizeof *packed);
    Output o = {sn_malloc(room), 0};
    if (packed && o.data) {
        putAll(&o, files, count, packed);
        *bytes = (char*)o.data;
        *size = o.size;
    } else
        sn_free(o.data);
    sn_free(packed);
    return *bytes ? SN_STATUS_OK : sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
}
