// compiler, option, size, statistic, visual: settings of the whole model. Several sections of a kind merge.
#include "format/mjcf/read/reader.h"
#include "base/number.h"
#include "format/mjcf/language/element.h"
#include <string.h>

static bool readLengthRange(snReader* r, const snXmlNode* node, void* context)
{
    return sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_LENGTHRANGE), SN_IN_ELEMENT, context) &&
           sn_readNoChildren(r, node);
}

// Three letters that are none of an axis matter to angles alone, which are refused where they stand.
static bool checkSequence(const snReader* r, const snXmlNode* node, const char* letters)
{
    static const char expected[] = "eulerseq=\"%s\": expected three letters of xyzXYZ";
    if (!letters || strlen(letters) != 3)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, expected, sn_short(letters ? letters : "").text);
    return strspn(letters, "xyzXYZ") == 3 || sn_mjcfWarn(r, node, expected, letters);
}

// Later <compiler> folders win over earlier ones; assetdir stands for both, the particular ones win.
static bool readCompiler(snReader* r, const snXmlNode* node, snSpecCompiler* c, snLengthRange* lengthrange)
{
    static const snChild children[] = {{"lengthrange", readLengthRange, 1}};
    if (!strcmp(sn_xmlAttribute(node, "coordinate") ? sn_xmlAttribute(node, "coordinate") : "", "global"))
        return sn_mjcfFail(
            r, node, SN_STATUS_MODEL,
            "coordinate=\"global\" left the language with mujoco 2.3.4; an older mujoco converts it");
    if (!sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_COMPILER), SN_IN_ELEMENT, c)) return false;
    return (!sn_xmlAttribute(node, "eulerseq") || checkSequence(r, node, c->eulerseq)) &&
           sn_readChildren(r, node, children, SN_COUNT(children), lengthrange);
}

static bool readMainCompiler(snReader* r, const snXmlNode* node)
{
    return readCompiler(r, node, &r->spec->compiler, &r->spec->lengthrange);
}

static bool readDisabledGroups(snReader* r, const snXmlNode* node, const char* text)
{
    int groups = 0, group;
    for (snNumber result; (result = sn_nextInt(&text, &group)) != SN_NUMBER_END;) {
        if (result != SN_NUMBER_OK || group < 0 || group > 30)
            return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                               "actuatorgroupdisable: expected groups from 0 to 30");
        groups |= 1 << group;
    }
    r->spec->option.disableactuator = groups;
    return true;
}

static bool readFlags(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    return sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FLAG), SN_IN_ELEMENT, &r->spec->option) &&
           sn_readNoChildren(r, node);
}

static bool readOption(snReader* r, const snXmlNode* node)
{
    static const snChild children[] = {{"flag", readFlags, 1}};
    const char* groups = sn_xmlAttribute(node, "actuatorgroupdisable");
    return sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_OPTION), SN_IN_ELEMENT, &r->spec->option) &&
           (!groups || readDisabledGroups(r, node, groups)) &&
           sn_readChildren(r, node, children, SN_COUNT(children), NULL);
}

// Digits and one of K, M, G, T, P, E for powers of 1024; -1: 2 GiB.
static bool readMemory(snReader* r, const snXmlNode* node, const char* text)
{
    const char* at = text + strspn(text, " \t\n\r");
    if (!strcmp(at, "-1")) {
        r->spec->memory = -1;
        return true;
    }
    uint64_t bytes = 0;
    const char* digits = at;
    for (; *at >= '0' && *at <= '9' && bytes < (uint64_t)1 << 48; at++)
        bytes = 10 * bytes + (uint64_t)(*at - '0');
    bool good = at > digits && bytes > 0 && bytes < (uint64_t)1 << 48;
    if (good && *at) {
        static const char units[] = "KMGTPEkmgtpe";
        const char* unit = strchr(units, *at);
        good = unit && !at[1 + strspn(at + 1, " \t\n\r")];
        for (int i = unit ? (int)(unit - units) % 6 : -1; good && i >= 0; i--) {
            bytes *= 1024;
            good = bytes < (uint64_t)1 << 48;
        }
    }
    if (!good)
        return sn_mjcfFail(
            r, node, SN_STATUS_MODEL,
            "memory=\"%s\": expected bytes, 1 to 2^48, in digits with one of K, M, G, T, P, E, or -1",
            sn_short(text).text);
    r->spec->memory = (int64_t)bytes;
    return true;
}

static bool readSize(snReader* r, const snXmlNode* node)
{
    snSpecSize* s = &r->spec->size;
    if (!sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_SIZE), SN_IN_ELEMENT, s)) return false;
    const char* memory = sn_xmlAttribute(node, "memory");
    if (memory && !readMemory(r, node, memory)) return false;
    for (int i = 0; memory && i < node->nattributes; i++)
        if (!strcmp(node->attributes[i].name, "njmax") || !strcmp(node->attributes[i].name, "nstack") ||
            !strcmp(node->attributes[i].name, "nconmax"))
            return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'memory' and '%s' exclude each other",
                               node->attributes[i].name);
    const struct {
        const char* name;
        int value, least;
    } counts[] = {{"nuserdata", s->nuserdata, 0},        {"nuser_body", s->nuser_body, -1},
                  {"nuser_jnt", s->nuser_jnt, -1},       {"nuser_geom", s->nuser_geom, -1},
                  {"nuser_site", s->nuser_site, -1},     {"nuser_cam", s->nuser_cam, -1},
                  {"nuser_tendon", s->nuser_tendon, -1}, {"nuser_actuator", s->nuser_actuator, -1},
                  {"nuser_sensor", s->nuser_sensor, -1}};
    for (int i = 0; i < SN_COUNT(counts); i++)
        if (counts[i].value < counts[i].least && sn_xmlAttribute(node, counts[i].name))
            return sn_mjcfFail(r, node, SN_STATUS_MODEL, "%s is %d, must be at least %d", counts[i].name,
                               counts[i].value, counts[i].least);
    return sn_readNoChildren(r, node);
}

static bool readStatistic(snReader* r, const snXmlNode* node)
{
    const snSpecStatistic* s = &r->spec->statistic;
    if (!sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_STATISTIC), SN_IN_ELEMENT, &r->spec->statistic))
        return false;
    if (sn_xmlAttribute(node, "extent") && s->extent <= 0)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "extent is %g, must be positive", s->extent);
    return sn_readNoChildren(r, node);
}

// What 4.0 does not read of a headlight.
static bool checkHeadlight(const snReader* r, const snXmlNode* node)
{
    const int active = r->spec->visual.headlight.active;
    return strcmp(node->tag, "headlight") || (active >= 0 && active <= 2) ||
           sn_mjcfOutdated(r, node, "'active' is false, true or auto");
}

static bool readVisualGroup(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    int where;
    const snMjcfElement* type = sn_mjcfOf(node, &where);
    if (!sn_readAttributes(r, node, type, SN_IN_ELEMENT, &r->spec->visual)) return false;
    if (sn_xmlAttribute(node, "znear") && r->spec->visual.map.znear <= 0)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "znear is %g, must be positive",
                           (double)r->spec->visual.map.znear);
    return checkHeadlight(r, node) && sn_readNoChildren(r, node);
}

static bool readVisual(snReader* r, const snXmlNode* node)
{
    static const snChild children[] = {{"global", readVisualGroup, 1},    {"quality", readVisualGroup, 1},
                                       {"headlight", readVisualGroup, 1}, {"map", readVisualGroup, 1},
                                       {"scale", readVisualGroup, 1},     {"rgba", readVisualGroup, 1}};
    static const snMjcfElement none = {"visual", "visual", 0, NULL};
    return sn_readAttributes(r, node, &none, SN_IN_ELEMENT, NULL) &&
           sn_readChildren(r, node, children, SN_COUNT(children), NULL);
}

bool sn_readSettings(snReader* r, const snXmlNode* root)
{
    static const struct {
        const char* tag;
        bool (*read)(snReader* r, const snXmlNode* node);
    } sections[] = {{"compiler", readMainCompiler},
                    {"option", readOption},
                    {"size", readSize},
                    {"statistic", readStatistic},
                    {"visual", readVisual}};
    for (const snXmlNode* node = root->first; node; node = node->next)
        for (int i = 0; i < SN_COUNT(sections); i++)
            if (!strcmp(node->tag, sections[i].tag) && !sections[i].read(r, node) && !sn_mjcfGoOn(r))
                return false;
    return true;
}

bool sn_readOrigins(snReader* r)
{
    snSpec* spec = r->spec;
    for (snOrigin* origin = spec->origins; origin; origin = origin->next) {
        snOriginSettings* settings = sn_specAlloc(spec, sizeof *settings);
        if (!settings) return sn_mjcfNoMemory(r);
        origin->read = settings;
        settings->compiler = sn_defaultCompiler();
        settings->compiler.file = origin->file;
        settings->compiler.folder = origin->folder;
        snLengthRange unused = spec->lengthrange;
        for (const snXmlNode* node = origin->settings->first; node; node = node->next)
            if (!strcmp(node->tag, "compiler") && !readCompiler(r, node, &settings->compiler, &unused) &&
                !sn_mjcfGoOn(r))
                return false;
        snDefaults* main;
        if (!sn_readDefaults(r, origin->settings, origin, &main)) return false;
        settings->main = main;
    }
    return true;
}
