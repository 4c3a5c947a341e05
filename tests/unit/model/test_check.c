// Meshes, hulls, skins, height fields, textures and trees of boxes that are made by hand: right as they are,
// and any index out of place is found. Compiled models are tried in test_compile.c.
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/sinew.h>
#include "model_text.h"

#define COPY(field, ...)                                                                                     \
    memcpy(m->field, &(const __typeof__(*m->field)[]){__VA_ARGS__},                                          \
           sizeof(const __typeof__(*m->field)[]){__VA_ARGS__})

static void setSize(int* sizes, const char* name, int size)
{
    int count;
    const char* const* names = sn_modelSizes(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name)) {
            sizes[i] = size;
            return;
        }
    fail_msg("no size %s", name);
}

// A tetrahedron: four triangles over four vertices, each vertex a neighbour of all others.
static void fillMesh(snModel* m)
{
    COPY(mesh_vertadr, 0);
    COPY(mesh_vertnum, 4);
    COPY(mesh_faceadr, 0);
    COPY(mesh_facenum, 4);
    COPY(mesh_normaladr, 0);
    COPY(mesh_normalnum, 4);
    COPY(mesh_texcoordadr, 0);
    COPY(mesh_texcoordnum, 4);
    COPY(mesh_vert, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    COPY(mesh_face, 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
    COPY(mesh_facenormal, 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
    COPY(mesh_facetexcoord, 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
    COPY(mesh_graphadr, 0);
    COPY(mesh_graph, 4, 4,                                   //
         0, 4, 8, 12,                                        // where lists of neighbours start
         0, 1, 2, 3,                                         // rows of mesh_vert
         1, 2, 3, -1, 0, 2, 3, -1, 0, 1, 3, -1, 0, 1, 2, -1, //
         0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
    for (int i = 0; i < SN_NHULLDIR; i++) m->mesh_hullcell[2 * i + 1] = 1;
    COPY(mesh_hullblock, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3);
    COPY(mesh_polyadr, 0);
    COPY(mesh_polynum, 4);
    COPY(mesh_polyvertadr, 0, 3, 6, 9);
    COPY(mesh_polyvertnum, 3, 3, 3, 3);
    COPY(mesh_polyvert, 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
    COPY(mesh_polymapadr, 0, 3, 6, 9);
    COPY(mesh_polymapnum, 3, 3, 3, 3);
    COPY(mesh_polymap, 0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3);
    COPY(mesh_pathadr, 0);
}

// The box of the body's geom, and four triangles in boxes of one, two and one: node 1 holds triangle 0.
static void fillVolumes(snModel* m)
{
    COPY(body_bvhadr, -1, 0);
    COPY(body_bvhnum, 0, 1);
    COPY(mesh_bvhadr, 1);
    COPY(mesh_bvhnum, 7);
    COPY(bvh_depth, 0, 0, 1, 1, 2, 3, 3, 2);
    COPY(bvh_child, -1, -1, 1, 2, -1, -1, 3, 6, 4, 5, -1, -1, -1, -1, -1, -1);
    COPY(bvh_nodeid, 0, -1, 0, -1, -1, 1, 2, 3);
}

static void fillSkin(snModel* m)
{
    COPY(skin_matid, -1);
    COPY(skin_vertadr, 0);
    COPY(skin_vertnum, 3);
    COPY(skin_texcoordadr, 0);
    COPY(skin_faceadr, 0);
    COPY(skin_facenum, 1);
    COPY(skin_face, 0, 1, 2);
    COPY(skin_boneadr, 0);
    COPY(skin_bonenum, 2);
    COPY(skin_bonevertadr, 0, 2);
    COPY(skin_bonevertnum, 2, 1);
    COPY(skin_bonebodyid, 0, 1);
    COPY(skin_bonevertid, 0, 1, 2);
    COPY(skin_pathadr, -1);
}

static void fillImages(snModel* m)
{
    COPY(hfield_nrow, 2);
    COPY(hfield_ncol, 3);
    COPY(hfield_adr, 1);
    COPY(hfield_pathadr, 2);
    COPY(tex_type, SN_TEXTURE_2D);
    COPY(tex_width, 2);
    COPY(tex_height, 2);
    COPY(tex_nchannel, 3);
    COPY(tex_adr, 1);
    COPY(tex_pathadr, -1);
    memcpy(m->paths, "a\0b", 4);
}

// A body with the mesh on it, in a world with a height field.
static snModel* madeByHand(void)
{
    static const struct {
        const char* name;
        int size;
    } all[] = {{"nbody", 2},        {"ngeom", 2},         {"nmesh", 1},          {"nmeshvert", 4},
               {"nmeshnormal", 4},  {"nmeshtexcoord", 4}, {"nmeshface", 4},      {"nmeshgraph", 38},
               {"nhullblock", 1},   {"nmeshpoly", 4},     {"nmeshpolyvert", 12}, {"nmeshpolymap", 12},
               {"nbvh", 8},         {"nbvhstatic", 8},    {"nskin", 1},          {"nskinvert", 3},
               {"nskintexvert", 3}, {"nskinface", 1},     {"nskinbone", 2},      {"nskinbonevert", 3},
               {"nhfield", 1},      {"nhfielddata", 7},   {"ntex", 1},           {"ntexdata", 13},
               {"npaths", 4},       {"nnames", 1},        {"nnames_map", 16}};
    int sizes[128] = {0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) setSize(sizes, all[i].name, all[i].size);
    snModel* m = sn_makeModel(sizes, NULL);
    assert_non_null(m);
    COPY(body_rootid, 0, 1);
    COPY(body_mocapid, -1, -1);
    COPY(body_jntadr, -1, -1);
    COPY(body_dofadr, -1, -1);
    COPY(body_treeid, -1, -1);
    COPY(body_geomadr, 0, 1);
    COPY(body_geomnum, 1, 1);
    COPY(geom_type, SN_GEOM_HFIELD, SN_GEOM_MESH);
    COPY(geom_bodyid, 0, 1);
    COPY(geom_condim, 3, 3);
    COPY(geom_matid, -1, -1);
    fillMesh(m);
    fillVolumes(m);
    m->bvh_nodeid[0] = 1; // the body's geom
    fillSkin(m);
    fillImages(m);
    sn_hashNames(m);
    return m;
}

static void assertGood(const snModel* m)
{
    snError error;
    if (sn_validateModel(m, &error) != SN_STATUS_OK) fail_msg("%s", error.message);
}

static int isFree(const char* name)
{
    static const char* const names[] = {"body_contype",     "body_conaffinity", "geom_contype",
                                        "geom_conaffinity", "geom_priority",    "geom_group",
                                        "skin_group",       "names_map"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name)) return 1;
    return 0;
}

static void everyIndexIsChecked(void** state)
{
    (void)state;
    static const int values[] = {INT_MIN, -3, 1000, INT_MAX - 1, INT_MAX};
    snModel* m = madeByHand();
    int count;
    const snField* fields = sn_modelFields(&count);
    for (int f = 0; f < count; f++) {
        if (strcmp(fields[f].type, "int") != 0 || isFree(fields[f].name)) continue;
        int rows, columns;
        sn_modelFieldShape(m, f, &rows, &columns);
        int* array = *(int**)((char*)m + fields[f].offset);
        for (int i = 0; i < rows * columns; i++) {
            const int kept = array[i];
            for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
                array[i] = values[v];
                if (sn_validateModel(m, NULL) == SN_STATUS_OK)
                    fail_msg("%s[%d] = %d passes", fields[f].name, i, values[v]);
            }
            array[i] = kept;
        }
    }
    assertGood(m);
    sn_deleteModel(m);
}

// An entry that is in range, but leads a reader astray.
static void wrongTies(void** state)
{
    (void)state;
    snModel* m = madeByHand();
    assertGood(m);
    const struct {
        int* at;
        int value;
        const char* words;
    } cases[] = {
        {&m->geom_dataid[1], 1, "geom_dataid[1]"},
        {&m->geom_dataid[0], -1, "geom_dataid[0]"},
        {&m->mesh_vertnum[0], 0, "mesh_"},
        {&m->mesh_vertnum[0], 3, "mesh_face"},
        {&m->mesh_facenum[0], 3, "bvh_nodeid"},
        {&m->mesh_texcoordnum[0], 3, "mesh_facetexcoord"},
        {&m->mesh_polynum[0], 3, "mesh_polymap"},
        {&m->mesh_graph[0], 5, "mesh_graph[0]"},
        {&m->mesh_graph[1], 5, "mesh_graph[1]"},
        {&m->mesh_graph[25], 3, "edges without an end"},
        {&m->mesh_graph[2], 16, "not the place of an edge"},
        {&m->mesh_graph[10], 4, "not a vertex of the hull"},
        {&m->mesh_graphadr[0], 1, "mesh_graph"},
        {&m->mesh_hullcell[0], -1, "mesh_hullcell[0]: out of range"},
        {&m->mesh_hullcell[0], 2, "mesh_hullcell[0]: out of range"},
        {&m->mesh_hullcell[1], 3, "mesh_hullcell[0]: out of range"},
        {&m->mesh_hullcell[2 * SN_NHULLDIR - 1], -1, "mesh_hullcell[0]: out of range"},
        {&m->mesh_hullcell[2 * SN_NHULLDIR - 1], 0, "some cells have vertices, some have none"},
        {&m->mesh_hullcell[1], 0, "some cells have vertices, some have none"},
        {&m->skin_vertnum[0], 2, "skin_"},
        {&m->skin_texcoordadr[0], 1, "skin_texcoordadr"},
        {&m->hfield_adr[0], 2, "hfield_adr"},
        {&m->hfield_ncol[0], 4, "hfield_"},
        {&m->tex_adr[0], 2, "tex_adr"},
        {&m->tex_nchannel[0], 4, "tex_height"},
        {&m->tex_pathadr[0], 4, "tex_pathadr"},
        // trees: a ring, a child with two parents, nodes that nobody reaches, a walk that leaves the tree
        {&m->bvh_child[2], 0, "does not follow its parent"},
        {&m->bvh_child[3], 3, "not the child of a node before it"},
        {&m->bvh_child[3], 7, "out of range"},
        {&m->bvh_child[7], 4, "not the child of a node before it"},
        {&m->bvh_depth[4], 3, "not one below its parent"},
        {&m->bvh_nodeid[3], 0, "a leaf with children"},
        {&m->bvh_nodeid[2], -1, "bvh_"},
        {&m->mesh_bvhnum[0], 5, "bvh_child"},
        {&m->mesh_bvhnum[0], 6, "out of range"},
        {&m->body_bvhnum[1], 2, "bvh_"},
        {&m->body_bvhadr[1], 7, "bvh_nodeid"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snError error = {0};
        const int kept = *cases[i].at;
        *cases[i].at = cases[i].value;
        if (sn_validateModel(m, &error) == SN_STATUS_OK) fail_msg("case %zu '%s' passes", i, cases[i].words);
        if (!strstr(error.message, cases[i].words))
            fail_msg("case %zu: '%s' for '%s'", i, error.message, cases[i].words);
        *cases[i].at = kept;
    }
    sn_deleteModel(m);
}

// Vertices in the tables of a hull are floats.
static void wrongBlocks(void** state)
{
    (void)state;
    snModel* m = madeByHand();
    const float wrong[] = {-1, 4, -0.5f, 1e20f, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (int k = 12; k < 16; k++) {
            snError error = {0};
            const float kept = m->mesh_hullblock[k];
            m->mesh_hullblock[k] = wrong[i];
            assert_int_equal(sn_validateModel(m, &error), SN_STATUS_MODEL);
            assert_non_null(strstr(error.message, "mesh_hullblock[0]: not a vertex of the hull"));
            m->mesh_hullblock[k] = kept;
        }
    assertGood(m);
    sn_deleteModel(m);
}

// One tree for two bodies, and none, is fine; so are textures without pixels.
static void whatMayBeMissing(void** state)
{
    (void)state;
    snModel* m = madeByHand();
    m->mesh_graphadr[0] = m->mesh_bvhadr[0] = m->body_bvhadr[1] = m->skin_texcoordadr[0] = -1;
    m->mesh_bvhnum[0] = m->body_bvhnum[1] = 0;
    m->tex_width[0] = m->tex_height[0] = m->tex_nchannel[0] = 0;
    m->geom_type[1] = SN_GEOM_BOX;                                // which the mesh was fitted with
    assert_int_equal(sn_validateModel(m, NULL), SN_STATUS_MODEL); // tables of no hull
    memset(m->mesh_hullcell, 0, 2 * SN_NHULLDIR * sizeof *m->mesh_hullcell);
    assertGood(m);
    m->mesh_hullcell[7] = 1; // without a hull there is no vertex of it
    assert_int_equal(sn_validateModel(m, NULL), SN_STATUS_MODEL);
    sn_deleteModel(m);
}

static void namesAreText(void** state)
{
    (void)state;
    snModel* m = madeByHand();
    static const char* const wrong[] = {"\xff", "\xc0\x80", "\xe2\x82", "\xed\xa0\x80", "a\xe2", "\xf5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memset(m->paths, 0, 4);
        memcpy(m->paths, wrong[i], strlen(wrong[i]));
        if (sn_validateModel(m, NULL) == SN_STATUS_OK) fail_msg("text %zu passes", i);
    }
    memcpy(m->paths, "\xe2\x82\xac", 4); // the euro sign
    assertGood(m);
    m->paths[3] = 'x';
    assert_int_equal(sn_validateModel(m, NULL), SN_STATUS_MODEL);
    sn_deleteModel(m);
}

// Bodies have six degrees of freedom at most; whoever keeps those of one relies on it.
static void test_no_body_has_seven_dofs(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><body><joint/><joint/><joint/><joint/><geom size='.1'/>"
                      "<body><joint/><joint/><joint/><geom size='.1'/></body></body></worldbody></mujoco>");
    snError error = {0};
    m->body_jntnum[1] = m->body_dofnum[1] = 7;
    m->body_jntnum[2] = m->body_dofnum[2] = 0;
    m->body_weldid[2] = 1;
    m->body_jntadr[2] = m->body_dofadr[2] = -1;
    for (int i = 4; i < 7; i++) m->jnt_bodyid[i] = m->dof_bodyid[i] = 1;
    assert_int_equal(sn_validateModel(m, &error), SN_STATUS_MODEL);
    if (!strstr(error.message, "more than 6")) fail_msg("%s", error.message);
    sn_deleteModel(m);
}

// Objects of two paths, one behind the other: S a site, G a geom, P a pulley.
static void setPaths(snModel* m, const char* kinds)
{
    for (int i = 0; i < m->nwrap; i++) {
        m->wrap_type[i] = kinds[i] == 'S' ? SN_WRAP_SITE : kinds[i] == 'G' ? SN_WRAP_SPHERE : SN_WRAP_PULLEY;
        m->wrap_objid[i] = kinds[i] == 'P' ? -1 : 0;
        m->wrap_prm[i] = kinds[i] == 'P' ? 2 : -1;
    }
}

// A geom of a path has a site of the same path on either side.
static void pathsOfTendons(void** state)
{
    (void)state;
    static const char* const good[] = {"SGSPSSSGS", "SSSSSSSSS", "SGSGSSSSS"};
    static const char* const wrong[] = {"GSSPSSSGS", "SGSPSSGSS", "SGSPSGSGS", "SGSPSSSSG", "SGPSSSSGS",
                                        "SPGSSSSGS", "SGGSSSSGS", "SGSSSPSGS", "SGSPSSSSP"};
    snModel* m =
        load("<mujoco><worldbody><geom name='g' size='.1'/><site name='s'/></worldbody><tendon>"
             "<spatial><site site='s'/><site site='s'/><site site='s'/><site site='s'/><site site='s'/>"
             "<site site='s'/></spatial><spatial><site site='s'/><geom geom='g'/><site site='s'/></spatial>"
             "</tendon></mujoco>");
    assert_int_equal(m->nwrap, 9);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        setPaths(m, good[i]);
        assertGood(m);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snError error = {0};
        setPaths(m, wrong[i]);
        if (sn_validateModel(m, &error) == SN_STATUS_OK) fail_msg("the paths %s pass", wrong[i]);
        assert_non_null(strstr(error.message, "wrap_type["));
    }
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_body_has_seven_dofs),
                                       cmocka_unit_test(pathsOfTendons),
                                       cmocka_unit_test(everyIndexIsChecked),
                                       cmocka_unit_test(wrongTies),
                                       cmocka_unit_test(wrongBlocks),
                                       cmocka_unit_test(whatMayBeMissing),
                                       cmocka_unit_test(namesAreText)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
