// Images, height fields, textures and skins from files: good ones, those cut short at each byte and with each
// byte changed, and those that promise more than they hold. Comparison with the peer is in tests/peers.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <sinew/sinew.h>
#include "base/memory.h"
#include "format/image/png.h"
#include "format/mesh/mesh_file.h"
#include "format/mesh/skin_file.h"
#include "model_text.h"

typedef struct bytes {
    unsigned char at[2048];
    size_t size;
} bytes;

static void putInt(bytes* b, int32_t value)
{
    for (int k = 0; k < 4; k++) b->at[b->size++] = (unsigned char)((uint32_t)value >> 8 * k);
}

static void putFloat(bytes* b, float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    putInt(b, bits);
}

// 3 x 2 pixels of RGBA: 0, 10, 20, ...
static bytes makePng(void)
{
    bytes b = {.size = sizeof b.at};
    unsigned char pixels[24];
    for (int k = 0; k < 24; k++) pixels[k] = (unsigned char)(10 * k);
    png_image image = {.version = PNG_IMAGE_VERSION, .width = 3, .height = 2, .format = PNG_FORMAT_RGBA};
    assert_true(png_image_write_to_memory(&image, b.at, &b.size, 0, pixels, 0, NULL));
    return b;
}

static bytes makeHfield(void)
{
    bytes b = {.size = 0};
    putInt(&b, 2);
    putInt(&b, 3);
    for (int k = 0; k < 6; k++) putFloat(&b, (float)(k * k));
    return b;
}

static bytes makeTexture(void)
{
    bytes b = {.size = 0};
    putInt(&b, 2);
    putInt(&b, 3);
    for (int k = 0; k < 18; k++) b.at[b.size++] = (unsigned char)k;
    return b;
}

// Three vertices, one triangle, the bones a and b.
static bytes makeSkin(void)
{
    static const int head[] = {3, 3, 1, 2};
    bytes b = {.size = 0};
    for (int k = 0; k < 4; k++) putInt(&b, head[k]);
    for (int k = 0; k < 15; k++) putFloat(&b, (float)k);
    for (int k = 0; k < 3; k++) putInt(&b, k);
    for (int bone = 0; bone < 2; bone++) {
        b.at[b.size] = (unsigned char)('a' + bone);
        b.size += SN_SKIN_NAME;
        for (int k = 0; k < 7; k++) putFloat(&b, k == 3 ? 2 : 0);
        putInt(&b, bone ? 1 : 3);
        for (int k = 0; k < (bone ? 1 : 3); k++) putInt(&b, k);
        for (int k = 0; k < (bone ? 1 : 3); k++) putFloat(&b, bone ? 3 : 1);
    }
    return b;
}

static void test_png(void** state)
{
    (void)state;
    const bytes b = makePng();
    snImage image;
    snError error;
    assert_int_equal(sn_readPng("a.png", b.at, b.size, 4, &image, &error), SN_STATUS_OK);
    assert_int_equal(image.width, 3);
    assert_int_equal(image.height, 2);
    for (int k = 0; k < 24; k++) assert_int_equal(image.pixels[k], 10 * k);
    sn_free(image.pixels);
    assert_int_equal(sn_readPng("a.png", b.at, b.size, 3, &image, &error), SN_STATUS_OK);
    for (int k = 0; k < 18; k++) assert_int_equal(image.pixels[k], 10 * (k + k / 3));
    sn_free(image.pixels);
    assert_int_equal(sn_readPng("a.png", b.at, b.size, 1, &image, &error), SN_STATUS_OK);
    for (int k = 0; k < 6; k++) assert_int_equal(image.pixels[k], 40 * k);
    sn_free(image.pixels);
}

static uint32_t checksum(const unsigned char* at, size_t n)
{
    uint32_t crc = ~0u;
    for (size_t i = 0; i < n; i++) {
        crc ^= at[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

// A header that promises a gigabyte is seen through before memory is taken for it.
static void test_png_of_many_pixels(void** state)
{
    (void)state;
    bytes b = makePng();
    b.at[16 + 1] = b.at[20 + 1] = 1; // 65539 x 65538
    const uint32_t crc = checksum(b.at + 12, 17);
    for (int k = 0; k < 4; k++) b.at[29 + k] = (unsigned char)(crc >> (24 - 8 * k));
    snImage image;
    snError error;
    assert_int_equal(sn_readPng("a.png", b.at, b.size, 3, &image, &error), SN_STATUS_SYNTAX);
    assert_non_null(strstr(error.message, "promises more pixels"));
    assert_string_equal(error.file, "a.png");
}

static void test_skin(void** state)
{
    (void)state;
    const bytes b = makeSkin();
    snSkinFile skin;
    snError error;
    assert_int_equal(sn_readSkin("a.skn", b.at, b.size, &skin, &error), SN_STATUS_OK);
    assert_int_equal(skin.nvert, 3);
    assert_int_equal(skin.nbonevert, 4);
    assert_string_equal(skin.bone[1].body, "b");
    assert_int_equal(skin.bone[1].vertadr, 3);
    assert_true(skin.weight[3] == 3 && skin.vert[8] == 8 && skin.texcoord[0] == 9);
    sn_freeSkinFile(&skin);
}

// ---- harm

typedef snModel* (*Load)(const void* data, size_t size, snError* error);

static snModel* loadText(const char* text, const char* name, const void* data, size_t size, snError* error)
{
    const snAsset asset = {name, data, size};
    return sn_loadModelText(text, strlen(text), &asset, 1, NULL, error);
}

static snModel* loadPng(const void* data, size_t size, snError* error)
{
    return loadText("<mujoco><asset><texture name='t' type='2d' file='a.png' nchannel='4'/>"
                    "<hfield name='h' file='a.png' size='1 1 1 1'/></asset></mujoco>",
                    "a.png", data, size, error);
}

static snModel* loadHfield(const void* data, size_t size, snError* error)
{
    return loadText("<mujoco><asset><hfield name='h' file='a.hf' size='1 1 1 1'/></asset></mujoco>", "a.hf",
                    data, size, error);
}

static snModel* loadTexture(const void* data, size_t size, snError* error)
{
    return loadText("<mujoco><asset><texture name='t' type='2d' file='a.bin' hflip='true'/></asset></mujoco>",
                    "a.bin", data, size, error);
}

static snModel* loadSkin(const void* data, size_t size, snError* error)
{
    return loadText("<mujoco><asset><skin name='s' file='a.skn'/></asset><worldbody><body name='a'/>"
                    "<body name='b'/></worldbody></mujoco>",
                    "a.skn", data, size, error);
}

// The copy has the exact size, so that a read beyond it shows. May it load? Either way nothing else happens.
static bool tryLoad(Load loader, const unsigned char* data, size_t size)
{
    snError error = {0};
    unsigned char* copy = sn_malloc(size + !size);
    memcpy(copy, data, size);
    snModel* m = loader(copy, size, &error);
    sn_free(copy);
    if (!m) {
        assert_true(error.status == SN_STATUS_SYNTAX || error.status == SN_STATUS_MODEL);
        assert_int_equal(error.line, 1); // of the element that names the file
        return false;
    }
    assert_int_equal(sn_validateModel(m, &error), SN_STATUS_OK);
    sn_deleteModel(m);
    return true;
}

static void harm(Load loader, bytes b)
{
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    assert_true(tryLoad(loader, b.at, b.size));
    for (size_t n = 0; n < b.size; n++) assert_false(tryLoad(loader, b.at, n));
    for (size_t n = 0; n < b.size; n++) {
        const unsigned char kept = b.at[n];
        for (size_t i = 0; i < sizeof values; i++) {
            b.at[n] = values[i];
            tryLoad(loader, b.at, b.size);
        }
        b.at[n] = kept;
    }
}

static void test_harmed_files(void** state)
{
    (void)state;
    harm(loadPng, makePng());
    harm(loadHfield, makeHfield());
    harm(loadTexture, makeTexture());
    harm(loadSkin, makeSkin());
}

#ifdef SN_TEST_HOOKS // the release preset builds the library without them
static void failOneByOne(Load loader, bytes b)
{
    for (int n = 0; n < 10000; n++) {
        int left = n;
        snError error = {0};
        sn_setAllocHook(countdown, &left);
        snModel* m = loader(b.at, b.size, &error);
        sn_setAllocHook(NULL, NULL);
        if (m) {
            sn_deleteModel(m);
            return;
        }
        if (error.status != SN_STATUS_NO_MEMORY) fail_msg("allocation %d: %s", n, error.message);
    }
    fail_msg("never enough memory");
}

static const struct {
    const char *name, *text;
} meshes[] = {
    {"a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1 4/1/1\n"},
    {"a.ply",
     "ply\nformat ascii 1.0\nelement vertex 4\nproperty int x\nproperty int y\nproperty int z\nelement "
     "face 2\nproperty list int int vertex_index\nend_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n"
     "4 0 1 2 3\n"},
    {"a.dae",
     "<COLLADA><library_effects><effect id='e'><profile_COMMON><technique><phong><diffuse><color>1 0 0"
     "</color></diffuse></phong></technique></profile_COMMON></effect></library_effects><library_materials>"
     "<material id='m'><instance_effect url='#e'/></material></library_materials>"
     "<library_geometries><geometry id='g'><mesh><source id='p'><float_array id='f'>0 0 0 1 0 "
     "0 1 1 0 0 1 0</float_array><technique_common><accessor source='#f' count='4' stride='3'/>"
     "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/></vertices>"
     "<polygons material='m'><input semantic='VERTEX' source='#v'/><p>0 1 2</p><p>0 1 2 "
     "3</p></polygons></mesh>"
     "</geometry></library_geometries><library_visual_scenes><visual_scene id='s'><node><scale>1 2 3"
     "</scale><instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene>"
     "<instance_visual_scene url='#s'/></scene></COLLADA>"},
    {"a.gltf", "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
               "\"materials\":[{}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
               "\"material\":0}]}],\"accessors\":[{"
               "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":[{"
               "\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,"
               "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}"},
};
static const char* mesh_name;

static snModel* loadMesh(const void* data, size_t size, snError* error)
{
    snMeshFile mesh;
    const snStatus status = sn_readMeshFile(mesh_name, NULL, data, size, SN_BESIDE_FILE, &mesh, error);
    sn_freeMeshFile(&mesh);
    return status ? NULL : sn_loadModelText("<mujoco/>", 9, NULL, 0, NULL, error);
}

static void test_failing_allocations(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof meshes / sizeof meshes[0]; i++) {
        bytes b = {.size = strlen(meshes[i].text)};
        memcpy(b.at, meshes[i].text, b.size);
        mesh_name = meshes[i].name;
        failOneByOne(loadMesh, b);
    }
    failOneByOne(loadPng, makePng());
    failOneByOne(loadHfield, makeHfield());
    failOneByOne(loadTexture, makeTexture());
    failOneByOne(loadSkin, makeSkin());
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef SN_TEST_HOOKS
        cmocka_unit_test(test_failing_allocations),
#endif
        cmocka_unit_test(test_png), cmocka_unit_test(test_png_of_many_pixels), cmocka_unit_test(test_skin),
        cmocka_unit_test(test_harmed_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
