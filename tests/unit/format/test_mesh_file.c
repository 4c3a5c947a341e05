// Mesh files: what good ones hold, and that bad ones are named for what they are. Every reader is also given
// each of its files cut short at each byte and with each byte changed: under sanitizers nothing may show.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/memory.h"
#include "base/platform/files.h"
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

// A vertex too many, a polygon, an empty face, a line; numbers that nobody asks for may be anything.
static const char ply[] =
    "ply\nformat ascii 1.0\ncomment c\nelement vertex 5\nproperty uchar red\nproperty float z\n"
    "property float y\nproperty double x\nelement face 4\nproperty list uchar int vertex_indices\n"
    "property list uchar float uv\nend_header\n"
    "255 0 0 0\nnan 0 0 1e0\n0 0 1 1\n\n1 .5 1 0\n0 9 9 9\n4 0 1 2 3 1 nan\n0 0\n2 0 1 0\n3 2 1 0 0\n";

// Every kind of list, placed by a node that mirrors inside one that moves; and the geometry behind a skin.
// The unit counts, the up axis does not. What has no part in triangles may be anything.
#define COLLADA(lists, nodes)                                                                                \
    "<COLLADA><asset><unit meter='0.5'/><up_axis>Y_UP</up_axis></asset><library_effects><p>x</p>"            \
    "</library_effects><library_geometries><geometry id='g'><mesh>\n<source id='p'><float_array id='f'>"     \
    "0 0 0 2 0 0\n2 2 0 0 2 1</float_array><technique_common><accessor source='#f' count='4' stride='3'/>"   \
    "</technique_common></source><source id='n'><float_array id='h'>nan</float_array></source>"              \
    "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices>\n" lists                           \
    "</mesh></geometry></library_geometries>" nodes
#define NODES(nodes)                                                                                         \
    "<library_visual_scenes><visual_scene id='s'>" nodes                                                     \
    "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>"
#define VERTEX "<input semantic='VERTEX' source='#v' offset='0'/>"
#define ONE_NODE NODES("<node><instance_geometry url='#g'/></node>")
#define ONE_TRIANGLE "<triangles>" VERTEX "<p>0 1 2</p></triangles>"

static const char collada[] = COLLADA(
    "<triangles>" VERTEX "<input semantic='NORMAL' source='#n' offset='1'/><p>0 7 1 7\n2 7</p></triangles>"
    "<polylist>" VERTEX "<vcount>4 2 3</vcount><p>0 1 2 3 0 1 0 2 3</p></polylist><polygons>" VERTEX
    "<p>0 1 2</p><p>0 1 2 3</p></polygons><tristrips>" VERTEX "<p>0 1 3 2</p></tristrips><trifans>" VERTEX
    "<p>0 1 2 3</p></trifans><lines>" VERTEX "<p>0 1</p></lines><triangles count='0'/>",
    "<library_controllers><controller id='c'><skin source='#g'/></controller></library_controllers>"
    "<library_nodes><node id='l'><scale>1 -1 1</scale><instance_geometry "
    "url='#g'/></node></library_nodes>" NODES(
        "<node><translate>2 4 6</translate><rotate>0 0 2 90</rotate><node><matrix>1 0 0 1 0 1 0 0 0 0 1 "
        "0 0 0 0 1</matrix><instance_node url='#l'/></node></node><node><instance_controller "
        "url='#c'/></node>"));

static snStatus read(const char* name, const void* data, size_t size, snMeshFile* mesh, snError* error)
{
    memset(error, 0, sizeof *error);
    return sn_readMeshFile(name, NULL, data, size, SN_BESIDE_FILE, mesh, error);
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

static void test_obj_for_flex(void** state)
{
    (void)state;
    static const char text[] =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nl 1 2 -2/7\nl 4\nl 4 1\no next\nl 1 3\n";
    static const int face[] = {0, 1, 3, 1, 2, 3}, line[] = {0, 1, 1, 2, 3, 0};
    snMeshFile mesh;
    snError error = {.status = SN_STATUS_OK};
    assert_int_equal(sn_readMeshForFlex("a.obj", NULL, text, sizeof text - 1, SN_BESIDE_FILE, &mesh, &error),
                     SN_STATUS_OK);
    assert_int_equal(mesh.nface, 2);
    assert_memory_equal(mesh.face, face, sizeof face);
    assert_int_equal(mesh.nline, 3);
    assert_memory_equal(mesh.line, line, sizeof line);
    sn_freeMeshFile(&mesh);
    assert_int_equal(read("a.obj", text, sizeof text - 1, &mesh, &error), SN_STATUS_OK);
    assert_int_equal(mesh.nline, 0);
    assert_int_equal(mesh.face[2], 2); // from the first corner on
    sn_freeMeshFile(&mesh);
    static const char bad[] = "v 0 0 0\nl 1 2\n", worse[] = "v 0 0 0\nl 1 x\n";
    assert_int_equal(sn_readMeshForFlex("a.obj", NULL, bad, sizeof bad - 1, SN_BESIDE_FILE, &mesh, &error),
                     SN_STATUS_SYNTAX);
    assert_non_null(strstr(error.message, "a line names vertex 2, the file has 1"));
    assert_int_equal(
        sn_readMeshForFlex("a.obj", NULL, worse, sizeof worse - 1, SN_BESIDE_FILE, &mesh, &error),
        SN_STATUS_SYNTAX);
    assert_int_equal(error.line, 2);
}

static void test_merged_vertices(void** state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv -0 0 0\nv 0 1 0\nf 1 2 4\nf 3 4 2\nl 3 2\n";
    static const int face[] = {0, 1, 2, 0, 2, 1}, line[] = {0, 1};
    snMeshFile mesh;
    snError error = {.status = SN_STATUS_OK};
    assert_int_equal(sn_readMeshForFlex("a.obj", NULL, text, sizeof text - 1, SN_BESIDE_FILE, &mesh, &error),
                     SN_STATUS_OK);
    assert_true(sn_mergeMeshVertices(&mesh));
    assert_int_equal(mesh.nvert, 3);
    assert_memory_equal(mesh.face, face, sizeof face);
    assert_memory_equal(mesh.line, line, sizeof line);
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

// What is taken otherwise than it stands there is told, the first of it.
static void test_warnings(void** state)
{
    (void)state;
    static const struct {
        const char *text, *says;
        int line;
    } cases[] = {
        {"v 0 0 0\nv 1 2\nv 3\n", "too few numbers, the others are 0: ' 1 2'", 2},
        {"v 0 0 zero\n", "'zero'", 1},
        {"v 0 0 0x10\n", "'0x10'", 1},
        {"v\n", "no number follows, passed over", 1},
        {"v 0 0 0\nf 1/1 1/1 1/1\n", "the file has none: 'texture coordinate'", 2},
        {"v 0 0 0\nf 1//1 1 1\n", "the file has none: 'normal'", 2},
        {"v 0 0 0\nl 1 1\no a\nf 1 1 1\n", "has lines or points and no faces", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snMeshFile mesh;
        snError error;
        assert_int_equal(read("a.obj", cases[i].text, strlen(cases[i].text), &mesh, &error), SN_STATUS_OK);
        if (!strstr(mesh.warning.message, cases[i].says) || mesh.warning.line != cases[i].line)
            fail_msg("case %zu says \"%s\", line %d", i, mesh.warning.message, mesh.warning.line);
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
        {"a.obj", "v 0 0 inf\n", "not a finite number: 'inf'", 1},
        {"a.obj", "\n\nv 0 nan 0\n", "'nan'", 3},
        {"a.obj", "v 0 0 1e39\n", "'1e39'", 1},
        {"a.obj", "v 0 0 0\nf 0 1 1\n", "'0'", 2},
        {"a.obj", "v 0 0 0\nf 1 1 -2\n", "'-2'", 2},
        {"a.obj", "v 0 0 0\nf 1 1 1\nf 1 1 2\n", "vertex 2, the file has 1", 3},
        {"a.obj", "v 0 0 0\nvt 0\nf 1/2 1/1 1/1\n", "texture coordinate 2, the file has 1", 3},
        {"a.obj", "v 0 0 0\nvn 0 0 1\nf 1//2 1 1\n", "normal 2, the file has 1", 3},
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

static void checkMesh(const snMeshFile* mesh, int nvert, const float* vert, int nface, const int* face)
{
    assert_int_equal(mesh->nvert, nvert);
    assert_int_equal(mesh->nface, nface);
    for (int k = 0; k < 3 * nvert; k++) assert_float_equal(mesh->vert[k], vert[k], 1e-6);
    for (int k = 0; k < 3 * nface; k++) assert_int_equal(mesh->face[k], face[k]);
}

static void test_ply(void** state)
{
    (void)state;
    static const float vert[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, .5f, 9, 9, 9};
    static const int face[] = {0, 1, 2, 0, 2, 3, 2, 1, 0};
    snMeshFile mesh;
    snError error;
    assert_int_equal(read("a.ply", ply, sizeof ply - 1, &mesh, &error), SN_STATUS_OK);
    checkMesh(&mesh, 5, vert, 3, face);
    sn_freeMeshFile(&mesh);
}

static void putBytes(bytes* b, uint64_t value, int n, bool big)
{
    for (int k = 0; k < n; k++) b->at[b->size++] = (unsigned char)(value >> 8 * (big ? n - 1 - k : k));
}

// Faces before the vertices that they name, strips with their ends, every type of number.
static bytes makePly(bool big)
{
    bytes b = {{0}, 0};
    b.size = (size_t)sprintf((char*)b.at,
                             "ply\r\nformat binary_%s_endian 1.0\r\nelement face 2\r\n"
                             "property list uint8 uint16 vertex_index\r\nelement camera 1\r\n"
                             "property list int32 char name\r\nelement nothing 4000000000\r\n"
                             "element vertex 4\r\nproperty short z\r\nproperty double x\r\n"
                             "property float y\r\nelement tristrips 1\r\n"
                             "property list uint int vertex_indices\r\nend_header\r\n",
                             big ? "big" : "little");
    static const int shorts[] = {0, 1, 2}, strip[] = {0, 1, 2, 3, -1, 3, 2, 1};
    putBytes(&b, 3, 1, big);
    for (int k = 0; k < 3; k++) putBytes(&b, (uint64_t)shorts[k], 2, big);
    putBytes(&b, 0, 1, big);
    putBytes(&b, 2, 4, big);
    putBytes(&b, 0x1234, 2, big);
    for (int k = 0; k < 4; k++) {
        const double x = (double)corners[3 * k];
        uint64_t wide;
        uint32_t narrow;
        memcpy(&wide, &x, sizeof wide);
        memcpy(&narrow, corners + 3 * k + 1, sizeof narrow);
        putBytes(&b, (uint64_t)corners[3 * k + 2], 2, big);
        putBytes(&b, wide, 8, big);
        putBytes(&b, narrow, 4, big);
    }
    putBytes(&b, 8, 4, big);
    for (int k = 0; k < 8; k++) putBytes(&b, (uint64_t)(int64_t)strip[k], 4, big);
    return b;
}

static void test_binary_ply(void** state)
{
    (void)state;
    static const int face[] = {0, 1, 2, 0, 1, 2, 2, 1, 3, 3, 2, 1};
    for (int big = 0; big < 2; big++) {
        const bytes b = makePly(big);
        snMeshFile mesh;
        snError error;
        if (read("a.ply", b.at, b.size, &mesh, &error)) fail_msg("%s", error.message);
        checkMesh(&mesh, 4, corners, 4, face);
        sn_freeMeshFile(&mesh);
    }
}

// Corner k of a triangle of a Collada file.
static const float points[4][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 1}};
static const int drawn[][3] = {{0, 1, 2}, {0, 1, 2}, {0, 2, 3}, {0, 2, 3}, {0, 1, 2}, {0, 1, 2},
                               {0, 2, 3}, {0, 1, 3}, {3, 1, 2}, {0, 1, 2}, {0, 2, 3}};
enum { DRAWN = sizeof drawn / sizeof drawn[0] };

static void test_collada(void** state)
{
    (void)state;
    snMeshFile mesh;
    snError error;
    if (read("a.dae", collada, sizeof collada - 1, &mesh, &error)) fail_msg("%s", error.message);
    assert_int_equal(mesh.nface, 2 * DRAWN);
    for (int f = 0; f < DRAWN; f++)
        for (int k = 0; k < 3; k++) {
            // mirrored along y, moved, turned by 90 degrees, moved, in half metres; its corners in turn
            const float *p = points[drawn[f][2 - k]], *v = mesh.vert + 3 * mesh.face[3 * f + k];
            const float x = p[0] + 1, y = -p[1], z = p[2];
            assert_float_equal(v[0], 0.5f * (2 - y), 1e-6);
            assert_float_equal(v[1], 0.5f * (4 + x), 1e-6);
            assert_float_equal(v[2], 0.5f * (6 + z), 1e-6);
            p = points[drawn[f][k]];
            v = mesh.vert + 3 * mesh.face[3 * (DRAWN + f) + k];
            for (int i = 0; i < 3; i++) assert_float_equal(v[i], 0.5f * p[i], 1e-6);
        }
    sn_freeMeshFile(&mesh);
}

static void test_collada_view(void** state)
{
    (void)state;
    // an eye at (1, 2, 3) that looks along -y, up is x: its x, to the right, is z, its y x, its z y
    static const char text[] = COLLADA(
        ONE_TRIANGLE, NODES("<node><lookat>1 2 3 1 0 3 1 0 0</lookat><instance_geometry url='#g'/></node>"));
    static const float vert[] = {.5f, 1, 1.5f, .5f, 1, 2.5f, 1.5f, 1, 2.5f};
    static const int face[] = {0, 1, 2};
    snMeshFile mesh;
    snError error;
    if (read("a.dae", text, sizeof text - 1, &mesh, &error)) fail_msg("%s", error.message);
    checkMesh(&mesh, 3, vert, 1, face);
    sn_freeMeshFile(&mesh);
}

// A file of three vertices, whose array holds the numbers 0, 1, 2 ...
static void accessorText(const char* parameters, int offset, int stride, int count, int numbers, char* text,
                         size_t size)
{
    int n =
        snprintf(text, size,
                 "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='f'>");
    for (int k = 0; k < numbers; k++) n += snprintf(text + n, size - (size_t)n, "%d ", k);
    n += snprintf(text + n, size - (size_t)n, "</float_array><technique_common><accessor source='#f'");
    n += snprintf(text + n, size - (size_t)n, " offset='%d' stride='%d' count='%d'>", offset, stride, count);
    for (const char* p = parameters; *p; p++)
        n += snprintf(text + n, size - (size_t)n, "<param name='%c'/>", *p);
    snprintf(text + n, size - (size_t)n,
             "</accessor></technique_common></source><vertices id='v'><input semantic='POSITION' "
             "source='#p'/></vertices><triangles>" VERTEX "<p>0 1 %d</p></triangles></mesh></geometry>"
             "</library_geometries>" ONE_NODE,
             count - 1);
}

// The last number that an accessor reaches may be the last of the array, and no further one.
static void test_collada_accessor(void** state)
{
    (void)state;
    static const struct {
        const char* parameters;
        int offset, stride, count, axis[3];
    } cases[] = {
        {"", 0, 3, 4, {0, 1, 2}},       {"", 1, 3, 4, {0, 1, 2}},      {"XYZ", 0, 5, 3, {0, 1, 2}},
        {"AXYZ", 0, 4, 3, {1, 2, 3}},   {"XAYBZ", 2, 5, 4, {0, 2, 4}}, {"ZYX", 0, 3, 5, {2, 1, 0}},
        {"ABZYXC", 3, 6, 3, {4, 3, 2}}, {"XY", 0, 2, 3, {0, 1, 2}},    {"", 4, 1, 3, {0, 1, 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int offset = cases[i].offset, stride = cases[i].stride, count = cases[i].count;
        const int* axis = cases[i].axis;
        const int farthest = axis[0] > axis[2] ? axis[0] : axis[2];
        const int first = offset + stride * (count - 1), needed = first + farthest + 1;
        char text[2000];
        snMeshFile mesh;
        snError error;
        accessorText(cases[i].parameters, offset, stride, count, needed, text, sizeof text);
        if (read("a.dae", text, strlen(text), &mesh, &error)) fail_msg("case %zu: %s", i, error.message);
        const float* v = mesh.vert + 3 * mesh.face[2];
        for (int k = 0; k < 3; k++) assert_float_equal(v[k], first + axis[k], 0);
        sn_freeMeshFile(&mesh);
        accessorText(cases[i].parameters, offset, stride, count, needed - 1, text, sizeof text);
        assert_int_equal(read("a.dae", text, strlen(text), &mesh, &error), SN_STATUS_SYNTAX);
        assert_non_null(strstr(error.message, "do not fit into the"));
    }
}

// ---- glTF: vertices that are next to each other or in strides, sparse ones, every mode and type of index

static bytes makeBuffer(void)
{
    static const int strip[] = {0, 1, 2, 3}, list[] = {0, 2, 1}, fan[] = {3, 0, 1, 2};
    static const float moved[] = {0, 0, 5};
    bytes b = {{0}, 0};
    for (int k = 0; k < 4; k++) {
        putFloats(&b, corners + 3 * k, 3);
        putInt(&b, 0); // the stride is 16
    }
    for (int k = 0; k < 3; k++) putBytes(&b, (uint64_t)list[k], 1, false);
    putBytes(&b, 0, 1, false);
    for (int k = 0; k < 4; k++) putBytes(&b, (uint64_t)strip[k], 2, false);
    for (int k = 0; k < 4; k++) putInt(&b, fan[k]);
    putBytes(&b, 1, 2, false); // vertex 1 of the sparse ones
    putBytes(&b, 0, 2, false);
    putFloats(&b, moved, 3);
    return b;
}

enum { BUFFER = 64 + 4 + 8 + 16 + 4 + 12 };
#define GLTF(uri)                                                                                            \
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,2]}],\"nodes\":[{\"children\":[" \
    "1],"                                                                                                    \
    "\"translation\":[1,2,3],\"rotation\":[0,0,3,3],\"scale\":[1,-1,2]},{\"mesh\":0},{\"mesh\":1,"           \
    "\"matrix\":[1,0,"                                                                                       \
    "0,0,0,1,0,0,0,0,1,0,1,0,0,1]}],\n\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"        \
    "\"indices\":1},"                                                                                        \
    "{\"attributes\":{\"POSITION\":0},\"indices\":2,\"mode\":5},{\"attributes\":{\"POSITION\":0},"           \
    "\"indices\":3,"                                                                                         \
    "\"mode\":6}]},{\"primitives\":[{\"attributes\":{\"POSITION\":4}},{\"attributes\":{\"POSITION\":0},"     \
    "\"mode\":1}]}"                                                                                          \
    "],\n\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{"           \
    "\"bufferView\":1,"                                                                                      \
    "\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"},{\"bufferView\":1,\"byteOffset\":4,"            \
    "\"componentType\":"                                                                                     \
    "5123,\"count\":4,\"type\":\"SCALAR\"},{\"bufferView\":1,\"byteOffset\":12,\"componentType\":5125,"      \
    "\"count\":4,"                                                                                           \
    "\"type\":\"SCALAR\"},{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"    \
    "\"indices\":{\"bufferView\":2,\"componentType\":5123},\"values\":{\"bufferView\":2,\"byteOffset\":4}}}" \
    "],\n"                                                                                                   \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64,\"byteStride\":16},{\"buffer\":0,\"byteOffset\":64,"   \
    "\"byteLength\":28},{\"buffer\":0,\"byteOffset\":92,\"byteLength\":16}],\"buffers\":[{\"byteLength\":"   \
    "108" uri "}]}"

static bytes makeGltf(void)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const bytes buffer = makeBuffer();
    char coded[BUFFER / 3 * 4 + 1] = "";
    for (int k = 0; k < BUFFER / 3; k++) {
        const unsigned char* c = buffer.at + 3 * k;
        const unsigned bits = (unsigned)c[0] << 16 | (unsigned)c[1] << 8 | c[2];
        for (int i = 0; i < 4; i++) coded[4 * k + i] = letters[bits >> (18 - 6 * i) & 63];
    }
    bytes b = {{0}, 0};
    b.size = (size_t)snprintf((char*)b.at, sizeof b.at,
                              GLTF(",\"uri\":\"data:application/octet-stream;base64,%s\""), coded);
    return b;
}

static bytes makeGlb(void)
{
    static const char text[] = GLTF("");
    const bytes buffer = makeBuffer();
    const int n = (int)(sizeof text - 1 + 3) / 4 * 4;
    bytes b = {"glTF", 4};
    putInt(&b, 2);
    putInt(&b, 28 + n + BUFFER);
    putInt(&b, n);
    putInt(&b, 0x4e4f534a);
    memset(b.at + b.size, ' ', (size_t)n);
    memcpy(b.at + b.size, text, sizeof text - 1);
    b.size += (size_t)n;
    putInt(&b, BUFFER);
    putInt(&b, 0x4e4942);
    memcpy(b.at + b.size, buffer.at, BUFFER);
    b.size += BUFFER;
    return b;
}

static void test_gltf(void** state)
{
    (void)state;
    static const int index[][3] = {{0, 2, 1}, {0, 1, 2}, {2, 1, 3}, {3, 0, 1}, {3, 1, 2}};
    static const float sparse[][3] = {{1, 0, 0}, {1, 0, 5}, {1, 0, 0}};
    const bytes files[] = {makeGltf(), makeGlb()};
    assert_int_equal(makeBuffer().size, BUFFER);
    for (int i = 0; i < 2; i++) {
        snMeshFile mesh;
        snError error;
        if (read(i ? "a.glb" : "a.gltf", files[i].at, files[i].size, &mesh, &error))
            fail_msg("%s", error.message);
        assert_int_equal(mesh.nface, 6);
        assert_int_equal(mesh.nvert, 3 + 4 + 4 + 3); // those that a triangle uses
        for (int f = 0; f < 5; f++)
            for (int k = 0; k < 3; k++) { // scaled, turned by 90 degrees, moved; it mirrors
                const float *p = corners + 3 * index[f][2 - k], *v = mesh.vert + 3 * mesh.face[3 * f + k];
                assert_float_equal(v[0], 1 + p[1], 1e-6);
                assert_float_equal(v[1], 2 + p[0], 1e-6);
                assert_float_equal(v[2], 3 + 2 * p[2], 1e-6);
            }
        for (int k = 0; k < 3; k++) assert_memory_equal(mesh.vert + 3 * mesh.face[15 + k], sparse[k], 12);
        sn_freeMeshFile(&mesh);
    }
}

// Buffers beside the file: its folder counts, and %20 is a blank.
static void test_gltf_buffer_beside(void** state)
{
    (void)state;
    static const char text[] = GLTF(",\"uri\":\"test%20mesh.bin\"");
    const bytes buffer = makeBuffer();
    assert_int_equal(sn_writeFile("test mesh.bin", buffer.at, buffer.size, NULL), SN_STATUS_OK);
    snMeshFile mesh;
    snError error;
    if (read("./a.gltf", text, sizeof text - 1, &mesh, &error)) fail_msg("%s", error.message);
    assert_int_equal(mesh.nface, 6);
    sn_freeMeshFile(&mesh);
    assert_int_equal(sn_removeFile("test mesh.bin"), 0);
    assert_int_equal(read("./a.gltf", text, sizeof text - 1, &mesh, &error), SN_STATUS_FILE);
    assert_non_null(strstr(error.message, "test mesh.bin"));
}

// Items that stand nowhere are 0; there may be as many as the file has bytes, which bounds what they cost.
static void test_gltf_items_without_bytes(void** state)
{
    (void)state;
    static const char format[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{"
        "\"componentType\":5126,\"count\":%6d,\"type\":\"VEC3\"}]}";
    char text[sizeof format + 8];
    snMeshFile mesh;
    snError error;
    const int size = snprintf(text, sizeof text, format, 0);
    for (int more = 0; more < 2; more++) {
        assert_int_equal(snprintf(text, sizeof text, format, size + more), size);
        const snStatus status = read("a.gltf", text, (size_t)size, &mesh, &error);
        assert_int_equal(status == SN_STATUS_OK, !more);
        if (more) assert_non_null(strstr(error.message, "more items than the file has bytes"));
        sn_freeMeshFile(&mesh);
    }
}

// Nodes that contain themselves, or stand for more and more others.
static void test_scenes_that_blow_up(void** state)
{
    (void)state;
    static const char cyclic[] = COLLADA(
        ONE_TRIANGLE, "<library_nodes><node id='a'><instance_node url='#a'/></node></library_nodes>" NODES(
                          "<node><instance_node url='#a'/></node>"));
    char text[16000];
    snMeshFile mesh;
    snError error;
    assert_int_equal(read("a.dae", cyclic, sizeof cyclic - 1, &mesh, &error), SN_STATUS_SYNTAX);
    assert_non_null(strstr(error.message, "does one contain itself?"));
    for (int full = 0; full < 2; full++) { // 2^40 triangles, or 2^40 empty nodes
        int n = snprintf(text, sizeof text, "%s", COLLADA(ONE_TRIANGLE, "<library_nodes>"));
        for (int k = 0; k < 40; k++)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "<node id='n%d'><instance_node url='#n%d'/><instance_node url='#n%d'/></node>", k,
                          k + 1, k + 1);
        snprintf(text + n, sizeof text - (size_t)n, "<node id='n40'>%s</node></library_nodes>%s",
                 full ? "<instance_geometry url='#g'/>" : "",
                 NODES("<node><instance_node url='#n0'/></node>"));
        assert_int_equal(read("a.dae", text, strlen(text), &mesh, &error), SN_STATUS_SYNTAX);
        assert_non_null(strstr(error.message, full ? "far more than its file" : "4 million nodes"));
    }
    strcpy(text, "<COLLADA>");
    while (strlen(text) < sizeof text - 4) strcat(text, "<a>");
    assert_int_equal(read("a.dae", text, strlen(text), &mesh, &error), SN_STATUS_SYNTAX);
    assert_non_null(strstr(error.message, "<a> is nested deeper than 4000 elements"));
    static const char loop[] = "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{"
                               "\"children\":[1]},{\"children\":[0]}]}";
    assert_int_equal(read("a.gltf", loop, sizeof loop - 1, &mesh, &error), SN_STATUS_SYNTAX);
    assert_non_null(strstr(error.message, "nodes[0]: hangs on two nodes, or on itself"));
}

static void test_scene_errors(void** state)
{
    (void)state;
#define PLY "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define FACE "element face 1\nproperty list int int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n"
#define JSON "{\"asset\":{\"version\":\"2.0\"},\n"
    static const struct {
        const char *name, *text, *says;
        int line;
    } cases[] = {
        {"a.csm", "x\ny\n",
         "'.csm' is no format of meshes that is read (.obj, .stl, .msh, .dae, .ply, .gltf, .glb)", 0},
        {"a.3ds", "", "'.3ds'", 0},
        {"a.ply", "plx\n", "begins with a line 'ply'", 1},
        {"a.ply", "ply", "has no 'end_header'", 1},
        {"a.ply", "ply\nformat utf8 1.0\n", "not: 'utf8'", 2},
        {"a.ply", "ply\nformat ascii 1.0\nfoo\n", "not a line of a PLY header", 3},
        {"a.ply", "ply\nelement vertex -1\n", "a number of rows", 2},
        {"a.ply", "ply\nproperty int x\n", "before the first element", 2},
        {"a.ply", "ply\nelement vertex 1\nproperty long x\n", "no type of a PLY property: 'long'", 3},
        {"a.ply", "ply\nelement vertex 1\nelement vertex 1\n", "a second element", 3},
        {"a.ply", "ply\nelement vertex 1\nproperty int x\nend_header\n", "no line 'format ascii", 4},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nend_header\n", "x, y and z", 5},
        {"a.ply", PLY "end_header\n0 0 0\n1 0 0\n0 1 0\n", "has no triangles", 0},
        {"a.ply", PLY "end_header\n0 0 0\n", "is the file cut short?", 7},
        {"a.ply", PLY "end_header\n0 0 0\n1 0 inf\n0 0 0\n", "not a finite number", 9},
        {"a.ply", PLY "end_header\n0 0 0\n1 0 1e39\n0 0 0\n", "not finite as a float", 9},
        {"a.ply", PLY "end_header\n0 0 0\n1 0\n0 0 0 0 0 0\n", "too few numbers", 9},
        {"a.ply", PLY FACE "3 0 1 3\n", "a corner names vertex 3, the file has 0 to 2", 13},
        {"a.ply", PLY FACE "3 0 1 -1\n", "vertex -1, which only ends a strip", 13},
        {"a.ply", PLY FACE "3 0 1 .5\n", "vertex 0.5", 13},
        {"a.ply", PLY FACE "3 0 1\n", "too few numbers", 13},
        {"a.ply", PLY FACE "-3 0 1\n", "the length of a list", 13},
        {"a.ply", PLY FACE "2000000000 0 1\n", "a list is longer than what is left", 13},
        {"a.ply", PLY FACE "4 0 0 0 -2\n", "vertex -2", 13},
        {"a.dae", "", "not well-formed XML", 1},
        {"a.dae", "<a/>", "is <COLLADA>, not <a>", 1},
        {"a.dae", "\n<COLLADA>\n<asset></COLLADA>", "mismatched tag", 3},
        {"a.dae", "<!DOCTYPE a [<!ENTITY b 'c'>]><COLLADA/>", "declarations are not allowed", 1},
        {"a.dae", "<COLLADA/>", "has no <scene><instance_visual_scene", 1},
        {"a.dae", "<COLLADA><scene>\n<instance_visual_scene/></scene></COLLADA>", "needs url=\"#ID\"", 2},
        {"a.dae", "<COLLADA><scene><instance_visual_scene url='#s'/></scene></COLLADA>",
         "names a <visual_scene> that the file has not: '#s'", 1},
        {"a.dae", COLLADA("", ONE_NODE), "has no triangles", 0},
        {"a.dae", COLLADA(ONE_TRIANGLE, NODES("<node><instance_geometry url='b.dae#g'/></node>")),
         "an element of the same file, not b.dae#g", 4},
        {"a.dae", COLLADA(ONE_TRIANGLE, NODES("<node><instance_geometry url='#x'/></node>")),
         "<instance_geometry> names a <geometry> that the file has not: '#x'", 4},
        {"a.dae", COLLADA(ONE_TRIANGLE, NODES("<node><skew>1</skew></node>")), "<skew>: is not read", 4},
        {"a.dae", COLLADA(ONE_TRIANGLE, NODES("<node><scale>1 nan 1</scale></node>")), "<scale>: has too few",
         4},
        {"a.dae",
         COLLADA(ONE_TRIANGLE, NODES("<node><scale>1e39 1 1</scale><instance_geometry url='#g'/></node>")),
         "a vertex is not finite where its node places it", 4},
        {"a.dae", COLLADA("<triangles><p>0 1 2</p></triangles>", ONE_NODE), "semantic=\"VERTEX\"", 4},
        {"a.dae", COLLADA("<triangles>" VERTEX "<p>0 1\n2 1</p></triangles>", ONE_NODE), "three times", 4},
        {"a.dae", COLLADA("<triangles>" VERTEX "<p>0 1\n4</p></triangles>", ONE_NODE),
         "<p>: a corner names vertex '4', there are 0 to 3", 5},
        {"a.dae", COLLADA("<triangles>" VERTEX "<p>0 1 -1</p></triangles>", ONE_NODE), "vertex '-1'", 4},
        {"a.dae", COLLADA("<polylist>" VERTEX "<vcount>4</vcount><p>0 1 2</p></polylist>", ONE_NODE),
         "fewer corners than <vcount> says", 4},
        {"a.dae", COLLADA("<polylist>" VERTEX "<vcount>3</vcount><p>0 1 2 3</p></polylist>", ONE_NODE),
         "more corners than <vcount> says", 4},
        {"a.dae", COLLADA("<polygons>" VERTEX "<ph/></polygons>", ONE_NODE), "polygons with holes", 4},
        {"a.gltf", "{", "not the JSON", 1},
        {"a.gltf", "{\n}\n]", "not the JSON", 3},
        {"a.gltf", "[]", "not the JSON", 1},
        {"a.gltf", "{}", "is it a glTF file?", 0},
        {"a.gltf", "{\"asset\":{\"version\":\"1.0\"}}", "version 1.0 of glTF; only 2.0 is read", 0},
        {"a.gltf", JSON "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}",
         "requires the extension 'KHR_draco_mesh_compression'", 0},
        {"a.gltf", JSON "\"scene\":0}", "names a scene that is not there; the file has 0", 0},
        {"a.gltf", JSON "\"scenes\":[{\"nodes\":[0]}]}", "scenes[0]: 'nodes' names a node", 0},
        {"a.gltf", JSON "\"scenes\":[{}]}", "has no triangles", 0},
        {"a.gltf", JSON "\"nodes\":[{\"mesh\":1}],\"scenes\":[{\"nodes\":[0]}]}",
         "'mesh' is 1, the file has 0", 0},
        {"a.gltf", JSON "\"nodes\":[{\"scale\":[1,2]}],\"scenes\":[{\"nodes\":[0]}]}",
         "nodes[0]: scale must be 3 finite numbers", 0},
        {"a.gltf", JSON "\"nodes\":[{\"rotation\":[0,0,0,0]}],\"scenes\":[{\"nodes\":[0]}]}",
         "rotation is zero", 0},
        {"a.glb", "glTF\2", "shorter than it says", 0},
        {"a.gltf", GLTF(""), "buffers[0]: has no uri", 0},
        {"a.gltf", GLTF(",\"uri\":\"http://a/b\""), "must be the path of a file", 0},
        {"a.gltf", GLTF(",\"uri\":\"/etc/passwd\""), "must be the path of a file", 0},
        {"a.gltf", GLTF(",\"uri\":\"data:;base64,AAAA\""), "byteLength is 108, there are 3 bytes", 0},
        {"a.gltf", GLTF(",\"uri\":\"data:;base64,*\""), "is not base64", 0},
        {"a.gltf", GLTF(",\"uri\":\"data:,abc\""), "';base64,' only", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snMeshFile mesh;
        snError error;
        assert_int_not_equal(read(cases[i].name, cases[i].text, strlen(cases[i].text), &mesh, &error),
                             SN_STATUS_OK);
        if (!strstr(error.message, cases[i].says) || error.line != cases[i].line)
            fail_msg("case %zu says \"%s\", line %d", i, error.message, error.line);
        assert_null(mesh.vert);
    }
}

static void test_content_type(void** state)
{
    (void)state;
    const bytes b = makeMsh(false);
    snMeshFile mesh;
    snError error;
    assert_int_equal(
        sn_readMeshFile("a", "model/vnd.mujoco.msh", b.at, b.size, SN_BESIDE_FILE, &mesh, &error),
        SN_STATUS_OK);
    sn_freeMeshFile(&mesh);
    assert_int_equal(sn_readMeshFile("a.msh", "text/plain", b.at, b.size, SN_BESIDE_FILE, &mesh, &error),
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

// The file cut at each byte, and with each byte set to some values, in a long test to all; the copy has the
// exact size, so that a read beyond it shows.
static void harm(const char* name, const void* data, size_t size)
{
    static const unsigned char some[] = {0, 1, '-', '9', '/', '\n', 0x7f, 0x80, 0xff};
    const size_t count = getenv("SINEW_LONG") ? 256 : sizeof some;
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
        for (size_t i = 0; i < count; i++) {
            copy[n] = count == 256 ? (unsigned char)i : some[i];
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
    const bytes stl = makeStl(""), msh = makeMsh(true), little = makePly(false), big = makePly(true),
                gltf = makeGltf(), glb = makeGlb();
    harm("a.ply", ply, sizeof ply - 1);
    harm("a.ply", little.at, little.size);
    harm("a.ply", big.at, big.size);
    harm("a.dae", collada, sizeof collada - 1);
    harm("a.gltf", gltf.at, gltf.size);
    harm("a.glb", glb.at, glb.size);
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
                                       cmocka_unit_test(test_obj_for_flex),
                                       cmocka_unit_test(test_merged_vertices),
                                       cmocka_unit_test(test_obj_lines_end_in_any_way),
                                       cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_warnings),
                                       cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_stl),
                                       cmocka_unit_test(test_msh),
                                       cmocka_unit_test(test_ply),
                                       cmocka_unit_test(test_binary_ply),
                                       cmocka_unit_test(test_collada),
                                       cmocka_unit_test(test_collada_view),
                                       cmocka_unit_test(test_collada_accessor),
                                       cmocka_unit_test(test_gltf),
                                       cmocka_unit_test(test_gltf_buffer_beside),
                                       cmocka_unit_test(test_gltf_items_without_bytes),
                                       cmocka_unit_test(test_scenes_that_blow_up),
                                       cmocka_unit_test(test_scene_errors),
                                       cmocka_unit_test(test_content_type),
                                       cmocka_unit_test(test_harmed_files),
                                       cmocka_unit_test(test_polygon_keeps_its_area)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
