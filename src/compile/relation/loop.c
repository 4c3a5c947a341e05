// Loop joints and how loops are held, from text fields; see format/mjcf/language/loop_text.h.
#include "compile/relation/relation.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "compile/build/field.h"
#include "compile/scale/scale.h"
#include "format/mjcf/language/loop_text.h"
#include "format/mjcf/tree/name_set.h"
#include "loop/closing/assemble.h"
#include "model/arena_size.h"
#include "model/blank.h"
#include "model/weld.h"

// ---- names

// Names of all loops that the model could hold, by their ids; "" where an equality has none.
static bool nameLoops(snBuild* b)
{
    const snModel* m = b->m;
    const char** names = sn_specAlloc(b->spec, (size_t)(m->nloop + m->neq + 1) * sizeof *names);
    if (!names) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    int count = 0;
    SN_EACH (snSpecText, text, b->spec->texts)
        if (!sn_buildSubject(b, text->head.name, SN_LOOP_PREFIX, &names[count]))
            return false;
        else if (names[count])
            count++;
    SN_EACH (snSpecEquality, e, b->spec->equalities)
        names[m->nloop + e->head.id] = e->head.name ? e->head.name : "";
    b->loop_name = names;
    return true;
}

// Names of loop joints differ from each other and from those of equalities.
static bool checkNames(snBuild* b)
{
    snNameSet seen = {NULL, 0, 0};
    bool good = true;
    int loop = 0;
    SN_EACH (snSpecText, text, b->spec->texts) {
        if (!good || !sn_loopTextName(text->head.name, NULL)) continue;
        const char* name = b->loop_name[loop++];
        const bool twice = sn_hasName(&seen, 0, name);
        if (twice || sn_findSpec(b->spec, SN_OBJ_EQUALITY, name))
            good = sn_buildFail(b, &text->head, SN_STATUS_MODEL,
                                "%s has the name \"%.60s\" already: give this loop another",
                                twice ? "another loop joint" : "an equality", name);
        else if (!sn_addName(&seen, 0, name))
            good = sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    }
    sn_freeNames(&seen);
    return good;
}

bool sn_findLoop(snBuild* b, const snSpecHead* element, int* loop)
{
    *loop = -1;
    const char* name;
    const int count = b->m->nloop + b->m->neq;
    if (!sn_buildSubject(b, element->name, SN_LOOP_PREFIX, &name)) return false;
    if (!name) return true;
    for (int id = 0; id < count && *loop < 0; id++)
        if (!strcmp(b->loop_name[id], name)) *loop = id;
    if (*loop >= 0) return true;
    const char* nearest = sn_nearestWord(name, b->loop_name, count);
    return sn_buildFail(b, element, SN_STATUS_MODEL,
                        "there is no loop joint and no equality \"%.80s\" whose force it could show%s%.80s%s",
                        name, nearest && *nearest ? ", did you mean \"" : "",
                        nearest && *nearest ? nearest : "", nearest && *nearest ? "\"?" : "");
}

// ---- sites

// How the names of sites follow from the words of a text.
typedef struct Decoration {
    const char* prefix;
    size_t length; // of the prefix
    const char* suffix;
} Decoration;

// The site prefix + word + suffix, NULL: there is none. false: out of memory.
static bool findSite(snBuild* b, Decoration d, snWord word, const snSpecHead** site)
{
    const size_t tail = strlen(d.suffix);
    char* name = sn_malloc(d.length + word.length + tail + 1);
    if (!name) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    memcpy(name, d.prefix, d.length);
    memcpy(name + d.length, word.at, word.length);
    memcpy(name + d.length + word.length, d.suffix, tail + 1);
    *site = sn_findSpec(b->spec, SN_OBJ_SITE, name);
    sn_free(name);
    return true;
}

// Both sites; site[1] is NULL unless there are both.
static bool findBoth(snBuild* b, Decoration d, const snWord word[2], const snSpecHead* site[2])
{
    site[1] = NULL;
    return findSite(b, d, word[0], &site[0]) && (!site[0] || findSite(b, d, word[1], &site[1]));
}

// Sites with the prefix and the suffix that the field's own name has got. How long the suffix is, the sites
// tell.
static bool findDecorated(snBuild* b, const char* field, const snWord word[2], const snSpecHead* site[2])
{
    enum { LONGEST = 64 };
    Decoration d = {.prefix = field};
    const char *name = sn_loopTextName(field, &d.length), *end = name + strlen(name);
    d.suffix = end;
    if (d.length && (!findBoth(b, d, word, site) || site[1])) return site[1];
    d.suffix = end - name > LONGEST ? end - LONGEST : name + 1;
    for (; *d.suffix; d.suffix++)
        if (!findBoth(b, d, word, site) || site[1]) return site[1];
    return true;
}

static bool beginsWith(snWord word, const char* text, size_t length)
{
    return word.length > length && !strncmp(word.at, text, length);
}

// Sinew's attachments change the names of sites in the text, others such as MuJoCo's leave the text alone.
static bool findSites(snBuild* b, const snSpecText* text, const snWord word[2], const snSpecHead* site[2])
{
    size_t length;
    const char* field = text->head.name;
    const Decoration none = {"", 0, ""};
    sn_loopTextName(field, &length);
    const bool told = beginsWith(word[0], field, length) && beginsWith(word[1], field, length);
    site[1] = NULL;
    if (!told && !findDecorated(b, field, word, site)) return false;
    if (!site[1] && !findBoth(b, none, word, site)) return false;
    if (!site[1] && told && !findDecorated(b, field, word, site)) return false;
    for (int k = 0; k < 2 && !site[1]; k++) {
        const char* name = sn_specText(b->spec, word[k].at, word[k].length);
        if (!name) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
        if (!sn_buildFind(b, &text->head, k ? "SITE2" : "SITE1", SN_OBJ_SITE, name)) return false;
    }
    return true;
}

// Whether the sites can move against each other at all.
static bool checkSites(snBuild* b, const snSpecText* text, const int site[2])
{
    const snModel* m = b->m;
    const char* wrong = NULL;
    const int p = sn_moverOf(m, m->site_bodyid[site[0]]), s = sn_moverOf(m, m->site_bodyid[site[1]]);
    if (site[0] == site[1])
        wrong = "SITE1 and SITE2 are the same, they must be on two bodies that move against each other";
    else if (p == 0 && s == 0)
        wrong = "both sites are fixed in the world: put one of them on a body that moves";
    else if (m->site_bodyid[site[0]] == m->site_bodyid[site[1]])
        wrong = "both sites are on one body: put them on two that move against each other";
    else if (p == s)
        wrong = "both sites are on bodies that do not move against each other: put them on two that do";
    return !wrong || sn_buildFail(b, &text->head, SN_STATUS_MODEL, "%s", wrong);
}

static bool buildLoop(snBuild* b, const snSpecText* text, int loop)
{
    snModel* m = b->m;
    snLoopText said;
    snTextMistake mistake;
    const snSpecHead* site[2];
    if (!sn_readLoopText(sn_fieldData(text), &said, &mistake)) return sn_buildFailText(b, text, &mistake);
    if (!findSites(b, text, said.site, site)) return false;
    m->loop_type[loop] = said.type;
    m->loop_textid[loop] = text->head.id;
    for (int k = 0; k < 2; k++) m->loop_siteid[2 * loop + k] = site[k]->id;
    const double length = sn_scaleBetween(site[0]->scale, site[1]->scale, false).all;
    const snScaleUnit unit = sn_scaleBetween(site[0]->scale, site[1]->scale, said.type != SN_LOOP_PRISMATIC);
    const int parameter = said.type == SN_LOOP_HELICAL ? SN_LOOPKEY_PITCH : SN_LOOPKEY_LENGTH;
    m->loop_parameter[loop] = said.value[parameter] * length;
    m->loop_stiffness[loop] = said.value[SN_LOOPKEY_STIFFNESS] * unit.force / unit.unit;
    m->loop_damping[loop] = said.value[SN_LOOPKEY_DAMPING] * unit.force / unit.unit;
    m->loop_ref[loop] = said.value[SN_LOOPKEY_REF] * unit.all;
    return checkSites(b, text, m->loop_siteid + 2 * loop);
}

// ---- options

// Errors decay by k_stab in steps of time: below two of them the decay would turn into growth.
static bool checkDecay(snBuild* b, const snSpecText* text)
{
    const snOption* opt = &b->m->opt;
    if (!(opt->loop_tstab < 2 * opt->timestep)) return true;
    return sn_buildFail(b, &text->head, SN_STATUS_MODEL,
                        "tstab=%g is too small for the timestep %g: make it %g or more, in the text field "
                        "\"" SN_LOOPS_NAME "\"",
                        opt->loop_tstab, opt->timestep, 2 * opt->timestep);
}

static bool readFields(snBuild* b)
{
    const snSpecText* last = NULL; // that the options matter to
    SN_EACH (snSpecText, text, b->spec->texts) {
        snTextMistake mistake;
        const char* name = text->head.name ? text->head.name : "";
        const bool options = !strcmp(name, SN_LOOPS_NAME);
        if (options && !sn_readLoopsText(sn_fieldData(text), &b->m->opt, &mistake))
            return sn_buildFailText(b, text, &mistake);
        if (options || (!last && sn_loopTextName(name, NULL))) last = text;
    }
    return !last || checkDecay(b, last);
}

bool sn_buildLoops(snBuild* b)
{
    int loop = 0;
    if (!readFields(b) || !nameLoops(b) || !checkNames(b)) return false;
    SN_EACH (snSpecText, text, b->spec->texts)
        if (sn_loopTextName(text->head.name, NULL) && !buildLoop(b, text, loop++)) return false;
    return true;
}

// ---- whether they close

// What says the loop: its text field, or the equality.
static const snSpecHead* headOf(const snBuild* b, int loop)
{
    const snModel* m = b->m;
    if (loop < 0) return NULL;
    if (loop < m->nloop) {
        SN_EACH (snSpecText, text, b->spec->texts)
            if (text->head.id == m->loop_textid[loop]) return &text->head;
    } else {
        SN_EACH (snSpecEquality, equality, b->spec->equalities)
            if (equality->head.id == loop - m->nloop) return &equality->head;
    }
    return NULL;
}

bool sn_checkLoopsClose(snBuild* b)
{
    snModel* m = b->m;
    if (!sn_mayHaveLoops(m)) return true;
    snAssembly a;
    snFinding found;
    sn_defaultAssembly(&a);
    const size_t narena = m->narena; // as for the constants
    m->narena = SN_ARENA_LIMIT;
    snData* d = sn_blankData(m);
    m->narena = narena;
    if (!d) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory to close the model's loops");
    const snStatus status = sn_assembleFrom(m, d, &a, &found, NULL);
    sn_deleteData(d);
    if (status == SN_STATUS_NO_MEMORY)
        return sn_buildFail(b, NULL, status, "out of memory to close the model's loops");
    if (status == SN_STATUS_MODEL)
        return sn_buildFail(
            b, headOf(b, found.end.loop), status,
            "the loop cannot be closed from qpos0, it stays open by %s: look at its sites, and "
            "at the lengths between them",
            sn_gapText(&found.end).text);
    return status || !sn_isOpen(&found.start) ||
           sn_buildWarn(
               b, headOf(b, found.start.loop),
               "the loop is open by %s at qpos0: each start is assembled, and begins elsewhere; mend "
               "positions of its bodies and sites to begin at qpos0",
               sn_gapText(&found.start).text);
}
