// Flexes of the text: bodies of vertices, elements, and how many edges and shells these make.
#include <limits.h>
#include <stddef.h>
#include "base/memory.h"
#include "compile/build/reference.h"
#include "compile/flex/elasticity.h"
#include "compile/flex/flex.h"
#include "compile/flex/topology.h"
#include "format/mjcf/language/words.h"
#include "model/flex.h"
#include "model/kinds.h"
#include "model/layout.h"

// ---- bodies

static int countWords(const char* text)
{
    int n = 0;
    while (sn_nextTextWord(&text).length) n++;
    return n;
}

static snSpecHead* findBody(snBuild* b, const snSpecFlex* f, snWord word)
{
    const char* name = sn_specText(b->spec, word.at, word.length);
    if (!name) sn_buildFail(b, &f->head, SN_STATUS_NO_MEMORY, "out of memory for a flex");
    if (!name || !sn_buildFind(b, &f->head, "body", SN_OBJ_BODY, name)) return NULL;
    return sn_findSpec(b->spec, SN_OBJ_BODY, name);
}

// A single name stands for all vertices.
static bool readBodies(snBuild* b, const snSpecFlex* f, snFlexParts* parts)
{
    const char* rest = f->body;
    const int n = countWords(rest);
    parts->nvert = f->vertex.count ? f->vertex.count / 3 : n;
    parts->body = sn_malloc((size_t)parts->nvert * sizeof *parts->body);
    if (!parts->body) return sn_buildFail(b, &f->head, SN_STATUS_NO_MEMORY, "out of memory for a flex");
    parts->rigid = true;
    snWord last = {rest, 0};
    for (int v = 0; v < parts->nvert; v++) {
        const snWord word = v < n ? sn_nextTextWord(&rest) : last;
        const bool same = v && word.length == last.length && !memcmp(word.at, last.at, word.length);
        parts->body[v] = same ? parts->body[v - 1] : findBody(b, f, word);
        last = word;
        if (!parts->body[v]) return false;
        parts->body[v]->id = SN_REFERENCED;
        parts->rigid &= parts->body[v] == parts->body[0];
    }
    return true;
}

static bool readElements(snBuild* b, const snSpecFlex* f, snFlexParts* parts)
{
    const size_t size = (size_t)f->element.count * sizeof(int);
    parts->nelem = f->element.count / (f->dim + 1);
    parts->element = sn_malloc(size);
    if (!parts->element) return sn_buildFail(b, &f->head, SN_STATUS_NO_MEMORY, "out of memory for a flex");
    memcpy(parts->element, f->element.values, size);
    return true;
}

static bool countParts(snBuild* b, const snSpecFlex* f, snFlexParts* parts)
{
    int *edge, *behind;
    const bool good = sn_flexEdges(parts->element, parts->nelem, f->dim, &edge, &parts->nedge, NULL);
    if (good) sn_free(edge);
    if (!good || !sn_flexBehind(parts->element, parts->nelem, f->dim, &behind))
        return sn_buildFail(b, &f->head, SN_STATUS_NO_MEMORY, "out of memory for a flex");
    for (int side = 0; side < parts->nelem * (f->dim + 1); side++) parts->nshell += behind[side] < 0;
    sn_free(behind);
    return true;
}

// The reader has seen to it that vertices, bodies and elements go with each other.
static bool loadFlex(snBuild* b, const snSpecFlex* f, snFlexParts* parts)
{
    return readBodies(b, f, parts) && readElements(b, f, parts) && sn_checkFlexUse(b, f, parts) &&
           countParts(b, f, parts);
}

bool sn_loadFlexes(snBuild* b)
{
    const int n = b->spec->flexes.count;
    b->flexes = n ? sn_calloc((size_t)n * sizeof *b->flexes) : NULL;
    if (n && !b->flexes) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory for flexes");
    snFlexParts* parts = b->flexes;
    SN_EACH (snSpecFlex, f, b->spec->flexes)
        if (!loadFlex(b, f, parts++)) return false;
    return true;
}

void sn_freeFlexes(snBuild* b)
{
    for (int i = 0; b->flexes && i < b->spec->flexes.count; i++) {
        sn_free(b->flexes[i].body);
        sn_free(b->flexes[i].element);
    }
    sn_free(b->flexes);
    b->flexes = NULL;
}

// ---- sizes

#define SIZE(name) sizes[offsetof(snModel, name) / sizeof(int)]

// Room for the dofs of edges until it is known which both ends share: those of the longest chain, twice.
static long long roomForDofs(const snBuild* b, const snSpecFlex* f, const snFlexParts* parts)
{
    int longest = 0;
    if (!sn_flexHasRows(b, f)) return 0;
    for (int v = 0; v < parts->nvert; v++) {
        int dofs = 0;
        for (const snSpecBody* body = b->body[parts->body[v]->id]; body; body = body->parent)
            SN_EACH (snSpecJoint, joint, body->joints) dofs += sn_jointDofs(joint->type);
        if (dofs > longest) longest = dofs;
    }
    return 2LL * longest * parts->nedge;
}

bool sn_countFlexes(snBuild* b, int sizes[])
{
    long long vert = 0, edge = 0, data = 0, elemedge = 0, shell = 0, texcoord = 0, dofs = 0, K = 0, Q = 0;
    const snFlexParts* parts = b->flexes;
    SN_EACH (snSpecFlex, f, b->spec->flexes) {
        vert += parts->nvert;
        edge += parts->nedge;
        data += f->element.count;
        elemedge += (long long)parts->nelem * sn_flexElementEdges(f->dim);
        shell += (long long)parts->nshell * f->dim;
        texcoord += f->texcoord.count / 2;
        dofs += roomForDofs(b, f, parts);
        if (!parts->rigid && sn_flexStretches(f)) K += (long long)parts->nelem * sn_flexStiffness(f->dim);
        if (!parts->rigid && sn_flexBends(f)) Q += (long long)parts->nedge * SN_FLEX_BENDING;
        SIZE(nflexelem) += parts->nelem;
        parts++;
    }
    const long long most = SN_SIZE_LIMIT;
    if (vert > most || edge > most || data > most || elemedge > most || shell > most || dofs > most ||
        K > most || Q > most)
        return sn_buildFail(b, NULL, SN_STATUS_MODEL, "the flexes are too large in all");
    SIZE(nflexvert) = (int)vert;
    SIZE(nflexedge) = (int)edge;
    SIZE(nflexelemdata) = (int)data;
    SIZE(nflexelemedge) = (int)elemedge;
    SIZE(nflexshelldata) = (int)shell;
    SIZE(nflextexcoord) = (int)texcoord;
    SIZE(nJfe) = (int)dofs;
    SIZE(nflexstiffness) = (int)K;
    SIZE(nflexbending) = (int)Q;
    return true;
}
