// Collada: all geometries that the nodes of the scene place, in one mesh. The unit of the file is applied and
// its up axis is not, as readers of URDF do. A skin or morph counts as the geometry that it starts from.
#include "format/mesh/collada.h"
#include <math.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "format/mesh/color.h"
#include "format/mesh/polygon.h"
#include "format/mesh/scene.h"
#include "math/elementary/elementary.h"

typedef struct colladaReader {
    snColladaTree* tree;
    snScene scene;
    int64_t work;          // that may still be spent on cutting polygons
    int64_t look;          // and on looking for materials
    int *color, colorroom; // of the lists of a geometry
} colladaReader;

static snStatus syntax(const colladaReader* r, const snColladaElement* e, snStatus status, const char* what)
{
    const snMeshSource* source = r->tree->source;
    return sn_failAt(source->error, status, source->name, e->line, "<%s>: %s", sn_colladaTagName(e->tag),
                     what);
}

// ---- transforms

static snStatus readNumbers(const colladaReader* r, const snColladaElement* e, int n, double* number)
{
    snTextSpan text = sn_colladaText(r->tree, e), word;
    for (int k = 0; k < n; k++)
        if (!sn_textToken(&text, &word) || !sn_textReal(word, r->tree->locale, number + k))
            return syntax(r, e, SN_STATUS_SYNTAX, "has too few numbers, or one that is not finite");
    return SN_STATUS_OK;
}

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

// Axis x, y, z and angle in degrees: R = cos I + (1 - cos) u u' + sin [u], the formula of Rodrigues.
static snAffine rotation(const double number[4])
{
    snAffine t = sn_identityAffine();
    const double length = norm(number), angle = number[3] * (M_PI / 180), s = sn_sin(angle),
                 c = sn_cos(angle);
    if (!(length > 0)) return t;
    const double u[3] = {number[0] / length, number[1] / length, number[2] / length};
    const double skew[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) t.at[i][k] = (i == k ? c : 0) + (1 - c) * u[i] * u[k] + s * skew[i][k];
    return t;
}

// Where the eye stands, what it looks at along its -z, and what is up: the frame of the eye.
static snAffine view(const double number[9])
{
    snAffine t = sn_identityAffine();
    const double back[3] = {number[0] - number[3], number[1] - number[4], number[2] - number[5]};
    double right[3], up[3];
    cross(number + 6, back, right);
    cross(back, right, up);
    const double *const axis[3] = {right, up, back}, length[3] = {norm(right), norm(up), norm(back)};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3 && length[0] > 0; k++) t.at[i][k] = axis[k][i] / length[k];
        t.at[i][3] = number[i];
    }
    return t;
}

static snStatus readTransform(const colladaReader* r, const snColladaElement* e, snAffine* t)
{
    double number[16];
    snStatus status = SN_STATUS_OK;
    *t = sn_identityAffine();
    switch (e->tag) {
    case SN_COLLADA_MATRIX:
        status = readNumbers(r, e, 16, number);
        for (int i = 0; i < 12 && !status; i++) t->at[i / 4][i % 4] = number[i];
        break;
    case SN_COLLADA_TRANSLATE:
        status = readNumbers(r, e, 3, number);
        for (int i = 0; i < 3 && !status; i++) t->at[i][3] = number[i];
        break;
    case SN_COLLADA_SCALE:
        status = readNumbers(r, e, 3, number);
        for (int i = 0; i < 3 && !status; i++) t->at[i][i] = number[i];
        break;
    case SN_COLLADA_ROTATE:
        status = readNumbers(r, e, 4, number);
        if (!status) *t = rotation(number);
        break;
    case SN_COLLADA_LOOKAT:
        status = readNumbers(r, e, 9, number);
        if (!status) *t = view(number);
        break;
    case SN_COLLADA_SKEW: return syntax(r, e, SN_STATUS_UNSUPPORTED, "is not read; write it as a <matrix>");
    default: break;
    }
    return status;
}

// All transforms of a node, the first one outermost; read once, as the node may be placed many times.
static snStatus nodeTransform(const colladaReader* r, snColladaElement* node, snAffine* t)
{
    if (!node->made) {
        snAffine* all = sn_poolAlloc(&r->tree->pool, sizeof *all);
        if (!all) return sn_meshNoMemory(r->tree->source);
        *all = sn_identityAffine();
        node->made = all;
        for (const snColladaElement* e = node->first; e; e = e->next) {
            snAffine one;
            const snStatus status = readTransform(r, e, &one);
            if (status) return status;
            *all = sn_mulAffine(*all, one);
        }
    }
    memcpy(t, node->made, sizeof *t);
    return SN_STATUS_OK;
}

// ---- the scene

// What an instance places, found once: a geometry, also that behind a controller, or a node.
static snStatus findInstance(const colladaReader* r, snColladaElement* e, snColladaTag kind)
{
    snColladaElement* found = NULL;
    snStatus status = SN_STATUS_OK;
    const snColladaElement* from = e;
    if (kind == SN_COLLADA_CONTROLLER) {
        // a skin may be that of a morph
        for (int depth = 0; depth < 3 && !status; depth++) {
            const snColladaWord word = depth ? SN_COLLADA_WORD_SOURCE : SN_COLLADA_WORD_URL;
            status = sn_findColladaTarget(r->tree, from, word, SN_COLLADA_CONTROLLER, &found);
            if (status || !found) break;
            from = sn_colladaChild(found, SN_COLLADA_SKIN);
            if (!from) from = sn_colladaChild(found, SN_COLLADA_MORPH);
            if (!from) return syntax(r, found, SN_STATUS_SYNTAX, "has no <skin> and no <morph>");
        }
        kind = SN_COLLADA_GEOMETRY;
    }
    if (!status)
        status = sn_colladaTarget(r->tree, from, from == e ? SN_COLLADA_WORD_URL : SN_COLLADA_WORD_SOURCE,
                                  kind, &found);
    e->made = found;
    return status;
}

// What the lists of a geometry are drawn in where an instance places it.
static snStatus bindColors(colladaReader* r, const snColladaElement* e, const snColladaMesh* made)
{
    if (!sn_growMesh((void**)&r->color, sizeof(int), 0, made->nlist, &r->colorroom))
        return sn_meshNoMemory(r->tree->source);
    for (int k = 0; k < made->nlist; k++) {
        float rgba[4];
        const bool there = sn_colladaColor(r->tree, e, made->material[k], &r->look, rgba);
        r->color[k] = there ? sn_meshColor(r->scene.mesh, rgba) : -1;
        if (there && r->color[k] < 0) return sn_meshNoMemory(r->tree->source);
    }
    return SN_STATUS_OK;
}

static snStatus placeGeometry(colladaReader* r, snColladaElement* e, snColladaTag kind, const snAffine* t)
{
    snStatus status = e->made ? SN_STATUS_OK : findInstance(r, e, kind);
    const snColladaMesh* made;
    if (!status) status = sn_colladaGeometry(r->tree, e->made, &r->work, &made);
    if (!status) status = bindColors(r, e, made);
    return status ? status : sn_placePart(&r->scene, &made->mesh, t, r->color, e->line);
}

static snStatus walk(colladaReader* r, snColladaElement* node, const snAffine* above, int depth);

static snStatus walkChild(colladaReader* r, snColladaElement* e, const snAffine* t, int depth)
{
    snStatus status = sn_visitNode(&r->scene, depth, e->line);
    if (status) return status;
    switch (e->tag) {
    case SN_COLLADA_NODE: return walk(r, e, t, depth + 1);
    case SN_COLLADA_INSTANCE_GEOMETRY: return placeGeometry(r, e, SN_COLLADA_GEOMETRY, t);
    case SN_COLLADA_INSTANCE_CONTROLLER: return placeGeometry(r, e, SN_COLLADA_CONTROLLER, t);
    case SN_COLLADA_INSTANCE_NODE:
        if (!e->made) status = findInstance(r, e, SN_COLLADA_NODE);
        return status ? status : walk(r, e->made, t, depth + 1);
    default: return SN_STATUS_OK;
    }
}

// A node, or the scene, and what hangs on it; above: from its parent's frame to that of the mesh.
static snStatus walk(colladaReader* r, snColladaElement* node, const snAffine* above, int depth)
{
    snAffine t;
    snStatus status = nodeTransform(r, node, &t);
    if (!status) t = sn_mulAffine(*above, t);
    for (snColladaElement* e = node->first; e && !status; e = e->next) status = walkChild(r, e, &t, depth);
    return status;
}

// <asset><unit meter="0.01"/>: the length of the file's unit.
static snStatus readUnit(const colladaReader* r, double* meter)
{
    *meter = 1;
    const snColladaElement* asset = sn_colladaChild(r->tree->root, SN_COLLADA_ASSET);
    const snColladaElement* unit = asset ? sn_colladaChild(asset, SN_COLLADA_UNIT) : NULL;
    const char* text = unit ? sn_colladaWord(unit, SN_COLLADA_WORD_METER) : NULL;
    if (!text) return SN_STATUS_OK;
    snTextSpan span = {text, text + strlen(text)}, word;
    if (sn_textToken(&span, &word) && sn_textReal(word, r->tree->locale, meter) && *meter > 0)
        return SN_STATUS_OK;
    return syntax(r, unit, SN_STATUS_SYNTAX, "meter must be a number above 0");
}

static snStatus readScene(colladaReader* r)
{
    const snColladaElement* root = r->tree->root;
    const snColladaElement* scene = sn_colladaChild(root, SN_COLLADA_SCENE);
    const snColladaElement* instance = scene ? sn_colladaChild(scene, SN_COLLADA_INSTANCE_SCENE) : NULL;
    if (!instance)
        return syntax(r, root, SN_STATUS_SYNTAX, "has no <scene><instance_visual_scene url=\"#ID\"/>");
    snColladaElement* top;
    double meter;
    snStatus status = sn_colladaTarget(r->tree, instance, SN_COLLADA_WORD_URL, SN_COLLADA_VISUAL_SCENE, &top);
    if (!status) status = readUnit(r, &meter);
    if (status) return status;
    const snAffine unit = {{{meter, 0, 0, 0}, {0, meter, 0, 0}, {0, 0, meter, 0}}};
    status = walk(r, top, &unit, 0);
    return status ? status : sn_endScene(&r->scene);
}

snStatus sn_readCollada(const snMeshSource* source, snMeshFile* mesh)
{
    snColladaTree tree = {0};
    colladaReader r = {.tree = &tree,
                       .scene = {.source = source, .mesh = mesh, .bytes = source->size},
                       .work = sn_polygonWork(source->size),
                       .look = sn_polygonWork(source->size)};
    snStatus status = sn_readColladaTree(source, &tree);
    if (!status) status = readScene(&r);
    sn_free(r.color);
    sn_freeColladaGeometries(&tree);
    sn_freeColladaTree(&tree);
    return status;
}
