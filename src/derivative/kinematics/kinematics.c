#include <sinew/kinematics_derivative.h>
#include "base/error.h"

snStatus sn_objectPoseDerivative(const snModel* m, const snData* d, int objtype, int objid,
                                 const double* point, int flg_local, double* jacp, double* jacr, double* Hp,
                                 double* Hr, snError* error)
{
    (void)m, (void)d, (void)objtype, (void)objid, (void)point, (void)flg_local;
    (void)jacp, (void)jacr, (void)Hp, (void)Hr;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "derivatives of poses are not supported yet");
}

snStatus sn_objectVelocityDerivative(const snModel* m, const snData* d, int objtype, int objid,
                                     const double* point, int flg_local, double* q, double* v, snError* error)
{
    (void)m, (void)d, (void)objtype, (void)objid, (void)point, (void)flg_local, (void)q, (void)v;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "derivatives of velocities are not supported yet");
}

snStatus sn_objectAccelerationDerivative(const snModel* m, const snData* d, int objtype, int objid,
                                         const double* point, int flg_local, int flg_gravity, double* q,
                                         double* v, double* a, snError* error)
{
    (void)m, (void)d, (void)objtype, (void)objid, (void)point, (void)flg_local, (void)flg_gravity;
    (void)q, (void)v, (void)a;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "derivatives of accelerations are not supported yet");
}
