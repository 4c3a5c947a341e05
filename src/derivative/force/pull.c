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

// From t = 0.1 down by its series, where the closed form would lose digits.
static double squareTerm(double t)
{
    const double t2 = t * t;
    if (t > 0.1) return (1 - 0.5 * t / tan(0.5 * t)) / t2;
    return 1.0 / 12 + t2 * (1.0 / 720 + t2 * (1.0 / 30240 + t2 / 1209600));
}

snMat3 sn_rotationVectorRate(snVec3 r)
{
    const snMat3 R = {{0, -r.z, r.y, r.z, 0, -r.x, -r.y, r.x, 0}}, square = sn_m3MulM3(R, R);
    const double c = squareTerm(sn_v3Norm(r));
    snMat3 K = sn_m3Identity();
    for (int k = 0; k < 9; k++) K.m[k] += 0.5 * R.m[k] + c * square.m[k];
    return K;
}
