// sigma = v + w x arm of each geom, v and w turning with it; components t_i . (sigma_1 - sigma_0) and
// n . (w_1 - w_0): see sn_contactSurface.
#include "derivative/constraint/surface.h"

snSurface sn_surfaceOf(const snModel* m, const snData* d, const snContact* con)
{
    const double* v = con->surfacevel;
    snSurface s = {.still = con->dim == 1 || (v[0] == 0 && v[1] == 0 && v[2] == 0)};
    for (int g = 0; g < 2 && con->dim > 1; g++)
        for (int k = 0; k < 6; k++) s.still &= m->geom_surfacevel[6 * con->geom[g] + k] == 0;
    if (s.still) return s;
    s.count = con->dim > 3 ? 3 : 2;
    s.frame = sn_m3Load(con->frame);
    for (int g = 0; g < 2; g++) {
        const int geom = con->geom[g], root = m->body_rootid[m->geom_bodyid[geom]];
        const double* own = m->geom_surfacevel + 6 * geom;
        const snMat3 R = sn_m3Load(d->geom_xmat + 9 * geom);
        const snVec3 at = sn_v3Load(d->geom_xpos + 3 * geom);
        s.slide[g] = sn_m3Mul(R, sn_v3Load(own));
        s.spin[g] = sn_m3Mul(R, sn_v3Load(own + 3));
        s.arm[g] = sn_v3Sub(sn_v3Load(con->pos), at);
        s.origin[g] = sn_v3Sub(at, sn_v3Load(d->subtree_com + 3 * root));
        const snVec3 sigma = sn_v3Add(s.slide[g], sn_v3Cross(s.spin[g], s.arm[g]));
        s.sigma = sn_v3AddScaled(s.sigma, g ? 1 : -1, sigma);
        s.omega = sn_v3AddScaled(s.omega, g ? 1 : -1, s.spin[g]);
    }
    return s;
}

void sn_surfaceChange(const snSurface* s, const bool moves[2], snMotion axis, snVec3 shift, snVec3 turn,
                      double out[6])
{
    snVec3 sigma = sn_v3Cross(s->sigma, turn), omega = sn_v3Cross(s->omega, turn); // of a frame that stands
    for (int g = 0; g < 2; g++) {
        const double sign = g ? 1 : -1;
        snVec3 away = shift;
        if (moves[g]) {
            const snVec3 spun = sn_v3Cross(axis.ang, s->spin[g]);
            const snVec3 slid = sn_v3Add(sn_v3Cross(axis.ang, s->slide[g]), sn_v3Cross(spun, s->arm[g]));
            away = sn_v3Sub(away, sn_v3Add(axis.lin, sn_v3Cross(axis.ang, s->origin[g])));
            sigma = sn_v3AddScaled(sigma, sign, slid);
            omega = sn_v3AddScaled(omega, sign, spun);
        }
        sigma = sn_v3AddScaled(sigma, sign, sn_v3Cross(s->spin[g], away));
    }
    const snVec3 slides = sn_m3Mul(s->frame, sigma), spins = sn_m3Mul(s->frame, omega);
    out[1] = slides.y;
    out[2] = slides.z;
    if (s->count > 2) out[3] = spins.x;
}
