// Momentum of a subtree about its centre of mass.
//     velocity:      A qvel = h_ref
//     acceleration:  A qacc = h_ref' + kp (h_ref - h) - A' qvel
// Source: Orin, Goswami and Lee 2013 (centroidal momentum).
#include "control/task/centre.h"
#include "control/task/rows.h"

int sn_momentumRows(const snModel* m, snData* d, snTask* t, int mode, double dt, int columns, double* A,
                    double* lower, double* upper)
{
    (void)dt;
    double h[6], drift[6];
    const snCentre c = sn_centreOf(m, d, t->set.objid);
    sn_centreMomentum(m, d, &c, A, columns, h, drift);
    for (int i = 0; i < 6; i++) {
        const double e = t->error[i] = t->vel[i] - h[i];
        const bool rate = mode == SN_CONTROL_ACCELERATION;
        lower[i] = upper[i] = rate ? t->acc[i] + t->kp[i] * e - drift[i] : t->vel[i];
    }
    return 6;
}
