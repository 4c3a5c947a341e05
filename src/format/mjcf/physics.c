#include "format/mjcf/physics.h"
#include <string.h>
#include "base/error.h"
#include "format/mjcf/language/field.h"
#include "format/mjcf/language/physics_text.h"
#include "model/rules.h"

static bool readWord(const snReader* r, const char* word, int* physics)
{
    snTextMistake mistake;
    if (!word || sn_readPhysicsText(word, physics, &mistake)) return true;
    sn_fail(r->error, SN_STATUS_ARGUMENT, "%s", mistake.text);
    return false;
}

static bool readOptions(const snReader* r)
{
    return !r->options || (readWord(r, r->options->physics, &r->spec->asked) &&
                           readWord(r, r->options->silent, &r->spec->silent));
}

static bool isField(const snElement* e)
{
    const char* name = strcmp(e->tag, "text") || e->origin ? NULL : sn_attributeText(e, "name");
    return name && !strcmp(name, SN_PHYSICS_NAME) && !strcmp(e->parent->tag, "custom");
}

// The choice of one field; *said: of those before it, which *field is; -1: there is none.
static bool readField(const snReader* r, const snElement* e, int* said, const snElement** field)
{
    int physics;
    snTextMistake mistake;
    const char* data = sn_attributeText(e, "data");
    if (!sn_readPhysicsText(data ? data : "", &physics, &mistake))
        return sn_mjcfFail(r, e, mistake.status, "%s", mistake.text);
    if (*said >= 0 && *said != physics)
        return sn_mjcfFail(r, e, SN_STATUS_MODEL, "physics is %s here and %s at %s:%d, remove one of the two",
                           sn_physicsWord(physics), sn_physicsWord(*said), (*field)->place.file,
                           (*field)->place.line);
    *said = physics;
    *field = e;
    return true;
}

// What the model says itself; the models that it attaches are read by its choice.
static bool readFields(const snReader* r, int* said, const snElement** field)
{
    for (const snElement* section = r->spec->root->first; section; section = section->next)
        for (const snElement* e = section->first; e; e = e->next)
            if (isField(e) && !readField(r, e, said, field)) return false;
    return true;
}

bool sn_choosePhysics(const snReader* r)
{
    snSpec* spec = r->spec;
    const int before = spec->physics;
    int said = -1;
    const snElement* field = NULL;
    if (!readOptions(r) || !readFields(r, &said, &field)) return false;
    spec->physics = spec->asked >= 0 ? spec->asked : said >= 0 ? said : spec->silent;
    if (spec->physics != before) spec->read = false;
    return true;
}

bool sn_tellPhysics(const snReader* r)
{
    int said = -1;
    const snElement* field = NULL;
    const snSpec* spec = r->spec;
    if (!readFields(r, &said, &field)) return false;
    if (spec->included_again &&
        !sn_mjcfOutdated(r, spec->included_again, "the file is included by another path, too, leave out one"))
        return false;
    if (said < 0 || said == spec->physics || spec->nesting) return true;
    return sn_mjcfWarn(r, field, "this says that physics is %s, and the argument, which holds, %s,",
                       sn_physicsWord(said), sn_physicsWord(spec->physics));
}
