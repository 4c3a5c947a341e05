#include "format/mjcf/language/xml.h"
#include "base/error.h"
#include "base/expat_memory.h"
#include "base/memory.h"
#include "base/search.h"
#include "format/mjcf/language/mend.h"
#include <string.h>
#include "model/warnings.h"

typedef struct Parse {
    snSpec* spec;
    snError* error;
    XML_Parser parser;
    const char* file;
    const snLoadOptions* options;
    const snXmlNode* worded;               // the last element in which words were found
    snXmlNode *root, *open[SN_TREE_DEPTH]; // open[depth]: elements not closed yet
    int depth, base;
    char* characters; // of the CDATA of a text field
    size_t ncharacters, room;
    bool cdata;        // inside of one
    bool failed;       // error is filled
    const char* fault; // why the text is no XML
    snError warning;
} Parse;

static int line(const Parse* p)
{
    return p->parser ? (int)XML_GetCurrentLineNumber(p->parser) : 1;
}

static void stop(Parse* p, snStatus status, const char* what, const char* tag)
{
    if (p->failed) return;
    p->failed = true;
    if (status == SN_STATUS_NO_MEMORY)
        sn_fail(p->error, status, "out of memory");
    else
        sn_failAt(p->error, status, p->file, line(p), what, tag);
    XML_StopParser(p->parser, XML_FALSE);
}

// A node with its attributes; NULL: out of memory.
static snXmlNode* makeNode(Parse* p, const char* tag, const char** texts)
{
    int count = 0;
    while (texts[2 * count]) count++;
    snPool* pool = &p->spec->tree;
    snXmlNode* node = sn_newElement(pool, tag, (snPlace){p->file, line(p)});
    snXmlAttribute* attributes = sn_poolAlloc(pool, (size_t)count * sizeof *attributes);
    if (!node || !attributes) return NULL;
    for (int i = 0; i < count; i++) {
        attributes[i].name = sn_poolText(pool, texts[2 * i], strlen(texts[2 * i]));
        attributes[i].value = sn_poolText(pool, texts[2 * i + 1], strlen(texts[2 * i + 1]));
        if (!attributes[i].name || !attributes[i].value) return NULL;
    }
    node->nattributes = node->room = count;
    node->attributes = attributes;
    return node;
}

static void onStart(void* user, const char* tag, const char** texts)
{
    Parse* p = user;
    if (p->failed) return;
    if (p->base + p->depth >= SN_TREE_DEPTH) {
        stop(p, SN_STATUS_SYNTAX, "<%.60s> is nested too deep, more than 1000 elements", tag);
        return;
    }
    snXmlNode* node = makeNode(p, tag, texts);
    if (!node) {
        stop(p, SN_STATUS_NO_MEMORY, "", "");
        return;
    }
    if (p->depth > 0)
        sn_linkElement(p->open[p->depth - 1], node, NULL);
    else
        p->root = node;
    node->depth = p->base + p->depth + 1;
    p->open[p->depth++] = node;
}

static void onEnd(void* user, const char* tag)
{
    (void)tag;
    Parse* p = user;
    if (!p->failed) p->depth--;
}

// URDF has words between elements. Expat gives them in pieces.
static void keepText(Parse* p, const char* text, int length)
{
    snXmlNode* node = p->depth > 0 ? p->open[p->depth - 1] : NULL;
    const char* before = node ? sn_attributeText(node, SN_TREE_TEXT) : NULL;
    const size_t n = before ? strlen(before) : 0;
    int blank = 0;
    while (blank < length && strchr(" \t\r\n", text[blank]) && text[blank]) blank++;
    if (!node || n > 1000 || (!before && blank == length)) return;
    char piece[2048];
    if (before) memcpy(piece, before, n);
    const size_t more = (size_t)length < 1000 ? (size_t)length : 1000;
    memcpy(piece + n, text, more);
    piece[n + more] = 0;
    if (!sn_putAttribute(&p->spec->tree, node, SN_TREE_TEXT, piece)) stop(p, SN_STATUS_NO_MEMORY, "", "");
}

static bool isBlank(const char* text, int length)
{
    for (int i = 0; i < length; i++)
        if (!text[i] || !strchr(" \t\r\n", text[i])) return false;
    return true;
}

// Warns of what is found at this place; where that is an error, the parsing stops.
static void warn(Parse* p, const char* what, const char* word)
{
    sn_failAt(&p->warning, SN_STATUS_SYNTAX, p->file, line(p), what, word);
    if (sn_addWarning(p->options, &p->warning)) return;
    p->failed = true;
    *p->error = p->warning;
    if (p->parser) XML_StopParser(p->parser, XML_FALSE);
}

static bool isTextField(const snXmlNode* node)
{
    return node && !strcmp(node->tag, "text") && node->parent && !strcmp(node->parent->tag, "custom");
}

static void keepCharacters(Parse* p, const char* text, size_t length)
{
    const size_t need = p->ncharacters + length + 1;
    if (need > p->room) {
        const size_t room = 2 * need;
        char* more = sn_realloc(p->characters, p->ncharacters, room);
        if (!more) {
            stop(p, SN_STATUS_NO_MEMORY, "", "");
            return;
        }
        p->characters = more;
        p->room = room;
    }
    memcpy(p->characters + p->ncharacters, text, length);
    p->ncharacters += length;
    p->characters[p->ncharacters] = 0;
}

static void onStartCdata(void* user)
{
    Parse* p = user;
    p->cdata = !p->failed && p->depth > 0 && isTextField(p->open[p->depth - 1]);
    if (!p->cdata) return;
    const char* before = sn_attributeText(p->open[p->depth - 1], SN_TREE_CDATA);
    p->ncharacters = 0;
    keepCharacters(p, before ? before : "", before ? strlen(before) : 0);
}

static void onEndCdata(void* user)
{
    Parse* p = user;
    if (p->cdata && !p->failed &&
        !sn_putAttribute(&p->spec->tree, p->open[p->depth - 1], SN_TREE_CDATA, p->characters))
        stop(p, SN_STATUS_NO_MEMORY, "", "");
    p->cdata = false;
}

// Words between elements mean nothing, they are what is left of slips. Expat gives them in pieces.
static void onText(void* user, const char* text, int length)
{
    Parse* p = user;
    if (p->root && !strcmp(p->root->tag, "robot")) {
        keepText(p, text, length);
        return;
    }
    if (p->cdata) {
        if (!p->failed) keepCharacters(p, text, (size_t)length);
        return;
    }
    const snXmlNode* node = p->depth > 0 ? p->open[p->depth - 1] : NULL;
    if (p->failed || !node || node == p->worded || isBlank(text, length)) return;
    p->worded = node;
    warn(p, "<%.60s>: text inside it is passed over, only elements may stand here", node->tag);
}

static void onDoctype(void* user, const char* name, const char* sysid, const char* pubid, int internal)
{
    (void)sysid, (void)pubid;
    if (!internal) return;
    stop(user, SN_STATUS_SYNTAX, "<!DOCTYPE %.60s [...]>: declarations are not allowed", name);
    ((Parse*)user)->fault = "declarations are not allowed";
}

static bool feed(Parse* p, const char* text, size_t size)
{
    while (size > 0 && !p->failed) {
        const int part = size > 1 << 24 ? 1 << 24 : (int)size;
        if (XML_Parse(p->parser, text, part, XML_FALSE) == XML_STATUS_ERROR) return false;
        text += part;
        size -= (size_t)part;
    }
    return !p->failed;
}

// Passes on what ends with a CDATA section that begins before the next comment, as often as there is one.
static bool feedCharacters(Parse* p, const char** text, const char* end)
{
    for (;;) {
        const size_t size = (size_t)(end - *text);
        const char* open = sn_findBytes(*text, size, "<![CDATA[", 9);
        const char* comment = open ? sn_findBytes(*text, size, "<!--", 4) : NULL;
        const char* close =
            open && (!comment || open < comment) ? sn_findBytes(open, (size_t)(end - open), "]]>", 3) : NULL;
        if (!close) return true;
        if (!feed(p, *text, (size_t)(close + 3 - *text))) return false;
        *text = close + 3;
    }
}

// XML forbids "--" inside comments, people write it all the same: only the line ends of a comment are passed
// on.
static bool feedWithoutComments(Parse* p, const char* text, size_t size)
{
    const char* end = text + size;
    while (text < end) {
        if (!feedCharacters(p, &text, end)) return false;
        const char* open = sn_findBytes(text, (size_t)(end - text), "<!--", 4);
        const char* close = open ? sn_findBytes(open + 4, (size_t)(end - open - 4), "-->", 3) : NULL;
        if (!close) return feed(p, text, (size_t)(end - text));
        if (!feed(p, text, (size_t)(open + 4 - text))) return false;
        for (const char* at = open + 4; (at = memchr(at, '\n', (size_t)(close - at))); at++)
            if (!feed(p, "\n", 1)) return false;
        if (!feed(p, "-->", 3)) return false;
        text = close + 3;
    }
    return true;
}

// The encoding that a declaration <?xml ... encoding="..."?> names, into word [size]; false: none.
static bool findEncoding(const char* text, size_t size, char* word, size_t nword)
{
    const char* end = size > 5 && !memcmp(text, "<?xml", 5) ? sn_findBytes(text, size, "?>", 2) : NULL;
    const char* at = end ? sn_findBytes(text, (size_t)(end - text), "encoding", 8) : NULL;
    if (!at) return false;
    at += 8;
    while (at < end && strchr(" \t\r\n=\"'", *at)) at++;
    size_t n = 0;
    while (at + n < end && n + 1 < nword && !strchr(" \"'", at[n])) n++;
    memcpy(word, at, n);
    word[n] = 0;
    return true;
}

// Whether expat takes the encoding of a text that begins with a declaration in single bytes.
static bool isEncoding(const char* word)
{
    static const char* const known[] = {"UTF-8", "US-ASCII", "ISO-8859-1"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (sn_isSameWord(word, known[i])) return true;
    return false;
}

// Parses with a new parser of this encoding (NULL: as the text says); the root, or NULL and the error.
static snXmlNode* parse(Parse* p, const char* text, size_t size, const char* encoding)
{
    p->parser = sn_newXmlParser();
    if (!p->parser || !XML_SetEncoding(p->parser, encoding)) {
        if (p->parser) XML_ParserFree(p->parser);
        sn_fail(p->error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    XML_SetUserData(p->parser, p);
    XML_SetElementHandler(p->parser, onStart, onEnd);
    XML_SetCharacterDataHandler(p->parser, onText);
    XML_SetCdataSectionHandler(p->parser, onStartCdata, onEndCdata);
    XML_SetStartDoctypeDeclHandler(p->parser, onDoctype);
    const bool fed =
        feedWithoutComments(p, text, size) && XML_Parse(p->parser, "", 0, XML_TRUE) != XML_STATUS_ERROR;
    const enum XML_Error code = XML_GetErrorCode(p->parser);
    if (!fed && !p->failed && code == XML_ERROR_NO_MEMORY) {
        sn_fail(p->error, SN_STATUS_NO_MEMORY, "out of memory");
    } else if (!fed && !p->failed) {
        p->fault = XML_ErrorString(code);
        sn_failAt(p->error, SN_STATUS_SYNTAX, p->file, line(p), "not well-formed XML: %s", p->fault);
    }
    XML_ParserFree(p->parser);
    p->parser = NULL;
    return fed && !p->failed ? p->root : NULL;
}

// Once more, after p->fault, with what can be mended mended; what cannot has the first error.
static snXmlNode* parseMended(Parse* p, const char* text, size_t size)
{
    const snError first = *p->error;
    const char* fault = p->fault;
    const size_t n = sn_mendXml(text, size, NULL);
    char* mended = sn_malloc(n + 1);
    if (!mended) {
        sn_fail(p->error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    sn_mendXml(text, size, mended);
    p->root = NULL;
    p->worded = NULL;
    p->cdata = false;
    p->depth = 0;
    p->failed = false;
    p->fault = NULL;
    snXmlNode* root = parse(p, mended, n, "UTF-8");
    sn_free(mended);
    if (!root && p->fault) *p->error = first;
    if (!root) return NULL;
    sn_failAt(&p->warning, SN_STATUS_SYNTAX, p->file, first.line,
              "not well-formed XML: %s; it is read as it seems to be meant", fault);
    if (sn_addWarning(p->options, &p->warning)) return root;
    *p->error = p->warning;
    return NULL;
}

snXmlNode* sn_parseXml(snSpec* spec, const char* text, size_t size, const char* file, int depth,
                       const snLoadOptions* options, snError* error)
{
    snError own;
    Parse* p = sn_calloc(sizeof *p);
    if (!error) error = &own;
    if (!p) {
        sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    *p = (Parse){.spec = spec, .error = error, .file = file, .options = options, .base = depth};
    char encoding[60];
    const bool strange = findEncoding(text, size, encoding, sizeof encoding) && !isEncoding(encoding);
    if (strange) warn(p, "encoding=\"%s\" is taken for UTF-8, write that", encoding);
    const bool strict = options && options->strict;
    snXmlNode* root = p->failed ? NULL : parse(p, text, size, strange ? "UTF-8" : NULL);
    if (!root && p->fault && !strict) root = parseMended(p, text, size);
    sn_free(p->characters);
    sn_free(p);
    return root;
}
