#include "sdf/field/field.h"
#include <assert.h>
#include "model/asset.h"
#include "sdf/field/nearest.h"
#include "sdf/field/sheet.h"

static bool isInBox(const double box[6], const double p[3])
{
    return fabs(p[0] - box[0]) <= box[3] && fabs(p[1] - box[1]) <= box[4] && fabs(p[2] - box[2]) <= box[5];
}

// Outside of the box a point is outside of the mesh.
static double outside(const snModel* m, int mesh, snVec3 p, double gradient[3])
{
    const snTriangles t = sn_meshTriangles(m, mesh);
    const snNearest near = sn_nearestOfTriangles(&t, p);
    const double distance = sqrt(near.square);
    const bool there = near.face >= 0 && distance > 0;
    if (gradient)
        sn_v3Store(gradient, there ? sn_v3Scale(sn_v3Sub(p, near.point), 1 / distance) : sn_v3(0, 0, 0));
    return distance;
}

// From the root to the leaf with a point; box becomes that of the leaf. A child comes after its parent, so
// that this ends in any model.
static snLeaf descend(const int* child, const double p[3], double box[6])
{
    int node = 0;
    while (child[node] >= 0) {
        node = child[node];
        for (int k = 0; k < 3; k++) {
            const bool upper = p[k] >= box[k];
            box[3 + k] *= 0.5;
            box[k] += upper ? box[3 + k] : -box[3 + k];
            node += upper << k;
        }
    }
    return sn_leafOf(child[node]);
}

double sn_fieldDistance(const snModel* m, int mesh, const double point[3], double gradient[3])
{
    assert(sn_hasField(m, mesh));
    double box[6];
    memcpy(box, m->mesh_sdfbox + 6 * (size_t)mesh, sizeof box);
    if (!isInBox(box, point)) return outside(m, mesh, sn_v3Load(point), gradient);
    const snLeaf leaf = descend(m->sdf_child + m->mesh_sdfadr[mesh], point, box);
    const float* sheets = m->sdf_sheet + SN_SHEET * (size_t)(m->mesh_sheetadr[mesh] + leaf.first);
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = 0.5 + 0.5 * (point[k] - box[k]) / box[3 + k];
    snVec3 slope;
    const double distance =
        sn_leafAt(sheets, leaf.count, leaf.largest, sn_v3Load(x), gradient ? &slope : NULL);
    if (gradient)
        sn_v3Store(gradient, sn_v3(0.5 * slope.x / box[3], 0.5 * slope.y / box[4], 0.5 * slope.z / box[5]));
    return distance;
}
