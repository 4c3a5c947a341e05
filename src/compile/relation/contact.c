// Predefined contact pairs and excluded pairs of bodies, sorted by signature: body1 << 16 + body2 with
// body1 <= body2.
#include "base/memory.h"
#include "compile/relation/relation.h"
#include "model/signature.h"
#include <stdlib.h>

typedef struct {
    int signature, order;
    const void* element;
} Signed;

static int bySignature(const void* a, const void* b)
{
    const Signed *x = a, *y = b;
    if (x->signature != y->signature) return x->signature < y->signature ? -1 : 1;
    return x->order - y->order;
}

static void buildPair(snModel* m, snSpecPair* pair, int id, int geom1, int geom2, int signature)
{
    pair->head.id = id;
    m->pair_dim[id] = pair->condim;
    m->pair_geom1[id] = geom1;
    m->pair_geom2[id] = geom2;
    m->pair_signature[id] = signature;
    m->pair_margin[id] = pair->margin;
    m->pair_gap[id] = pair->gap;
    m->pair_adhesion[id] = pair->adhesion;
    memcpy(m->pair_solref + SN_NREF * id, pair->solref, sizeof pair->solref);
    memcpy(m->pair_solreffriction + SN_NREF * id, pair->solreffriction, sizeof pair->solreffriction);
    memcpy(m->pair_solimp + SN_NIMP * id, pair->solimp, sizeof pair->solimp);
    memcpy(m->pair_friction + 5 * id, pair->friction, sizeof pair->friction);
}

// The geoms of a pair, in the order of their bodies.
static bool pairGeoms(snBuild* b, const snSpecPair* pair, int geom[2], int* signature)
{
    const snSpecHead* first = sn_buildFind(b, &pair->head, "geom1", SN_OBJ_GEOM, pair->geom1);
    const snSpecHead* second = first ? sn_buildFind(b, &pair->head, "geom2", SN_OBJ_GEOM, pair->geom2) : NULL;
    if (!second) return false;
    const int* body = b->m->geom_bodyid;
    const bool swap = body[first->id] > body[second->id];
    geom[0] = swap ? second->id : first->id;
    geom[1] = swap ? first->id : second->id;
    *signature = sn_signature(body[geom[0]], body[geom[1]]);
    return true;
}

static bool buildPairs(snBuild* b, Signed* sorted)
{
    snModel* m = b->m;
    int n = 0, geom[2];
    SN_EACH (snSpecPair, pair, b->spec->pairs) {
        if (pair->condim != 1 && pair->condim != 3 && pair->condim != 4 && pair->condim != 6)
            return sn_buildFail(b, &pair->head, SN_STATUS_MODEL, "condim is %d, must be 1, 3, 4 or 6",
                                pair->condim);
        sorted[n] = (Signed){0, n, pair};
        if (!pairGeoms(b, pair, geom, &sorted[n].signature)) return false;
        n++;
    }
    if (n) qsort(sorted, (size_t)n, sizeof *sorted, bySignature);
    for (int i = 0; i < n; i++) {
        snSpecPair* pair = (snSpecPair*)sorted[i].element;
        int signature;
        if (!pairGeoms(b, pair, geom, &signature)) return false;
        buildPair(m, pair, i, geom[0], geom[1], signature);
    }
    return true;
}

static bool buildExcludes(snBuild* b, Signed* sorted)
{
    int n = 0;
    SN_EACH (snSpecExclude, exclude, b->spec->excludes) {
        const snSpecHead* first = sn_buildFind(b, &exclude->head, "body1", SN_OBJ_BODY, exclude->body1);
        const snSpecHead* second =
            first ? sn_buildFind(b, &exclude->head, "body2", SN_OBJ_BODY, exclude->body2) : NULL;
        if (!second) return false;
        const int low = first->id < second->id ? first->id : second->id;
        const int high = first->id < second->id ? second->id : first->id;
        sorted[n] = (Signed){sn_signature(low, high), n, exclude};
        n++;
    }
    if (n) qsort(sorted, (size_t)n, sizeof *sorted, bySignature);
    for (int i = 0; i < n; i++) {
        ((snSpecExclude*)sorted[i].element)->head.id = i;
        b->m->exclude_signature[i] = sorted[i].signature;
    }
    return true;
}

bool sn_buildContacts(snBuild* b)
{
    const int npair = b->m->npair, nexclude = b->m->nexclude;
    Signed* sorted = sn_malloc((size_t)(npair + nexclude) * sizeof *sorted);
    if (!sorted) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    const bool good = buildPairs(b, sorted) && buildExcludes(b, sorted);
    sn_free(sorted);
    return good;
}
