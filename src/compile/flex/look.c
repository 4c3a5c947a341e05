// What elements of flexes look like: their materials and texture coordinates.
#include "compile/build/reference.h"
#include "compile/flex/flex.h"
#include "format/mjcf/language/words.h"

static bool isList(const snBuild* b, const char* text)
{
    const char* rest = text;
    sn_nextTextWord(&rest);
    return sn_nextTextWord(&rest).length && !sn_findSpec(b->spec, SN_OBJ_MATERIAL, text);
}

// A material for each element.
static bool fillEach(snBuild* b, const snSpecFlex* f, int nelem, int* matid)
{
    const char* rest = f->material;
    snWord last = {rest, 0};
    int n = 0;
    for (snWord word; (word = sn_nextTextWord(&rest)).length; n++) {
        if (n >= nelem) continue;
        const bool same = n && word.length == last.length && !memcmp(word.at, last.at, word.length);
        const char* name = same ? NULL : sn_specText(b->spec, word.at, word.length);
        if (same)
            matid[n] = matid[n - 1];
        else if (!name)
            return sn_buildFail(b, &f->head, SN_STATUS_NO_MEMORY, "out of memory for a flex");
        else if (!sn_buildFindId(b, &f->head, "material", SN_OBJ_MATERIAL, name, &matid[n]))
            return false;
        last = word;
    }
    return n == nelem ||
           sn_buildFail(b, &f->head, SN_STATUS_MODEL,
                        "material has %d names for %d elements: name one of each, or one of all", n, nelem);
}

bool sn_fillFlexMaterials(snBuild* b, const snSpecFlex* f, int nelem, int* matid)
{
    if (f->material && isList(b, f->material)) return fillEach(b, f, nelem, matid);
    if (!sn_buildFindId(b, &f->head, "material", SN_OBJ_MATERIAL, f->material, matid)) return false;
    for (int e = 1; e < nelem; e++) matid[e] = matid[0];
    return true;
}

void sn_fillFlexTexture(const snSpecFlex* f, const int* element, int* elemtexcoord, float* texcoord)
{
    const bool own = f->elemtexcoord.count && f->texcoord.count;
    const int corners = f->dim + 1;
    for (int i = 0; i < f->element.count; i++) elemtexcoord[i] = own ? f->elemtexcoord.values[i] : element[i];
    for (int i = 0; own && i < f->element.count; i += corners) {
        if (element[i + 1] == f->element.values[i + 1]) continue; // else corners 1 and 2 have changed places
        elemtexcoord[i + 1] = f->elemtexcoord.values[i + 2];
        elemtexcoord[i + 2] = f->elemtexcoord.values[i + 1];
    }
    for (int i = 0; i < f->texcoord.count; i++) texcoord[i] = f->texcoord.values[i];
}
