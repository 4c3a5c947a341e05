#include "format/mesh/ply_header.h"
#include "base/error.h"
#include "base/memory.h"

size_t sn_plyBytes(snPlyType type)
{
    static const size_t bytes[] = {
#define X(name, old, sized, n) n,
        SN_PLY_TYPES(X)
#undef X
    };
    return bytes[type];
}

static bool findType(snTextSpan word, snPlyType* type)
{
#define X(name, old, sized, bytes)                                                                           \
    if (sn_textIs(word, old) || sn_textIs(word, sized)) return *type = SN_PLY_##name, true;
    SN_PLY_TYPES(X)
#undef X
    return false;
}

static snStatus syntax(const snMeshSource* source, const snPlyHeader* h, const char* what, snTextSpan word)
{
    const ptrdiff_t n = word.end - word.at;
    return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, h->line, "%s: '%.*s'", what,
                     (int)(n > 40 ? 40 : n), word.at);
}

// format ascii|binary_little_endian|binary_big_endian 1.0
static snStatus readFormat(const snMeshSource* source, snPlyHeader* h, snTextSpan line)
{
    snTextSpan word;
    sn_textToken(&line, &word);
    if (sn_textIs(word, "ascii"))
        h->format = SN_PLY_ASCII;
    else if (sn_textIs(word, "binary_little_endian"))
        h->format = SN_PLY_LITTLE;
    else if (sn_textIs(word, "binary_big_endian"))
        h->format = SN_PLY_BIG;
    else
        return syntax(source, h,
                      "the format of a PLY file is ascii, binary_little_endian or binary_big_endian, not",
                      word);
    return SN_STATUS_OK;
}

static bool readCount(snTextSpan word, int64_t* count)
{
    *count = 0;
    for (const char* c = word.at; c < word.end; c++) {
        if (*c < '0' || *c > '9' || *count > INT32_MAX) return false;
        *count = 10 * *count + (*c - '0');
    }
    return word.end > word.at;
}

// element NAME COUNT
static snStatus readElement(const snMeshSource* source, snPlyHeader* h, snTextSpan line)
{
    snTextSpan name, count;
    snPlyElement e = {.kind = SN_PLY_OTHER, .first = h->nproperty};
    if (!sn_textToken(&line, &name) || !sn_textToken(&line, &count) || !readCount(count, &e.count))
        return syntax(source, h, "'element' needs a name and a number of rows", line);
    if (sn_textIs(name, "vertex")) e.kind = SN_PLY_VERTEX;
    if (sn_textIs(name, "face")) e.kind = SN_PLY_FACE;
    if (sn_textIs(name, "tristrips")) e.kind = SN_PLY_STRIPS;
    for (int i = 0; i < h->nelement && e.kind == SN_PLY_VERTEX; i++)
        if (h->element[i].kind == SN_PLY_VERTEX) return syntax(source, h, "a second element", name);
    if (!sn_growMesh((void**)&h->element, sizeof e, h->nelement, 1, &h->elementroom))
        return sn_meshNoMemory(source);
    h->element[h->nelement++] = e;
    return SN_STATUS_OK;
}

static snPlyRole roleOf(snPlyKind kind, snTextSpan name, bool list)
{
    if (kind == SN_PLY_VERTEX && !list && name.end - name.at == 1 && *name.at >= 'x' && *name.at <= 'z')
        return (snPlyRole)(SN_PLY_X + (*name.at - 'x'));
    const bool corners = sn_textIs(name, "vertex_indices") || sn_textIs(name, "vertex_index");
    return (kind == SN_PLY_FACE || kind == SN_PLY_STRIPS) && list && corners ? SN_PLY_CORNERS
                                                                             : SN_PLY_NOTHING;
}

// property TYPE NAME, or property list TYPE TYPE NAME
static snStatus readProperty(const snMeshSource* source, snPlyHeader* h, snTextSpan line)
{
    snTextSpan word;
    snPlyProperty p = {.role = SN_PLY_NOTHING};
    if (!h->nelement) return syntax(source, h, "a property before the first element", line);
    sn_textToken(&line, &word);
    p.list = sn_textIs(word, "list");
    if (p.list) {
        sn_textToken(&line, &word);
        if (!findType(word, &p.length)) return syntax(source, h, "no type of a PLY property", word);
        sn_textToken(&line, &word);
    }
    if (!findType(word, &p.type)) return syntax(source, h, "no type of a PLY property", word);
    if (!sn_textToken(&line, &word)) return syntax(source, h, "a property without a name", line);
    snPlyElement* e = h->element + h->nelement - 1;
    p.role = roleOf(e->kind, word, p.list);
    if (!sn_growMesh((void**)&h->property, sizeof p, h->nproperty, 1, &h->propertyroom))
        return sn_meshNoMemory(source);
    h->property[h->nproperty++] = p;
    e->nproperty++;
    return SN_STATUS_OK;
}

static snStatus readLine(const snMeshSource* source, snPlyHeader* h, snTextSpan line)
{
    snTextSpan word;
    if (!sn_textToken(&line, &word)) return SN_STATUS_OK;
    if (sn_textIs(word, "format")) return readFormat(source, h, line);
    if (sn_textIs(word, "element")) return readElement(source, h, line);
    if (sn_textIs(word, "property")) return readProperty(source, h, line);
    if (sn_textIs(word, "comment") || sn_textIs(word, "obj_info")) return SN_STATUS_OK;
    return syntax(source, h,
                  "not a line of a PLY header (format, element, property, comment, obj_info, end_header)",
                  word);
}

static snStatus checkHeader(const snMeshSource* source, const snPlyHeader* h)
{
    int found = 0;
    for (int i = 0; i < h->nelement; i++)
        for (int k = 0; k < h->element[i].nproperty; k++) {
            const snPlyRole role = h->property[h->element[i].first + k].role;
            if (role <= SN_PLY_Z) found |= 1 << role;
        }
    if (h->format == SN_PLY_NO_FORMAT)
        return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, h->line,
                         "the header has no line 'format ascii 1.0' or the like");
    if (found != 7)
        return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, h->line,
                         "the header has no 'element vertex' with the properties x, y and z");
    return SN_STATUS_OK;
}

snStatus sn_readPlyHeader(const snMeshSource* source, snTextSpan* text, snPlyHeader* header)
{
    snTextSpan line, word;
    *header = (snPlyHeader){.line = 1};
    if (!sn_textLine(text, &line) || !sn_textIs(line, "ply"))
        return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, 1,
                         "a PLY file begins with a line 'ply'; this one does not");
    // where lines end in a carriage return alone, a line feed behind it belongs to the binary data
    const bool bare = text->at == line.end + 1 && *line.end == '\r';
    while (sn_textLine(text, &line)) {
        header->line++;
        snTextSpan rest = line;
        if (sn_textToken(&rest, &word) && sn_textIs(word, "end_header")) {
            if (bare && text->at > line.end) text->at = line.end + 1;
            return checkHeader(source, header);
        }
        const snStatus status = readLine(source, header, line);
        if (status) return status;
    }
    return sn_failAt(source->error, SN_STATUS_SYNTAX, source->name, header->line,
                     "the header has no 'end_header'; is the file cut short?");
}

void sn_freePlyHeader(snPlyHeader* header)
{
    sn_free(header->element);
    sn_free(header->property);
}
