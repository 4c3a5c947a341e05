// Mesh files: what good ones hold, and that bad ones are named for what they are. Every reader is also given
// each of its files cut short at each byte and with each byte changed: under sanitizers nothing may show.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "format/mesh/mesh_file.h"
#include "format/mesh/polygon.h"

static const char tetrahedron[] = "# four corners\r\no part\r\n"
                                  "v 0 0 0\nv 1 0 0\nv 0 1.5e0 0 0.5 0.5 0.5\nv 0 0 -.25\n"
                                  "vt 0.25 0.75\nvt 0.5\nvn 0 0 1\n"
                                  "usemtl blue\ns off\n"
                                  "f 1/1/1 3/2/1 2/-1/-1\n\tf 1//1 2//1 4//1 # base\n"
                                  "l 1 2\nf 1 2\n"
                                  "f -4 -1 -2\n"
                                  "g second\nv 9 9 9\nf 1 2 5\n";

static const char facets[] = "solid a # b\n"
                             " FACET normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
                             "   vertex 0 1 0\n  endloop\n endfacet\nendsolid a\n"
                             "solid b\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\n"
                             "vertex 1e-3 0 0\nendloop\nendfacet\nendsolid\n";

static snStatus read(const char* name, const void* data, size_t size, snMeshFile* mesh, snError* error)
{
    memset(error, 0, sizeof *error);
    return sn_readMeshFile(name, NULL, data, size, mesh, error);
}

static void test_obj(void** state)
{
    (void)state;
    static const float vert[] = {0, 0, 0, 1, 0, 0, 0, 1.5f, 0, 0, 0, -.25f, 9, 9, 9};
    static const int face[] = {0, 2, 1, 0, 1, 3, 0, 3, 2};
    static const int normal[] = {0, 0, 0, 0, 0, 0, -1, -1, -1};
    static const int texcoord[] = {0, 1, 1, -1, -1, -1, -1, -1, -1};
    snMeshFile mesh;
    snError error;
    assert_int_equal(read("a.OBJ", tetrahedron, sizeof tetrahedron - 1, &mesh, &error), SN_STATUS_OK);
    assert_int_equal(mesh.nvert, 5);
    assert_int_equal(mesh.nface, 3); // of the first object alone
    assert_memory_equal(mesh.vert, vert, sizeof vert);
    assert_memory_equal(mesh.face, face, sizeof face);
    assert_memory_equal(mesh.facenormal, normal, sizeof normal);
    assert_memory_equal(mesh.facetexcoord, texcoord, sizeof texcoord);
    assert_int_equal(mesh.ntexcoord, 2);
    assert_true(mesh.texcoord[0] == .25f && mesh.texcoord[1] == .25f && mesh.texcoord[3] == 1);
    sn_freeMeshFile(&mesh);
}

static void test_obj_lines_end_in_any_way(void** state)
{
    (void)state;
    static const char* const texts[] = {"v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3",
                                        "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
                                        "f 1 2 3\n\n\nv 0 0 0\nv 1 0 0\nv 0 1 0"};
    for (size_t i = 0; i < 3; i++) {
        snMeshFile mesh;
        snError error;
        assert_int_equal(read("a.obj", texts[i], strlen(texts[i]), &mesh, &error), SN_STATUS_OK);
        assert_int_equal(mesh.nvert, 3);
        assert_int_equal(mesh.nface, 1);
        sn_freeMeshFile(&mesh);
    }
}

// Numbers become the float nearest to what is written, by either route of the reader.
static void test_numbers(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        float value;
    } cases[] = {{"0.1", 0.1f},
                 {"-1.25E-3", -1.25e-3f},
                 {"16777217", 16777216.f},
                 {"+.5", 0.5f},
                 {"3.4028234e38", 3.4028234e38f},
                 {"1e-46", 0},
                 {"123456789012345678901234567890e-29", 1.2345678901f},
                 {"0.1000000000000000055511151231257827", 0.1f},
                 {"1e-40", 1e-40f},
                 {"7.", 7}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        snMeshFile mesh;
        snError error;
        snprintf(text, sizeof text, "v %s 0 0", cases[i].text);
        assert_int_equal(read("a.obj", text, strlen(text), &mesh, &error), SN_STATUS_OK);
        if (mesh.vert[0] != cases[i].value) fail_msg("%s became %.9g", cases[i].text, (double)mesh.vert[0]);
        sn_freeMeshFile(&mesh);
    }
}

static void test_errors(void** state)
{
    (void)state;
    static const struct {
        const char *name, *text, *says;
        int line;
    } cases[] = {
        {"a.obj", "v 0 0 0\nv 1 2\n", "needs 3 numbers", 2},
        {"a.obj", "v 0 0 zero\n", "not a finite number: 'zero'", 1},
        {"a.obj", "\n\nv 0 nan 0\n", "'nan'", 3},
        {"a.obj", "v 0 0 1e39\n", "'1e39'", 1},
        {"a.obj", "v 0 0 0x10\n", "'0x10'", 1},
        {"a.obj", "v 0 0 0\nf 0 1 1\n", "'0'", 2},
        {"a.obj", "v 0 0 0\nf 1 1 -2\n", "'-2'", 2},
        {"a.obj", "v 0 0 0\nf 1 1 1\nf 1 1 2\n", "vertex 2, the file has 1", 3},
        {"a.obj", "v 0 0 0\nf 1/1 1/1 1/1\n", "texture coordinate 1, the file has 0", 2},
        {"a.obj", "v 0 0 0\nf 1//1 1 1\n", "normal 1, the file has 0", 2},
        {"a.obj", "v 0 0 0\nf 1/ 1 1\n", "'1/'", 2},
        {"a.obj", "v 0 0 0\nf 1/1/ 1 1\n", "'1/1/'", 2},
        {"a.obj", "v 0 0 0\nf 1// 1 1\n", "'1//'", 2},
        {"a.obj", "v 0 0 0\nf 1 1 1x\n", "'1x'", 2},
        {"a.obj", "v 0 0 0\nf 1 1 99999999999999999999\n", "99999999999999999999", 2},
        {"a.stl", "solid\nvertex 0 0 0\n", "between 'outer loop'", 2},
        {"a.stl", "solid\nouter loop\nvertex 0 0\n", "three finite numbers", 3},
        {"a.stl", "solid\nouter loop\nvertex 0 0 0\nendloop\n", "three vertices before", 4},
        {"a.stl", "solid\nouter loop\nouter loop\n", "'endloop' is missing", 3},
        {"a.stl", "solid\nouter loop\nvertex 0 0 0\n", "ends inside a facet", 3},
        {"a.stl", "solid\nendsolid\n", "has no facets", 2},
        {"a.stl", "solid\nfoo\n", "not a line of an ASCII STL", 2},
        {"a.stl", "", "has 0 bytes", 0},
        {"a.stl",
         "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890",
         "is it cut short?", 0},
        {"a.msh", "short", "four numbers", 0},
        {"a.msh", "0123456789012345", "normals and", 0},
        {"folder.obj/a", "", "must end in its format", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snMeshFile mesh;
        snError error;
        assert_int_not_equal(read(cases[i].name, cases[i].text, strlen(cases[i].text), &mesh, &error),
                             SN_STATUS_OK);
        if (!strstr(error.message, cases[i].says) || error.line != cases[i].line)
            fail_msg("case %zu says \"%s\", line %d", i, error.message, error.line);
        assert_string_equal(error.file, cases[i].name);
        assert_null(mesh.vert);
    }
}

// ---- binary files, written here

typedef struct bytes {
    unsigned char at[4096];
    size_t size;
} bytes;

static void putInt(bytes* b, int32_t value)
{
    for (int k = 0; k < 4; k++) b->at[b->size++] = (unsigned char)((uint32_t)value >> 8 * k);
}

static void putFloats(bytes* b, const float* values, int n)
{
    for (int k = 0; k < n; k++) {
        int32_t bits;
        memcpy(&bits, values + k, sizeof bits);
        putInt(b, bits);
    }
}

static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int sides[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static bytes makeStl(const char* header)
{
    bytes b = {{0}, 80};
    memcpy(b.at, header, strlen(header));
    putInt(&b, 4);
    for (int f = 0; f < 4; f++) {
        putFloats(&b, corners, 3);
        for (int k = 0; k < 3; k++) putFloats(&b, corners + 3 * sides[3 * f + k], 3);
        b.size += 2;
    }
    return b;
}

static bytes makeMsh(bool whole)
{
    bytes b = {{0}, 0};
    putInt(&b, 4);
    putInt(&b, whole ? 4 : 0);
    putInt(&b, whole ? 4 : 0);
    putInt(&b, 4);
    putFloats(&b, corners, 12);
    if (whole) putFloats(&b, corners, 12);
    if (whole) putFloats(&b, corners, 8);
    for (int k = 0; k < 12; k++) putInt(&b, sides[k]);
    return b;
}

static void test_stl(void** state)
{
    (void)state;
    const bytes b = makeStl("solid that is binary all the same");
    snMeshFile mesh;
    snError error;
    assert_int_equal(read("a.stl", b.at, b.size, &mesh, &error), SN_STATUS_OK);
    assert_int_equal(mesh.nvert, 12);
    assert_int_equal(mesh.nface, 4);
    for (int k = 0; k < 12; k++) {
        assert_int_equal(mesh.face[k], k);
        assert_memory_equal(mesh.vert + 3 * k, corners + 3 * sides[k], 3 * sizeof(float));
    }
    sn_freeMeshFile(&mesh);
    assert_int_equal(read("a.stl", facets, sizeof facets - 1, &mesh, &error), SN_STATUS_OK);
    assert_int_equal(mesh.nvert, 6);
    assert_int_equal(mesh.nface, 2);
    assert_true(mesh.vert[3] == 1 && mesh.vert[14] == 1 && mesh.vert[15] == 1e-3f);
    sn_freeMeshFile(&mesh);
}

static void test_msh(void** state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        const bytes b = makeMsh(whole);
        snMeshFile mesh;
        snError error;
        assert_int_equal(read("a.msh", b.at, b.size, &mesh, &error), SN_STATUS_OK);
        assert_int_equal(mesh.nvert, 4);
        assert_int_equal(mesh.nnormal, whole ? 4 : 0);
        assert_memory_equal(mesh.vert, corners, sizeof corners);
        assert_memory_equal(mesh.face, sides, sizeof sides);
        if (whole) assert_memory_equal(mesh.facenormal, sides, sizeof sides);
        if (whole) assert_memory_equal(mesh.texcoord, corners, 8 * sizeof(float));
        sn_freeMeshFile(&mesh);
    }
}

static void test_content_type(void** state)
{
    (void)state;
    const bytes b = makeMsh(false);
    snMeshFile mesh;
    snError error;
    assert_int_equal(sn_readMeshFile("a", "model/vnd.mujoco.msh", b.at, b.size, &mesh, &error), SN_STATUS_OK);
    sn_freeMeshFile(&mesh);
    assert_int_equal(sn_readMeshFile("a.msh", "text/plain", b.at, b.size, &mesh, &error),
                     SN_STATUS_UNSUPPORTED);
}

static void checkIndices(const snMeshFile* mesh)
{
    for (int k = 0; k < 3 * mesh->nface; k++) {
        assert_in_range(mesh->face[k], 0, mesh->nvert - 1);
        if (mesh->facenormal) assert_true(mesh->facenormal[k] < mesh->nnormal);
        if (mesh->facetexcoord) assert_true(mesh->facetexcoord[k] < mesh->ntexcoord);
    }
}

// The file cut at each byte, and with each byte set to some values; the copy has the exact size, so that a
// read beyond it shows.
static void harm(const char* name, const void* data, size_t size)
{
    static const unsigned char values[] = {0, 1, '-', '9', '/', '\n', 0x7f, 0x80, 0xff};
    snMeshFile mesh;
    snError error;
    for (size_t n = 0; n < size; n++) {
        unsigned char* copy = sn_malloc(n ? n : 1);
        memcpy(copy, data, n);
        if (read(name, copy, n, &mesh, &error) == SN_STATUS_OK) checkIndices(&mesh);
        sn_freeMeshFile(&mesh);
        sn_free(copy);
    }
    unsigned char* copy = sn_malloc(size);
    memcpy(copy, data, size);
    for (size_t n = 0; n < size; n++) {
        const unsigned char kept = copy[n];
        for (size_t i = 0; i < sizeof values; i++) {
            copy[n] = values[i];
            if (read(name, copy, size, &mesh, &error) == SN_STATUS_OK)
                checkIndices(&mesh);
            else
                assert_true(error.message[0]);
            sn_freeMeshFile(&mesh);
        }
        copy[n] = kept;
    }
    sn_free(copy);
}

static void test_harmed_files(void** state)
{
    (void)state;
    const bytes stl = makeStl(""), msh = makeMsh(true);
    harm("a.obj", tetrahedron, sizeof tetrahedron - 1);
    harm("a.stl", facets, sizeof facets - 1);
    harm("a.stl", stl.at, stl.size);
    harm("a.msh", msh.at, msh.size);
}

// ---- polygons

static void test_polygon_keeps_its_area(void** state)
{
    (void)state;
    // a star of 2 x 8 corners in a tilted plane: cut, its triangles cover it
    enum { N = 16 };
    float vert[3 * N];
    int index[N], triangle[3 * (N - 2)], rest[N];
    double x[N], y[N], area = 0, covered = 0;
    for (int k = 0; k < N; k++) {
        const double angle = 2 * 3.14159265358979 * k / N, r = k % 2 ? 0.4 : 1;
        x[k] = r * __builtin_cos(angle);
        y[k] = r * __builtin_sin(angle);
        vert[3 * k] = (float)x[k];
        vert[3 * k + 1] = (float)(0.6 * y[k]);
        vert[3 * k + 2] = (float)(0.8 * y[k]);
        index[k] = k;
    }
    int64_t work = 100000;
    assert_int_equal(sn_cutPolygon(vert, index, 1, N, triangle, rest, &work), N - 2);
    for (int k = 0; k < N; k++) area += x[k] * y[(k + 1) % N] - y[k] * x[(k + 1) % N];
    for (int t = 0; t < N - 2; t++) {
        const int a = triangle[3 * t], b = triangle[3 * t + 1], c = triangle[3 * t + 2];
        const double part = (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
        assert_true(part > 0);
        covered += part;
    }
    assert_float_equal(covered, area, 1e-12);
    work = 10;
    assert_int_equal(sn_cutPolygon(vert, index, 1, N, triangle, rest, &work), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_obj),
                                       cmocka_unit_test(test_obj_lines_end_in_any_way),
                                       cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_stl),
                                       cmocka_unit_test(test_msh),
                                       cmocka_unit_test(test_content_type),
                                       cmocka_unit_test(test_harmed_files),
                                       cmocka_unit_test(test_polygon_keeps_its_area)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
