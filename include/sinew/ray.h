// Rays: where a half line first meets a geom.
#ifndef SINEW_RAY_H
#define SINEW_RAY_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

// A ray is pnt + x vec, x >= 0, in world coordinates; vec need not be unit. All functions return the least x
// at which the ray crosses a surface, from either side (planes: from above alone), or -1: none, or a vec
// shorter than 1e-15. Meshes are their triangles, not their hulls. Nothing is allocated.

/// The nearest visible geom. A geom is invisible if the alpha of its material, or of itself when it has none,
/// is 0. geomgroup [6]: groups that count (others are clamped into 0 .. 5); NULL: all. flg_static 0: geoms
/// welded to the world do not count. bodyexclude: body whose geoms do not count; -1: none. *geomid (may be
/// NULL): the geom, or -1.  Reads: geom_xpos, geom_xmat of sn_kinematics. Cost: some ns a geom that is
/// missed; O(log) triangles of a mesh, O(rows + columns) of a height field.
SN_API double sn_ray(const snModel* m, const snData* d, const double pnt[3], const double vec[3],
                     const uint8_t* geomgroup, int flg_static, int bodyexclude, int* geomid);

/// nray rays from one point, as sn_ray: vec [nray x 3]; geomid [nray] (may be NULL), dist [nray] are written.
/// Geoms whose bounding sphere (planes: whose origin) is farther than cutoff do not count.
SN_API void sn_multiRay(const snModel* m, const snData* d, const double pnt[3], const double* vec,
                        const uint8_t* geomgroup, int flg_static, int bodyexclude, int* geomid, double* dist,
                        int nray, double cutoff);

/// One geom that is a mesh; -1 for others.
SN_API double sn_rayMesh(const snModel* m, const snData* d, int geomid, const double pnt[3],
                         const double vec[3]);

/// One geom that is a height field: its surface, its sides, and the box below it; -1 for others.
SN_API double sn_rayHfield(const snModel* m, const snData* d, int geomid, const double pnt[3],
                           const double vec[3]);

/// A plane, sphere, capsule, ellipsoid, cylinder or box (snGeomType) of a given pose and size [3]; -1 for
/// others.
SN_API double sn_rayGeom(const double pos[3], const double mat[9], const double size[3], const double pnt[3],
                         const double vec[3], int geomtype);

/// The triangles face [nface x 3] of a skin, from either side; vertices vert [nvert x 3]. vertid [1] (NULL:
/// not wanted) gets the vertex of the triangle that is nearest to the hit; -1: none. Indices in face must be
/// in [0, nvert).
SN_API double sn_raySkin(int nface, int nvert, const int* face, const float* vert, const double pnt[3],
                         const double vec[3], int* vertid);

/// A flex, by what of it counts: vertices as balls of its radius (flg_vert), edges as capsules (flg_edge),
/// triangles, or all sides of the tetrahedra of one layer (flg_face, flex_layer), both edges and sides of the
/// outermost layer (flg_skin, not of edges alone); a flex of edges has no faces. vertid [1] (NULL: not
/// wanted) gets the vertex nearest to the hit, counted from flex_vertadr; -1: none. normal [3] (NULL: not
/// wanted) the normal there, of unit length, outwards of what is round, else as the corners run; zeros: none.
/// -1 if flexid is out of range. Reads: flexvert_xpos of sn_flex. Cost: some ns for each thing that counts.
SN_API double sn_rayFlex(const snModel* m, const snData* d, int flex_layer, bool flg_vert, bool flg_edge,
                         bool flg_face, bool flg_skin, int flexid, const double pnt[3], const double vec[3],
                         int* vertid, double* normal);

/// normal [3], of unit length, world, of a geom where a ray meets it: at pnt + x vec, x as the functions
/// above give it. Zeros if geomid or x is negative.  Cost: some ns; O(log) triangles of a mesh.
SN_API void sn_rayNormal(const snModel* m, const snData* d, int geomid, const double pnt[3],
                         const double vec[3], double x, double normal[3]);

/// The same of what sn_rayGeom takes.
SN_API void sn_rayGeomNormal(const double pos[3], const double mat[9], const double size[3],
                             const double pnt[3], const double vec[3], int geomtype, double x,
                             double normal[3]);

#ifdef __cplusplus
}
#endif
#endif
