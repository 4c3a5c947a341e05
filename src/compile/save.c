// A spec to MJCF text, by way of the model that it compiles to.
#include <sinew/spec.h>
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "format/mjcf/mjcf.h"
#include "format/mjcf/write.h"

// Ids that elements have from the user's own compilations, [2 x elements]; NULL: out of memory.
static int* keepIds(const snSpec* spec)
{
    size_t n = 0;
    for (const snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e)) n++;
    int* ids = sn_malloc(2 * n * sizeof *ids);
    if (!ids) return NULL;
    int* at = ids;
    for (const snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e)) {
        *at++ = e->id;
        *at++ = e->oldid;
    }
    return ids;
}

static void restoreIds(snSpec* spec, int* ids)
{
    const int* at = ids;
    for (snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e)) {
        e->id = *at++;
        e->oldid = *at++;
    }
    sn_free(ids);
}

char* sn_writeSpec(snSpec* spec, const char* folder, size_t* size, snError* error)
{
    char* text = NULL;
    size_t length = 0;
    if (!sn_readSpec(spec, error)) return NULL; // expands what stands for others, so that elements stay
    int* ids = keepIds(spec);
    if (!ids) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    snModel* m = sn_compile(spec, error);
    if (m && sn_readSpec(spec, error)) sn_writeMJCF(spec, m, folder ? folder : "", &text, &length, error);
    sn_deleteModel(m);
    restoreIds(spec, ids);
    if (size) *size = length;
    return text;
}

void sn_freeText(char* text)
{
    sn_free(text);
}

snStatus sn_saveSpec(snSpec* spec, const char* path, snError* error)
{
    snError own;
    if (!error) error = &own;
    const size_t n = (size_t)(sn_baseName(path) - path);
    char* folder = sn_calloc(n + 1);
    if (!folder) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    memcpy(folder, path, n);
    size_t size;
    char* text = sn_writeSpec(spec, folder, &size, error);
    sn_free(folder);
    if (!text) return error->status;
    const snStatus status = sn_writeFile(path, text, size, error);
    sn_free(text);
    return status;
}
