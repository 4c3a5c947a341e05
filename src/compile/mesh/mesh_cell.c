// For each cell of directions the vertices of the hull that can be the farthest along one of them. A vertex
// cannot if another one is farther along all corners of the cell, for then it is farther along what they add
// up to. The rest is kept, so nothing is assumed of the hull: rounding to floats may have made it a little
// less than convex.
#include "base/memory.h"
#include "shape/hull.h"
#include "compile/mesh/mesh.h"
#include <limits.h>

// A vertex counts as farther by this part of the size at least: cells are told with rounding.
#define CLEARLY 1e-12

enum { MOST_VERTICES = 1 << 24 }; // whole numbers that are floats

// Heights of a vertex along four corners.
typedef struct {
    int id;
    real along[4];
} Height;

// Cells are sifted from what is left of a patch of them, patches from what is left of a side.
enum { SIDE, PATCH, CELL, NLEVELS, PATCH_CELLS = 3 };
_Static_assert(SN_HULLCELLS % PATCH_CELLS == 0, "whole patches");

typedef struct {
    Height* list; // [count of the hull]
    int count;
} Level;

typedef struct {
    const snHull* hull;
    Level level[NLEVELS];
    real clearly;
} Sieve;

static bool isFarther(const Height* u, const Height* v, real clearly)
{
    return u->along[0] > v->along[0] + clearly && u->along[1] > v->along[1] + clearly &&
           u->along[2] > v->along[2] + clearly && u->along[3] > v->along[3] + clearly;
}

static void measure(const snHull* hull, const snVec3 corner[4], Height* v)
{
    const snVec3 x = sn_hullVertex(hull, v->id);
    for (int k = 0; k < 4; k++) v->along[k] = sn_v3Dot(corner[k], x);
}

// Which vertices stand out along one of the corners or along all together.
static void outstanding(const Height* list, int count, int best[5])
{
    real most[5] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < 5; k++) best[k] = 0;
    for (int i = 0; i < count; i++) {
        const real* x = list[i].along;
        const real height[5] = {x[0], x[1], x[2], x[3], x[0] + x[1] + x[2] + x[3]};
        for (int k = 0; k < 5; k++) {
            if (!(height[k] > most[k])) continue;
            most[k] = height[k];
            best[k] = i;
        }
    }
}

// Of the vertices measured those that none of the outstanding ones is farther than; in place, returns how
// many.
static int siftQuickly(Height* list, int count, real clearly)
{
    int best[5], kept = 0;
    Height top[5];
    outstanding(list, count, best);
    for (int k = 0; k < 5; k++) top[k] = list[best[k]];
    for (int i = 0; i < count; i++) {
        bool beaten = false;
        // the last is farther than most
        for (int k = 4; k >= 0 && !beaten; k--) beaten = isFarther(&top[k], &list[i], clearly);
        if (!beaten) list[kept++] = list[i];
    }
    return kept;
}

// As siftQuickly, each against all.
static int sift(Height* list, int count, real clearly)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool beaten = false;
        // those before i that are beaten themselves are gone, but so is what they beat
        for (int j = 0; j < kept && !beaten; j++) beaten = isFarther(&list[j], &list[i], clearly);
        for (int j = i + 1; j < count && !beaten; j++) beaten = isFarther(&list[j], &list[i], clearly);
        if (!beaten) list[kept++] = list[i];
    }
    return kept;
}

// A point of the grid on a side of the octahedron.
static snVec3 gridPoint(int side, int row, int column)
{
    const real x = (real)row / SN_HULLCELLS, y = (real)column / SN_HULLCELLS;
    return sn_v3(side & 1 ? -x : x, side & 2 ? -y : y, side & 4 ? x + y - 1 : 1 - x - y);
}

// Sifts the list of the level above for a square of the grid, or along the edge of the side half of one.
static void siftSquare(Sieve* s, int level, int side, int row, int column, int size)
{
    const Level* from = &s->level[level - 1];
    Level* to = &s->level[level];
    const snVec3 first = gridPoint(side, row, column);
    const bool half = row + column + size == SN_HULLCELLS;
    const snVec3 corner[4] = {first, gridPoint(side, row + size, column), gridPoint(side, row, column + size),
                              half ? first : gridPoint(side, row + size, column + size)};
    for (int i = 0; i < from->count; i++) {
        to->list[i].id = from->list[i].id;
        measure(s->hull, corner, &to->list[i]);
    }
    to->count = siftQuickly(to->list, from->count, s->clearly);
}

// All vertices, sifted for a side.
static void siftSide(Sieve* s, int side)
{
    Level* to = &s->level[SIDE];
    const snVec3 z = gridPoint(side, 0, 0);
    const snVec3 corner[4] = {z, gridPoint(side, SN_HULLCELLS, 0), gridPoint(side, 0, SN_HULLCELLS), z};
    for (int i = 0; i < s->hull->count; i++) {
        to->list[i].id = i;
        measure(s->hull, corner, &to->list[i]);
    }
    to->count = siftQuickly(to->list, s->hull->count, s->clearly);
}

// Whether these vertices are those of a cell made before.
static bool isSame(const Sieve* s, const snMesh* mesh, int cell)
{
    const Level* level = &s->level[CELL];
    const int num = mesh->hullcell[2 * cell + 1];
    if (num != (level->count + 3) / 4) return false;
    const float* block = mesh->hullblock + SN_HULLBLOCK * (size_t)mesh->hullcell[2 * cell];
    for (int i = 0; i < 4 * num; i++) {
        const int id = level->list[i < level->count ? i : level->count - 1].id;
        if ((int)block[SN_HULLBLOCK * (i / 4) + 12 + i % 4] != id) return false;
    }
    return true;
}

// Room for `more` blocks.
static bool growBlocks(snMesh* mesh, int* capacity, int more)
{
    if (more > INT_MAX / 64 - mesh->nhullblock) return false;
    if (mesh->nhullblock + more <= *capacity) return true;
    const int wanted = 2 * (mesh->nhullblock + more) + SN_NHULLDIR;
    const size_t size = SN_HULLBLOCK * sizeof *mesh->hullblock;
    float* grown = sn_realloc(mesh->hullblock, size * (size_t)mesh->nhullblock, size * (size_t)wanted);
    if (!grown) return false;
    mesh->hullblock = grown;
    *capacity = wanted;
    return true;
}

// Appends the vertices of a cell; the last block is filled up with its last vertex.
static void writeBlocks(const Sieve* s, snMesh* mesh, int num)
{
    const Level* level = &s->level[CELL];
    for (int i = 0; i < 4 * num; i++) {
        const int id = level->list[i < level->count ? i : level->count - 1].id;
        const snVec3 x = sn_hullVertex(s->hull, id);
        float* block = mesh->hullblock + SN_HULLBLOCK * (size_t)(mesh->nhullblock + i / 4) + i % 4;
        block[0] = (float)x.x;
        block[4] = (float)x.y;
        block[8] = (float)x.z;
        block[12] = (float)id;
    }
    mesh->nhullblock += num;
}

// Where the vertices of a cell are the same as of the one made before, its blocks are, too.
static bool makeCell(Sieve* s, snMesh* mesh, int cell, int* before, int* capacity)
{
    Level* level = &s->level[CELL];
    int* at = mesh->hullcell + 2 * cell;
    level->count = sift(level->list, level->count, s->clearly);
    const bool same = *before >= 0 && isSame(s, mesh, *before);
    const int num = (level->count + 3) / 4;
    if (same) {
        memcpy(at, mesh->hullcell + 2 * *before, 2 * sizeof *at);
    } else {
        if (!growBlocks(mesh, capacity, num)) return false;
        at[0] = mesh->nhullblock;
        at[1] = num;
        writeBlocks(s, mesh, num);
    }
    *before = cell;
    return true;
}

static bool makePatch(Sieve* s, snMesh* mesh, int side, int row, int column, int* before, int* capacity)
{
    siftSquare(s, PATCH, side, row, column, PATCH_CELLS);
    for (int i = row; i < row + PATCH_CELLS; i++)
        for (int j = column; j < column + PATCH_CELLS && i + j < SN_HULLCELLS; j++) {
            siftSquare(s, CELL, side, i, j, 1);
            if (!makeCell(s, mesh, sn_hullCell(side, i, j), before, capacity)) return false;
        }
    return true;
}

static bool makeCells(Sieve* s, snMesh* mesh)
{
    int capacity = 0, before = -1;
    for (int side = 0; side < 8; side++) {
        siftSide(s, side);
        for (int row = 0; row < SN_HULLCELLS; row += PATCH_CELLS)
            for (int column = 0; row + column < SN_HULLCELLS; column += PATCH_CELLS)
                if (!makePatch(s, mesh, side, row, column, &before, &capacity)) return false;
    }
    return true;
}

// Least distance of the planes of the faces from the origin, if it is inside of all; less a little, so that
// the ball does not touch the hull. Faces too thin to have a plane have neighbours that do. A negative scale
// turns all faces inside out.
static real innerRadius(const snMesh* mesh, real radius)
{
    int numface;
    const int* face = sn_meshHullFaces(mesh, &numface);
    real out = INFINITY, in = INFINITY;
    for (int f = 0; f < numface; f++, face += 3) {
        const snVec3 x = sn_meshVert(mesh, face[0]);
        const snVec3 n =
            sn_v3Cross(sn_v3Sub(sn_meshVert(mesh, face[1]), x), sn_v3Sub(sn_meshVert(mesh, face[2]), x));
        const real len = sn_v3Norm(n);
        if (!(len > 1e-9 * radius * radius)) continue;
        out = sn_min(sn_v3Dot(n, x) / len, out);
        in = sn_min(-sn_v3Dot(n, x) / len, in);
    }
    const real least = sn_max(out, in);
    return least > 1e-3 * radius && isfinite(least) ? 0.9 * least : 0;
}

// The vertices of the hull as the model will have them; their largest coordinate.
static real hullPoints(const snMesh* mesh, snVec3* point)
{
    const int count = mesh->graph[0], *global = mesh->graph + 2 + count;
    real most = 0;
    for (int i = 0; i < count; i++) {
        const double* v = mesh->vert + 3 * (size_t)global[i];
        point[i] = sn_v3((real)(float)v[0], (real)(float)v[1], (real)(float)v[2]);
        most = sn_max(sn_max(fabs(point[i].x), sn_max(fabs(point[i].y), fabs(point[i].z))), most);
    }
    return most;
}

bool sn_meshCells(snBuild* b, snMesh* mesh)
{
    const size_t count = mesh->graph ? (size_t)mesh->graph[0] : 0;
    if (count == 0 || count > MOST_VERTICES) return true;
    snVec3* point = sn_malloc(count * sizeof *point);
    Height* heights = sn_malloc(NLEVELS * count * sizeof *heights);
    mesh->hullcell = sn_malloc(2 * SN_NHULLDIR * sizeof *mesh->hullcell);
    bool good = point && heights && mesh->hullcell;
    if (good) {
        const real radius = hullPoints(mesh, point);
        const snHull hull = {.point = point, .count = (int)count};
        Sieve s = {.hull = &hull, .clearly = CLEARLY * radius};
        for (int i = 0; i < NLEVELS; i++) s.level[i].list = heights + count * (size_t)i;
        mesh->hullinner = innerRadius(mesh, radius);
        good = makeCells(&s, mesh);
    }
    if (!good) sn_buildFail(b, &mesh->spec->head, SN_STATUS_NO_MEMORY, "out of memory");
    sn_free(point);
    sn_free(heights);
    return good;
}
