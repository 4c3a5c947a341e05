#include "format/mesh/color.h"
#include <math.h>
#include <string.h>
#include "base/memory.h"

// Numbers of a screen are 255ths: what differs by less than half of one looks the same.
#define SAME (0.5F / 255)
// A colour of less than this part of the surface, a screw's head perhaps, is not one of its own.
#define LEAST_PART 1e-6

static const float grey[4] = {0.5F, 0.5F, 0.5F, 1}; // of geoms without a colour

static float difference(const float a[4], const float b[4])
{
    float most = 0;
    for (int i = 0; i < 4; i++)
        if (fabsf(a[i] - b[i]) > most) most = fabsf(a[i] - b[i]);
    return most;
}

// The nearest of the colours but `without`; -1: there is no other.
static int nearest(const snMeshFile* mesh, const float rgba[4], int without)
{
    int found = -1;
    for (int k = 0; k < mesh->ncolor; k++)
        if (k != without && (found < 0 || difference(mesh->color + 4 * (size_t)k, rgba) <
                                              difference(mesh->color + 4 * (size_t)found, rgba)))
            found = k;
    return found;
}

// One more colour; the last place is that of the grey.
static int addColor(snMeshFile* mesh, const float rgba[4])
{
    if (!mesh->color) mesh->color = sn_malloc((SN_MESH_COLORS + 1) * 4 * sizeof(float));
    if (!mesh->color) return -1;
    memcpy(mesh->color + 4 * (size_t)mesh->ncolor, rgba, 4 * sizeof(float));
    return mesh->ncolor++;
}

int sn_meshColor(snMeshFile* mesh, const float rgba[4])
{
    const int k = nearest(mesh, rgba, -1);
    const bool same = k >= 0 && difference(mesh->color + 4 * (size_t)k, rgba) < SAME;
    return same || mesh->ncolor == SN_MESH_COLORS ? k : addColor(mesh, rgba);
}

// Faces without a colour get that of geoms without one.
static void fillGrey(snMeshFile* mesh)
{
    int k = -1;
    for (int f = 0; f < mesh->nface; f++) {
        if (mesh->facecolor[f] >= 0) continue;
        if (k < 0) {
            k = nearest(mesh, grey, -1);
            if (difference(mesh->color + 4 * (size_t)k, grey) >= SAME) k = addColor(mesh, grey);
        }
        mesh->facecolor[f] = k;
    }
}

static double area(const snMeshFile* mesh, int f)
{
    const float* v[3];
    double a[3], b[3];
    for (int k = 0; k < 3; k++) v[k] = mesh->vert + 3 * (size_t)mesh->face[3 * (size_t)f + (size_t)k];
    for (int i = 0; i < 3; i++)
        a[i] = (double)v[1][i] - (double)v[0][i], b[i] = (double)v[2][i] - (double)v[0][i];
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

static void recolor(snMeshFile* mesh, int from, int to)
{
    for (int f = 0; f < mesh->nface; f++)
        if (mesh->facecolor[f] == from) mesh->facecolor[f] = to;
}

// The last colour takes the place of k.
static void dropColor(snMeshFile* mesh, int k)
{
    const int last = mesh->ncolor - 1;
    memmove(mesh->color + 4 * (size_t)k, mesh->color + 4 * (size_t)(k + 1),
            (size_t)(last - k) * 4 * sizeof(float));
    for (int f = 0; f < mesh->nface; f++) mesh->facecolor[f] -= mesh->facecolor[f] > k;
    mesh->ncolor--;
}

typedef struct {
    double whole, area[SN_MESH_COLORS + 1];
    int nvert[SN_MESH_COLORS + 1];
} Sizes;

// Areas of colours, and how many vertices their faces use; seen [nvert]: scratch.
static Sizes measure(const snMeshFile* mesh, char* seen)
{
    Sizes s = {0};
    memset(seen, 0, (size_t)mesh->nvert);
    for (int f = 0; f < mesh->nface; f++) {
        const int k = mesh->facecolor[f];
        const double a = area(mesh, f);
        s.area[k] += a;
        s.whole += a;
        for (int i = 0; i < 3; i++) {
            const int v = mesh->face[3 * (size_t)f + (size_t)i];
            s.nvert[k] += !seen[v];
            seen[v] = 1;
        }
    }
    return s;
}

// A mesh has four vertices and a surface.
static void dropSmall(snMeshFile* mesh, char* seen)
{
    const Sizes s = measure(mesh, seen);
    for (int k = mesh->ncolor - 1; k >= 0; k--) {
        const bool small = s.nvert[k] < 4 || !(s.area[k] > LEAST_PART * s.whole);
        if (!small || (s.nvert[k] && mesh->ncolor == 1)) continue;
        if (s.nvert[k]) recolor(mesh, k, nearest(mesh, mesh->color + 4 * (size_t)k, k));
        dropColor(mesh, k);
    }
}

snStatus sn_settleColors(snMeshFile* mesh)
{
    if (mesh->ncolor) {
        char* seen = sn_malloc((size_t)mesh->nvert + 1);
        if (!seen) return SN_STATUS_NO_MEMORY;
        fillGrey(mesh);
        dropSmall(mesh, seen);
        sn_free(seen);
    }
    if (mesh->ncolor) return SN_STATUS_OK;
    sn_free(mesh->facecolor);
    mesh->facecolor = NULL;
    return SN_STATUS_OK;
}

snStatus sn_keepColor(snMeshFile* mesh, int k)
{
    int* number = sn_malloc((size_t)(mesh->nvert > 0 ? mesh->nvert : 1) * sizeof *number);
    if (!number) return SN_STATUS_NO_MEMORY;
    for (int i = 0; i < mesh->nvert; i++) number[i] = -1;
    int nface = 0, nvert = 0;
    for (int f = 0; f < mesh->nface; f++) {
        if (mesh->facecolor[f] != k) continue;
        memmove(mesh->face + 3 * (size_t)nface++, mesh->face + 3 * (size_t)f, 3 * sizeof(int));
    }
    for (int i = 0; i < 3 * nface; i++) number[mesh->face[i]] = 0;
    for (int i = 0; i < mesh->nvert; i++) {
        if (number[i] < 0) continue;
        memmove(mesh->vert + 3 * (size_t)nvert, mesh->vert + 3 * (size_t)i, 3 * sizeof(float));
        number[i] = nvert++;
    }
    for (int i = 0; i < 3 * nface; i++) mesh->face[i] = number[mesh->face[i]];
    for (int f = 0; f < nface; f++) mesh->facecolor[f] = 0;
    memmove(mesh->color, mesh->color + 4 * (size_t)k, 4 * sizeof(float));
    mesh->nface = nface;
    mesh->nvert = nvert;
    mesh->ncolor = 1;
    sn_free(number);
    return SN_STATUS_OK;
}
