// The file is a row of sections, $Name to $EndName, of which Nodes and Elements count. A text and a binary
// differ in how a number is written alone, but for the elements of 2.2. Source: the Gmsh reference manual,
// "MSH file format". No number of the file is believed before it has been held against the bytes that are
// left: each thing that it counts takes some.
#include "format/mesh/gmsh.h"
#include "base/error.h"
#include "base/little_endian.h"
#include "base/memory.h"
#include "base/search.h"
#include "format/mesh/text.h"
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Tag {
    uint64_t tag;
    int node;
} Tag;

typedef struct Gmsh {
    const char *name, *begin;
    snTextSpan rest;
    snError* error;
    snLocale locale;
    bool binary, old; // old: 2.2, else 4.1
    bool elements;    // their section has been read
    Tag* tags;        // [nnode] in the order of the tags
    uint64_t first;   // the tags are first, first + 1, ...; 0: they are not
    int room[4];
    snGmsh* mesh;
} Gmsh;

bool sn_isGmsh(const void* data, size_t size)
{
    static const char head[] = "$MeshFormat";
    return size >= sizeof head - 1 && !memcmp(data, head, sizeof head - 1);
}

// ---- errors

static bool fail(const Gmsh* g, snStatus status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(const Gmsh* g, snStatus status, const char* format, ...)
{
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    int line = 1;
    for (const char* at = g->begin; at < g->rest.at; at++) line += *at == '\n';
    if (g->binary)
        sn_failAt(g->error, status, g->name, 0, "byte %td: %s", g->rest.at - g->begin, text);
    else
        sn_failAt(g->error, status, g->name, line, "%s", text);
    return false;
}

static bool cutShort(const Gmsh* g, const char* what)
{
    return fail(g, SN_STATUS_SYNTAX, "the file ends before %s; is it cut short?", what);
}

static bool noMemory(const Gmsh* g)
{
    sn_failAt(g->error, SN_STATUS_NO_MEMORY, g->name, 0, "out of memory for a mesh");
    return false;
}

// ---- numbers

static size_t bytesLeft(const Gmsh* g)
{
    return (size_t)(g->rest.end - g->rest.at);
}

// A whole number of a text: digits, with a sign.
static bool readDigits(snTextSpan word, int64_t* value)
{
    const bool negative = word.at < word.end && *word.at == '-';
    if (negative) word.at++;
    uint64_t number = 0;
    if (word.at == word.end || word.end - word.at > 18) return false;
    for (; word.at < word.end; word.at++) {
        if (*word.at < '0' || *word.at > '9') return false;
        number = 10 * number + (uint64_t)(*word.at - '0');
    }
    *value = negative ? -(int64_t)number : (int64_t)number;
    return true;
}

// The next whole number, of `width` bytes in a binary.
static bool readWhole(Gmsh* g, int width, const char* what, int64_t* value)
{
    snTextSpan word;
    if (!g->binary) {
        if (!sn_textToken(&g->rest, &word)) return cutShort(g, what);
        return readDigits(word, value) || fail(g, SN_STATUS_SYNTAX, "%s: expected a whole number", what);
    }
    if (bytesLeft(g) < (size_t)width) return cutShort(g, what);
    const uint64_t low = sn_littleU32(g->rest.at);
    *value =
        width == 4 ? sn_littleI32(g->rest.at) : (int64_t)(low | (uint64_t)sn_littleU32(g->rest.at + 4) << 32);
    g->rest.at += width;
    return true;
}

static bool readInt(Gmsh* g, const char* what, int64_t* value)
{
    return readWhole(g, 4, what, value);
}

// Counts and tags: of 8 bytes from 4.1 on.
static bool readSize(Gmsh* g, const char* what, int64_t* value)
{
    return readWhole(g, g->old ? 4 : 8, what, value);
}

static bool readReal(Gmsh* g, double* value)
{
    snTextSpan word;
    if (!g->binary) {
        if (!sn_textToken(&g->rest, &word)) return cutShort(g, "a coordinate");
        return sn_textReal(word, g->locale, value) ||
               fail(g, SN_STATUS_SYNTAX, "a coordinate is not a finite number");
    }
    int64_t bits = 0;
    if (!readWhole(g, 8, "a coordinate", &bits)) return false;
    memcpy(value, &bits, sizeof *value);
    return isfinite(*value) || fail(g, SN_STATUS_SYNTAX, "a coordinate is %g, must be finite", *value);
}

// How many of what takes `least` bytes each at least; a text has a digit and a blank for a number of
// `numbers`.
static bool readCount(Gmsh* g, const char* what, size_t least, size_t numbers, int64_t* count)
{
    if (!readSize(g, what, count)) return false;
    const size_t each = g->binary ? least : 2 * numbers;
    if (*count < 0 || *count > INT_MAX / 4 || (uint64_t)*count > (bytesLeft(g) + 1) / each)
        return fail(g, SN_STATUS_SYNTAX, "%s: %lld, more than the file has room for; is it cut short?", what,
                    (long long)*count);
    return true;
}

// ---- nodes

static int compareTags(const void* a, const void* b)
{
    const uint64_t x = ((const Tag*)a)->tag, y = ((const Tag*)b)->tag;
    return x < y ? -1 : x > y;
}

static bool sortTags(Gmsh* g)
{
    const int n = g->mesh->nnode;
    bool inorder = true;
    for (int i = 0; i < n; i++) inorder &= g->tags[i].tag == g->tags[0].tag + (uint64_t)i;
    g->first = inorder && n ? g->tags[0].tag : 0;
    if (inorder) return true;
    qsort(g->tags, (size_t)n, sizeof *g->tags, compareTags);
    for (int i = 1; i < n; i++)
        if (g->tags[i].tag == g->tags[i - 1].tag)
            return fail(g, SN_STATUS_SYNTAX, "two nodes have the number %llu, numbers must differ",
                        (unsigned long long)g->tags[i].tag);
    return true;
}

// The node of a tag; -1: there is none.
static int findNode(const Gmsh* g, int64_t tag)
{
    const Tag wanted = {(uint64_t)tag, 0};
    if (tag < 1) return -1;
    if (g->first)
        return wanted.tag >= g->first && wanted.tag - g->first < (uint64_t)g->mesh->nnode
                   ? (int)(wanted.tag - g->first)
                   : -1;
    const Tag* found = bsearch(&wanted, g->tags, (size_t)g->mesh->nnode, sizeof *g->tags, compareTags);
    return found ? found->node : -1;
}

static bool readTag(Gmsh* g, int node)
{
    int64_t tag;
    if (!readSize(g, "the number of a node", &tag)) return false;
    g->tags[node] = (Tag){(uint64_t)tag, node};
    return tag > 0 ||
           fail(g, SN_STATUS_SYNTAX, "a node has the number %lld, they begin with 1", (long long)tag);
}

static bool readPoint(Gmsh* g, int node)
{
    double* x = g->mesh->node + 3 * (size_t)node;
    return readReal(g, &x[0]) && readReal(g, &x[1]) && readReal(g, &x[2]);
}

static bool makeNodes(Gmsh* g, int64_t count)
{
    g->mesh->nnode = (int)count;
    g->mesh->node = sn_malloc(3 * (size_t)count * sizeof(double) + 1);
    g->tags = sn_malloc((size_t)count * sizeof *g->tags + 1);
    return (g->mesh->node && g->tags) || noMemory(g);
}

static bool readOldNodes(Gmsh* g)
{
    int64_t count;
    const bool binary = g->binary;
    g->binary = false; // the count is text always
    const bool good = readSize(g, "the number of nodes", &count);
    g->binary = binary;
    if (!good) return false;
    if (binary && bytesLeft(g)) g->rest.at++; // the end of its line
    const size_t each = binary ? 28 : 8;
    if (count < 0 || count > INT_MAX / 4 || (uint64_t)count > (bytesLeft(g) + 1) / each)
        return fail(g, SN_STATUS_SYNTAX,
                    "the number of nodes: %lld, more than the file has room for; is it cut short?",
                    (long long)count);
    if (!makeNodes(g, count)) return false;
    for (int i = 0; i < count; i++)
        if (!readTag(g, i) || !readPoint(g, i)) return false;
    return sortTags(g);
}

// A block of nodes from `first` on: their tags, then their points. Those of a curve or surface may have
// coordinates on it, too.
static bool readNodeBlock(Gmsh* g, int64_t first, int64_t* next)
{
    int64_t dim, entity, parametric, count;
    double on;
    if (!readInt(g, "the dimension of a block", &dim) || !readInt(g, "the entity of a block", &entity) ||
        !readInt(g, "'parametric' of a block", &parametric) ||
        !readCount(g, "nodes of a block", 32, 4, &count))
        return false;
    if (dim < 0 || dim > 3)
        return fail(g, SN_STATUS_SYNTAX, "a block of nodes has dimension %lld", (long long)dim);
    *next = first + count;
    if (*next > g->mesh->nnode)
        return fail(g, SN_STATUS_SYNTAX, "blocks have more nodes than the %d of the section", g->mesh->nnode);
    for (int64_t i = first; i < *next; i++)
        if (!readTag(g, (int)i)) return false;
    for (int64_t i = first; i < *next; i++) {
        if (!readPoint(g, (int)i)) return false;
        for (int k = 0; parametric && k < dim; k++)
            if (!readReal(g, &on)) return false;
    }
    return true;
}

static bool readNodes(Gmsh* g)
{
    int64_t blocks, count, tag, next = 0;
    if (g->mesh->node) return fail(g, SN_STATUS_SYNTAX, "$Nodes stands twice");
    if (g->old) return readOldNodes(g);
    if (!readCount(g, "blocks of nodes", 20, 4, &blocks) ||
        !readCount(g, "the number of nodes", 32, 4, &count) || !readSize(g, "the least number", &tag) ||
        !readSize(g, "the largest number", &tag) || !makeNodes(g, count))
        return false;
    for (int64_t i = 0; i < blocks; i++)
        if (!readNodeBlock(g, next, &next)) return false;
    if (next != count)
        return fail(g, SN_STATUS_SYNTAX, "$Nodes has %lld nodes, its first line says %lld", (long long)next,
                    (long long)count);
    return sortTags(g);
}

// ---- elements

// The dimension of a kind of element, 0 for points.
static bool dimOf(Gmsh* g, int64_t type, int* dim)
{
    *dim = type == 15 ? 0 : type == 1 ? 1 : type == 2 ? 2 : type == 4 ? 3 : -1;
    return *dim >= 0 ||
           fail(g, SN_STATUS_UNSUPPORTED,
                "elements of type %lld: edges, triangles and tetrahedra of first order are read (1, 2, 4); "
                "mesh with these in Gmsh",
                (long long)type);
}

static bool growElements(Gmsh* g, int dim, int64_t more)
{
    const int64_t need = g->mesh->nelem[dim] + more;
    const size_t width = (size_t)(dim + 1) * sizeof(int);
    if (need <= g->room[dim]) return true;
    const int64_t room = need > 2 * (int64_t)g->room[dim] ? need : 2 * (int64_t)g->room[dim];
    if (room > INT_MAX / 4) return noMemory(g);
    int* grown = sn_realloc(g->mesh->elem[dim], (size_t)g->mesh->nelem[dim] * width, (size_t)room * width);
    if (!grown) return noMemory(g);
    g->mesh->elem[dim] = grown;
    g->room[dim] = (int)room;
    return true;
}

// The nodes of an element, behind its number and labels.
static bool readElement(Gmsh* g, int dim)
{
    if (!growElements(g, dim, 1)) return false;
    int* element = g->mesh->elem[dim] + (size_t)(dim + 1) * (size_t)g->mesh->nelem[dim];
    for (int k = 0; k <= dim; k++) {
        int64_t tag;
        if (!readSize(g, "a node of an element", &tag)) return false;
        element[k] = findNode(g, tag);
        if (element[k] < 0)
            return fail(g, SN_STATUS_SYNTAX, "an element has node %lld, which is not among the nodes",
                        (long long)tag);
    }
    g->mesh->nelem[dim]++;
    return true;
}

static bool skipInts(Gmsh* g, int64_t count, const char* what)
{
    int64_t number;
    for (int64_t i = 0; i < count; i++)
        if (!readInt(g, what, &number)) return false;
    return true;
}

// A block of 2.2: in a text one element with all that is said of it, in a binary several behind one head.
static bool readOldBlock(Gmsh* g, int64_t* done)
{
    int64_t number, type, labels, count = 1;
    int dim;
    if (!g->binary && !readInt(g, "the number of an element", &number)) return false;
    if (!readInt(g, "the type of an element", &type)) return false;
    if (g->binary && !readCount(g, "elements of a block", 8, 1, &count)) return false;
    if (!readInt(g, "the number of labels", &labels) || !dimOf(g, type, &dim)) return false;
    if (labels < 0 || (uint64_t)labels > bytesLeft(g))
        return fail(g, SN_STATUS_SYNTAX, "an element with %lld labels", (long long)labels);
    if (count < 1) return fail(g, SN_STATUS_SYNTAX, "a block without elements");
    for (int64_t i = 0; i < count; i++)
        if ((g->binary && !readInt(g, "the number of an element", &number)) ||
            !skipInts(g, labels, "a label of an element") || !readElement(g, dim))
            return false;
    *done += count;
    return true;
}

static bool readOldElements(Gmsh* g)
{
    int64_t count, done = 0;
    const bool binary = g->binary;
    g->binary = false;
    const bool good = readSize(g, "the number of elements", &count);
    g->binary = binary;
    if (!good) return false;
    if (binary && bytesLeft(g)) g->rest.at++;
    while (done < count)
        if (!readOldBlock(g, &done)) return false;
    return done == count || fail(g, SN_STATUS_SYNTAX, "$Elements has %lld elements, its first line says %lld",
                                 (long long)done, (long long)count);
}

static bool readElementBlock(Gmsh* g, int64_t* done)
{
    int64_t number, type, count;
    int dim;
    if (!readInt(g, "the dimension of a block", &number) || !readInt(g, "the entity of a block", &number) ||
        !readInt(g, "the type of elements", &type) || !dimOf(g, type, &dim) ||
        !readCount(g, "elements of a block", 16, 2, &count) || !growElements(g, dim, count))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (!readSize(g, "the number of an element", &number) || !readElement(g, dim)) return false;
    *done += count;
    return true;
}

static bool readElements(Gmsh* g)
{
    int64_t blocks, count, number, done = 0;
    if (g->elements) return fail(g, SN_STATUS_SYNTAX, "$Elements stands twice");
    if (!g->mesh->node) return fail(g, SN_STATUS_SYNTAX, "$Elements stands in front of $Nodes");
    g->elements = true;
    if (g->old) return readOldElements(g);
    if (!readCount(g, "blocks of elements", 20, 4, &blocks) ||
        !readCount(g, "the number of elements", 16, 2, &count) || !readSize(g, "the least number", &number) ||
        !readSize(g, "the largest number", &number))
        return false;
    for (int64_t i = 0; i < blocks; i++)
        if (!readElementBlock(g, &done)) return false;
    return done == count || fail(g, SN_STATUS_SYNTAX, "$Elements has %lld elements, its first line says %lld",
                                 (long long)done, (long long)count);
}

// ---- sections

// "$MeshFormat 4.1 1 8", and in a binary a 1 that tells the order of bytes.
static bool readFormat(Gmsh* g)
{
    snTextSpan word;
    int64_t binary, size, one;
    sn_textToken(&g->rest, &word); // $MeshFormat
    if (!sn_textToken(&g->rest, &word)) return cutShort(g, "the version");
    g->old = sn_textIs(word, "2.2");
    if (!g->old && !sn_textIs(word, "4.1"))
        return fail(g, SN_STATUS_UNSUPPORTED, "version %.*s: 2.2 and 4.1 are read, save it as one of these",
                    (int)(word.end - word.at < 20 ? word.end - word.at : 20), word.at);
    if (!readInt(g, "whether it is binary", &binary) || !readInt(g, "the size of numbers", &size))
        return false;
    if (size != 8)
        return fail(g, SN_STATUS_UNSUPPORTED, "numbers of %lld bytes, 8 are read", (long long)size);
    g->binary = binary != 0;
    if (!g->binary) return true;
    while (bytesLeft(g) && *g->rest.at != '\n') g->rest.at++;
    if (bytesLeft(g)) g->rest.at++;
    if (!readInt(g, "the order of bytes", &one)) return false;
    return one == 1 || fail(g, SN_STATUS_UNSUPPORTED,
                            "its bytes are in big-endian order, save it on another machine or as text");
}

// The words that end a section, and no longer ones that begin so; NULL: they are not there.
static const char* findEnd(const Gmsh* g, const char* end, size_t n)
{
    const char* at = g->rest.at;
    while ((at = sn_findBytes(at, (size_t)(g->rest.end - at), end, n))) {
        at += n;
        if (at == g->rest.end || strchr(" \t\r\n", *at)) return at - n;
    }
    return NULL;
}

// What ends a section stands next; else, of a section that is not read, somewhere.
static bool endSection(Gmsh* g, const char* name, bool next)
{
    char end[64];
    const int n = snprintf(end, sizeof end, "$End%s", name);
    snTextSpan rest = g->rest, word;
    if (next && sn_textToken(&rest, &word) && !sn_textIs(word, end))
        return fail(g, SN_STATUS_SYNTAX, "expected %s: there is more than its first line says", end);
    const char* found = findEnd(g, end, (size_t)n);
    if (!found) return cutShort(g, end);
    g->rest.at = found + n;
    return true;
}

static bool readSection(Gmsh* g, snTextSpan word)
{
    char name[48] = "";
    const int n = (int)(word.end - word.at) - 1;
    if (n < 1 || n >= (int)sizeof name || *word.at != '$')
        return fail(g, SN_STATUS_SYNTAX, "expected a section, $Nodes or $Elements");
    memcpy(name, word.at + 1, (size_t)n);
    if (strlen(name) != (size_t)n) return fail(g, SN_STATUS_SYNTAX, "a section with bytes 0 in its name");
    const bool nodes = !strcmp(name, "Nodes"), elements = !strcmp(name, "Elements");
    if (g->binary && !g->old && (nodes || elements) && bytesLeft(g)) g->rest.at++; // the end of its line
    if ((nodes && !readNodes(g)) || (elements && !readElements(g))) return false;
    return endSection(g, name, nodes || elements);
}

static bool readFile(Gmsh* g)
{
    snTextSpan word;
    if (!readFormat(g) || !endSection(g, "MeshFormat", false)) return false;
    while (sn_textToken(&g->rest, &word))
        if (!readSection(g, word)) return false;
    if (!g->mesh->node) return cutShort(g, "$Nodes");
    return g->elements || cutShort(g, "$Elements");
}

snStatus sn_readGmsh(const char* name, const void* data, size_t size, snGmsh* mesh, snError* error)
{
    *mesh = (snGmsh){.nnode = 0};
    snError why = {.status = SN_STATUS_OK};
    const char* bytes = data;
    Gmsh g = {.name = name, .begin = bytes, .error = &why, .mesh = mesh};
    g.rest = (snTextSpan){bytes, bytes + size};
    g.locale = sn_makeLocale();
    if (!g.locale)
        noMemory(&g);
    else if (!sn_isGmsh(data, size))
        fail(&g, SN_STATUS_SYNTAX, "a file of Gmsh begins with $MeshFormat");
    else
        readFile(&g);
    sn_freeLocale(g.locale);
    sn_free(g.tags);
    if (why.status) sn_freeGmsh(mesh);
    if (error && why.status) *error = why;
    return (snStatus)why.status;
}

void sn_freeGmsh(snGmsh* mesh)
{
    sn_free(mesh->node);
    for (int dim = 0; dim < 4; dim++) sn_free(mesh->elem[dim]);
    *mesh = (snGmsh){.nnode = 0};
}
