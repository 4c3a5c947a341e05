// The files that a model is made of, from the places and attributes of its source.
#include <sinew/spec.h>
#include <string.h>
#include "base/error.h"
#include "format/mjcf/mjcf.h"
#include "model/spec/spec_file.h"
#include "model/spec/tree.h"

enum { MAX_DEPTH = 32 }; // of models that attach each other

typedef struct Visit {
    snVisitFile* visit;
    void* user;
    snError* error;
    int depth;
} Visit;

static bool visitModel(const Visit* v, const char* path);

static bool isFileElement(const snElement* e)
{
    return !strcmp(e->tag, "mesh") || !strcmp(e->tag, "texture") || !strcmp(e->tag, "hfield") ||
           !strcmp(e->tag, "skin");
}

// Attributes file, fileright ... of an element below <asset>.
static bool visitFiles(const Visit* v, snSpec* spec, const snElement* e)
{
    const snSpecHead* head = e->record;
    if (!head || !e->parent || strcmp(e->parent->tag, "asset") || !isFileElement(e)) return true;
    const snSpecCompiler* c = sn_specCompiler(spec, head);
    const char* folder = !strcmp(e->tag, "texture") ? c->texturedir : c->meshdir;
    for (int i = 0; i < e->nattributes; i++) {
        const snAttributeText* a = &e->attributes[i];
        if (strncmp(a->name, "file", 4) || !*a->value) continue;
        const snAsset* asset;
        const char* found = sn_findSpecFile(spec, head, folder ? folder : c->assetdir, a->value, &asset);
        if (!found) return sn_fail(v->error, SN_STATUS_NO_MEMORY, "out of memory"), false;
        v->visit(v->user, found);
    }
    return true;
}

static bool visitAttached(const Visit* v, snSpec* spec, const snElement* e)
{
    const char* file = sn_attributeText(e, "file");
    if (!file || strcmp(e->tag, "model") || !e->parent || strcmp(e->parent->tag, "asset")) return true;
    const char* path = sn_findModelFile(spec, &e->place, file);
    if (!path) return sn_fail(v->error, SN_STATUS_NO_MEMORY, "out of memory"), false;
    const Visit inner = {v->visit, v->user, v->error, v->depth + 1};
    return visitModel(&inner, path);
}

static bool visitTree(const Visit* v, snSpec* spec)
{
    const char* last = spec->file;
    for (const snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e)) {
        if (e->place.file && e->place.line && strcmp(e->place.file, last))
            v->visit(v->user, last = e->place.file);
        if (!visitFiles(v, spec, e) || !visitAttached(v, spec, e)) return false;
    }
    return true;
}

static bool visitModel(const Visit* v, const char* path)
{
    v->visit(v->user, path);
    if (v->depth == MAX_DEPTH)
        return sn_fail(v->error, SN_STATUS_MODEL, "more than %d models are attached to each other",
                       MAX_DEPTH),
               false;
    snSpec* spec = sn_loadSpec(path, NULL, 0, NULL, v->error);
    const bool done = spec && sn_readSpec(spec, NULL, v->error) && visitTree(v, spec);
    sn_deleteSpec(spec);
    return done;
}

snStatus sn_visitDependencies(const char* path, snVisitFile* visit, void* user, snError* error)
{
    snError own = {0};
    const Visit v = {visit, user, error ? error : &own, 0};
    return visitModel(&v, path) ? SN_STATUS_OK : v.error->status;
}
