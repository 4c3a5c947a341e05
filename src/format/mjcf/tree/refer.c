// The public functions that look at what elements say and refer to.
#include "format/mjcf/language/element.h"
#include "format/mjcf/tree/inherit.h"
#include <string.h>

snElement* sn_findTarget(const snSpec* spec, const snElement* element, const char* attribute)
{
    snReference list[SN_MAX_REFERENCES];
    if (!element->parent || !attribute) return NULL;
    const int n = sn_mjcfReferences((snElement*)element, list, SN_MAX_REFERENCES);
    for (int i = 0; i < n; i++) {
        if (strcmp(list[i].attribute, attribute)) continue;
        if (list[i].kind == (int)SN_NAME_DEFAULT) return sn_findClass(spec, element->origin, list[i].name);
        return sn_findElement(spec, list[i].kind == (int)SN_NAME_FRAME ? SN_OBJ_UNKNOWN : list[i].kind,
                              list[i].name);
    }
    return NULL;
}

// ---- paths of tendons

// A geom wraps by its shape.
static int wrapOfGeom(snSpec* spec, const snElement* geom)
{
    const char* type = geom ? sn_getText(spec, geom, "type") : NULL;
    return type && !strcmp(type, "cylinder") ? SN_WRAP_CYLINDER : SN_WRAP_SPHERE;
}

bool sn_pathPoint(snSpec* spec, const snElement* tendon, int index, snPathPoint* point)
{
    static const struct {
        const char *tag, *factor;
        int type;
    } kinds[] = {{"joint", "coef", SN_WRAP_JOINT},
                 {"site", NULL, SN_WRAP_SITE},
                 {"geom", NULL, SN_WRAP_SPHERE},
                 {"pulley", "divisor", SN_WRAP_PULLEY}};
    if (sn_mjcfKind(tendon) != SN_OBJ_TENDON) return false;
    snElement* e = tendon->first;
    while (e && index-- > 0) e = e->next;
    if (!e) return false;
    *point = (snPathPoint){.element = e, .target = sn_findTarget(spec, e, e->tag)};
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++) {
        if (strcmp(kinds[i].tag, e->tag)) continue;
        point->type = kinds[i].type;
        if (kinds[i].factor) sn_getNumbers(spec, e, kinds[i].factor, &point->factor, 1);
    }
    if (point->type != SN_WRAP_SPHERE) return true;
    point->type = wrapOfGeom(spec, point->target);
    point->sidesite = sn_findTarget(spec, e, "sidesite");
    return true;
}

// ---- what is given

static bool gives(const snElement* element, const char* attribute)
{
    return sn_attributeText(element, attribute) != NULL;
}

// Sections of settings merge, wherever they stand.
static bool isSetting(const snElement* section)
{
    static const char* const settings[] = {"compiler", "option", "size", "visual", "statistic"};
    for (int i = 0; i < (int)(sizeof settings / sizeof *settings); i++)
        if (!strcmp(section->tag, settings[i])) return true;
    return false;
}

bool sn_isGiven(const snSpec* spec, const snElement* element, const char* attribute)
{
    const snElement *parent = element->parent, *section = parent && parent->parent ? parent : element;
    if (gives(element, attribute)) return true;
    if (element->depth > 3 || !section->parent || !isSetting(section)) return false;
    for (const snElement* s = spec->root->first; s; s = s->next) {
        if (strcmp(s->tag, section->tag)) continue;
        if (section == element && gives(s, attribute)) return true;
        for (const snElement* e = section == element ? NULL : s->first; e; e = e->next)
            if (!strcmp(e->tag, element->tag) && gives(e, attribute)) return true;
    }
    return false;
}
