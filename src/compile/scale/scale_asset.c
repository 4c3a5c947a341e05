// Assets in scaled frames: a mesh or a height field that is used at several scales becomes one of each, the
// first of which keeps its name. Skins are scaled with their bones.
#include <stdio.h>
#include "compile/scale/scale.h"
#include "format/mesh/skin_file.h"

// A mesh or height field at one scale.
typedef struct Instance {
    struct Instance* next;
    const snSpecHead* asset; // of the description
    snSpecHead* made;        // what has this scale: the asset itself, or a copy
    double map[9];
} Instance;

// An asset as it is described.
typedef struct Original {
    struct Original* next;
    const snSpecHead* asset;
    snSpecHead* copy;
    int instances;
} Original;

typedef struct Assets {
    snBuild* b;
    Instance* instances;
    Original* originals;
} Assets;

// Whether two scales are the same, but for rounding.
static bool isSame(const double a[9], const double b[9])
{
    double most = 0, apart = 0;
    for (int k = 0; k < 9; k++) {
        most = sn_max(fabs(a[k]), most);
        apart = sn_max(fabs(a[k] - b[k]), apart);
    }
    return apart <= 1e-10 * most;
}

static bool noMemory(Assets* a)
{
    return sn_buildFail(a->b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
}

static snSpecHead* copyOf(snBuild* b, const snSpecHead* asset, snObjType kind)
{
    const size_t size = kind == SN_OBJ_MESH ? sizeof(snSpecMesh) : sizeof(snSpecHfield);
    snSpecHead* copy = sn_specAlloc(b->spec, size);
    if (copy) memcpy(copy, asset, size);
    return copy;
}

// The asset as it was before its first use scaled it.
static Original* originalOf(Assets* a, const snSpecHead* asset, snObjType kind)
{
    Original* original = a->originals;
    while (original && original->asset != asset) original = original->next;
    if (original) return original;
    original = sn_specAlloc(a->b->spec, sizeof *original);
    snSpecHead* copy = original ? copyOf(a->b, asset, kind) : NULL;
    if (!copy) return NULL;
    *original = (Original){a->originals, asset, copy, 0};
    a->originals = original;
    return original;
}

static bool isDiagonal(const double map[9])
{
    for (int k = 0; k < 9; k++)
        if (k % 4 && fabs(map[k]) > 1e-12 * fabs(map[0])) return false;
    return true;
}

static void stretch(snSpecHead* asset, snObjType kind, const double map[9])
{
    snSpecMesh* mesh = (snSpecMesh*)asset;
    double* factors = kind == SN_OBJ_MESH ? mesh->scale : ((snSpecHfield*)asset)->size;
    if (kind == SN_OBJ_MESH && !isDiagonal(map)) {
        memcpy(mesh->stretch, map, sizeof mesh->stretch);
        return;
    }
    for (int k = 0; k < 3; k++) factors[k] *= map[4 * k];
    if (kind == SN_OBJ_HFIELD) factors[3] *= map[8];
}

// A copy of an asset with the name ASSET@number, behind all others.
static snSpecHead* addCopy(Assets* a, const Original* original, snObjType kind)
{
    snBuild* b = a->b;
    const size_t length = strlen(original->copy->name) + 14;
    snSpecHead* copy = copyOf(b, original->copy, kind);
    char* name = sn_specAlloc(b->spec, length);
    if (!copy || !name) {
        noMemory(a);
        return NULL;
    }
    snprintf(name, length, "%s@%d", original->copy->name, original->instances);
    copy->name = name;
    copy->node = NULL;
    if (sn_findSpec(b->spec, kind, name)) {
        sn_buildFail(b, original->asset, SN_STATUS_MODEL,
                     "at another scale it has the name \"%.60s\", which is taken", name);
        return NULL;
    }
    if (!sn_nameSpec(b->spec, kind, copy, b->error)) return NULL;
    if (kind == SN_OBJ_MESH) {
        ((snSpecMesh*)copy)->next = NULL;
        SN_SPEC_APPEND(&b->spec->meshes, (snSpecMesh*)copy);
    } else {
        ((snSpecHfield*)copy)->next = NULL;
        SN_SPEC_APPEND(&b->spec->hfields, (snSpecHfield*)copy);
    }
    return copy;
}

// The asset at a scale, made when it is used there for the first time; NULL: the error says why.
static snSpecHead* instanceOf(Assets* a, snSpecHead* asset, snObjType kind, const double map[9])
{
    for (const Instance* i = a->instances; i; i = i->next)
        if (i->asset == asset && isSame(i->map, map)) return i->made;
    Original* original = originalOf(a, asset, kind);
    Instance* instance = sn_specAlloc(a->b->spec, sizeof *instance);
    if (!original || !instance) {
        noMemory(a);
        return NULL;
    }
    snSpecHead* made = original->instances ? addCopy(a, original, kind) : asset;
    if (!made) return NULL;
    original->instances++;
    stretch(made, kind, map);
    *instance = (Instance){.next = a->instances, .asset = asset, .made = made};
    memcpy(instance->map, map, sizeof instance->map);
    a->instances = instance;
    return made;
}

// Has an element that uses an asset use the instance of its scale.
static bool useInstance(Assets* a, const snSpecHead* element, const snOrientation* orient, snObjType kind,
                        const char** name)
{
    snSpecHead* asset = *name ? sn_findSpec(a->b->spec, kind, *name) : NULL;
    double map[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (!asset) return true; // who builds the element tells what is missing
    if (element->scale) {
        snScale own;
        snQuat turn = {1, 0, 0, 0};
        if (!element->scale->even && !sn_buildOrient(a->b, element, orient, &turn)) return false;
        sn_scaleTurned(element->scale, turn, &own);
        memcpy(map, own.map, sizeof map);
    }
    const snSpecHead* made = instanceOf(a, asset, kind, map);
    if (!made) return false;
    *name = made->name;
    return true;
}

bool sn_scaleAssets(snBuild* b)
{
    Assets a = {.b = b};
    for (snSpecBody* body = b->spec->world; body; body = sn_specNextBody(body))
        for (snSpecGeom* e = body->geoms.first; e; e = e->next)
            if (!useInstance(&a, &e->head, &e->orient, SN_OBJ_MESH, &e->mesh) ||
                !useInstance(&a, &e->head, &e->orient, SN_OBJ_HFIELD, &e->hfield))
                return false;
    for (snSpecBody* body = b->spec->world; body; body = sn_specNextBody(body))
        for (snSpecSite* e = body->sites.first; e; e = e->next)
            if (!useInstance(&a, &e->head, &e->orient, SN_OBJ_MESH, &e->mesh)) return false;
    return true;
}

// ---- skins

// The scale that all bones share; false: they do not.
static bool scaleOfSkin(snBuild* b, const snSpecSkin* s, const snSkinFile* skin, const snScale** scale)
{
    for (int i = 0; i < skin->nbone; i++) {
        const snScale* own = sn_scaleOf(b->spec, SN_OBJ_BODY, skin->bone[i].body);
        if (i == 0) *scale = own;
        if (own && !own->even)
            return sn_buildFail(b, &s->head, SN_STATUS_UNSUPPORTED,
                                "not supported yet: a skin on bodies whose scale differs between axes");
        if (!sn_isSameScale(own, *scale))
            return sn_buildFail(b, &s->head, SN_STATUS_MODEL, "the bones of a skin must have the same scale");
    }
    return true;
}

bool sn_scaleSkins(snBuild* b)
{
    snSkinFile* skin = b->skins;
    for (snSpecSkin* s = b->spec->skins.first; s; s = s->next, skin++) {
        const snScale* scale = NULL;
        if (!scaleOfSkin(b, s, skin, &scale)) return false;
        if (!scale) continue;
        const float length = (float)scale->length;
        s->inflate *= length;
        for (int k = 0; k < 3 * skin->nvert; k++) skin->vert[k] *= length;
        for (int i = 0; i < skin->nbone; i++)
            for (int k = 0; k < 3; k++) skin->bone[i].bindpos[k] *= length;
    }
    return true;
}
