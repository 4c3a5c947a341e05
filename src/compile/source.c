#include "compile/source.h"
#include "base/memory.h"
#include "format/mjcf/mjcf.h"

int* sn_keepIds(const snSpec* spec)
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

void sn_restoreIds(snSpec* spec, int* ids)
{
    const int* at = ids;
    for (snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e)) {
        e->id = *at++;
        e->oldid = *at++;
    }
    sn_free(ids);
}

snModel* sn_compileUnscaled(snSpec* spec, const snLoadOptions* options, snError* error)
{
    snLoadOptions quiet = options ? *options : (snLoadOptions){0};
    quiet.warnings = NULL;
    spec->unscaled = true;
    snModel* m = sn_compile(spec, &quiet, error);
    spec->unscaled = false;
    return m;
}

snModel* sn_compileBare(snSpec* spec, const snLoadOptions* options, snError* error)
{
    spec->bare = true;
    snModel* m = sn_compileUnscaled(spec, options, error);
    spec->bare = false;
    return m;
}
