// Materials of Collada: a list of triangles has a name for its material, which the instance that places its
// geometry binds to a <material>; that names an <effect>, which has a diffuse colour.
#include <math.h>
#include <string.h>
#include "format/mesh/collada.h"
#include "math/elementary/elementary.h"

static const char* idOf(const snColladaElement* e, snColladaWord word)
{
    const char* text = sn_colladaWord(e, word);
    return text && *text == '#' ? text + 1 : "";
}

// The <material> behind a name; that of the same id where nothing is bound to it. NULL: none.
static snColladaElement* findMaterial(const snColladaTree* tree, const snColladaElement* instance,
                                      const char* name, int64_t* work)
{
    const snColladaElement* bind = sn_colladaChild(instance, SN_COLLADA_BIND_MATERIAL);
    const snColladaElement* list = bind ? sn_colladaChild(bind, SN_COLLADA_TECHNIQUE) : NULL;
    for (const snColladaElement* e = list ? list->first : NULL; e && *work > 0; e = e->next, --*work) {
        const char* symbol = sn_colladaWord(e, SN_COLLADA_WORD_SYMBOL);
        if (e->tag == SN_COLLADA_INSTANCE_MATERIAL && symbol && !strcmp(symbol, name))
            return sn_colladaNamed(tree, SN_COLLADA_MATERIAL, idOf(e, SN_COLLADA_WORD_TARGET));
    }
    return sn_colladaNamed(tree, SN_COLLADA_MATERIAL, name);
}

static const snColladaElement* down(const snColladaElement* e, snColladaTag tag)
{
    return e ? sn_colladaChild(e, tag) : NULL;
}

// <effect><profile_COMMON><technique><phong><diffuse><color>
static const snColladaElement* findColor(const snColladaTree* tree, const snColladaElement* material)
{
    static const snColladaTag models[] = {SN_COLLADA_PHONG, SN_COLLADA_LAMBERT, SN_COLLADA_BLINN};
    const snColladaElement* instance = down(material, SN_COLLADA_INSTANCE_EFFECT);
    const char* id = instance ? idOf(instance, SN_COLLADA_WORD_URL) : "";
    const snColladaElement* effect = sn_colladaNamed(tree, SN_COLLADA_EFFECT, id);
    const snColladaElement* technique = down(down(effect, SN_COLLADA_PROFILE), SN_COLLADA_FX_TECHNIQUE);
    const snColladaElement* diffuse = NULL;
    for (size_t i = 0; i < sizeof models / sizeof *models && !diffuse; i++)
        diffuse = down(down(technique, models[i]), SN_COLLADA_DIFFUSE);
    return down(diffuse, SN_COLLADA_COLOR);
}

// The fourth number says nothing of opacity without <transparent>, and programs write 0 there as well as 1.
static bool readColor(const snColladaTree* tree, const snColladaElement* e, float rgba[4])
{
    snTextSpan text = sn_colladaText(tree, e), word;
    for (int i = 0; i < 3; i++) {
        double number;
        if (!sn_textToken(&text, &word) || !sn_textReal(word, tree->locale, &number)) return false;
        rgba[i] = (float)sn_min(sn_max(number, 0), 1);
    }
    rgba[3] = 1;
    return true;
}

bool sn_colladaColor(snColladaTree* tree, const snColladaElement* instance, const char* material,
                     int64_t* work, float rgba[4])
{
    snColladaElement* found = material && *work > 0 ? findMaterial(tree, instance, material, work) : NULL;
    if (!found) return false;
    if (!found->made) { // the colour, or the material itself where it has none; sought once
        const snColladaElement* color = findColor(tree, found);
        float* made = color ? sn_poolAlloc(&tree->pool, 4 * sizeof *made) : NULL;
        found->made = made && readColor(tree, color, made) ? (void*)made : (void*)found;
    }
    if (found->made == found) return false;
    memcpy(rgba, found->made, 4 * sizeof *rgba);
    return true;
}
