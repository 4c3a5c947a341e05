#include "derivative/force/pull.h"

int sn_lastCommonDof(const snModel* m, int body1, int body2)
{
    int i = sn_lastDof(m, body1), j = sn_lastDof(m, body2);
    while (i != j) {
        if (i > j)
            i = m->dof_parentid[i];
        else
            j = m->dof_parentid[j];
    }
    return i;
}

void sn_addPullRate(const snModel* m, const snData* d, const snPull* pull, int k, const snPull* rate,
                    double scale, double* H)
{
    const snVec3 arm = sn_v3Sub(pull->point, sn_treeCom(m, d, pull->body));
    const snForce f = {sn_v3Add(pull->torque, sn_v3Cross(arm, pull->force)), pull->force};
    const snVec3 lever = sn_v3Add(sn_v3Cross(rate->point, pull->force), sn_v3Cross(arm, rate->force));
    const snForce change = {sn_v3Add(rate->torque, lever), rate->force};
    const bool carries = sn_movesBody(m, k, pull->body);
    const snForce carried =
        carries ? sn_forceSub(change, sn_crossForce(sn_motionLoad(d->cdof + 6 * k), f)) : change;
    for (int i = sn_lastDof(m, pull->body); i > pull->stop; i = m->dof_parentid[i]) {
        const snForce g = k <= sn_lastCarrier(m, i) ? carried : change;
        H[(size_t)i * (size_t)m->nv + (size_t)k] +=
            scale * sn_motionDotForce(sn_motionLoad(d->cdof + 6 * i), g);
    }
}

snMat3 sn_rotationVectorRate(snVec3 r)
{
    const double t = sn_v3Norm(r), c = t > 0 ? 0.5 * t / sn_tan(0.5 * t) : 1;
    const snVec3 e = sn_v3Normalize(r), h = sn_v3Scale(r, 0.5), k = sn_v3Scale(e, 1 - c);
    return (snMat3){{c + k.x * e.x, k.x * e.y - h.z, k.x * e.z + h.y, k.y * e.x + h.z, c + k.y * e.y,
                     k.y * e.z - h.x, k.z * e.x - h.y, k.z * e.y + h.x, c + k.z * e.z}};
}
