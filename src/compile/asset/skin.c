// Skins: files and numbers of the text into vertices, triangles and bones of the model.
#include "compile/asset/asset.h"
#include <limits.h>
#include "base/memory.h"
#include "base/search.h"
#include "compile/asset/asset_file.h"
#include "compile/build/reference.h"
#include "format/mesh/skin_file.h"

// ---- from the description

static bool readFile(snBuild* b, const snSpecSkin* s, snSkinFile* skin)
{
    const size_t n = strlen(s->file);
    if (s->vertex.count || s->texcoord.count || s->face.count || s->bones.count)
        return sn_buildFail(b, &s->head, SN_STATUS_MODEL,
                            "has both a file and data of its own: leave out one");
    if (n < 4 || !sn_isSameWord(s->file + n - 4, ".skn"))
        return sn_buildFail(b, &s->head, SN_STATUS_UNSUPPORTED, "file=\"%.100s\": a skin's file is .skn",
                            s->file);
    snSpecFile file;
    if (!sn_openAsset(b, &s->head, false, s->file, &file)) return false;
    snError why;
    const snStatus status = sn_readSkin(file.name, file.data, file.size, skin, &why);
    sn_closeSpecFile(&file);
    return !status || sn_buildFileFail(b, &s->head, &why);
}

static void copyItems(void* to, const void* from, int count, size_t width)
{
    if (count) memcpy(to, from, (size_t)count * width);
}

static bool countText(snBuild* b, const snSpecSkin* s, snSkinFile* skin)
{
    if (s->vertex.count % 3)
        return sn_buildFail(b, &s->head, SN_STATUS_MODEL, "vertex needs three numbers a vertex, it has %d",
                            s->vertex.count);
    if (s->texcoord.count % 2)
        return sn_buildFail(b, &s->head, SN_STATUS_MODEL, "texcoord needs two numbers a vertex, it has %d",
                            s->texcoord.count);
    if (s->face.count % 3)
        return sn_buildFail(b, &s->head, SN_STATUS_MODEL, "face needs three vertices a triangle, it has %d",
                            s->face.count);
    int64_t nbonevert = 0;
    SN_EACH (snSpecBone, bone, s->bones) {
        nbonevert += bone->vertid.count;
        if (!bone->vertid.count || bone->vertid.count != bone->vertweight.count)
            return sn_buildFail(b, &bone->head, SN_STATUS_MODEL,
                                "vertid has %d numbers and vertweight %d: they must be as many, and not none",
                                bone->vertid.count, bone->vertweight.count);
    }
    if (nbonevert > INT_MAX / 8) return sn_buildFail(b, &s->head, SN_STATUS_MODEL, "has too many weights");
    *skin = (snSkinFile){.nvert = s->vertex.count / 3,
                         .ntexcoord = s->texcoord.count / 2,
                         .nface = s->face.count / 3,
                         .nbone = s->bones.count,
                         .nbonevert = (int)nbonevert};
    return true;
}

static bool readText(snBuild* b, const snSpecSkin* s, snSkinFile* skin)
{
    if (!countText(b, s, skin)) return false;
    if (!sn_makeSkinRoom(skin, false))
        return sn_buildFail(b, &s->head, SN_STATUS_NO_MEMORY, "out of memory for a skin");
    copyItems(skin->vert, s->vertex.values, s->vertex.count, sizeof(float));
    copyItems(skin->texcoord, s->texcoord.values, s->texcoord.count, sizeof(float));
    copyItems(skin->face, s->face.values, s->face.count, sizeof(int));
    snSkinBone* bone = skin->bone;
    int next = 0;
    SN_EACH (snSpecBone, from, s->bones) {
        bone->body = from->body;
        memcpy(bone->bindpos, from->bindpos, sizeof bone->bindpos);
        memcpy(bone->bindquat, from->bindquat, sizeof bone->bindquat);
        bone->vertadr = next;
        bone->vertnum = from->vertid.count;
        copyItems(skin->bonevert + next, from->vertid.values, bone->vertnum, sizeof(int));
        copyItems(skin->weight + next, from->vertweight.values, bone->vertnum, sizeof(float));
        next += bone->vertnum;
        bone++;
    }
    return true;
}

// ---- checks

static bool allFinite(const float* values, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!isfinite(values[k])) return false;
    return true;
}

static bool checkBones(snBuild* b, const snSpecSkin* s, const snSkinFile* skin)
{
    for (int i = 0; i < skin->nbone; i++) {
        snSkinBone* bone = skin->bone + i;
        const float* q = bone->bindquat;
        const float norm = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!allFinite(bone->bindpos, 3) || !isfinite(norm) || !(norm > 0)) {
            // numbers of the model's text have been told
            if ((!b->spec->warned || norm <= 0) &&
                !sn_buildWarn(b, &s->head, "bone %d: bindpos or bindquat is no pose", i))
                return false;
        }
        for (int k = 0; k < 4; k++) bone->bindquat[k] = norm > 0 ? q[k] / norm : q[k];
    }
    for (int k = 0; k < skin->nbonevert; k++)
        if (skin->bonevert[k] < 0 || skin->bonevert[k] >= skin->nvert)
            return sn_buildFail(b, &s->head, SN_STATUS_MODEL, "a bone moves vertex %d, there are 0 to %d",
                                skin->bonevert[k], skin->nvert - 1);
    return true;
}

static bool checkShape(snBuild* b, const snSpecSkin* s, const snSkinFile* skin)
{
    if (!skin->nvert || !skin->nface || !skin->nbone)
        return sn_buildFail(
            b, &s->head, SN_STATUS_MODEL,
            "a skin needs vertices, triangles and bones: it has %d, %d and %d; give a file, or "
            "vertex, face and <bone>",
            skin->nvert, skin->nface, skin->nbone);
    if (skin->ntexcoord && skin->ntexcoord != skin->nvert)
        return sn_buildFail(b, &s->head, SN_STATUS_MODEL, "%d texture coordinates for %d vertices",
                            skin->ntexcoord, skin->nvert);
    if (!allFinite(skin->vert, 3 * (size_t)skin->nvert) ||
        !allFinite(skin->texcoord, 2 * (size_t)skin->ntexcoord) ||
        !allFinite(skin->weight, (size_t)skin->nbonevert))
        if (!b->spec->warned &&
            !sn_buildWarn(b, &s->head, "a vertex, texture coordinate or weight is not finite"))
            return false;
    for (int k = 0; k < 3 * skin->nface; k++)
        if (skin->face[k] < 0 || skin->face[k] >= skin->nvert)
            return sn_buildFail(b, &s->head, SN_STATUS_MODEL,
                                "triangle %d names vertex %d, there are 0 to %d", k / 3, skin->face[k],
                                skin->nvert - 1);
    return checkBones(b, s, skin);
}

// The weights of a vertex sum to 1 over all bones.
static bool normalizeWeights(snBuild* b, const snSpecSkin* s, snSkinFile* skin)
{
    float* total = sn_calloc((size_t)skin->nvert * sizeof *total);
    if (!total) return sn_buildFail(b, &s->head, SN_STATUS_NO_MEMORY, "out of memory for a skin");
    for (int k = 0; k < skin->nbonevert; k++) total[skin->bonevert[k]] += skin->weight[k];
    bool good = true;
    for (int v = 0; good && v < skin->nvert; v++)
        if ((double)total[v] <= SN_MINVAL)
            good =
                sn_buildFail(b, &s->head, SN_STATUS_MODEL,
                             "the weights of vertex %d sum to %g, must be positive: each vertex needs a bone",
                             v, (double)total[v]);
    for (int k = 0; good && k < skin->nbonevert; k++) skin->weight[k] /= total[skin->bonevert[k]];
    sn_free(total);
    return good;
}

static bool loadSkin(snBuild* b, const snSpecSkin* s, snSkinFile* skin)
{
    if (!(s->file ? readFile(b, s, skin) : readText(b, s, skin)) || !checkShape(b, s, skin) ||
        !normalizeWeights(b, s, skin))
        return false;
    for (int i = 0; i < skin->nbone; i++) { // its body must not be fused
        snSpecHead* body = sn_findSpec(b->spec, SN_OBJ_BODY, skin->bone[i].body);
        if (body) body->id = SN_REFERENCED;
    }
    return true;
}

bool sn_loadSkins(snBuild* b)
{
    const int n = b->spec->skins.count;
    b->skins = n ? sn_calloc((size_t)n * sizeof *b->skins) : NULL;
    if (n && !b->skins) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory for skins");
    snSkinFile* skin = b->skins;
    SN_EACH (snSpecSkin, s, b->spec->skins)
        if (!loadSkin(b, s, skin++)) return false;
    return true;
}

void sn_freeSkins(snBuild* b)
{
    for (int i = 0; b->skins && i < b->spec->skins.count; i++) sn_freeSkinFile(b->skins + i);
    sn_free(b->skins);
}

// ---- into the model

bool sn_countSkins(snBuild* b, snSkinSizes* sizes)
{
    *sizes = (snSkinSizes){0};
    int64_t total = 0;
    for (int i = 0; i < b->spec->skins.count; i++) {
        const snSkinFile* skin = b->skins + i;
        total += (int64_t)skin->nvert + skin->ntexcoord + skin->nface + skin->nbone + skin->nbonevert;
        if (total > INT_MAX / 8)
            return sn_buildFail(b, NULL, SN_STATUS_MODEL, "the skins are too large in all");
        sizes->nvert += skin->nvert;
        sizes->ntexcoord += skin->ntexcoord;
        sizes->nface += skin->nface;
        sizes->nbone += skin->nbone;
        sizes->nbonevert += skin->nbonevert;
    }
    return true;
}

static bool buildBones(snBuild* b, const snSpecSkin* s, const snSkinFile* skin, const snSkinSizes* at)
{
    snModel* m = b->m;
    for (int i = 0; i < skin->nbone; i++) {
        const snSkinBone* bone = skin->bone + i;
        const size_t row = (size_t)at->nbone + (size_t)i;
        const snSpecHead* body = sn_buildFind(b, &s->head, "bone", SN_OBJ_BODY, bone->body);
        if (!body) return false;
        m->skin_bonebodyid[row] = body->id;
        m->skin_bonevertadr[row] = at->nbonevert + bone->vertadr;
        m->skin_bonevertnum[row] = bone->vertnum;
        memcpy(m->skin_bonebindpos + 3 * row, bone->bindpos, sizeof bone->bindpos);
        memcpy(m->skin_bonebindquat + 4 * row, bone->bindquat, sizeof bone->bindquat);
    }
    const size_t n = (size_t)skin->nbonevert;
    memcpy(m->skin_bonevertid + at->nbonevert, skin->bonevert, n * sizeof *skin->bonevert);
    memcpy(m->skin_bonevertweight + at->nbonevert, skin->weight, n * sizeof *skin->weight);
    return true;
}

static bool buildSkin(snBuild* b, const snSpecSkin* s, const snSkinFile* skin, const snSkinSizes* at)
{
    snModel* m = b->m;
    const size_t id = (size_t)s->head.id;
    m->skin_group[id] = s->group;
    m->skin_inflate[id] = s->inflate;
    memcpy(m->skin_rgba + 4 * id, s->rgba, sizeof s->rgba);
    m->skin_vertadr[id] = at->nvert;
    m->skin_vertnum[id] = skin->nvert;
    m->skin_texcoordadr[id] = skin->ntexcoord ? at->ntexcoord : -1;
    m->skin_faceadr[id] = at->nface;
    m->skin_facenum[id] = skin->nface;
    m->skin_boneadr[id] = at->nbone;
    m->skin_bonenum[id] = skin->nbone;
    memcpy(m->skin_vert + 3 * (size_t)at->nvert, skin->vert, 3 * (size_t)skin->nvert * sizeof *skin->vert);
    memcpy(m->skin_texcoord + 2 * (size_t)at->ntexcoord, skin->texcoord,
           2 * (size_t)skin->ntexcoord * sizeof *skin->texcoord);
    memcpy(m->skin_face + 3 * (size_t)at->nface, skin->face, 3 * (size_t)skin->nface * sizeof *skin->face);
    return sn_buildFindId(b, &s->head, "material", SN_OBJ_MATERIAL, s->material, &m->skin_matid[id]) &&
           buildBones(b, s, skin, at);
}

bool sn_buildSkins(snBuild* b)
{
    snSkinSizes at = {0};
    const snSkinFile* skin = b->skins;
    SN_EACH (snSpecSkin, s, b->spec->skins) {
        if (!buildSkin(b, s, skin, &at)) return false;
        at.nvert += skin->nvert;
        at.ntexcoord += skin->ntexcoord;
        at.nface += skin->nface;
        at.nbone += skin->nbone;
        at.nbonevert += skin->nbonevert;
        skin++;
    }
    return true;
}
