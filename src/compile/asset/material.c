// Materials and the textures that they name.
#include "compile/asset/asset.h"

bool sn_buildAssets(snBuild* b)
{
    snModel* m = b->m;
    SN_EACH (snSpecTexture, texture, b->spec->textures)
        if (!texture->head.name && texture->type != SN_TEXTURE_SKYBOX)
            return sn_buildFail(b, &texture->head, SN_STATUS_MODEL, "has no name, so nothing can use it");
    if (!sn_buildTextures(b)) return false;
    sn_buildHfields(b);
    SN_EACH (snSpecMaterial, material, b->spec->materials) {
        const int id = material->head.id;
        if (!material->head.name)
            return sn_buildFail(b, &material->head, SN_STATUS_MODEL, "has no name, so nothing can use it");
        for (int role = 0; role < SN_NTEXROLE; role++)
            if (!sn_buildFindId(b, &material->head, "texture", SN_OBJ_TEXTURE, material->textures[role],
                                &m->mat_texid[SN_NTEXROLE * id + role]))
                return false;
        m->mat_texuniform[id] = material->texuniform != 0;
        memcpy(m->mat_texrepeat + 2 * id, material->texrepeat, sizeof material->texrepeat);
        m->mat_emission[id] = material->emission;
        m->mat_specular[id] = material->specular;
        m->mat_shininess[id] = material->shininess;
        m->mat_reflectance[id] = material->reflectance;
        m->mat_metallic[id] = material->metallic;
        m->mat_roughness[id] = material->roughness;
        memcpy(m->mat_rgba + 4 * id, material->rgba, sizeof material->rgba);
    }
    return sn_buildSkins(b);
}
