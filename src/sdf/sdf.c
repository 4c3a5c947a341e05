#include "sdf/sdf.h"
#include <assert.h>
#include "model/arena.h"
#include "sdf/field/field.h"
#include "sdf/solid/solid.h"
#include "shape/facts.h"

// ---- what each kind asks

static double nowhere(const snSdf* s, const double point[3], double gradient[3])
{
    (void)s, (void)point;
    if (gradient) memset(gradient, 0, 3 * sizeof *gradient);
    return INFINITY;
}

static double ofPlane(const snSdf* s, const double point[3], double gradient[3])
{
    (void)s;
    return sn_planeDistance(point, gradient);
}

static double ofSphere(const snSdf* s, const double point[3], double gradient[3])
{
    return sn_ballDistance(s->size[0], point, gradient);
}

static double ofCapsule(const snSdf* s, const double point[3], double gradient[3])
{
    return sn_capsuleDistance(s->size, point, gradient);
}

static double ofEllipsoid(const snSdf* s, const double point[3], double gradient[3])
{
    return sn_ellipsoidDistance(s->size, point, gradient);
}

static double ofCylinder(const snSdf* s, const double point[3], double gradient[3])
{
    return sn_cylinderDistance(s->size, point, gradient);
}

static double ofBox(const snSdf* s, const double point[3], double gradient[3])
{
    return sn_boxDistance(s->size, point, gradient);
}

static double ofHull(const snSdf* s, const double point[3], double gradient[3])
{
    return sn_hullDistance(s->m, s->id, point, gradient);
}

static double ofTerrain(const snSdf* s, const double point[3], double gradient[3])
{
    return sn_terrainDistance(s->m, s->id, point, gradient);
}

static double ofField(const snSdf* s, const double point[3], double gradient[3])
{
    return sn_fieldDistance(s->m, s->id, point, gradient);
}

static double ofSimplex(const snSdf* s, const double point[3], double gradient[3])
{
    return sn_simplexDistance(s->corner, s->count, s->radius, point, gradient);
}

static _Thread_local int fault = -1; // instance whose shape gave what is no number

int sn_takeSdfFault(void)
{
    const int instance = fault;
    fault = -1;
    return instance;
}

void sn_warnSdfFault(snData* d)
{
    const int instance = sn_takeSdfFault();
    if (instance >= 0) sn_warn(d, SN_WARN_PLUGIN, instance);
}

// Of a plugin. A distance that is not finite is nowhere, a gradient that is not is none: both are a fault.
static double askFinite(const snSdf* s, const double point[3], double gradient[3])
{
    const double d = s->plugin->sdf_distance(s->size, point, gradient, s->plugin->user);
    const bool smooth =
        !gradient || (isfinite(gradient[0]) && isfinite(gradient[1]) && isfinite(gradient[2]));
    if (isfinite(d) && smooth) return d;
    fault = s->instance;
    if (!smooth) memset(gradient, 0, 3 * sizeof *gradient);
    return isfinite(d) ? d : nowhere(s, point, gradient);
}

// A shape stands in the frame that its mesh had before it was moved to the centre of mass.
static double askPlugin(const snSdf* s, const double point[3], double gradient[3])
{
    if (!s->moved) return askFinite(s, point, gradient);
    double own[3], g[3];
    sn_v3Store(own, sn_v3Add(sn_v3Load(s->m->mesh_pos + 3 * s->id), sn_m3Mul(s->turn, sn_v3Load(point))));
    const double d = askFinite(s, own, gradient ? g : NULL);
    if (gradient) sn_v3Store(gradient, sn_m3TMul(s->turn, sn_v3Load(g)));
    return d;
}

// ---- which a shape has

static snSdf ofPrimitive(int type, const double size[3])
{
    snSdf s = {.distance = nowhere, .exact = true, .size = size};
    switch ((snGeomType)type) {
    case SN_GEOM_PLANE: s.distance = ofPlane; break;
    case SN_GEOM_SPHERE: s.distance = ofSphere; break;
    case SN_GEOM_CAPSULE: s.distance = ofCapsule; break;
    case SN_GEOM_ELLIPSOID: s.distance = ofEllipsoid; break;
    case SN_GEOM_CYLINDER: s.distance = ofCylinder; break;
    case SN_GEOM_BOX: s.distance = ofBox; break;
    case SN_GEOM_HFIELD:
    case SN_GEOM_MESH:
    case SN_GEOM_SDF: break;
    }
    return s;
}

snSdf sn_sdfOfSimplex(const snVec3* corner, int count, double radius)
{
    return (snSdf){.distance = ofSimplex, .exact = true, .corner = corner, .count = count, .radius = radius};
}

static snSdf ofAsset(const snModel* m, int geom, double (*distance)(const snSdf*, const double*, double*))
{
    const int id = m->geom_dataid[geom];
    const bool dear = id >= 0 && distance == ofHull && m->mesh_polynum[id] > 64;
    return (snSdf){.distance = id < 0 ? nowhere : distance, .dear = dear, .m = m, .id = id};
}

static bool hasField(const snModel* m, int geom)
{
    const int mesh = sn_isMeshAsset(m->geom_type[geom]) ? m->geom_dataid[geom] : -1;
    return mesh >= 0 && sn_hasField(m, mesh);
}

// Of a plugin, or of a mesh.
static snSdf ofDistances(const snModel* m, int geom)
{
    const int instance = m->geom_plugin[geom];
    const snPlugin* plugin = instance < 0 ? NULL : sn_pluginOf(m, instance);
    if (plugin && plugin->sdf_distance) {
        const int mesh = m->geom_dataid[geom];
        snSdf s = {.distance = askPlugin, .plugin = plugin, .size = sn_pluginNumbers(m, instance), .m = m};
        s.instance = instance;
        s.moved = mesh >= 0;
        s.id = mesh;
        if (mesh >= 0) s.turn = sn_quatToMat(sn_quatLoad(m->mesh_quat + 4 * mesh));
        return s;
    }
    if (instance < 0 && hasField(m, geom)) return ofAsset(m, geom, ofField);
    return (snSdf){.distance = nowhere};
}

snSdf sn_sdfOf(const snModel* m, int geom)
{

    assert(geom >= 0 && geom < m->ngeom);
    const int type = m->geom_type[geom];
    if (sn_isHulled(type)) return ofAsset(m, geom, ofHull);
    if (sn_isField(type)) return ofAsset(m, geom, ofTerrain);
    if (sn_hasDistances(type)) return ofDistances(m, geom);
    return ofPrimitive(type, m->geom_size + 3 * geom);
}

double sn_sdfDistance(const snModel* m, const snData* d, int geom, const double point[3], double gradient[3])
{
    (void)d;
    const bool whole = sn_isHulled(m->geom_type[geom]) && hasField(m, geom);
    const snSdf s = whole ? ofAsset(m, geom, ofField) : sn_sdfOf(m, geom);
    return sn_sdfAt(&s, point, gradient);
}
