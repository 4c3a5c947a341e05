// The section of files in a binary file: what the source of the model refers to.
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "model/binary/binary.h"

typedef struct FileHead {
    uint32_t name; ///< bytes without the closing 0
    uint32_t nothing;
    uint64_t size;
} FileHead;
_Static_assert(sizeof(FileHead) == 16, "a file's head is 16 bytes without gaps");

enum { COUNT_BYTES = 8 };

static size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

size_t sn_filesSectionSize(const snAsset* files, int n)
{
    size_t size = COUNT_BYTES;
    for (int i = 0; i < n; i++)
        size += sizeof(FileHead) + padded(strlen(files[i].name) + 1) + padded(files[i].size);
    return size;
}

// Copies bytes and fills them up with 0; where the next ones go.
static char* putPadded(char* at, const void* bytes, size_t size)
{
    if (size) memcpy(at, bytes, size);
    memset(at + size, 0, padded(size) - size);
    return at + padded(size);
}

void sn_packFilesSection(const snAsset* files, int n, char* bytes)
{
    const uint32_t count[2] = {(uint32_t)n, 0};
    char* at = putPadded(bytes, count, sizeof count);
    for (int i = 0; i < n; i++) {
        const size_t length = strlen(files[i].name);
        const FileHead head = {.name = (uint32_t)length, .size = files[i].size};
        at = putPadded(at, &head, sizeof head);
        at = putPadded(at, files[i].name, length + 1);
        at = putPadded(at, files[i].data, files[i].size);
    }
}

// One part of a path, so that whoever writes the files stays inside a folder.
static bool goodName(const char* name, size_t length)
{
    if (name[length] || memchr(name, 0, length)) return false;
    if (!strcmp(name, ".") || !strcmp(name, "..")) return false;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)name[i];
        if (c < ' ' || c == 127 || c == '/' || c == '\\') return false;
    }
    return length > 0;
}

// The file at *at of a section; false: it does not fit or has a bad name.
static bool takeFile(const snSection* section, size_t* at, snAsset* file)
{
    const char* bytes = section->data;
    FileHead head;
    if (section->size - *at < sizeof head) return false;
    memcpy(&head, bytes + *at, sizeof head);
    *at += sizeof head;
    if (head.nothing || head.name > SN_BINARY_NAME_LIMIT) return false;
    const size_t room = padded((size_t)head.name + 1);
    if (section->size - *at < room) return false;
    file->name = bytes + *at;
    *at += room;
    if (!goodName(file->name, head.name)) return false;
    if (head.size > section->size - *at || padded((size_t)head.size) > section->size - *at) return false;
    file->data = bytes + *at;
    file->size = (size_t)head.size;
    *at += padded(file->size);
    return true;
}

snStatus sn_unpackFilesSection(const snSection* section, const char* file, snAsset** files, int* n,
                               snError* error)
{
    uint32_t count[2] = {0, 0};
    size_t at = COUNT_BYTES;
    *files = NULL;
    *n = 0;
    const bool whole = section->size >= COUNT_BYTES;
    if (whole) memcpy(count, section->data, sizeof count);
    // a file takes its head and 8 bytes of name at least
    if (!whole || count[1] || count[0] > SN_BINARY_FILE_LIMIT ||
        count[0] > (section->size - COUNT_BYTES) / (sizeof(FileHead) + 8))
        return sn_failAt(error, SN_STATUS_SYNTAX, file, 0,
                         "damaged model: its files do not fit their section");
    *files = sn_calloc((count[0] + (size_t)1) * sizeof **files);
    if (!*files) return sn_failAt(error, SN_STATUS_NO_MEMORY, file, 0, "out of memory");
    for (*n = 0; *n < (int)count[0]; ++*n)
        if (!takeFile(section, &at, &(*files)[*n])) break;
    if (*n == (int)count[0] && at == section->size) return SN_STATUS_OK;
    sn_failAt(error, SN_STATUS_SYNTAX, file, 0,
              "damaged model: file %d of its source has a bad name or does not fit its section", *n);
    sn_free(*files);
    *files = NULL;
    *n = 0;
    return SN_STATUS_SYNTAX;
}
