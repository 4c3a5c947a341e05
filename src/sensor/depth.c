#include "sensor/depth.h"
#include <math.h>
#include "math/vec.h"
#include "sdf/field/field.h"
#include "sdf/sdf.h"

static double inCylinder(const double size[3], const double p[3])
{
    return sn_min(size[0] - sqrt(p[0] * p[0] + p[1] * p[1]), size[1] - fabs(p[2]));
}

static double inCapsule(const double size[3], const double p[3])
{
    const double beyond = p[2] - sn_min(sn_max(p[2], -size[1]), size[1]);
    return size[0] - sn_v3Norm(sn_v3(p[0], p[1], beyond));
}

// k = |p_i / size_i|; in the centre, where it has no slope, the least way out.
static double inEllipsoid(const double size[3], const double p[3])
{
    const snVec3 scaled = sn_v3(p[0] / size[0], p[1] / size[1], p[2] / size[2]);
    const double k = sn_v3Norm(scaled);
    const double slope = sn_v3Norm(sn_v3(scaled.x / size[0], scaled.y / size[1], scaled.z / size[2]));
    return slope > 0 ? k * (1 - k) / slope : sn_min(size[0], sn_min(size[1], size[2]));
}

// On the ray along w = size_i / b_i face i is b_i |w| / w_i away, so that the first is where b_i / w_i is
// least. That is b |w / w_first| with its b, in which no component is large.
static double inBox(const double size[3], const double p[3])
{
    double b[3], square = 0;
    int first = 0;
    for (int i = 0; i < 3; i++) {
        b[i] = size[i] - fabs(p[i]);
        if (!(b[i] > 0)) return 0;
        if (b[i] * b[i] / size[i] < b[first] * b[first] / size[first]) first = i;
    }
    for (int i = 0; i < 3; i++) {
        const double ratio = i == first ? 1 : size[i] / b[i] * (b[first] / size[first]);
        square += ratio * ratio;
    }
    return b[first] * sqrt(square);
}

// A mesh that is not its own distances has some all the same if another geom needs them.
static bool hasField(const snModel* m, int geom)
{
    return m->geom_dataid[geom] >= 0 && sn_hasField(m, m->geom_dataid[geom]);
}

double sn_depthIn(const snModel* m, const snData* d, int geom, const double p[3])
{
    const double* size = m->geom_size + 3 * geom;
    switch ((snGeomType)m->geom_type[geom]) {
    case SN_GEOM_PLANE: return -p[2];
    case SN_GEOM_SPHERE: return size[0] - sn_v3Norm(sn_v3Load(p));
    case SN_GEOM_CAPSULE: return inCapsule(size, p);
    case SN_GEOM_CYLINDER: return inCylinder(size, p);
    case SN_GEOM_ELLIPSOID: return inEllipsoid(size, p);
    case SN_GEOM_BOX: return inBox(size, p);
    case SN_GEOM_SDF: return -sn_sdfDistance(m, d, geom, p, NULL);
    case SN_GEOM_MESH: return hasField(m, geom) ? -sn_sdfDistance(m, d, geom, p, NULL) : 0;
    case SN_GEOM_HFIELD: break;
    }
    return 0;
}
