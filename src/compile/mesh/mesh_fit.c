// Primitives in the place of meshes.
#include "compile/mesh/mesh.h"
#include "shape/kind.h"

bool sn_meshFit(const snMesh* mesh, int type, bool fitaabb, double size[3], snVec3* centre)
{
    const snShapeKind* kind = sn_shapeKind(type);
    *centre = sn_v3(0, 0, 0);
    if (!fitaabb) return kind->fitInertia(mesh->box, size);
    double half[3];
    for (int k = 0; k < 3; k++) half[k] = 0.5 * (mesh->high[k] - mesh->low[k]);
    *centre = sn_v3Scale(sn_v3Add(sn_v3Load(mesh->low), sn_v3Load(mesh->high)), 0.5);
    return kind->fitBounds(half, size);
}
