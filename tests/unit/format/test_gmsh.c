// Files of Gmsh: what good ones hold, and that bad ones are named for what they are. Each is also given cut
// short at every byte and with every byte changed: under sanitizers nothing may show.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "format/mesh/gmsh.h"

// Two tetrahedra over five nodes, with a point, an edge and a triangle of them, whose numbers have gaps and
// no order.
static const char older[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"$Nodes\"\n"
    "$EndPhysicalNames\n$Nodes\n5\n9 0 0 0\n2 1 0 0\n30 0 1.5e0 0\n4 0 0 -.25\n5 1 1 1\n"
    "$EndNodes\n$Elements\n5\n1 15 2 0 1 9\n2 1 0 9 2\n3 2 3 1 2 3 9 2 30\n"
    "4 4 2 1 1 9 2 30 4\n5 4 2 1 1 2 30 4 5\n$EndElements\n";
static const char newer[] =
    "$MeshFormat\r\n4.1 0 8\r\n$EndMeshFormat\r\n$Entities\n1 0 0 0\n$EndEntities\n$Nodes\n3 5 2 30\n"
    "0 1 0 1\n9\n0 0 0\n2 -7 1 3\n2\n30\n4\n1 0 0 0.1 0.2\n0 1.5 0 0.3 0.4\n0 0 -.25 .5 .6\n3 1 0 1\n5\n1 1 "
    "1\n"
    "$EndNodes\n$Elements\n4 5 1 5\n0 1 15 1\n1 9\n1 1 1 1\n2 9 2\n2 1 2 1\n3 9 2 30\n3 1 4 2\n4 9 2 30 4\n"
    "5 2 30 4 5\n$EndElements\n$Periodic\n0\n$EndPeriodic";

static const double nodes[] = {0, 0, 0, 1, 0, 0, 0, 1.5, 0, 0, 0, -.25, 1, 1, 1};
static const int edge[] = {0, 1}, triangle[] = {0, 1, 2}, tetrahedra[] = {0, 1, 2, 3, 1, 2, 3, 4};

typedef struct Bytes {
    unsigned char at[1024];
    size_t size;
} Bytes;

static void addText(Bytes* b, const char* text)
{
    memcpy(b->at + b->size, text, strlen(text));
    b->size += strlen(text);
}

static void addNumber(Bytes* b, int64_t value, int width)
{
    for (int k = 0; k < width; k++) b->at[b->size++] = (unsigned char)((uint64_t)value >> 8 * k);
}

static void addNumbers(Bytes* b, int width, const int* values, int n)
{
    for (int i = 0; i < n; i++) addNumber(b, values[i], width);
}

static void addPoint(Bytes* b, const double* x)
{
    for (int k = 0; k < 3; k++) {
        uint64_t bits;
        memcpy(&bits, &x[k], sizeof bits);
        addNumber(b, (int64_t)bits, 8);
    }
}

#define NUMBERS(b, width, ...)                                                                               \
    addNumbers(b, width, (const int[]){__VA_ARGS__}, (int)(sizeof(int[]){__VA_ARGS__} / sizeof(int)))

static Bytes binaryOlder(void)
{
    static const int tags[] = {9, 2, 30, 4, 5};
    Bytes b = {.size = 0};
    addText(&b, "$MeshFormat\n2.2 1 8\n");
    NUMBERS(&b, 4, 1);
    addText(&b, "\n$EndMeshFormat\n$Nodes\n5\n");
    for (int i = 0; i < 5; i++) {
        addNumber(&b, tags[i], 4);
        addPoint(&b, nodes + 3 * i);
    }
    addText(&b, "\n$EndNodes\n$Elements\n5\n");
    NUMBERS(&b, 4, 15, 1, 2, 1, 0, 1, 9, 1, 1, 0, 2, 9, 2, 2, 1, 1, 3, 7, 9, 2, 30);
    NUMBERS(&b, 4, 4, 2, 2, 4, 1, 1, 9, 2, 30, 4, 5, 1, 1, 2, 30, 4, 5);
    addText(&b, "\n$EndElements\n");
    return b;
}

static Bytes binaryNewer(void)
{
    Bytes b = {.size = 0};
    addText(&b, "$MeshFormat\n4.1 1 8\n");
    NUMBERS(&b, 4, 1);
    addText(&b, "\n$EndMeshFormat\n$Nodes\n");
    NUMBERS(&b, 8, 2, 5, 2, 30);
    NUMBERS(&b, 4, 3, 1, 0);
    NUMBERS(&b, 8, 4, 9, 2, 30, 4);
    for (int i = 0; i < 4; i++) addPoint(&b, nodes + 3 * i);
    NUMBERS(&b, 4, 1, 1, 1);
    NUMBERS(&b, 8, 1, 5);
    addPoint(&b, nodes + 12);
    addPoint(&b, nodes);
    b.size -= 16; // on a curve one more coordinate
    addText(&b, "\n$EndNodes\n$Elements\n");
    NUMBERS(&b, 8, 3, 4, 1, 4);
    NUMBERS(&b, 4, 1, 1, 1);
    NUMBERS(&b, 8, 1, 1, 9, 2);
    NUMBERS(&b, 4, 2, 1, 2);
    NUMBERS(&b, 8, 1, 2, 9, 2, 30);
    NUMBERS(&b, 4, 3, 1, 4);
    NUMBERS(&b, 8, 2, 3, 9, 2, 30, 4, 4, 2, 30, 4, 5);
    addText(&b, "\n$EndElements\n");
    return b;
}

static Bytes textOf(const char* text)
{
    Bytes b = {.size = 0};
    addText(&b, text);
    return b;
}

static void allFiles(Bytes files[4])
{
    files[0] = textOf(older);
    files[1] = textOf(newer);
    files[2] = binaryOlder();
    files[3] = binaryNewer();
}

static void goodFiles(void** state)
{
    (void)state;
    Bytes files[4];
    allFiles(files);
    for (int i = 0; i < 4; i++) {
        snGmsh mesh;
        snError error = {.status = SN_STATUS_OK};
        assert_true(sn_isGmsh(files[i].at, files[i].size));
        if (sn_readGmsh("a.msh", files[i].at, files[i].size, &mesh, &error))
            fail_msg("%d: %s", i, error.message);
        assert_int_equal(mesh.nnode, 5);
        assert_memory_equal(mesh.node, nodes, sizeof nodes);
        assert_int_equal(mesh.nelem[0], i != 3);
        assert_int_equal(mesh.nelem[1], 1);
        assert_int_equal(mesh.nelem[2], 1);
        assert_int_equal(mesh.nelem[3], 2);
        assert_memory_equal(mesh.elem[1], edge, sizeof edge);
        assert_memory_equal(mesh.elem[2], triangle, sizeof triangle);
        assert_memory_equal(mesh.elem[3], tetrahedra, sizeof tetrahedra);
        sn_freeGmsh(&mesh);
    }
}

// A text, `from` in it replaced by `to`, and what is said of it.
typedef struct Case {
    const char *file, *from, *to, *message;
    snStatus status;
    int line;
} Case;

static const Case cases[] = {
    {older, "$MeshFormat", "MeshFormat", "begins with $MeshFormat", SN_STATUS_SYNTAX, 1},
    {older, "2.2 0", "2.1 0", "version 2.1: 2.2 and 4.1 are read", SN_STATUS_UNSUPPORTED, 2},
    {older, "0 8", "0 4", "numbers of 4 bytes", SN_STATUS_UNSUPPORTED, 2},
    {older, "0 8", "x 8", "expected a whole number", SN_STATUS_SYNTAX, 2},
    {older, "$Nodes\n5", "$Nodes\n6", "the number of a node: expected a whole number", SN_STATUS_SYNTAX, 15},
    {older, "$Nodes\n5", "$Nodes\n4", "expected $EndNodes", SN_STATUS_SYNTAX, 13},
    {older, "$Nodes\n5", "$Nodes\n-5", "more than the file has room for", SN_STATUS_SYNTAX, 9},
    {older, "$Nodes\n5", "$Nodes\n500000000", "more than the file has room for", SN_STATUS_SYNTAX, 9},
    {older, "$Nodes\n5", "$Nodes\n99999999999999999999", "expected a whole number", SN_STATUS_SYNTAX, 9},
    {older, "9 0 0 0", "9 0 nan 0", "a coordinate is not a finite number", SN_STATUS_SYNTAX, 10},
    {older, "9 0 0 0", "2 0 0 0", "two nodes have the number 2", SN_STATUS_SYNTAX, 14},
    {older, "9 0 0 0", "0 0 0 0", "a node has the number 0", SN_STATUS_SYNTAX, 10},
    {older, "4 4 2 1 1 9 2", "4 4 2 1 1 9 3", "node 3, which is not among the nodes", SN_STATUS_SYNTAX, 21},
    {older, "4 4 2 1 1 9 2", "4 5 2 1 1 9 2", "elements of type 5", SN_STATUS_UNSUPPORTED, 21},
    {older, "4 4 2 1 1 9 2", "4 4 -1 1 1 9 2", "an element with -1 labels", SN_STATUS_SYNTAX, 21},
    {older, "$Elements\n5", "$Elements\n6", "the number of an element: expected", SN_STATUS_SYNTAX, 23},
    {older, "$Elements\n5", "$Elements\n4", "expected $EndElements", SN_STATUS_SYNTAX, 21},
    {older, "$EndElements", "$EndElement", "expected $EndElements", SN_STATUS_SYNTAX, 22},
    {older, "$PhysicalNames", "PhysicalNames", "expected a section", SN_STATUS_SYNTAX, 4},
    {older, "$Elements", "$Element ", "before $EndElement;", SN_STATUS_SYNTAX, 16},
    {newer, "3 5 2 30", "3 6 2 30", "has 5 nodes, its first line says 6", SN_STATUS_SYNTAX, 21},
    {newer, "3 5 2 30", "3 4 2 30", "more nodes than the 4 of the section", SN_STATUS_SYNTAX, 19},
    {newer, "3 5 2 30", "900 5 2 30", "blocks of nodes: 900, more than the file", SN_STATUS_SYNTAX, 8},
    {newer, "2 -7 1 3", "4 -7 1 3", "a block of nodes has dimension 4", SN_STATUS_SYNTAX, 12},
    {newer, "4 5 1 5", "4 6 1 6", "has 5 elements, its first line says 6", SN_STATUS_SYNTAX, 33},
    {newer, "3 1 4 2\n", "3 1 4 99\n", "elements of a block: 99, more than", SN_STATUS_SYNTAX, 31},
    {newer, "$Elements\n4", "$Nodes\n4", "$Nodes stands twice", SN_STATUS_SYNTAX, 23},
    {newer, "$Periodic\n0\n$EndPeriodic", "$Elements\n0 0 0 0\n$EndElements", "$Elements stands twice",
     SN_STATUS_SYNTAX, 35},
};

static void badFiles(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Case* c = &cases[i];
        const char* at = strstr(c->file, c->from);
        assert_non_null(at);
        if (!strcmp(c->from, "$Nodes\n5")) at = strstr(c->file, "\n$Nodes\n") + 1;
        Bytes b = {.size = (size_t)(at - c->file)};
        memcpy(b.at, c->file, b.size);
        addText(&b, c->to);
        addText(&b, at + strlen(c->from));
        snGmsh mesh;
        snError error = {.status = SN_STATUS_OK};
        const snStatus status = sn_readGmsh("a.msh", b.at, b.size, &mesh, &error);
        if (status != c->status || !strstr(error.message, c->message) || error.line != c->line)
            fail_msg("%s: %s (%d, line %d)", c->to, error.message, (int)status, error.line);
        assert_null(mesh.node);
    }
}

static void bigEndianIsNamed(void** state)
{
    (void)state;
    Bytes b = binaryNewer();
    unsigned char* one = b.at + strlen("$MeshFormat\n4.1 1 8\n");
    one[0] = 0;
    one[3] = 1;
    snGmsh mesh;
    snError error;
    assert_int_equal(sn_readGmsh("a.msh", b.at, b.size, &mesh, &error), SN_STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.message, "byte 24: its bytes are in big-endian order"));
}

// Reads bytes of a block of exactly their size; what comes of it must hold together.
static bool tryBytes(const unsigned char* bytes, size_t size)
{
    unsigned char* copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    snGmsh mesh;
    snError error = {.status = SN_STATUS_OK};
    const snStatus status = sn_readGmsh("a.msh", copy, size, &mesh, &error);
    free(copy);
    assert_int_equal(status, error.status);
    if (status) {
        assert_true(error.message[0] != 0);
        return false;
    }
    for (int dim = 0; dim < 4; dim++)
        for (int k = 0; k < (dim + 1) * mesh.nelem[dim]; k++)
            assert_in_range(mesh.elem[dim][k], 0, mesh.nnode - 1);
    sn_freeGmsh(&mesh);
    return true;
}

static void harmedFiles(void** state)
{
    (void)state;
    Bytes files[4];
    allFiles(files);
    for (int i = 0; i < 4; i++) {
        const char* last = strstr((const char*)files[i].at + files[i].size - 40, "$EndEl");
        const size_t whole = last ? (size_t)(last - (const char*)files[i].at) + strlen("$EndElements") : 0;
        for (size_t n = 0; n < files[i].size; n++)
            if (tryBytes(files[i].at, n)) assert_true(n >= whole || i == 1); // 1 has a section behind it
        for (size_t n = 0; n < files[i].size; n++)
            for (int change = 1; change < 256; change = 2 * change + 1) {
                Bytes b = files[i];
                b.at[n] ^= (unsigned char)change;
                tryBytes(b.at, b.size);
            }
    }
}

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static int countdown(size_t size, void* left)
{
    (void)size;
    return (*(int*)left)-- > 0;
}

static void memoryRunsOut(void** state)
{
    (void)state;
    bool enough = false;
    for (int n = 0; !enough; n++) {
        int left = n;
        snGmsh mesh;
        snError error;
        sn_setAllocHook(countdown, &left);
        const snStatus status = sn_readGmsh("a.msh", older, strlen(older), &mesh, &error);
        sn_setAllocHook(NULL, NULL);
        enough = !status;
        assert_true(enough || status == SN_STATUS_NO_MEMORY);
        sn_freeGmsh(&mesh);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(goodFiles), cmocka_unit_test(badFiles),
                                       cmocka_unit_test(bigEndianIsNamed),
#ifdef SN_TEST_HOOKS
                                       cmocka_unit_test(memoryRunsOut),
#endif
                                       cmocka_unit_test(harmedFiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
