// In lanes, too: src/batch/lane/prelude.h.
// Velocity and acceleration of bodies, geoms, sites and cameras. Source: seed 001, stages 16 and 22.
#include "smooth/kinematics/object.h"
#include "model/rules.h"
#include <sinew/support.h>
#include "math/spatial.h"
#include "smooth/kinematics/jacobian.h"

snObjectFrame sn_objectFrame(const snModel* m, const snData* d, int objtype, int objid)
{
    const size_t i = objid < 0 ? 0 : (size_t)objid;
    switch (objid < 0 ? SN_OBJ_UNKNOWN : objtype) {
    case SN_OBJ_BODY: return (snObjectFrame){d->xipos + 3 * i, d->ximat + 9 * i, objid};
    case SN_OBJ_XBODY: return (snObjectFrame){d->xpos + 3 * i, d->xmat + 9 * i, objid};
    case SN_OBJ_GEOM: return (snObjectFrame){d->geom_xpos + 3 * i, d->geom_xmat + 9 * i, m->geom_bodyid[i]};
    case SN_OBJ_SITE: return (snObjectFrame){d->site_xpos + 3 * i, d->site_xmat + 9 * i, m->site_bodyid[i]};
    case SN_OBJ_CAMERA: return (snObjectFrame){d->cam_xpos + 3 * i, d->cam_xmat + 9 * i, m->cam_bodyid[i]};
    default: return (snObjectFrame){d->xpos, d->xmat, 0};
    }
}

// A motion at the tree's centre of mass, as seen at the frame's origin.
static snMotion atFrame(const snModel* m, const snData* d, const real* com_motion, snObjectFrame f)
{
    const snMotion v = sn_motionLoad(com_motion);
    const snVec3 arm = sn_v3Sub(sn_v3Load(f.pos), sn_treeCom(m, d, f.body));
    return (snMotion){v.ang, sn_v3Add(v.lin, sn_v3Cross(v.ang, arm))};
}

static void store(real res[6], snMotion v, snObjectFrame f, int flg_local)
{
    const snMat3 R = sn_m3Load(f.mat);
    if (flg_local) v = (snMotion){sn_m3TMul(R, v.ang), sn_m3TMul(R, v.lin)};
    sn_motionStore(res, v);
}

void sn_objectVelocity(const snModel* m, const snData* d, int objtype, int objid, real res[6], int flg_local)
{
    const snObjectFrame f = sn_objectFrame(m, d, objtype, objid);
    store(res, atFrame(m, d, d->cvel + 6 * f.body, f), f, flg_local);
}

void sn_objectAcceleration(const snModel* m, const snData* d, int objtype, int objid, real res[6],
                           int flg_local)
{
    const snObjectFrame f = sn_objectFrame(m, d, objtype, objid);
    if (m->body_weldid[f.body] == 0 && !sn_means(m->physics, SN_RULE_STATIC_ACCELERATION)) {
        memset(res, 0, 6 * sizeof(real));
        return;
    }
    const snMotion v = atFrame(m, d, d->cvel + 6 * f.body, f);
    snMotion a = atFrame(m, d, d->cacc + 6 * f.body, f);
    // spatial acceleration is taken at a fixed point of space; the frame's own moves with v
    a.lin = sn_v3Add(a.lin, sn_v3Cross(v.ang, v.lin));
    store(res, a, f, flg_local);
}
