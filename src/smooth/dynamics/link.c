#include "smooth/dynamics/link.h"
#include "math/sincos.h"
#include "model/arena.h"

bool sn_halfAngles(const snModel* m, snData* d, const double* qpos, snHalfAngles* half)
{
    const int count = (m->njnt + 3) / 4 * 4; // whole groups of four, for no rest to be taken singly
    double* sine = sn_scratchReal(d, 3 * count);
    if (!sine) return false;
    *half = (snHalfAngles){sine, sine + count, sine + 2 * count};
    for (int j = 0; j < m->njnt; j++) {
        const int a = m->jnt_qposadr[j], type = m->jnt_type[j];
        const double x = qpos[a] - m->qpos0[a];
        sine[j] = type == SN_JNT_HINGE ? 0.5 * x : 0;
        half->way[j] = type == SN_JNT_SLIDE ? x : 0;
    }
    for (int j = m->njnt; j < count; j++) sine[j] = 0;
    sn_sincosArray(sine, half->sine, half->cosine, count);
    return true;
}
