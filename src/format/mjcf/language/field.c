#include "format/mjcf/language/field.h"
#include <stdio.h>
#include "base/memory.h"
#include "base/nearest.h"
#include "format/mjcf/language/loop_text.h"

const char* sn_fieldSubject(const char* name, const char* ours, size_t* prefix_length)
{
    const size_t length = strlen(ours);
    const char* at = name ? strstr(name, ours) : NULL;
    if (!at || !at[length]) return NULL;
    if (prefix_length) *prefix_length = (size_t)(at - name);
    return at + length;
}

// ---- names that fields hold

static int namesOfLoop(const char* data, snFieldName names[SN_FIELD_NAMES])
{
    snWord site[2];
    if (!data || !sn_loopTextSites(data, site)) return 0;
    for (int k = 0; k < 2; k++)
        names[k] = (snFieldName){false, {SN_OBJ_SITE, SN_OBJ_UNKNOWN}, {data, 0}, site[k]};
    return 2;
}

// Fields that have in their names what they are about.
static const struct {
    const char* ours;
    int kind[2];
} subjects[] = {
    {SN_RESTITUTION_PREFIX, {SN_OBJ_GEOM, SN_OBJ_UNKNOWN}},
    {SN_MAXFORCE_PREFIX, {SN_OBJ_JOINT, SN_OBJ_EQUALITY}},
    {SN_NEEDSDF_PREFIX, {SN_OBJ_MESH, SN_OBJ_UNKNOWN}},
};

int sn_fieldNames(const snElement* element, snFieldName names[SN_FIELD_NAMES])
{
    const char* name = strcmp(element->tag, "text") ? NULL : sn_attributeText(element, "name");
    if (!name) return 0;
    if (sn_fieldSubject(name, SN_LOOP_PREFIX, NULL))
        return namesOfLoop(sn_attributeText(element, "data"), names);
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        size_t prefix;
        const char* subject = sn_fieldSubject(name, subjects[i].ours, &prefix);
        if (!subject) continue;
        names[0] = (snFieldName){.own = true,
                                 .kind = {subjects[i].kind[0], subjects[i].kind[1]},
                                 .prefix = {name, prefix},
                                 .word = {subject, strlen(subject)}};
        return 1;
    }
    return 0;
}

bool sn_isFieldName(const snFieldName* held, int kind, const char* name)
{
    const snWord prefix = held->prefix;
    return (kind == held->kind[0] || kind == held->kind[1]) && !strncmp(name, prefix.at, prefix.length) &&
           sn_wordIs(held->word, name + prefix.length);
}

bool sn_putFieldName(snPool* pool, snElement* element, int which, const char* prefix, const char* name,
                     const char* suffix)
{
    snFieldName names[SN_FIELD_NAMES];
    if (which >= sn_fieldNames(element, names)) return true;
    const snFieldName* held = &names[which];
    const char* attribute = held->own ? "name" : "data";
    const char* old = sn_attributeText(element, attribute);
    const size_t room = strlen(old) + strlen(prefix) + strlen(name) + strlen(suffix) + 1;
    char* text = sn_malloc(room);
    if (!text) return false;
    const char *from = old + held->prefix.length * held->own, *rest = held->word.at + held->word.length;
    snprintf(text, room, "%.*s%s%s%s%s", (int)(held->word.at - from), from, held->own ? "" : prefix, name,
             held->own ? "" : suffix, rest);
    const bool done = sn_putAttribute(pool, element, attribute, text);
    sn_free(text);
    return done;
}

// ---- which there are

bool sn_isOptionField(const char* name)
{
    static const char* const options[] = {SN_LOOPS_NAME, SN_CONTACT_NAME, SN_LCP_NAME, SN_SERVO_NAME,
                                          SN_PHYSICS_NAME};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (!strcmp(name, options[i])) return true;
    return false;
}

// How the name of a field goes on behind "sinew_": up to the name that it holds.
static const struct {
    const char *word, *meant;
    bool holds; // a name follows
} kinds[] = {
    {"loop", SN_LOOPS_NAME " or " SN_LOOP_PREFIX "NAME", true},
    {"loops", SN_LOOPS_NAME " or " SN_LOOP_PREFIX "NAME", false},
    {"contact", SN_CONTACT_NAME, false},
    {"lcp", SN_LCP_NAME, false},
    {"servo", SN_SERVO_NAME, false},
    {"physics", SN_PHYSICS_NAME, false},
    {"restitution", SN_RESTITUTION_PREFIX "NAME", true},
    {"maxforce", SN_MAXFORCE_PREFIX "NAME", true},
    {"needsdf", SN_NEEDSDF_PREFIX "NAME", true},
};
enum { NKINDS = sizeof kinds / sizeof *kinds };

const char* sn_nearestField(const char* name)
{
    static const char ours[] = "sinew_";
    const char* tail = name + strlen(ours);
    if (strncmp(name, ours, strlen(ours)) != 0 || sn_isOptionField(name)) return NULL;
    const size_t length = strcspn(tail, "_-. ");
    const char* words[NKINDS];
    char head[16];
    snprintf(head, sizeof head, "%.*s", length < sizeof head ? (int)length : 0, tail);
    for (int i = 0; i < NKINDS; i++) words[i] = kinds[i].word;
    const char* nearest = sn_nearestWord(head, words, NKINDS);
    for (int i = 0; i < NKINDS && nearest; i++) {
        if (nearest != kinds[i].word) continue;
        if (kinds[i].holds && !strcmp(head, nearest) && tail[length] == '_' && tail[length + 1]) return NULL;
        return tail[length] && i < 2 ? SN_LOOP_PREFIX "NAME" : kinds[i].meant;
    }
    return NULL;
}
