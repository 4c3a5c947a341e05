#include "format/mjcf/tree/attach_skin.h"
#include "base/memory.h"
#include "base/number.h"
#include "format/mesh/skin_file.h"
#include "model/spec/spec_file.h"
#include <string.h>

enum { NUMBER = 26 }; // characters of a number and of a space, %.17g

// An attribute of numbers; none: it is left out. false: out of memory.
static bool putReals(snPool* pool, snElement* e, const char* name, const double* numbers, int n)
{
    if (!n) return true;
    const size_t size = (size_t)n * NUMBER + 1;
    char* text = sn_malloc(size);
    if (!text) return false;
    sn_printReals(text, size, numbers, n);
    const bool put = sn_putAttribute(pool, e, name, text);
    sn_free(text);
    return put;
}

static bool putFloats(snPool* pool, snElement* e, const char* name, const float* numbers, int n)
{
    double* wide = sn_malloc((size_t)n * sizeof *wide + 1);
    for (int i = 0; wide && i < n; i++) wide[i] = (double)numbers[i];
    const bool put = wide && putReals(pool, e, name, wide, n);
    sn_free(wide);
    return put;
}

static bool putInts(snPool* pool, snElement* e, const char* name, const int* numbers, int n)
{
    double* wide = sn_malloc((size_t)n * sizeof *wide + 1);
    for (int i = 0; wide && i < n; i++) wide[i] = numbers[i];
    const bool put = wide && putReals(pool, e, name, wide, n);
    sn_free(wide);
    return put;
}

static bool addBone(snPool* pool, snElement* skin, const snSkinFile* from, const snSkinBone* bone)
{
    snElement* e = sn_newElement(pool, "bone", skin->place);
    if (!e) return false;
    e->origin = skin->origin;
    sn_linkElement(skin, e, NULL);
    return sn_putAttribute(pool, e, "body", bone->body) && putFloats(pool, e, "bindpos", bone->bindpos, 3) &&
           putFloats(pool, e, "bindquat", bone->bindquat, 4) &&
           putInts(pool, e, "vertid", from->bonevert + bone->vertadr, bone->vertnum) &&
           putFloats(pool, e, "vertweight", from->weight + bone->vertadr, bone->vertnum);
}

static bool putSkin(snPool* pool, snElement* e, const snSkinFile* skin)
{
    for (int i = 0; i < skin->nbone; i++)
        if (!addBone(pool, e, skin, skin->bone + i)) return false;
    return sn_putAttribute(pool, e, "file", NULL) &&
           putFloats(pool, e, "vertex", skin->vert, 3 * skin->nvert) &&
           putFloats(pool, e, "texcoord", skin->texcoord, 2 * skin->ntexcoord) &&
           putInts(pool, e, "face", skin->face, 3 * skin->nface);
}

bool sn_attachSkin(snPool* pool, snElement* copy, snSpec* child, const snElement* from)
{
    const char* file = strcmp(from->tag, "skin") ? NULL : sn_attributeText(from, "file");
    const snSpecHead* head = from->record;
    if (!file || !*file || !head) return true;
    const snSpecCompiler* c = sn_specCompiler(child, head);
    snSpecFile bytes;
    snSkinFile skin;
    if (!sn_openSpecFile(child, head, c->meshdir ? c->meshdir : c->assetdir, file, &bytes, NULL)) return true;
    const snStatus status = sn_readSkin(bytes.name, bytes.data, bytes.size, &skin, NULL);
    sn_closeSpecFile(&bytes);
    if (status != SN_STATUS_OK) return true; // the compiler tells what is wrong with it
    const bool named = sn_attributeText(copy, "name") || sn_putAttribute(pool, copy, "name", head->name);
    const bool put = named && putSkin(pool, copy, &skin);
    sn_freeSkinFile(&skin);
    return put;
}
