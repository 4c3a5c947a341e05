#include "compile/source.h"
#include "base/memory.h"
#include "format/mjcf/mjcf.h"

snKeptId* sn_keepIds(const snSpec* spec)
{
    size_t n = 1;
    for (const snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e)) n++;
    snKeptId* ids = sn_malloc(n * sizeof *ids);
    if (!ids) return NULL;
    snKeptId* at = ids;
    for (snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e))
        *at++ = (snKeptId){e, e->id, e->oldid};
    at->element = NULL;
    return ids;
}

void sn_restoreIds(snSpec* spec, snKeptId* ids)
{
    for (snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e)) e->id = e->oldid = -1;
    for (const snKeptId* kept = ids; kept->element; kept++) {
        kept->element->id = kept->id;
        kept->element->oldid = kept->oldid;
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
