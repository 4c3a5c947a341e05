#include "smooth/bounds.h"
#include "model/rules.h"
#include "shape/added_mass.h"
#include "shape/kind.h"

void sn_geomBox(const snModel* m, int geom, snPose inertial, double low[3], double high[3])
{
    const double* aabb = m->geom_aabb + 6 * geom;
    const snVec3 pos = sn_v3Load(m->geom_pos + 3 * geom);
    const snQuat quat = sn_quatLoad(m->geom_quat + 4 * geom), back = sn_quatConj(inertial.quat);
    for (int k = 0; k < 3; k++) {
        low[k] = SN_MAXVAL;
        high[k] = -SN_MAXVAL;
    }
    for (int corner = 0; corner < 8; corner++) {
        double point[3];
        for (int k = 0; k < 3; k++) point[k] = aabb[k] + (corner >> k & 1 ? aabb[3 + k] : -aabb[3 + k]);
        const snVec3 in_body = sn_v3Add(sn_quatRotate(quat, sn_v3Load(point)), pos);
        sn_v3Store(point, sn_quatRotate(back, sn_v3Sub(in_body, inertial.pos)));
        for (int k = 0; k < 3; k++) {
            low[k] = sn_min(point[k], low[k]);
            high[k] = sn_max(point[k], high[k]);
        }
    }
}

void sn_bodyFilter(snModel* m, int body)
{
    const bool with_gap = sn_means(m->physics, SN_RULE_BODY_MARGIN);
    const int first = m->body_geomadr[body];
    m->body_margin[body] = 0;
    m->body_contype[body] = m->body_conaffinity[body] = 0;
    for (int i = first; i < first + m->body_geomnum[body]; i++) {
        m->body_margin[body] =
            sn_max(m->body_margin[body], m->geom_margin[i] + (with_gap ? m->geom_gap[i] : 0));
        m->body_contype[body] |= m->geom_contype[i];
        m->body_conaffinity[body] |= m->geom_conaffinity[i];
    }
}

// Bounds of a geom's own, but of meshes, which have those of their vertices.
static void geomBounds(snModel* m, int geom)
{
    const double* size = m->geom_size + 3 * geom;
    const int type = m->geom_type[geom];
    double* fluid = m->geom_fluid + SN_NFLUID * geom;
    if (fluid[0] > 0) sn_addedMass(type, size, fluid + 6);
    if (sn_isMeshAsset(type)) return;
    snSolid solid = {.size = size};
    if (sn_isField(type)) solid.field = m->hfield_size + 4 * m->geom_dataid[geom];
    sn_shapeKind(type)->box(&solid, m->geom_aabb + 6 * geom);
    m->geom_rbound[geom] = sn_shapeKind(type)->radius(&solid);
}

static void storeBox(double aabb[6], const double low[3], const double high[3])
{
    for (int k = 0; k < 3; k++) {
        const double flat = high[k] - low[k] < 1e-14 ? 1e-14 : 0; // as the compiler's
        aabb[k] = 0.5 * (high[k] + low[k]);
        aabb[3 + k] = 0.5 * (high[k] - low[k]) + flat;
    }
}

static void aroundChildren(const double* left, const double* right, double aabb[6])
{
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = sn_min(left[k] - left[3 + k], right[k] - right[3 + k]);
        high[k] = sn_max(left[k] + left[3 + k], right[k] + right[3 + k]);
    }
    storeBox(aabb, low, high);
}

// The boxes of the tree over a body's geoms; children come after their parent.
static void treeBounds(snModel* m, int body)
{
    const snPose inertial = sn_inertialFrame(m, body);
    const int root = m->body_bvhadr[body];
    for (int node = root + m->body_bvhnum[body] - 1; node >= root; node--) {
        double *box = m->bvh_aabb + 6 * node, low[3], high[3];
        const int* child = m->bvh_child + 2 * node;
        if (m->bvh_nodeid[node] >= 0) {
            sn_geomBox(m, m->bvh_nodeid[node], inertial, low, high);
            storeBox(box, low, high);
        } else
            aroundChildren(m->bvh_aabb + 6 * (root + child[0]), m->bvh_aabb + 6 * (root + child[1]), box);
    }
}

void sn_makeBounds(snModel* m)
{
    m->ngravcomp = 0;
    for (int geom = 0; geom < m->ngeom; geom++) geomBounds(m, geom);
    for (int body = 0; body < m->nbody; body++) {
        sn_bodyFilter(m, body);
        if (m->body_bvhnum[body] > 0) treeBounds(m, body);
        m->ngravcomp += m->body_gravcomp[body] > 0;
    }
}
