#include "derivative/kinematics/frame.h"
#include "base/error.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/kinematics/object.h"

static int countOf(const snModel* m, int objtype)
{
    switch (objtype) {
    case SN_OBJ_BODY:
    case SN_OBJ_XBODY: return m->nbody;
    case SN_OBJ_GEOM: return m->ngeom;
    case SN_OBJ_SITE: return m->nsite;
    case SN_OBJ_CAMERA: return m->ncam;
    default: return -1;
    }
}

snStatus sn_bodyFrame(const snModel* m, const snData* d, int objtype, int objid, const double* point,
                      snBodyFrame* frame, snError* error)
{
    const int count = countOf(m, objtype);
    if (count < 0)
        return sn_fail(error, SN_STATUS_ARGUMENT,
                       "object type %d has no frame: give a body, xbody, geom, site or camera", objtype);
    if (objid < 0 || objid >= count)
        return sn_fail(error, SN_STATUS_ARGUMENT, "object id is %d, must be in [0, %d)", objid, count);
    if (objtype == SN_OBJ_CAMERA && m->cam_mode[objid] != SN_CAMLIGHT_FIXED)
        return sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "camera %d follows something and is not fixed in its body: ask for a point of the body", objid);
    const snObjectFrame f = sn_objectFrame(m, d, objtype, objid);
    frame->body = f.body;
    frame->R = sn_m3Load(f.mat);
    frame->arm = sn_v3Sub(sn_v3Load(point ? point : f.pos), sn_treeCom(m, d, f.body));
    return SN_STATUS_OK;
}
