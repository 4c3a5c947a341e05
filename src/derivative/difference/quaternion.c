#include <sinew/difference.h>

void sn_subQuatDerivative(const double qa[4], const double qb[4], double Da[9], double Db[9])
{
    (void)qa, (void)qb, (void)Da, (void)Db;
}

void sn_quatIntegrateDerivative(const double vel[3], double scale, double Dquat[9], double Dvel[9],
                                double Dscale[3])
{
    (void)vel, (void)scale, (void)Dquat, (void)Dvel, (void)Dscale;
}
