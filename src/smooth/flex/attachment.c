#include "smooth/flex/attachment.h"
#include "model/sleep.h"
#include "smooth/flex/flex.h"

// Of a point of a body.
static snVec3 attachedVelocity(const snModel* m, const snData* d, int body, snVec3 point)
{
    const snMotion v = sn_motionLoad(d->cvel + 6 * body);
    return sn_v3Add(v.lin, sn_v3Cross(v.ang, sn_v3Sub(point, sn_treeCom(m, d, body))));
}

static snVec3 slidingVelocity(const snData* d, int dof)
{
    snVec3 v = {0, 0, 0};
    for (int k = dof; k < dof + 3; k++) v = sn_v3AddScaled(v, d->qvel[k], sn_slideAxis(d, k));
    return v;
}

void sn_flexVertexVelocity(const snModel* m, const snData* d, int flex, double* velocity)
{
    const int first = m->flex_vertadr[flex], num = m->flex_vertnum[flex];
    for (int v = 0; v < num; v++) {
        const int body = m->flex_vertbodyid[first + v], dof = sn_threeSlides(m, body);
        sn_v3Store(velocity + 3 * v, dof >= 0 ? slidingVelocity(d, dof)
                                              : attachedVelocity(m, d, body, sn_flexVertex(d, first + v)));
    }
}

void sn_addVertexForces(const snModel* m, const snData* d, int flex, const double* force, double* qfrc)
{
    const int first = m->flex_vertadr[flex], num = m->flex_vertnum[flex];
    for (int v = 0; v < num; v++) {
        const int body = m->flex_vertbodyid[first + v], dof = sn_threeSlides(m, body);
        const snVec3 f = sn_v3Load(force + 3 * v), none = {0, 0, 0};
        if (sn_isStill(d, m->body_treeid[body])) continue;
        if (dof >= 0)
            for (int k = dof; k < dof + 3; k++) qfrc[k] += sn_v3Dot(f, sn_slideAxis(d, k));
        else
            sn_addForce(m, d, body, sn_forceAtCom(m, d, body, f, none, sn_flexVertex(d, first + v)), qfrc);
    }
}
