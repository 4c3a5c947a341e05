// Built-in meshes: of unit size, at the origin. Vertices and triangles are numbered as the peer does.
#include "base/error.h"
#include "base/memory.h"
#include "math/vec.h"
#include "format/mesh/built_in.h"

bool sn_failShape(snMeshMaker* maker, const char* text)
{
    return sn_fail(maker->error, SN_STATUS_MODEL, "%s", text) == SN_STATUS_OK;
}

static bool noMemory(const snMeshMaker* maker)
{
    return sn_fail(maker->error, SN_STATUS_NO_MEMORY, "out of memory") == SN_STATUS_OK;
}

bool sn_beginShape(snMeshMaker* maker, int64_t nvert, int64_t nface, int64_t nnormal)
{
    snMeshFile* mesh = maker->mesh;
    if (nvert > SN_MAX_SHAPE_VERTICES)
        return sn_fail(maker->error, SN_STATUS_MODEL, "params ask for more than %d vertices",
                       SN_MAX_SHAPE_VERTICES) == SN_STATUS_OK;
    mesh->nvert = (int)nvert;
    mesh->nface = (int)nface;
    mesh->nnormal = (int)nnormal;
    mesh->vert = sn_malloc(3 * (size_t)nvert * sizeof *mesh->vert);
    if (nface) mesh->face = sn_malloc(3 * (size_t)nface * sizeof *mesh->face);
    if (nnormal) mesh->normal = sn_malloc(3 * (size_t)nnormal * sizeof *mesh->normal);
    return (mesh->vert && (mesh->face || !nface) && (mesh->normal || !nnormal)) || noMemory(maker);
}

void sn_addShapeVertex(snMeshMaker* maker, double x, double y, double z)
{
    float* v = maker->mesh->vert + 3 * (size_t)maker->nvert++;
    v[0] = (float)x;
    v[1] = (float)y;
    v[2] = (float)z;
}

void sn_addShapeFace(snMeshMaker* maker, int a, int b, int c)
{
    int* f = maker->mesh->face + 3 * (size_t)maker->nface++;
    f[0] = a;
    f[1] = b;
    f[2] = c;
}

static void storeNormal(snMeshFile* mesh, int i, double x, double y, double z)
{
    float* n = mesh->normal + 3 * (size_t)i;
    n[0] = (float)x;
    n[1] = (float)y;
    n[2] = (float)z;
}

// ---- sphere: an icosahedron whose triangles are cut in four, again and again

// The vertex in the middle of each edge, found by its ends; low < 0: an empty slot.
typedef struct {
    int low, high, middle;
} Edge;

static int middle(snMeshMaker* maker, Edge* edges, int nslots, int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    const unsigned mask = (unsigned)nslots - 1;
    unsigned slot = ((unsigned)low * 40503u + (unsigned)high * 2654435761u) & mask;
    while (edges[slot].low >= 0 && (edges[slot].low != low || edges[slot].high != high))
        slot = (slot + 1) & mask;
    if (edges[slot].low < 0) {
        edges[slot] = (Edge){low, high, maker->nvert};
        float m[3]; // in single precision throughout, as the peer
        for (int k = 0; k < 3; k++) m[k] = maker->mesh->vert[3 * a + k] + maker->mesh->vert[3 * b + k];
        const float length = sqrtf(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        sn_addShapeVertex(maker, (double)(m[0] / length), (double)(m[1] / length), (double)(m[2] / length));
    }
    return edges[slot].middle;
}

// Cuts nface triangles into four each. `old` [3 nface] is scratch.
static void subdivide(snMeshMaker* maker, Edge* edges, int nslots, int* old)
{
    const int nface = maker->nface;
    memcpy(old, maker->mesh->face, 3 * (size_t)nface * sizeof *old);
    memset(edges, 0xff, (size_t)nslots * sizeof *edges);
    maker->nface = 0;
    for (int i = 0; i < nface; i++) {
        const int a = old[3 * i], b = old[3 * i + 1], c = old[3 * i + 2];
        const int ab = middle(maker, edges, nslots, a, b), bc = middle(maker, edges, nslots, b, c),
                  ca = middle(maker, edges, nslots, c, a);
        sn_addShapeFace(maker, a, ab, ca);
        sn_addShapeFace(maker, b, bc, ab);
        sn_addShapeFace(maker, c, ca, bc);
        sn_addShapeFace(maker, ab, bc, ca);
    }
}

static void addIcosahedron(snMeshMaker* maker)
{
    static const unsigned char face[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                              {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                              {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                              {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    // corners (+-1, +-golden, 0) and its cyclic shifts
    const double golden = (1 + sqrt(5.0)) / 2, one = 1 / sqrt(1 + golden * golden), g = golden * one;
    for (int i = 0; i < 4; i++) sn_addShapeVertex(maker, i % 2 ? one : -one, i < 2 ? g : -g, 0);
    for (int i = 0; i < 4; i++) sn_addShapeVertex(maker, 0, i % 2 ? one : -one, i < 2 ? g : -g);
    for (int i = 0; i < 4; i++) sn_addShapeVertex(maker, i < 2 ? g : -g, 0, i % 2 ? one : -one);
    for (int i = 0; i < 20; i++) sn_addShapeFace(maker, face[i][0], face[i][1], face[i][2]);
}

static bool makeSphere(snMeshMaker* maker, const double* params)
{
    // what becomes of a number that no int can hold differs between processors
    if (!(params[0] > -1) || !(params[0] < 5))
        return sn_failShape(maker, "params: a sphere can be cut 0 to 4 times");
    const int cuts = (int)params[0];
    const int faces = 20 << (2 * cuts), nslots = 1 << (2 * cuts + 6);
    if (!sn_beginShape(maker, 2 + faces / 2, faces, 0)) return false;
    Edge* edges = sn_malloc((size_t)nslots * sizeof *edges);
    int* old = sn_malloc(3 * (size_t)faces * sizeof *old);
    const bool good = edges && old;
    if (good) {
        addIcosahedron(maker);
        for (int k = 0; k < cuts; k++) subdivide(maker, edges, nslots, old);
    }
    sn_free(edges);
    sn_free(old);
    return good || noMemory(maker);
}

// ---- hemisphere: the upper half of an octahedron, its sides cut into rows, blown up to the sphere

// Vertices up to ring r, the apex included; ring r has 4 r of them.
static int ringStart(int r)
{
    return r ? 1 + 2 * r * (r - 1) : 0;
}

static int ringVertex(int r, int i)
{
    return ringStart(r) + (r ? i % (4 * r) : 0);
}

static bool makeHemisphere(snMeshMaker* maker, const double* params)
{
    if (!(params[0] > -1) || !(params[0] < 11))
        return sn_failShape(maker, "params: a hemisphere's resolution is 0 to 10");
    const int resolution = (int)params[0];
    static const double side[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    const int n = resolution + 1;
    if (!sn_beginShape(maker, 2 + 2 * n * (n + 1), 4 * n * n + 4 * n, 0)) return false;
    sn_addShapeVertex(maker, 0, 0, 1);
    for (int r = 1; r <= n; r++)
        for (int i = 0; i < 4 * r; i++) {
            const int q = i / r, k = i % r;
            const snVec3 v = sn_v3Normalize(sn_v3((r - k) * side[q][0] + k * side[q + 1][0],
                                                  (r - k) * side[q][1] + k * side[q + 1][1], n - r));
            sn_addShapeVertex(maker, v.x, v.y, v.z);
        }
    for (int r = 0; r < n; r++)
        for (int q = 0; q < 4; q++)
            for (int i = 0; i <= r; i++) {
                const int up = q * r + i, low = q * (r + 1) + i;
                sn_addShapeFace(maker, ringVertex(r, up), ringVertex(r + 1, low), ringVertex(r + 1, low + 1));
                if (i < r)
                    sn_addShapeFace(maker, ringVertex(r, up), ringVertex(r + 1, low + 1),
                                    ringVertex(r, up + 1));
            }
    for (int i = 0; i < 4 * n; i++)
        sn_addShapeFace(maker, ringVertex(n, i), maker->nvert, ringVertex(n, i + 1));
    sn_addShapeVertex(maker, 0, 0, 0);
    return true;
}

// ---- cone: a regular polygon at z = -1, the same scaled, or a point, at z = 1; its triangles are the hull's

static bool makeCone(snMeshMaker* maker, const double* params)
{
    const double radius = params[1];
    if (!(params[0] >= 3) || !(params[0] < SN_MAX_SHAPE_VERTICES))
        return sn_failShape(maker, "params: a cone needs at least 3 edges");
    const int n = (int)params[0];
    if (!sn_beginShape(maker, radius > 0 ? 2 * (int64_t)n : (int64_t)n + 1, 0, 0)) return false;
    // the upper ring goes round a second time: the hull's triangles hang on the rounding of its vertices
    for (int i = 0; i < (radius > 0 ? 2 * n : n); i++) {
        const double angle = 2 * SN_PI * i / n, r = i < n ? 1 : radius;
        sn_addShapeVertex(maker, r * sn_cos(angle), r * sn_sin(angle), i < n ? -1 : 1);
    }
    if (!(radius > 0)) sn_addShapeVertex(maker, 0, 0, 1);
    return true;
}

// ---- superquadrics: sine and cosine raised to powers (Barr 1981)

// |x|^m with the sign of x
static double signedPower(double x, double m)
{
    return (x < 0 ? -1 : 1) * sn_pow(fabs(x), m);
}

// x = cos^n p cos^e u, y = cos^n p sin^e u, z = sin^n p: poles, and between them rows of `res`.
static bool makeSupersphere(snMeshMaker* maker, const double* params)
{
    const double e = params[1], n = params[2];
    if (!(params[0] >= 3) || !(params[0] < SN_MAX_SHAPE_VERTICES))
        return sn_failShape(maker, "params: a supersphere's resolution is at least 3");
    if (!(e >= 0) || !(n >= 0))
        return sn_failShape(maker, "params: a supersphere's exponents are not negative");
    const int64_t res = (int64_t)params[0];
    if (!sn_beginShape(maker, 2 + (res - 1) * res, 2 * res * (res - 1), 0)) return false;
    sn_addShapeVertex(maker, 0, 0, -1);
    for (int j = 1; j < res; j++)
        for (int i = 0; i < res; i++) {
            const double p = -SN_PI / 2 + SN_PI * j / (double)res, u = -SN_PI + 2 * SN_PI * i / (double)res;
            const double row = signedPower(sn_cos(p), n);
            sn_addShapeVertex(maker, row * signedPower(sn_cos(u), e), row * signedPower(sn_sin(u), e),
                              signedPower(sn_sin(p), n));
        }
    const int r = (int)res, top = maker->nvert, last = top - r;
    sn_addShapeVertex(maker, 0, 0, 1);
    for (int i = 0; i < r; i++) sn_addShapeFace(maker, 0, 1 + (i + 1) % r, 1 + i);
    for (int row = 1; row < last; row += r)
        for (int i = 0; i < r; i++) {
            const int a = row + i, next = row + (i + 1) % r;
            sn_addShapeFace(maker, a, next, a + r);
            sn_addShapeFace(maker, next, next + r, a + r);
        }
    for (int i = 0; i < r; i++) sn_addShapeFace(maker, last + i, last + (i + 1) % r, top);
    return true;
}

// Around a circle of radius 1: (1 + r cos^s v) (cos^t u, sin^t u), z = r sin^s v.
static bool makeSupertorus(snMeshMaker* maker, const double* params)
{
    const double radius = params[1], s = params[2], t = params[3];
    if (!(params[0] >= 3) || !(params[0] < SN_MAX_SHAPE_VERTICES))
        return sn_failShape(maker, "params: a supertorus's resolution is at least 3");
    if (!(radius > 0 && radius <= 1))
        return sn_failShape(maker, "params: a supertorus's radius is above 0, at most 1");
    if (!(s > 0 && t > 0)) return sn_failShape(maker, "params: a supertorus's exponents are positive");
    const int64_t res = (int64_t)params[0];
    if (!sn_beginShape(maker, res * res, 2 * res * res, 0)) return false;
    const int r = (int)res;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) {
            const double u = 2 * SN_PI * i / r, v = 2 * SN_PI * j / r;
            const double ring = 1 + radius * signedPower(sn_cos(v), s);
            sn_addShapeVertex(maker, ring * signedPower(sn_cos(u), t), ring * signedPower(sn_sin(u), t),
                              radius * signedPower(sn_sin(v), s));
        }
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) {
            const int here = i * r, next = (i + 1) % r * r, k = (j + 1) % r;
            sn_addShapeFace(maker, here + j, next + j, here + k);
            sn_addShapeFace(maker, next + j, next + k, here + k);
        }
    return true;
}

// ---- wedge and plate: the taxels of a tactile sensor, with normal and two tangents each

static bool readGrid(snMeshMaker* maker, const double* params, int size[2])
{
    for (int k = 0; k < 2; k++) {
        if (!(params[k] >= 1) || !(params[k] < SN_MAX_SHAPE_VERTICES))
            return sn_failShape(maker, "params: the two resolutions are positive");
        size[k] = (int)params[k];
    }
    return true;
}

// Middle of bin i of n, of the interval -half to half; gamma draws the edges of the bins towards 0: x, from
// -1 to 1, becomes (1 - gamma) x + gamma x^5.
static double binMiddle(int i, int n, double half, double gamma)
{
    double sum = 0;
    for (int k = i; k <= i + 1; k++) {
        const double x = -1 + 2.0 * k / n;
        sum += half * ((1 - gamma) * x + gamma * sn_pow(x, 5));
    }
    return sum / 2;
}

// Directions from the origin: azimuth a about y and elevation e, straight ahead is -z.
static bool makeWedge(snMeshMaker* maker, const double* params)
{
    int size[2] = {0, 0};
    if (!readGrid(maker, params, size)) return false;
    const double gamma = params[4];
    if (!(params[2] > 0 && params[2] <= 180))
        return sn_failShape(maker, "params: a wedge's first angle is above 0, at most 180");
    if (!(params[3] > 0 && params[3] <= 90))
        return sn_failShape(maker, "params: a wedge's second angle is above 0, at most 90");
    if (!(gamma >= 0 && gamma <= 1)) return sn_failShape(maker, "params: a wedge's gamma is 0 to 1");
    const int64_t n = (int64_t)size[0] * size[1];
    if (!sn_beginShape(maker, n, 0, 3 * n)) return false;
    for (int i = 0; i < size[0]; i++)
        for (int j = 0; j < size[1]; j++) {
            const double a = binMiddle(i, size[0], params[2] * SN_PI / 180, gamma);
            const double e = binMiddle(j, size[1], params[3] * SN_PI / 180, gamma);
            const snVec3 out = {sn_cos(e) * sn_sin(a), sn_sin(e), -sn_cos(e) * sn_cos(a)};
            storeNormal(maker->mesh, 3 * maker->nvert, out.x, out.y, out.z);
            storeNormal(maker->mesh, 3 * maker->nvert + 1, sn_cos(a), 0, sn_sin(a));
            storeNormal(maker->mesh, 3 * maker->nvert + 2, -sn_sin(e) * sn_sin(a), sn_cos(e),
                        sn_sin(e) * sn_cos(a));
            sn_addShapeVertex(maker, out.x, out.y, out.z);
        }
    return true;
}

static bool makePlate(snMeshMaker* maker, const double* params)
{
    int size[2] = {0, 0};
    if (!readGrid(maker, params, size)) return false;
    const int64_t n = (int64_t)size[0] * size[1];
    if (!sn_beginShape(maker, n, 2 * (int64_t)(size[0] - 1) * (size[1] - 1), 3 * n)) return false;
    for (int i = 0; i < size[0]; i++)
        for (int j = 0; j < size[1]; j++) {
            for (int k = 0; k < 3; k++)
                storeNormal(maker->mesh, 3 * maker->nvert + k, k == 0, k == 1, k == 2);
            sn_addShapeVertex(maker, binMiddle(i, size[0], 1, 0), binMiddle(j, size[1], 1, 0), -1);
        }
    for (int i = 0; i + 1 < size[0]; i++)
        for (int j = 0; j + 1 < size[1]; j++) {
            const int a = i * size[1] + j, next = a + size[1];
            sn_addShapeFace(maker, a, next, a + 1);
            sn_addShapeFace(maker, next + 1, a + 1, next);
        }
    return true;
}

snStatus sn_makeMeshShape(int shape, const double* params, int count, snMeshFile* mesh, snError* error)
{
    static const char lattice[] = "three counts, three spacings, 2 or 3 dimensions";
    static const struct {
        int least, most; // how many params
        bool (*make)(snMeshMaker* maker, const double* params);
        const char* params;
    } shapes[] = {
        [SN_MESHSHAPE_SPHERE] = {1, 1, makeSphere, "subdivisions"},
        [SN_MESHSHAPE_HEMISPHERE] = {1, 1, makeHemisphere, "resolution"},
        [SN_MESHSHAPE_CONE] = {2, 2, makeCone, "edges, radius at the top"},
        [SN_MESHSHAPE_SUPERSPHERE] = {3, 3, makeSupersphere, "resolution, e, n"},
        [SN_MESHSHAPE_SUPERTORUS] = {4, 4, makeSupertorus, "resolution, radius, s, t"},
        [SN_MESHSHAPE_WEDGE] = {5, 5, makeWedge, "two resolutions, two angles in degrees, gamma"},
        [SN_MESHSHAPE_PLATE] = {2, 2, makePlate, "two resolutions"},
        [SN_MESHSHAPE_GRID] = {6, 7, sn_makeGrid, lattice},
        [SN_MESHSHAPE_BOX] = {6, 7, sn_makeBox, lattice},
        [SN_MESHSHAPE_CYLINDER] = {6, 7, sn_makeCylinder, lattice},
        [SN_MESHSHAPE_ELLIPSOID] = {6, 7, sn_makeEllipsoid, lattice},
        [SN_MESHSHAPE_SQUARE] = {6, 6, sn_makeSquare, "three counts, three spacings"},
        [SN_MESHSHAPE_DISC] = {6, 6, sn_makeDisc, "three counts, three spacings"},
    };
    const int least = shapes[shape].least, most = shapes[shape].most;
    if (count < least || count > most)
        return sn_fail(error, SN_STATUS_MODEL, "params has %d numbers, the shape takes %d%s: %s", count,
                       least, most > least ? " or 7" : "", shapes[shape].params);
    snMeshMaker maker = {.mesh = mesh, .error = error, .count = count};
    *mesh = (snMeshFile){.nvert = 0};
    if (shapes[shape].make(&maker, params)) return SN_STATUS_OK;
    sn_freeMeshFile(mesh);
    return error->status;
}
