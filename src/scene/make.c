// Making scenes: one block of memory each, the struct first.
#include "base/error.h"
#include "base/memory.h"
#include <sinew/scene.h>
#include <limits.h>
#include <string.h>

// The next array of a block, whose offset grows by it; NULL block: only that.
static void* place(char* block, size_t* offset, size_t count, size_t size)
{
    void* at = block ? block + *offset : NULL;
    *offset += sn_alignUp(count * size);
    return at;
}

// Points the arrays of a scene into its block, or with a NULL block only measures it.
static size_t lay(snvScene* scene, char* block)
{
    size_t offset = sn_alignUp(sizeof *scene);
    const size_t room = (size_t)scene->room, room_skin = (size_t)scene->room_skin;
    const size_t nskinvert = (size_t)scene->nskinvert, room_flex = (size_t)scene->room_flex;
    const size_t nflexedge = (size_t)scene->nflexedge, nflexvert = (size_t)scene->nflexvert;
    const size_t nflexface = (size_t)scene->nflexface, nflextexcoord = (size_t)scene->nflextexcoord;
    scene->geoms = place(block, &offset, room, sizeof *scene->geoms);
#define X(type, name, count, meaning) scene->name = place(block, &offset, count, sizeof(type));
    SNV_SCENE_ARRAYS(X)
    SNV_SCENE_OWN_ARRAYS(X)
#undef X
    return offset;
}

// Tetrahedra of the layer that has most.
static int largestLayer(const snModel* m, int flex)
{
    const int *layer = m->flex_elemlayer + m->flex_elemadr[flex], count = m->flex_elemnum[flex];
    int most = 0, seen = 0;
    for (int k = 0; seen < count && k < count; k++) {
        int here = 0;
        for (int e = 0; e < count; e++) here += layer[e] == k;
        most = here > most ? here : most;
        seen += here;
    }
    return most;
}

// Room for faces of a flex: both sides of triangles and of the strips at their borders; all faces of the
// tetrahedra of a layer, or their outside.
static int facesOf(const snModel* m, int flex)
{
    const int elements = m->flex_elemnum[flex], shells = m->flex_shellnum[flex];
    switch (m->flex_dim[flex]) {
    case 2: return 2 * (elements + shells);
    case 3: return 4 * largestLayer(m, flex) > shells ? 4 * largestLayer(m, flex) : shells;
    default: return 0;
    }
}

static bool sizeFlexes(const snModel* m, snvScene* sizes)
{
    int faces = 0;
    for (int f = 0; f < m->nflex; f++) {
        const int more = facesOf(m, f);
        if (more > INT_MAX / 9 - faces) return false;
        faces += more;
    }
    sizes->nflex = sizes->room_flex = m->nflex;
    sizes->nflexedge = 2 * m->nflexedge;
    sizes->nflexvert = 3 * m->nflexvert;
    sizes->nflexface = 9 * faces;
    sizes->nflextexcoord = 6 * faces;
    return true;
}

static void layFlexes(const snModel* m, snvScene* scene)
{
    for (int f = 0, faces = 0; f < m->nflex; faces += scene->flexfacenum[f++]) {
        scene->flexedgeadr[f] = m->flex_edgeadr[f];
        scene->flexedgenum[f] = m->flex_edgenum[f];
        scene->flexvertadr[f] = m->flex_vertadr[f];
        scene->flexvertnum[f] = m->flex_vertnum[f];
        scene->flexfaceadr[f] = faces;
        scene->flexfacenum[f] = facesOf(m, f);
    }
    memcpy(scene->flexedge, m->flex_edge, (size_t)scene->nflexedge * sizeof(int));
}

snvScene* snv_makeScene(const snModel* m, int maxgeom, snError* error)
{
    if (maxgeom < 0) {
        sn_fail(error, SN_STATUS_ARGUMENT, "maxgeom is %d: it must not be negative", maxgeom);
        return NULL;
    }
    const int nskin = m ? m->nskin : 0, nskinvert = m ? 3 * m->nskinvert : 0;
    snvScene sizes = {
        .maxgeom = maxgeom, .room = maxgeom, .nskin = nskin, .room_skin = nskin, .nskinvert = nskinvert};
    const bool fits = !m || sizeFlexes(m, &sizes);
    snvScene* scene = !fits ? NULL : sn_calloc(lay(&sizes, NULL));
    if (!scene) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory for a scene of %d geoms", maxgeom);
        return NULL;
    }
    *scene = sizes;
    lay(scene, (char*)scene);
    scene->scale = scene->rotate[0] = 1;
    for (int i = 0; i < maxgeom; i++) scene->geoms[i].castshadow = 1; // also of those that a program fills in
#define X(name, value, label, initial, key, meaning) scene->flags[value] = initial;
    SN_RNDFLAG_TABLE(X)
#undef X
    if (m && m->nflex) layFlexes(m, scene);
    if (!nskin) return scene;
    const size_t size = (size_t)nskin * sizeof(int);
    memcpy(scene->skinfacenum, m->skin_facenum, size);
    memcpy(scene->skinvertadr, m->skin_vertadr, size);
    memcpy(scene->skinvertnum, m->skin_vertnum, size);
    return scene;
}

snvScene* snv_copyScene(const snvScene* scene)
{
    snvScene sizes = *scene;
    const size_t size = lay(&sizes, NULL);
    snvScene* copy = sn_malloc(size);
    if (!copy) return NULL;
    memcpy(copy, scene, size);
    lay(copy, (char*)copy);
    return copy;
}

void snv_freeScene(snvScene* scene)
{
    sn_free(scene);
}
