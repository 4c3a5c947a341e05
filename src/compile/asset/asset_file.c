#include "compile/asset/asset_file.h"
#include "base/memory.h"
#include "base/search.h"

bool sn_openAsset(snBuild* b, const snSpecHead* element, bool texture, const char* name, snSpecFile* file)
{
    const snSpecCompiler* c = sn_specCompiler(b->spec, element);
    const char* folder = texture ? c->texturedir : c->meshdir;
    return sn_openSpecFile(b->spec, element, folder ? folder : c->assetdir, name, file, b->error);
}

bool sn_isPng(const char* content_type, const char* file)
{
    if (content_type) return sn_isSameWord(content_type, "image/png");
    const size_t n = strlen(file);
    return n >= 4 && sn_isSameWord(file + n - 4, ".png");
}

bool sn_buildFileFail(snBuild* b, const snSpecHead* element, const snError* why)
{
    const snError copy = *why;
    return sn_buildFail(b, element, copy.status, "%.500s", copy.message);
}

void* sn_buildRoom(snBuild* b, const snSpecHead* element, size_t n, size_t width)
{
    void* room = n <= (size_t)1 << 40 ? sn_malloc(n ? n * width : 1) : NULL;
    if (!room)
        sn_buildFail(b, element, SN_STATUS_NO_MEMORY, "out of memory: %zu items of %zu bytes", n, width);
    return room;
}
