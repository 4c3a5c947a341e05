// Motion of a frame from the spatial velocities about the centre of mass of its tree.
#include "control/task/frame.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/kinematics/object.h"

static snObjectFrame frameOf(const snModel* m, const snData* d, int objtype, int objid)
{
    return sn_objectFrame(m, d, objtype == SN_OBJ_BODY ? SN_OBJ_XBODY : objtype, objid);
}

// A motion about the tree's centre of mass, at a point `arm` away.
static inline snMotion at(snMotion v, snVec3 arm)
{
    return (snMotion){v.ang, sn_v3Add(v.lin, sn_v3Cross(v.ang, arm))};
}

static inline void storeLinearFirst(double* to, int stride, snMotion v)
{
    to[0] = v.lin.x, to[stride] = v.lin.y, to[2 * stride] = v.lin.z;
    to[3 * stride] = v.ang.x, to[4 * stride] = v.ang.y, to[5 * stride] = v.ang.z;
}

void sn_frameMotion(const snModel* m, snData* d, int objtype, int objid, const double offset[3],
                    snFrameMotion* motion, double* J, int columns)
{
    const snObjectFrame f = frameOf(m, d, objtype, objid);
    const snMat3 R = sn_m3Load(f.mat);
    snVec3 pos = sn_v3Load(f.pos);
    if (offset) pos = sn_v3Add(pos, sn_m3Mul(R, sn_v3Load(offset)));
    const snVec3 arm = sn_v3Sub(pos, sn_treeCom(m, d, f.body));
    if (J) memset(J, 0, 6 * (size_t)columns * sizeof *J);
    snMotion bias = {{0, 0, 0}, {0, 0, 0}};
    for (int k = sn_lastDof(m, f.body); k >= 0; k = m->dof_parentid[k]) {
        bias = sn_motionAddScaled(bias, d->qvel[k], sn_motionLoad(d->cdof_dot + 6 * k));
        if (J) storeLinearFirst(J + k, columns, at(sn_motionLoad(d->cdof + 6 * k), arm));
    }
    const snMotion v = at(sn_motionLoad(d->cvel + 6 * f.body), arm);
    snMotion drift = at(bias, arm);
    drift.lin = sn_v3Add(drift.lin, sn_v3Cross(v.ang, v.lin));
    sn_v3Store(motion->pos, pos);
    sn_m3Store(motion->mat, R);
    storeLinearFirst(motion->vel, 1, v);
    storeLinearFirst(motion->drift, 1, drift);
}
