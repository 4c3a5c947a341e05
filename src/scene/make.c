// Making scenes: one block of memory each, the struct first.
#include "base/error.h"
#include "base/memory.h"
#include <sinew/scene.h>
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
    const size_t nskinvert = (size_t)scene->nskinvert;
    scene->geoms = place(block, &offset, room, sizeof *scene->geoms);
#define X(type, name, count, meaning) scene->name = place(block, &offset, count, sizeof(type));
    SNV_SCENE_ARRAYS(X)
#undef X
    return offset;
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
    snvScene* scene = sn_calloc(lay(&sizes, NULL));
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
