// Vertices of a mesh that stand at one place.
#include "base/memory.h"
#include "format/mesh/mesh_file.h"
#include <stdint.h>
#include <string.h>

// A hash of three coordinates; 0 and -0 are equal.
static unsigned hashVertex(const float v[3])
{
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) {
        const float x = v[k] + 0.0f;
        uint32_t bits;
        memcpy(&bits, &x, sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return (unsigned)hash;
}

// The slot of the first vertex that is equal to v, or a free one.
static unsigned findVertex(const int* slots, unsigned mask, const float* vert, const float v[3])
{
    unsigned slot = hashVertex(v) & mask;
    for (; slots[slot] >= 0; slot = (slot + 1) & mask) {
        const float* w = vert + 3 * (size_t)slots[slot];
        if (w[0] == v[0] && w[1] == v[1] && w[2] == v[2]) break;
    }
    return slot;
}

bool sn_mergeMeshVertices(snMeshFile* mesh)
{
    size_t nslots = 16;
    while (nslots < 2 * (size_t)mesh->nvert) nslots *= 2;
    int* slots = sn_malloc((nslots + (size_t)mesh->nvert) * sizeof *slots);
    if (!slots) return false;
    int *number = slots + nslots, n = 0; // new numbers of the vertices
    memset(slots, 0xff, nslots * sizeof *slots);
    for (int i = 0; i < mesh->nvert; i++) {
        const float* v = mesh->vert + 3 * (size_t)i;
        const unsigned slot = findVertex(slots, (unsigned)nslots - 1, mesh->vert, v);
        if (slots[slot] < 0) {
            memmove(mesh->vert + 3 * (size_t)n, v, 3 * sizeof *v);
            slots[slot] = n++;
        }
        number[i] = slots[slot];
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->nface; i++) mesh->face[i] = number[mesh->face[i]];
    for (size_t i = 0; i < 2 * (size_t)mesh->nline; i++) mesh->line[i] = number[mesh->line[i]];
    mesh->nvert = n;
    sn_free(slots);
    return true;
}
