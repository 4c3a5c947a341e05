// sn_dedupAssets: textures and meshes that say the same become one.
#include <sinew/spec.h>
#include "base/error.h"
#include "base/memory.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/mjcf.h"
#include "format/mjcf/tree/edit.h"
#include "model/spec/spec_file.h"
#include <string.h>

// ---- values of two records

static bool sameBytes(const void* a, const void* b, size_t size)
{
    return !size || !memcmp(a, b, size);
}

static bool sameText(const char* a, const char* b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

// Whether two elements' files are one, looked up where each of them stands.
static bool sameFile(snSpec* spec, const snSpecHead* a, const snSpecHead* b, bool texture, const char* one,
                     const char* other)
{
    if (!one || !other) return one == other;
    const snSpecHead* heads[2] = {a, b};
    const char *files[2] = {one, other}, *found[2];
    const snAsset* assets[2];
    for (int i = 0; i < 2; i++) {
        const snSpecCompiler* c = sn_specCompiler(spec, heads[i]);
        const char* own = texture ? c->texturedir : c->meshdir;
        found[i] = sn_findSpecFile(spec, heads[i], own ? own : c->assetdir, files[i], &assets[i]);
    }
    return assets[0] == assets[1] && sameText(found[0], found[1]);
}

static bool sameMember(snSpec* spec, const snSpecHead* one, const snSpecHead* other, const snAttribute* a,
                       bool texture)
{
    const char *x = (const char*)one + a->offset, *y = (const char*)other + a->offset;
    const snSpecNumbers *numbers = (const void*)x, *others = (const void*)y;
    const snSpecFloats *floats = (const void*)x, *other_floats = (const void*)y;
    const snSpecInts *ints = (const void*)x, *other_ints = (const void*)y;
    switch (a->kind) {
    case SN_ATTR_TEXT:
    case SN_ATTR_REF: {
        const char *text = *(const char*const*)x, *other_text = *(const char*const*)y;
        if (!strncmp(a->name, "file", 4)) return sameFile(spec, one, other, texture, text, other_text);
        return sameText(text, other_text);
    }
    case SN_ATTR_LIST:
        return numbers->count == others->count &&
               sameBytes(numbers->values, others->values, (size_t)numbers->count * sizeof(double));
    case SN_ATTR_FLIST:
        return floats->count == other_floats->count &&
               sameBytes(floats->values, other_floats->values, (size_t)floats->count * sizeof(float));
    case SN_ATTR_ILIST:
        return ints->count == other_ints->count &&
               sameBytes(ints->values, other_ints->values, (size_t)ints->count * sizeof(int));
    default: return sameBytes(x, y, sn_mjcfMemberSize(a));
    }
}

static bool isSame(snSpec* spec, const snSpecHead* one, const snSpecHead* other, snMjcfId id)
{
    const snMjcfElement* type = sn_mjcfElement(id);
    for (int i = 0; i < type->nattributes; i++)
        if (!sameMember(spec, one, other, &type->attributes[i], id == SN_MJCF_TEXTURE)) return false;
    return true;
}

// ---- groups

// An asset that goes, and the one that stays for it.
typedef struct Merged {
    snElement *gone, *kept;
} Merged;

static bool isNamed(const snSpecHead* head)
{
    const char* name = sn_attributeText(head->node, "name");
    return name && *name;
}

// Those of one kind behind the first of each group; *n counts them.
static void gather(snSpec* spec, const snSpecHead* const* all, int count, snMjcfId id, Merged* merged, int* n)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            bool went = false;
            for (int g = 0; g < *n; g++) went |= merged[g].gone == all[k]->node;
            if (went || !isNamed(all[i]) || !isNamed(all[k]) || !isSame(spec, all[i], all[k], id)) continue;
            merged[(*n)++] = (Merged){all[i]->node, all[k]->node};
            break;
        }
}

int sn_dedupAssets(snSpec* spec, snError* error)
{
    snError own;
    if (!error) error = &own;
    if (!sn_readSpec(spec, NULL, error)) return -1;
    const int room = spec->textures.count + spec->meshes.count + 1;
    const snSpecHead** all = sn_calloc((size_t)room * sizeof *all);
    Merged* merged = sn_calloc((size_t)room * sizeof *merged);
    int n = 0, count = 0;
    bool good = all && merged;
    if (good) {
        SN_EACH (snSpecTexture, texture, spec->textures) all[count++] = &texture->head;
        gather(spec, all, count, SN_MJCF_TEXTURE, merged, &n);
        count = 0;
        SN_EACH (snSpecMesh, mesh, spec->meshes) all[count++] = &mesh->head;
        gather(spec, all, count, SN_MJCF_MESH, merged, &n);
    }
    for (int i = 0; good && i < n; i++) {
        good = sn_renameReferences(spec, merged[i].gone, sn_mjcfName(merged[i].gone),
                                   sn_mjcfName(merged[i].kept));
        sn_unlinkElement(merged[i].gone);
    }
    if (n) spec->read = false;
    sn_free(all);
    sn_free(merged);
    if (!good) sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    return good ? n : -1;
}
