// The format: a header in front of each member, and at the end a directory of all of them, behind which a
// record says where it is (PKWARE, APPNOTE.TXT, 4.3). All numbers have the least byte first.
#include "format/archive/archive.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

enum { END_SIZE = 22, ENTRY_SIZE = 46, LOCAL_SIZE = 30, STORED = 0, DEFLATED = 8, NAME_LIMIT = 1000 };

// What the directory says of a member.
typedef struct Entry {
    unsigned flags, method, crc;
    size_t packed, size, place; // place: of its header
    const char* name;           // [length]
    size_t length;
} Entry;

typedef struct Zip {
    const char* path;
    const unsigned char* data;
    size_t size;
    size_t directory; // where it begins
    int count;
    snError* error;
} Zip;

static unsigned get16(const unsigned char* p)
{
    return p[0] | (unsigned)p[1] << 8;
}

static unsigned get32(const unsigned char* p)
{
    return get16(p) | get16(p + 2) << 16;
}

static bool fail(const Zip* z, snStatus status, const char* what)
{
    sn_fail(z->error, status, "'%.200s': %s", z->path, what);
    return false;
}

static bool failAt(const Zip* z, const Entry* e, snStatus status, const char* what)
{
    sn_fail(z->error, status, "'%.200s': its member '%.*s' %s", z->path,
            (int)(e->length < 100 ? e->length : 100), e->name, what);
    return false;
}

// The last record that reaches exactly to the end.
static bool findDirectory(Zip* z)
{
    for (size_t back = END_SIZE; back <= z->size && back <= END_SIZE + 0xffff; back++) {
        const unsigned char* p = z->data + z->size - back;
        if (memcmp(p, "PK\5\6", 4) || get16(p + 20) != back - END_SIZE) continue;
        const size_t end = z->size - back, length = get32(p + 12), place = get32(p + 16);
        if (get16(p + 10) == 0xffff || get32(p + 12) == 0xffffffff || get32(p + 16) == 0xffffffff)
            return fail(z, SN_STATUS_UNSUPPORTED, "it is a zip64 archive, which is not supported");
        if (get16(p + 4) || get16(p + 6) || get16(p + 8) != get16(p + 10))
            return fail(z, SN_STATUS_UNSUPPORTED, "it is one of several parts, which is not supported");
        if (place > end || length > end - place)
            return fail(z, SN_STATUS_SYNTAX, "its directory is outside of it: it is damaged");
        z->directory = place;
        z->count = (int)get16(p + 10);
        return true;
    }
    return fail(z, SN_STATUS_SYNTAX, "it has no directory at its end: it is cut short");
}

// Reads the entry at *at and moves on to the next one.
static bool readEntry(const Zip* z, size_t* at, Entry* e)
{
    const unsigned char* p = z->data + *at;
    if (z->size - *at < ENTRY_SIZE || memcmp(p, "PK\1\2", 4))
        return fail(z, SN_STATUS_SYNTAX, "its directory has less than it says: it is damaged");
    const size_t length = get16(p + 28), rest = (size_t)get16(p + 30) + get16(p + 32);
    if (length + rest > z->size - *at - ENTRY_SIZE)
        return fail(z, SN_STATUS_SYNTAX, "its directory leaves it: it is damaged");
    *e = (Entry){get16(p + 8),
                 get16(p + 10),
                 get32(p + 16),
                 get32(p + 20),
                 get32(p + 24),
                 get32(p + 42),
                 (const char*)p + ENTRY_SIZE,
                 length};
    *at += ENTRY_SIZE + length + rest;
    return true;
}

static bool isFolder(const Entry* e)
{
    return e->length && e->name[e->length - 1] == '/';
}

bool sn_isMemberName(const char* name, size_t length)
{
    bool good = length > 0 && length <= NAME_LIMIT && *name != '/';
    for (size_t i = 0; good && i < length; i++) {
        const unsigned char c = (unsigned char)name[i];
        const bool begins = i == 0 || name[i - 1] == '/';
        good = c >= ' ' && c != 127 && c != '\\' && c != ':';
        if (begins && length - i >= 2 && !strncmp(name + i, "..", 2))
            good &= length - i > 2 && name[i + 2] != '/';
    }
    return good;
}

static bool checkEntry(const Zip* z, const Entry* e)
{
    if (!sn_isMemberName(e->name, e->length))
        return failAt(z, e, SN_STATUS_SYNTAX,
                      "has a name that is empty, leaves the archive or is no name of a file");
    if (e->flags & 1) return failAt(z, e, SN_STATUS_UNSUPPORTED, "is encrypted: pack it without");
    if (e->method != STORED && e->method != DEFLATED)
        return failAt(z, e, SN_STATUS_UNSUPPORTED,
                      "is packed in a way that is not supported: store or deflate it");
    if (e->packed == 0xffffffff || e->size == 0xffffffff || e->place == 0xffffffff)
        return failAt(z, e, SN_STATUS_UNSUPPORTED, "has sizes of zip64, which is not supported");
    // deflate packs at most 1032 bytes into one
    if (e->method == STORED ? e->size != e->packed : e->size / 1032 > e->packed)
        return failAt(z, e, SN_STATUS_SYNTAX, "says that it is larger than it can be");
    return true;
}

// Where the packed bytes of a member are; NULL: the header there is not its own.
static const unsigned char* bytesOf(const Zip* z, const Entry* e)
{
    const size_t end = z->directory;
    if (e->place > end || end - e->place < LOCAL_SIZE) return NULL;
    const unsigned char* p = z->data + e->place;
    const size_t length = get16(p + 26), skip = LOCAL_SIZE + length + get16(p + 28);
    if (memcmp(p, "PK\3\4", 4) || length != e->length || skip > end - e->place ||
        e->packed > end - e->place - skip || memcmp(p + LOCAL_SIZE, e->name, length))
        return NULL;
    return p + skip;
}

static bool inflateInto(const unsigned char* from, size_t packed, unsigned char* to, size_t size)
{
    z_stream s = {
        .next_in = (unsigned char*)from, .avail_in = (uInt)packed, .next_out = to, .avail_out = (uInt)size};
    if (inflateInit2(&s, -MAX_WBITS) != Z_OK) return false;
    const int end = inflate(&s, Z_FINISH);
    const bool whole = end == Z_STREAM_END && s.total_out == size && s.avail_in == 0;
    inflateEnd(&s);
    return whole;
}

static bool unpack(const Zip* z, const Entry* e, unsigned char* to)
{
    const unsigned char* from = bytesOf(z, e);
    if (!from)
        return failAt(z, e, SN_STATUS_SYNTAX, "is not where the directory says: the archive is damaged");
    if (e->method == STORED)
        memcpy(to, from, e->size);
    else if (!inflateInto(from, e->packed, to, e->size))
        return failAt(z, e, SN_STATUS_SYNTAX, "does not unpack to what its size says: it is damaged");
    return crc32(crc32(0, NULL, 0), to, (uInt)e->size) == e->crc ||
           failAt(z, e, SN_STATUS_SYNTAX, "has another checksum than it says: it is damaged");
}

// Takes a member in: its name, a 0, its bytes and a 0, in one block.
static bool takeMember(const Zip* z, const Entry* e, snArchive* archive)
{
    const size_t before = strlen(z->path) + 1, name = before + e->length + 1;
    char* block = sn_malloc(name + e->size + 1);
    if (!block) return fail(z, SN_STATUS_NO_MEMORY, "out of memory");
    snprintf(block, before + 1, "%s/", z->path);
    memcpy(block + before, e->name, e->length);
    block[name - 1] = block[name + e->size] = 0;
    archive->files[archive->count++] = (snAsset){block, block + name, e->size};
    return unpack(z, e, (unsigned char*)block + name);
}

// Checks all members before memory is taken for any.
static bool checkMembers(const Zip* z)
{
    size_t at = z->directory, packed = 0, size = 0;
    for (int i = 0; i < z->count; i++) {
        Entry e;
        if (!readEntry(z, &at, &e)) return false;
        if (isFolder(&e)) continue;
        if (!checkEntry(z, &e)) return false;
        packed += e.packed;
        size += e.size;
        if (packed > z->size)
            return failAt(z, &e, SN_STATUS_SYNTAX, "shares bytes with others: it is a zip bomb");
        if (size > SN_ARCHIVE_LIMIT)
            return failAt(z, &e, SN_STATUS_UNSUPPORTED, "is too large: they have more than 1 GiB together");
    }
    return true;
}

static bool readMembers(const Zip* z, snArchive* archive)
{
    size_t at = z->directory;
    archive->files = sn_calloc(((size_t)z->count + 1) * sizeof *archive->files);
    if (!archive->files) return fail(z, SN_STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < z->count; i++) {
        Entry e;
        if (!readEntry(z, &at, &e)) return false;
        if (!isFolder(&e) && !takeMember(z, &e, archive)) return false;
    }
    return true;
}

static int byName(const void* a, const void* b)
{
    return strcmp(((const snAsset*)a)->name, ((const snAsset*)b)->name);
}

static bool checkTwice(const Zip* z, const snArchive* archive)
{
    qsort(archive->files, (size_t)archive->count, sizeof *archive->files, byName);
    for (int i = 0; i + 1 < archive->count; i++)
        if (!byName(archive->files + i, archive->files + i + 1)) {
            sn_fail(z->error, SN_STATUS_SYNTAX, "'%.200s': it has two members '%.100s'", z->path,
                    archive->files[i].name + strlen(z->path) + 1);
            return false;
        }
    return true;
}

bool sn_isArchiveFile(const char* path)
{
    char start[4];
    return path && sn_peekFile(path, start, sizeof start) == sizeof start &&
           (!memcmp(start, "PK\3\4", 4) || !memcmp(start, "PK\5\6", 4));
}

snStatus sn_readArchive(const char* path, snArchive* archive, snError* error)
{
    *archive = (snArchive){0};
    snError why = {0};
    Zip z = {.path = path, .error = &why};
    char* data;
    const snStatus status = sn_readFile(path, &data, &z.size, error);
    if (status) return status;
    z.data = (const unsigned char*)data;
    const bool good =
        findDirectory(&z) && checkMembers(&z) && readMembers(&z, archive) && checkTwice(&z, archive);
    sn_free(data);
    return good ? SN_STATUS_OK : sn_fail(error, why.status, "%s", why.message);
}

void sn_freeArchive(snArchive* archive)
{
    for (int i = 0; i < archive->count; i++) sn_free((char*)archive->files[i].name);
    sn_free(archive->files);
    *archive = (snArchive){0};
}

// ---- the model in it

static const char* member(const snArchive* archive, const char* path, const char* a, const char* b)
{
    const size_t before = strlen(path) + 1, n = strlen(a);
    for (int i = 0; i < archive->count; i++) {
        const char* name = archive->files[i].name + before;
        if (!strncmp(name, a, n) && !strcmp(name + n, b)) return archive->files[i].name;
    }
    return NULL;
}

static const char* onlyText(const snArchive* archive)
{
    const char* found = NULL;
    for (int i = 0; i < archive->count; i++) {
        const size_t n = strlen(archive->files[i].name);
        if (n < 4 || strcmp(archive->files[i].name + n - 4, ".xml")) continue;
        if (found) return NULL;
        found = archive->files[i].name;
    }
    return found;
}

const char* sn_archiveModel(const snArchive* archive, const char* path, snError* error)
{
    char stem[256], folder[258];
    snprintf(stem, sizeof stem, "%s", sn_baseName(path));
    char* end = strrchr(stem, '.');
    if (end) *end = 0;
    snprintf(folder, sizeof folder, "%s/", stem);
    char own[600];
    snprintf(own, sizeof own, "%s%s.xml", folder, stem);
    const char* found = member(archive, path, "model.xml", "");
    if (!found) found = member(archive, path, stem, ".xml");
    if (!found) found = member(archive, path, own, "");
    if (!found) found = member(archive, path, folder, "model.xml");
    if (!found) found = onlyText(archive);
    if (!found)
        sn_fail(
            error, SN_STATUS_MODEL,
            "'%.200s': it holds no model: there is no model.xml or %.100s.xml in it, and not one .xml alone",
            path, stem);
    return found;
}
