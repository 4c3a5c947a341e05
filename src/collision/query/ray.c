// Rays against the geoms of a model.
#include <sinew/ray.h>
#include "collision/query/ray.h"
#include "model/asset.h"
#include "shape/kind.h"

static bool isUsable(const double vec[3])
{
    return sn_v3Norm(sn_v3Load(vec)) >= SN_MINVAL;
}

static snRay loadRay(const double pnt[3], const double vec[3])
{
    return (snRay){sn_v3Load(pnt), sn_v3Load(vec)};
}

// What a caller leaves out
typedef struct Choice {
    const uint8_t* geomgroup;
    int flg_static, bodyexclude;
    real cutoff;
} Choice;

static bool isVisible(const snModel* m, int g)
{
    const int material = m->geom_matid[g];
    return (material >= 0 ? m->mat_rgba[4 * material + 3] : m->geom_rgba[4 * g + 3]) != 0;
}

static bool isChosen(const snModel* m, const Choice* choice, int g)
{
    const int body = m->geom_bodyid[g];
    if (body == choice->bodyexclude || (!choice->flg_static && m->body_weldid[body] == 0)) return false;
    if (!isVisible(m, g)) return false;
    if (!choice->geomgroup) return true;
    const int group = m->geom_group[g];
    return choice->geomgroup[group < 0 ? 0 : group > 5 ? 5 : group];
}

static real rayModelGeom(const snModel* m, const snData* d, int g, const snRay* ray)
{
    const snMat3 mat = sn_m3Load(d->geom_xmat + 9 * g);
    const snRay local = sn_rayInFrame(ray, sn_v3Load(d->geom_xpos + 3 * g), &mat);
    const snSurface surface = sn_geomSurface(m, g);
    return sn_rayShape(&local, m->geom_type[g], &surface);
}

// Of the geoms first <= g < end
static real rayGeoms(const snModel* m, const snData* d, const snRay* ray, const Choice* choice, int first,
                     int end, int* geomid)
{
    real best = -1;
    int nearest = -1;
    for (int g = first; g < end; g++) {
        const real bound = m->geom_rbound[g];
        const snVec3 centre = sn_v3Load(d->geom_xpos + 3 * g);
        if (bound > 0 && !sn_rayMeetsBall(ray, centre, bound, best < 0 ? (real)INFINITY : best)) continue;
        if (sn_v3Norm(sn_v3Sub(centre, ray->p)) > choice->cutoff + bound) continue;
        if (!isChosen(m, choice, g)) continue;
        const real x = rayModelGeom(m, d, g, ray);
        if (x < 0 || (best >= 0 && x >= best)) continue;
        best = x;
        nearest = g;
    }
    if (geomid) *geomid = nearest;
    return best;
}

static real rayScene(const snModel* m, const snData* d, const snRay* ray, const Choice* choice, int* geomid)
{
    return rayGeoms(m, d, ray, choice, 0, m->ngeom, geomid);
}

double sn_ray(const snModel* m, const snData* d, const double pnt[3], const double vec[3],
              const uint8_t* geomgroup, int flg_static, int bodyexclude, int* geomid)
{
    if (geomid) *geomid = -1;
    if (!isUsable(vec)) return -1;
    const snRay ray = loadRay(pnt, vec);
    const Choice choice = {geomgroup, flg_static, bodyexclude, INFINITY};
    return rayScene(m, d, &ray, &choice, geomid);
}

double sn_rayBodies(const snModel* m, const snData* d, const double pnt[3], const double vec[3], int first,
                    int end, int bodyexclude, int* geomid)
{
    int begin = 0, stop = 0; // geoms stand in the order of bodies
    for (int b = first; b < end; b++) {
        if (!m->body_geomnum[b]) continue;
        if (begin == stop) begin = m->body_geomadr[b];
        stop = m->body_geomadr[b] + m->body_geomnum[b];
    }
    if (geomid) *geomid = -1;
    if (!isUsable(vec)) return -1;
    const snRay ray = loadRay(pnt, vec);
    const Choice choice = {NULL, 1, bodyexclude, INFINITY};
    return rayGeoms(m, d, &ray, &choice, begin, stop, geomid);
}

void sn_multiRay(const snModel* m, const snData* d, const double pnt[3], const double* vec,
                 const uint8_t* geomgroup, int flg_static, int bodyexclude, int* geomid, double* dist,
                 int nray, double cutoff)
{
    const Choice choice = {geomgroup, flg_static, bodyexclude, cutoff};
    for (int i = 0; i < nray; i++) {
        const snRay ray = loadRay(pnt, vec + 3 * (size_t)i);
        const bool usable = isUsable(vec + 3 * (size_t)i);
        if (geomid) geomid[i] = -1;
        dist[i] = usable ? rayScene(m, d, &ray, &choice, geomid ? geomid + i : NULL) : -1;
    }
}

static double rayOfType(const snModel* m, const snData* d, int geomid, int type, const double pnt[3],
                        const double vec[3])
{
    if (geomid < 0 || geomid >= m->ngeom || m->geom_type[geomid] != type || !isUsable(vec)) return -1;
    const snRay ray = loadRay(pnt, vec);
    return rayModelGeom(m, d, geomid, &ray);
}

double sn_rayMesh(const snModel* m, const snData* d, int geomid, const double pnt[3], const double vec[3])
{
    return rayOfType(m, d, geomid, SN_GEOM_MESH, pnt, vec);
}

double sn_rayHfield(const snModel* m, const snData* d, int geomid, const double pnt[3], const double vec[3])
{
    return rayOfType(m, d, geomid, SN_GEOM_HFIELD, pnt, vec);
}

double sn_rayGeom(const double pos[3], const double mat[9], const double size[3], const double pnt[3],
                  const double vec[3], int geomtype)
{
    if (!isUsable(vec)) return -1;
    const snMat3 axes = sn_m3Load(mat);
    const snRay ray = loadRay(pnt, vec), local = sn_rayInFrame(&ray, sn_v3Load(pos), &axes);
    const snSurface surface = {.size = sn_v3Load(size)};
    return sn_rayShape(&local, geomtype, &surface);
}

static void putNormal(const snRay* ray, snVec3 pos, const snMat3* axes, int type, const snSurface* surface,
                      double x, double normal[3])
{
    sn_v3Store(normal, sn_v3(0, 0, 0));
    if (!(x >= 0) || !sn_hasSurface(type, surface)) return;
    const snRay local = sn_rayInFrame(ray, pos, axes);
    sn_v3Store(normal, sn_v3Normalize(sn_m3Mul(*axes, sn_shapeKind(type)->normal(&local, x, surface))));
}

void sn_rayNormal(const snModel* m, const snData* d, int geomid, const double pnt[3], const double vec[3],
                  double x, double normal[3])
{
    sn_v3Store(normal, sn_v3(0, 0, 0));
    if (geomid < 0 || geomid >= m->ngeom) return;
    const snRay ray = loadRay(pnt, vec);
    const snMat3 axes = sn_m3Load(d->geom_xmat + 9 * geomid);
    const snSurface surface = sn_geomSurface(m, geomid);
    putNormal(&ray, sn_v3Load(d->geom_xpos + 3 * geomid), &axes, m->geom_type[geomid], &surface, x, normal);
}

void sn_rayGeomNormal(const double pos[3], const double mat[9], const double size[3], const double pnt[3],
                      const double vec[3], int geomtype, double x, double normal[3])
{
    const snRay ray = loadRay(pnt, vec);
    const snMat3 axes = sn_m3Load(mat);
    const snSurface surface = {.size = sn_v3Load(size)};
    putNormal(&ray, sn_v3Load(pos), &axes, geomtype, &surface, x, normal);
}
