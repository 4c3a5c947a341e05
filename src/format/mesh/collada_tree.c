#include "format/mesh/collada_tree.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/expat_memory.h"
#include "base/memory.h"
#include "base/platform/plain_locale.h"

static const struct {
    const char* name;
    bool numbers;
} tags[] = {
#define X(name, text, numbers) {text, numbers},
    SN_COLLADA_TAGS(X)
#undef X
};

static const char* const words[] = {
#define X(name, text) text,
    SN_COLLADA_ATTRIBUTES(X)
#undef X
};

// ---- reading

enum {
    MOST_OPEN = 4000
}; // elements in elements: expat keeps each that is open, some hundred bytes for "<a>"

typedef struct treeReader {
    snColladaTree* tree;
    XML_Parser parser;
    snColladaElement* open; // innermost element that is kept
    int skipped;            // elements inside it that are open and are not
    int nopen;              // all of them
    snStatus failed;        // the error is filled
} treeReader;

static void stop(treeReader* r, snStatus status, const char* what, const char* name)
{
    const snMeshSource* source = r->tree->source;
    if (r->failed) return;
    r->failed = status;
    if (status == SN_STATUS_NO_MEMORY)
        sn_meshNoMemory(source);
    else
        sn_failAt(source->error, status, source->name, (int)XML_GetCurrentLineNumber(r->parser), what, name);
    XML_StopParser(r->parser, XML_FALSE);
}

static snColladaTag findTag(const char* name)
{
    int tag = 0;
    while (tag < SN_COLLADA_NTAG && strcmp(tags[tag].name, name) != 0) tag++;
    return (snColladaTag)tag;
}

static bool addAttribute(treeReader* r, snColladaElement* e, const char* name, const char* text)
{
    int word = 0;
    while (word < SN_COLLADA_NWORD && strcmp(words[word], name) != 0) word++;
    if (word == SN_COLLADA_NWORD) return true;
    snColladaAttribute* attribute = sn_poolAlloc(&r->tree->pool, sizeof *attribute);
    char* copy = sn_poolText(&r->tree->pool, text, strlen(text));
    if (!attribute || !copy) return false;
    *attribute = (snColladaAttribute){e->attributes, copy, (snColladaWord)word};
    e->attributes = attribute;
    return true;
}

static snColladaElement* addElement(treeReader* r, snColladaTag tag, const char** attributes)
{
    snColladaTree* tree = r->tree;
    snColladaElement* e = sn_poolAlloc(&tree->pool, sizeof *e);
    if (!e) return NULL;
    *e = (snColladaElement){.parent = r->open,
                            .tag = tag,
                            .line = (int)XML_GetCurrentLineNumber(r->parser),
                            .order = tree->nnamed,
                            .text = (size_t)tree->ntext};
    for (; *attributes; attributes += 2)
        if (!addAttribute(r, e, attributes[0], attributes[1])) return NULL;
    if (sn_colladaWord(e, SN_COLLADA_WORD_ID)) {
        if (!sn_growMesh((void**)&tree->named, sizeof *tree->named, tree->nnamed, 1, &tree->namedroom))
            return NULL;
        tree->named[tree->nnamed++] = e;
    }
    if (!r->open)
        tree->root = e;
    else if (r->open->last)
        r->open->last->next = e;
    else
        r->open->first = e;
    if (r->open) r->open->last = e;
    return e;
}

static void onStart(void* user, const char* name, const char** attributes)
{
    treeReader* r = user;
    if (r->failed) return;
    if (++r->nopen > MOST_OPEN) {
        stop(r, SN_STATUS_SYNTAX, "<%.60s> is nested deeper than 4000 elements", name);
        return;
    }
    const snColladaTag tag = findTag(name);
    if (!r->open && tag != SN_COLLADA_COLLADA) {
        stop(r, SN_STATUS_SYNTAX, "the root element of a Collada file is <COLLADA>, not <%.60s>", name);
        return;
    }
    if (r->skipped || tag == SN_COLLADA_NTAG || (r->open && tags[r->open->tag].numbers)) {
        r->skipped++;
        return;
    }
    snColladaElement* e = addElement(r, tag, attributes);
    if (e)
        r->open = e;
    else
        stop(r, SN_STATUS_NO_MEMORY, "", "");
}

static void onText(void* user, const char* text, int length)
{
    treeReader* r = user;
    snColladaTree* tree = r->tree;
    if (r->failed || r->skipped || !r->open || !tags[r->open->tag].numbers) return;
    if (!sn_growMesh((void**)&tree->text, 1, tree->ntext, length, &tree->textroom)) {
        stop(r, SN_STATUS_NO_MEMORY, "", "");
        return;
    }
    memcpy(tree->text + tree->ntext, text, (size_t)length);
    tree->ntext += length;
    r->open->ntext += (size_t)length;
}

static void onEnd(void* user, const char* name)
{
    (void)name;
    treeReader* r = user;
    if (r->failed) return;
    r->nopen--;
    if (r->skipped)
        r->skipped--;
    else
        r->open = r->open->parent;
}

// Declarations could make much of little.
static void onDoctype(void* user, const char* name, const char* sysid, const char* pubid, int internal)
{
    (void)sysid, (void)pubid;
    if (internal) stop(user, SN_STATUS_SYNTAX, "<!DOCTYPE %.60s [...]>: declarations are not allowed", name);
}

static bool feed(treeReader* r)
{
    const char* text = r->tree->source->data;
    size_t size = r->tree->source->size;
    while (size > 0) {
        const int part = size > 1 << 30 ? 1 << 30 : (int)size;
        if (XML_Parse(r->parser, text, part, XML_FALSE) == XML_STATUS_ERROR) return false;
        text += part;
        size -= (size_t)part;
    }
    return XML_Parse(r->parser, "", 0, XML_TRUE) != XML_STATUS_ERROR;
}

// By tag, id and order, so that the first of several with the same id comes first.
static int compare(const void* a, const void* b)
{
    const snColladaElement *x = *(snColladaElement*const*)a, *y = *(snColladaElement*const*)b;
    if (x->tag != y->tag) return x->tag < y->tag ? -1 : 1;
    const int order = strcmp(sn_colladaWord(x, SN_COLLADA_WORD_ID), sn_colladaWord(y, SN_COLLADA_WORD_ID));
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

static snStatus parse(treeReader* r)
{
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, onStart, onEnd);
    XML_SetCharacterDataHandler(r->parser, onText);
    XML_SetStartDoctypeDeclHandler(r->parser, onDoctype);
    if (feed(r)) return SN_STATUS_OK;
    const enum XML_Error code = XML_GetErrorCode(r->parser);
    if (!r->failed && code == XML_ERROR_NO_MEMORY)
        stop(r, SN_STATUS_NO_MEMORY, "", "");
    else
        stop(r, SN_STATUS_SYNTAX, "not well-formed XML: %s", XML_ErrorString(code));
    return r->failed;
}

snStatus sn_readColladaTree(const snMeshSource* source, snColladaTree* tree)
{
    tree->source = source;
    tree->locale = sn_makeLocale();
    treeReader r = {.tree = tree, .parser = tree->locale ? sn_newXmlParser() : NULL};
    if (!r.parser) return sn_meshNoMemory(source);
    const snStatus status = parse(&r);
    XML_ParserFree(r.parser);
    if (!status && tree->nnamed) qsort(tree->named, (size_t)tree->nnamed, sizeof(snColladaElement*), compare);
    return status;
}

void sn_freeColladaTree(snColladaTree* tree)
{
    sn_freeLocale(tree->locale);
    sn_free(tree->text);
    sn_free(tree->named);
    sn_clearPool(&tree->pool);
}

// ---- asking

const char* sn_colladaWord(const snColladaElement* e, snColladaWord word)
{
    for (const snColladaAttribute* a = e->attributes; a; a = a->next)
        if (a->word == word) return a->text;
    return NULL;
}

snStatus sn_colladaInt(const snColladaTree* tree, const snColladaElement* e, snColladaWord word, int absent,
                       int* value)
{
    const char* text = sn_colladaWord(e, word);
    *value = absent;
    if (!text) return SN_STATUS_OK;
    int64_t number = 0;
    const char* c = text;
    for (; *c >= '0' && *c <= '9' && number <= INT_MAX; c++) number = 10 * number + (*c - '0');
    *value = (int)number;
    if (c > text && !*c && number <= INT_MAX) return SN_STATUS_OK;
    return sn_failAt(tree->source->error, SN_STATUS_SYNTAX, tree->source->name, e->line,
                     "<%s>: %s is no whole number from 0 on: '%.40s'", tags[e->tag].name, words[word], text);
}

snColladaElement* sn_colladaChild(const snColladaElement* e, snColladaTag tag)
{
    for (snColladaElement* child = e->first; child; child = child->next)
        if (child->tag == tag) return child;
    return NULL;
}

// The first that has them.
snColladaElement* sn_colladaNamed(const snColladaTree* tree, snColladaTag tag, const char* id)
{
    int low = 0, high = tree->nnamed;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const snColladaElement* e = tree->named[middle];
        const int order =
            e->tag != tag ? (e->tag < tag ? -1 : 1) : strcmp(sn_colladaWord(e, SN_COLLADA_WORD_ID), id);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    snColladaElement* e = low < tree->nnamed ? tree->named[low] : NULL;
    return e && e->tag == tag && !strcmp(sn_colladaWord(e, SN_COLLADA_WORD_ID), id) ? e : NULL;
}

snStatus sn_findColladaTarget(const snColladaTree* tree, const snColladaElement* e, snColladaWord word,
                              snColladaTag tag, snColladaElement** target)
{
    const char* text = sn_colladaWord(e, word);
    if (!text || *text != '#')
        return sn_failAt(tree->source->error, text ? SN_STATUS_UNSUPPORTED : SN_STATUS_SYNTAX,
                         tree->source->name, e->line,
                         "<%s> needs %s=\"#ID\", an element of the same file%s%.60s", tags[e->tag].name,
                         words[word], text ? ", not " : "", text ? text : "");
    *target = sn_colladaNamed(tree, tag, text + 1);
    return SN_STATUS_OK;
}

snStatus sn_colladaTarget(const snColladaTree* tree, const snColladaElement* e, snColladaWord word,
                          snColladaTag tag, snColladaElement** target)
{
    const snStatus status = sn_findColladaTarget(tree, e, word, tag, target);
    if (status || *target) return status;
    return sn_failAt(tree->source->error, SN_STATUS_SYNTAX, tree->source->name, e->line,
                     "<%s> names a <%s> that the file has not: '%.60s'", tags[e->tag].name, tags[tag].name,
                     sn_colladaWord(e, word));
}

const char* sn_colladaTagName(snColladaTag tag)
{
    return tags[tag].name;
}

snTextSpan sn_colladaText(const snColladaTree* tree, const snColladaElement* e)
{
    const char* at = e->ntext ? tree->text + e->text : "";
    return (snTextSpan){at, at + e->ntext};
}

int sn_colladaLine(const snColladaTree* tree, const snColladaElement* e, const char* at)
{
    int line = e->line;
    for (const char* c = sn_colladaText(tree, e).at; c < at; c++) line += *c == '\n';
    return line;
}
