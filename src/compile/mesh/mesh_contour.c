// The mesh of a shape that a plugin gives by distances: on a grid around its box each cell that the surface
// runs through has a vertex, brought onto the surface, and each edge of the grid that crosses the surface has
// two triangles between the vertices of the four cells around it (surface nets, Gibson 1998).
#include "base/memory.h"
#include "compile/mesh/mesh.h"
#include "compile/build/configuration.h"
#include "model/plugin/plugin.h"

enum { CELLS = 96 }; // along the longest side

typedef struct Contour {
    const snPlugin* plugin;
    const double* numbers;
    int n[3];      // points of the grid
    double low[3]; // its first
    double step;
    float* value;             // of distances at points
    int* vertex;              // of the cell behind each point; -1: none
    bool fails;               // the plugin gave what is no number
    double where[3], what[4]; // there: distance and gradient
} Contour;

// What a plugin gave at a point; false, which ends the work: no number.
static bool isGood(Contour* c, const double x[3], double distance, const double gradient[3])
{
    bool good = isfinite(distance);
    for (int k = 0; k < 3 && gradient; k++) good = good && isfinite(gradient[k]);
    if (good) return true;
    c->fails = true;
    memcpy(c->where, x, sizeof c->where);
    c->what[0] = distance;
    for (int k = 0; k < 3; k++) c->what[1 + k] = gradient ? gradient[k] : 0;
    return false;
}

// Distances [n] and gradients [3 n], which may be NULL, at points; false: the plugin has failed.
static bool ask(Contour* c, int n, const double* x, double* distance, double* gradient)
{
    const snPlugin* p = c->plugin;
    if (p->sdf_distances) p->sdf_distances(c->numbers, n, x, distance, gradient, p->user);
    for (int i = 0; i < n; i++) {
        double* g = gradient ? gradient + 3 * (size_t)i : NULL;
        if (!p->sdf_distances) distance[i] = p->sdf_distance(c->numbers, x + 3 * (size_t)i, g, p->user);
        if (!isGood(c, x + 3 * (size_t)i, distance[i], g)) return false;
    }
    return true;
}

static size_t at(const Contour* c, int x, int y, int z)
{
    return ((size_t)z * (size_t)c->n[1] + (size_t)y) * (size_t)c->n[0] + (size_t)x;
}

static void place(const Contour* c, int x, int y, int z, double out[3])
{
    const int i[3] = {x, y, z};
    for (int k = 0; k < 3; k++) out[k] = c->low[k] + c->step * i[k];
}

static bool layGrid(Contour* c)
{
    double box[6], most = 0;
    c->plugin->sdf_box(c->numbers, box, c->plugin->user);
    for (int k = 0; k < 3; k++) most = sn_max(box[3 + k], most);
    if (!(most > 0) || !isfinite(most)) return false;
    c->step = 2 * most / CELLS;
    for (int k = 0; k < 3; k++) {
        if (!(box[3 + k] > 0) || !isfinite(box[k])) return false;
        c->n[k] = (int)ceil(2 * box[3 + k] / c->step) + 4;
        c->low[k] = box[k] - 0.5 * c->step * (c->n[k] - 1);
    }
    return true;
}

// Layer by layer; work [4 n0 n1]. false: the plugin has failed.
static bool askAll(Contour* c, double* work)
{
    const int layer = c->n[0] * c->n[1];
    double* distance = work + 3 * (size_t)layer;
    for (int z = 0; z < c->n[2]; z++) {
        double* point = work;
        for (int y = 0; y < c->n[1]; y++)
            for (int x = 0; x < c->n[0]; x++, point += 3) place(c, x, y, z, point);
        if (!ask(c, layer, work, distance, NULL)) return false;
        for (int i = 0; i < layer; i++) c->value[at(c, 0, 0, z) + (size_t)i] = (float)distance[i];
    }
    return true;
}

// One round: down the gradient by the distance, but where there is none.
static bool approach(Contour* c, int n, double* q, double* distance, double* gradient)
{
    if (!ask(c, n, q, distance, gradient)) return false;
    for (int i = 0; i < n; i++) {
        const double* g = gradient + 3 * (size_t)i;
        const double square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
        for (int k = 0; k < 3 && square > 0.01; k++) q[3 * (size_t)i + k] -= distance[i] / square * g[k];
    }
    return true;
}

// Vertices [n] onto the surface, by no more than a cell; work [7 n].
static bool settle(Contour* c, int n, double* vert, double* work)
{
    enum { ROUNDS = 4 };
    double *q = work, *distance = work + 3 * (size_t)n, *gradient = work + 4 * (size_t)n;
    memcpy(q, vert, 3 * (size_t)n * sizeof *q);
    for (int i = 0; i < ROUNDS; i++)
        if (!approach(c, n, q, distance, gradient)) return false;
    for (int i = 0; i < n; i++, q += 3, vert += 3) {
        double way = 0;
        for (int k = 0; k < 3; k++) way = sn_max(fabs(q[k] - vert[k]), way);
        if (way < c->step) memcpy(vert, q, 3 * sizeof *q);
    }
    return true;
}

// The middle of where the edges of a cell cross the surface; false: none does.
static bool middleOf(const Contour* c, int x, int y, int z, double out[3])
{
    static const int edge[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                    {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    double v[8], sum[3] = {0, 0, 0};
    int count = 0;
    for (int i = 0; i < 8; i++) v[i] = (double)c->value[at(c, x + (i & 1), y + (i >> 1 & 1), z + (i >> 2))];
    for (int i = 0; i < 12; i++) {
        const int a = edge[i][0], b = edge[i][1];
        if ((v[a] < 0) == (v[b] < 0)) continue;
        const double t = v[a] / (v[a] - v[b]);
        for (int k = 0; k < 3; k++) sum[k] += (1 - t) * (a >> k & 1) + t * (b >> k & 1);
        count++;
    }
    place(c, x, y, z, out);
    for (int k = 0; k < 3 && count; k++) out[k] += c->step * sum[k] / count;
    return count > 0;
}

// Vertices, one a cell; with `vert` NULL they are only counted.
static int makeVertices(Contour* c, double* vert)
{
    int count = 0;
    for (int z = 0; z + 1 < c->n[2]; z++)
        for (int y = 0; y + 1 < c->n[1]; y++)
            for (int x = 0; x + 1 < c->n[0]; x++) {
                double p[3];
                const bool cut = middleOf(c, x, y, z, p);
                c->vertex[at(c, x, y, z)] = cut ? count : -1;
                if (!cut) continue;
                if (vert) memcpy(vert + 3 * (size_t)count, p, sizeof p);
                count++;
            }
    return count;
}

// The two triangles about an edge from a point along an axis, seen from outside.
static void putEdge(const Contour* c, int x, int y, int z, int axis, bool inwards, int* face)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    int around[4];
    for (int i = 0; i < 4; i++) {
        int p[3] = {x, y, z};
        p[u] -= i == 1 || i == 2 ? 0 : 1;
        p[v] -= i >= 2 ? 0 : 1;
        around[inwards ? 3 - i : i] = c->vertex[at(c, p[0], p[1], p[2])];
    }
    const int corner[6] = {around[0], around[1], around[2], around[0], around[2], around[3]};
    memcpy(face, corner, sizeof corner);
}

// Triangles; with `face` NULL they are only counted. The grid's outermost points are outside of the shape.
static int makeFaces(const Contour* c, int* face)
{
    int count = 0;
    for (int z = 1; z + 1 < c->n[2]; z++)
        for (int y = 1; y + 1 < c->n[1]; y++)
            for (int x = 1; x + 1 < c->n[0]; x++) {
                const bool inside = c->value[at(c, x, y, z)] < 0;
                const int next[3][3] = {{x + 1, y, z}, {x, y + 1, z}, {x, y, z + 1}};
                for (int k = 0; k < 3; k++) {
                    const float other = c->value[at(c, next[k][0], next[k][1], next[k][2])];
                    if (inside == (other < 0)) continue;
                    if (face) putEdge(c, x, y, z, k, !inside, face + 3 * (size_t)count);
                    count += 2;
                }
            }
    return count;
}

static bool noMemory(snBuild* b, const snMesh* mesh)
{
    return sn_buildFail(b, &mesh->spec->head, SN_STATUS_NO_MEMORY, "out of memory");
}

static bool failsAt(snBuild* b, const snMesh* mesh, const Contour* c)
{
    const double *x = c->where, *g = c->what + 1;
    if (isfinite(c->what[0]))
        return sn_buildFail(b, &mesh->spec->head, SN_STATUS_MODEL,
                            "its plugin \"%.80s\" gives the gradient %g %g %g at %g %g %g, must be finite",
                            c->plugin->name, g[0], g[1], g[2], x[0], x[1], x[2]);
    return sn_buildFail(b, &mesh->spec->head, SN_STATUS_MODEL,
                        "its plugin \"%.80s\" gives the distance %g at %g %g %g, must be finite",
                        c->plugin->name, c->what[0], x[0], x[1], x[2]);
}

// Asks for the values at the points of the grid.
static bool sample(snBuild* b, snMesh* mesh, Contour* c)
{
    const size_t layer = (size_t)c->n[0] * (size_t)c->n[1], points = layer * (size_t)c->n[2];
    c->value = sn_malloc(points * sizeof *c->value);
    c->vertex = sn_malloc(points * sizeof *c->vertex);
    double* work = sn_malloc(4 * layer * sizeof *work);
    const bool room = c->value && c->vertex && work, good = room && askAll(c, work);
    sn_free(work);
    return good || (room ? failsAt(b, mesh, c) : noMemory(b, mesh));
}

static bool settleAll(snBuild* b, snMesh* mesh, Contour* c)
{
    double* work = sn_malloc(7 * (size_t)mesh->nvert * sizeof *work);
    const bool good = work && settle(c, mesh->nvert, mesh->vert, work);
    sn_free(work);
    return good || (work ? failsAt(b, mesh, c) : noMemory(b, mesh));
}

static bool contour(snBuild* b, snMesh* mesh, Contour* c)
{
    if (!sample(b, mesh, c)) return false;
    mesh->nvert = makeVertices(c, NULL);
    mesh->nface = makeFaces(c, NULL);
    if (mesh->nface < 4)
        return sn_buildFail(b, &mesh->spec->head, SN_STATUS_MODEL,
                            "its plugin \"%.80s\" has no surface in the box that it says it is in",
                            c->plugin->name);
    mesh->vert = sn_malloc(3 * (size_t)mesh->nvert * sizeof *mesh->vert);
    mesh->face = sn_malloc(3 * (size_t)mesh->nface * sizeof *mesh->face);
    if (!mesh->vert || !mesh->face) return noMemory(b, mesh);
    makeVertices(c, mesh->vert);
    makeFaces(c, mesh->face);
    return settleAll(b, mesh, c);
}

// ---- whose shape it is

// The instance: of the mesh itself, or one that is declared, by its name, as ids come later. NULL: there is
// none.
static const snSpecPlugin* instanceOf(snBuild* b, const snSpecPlugin* p)
{
    if (!p->instance) return p;
    return (const snSpecPlugin*)(const void*)sn_buildFind(b, &p->head, "instance", SN_OBJ_PLUGIN,
                                                          p->instance);
}

bool sn_meshContour(snBuild* b, snMesh* mesh)
{
    const snSpecPlugin* p = instanceOf(b, mesh->spec->plug);
    if (!p) return false;
    const snPlugin* plugin = sn_findPlugin(p->plugin, NULL);
    if (!plugin || !plugin->sdf_distance)
        return sn_buildFail(b, &p->head, SN_STATUS_MODEL, "plugin \"%.80s\" is no shape", p->plugin);
    double* numbers = sn_calloc((size_t)(plugin->nnumber + 1) * sizeof *numbers);
    if (!numbers) return noMemory(b, mesh);
    Contour c = {.plugin = plugin, .numbers = numbers};
    bool good = sn_parseConfiguration(b, p, plugin, numbers);
    if (good && !layGrid(&c))
        good = sn_buildFail(b, &p->head, SN_STATUS_MODEL, "plugin \"%.80s\" gives no box", plugin->name);
    good = good && contour(b, mesh, &c);
    sn_free(c.value);
    sn_free(c.vertex);
    sn_free(numbers);
    return good;
}
