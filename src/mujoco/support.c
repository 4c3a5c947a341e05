// Functions of a computed state: inertia, Jacobians, motion, distances, rays.
#include "inside.h"
#include <math.h>

// ---- inertia

void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M)
{
    sn_fullM(m, M, dst);
}

void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec)
{
    sn_mulM(m, d, res, vec);
}

void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec)
{
    sn_mulM2(m, d, res, vec);
}

void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind)
{
    sn_addM(m, d, dst, rownnz, rowadr, colind);
}

void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n)
{
    sn_solveM(m, d, x, y, n);
}

// Ours scales by the root of 1/D itself.
void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD, int n)
{
    sn_solveM2(m, d, x, y, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m->nv; j++) x[i * m->nv + j] *= sqrtInvD[j] / sqrt(d->qLDiagInv[j]);
}

// ---- Jacobians

void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec)
{
    sn_mulJacVec(m, d, res, vec);
}

void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec)
{
    sn_mulJacTVec(m, d, res, vec);
}

void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body)
{
    sn_jac(m, d, jacp, jacr, point, body);
}

void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body)
{
    sn_jacBody(m, d, jacp, jacr, body);
}

void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body)
{
    sn_jacBodyCom(m, d, jacp, jacr, body);
}

void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body)
{
    sn_jacSubtreeCom(m, d, jacp, body);
}

void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom)
{
    sn_jacGeom(m, d, jacp, jacr, geom);
}

void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site)
{
    sn_jacSite(m, d, jacp, jacr, site);
}

void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis, const mjtNum point[3],
                     const mjtNum axis[3], int body)
{
    sn_jacPointAxis(m, d, jacPoint, jacAxis, point, axis, body);
}

void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum point[3], int body)
{
    sn_jacDot(m, d, jacp, jacr, point, body);
}

void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body)
{
    sn_angmomMat(m, d, mat, body);
}

// ---- motion and forces

void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                       int flg_local)
{
    sn_objectVelocity(m, d, objtype, objid, res, flg_local);
}

void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                           int flg_local)
{
    sn_objectAcceleration(m, d, objtype, objid, res, flg_local);
}

void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3],
                const mjtNum point[3], int body, mjtNum* qfrc_target)
{
    sn_applyFT(m, d, force, torque, point, body, qfrc_target);
}

void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6])
{
    sn_contactForce(m, d, id, result);
}

void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1, const mjtNum* qpos2)
{
    sn_differentiatePos(m, qvel, dt, qpos1, qpos2);
}

void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt)
{
    sn_integratePos(m, qpos, qvel, dt);
}

void mj_normalizeQuat(const mjModel* m, mjtNum* qpos)
{
    sn_normalizeQuat(m, qpos);
}

void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3], const mjtNum quat[4],
                     int body, mjtByte sameframe)
{
    sn_local2Global(d, xpos, xmat, pos, quat, body, sameframe);
}

// ---- settings

int mj_isPyramidal(const mjModel* m)
{
    return m->opt.cone == mjCONE_PYRAMIDAL;
}

int mj_isSparse(const mjModel* m)
{
    return m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= 60);
}

int mj_isDual(const mjModel* m)
{
    return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
}

// ---- distances and rays

mjtNum mj_geomDistance(const mjModel* m, const mjData* d, int geom1, int geom2, mjtNum distmax,
                       mjtNum fromto[6])
{
    return sn_geomDistance(m, d, geom1, geom2, distmax, fromto);
}

mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
              const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int geomid[1])
{
    return sn_ray(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid);
}

void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec,
                 const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int* geomid, mjtNum* dist,
                 int nray, mjtNum cutoff)
{
    sn_multiRay(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, nray, cutoff);
}

mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3])
{
    return sn_rayMesh(m, d, geomid, pnt, vec);
}

mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const mjtNum vec[3])
{
    return sn_rayHfield(m, d, geomid, pnt, vec);
}

mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3], const mjtNum pnt[3],
                   const mjtNum vec[3], int geomtype)
{
    return sn_rayGeom(pos, mat, size, pnt, vec, geomtype);
}

mjtNum mju_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtByte flg_vert, mjtByte flg_edge,
                   mjtByte flg_face, mjtByte flg_skin, int flexid, const mjtNum* pnt, const mjtNum* vec,
                   int vertid[1])
{
    return sn_rayFlex(m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid,
                      NULL);
}

mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert, const mjtNum pnt[3],
                   const mjtNum vec[3], int vertid[1])
{
    return sn_raySkin(nface, nvert, face, vert, pnt, vec, vertid);
}
