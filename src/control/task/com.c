// Centre of mass of a subtree.
#include "control/task/centre.h"
#include "control/task/goal.h"
#include "control/task/rows.h"

int sn_comRows(const snModel* m, snData* d, snTask* t, int mode, double dt, int columns, double* A,
               double* lower, double* upper)
{
    (void)dt;
    double vel[3], drift[3], e[3];
    const snCentre c = sn_centreOf(m, d, t->set.objid);
    const snCentreMotion motion = sn_centreMotion(m, d, &c, 3, A, columns);
    sn_v3Store(vel, motion.vel);
    sn_v3Store(drift, motion.drift);
    sn_v3Store(e, sn_v3Sub(sn_v3Load(t->pos), c.pos));
    for (int i = 0; i < 3; i++) {
        const snReference ref = {t->vel[i], t->acc[i]};
        sn_goalRow(t, i, mode, ref, e[i], vel[i], drift[i], lower, upper);
    }
    return 3;
}
