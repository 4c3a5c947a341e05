// Primitives in the place of meshes.
#include "compile/mesh/mesh.h"

// Of the same inertia: from the half sizes of the box that has the mesh's volume and moments.
static bool fitInertia(int type, const double box[3], double size[3])
{
    switch (type) {
    case SN_GEOM_SPHERE: size[0] = (box[0] + box[1] + box[2]) / 3; return true;
    case SN_GEOM_CAPSULE:
        size[0] = (box[0] + box[1]) / 2;
        size[1] = fmax(0, box[2] - size[0] / 2);
        return true;
    case SN_GEOM_CYLINDER:
        size[0] = (box[0] + box[1]) / 2;
        size[1] = box[2];
        return true;
    case SN_GEOM_ELLIPSOID:
    case SN_GEOM_BOX: memcpy(size, box, 3 * sizeof *size); return true;
    default: return false;
    }
}

// The smallest whose bounding box holds a box with these half sizes.
static bool fitBounds(int type, const double half[3], double size[3])
{
    switch (type) {
    case SN_GEOM_SPHERE: size[0] = fmax(fmax(half[0], half[1]), half[2]); return true;
    case SN_GEOM_CAPSULE:
        size[0] = fmax(half[0], half[1]);
        size[1] = fmax(0, half[2] - size[0]);
        return true;
    case SN_GEOM_CYLINDER:
        size[0] = fmax(half[0], half[1]);
        size[1] = half[2];
        return true;
    case SN_GEOM_ELLIPSOID:
    case SN_GEOM_BOX: memcpy(size, half, 3 * sizeof *size); return true;
    default: return false;
    }
}

bool sn_meshFit(const snMesh* mesh, int type, bool fitaabb, double size[3], snVec3* centre)
{
    *centre = sn_v3(0, 0, 0);
    if (!fitaabb) return fitInertia(type, mesh->box, size);
    double half[3];
    for (int k = 0; k < 3; k++) half[k] = 0.5 * (mesh->high[k] - mesh->low[k]);
    *centre = sn_v3Scale(sn_v3Add(sn_v3Load(mesh->low), sn_v3Load(mesh->high)), 0.5);
    return fitBounds(type, half, size);
}
