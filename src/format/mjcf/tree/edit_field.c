// The public functions that give a spec what MJCF has no words for, as text fields.
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "format/mjcf/language/field.h"
#include "format/mjcf/language/lcp_text.h"
#include "format/mjcf/language/loop_text.h"
#include "format/mjcf/language/physics_text.h"
#include "format/mjcf/language/servo_text.h"
#include "model/spec/spec.h"

// A text field with these data, which are good.
static snElement* addText(snSpec* spec, const char* name, const char* data, snError* error)
{
    snElement* custom = sn_section(spec, "custom", error);
    snElement* text = custom ? sn_addElement(spec, custom, "text", name, error) : NULL;
    if (!text || sn_setText(spec, text, "data", data, error) == SN_STATUS_OK) return text;
    sn_removeElement(spec, text, NULL);
    return NULL;
}

// Whether data are what a loop joint between these sites says.
static bool isGood(const char* data, const char* site1, const char* site2, snError* error)
{
    snLoopText text;
    snTextMistake mistake;
    if (!sn_loopTextSites(data, text.site) || !sn_wordIs(text.site[0], site1) ||
        !sn_wordIs(text.site[1], site2)) {
        sn_fail(error, SN_STATUS_MODEL,
                "the type and the sites of a loop joint must be words without blanks");
        return false;
    }
    if (sn_readLoopText(data, &text, &mistake)) return true;
    sn_fail(error, mistake.status, "%s", mistake.text);
    return false;
}

snElement* sn_addLoop(snSpec* spec, const char* name, const char* type, const char* site1, const char* site2,
                      const char* keys, snError* error)
{
    if (!name || !*name || !type || !*type || !site1 || !*site1 || !site2 || !*site2) {
        sn_fail(error, SN_STATUS_ARGUMENT, "a loop joint needs a name, a type and two sites");
        return NULL;
    }
    const size_t title = strlen(SN_LOOP_PREFIX) + strlen(name) + 1,
                 room = strlen(type) + strlen(site1) + strlen(site2) + strlen(keys ? keys : "") + 4;
    char* text = sn_malloc(title + room);
    if (!text) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    char* data = text + title;
    snprintf(text, title, "%s%s", SN_LOOP_PREFIX, name);
    snprintf(data, room, "%s %s %s%s%s", type, site1, site2, keys && *keys ? " " : "", keys ? keys : "");
    snElement* loop = isGood(data, site1, site2, error) ? addText(spec, text, data, error) : NULL;
    sn_free(text);
    return loop;
}

// Has the text field of this name these data, which are good; NULL: there is none.
static snStatus setField(snSpec* spec, const char* name, const char* data, snError* error)
{
    snError own;
    snElement* text = sn_findElement(spec, SN_OBJ_TEXT, name);
    if (!data) return text ? sn_removeElement(spec, text, error) : SN_STATUS_OK;
    if (text) return sn_setText(spec, text, "data", data, error);
    if (addText(spec, name, data, error ? error : &own)) return SN_STATUS_OK;
    return error ? error->status : own.status;
}

snStatus sn_setLoops(snSpec* spec, const char* data, snError* error)
{
    snOption opt;
    snTextMistake mistake;
    sn_defaultOption(&opt);
    if (data && !sn_readLoopsText(data, &opt, &mistake))
        return sn_fail(error, mistake.status, "%s", mistake.text);
    return setField(spec, SN_LOOPS_NAME, data, error);
}

snStatus sn_setContact(snSpec* spec, const char* model, const char* settings, snError* error)
{
    snOption opt;
    snTextMistake mistake;
    sn_defaultOption(&opt);
    if ((model && !sn_readContactText(model, &opt, &mistake)) ||
        (settings && !sn_readLcpText(settings, &opt, &mistake)))
        return sn_fail(error, mistake.status, "%s", mistake.text);
    const snStatus status = setField(spec, SN_CONTACT_NAME, model, error);
    return status ? status : setField(spec, SN_LCP_NAME, settings && *settings ? settings : NULL, error);
}

snStatus sn_setServo(snSpec* spec, const char* data, snError* error)
{
    snOption opt;
    snTextMistake mistake;
    sn_defaultOption(&opt);
    if (data && !sn_readServoText(data, &opt, &mistake))
        return sn_fail(error, mistake.status, "%s", mistake.text);
    return setField(spec, SN_SERVO_NAME, data, error);
}

// The text field that is about a mesh, under its own name or under that of before an attachment; NULL: none.
static snElement* needsdfOf(const snSpec* spec, const char* mesh)
{
    snFieldName held[SN_FIELD_NAMES];
    for (snElement* e = spec->root; e; e = sn_nextInTree(spec->root, e))
        if (sn_fieldNames(e, held) == 1 && sn_isFieldName(&held[0], SN_OBJ_MESH, mesh)) return e;
    return NULL;
}

bool sn_needsdf(const snSpec* spec, const char* mesh)
{
    const snElement* text = needsdfOf(spec, mesh);
    const char* data = text ? sn_attributeText(text, "data") : NULL;
    return data && !strcmp(data, "true");
}

snStatus sn_setNeedsdf(snSpec* spec, const char* mesh, bool needed, snError* error)
{
    snError own;
    if (!mesh || !*mesh) return sn_fail(error, SN_STATUS_ARGUMENT, "a mesh needs a name for a field");
    snElement* text = needsdfOf(spec, mesh);
    if (text)
        return needed ? sn_setText(spec, text, "data", "true", error) : sn_removeElement(spec, text, error);
    if (!needed) return SN_STATUS_OK;
    const size_t room = strlen(SN_NEEDSDF_PREFIX) + strlen(mesh) + 1;
    char* name = sn_malloc(room);
    if (!name) return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
    snprintf(name, room, "%s%s", SN_NEEDSDF_PREFIX, mesh);
    text = addText(spec, name, "true", error ? error : &own);
    sn_free(name);
    return text ? SN_STATUS_OK : error ? error->status : own.status;
}

snStatus sn_setPhysics(snSpec* spec, const char* data, snError* error)
{
    int physics;
    snTextMistake mistake;
    if (data && !sn_readPhysicsText(data, &physics, &mistake))
        return sn_fail(error, mistake.status, "%s", mistake.text);
    const snStatus status = setField(spec, SN_PHYSICS_NAME, data, error);
    if (status) return status;
    spec->asked = -1;
    spec->physics = data ? physics : spec->silent; // of what is set before it is read again
    spec->read = false;
    return SN_STATUS_OK;
}
