// Whether a text can keep the default classes of its spec.
#include "format/mjcf/language/reading.h"
#include "format/mjcf/write/writer.h"
#include <string.h>

bool sn_givesOrientation(const snElement* element)
{
    static const char* const forms[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
    for (int i = 0; i < SN_COUNT(forms); i++)
        if (sn_attributeText(element, forms[i])) return true;
    return false;
}

// Whether what a default says of joints is an angle in degrees. What it says of orientations may be one, too,
// and would win over the quaternion of an element.
static bool hasAngles(const snSpec* spec, const snElement* e)
{
    static const char* const angles[] = {"range", "ref", "springref", "springyield"};
    if (sn_givesOrientation(e)) return true;
    for (int i = 0; i < SN_COUNT(angles); i++)
        if (spec->compiler.degree && !strcmp(e->tag, "joint") && sn_attributeText(e, angles[i])) return true;
    return false;
}

bool sn_canKeepClasses(const snSpec* spec)
{
    if (spec->origins) return false;
    for (const snElement* section = spec->root->first; section; section = section->next)
        for (const snElement* e = strcmp(section->tag, "default") ? NULL : section; e;
             e = sn_nextInTree(section, e))
            if (hasAngles(spec, e)) return false;
    return true;
}
