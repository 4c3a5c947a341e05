// Colours that the materials of mesh files give their faces: Collada and glTF, parts by colour; cut and
// harmed.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "format/mesh/mesh_file.h"

#define VERTEX "<input semantic='VERTEX' source='#v'/>"
#define EFFECT(id, model, color)                                                                             \
    "<effect id='" id "'><profile_COMMON><technique><" model "><ambient><color>1 1 1 1</color></ambient>"    \
    "<diffuse><color>" color "</color></diffuse></" model "></technique></profile_COMMON></effect>"
#define MATERIAL(id, effect) "<material id='" id "'><instance_effect url='#" effect "'/></material>"
#define INSTANCE(bound)                                                                                      \
    "<instance_geometry url='#g'><bind_material><technique_common>" bound                                    \
    "</technique_common></bind_material></instance_geometry>"
#define BIND(symbol, target) "<instance_material symbol='" symbol "' target='#" target "'/>"

// Two lists with names, one without, and one of a single triangle; placed twice, its names bound in two ways.
static const char collada[] = "<COLLADA><library_effects>" EFFECT("red", "phong", "1 0 0 0")
    EFFECT("green", "lambert", "0 2 0 1") EFFECT(
        "blue", "blinn", "0 0 1 1") "</library_effects><library_materials>" MATERIAL("r", "red")
        MATERIAL("g", "green") MATERIAL("b", "blue") MATERIAL(
            "lost", "nothing") "</library_materials>"
                               "<library_geometries><geometry id='g'><mesh><source id='p'><float_array "
                               "id='f'>0 0 0 1 0 0 0 1 0 0 0 1"
                               "</float_array><technique_common><accessor source='#f' count='4' "
                               "stride='3'/></technique_common></source>"
                               "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices>"
                               "<triangles material='one'>" VERTEX "<p>0 1 2 0 1 3</p></triangles>"
                               "<triangles material='two'>" VERTEX "<p>0 2 3 1 2 3</p></triangles>"
                               "<triangles>" VERTEX "<p>0 1 2 0 1 3</p></triangles>"
                               "<triangles material='b'>" VERTEX
                               "<p>0 1 2</p></triangles></mesh></geometry></library_geometries>"
                               "<library_visual_scenes><visual_scene id='s'><node>" INSTANCE(
                                   BIND("one", "r") BIND("two", "lost"))
                                   INSTANCE(BIND("one", "g") BIND(
                                       "two", "r")) "</node></visual_scene></library_visual_scenes><scene>"
                                                    "<instance_visual_scene url='#s'/></scene></COLLADA>";

static snStatus read(const char* name, const char* type, const char* data, size_t size, snMeshFile* mesh,
                     snError* error)
{
    memset(error, 0, sizeof *error);
    return sn_readMeshFile(name, type, data, size, SN_BESIDE_FILE, mesh, error);
}

static const float* colorOf(const snMeshFile* mesh, int f)
{
    assert_in_range(mesh->facecolor[f], 0, mesh->ncolor - 1);
    return mesh->color + 4 * mesh->facecolor[f];
}

static void test_collada(void** state)
{
    (void)state;
    static const float red[] = {1, 0, 0, 1}, green[] = {0, 1, 0, 1}, blue[] = {0, 0, 1, 1},
                       grey[] = {.5f, .5f, .5f, 1};
    // a triangle of each placing is blue, by the name of a material that nothing binds; both together are
    // enough
    static const float* const expected[] = {red,   red,   grey, grey, grey, grey, blue,
                                            green, green, red,  red,  grey, grey, blue};
    snMeshFile mesh;
    snError error;
    if (read("a.dae", NULL, collada, sizeof collada - 1, &mesh, &error)) fail_msg("%s", error.message);
    assert_int_equal(mesh.nface, 14);
    assert_int_equal(mesh.ncolor, 4);
    for (int f = 0; f < 14; f++) assert_memory_equal(colorOf(&mesh, f), expected[f], sizeof red);
    sn_freeMeshFile(&mesh);
}

static void test_parts(void** state)
{
    (void)state;
    static const int faces[] = {4, 2, 2, 6}; // red, blue, green, grey: as they come
    char type[80];
    snMeshFile mesh;
    snError error;
    int count = 0;
    for (int k = 0; k < 4; k++) {
        snprintf(type, sizeof type, "model/vnd.collada+xml; color=%d", k);
        if (read("a.dae", type, collada, sizeof collada - 1, &mesh, &error)) fail_msg("%s", error.message);
        assert_int_equal(mesh.nface, faces[k]);
        assert_int_equal(mesh.nvert, 3 * faces[k]);
        for (int i = 0; i < 3 * mesh.nface; i++) assert_in_range(mesh.face[i], 0, mesh.nvert - 1);
        count += mesh.nface;
        sn_freeMeshFile(&mesh);
    }
    assert_int_equal(count, 14);
    static const char* const wrong[] = {"4", "-1", "", "1x", "99999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(type, sizeof type, "model/vnd.collada+xml; color=%s", wrong[i]);
        assert_int_equal(read("a.dae", type, collada, sizeof collada - 1, &mesh, &error), SN_STATUS_MODEL);
        assert_non_null(strstr(error.message, "there are 4, K is from 0 on"));
        assert_null(mesh.vert);
    }
}

// One triangle of a colour alone is no mesh: it gets the nearest one.
static void test_small_parts(void** state)
{
    (void)state;
    char text[sizeof collada];
    memcpy(text, collada, sizeof collada);
    char* second = strstr(strstr(text, "<node>"), "<instance_geometry");
    second = strstr(second + 1, "<instance_geometry");
    memset(second, ' ', (size_t)(strstr(text, "</node>") - second)); // the second placing
    snMeshFile mesh;
    snError error;
    if (read("a.dae", NULL, text, sizeof text - 1, &mesh, &error)) fail_msg("%s", error.message);
    assert_int_equal(mesh.nface, 7);
    assert_int_equal(mesh.ncolor, 2);
    assert_memory_equal(colorOf(&mesh, 6), colorOf(&mesh, 2), 4 * sizeof(float)); // grey
    sn_freeMeshFile(&mesh);
}

// Light of 0.5 shows as 0.735; opacity counts where the material blends, a texture has no colour.
static const char gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"materials\":["
    "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0,1,0.25]},\"alphaMode\":\"BLEND\"},"
    "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0,1,0.25]}},{},"
    "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],"
    "\"meshes\":[{\"primitives\":["
    "{\"attributes\":{\"POSITION\":0},\"material\":0,\"mode\":5},{\"attributes\":{\"POSITION\":0},"
    "\"material\":1,\"mode\":5},"
    "{\"attributes\":{\"POSITION\":0},\"material\":2,\"mode\":5},{\"attributes\":{\"POSITION\":0},"
    "\"material\":3,\"mode\":5},"
    "{\"attributes\":{\"POSITION\":0},\"material\":9,\"mode\":5},{\"attributes\":{\"POSITION\":0},\"mode\":5}"
    "]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}],\"bufferViews\":"
    "[{"
    "\"buffer\":0,\"byteLength\":48}],\"buffers\":[{\"byteLength\":48,\"uri\":\"data:;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAA\"}]}";

static void test_gltf(void** state)
{
    (void)state;
    static const float expected[][4] = {{.7353569f, 0, 1, .25f}, {.7353569f, 0, 1, 1}, {1, 1, 1, 1},
                                        {.5f, .5f, .5f, 1},      {.5f, .5f, .5f, 1},   {.5f, .5f, .5f, 1}};
    snMeshFile mesh;
    snError error;
    if (read("a.gltf", NULL, gltf, sizeof gltf - 1, &mesh, &error)) fail_msg("%s", error.message);
    assert_int_equal(mesh.nface, 12);
    assert_int_equal(mesh.ncolor, 4);
    for (int f = 0; f < 12; f++)
        for (int k = 0; k < 4; k++) assert_float_equal(colorOf(&mesh, f)[k], expected[f / 2][k], 1e-5);
    sn_freeMeshFile(&mesh);
}

// Cut at each byte, and with each byte changed: no face has a colour that is not there.
static void harm(const char* name, const char* text, size_t size)
{
    static const char some[] = {'0', '9', '<', '"', ' ', '#'};
    char* copy = sn_malloc(size);
    snMeshFile mesh;
    snError error;
    for (size_t n = 0; n < size * (1 + sizeof some); n++) {
        const size_t at = n % size, which = n / size;
        memcpy(copy, text, size);
        if (which) copy[at] = some[which - 1];
        if (read(name, NULL, copy, which ? size : at, &mesh, &error) == SN_STATUS_OK)
            for (int f = 0; f < mesh.nface && mesh.ncolor; f++) colorOf(&mesh, f);
        sn_freeMeshFile(&mesh);
    }
    sn_free(copy);
}

static void test_harmed_files(void** state)
{
    (void)state;
    harm("a.dae", collada, sizeof collada - 1);
    harm("a.gltf", gltf, sizeof gltf - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_collada), cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_small_parts), cmocka_unit_test(test_gltf),
                                       cmocka_unit_test(test_harmed_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
