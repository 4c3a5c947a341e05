#include "smooth/dynamics/link.h"
#include "math/sincos.h"
#include "model/arena.h"

bool sn_halfAngles(const snModel* m, snData* d, const double* qpos, snHalfAngles* half)
{
    double* sine = sn_scratchReal(d, 2 * m->njnt);
    if (!sine) return false;
    *half = (snHalfAngles){sine, sine + m->njnt};
    for (int j = 0; j < m->njnt; j++) {
        const int a = m->jnt_qposadr[j];
        sine[j] = m->jnt_type[j] == SN_JNT_HINGE ? 0.5 * (qpos[a] - m->qpos0[a]) : 0;
    }
    sn_sincosArray(sine, half->sine, half->cosine, m->njnt);
    return true;
}
