// The elements of a Collada file that say where triangles are and in which colour: with their text, found by
// their ids. All other elements, and what is in them, are left out.
#ifndef SINEW_FORMAT_MESH_COLLADA_TREE_H
#define SINEW_FORMAT_MESH_COLLADA_TREE_H

#include "base/pool.h"
#include "format/mesh/reader.h"
#include "format/mesh/text.h"

// Elements; 1: its text, numbers, is kept.
#define SN_COLLADA_TAGS(X)                                                                                   \
    X(COLLADA, "COLLADA", 0)                                                                                 \
    X(ASSET, "asset", 0)                                                                                     \
    X(UNIT, "unit", 0)                                                                                       \
    X(LIBRARY_GEOMETRIES, "library_geometries", 0)                                                           \
    X(GEOMETRY, "geometry", 0)                                                                               \
    X(MESH, "mesh", 0)                                                                                       \
    X(SOURCE, "source", 0)                                                                                   \
    X(FLOAT_ARRAY, "float_array", 1)                                                                         \
    X(TECHNIQUE, "technique_common", 0)                                                                      \
    X(ACCESSOR, "accessor", 0)                                                                               \
    X(PARAM, "param", 0)                                                                                     \
    X(VERTICES, "vertices", 0)                                                                               \
    X(INPUT, "input", 0)                                                                                     \
    X(TRIANGLES, "triangles", 0)                                                                             \
    X(POLYLIST, "polylist", 0)                                                                               \
    X(POLYGONS, "polygons", 0)                                                                               \
    X(TRISTRIPS, "tristrips", 0)                                                                             \
    X(TRIFANS, "trifans", 0)                                                                                 \
    X(VCOUNT, "vcount", 1)                                                                                   \
    X(P, "p", 1)                                                                                             \
    X(PH, "ph", 0)                                                                                           \
    X(LIBRARY_CONTROLLERS, "library_controllers", 0)                                                         \
    X(CONTROLLER, "controller", 0)                                                                           \
    X(SKIN, "skin", 0)                                                                                       \
    X(MORPH, "morph", 0)                                                                                     \
    X(LIBRARY_EFFECTS, "library_effects", 0)                                                                 \
    X(EFFECT, "effect", 0)                                                                                   \
    X(PROFILE, "profile_COMMON", 0)                                                                          \
    X(FX_TECHNIQUE, "technique", 0)                                                                          \
    X(LAMBERT, "lambert", 0)                                                                                 \
    X(PHONG, "phong", 0)                                                                                     \
    X(BLINN, "blinn", 0)                                                                                     \
    X(DIFFUSE, "diffuse", 0)                                                                                 \
    X(COLOR, "color", 1)                                                                                     \
    X(LIBRARY_MATERIALS, "library_materials", 0)                                                             \
    X(MATERIAL, "material", 0)                                                                               \
    X(INSTANCE_EFFECT, "instance_effect", 0)                                                                 \
    X(BIND_MATERIAL, "bind_material", 0)                                                                     \
    X(INSTANCE_MATERIAL, "instance_material", 0)                                                             \
    X(LIBRARY_SCENES, "library_visual_scenes", 0)                                                            \
    X(VISUAL_SCENE, "visual_scene", 0)                                                                       \
    X(LIBRARY_NODES, "library_nodes", 0)                                                                     \
    X(NODE, "node", 0)                                                                                       \
    X(MATRIX, "matrix", 1)                                                                                   \
    X(TRANSLATE, "translate", 1)                                                                             \
    X(ROTATE, "rotate", 1)                                                                                   \
    X(SCALE, "scale", 1)                                                                                     \
    X(LOOKAT, "lookat", 1)                                                                                   \
    X(SKEW, "skew", 1)                                                                                       \
    X(INSTANCE_GEOMETRY, "instance_geometry", 0)                                                             \
    X(INSTANCE_CONTROLLER, "instance_controller", 0)                                                         \
    X(INSTANCE_NODE, "instance_node", 0)                                                                     \
    X(SCENE, "scene", 0)                                                                                     \
    X(INSTANCE_SCENE, "instance_visual_scene", 0)
typedef enum snColladaTag {
#define X(name, text, numbers) SN_COLLADA_##name,
    SN_COLLADA_TAGS(X)
#undef X
        SN_COLLADA_NTAG,
} snColladaTag;

#define SN_COLLADA_ATTRIBUTES(X)                                                                             \
    X(ID, "id")                                                                                              \
    X(SOURCE, "source")                                                                                      \
    X(URL, "url")                                                                                            \
    X(SEMANTIC, "semantic")                                                                                  \
    X(NAME, "name")                                                                                          \
    X(COUNT, "count")                                                                                        \
    X(OFFSET, "offset")                                                                                      \
    X(STRIDE, "stride")                                                                                      \
    X(METER, "meter")                                                                                        \
    X(MATERIAL, "material")                                                                                  \
    X(SYMBOL, "symbol")                                                                                      \
    X(TARGET, "target")
typedef enum snColladaWord {
#define X(name, text) SN_COLLADA_WORD_##name,
    SN_COLLADA_ATTRIBUTES(X)
#undef X
        SN_COLLADA_NWORD,
} snColladaWord;

typedef struct snColladaAttribute {
    struct snColladaAttribute* next;
    const char* text;
    snColladaWord word;
} snColladaAttribute;

typedef struct snColladaElement {
    struct snColladaElement *parent, *first, *last, *next; ///< first, last: of its children
    snColladaAttribute* attributes;
    size_t text, ntext; ///< where its text is in that of the tree
    void* made;         ///< for the reader: what it has made of the element, so that it is made once
    snColladaTag tag;
    int line, order; ///< in the file
} snColladaElement;

typedef struct snColladaTree {
    const snMeshSource* source;
    snPool pool;
    snLocale locale; ///< "C"
    snColladaElement* root;
    char* text;
    int ntext, textroom;
    snColladaElement** named; ///< with an id, by tag, id and order
    int nnamed, namedroom;
} snColladaTree;

/// Reads the file into a tree that is all zero. Free it with sn_freeColladaTree, also on failure.
snStatus sn_readColladaTree(const snMeshSource* source, snColladaTree* tree);
void sn_freeColladaTree(snColladaTree* tree);

/// The text of an attribute, NULL: absent.
const char* sn_colladaWord(const snColladaElement* e, snColladaWord word);
/// A whole number from 0 on; `absent` if there is no such attribute. Refused: anything else.
snStatus sn_colladaInt(const snColladaTree* tree, const snColladaElement* e, snColladaWord word, int absent,
                       int* value);
/// The first child with the tag, NULL: none.
snColladaElement* sn_colladaChild(const snColladaElement* e, snColladaTag tag);
/// The element with the tag that the attribute names, which is written #ID. Refused: anything else.
snStatus sn_colladaTarget(const snColladaTree* tree, const snColladaElement* e, snColladaWord word,
                          snColladaTag tag, snColladaElement** target);
/// As sn_colladaTarget, but NULL if there is no such element.
snStatus sn_findColladaTarget(const snColladaTree* tree, const snColladaElement* e, snColladaWord word,
                              snColladaTag tag, snColladaElement** target);
/// The element with the tag and the id, NULL: none.
snColladaElement* sn_colladaNamed(const snColladaTree* tree, snColladaTag tag, const char* id);
const char* sn_colladaTagName(snColladaTag tag);

snTextSpan sn_colladaText(const snColladaTree* tree, const snColladaElement* e);
/// The line of a place in the text of an element.
int sn_colladaLine(const snColladaTree* tree, const snColladaElement* e, const char* at);

#endif
