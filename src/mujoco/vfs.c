// Files in memory: a list of names and bytes.
#include "inside.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/platform/files.h"

typedef struct Files {
    int count;
    snAsset list[]; // name and data of each in a block of its own, which begins with the name
} Files;

void mj_defaultVFS(mjVFS* vfs)
{
    vfs->impl_ = NULL;
}

const snAsset* filesOf(const mjVFS* vfs, int* count)
{
    const Files* files = vfs ? vfs->impl_ : NULL;
    *count = files ? files->count : 0;
    return files ? files->list : NULL;
}

static int placeOf(const mjVFS* vfs, const char* name)
{
    int count;
    const snAsset* list = filesOf(vfs, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0) return i;
    return -1;
}

// Room for a file of so many bytes, which are to be filled; NULL: out of memory.
static char* addFile(mjVFS* vfs, const char* name, size_t size)
{
    const int count = vfs->impl_ ? ((Files*)vfs->impl_)->count : 0;
    const size_t length = strlen(name) + 1;
    if (size > SIZE_MAX / 2) return NULL;
    Files* files = realloc(vfs->impl_, sizeof(Files) + ((size_t)count + 1) * sizeof(snAsset));
    if (!files) return NULL;
    if (!vfs->impl_) files->count = 0;
    vfs->impl_ = files;
    char* block = malloc(length + size);
    if (!block) return NULL;
    memcpy(block, name, length);
    files->list[files->count++] = (snAsset){.name = block, .data = block + length, .size = size};
    return block + length;
}

int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer)
{
    if (nbuffer < 0 || (nbuffer && !buffer)) return -1;
    if (placeOf(vfs, name) >= 0) return 2;
    char* bytes = addFile(vfs, name, (size_t)nbuffer);
    if (bytes && nbuffer) memcpy(bytes, buffer, (size_t)nbuffer);
    return bytes ? 0 : -1;
}

static int readFile(mjVFS* vfs, const char* path, const char* name)
{
    FILE* file = sn_openStream(path, "rb");
    if (!file) return -1;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size >= 0 && fseek(file, 0, SEEK_SET) != 0) size = -1;
    char* bytes = size >= 0 ? addFile(vfs, name, (size_t)size) : NULL;
    const bool whole = bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size;
    fclose(file);
    if (bytes && !whole) mj_deleteFileVFS(vfs, name);
    return whole ? 0 : -1;
}

int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename)
{
    if (placeOf(vfs, filename) >= 0) return 2;
    const char* folder = directory ? directory : "";
    const size_t length = strlen(folder), size = length + strlen(filename) + 2;
    char* path = malloc(size);
    if (!path) return -1;
    snprintf(path, size, "%s%s%s", folder, length && !sn_isSlash(folder[length - 1]) ? "/" : "", filename);
    const int result = readFile(vfs, path, filename);
    free(path);
    return result;
}

int mj_deleteFileVFS(mjVFS* vfs, const char* filename)
{
    Files* files = vfs->impl_;
    const int place = placeOf(vfs, filename);
    if (place < 0) return -1;
    free((char*)(size_t)files->list[place].name);
    files->count--;
    memmove(files->list + place, files->list + place + 1, (size_t)(files->count - place) * sizeof(snAsset));
    return 0;
}

void mj_deleteVFS(mjVFS* vfs)
{
    int count;
    const snAsset* list = filesOf(vfs, &count);
    for (int i = 0; i < count; i++) free((char*)(size_t)list[i].name);
    free(vfs->impl_);
    vfs->impl_ = NULL;
}
