#include "sdf/solid/solid.h"

// Of polygons as planes, the one that a point is highest over.
double sn_hullDistance(const snModel* m, int mesh, const double point[3], double gradient[3])
{
    const int first = m->mesh_polyadr[mesh], count = m->mesh_polynum[mesh];
    const float* vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh];
    double most = -INFINITY;
    int best = -1;
    for (int i = first; i < first + count; i++) {
        const double* n = m->mesh_polynormal + 3 * (size_t)i;
        const float* v = vert + 3 * (size_t)m->mesh_polyvert[m->mesh_polyvertadr[i]];
        const double height = n[0] * (point[0] - (double)v[0]) + n[1] * (point[1] - (double)v[1]) +
                              n[2] * (point[2] - (double)v[2]);
        if (!(height > most)) continue;
        most = height;
        best = i;
    }
    if (gradient) memset(gradient, 0, 3 * sizeof *gradient);
    if (best < 0) return INFINITY;
    if (gradient) memcpy(gradient, m->mesh_polynormal + 3 * (size_t)best, 3 * sizeof *gradient);
    return most;
}
