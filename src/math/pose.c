// Quaternions and poses on flat arrays, over the value types.
#include <sinew/pose.h>
#include <ctype.h>
#include <string.h>
#include "math/vec.h"

void sn_rotVecQuat(double res[3], const double vec[3], const double quat[4])
{
    sn_v3Store(res, sn_quatRotate(sn_quatLoad(quat), sn_v3Load(vec)));
}

void sn_negQuat(double res[4], const double quat[4])
{
    sn_quatStore(res, sn_quatConj(sn_quatLoad(quat)));
}

void sn_mulQuat(double res[4], const double quat1[4], const double quat2[4])
{
    sn_quatStore(res, sn_quatMul(sn_quatLoad(quat1), sn_quatLoad(quat2)));
}

void sn_mulQuatAxis(double res[4], const double quat[4], const double axis[3])
{
    sn_quatStore(res, sn_quatMul(sn_quatLoad(quat), (snQuat){0, axis[0], axis[1], axis[2]}));
}

void sn_axisAngle2Quat(double res[4], const double axis[3], double angle)
{
    sn_quatStore(res, sn_quatAxisAngle(sn_v3Load(axis), angle));
}

void sn_quat2Vel(double res[3], const double quat[4], double dt)
{
    sn_v3Store(res, sn_v3Scale(sn_quatToRotvec(sn_quatLoad(quat)), 1 / dt));
}

void sn_subQuat(double res[3], const double qa[4], const double qb[4])
{
    sn_v3Store(res, sn_quatToRotvec(sn_quatMul(sn_quatConj(sn_quatLoad(qb)), sn_quatLoad(qa))));
}

void sn_quat2Mat(double res[9], const double quat[4])
{
    sn_m3Store(res, sn_quatToMat(sn_quatLoad(quat)));
}

void sn_mat2Quat(double quat[4], const double mat[9])
{
    sn_quatStore(quat, sn_matToQuat(sn_m3Load(mat)));
}

// Turns R by w = sum(r_i x a_i)/|sum(r_i . a_i)|, r_i and a_i the columns of R and of the matrix, until w is
// nothing: there the trace of R'A is greatest.
int sn_mat2Rot(double quat[4], const double mat[9])
{
    enum { MOST = 500 };
    const real eps = 1e-9;
    const snMat3 a = sn_m3Load(mat);
    snQuat q = sn_quatLoad(quat);
    int count = 0;
    for (; count < MOST; count++) {
        const snMat3 r = sn_quatToMat(q);
        snVec3 w = {0, 0, 0};
        real dot = 0;
        for (int c = 0; c < 3; c++) {
            w = sn_v3Add(w, sn_v3Cross(sn_m3Col(r, c), sn_m3Col(a, c)));
            dot += sn_v3Dot(sn_m3Col(r, c), sn_m3Col(a, c));
        }
        w = sn_v3Scale(w, 1 / (fabs(dot) + eps));
        const real angle = sn_v3Norm(w);
        if (!(angle >= eps)) break;
        q = sn_quatNormalize(sn_quatMul(sn_quatAxisAngle(sn_v3Scale(w, 1 / angle), angle), q));
    }
    sn_quatStore(quat, q);
    return count;
}

void sn_derivQuat(double res[4], const double quat[4], const double vel[3])
{
    const snQuat q = sn_quatMul((snQuat){0, vel[0], vel[1], vel[2]}, sn_quatLoad(quat));
    sn_quatStore(res, (snQuat){0.5 * q.w, 0.5 * q.x, 0.5 * q.y, 0.5 * q.z});
}

void sn_integrateQuat(double quat[4], const double vel[3], double scale)
{
    sn_quatStore(quat, sn_quatIntegrate(sn_quatLoad(quat), sn_v3Load(vel), scale));
}

void sn_quatZ2Vec(double quat[4], const double vec[3])
{
    sn_quatStore(quat, sn_quatZToVec(sn_v3Load(vec)));
}

int sn_euler2Quat(double quat[4], const double euler[3], const char* seq)
{
    snQuat q = sn_quatIdentity();
    sn_quatStore(quat, q);
    if (strlen(seq) != 3 || strspn(seq, "xyzXYZ") != 3) return 0;
    for (int i = 0; i < 3; i++) {
        const int axis = tolower((unsigned char)seq[i]);
        const snQuat turn = sn_quatAxisAngle(sn_v3(axis == 'x', axis == 'y', axis == 'z'), euler[i]);
        q = islower((unsigned char)seq[i]) ? sn_quatMul(q, turn) : sn_quatMul(turn, q);
    }
    sn_quatStore(quat, q);
    return 1;
}

void sn_mulPose(double posres[3], double quatres[4], const double pos1[3], const double quat1[4],
                const double pos2[3], const double quat2[4])
{
    const snPose a = {sn_v3Load(pos1), sn_quatLoad(quat1)}, b = {sn_v3Load(pos2), sn_quatLoad(quat2)};
    const snPose c = sn_poseMul(a, b);
    sn_v3Store(posres, c.pos);
    sn_quatStore(quatres, sn_quatNormalize(c.quat));
}

void sn_negPose(double posres[3], double quatres[4], const double pos[3], const double quat[4])
{
    const snQuat q = sn_quatConj(sn_quatLoad(quat));
    sn_v3Store(posres, sn_v3Neg(sn_quatRotate(q, sn_v3Load(pos))));
    sn_quatStore(quatres, q);
}

void sn_trnVecPose(double res[3], const double pos[3], const double quat[4], const double vec[3])
{
    sn_v3Store(res, sn_v3Add(sn_v3Load(pos), sn_quatRotate(sn_quatLoad(quat), sn_v3Load(vec))));
}

void sn_transformSpatial(double res[6], const double vec[6], int flg_force, const double newpos[3],
                         const double oldpos[3], const double* rotnew2old)
{
    snVec3 rotation = sn_v3Load(vec), translation = sn_v3Load(vec + 3);
    const snVec3 shift = sn_v3Sub(sn_v3Load(newpos), sn_v3Load(oldpos));
    if (flg_force) // torque about the new point
        rotation = sn_v3Sub(rotation, sn_v3Cross(shift, translation));
    else // velocity of the new point
        translation = sn_v3Sub(translation, sn_v3Cross(shift, rotation));
    if (rotnew2old) {
        rotation = sn_m3TMul(sn_m3Load(rotnew2old), rotation);
        translation = sn_m3TMul(sn_m3Load(rotnew2old), translation);
    }
    sn_v3Store(res, rotation);
    sn_v3Store(res + 3, translation);
}
