#include "format/mjcf/language/mend.h"
#include <stdbool.h>
#include <string.h>
#include "base/search.h"
#include "base/utf8.h"

typedef struct Mend {
    const char *at, *end; // what is left of the text
    char* out;            // NULL: only counted
    size_t n;
    int depth;
} Mend;

static void put(Mend* m, const char* text, size_t size)
{
    if (m->out) memcpy(m->out + m->n, text, size);
    m->n += size;
}

static void putText(Mend* m, const char* text)
{
    put(m, text, strlen(text));
}

static bool begins(const Mend* m, const char* word)
{
    const size_t n = strlen(word);
    return (size_t)(m->end - m->at) >= n && !memcmp(m->at, word, n);
}

static bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Passes over all up to behind `close`, but for the ends of lines; false: it does not come.
static bool drop(Mend* m, const char* close)
{
    const char* found = sn_findBytes(m->at, (size_t)(m->end - m->at), close, strlen(close));
    if (!found) return false;
    for (found += strlen(close); m->at < found; m->at++)
        if (*m->at == '\n') putText(m, "\n");
    return true;
}

// Bytes of an entity that every XML has; 0: here is none.
static size_t entity(const Mend* m)
{
    static const char* const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (begins(m, known[i])) return strlen(known[i]);
    return 0;
}

// One character of a text or of an attribute's value.
static void putCharacter(Mend* m)
{
    const unsigned char c = (unsigned char)*m->at;
    const ptrdiff_t left = m->end - m->at;
    size_t n = 1;
    if (c >= 0x80 && (n = (size_t)sn_characterSize(m->at, left < 4 ? (int)left : 4)) == 0) {
        put(m, (char[]){(char)(0xc0 | c >> 6), (char)(0x80 | (c & 0x3f))}, 2);
        n = 1;
    } else if (c == '<' || c == '>') {
        putText(m, c == '<' ? "&lt;" : "&gt;");
    } else if (c == '&' && (n = entity(m)) == 0) {
        putText(m, "&amp;");
        n = 1;
    } else if (c >= 0x20 || isBlank((char)c)) {
        put(m, m->at, n);
    }
    m->at += n;
}

static void putValue(Mend* m)
{
    const char quote = *m->at++;
    put(m, &quote, 1);
    while (m->at < m->end && *m->at != quote) putCharacter(m);
    if (m->at == m->end) return;
    m->at++;
    put(m, &quote, 1);
    if (m->at < m->end && !isBlank(*m->at) && !strchr("/>", *m->at)) putText(m, " ");
}

// A start or an end tag.
static void putTag(Mend* m)
{
    const bool close = begins(m, "</");
    bool empty = false;
    while (m->at < m->end && *m->at != '>') {
        empty = *m->at == '/';
        if (*m->at == '"' || *m->at == '\'')
            putValue(m);
        else
            put(m, m->at++, 1);
    }
    if (m->at < m->end) put(m, m->at++, 1);
    m->depth += close ? -1 : !empty;
}

static bool isTag(const Mend* m)
{
    return *m->at == '<' && !begins(m, "<!") && !begins(m, "<?");
}

// What stands around tags; false: it does not end.
static bool putOther(Mend* m)
{
    if (begins(m, "<!--")) return drop(m, "-->");
    if (begins(m, "<![CDATA[")) return drop(m, "]]>");
    if (begins(m, "<?")) return drop(m, "?>");
    if (begins(m, "<!")) return drop(m, ">");
    if (m->depth > 0 || isBlank(*m->at))
        putCharacter(m);
    else
        m->at++;
    return true;
}

size_t sn_mendXml(const char* text, size_t size, char* out)
{
    const char* zero = memchr(text, 0, size);
    Mend m = {.at = text, .end = zero ? zero : text + size, .out = out};
    bool root = false;
    while (m.at < m.end) {
        if (isTag(&m)) {
            if (root && m.depth <= 0) break;
            root = true;
            putTag(&m);
        } else if (root && m.depth <= 0 && *m.at != '<' && !isBlank(*m.at)) {
            put(&m, m.at++, 1); // words behind the root stay wrong
        } else if (!putOther(&m)) {
            put(&m, m.at, (size_t)(m.end - m.at));
            break;
        }
    }
    return m.n;
}
