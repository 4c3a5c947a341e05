#include "shape/added_mass.h"
#include "shape/extent.h"

// kappa of the first axis (Lamb 1932, 373): x y z times the integral over l from 0 to infinity of
// dl / sqrt((x^2 + l)^3 (y^2 + l) (z^2 + l)). With l = (x^3 y z)^(2/5) t^3/(1 - t)^2 the 15 points of
// Kronrod's rule on [0, 1] give 1e-7. Points and weights are kept to eight decimals, as in the reference.
static real kappa(real x, real y, real z)
{
    static const real point[15] = {0.00427231, 0.02544604, 0.06756779, 0.12923441, 0.20695638,
                                   0.29707742, 0.39610752, 0.5,        0.60389248, 0.70292258,
                                   0.79304362, 0.87076559, 0.93243221, 0.97455396, 0.99572769};
    static const real weight[8] = {0.01146766, 0.03154605, 0.05239501, 0.07032663,
                                   0.08450236, 0.09517529, 0.10221647, 0.10474107};
    const real scale = sn_pow(x * x * x * y * z, 0.4);
    real sum = 0;
    for (int i = 0; i < 15; i++) {
        const real t = point[i], u = 1 - t, l = scale * t * t * t / (u * u);
        const real slope = scale * t * t * (3 - t) / (u * u * u);
        sum += weight[i < 8 ? i : 14 - i] * slope /
               sqrt((x * x + l) * (x * x + l) * (x * x + l) * (y * y + l) * (z * z + l));
    }
    return x * y * z * sum;
}

// I = V/5 (y^2 - z^2)^2 (kz - ky)/(2 (y^2 - z^2) + (y^2 + z^2)(ky - kz)), zero for a round section.
static real virtualInertia(real volume, real y, real z, real ky, real kz)
{
    const real a = y * y, b = z * z, bottom = 2 * (a - b) + (a + b) * (ky - kz);
    return volume / 5 * (a - b) * (a - b) * fabs(kz - ky) / sn_max(fabs(bottom), SN_MINVAL);
}

void sn_addedMass(int type, const real size[3], real out[6])
{
    const snVec3 r = sn_semiAxes(type, size);
    const real volume = 4.0 / 3 * SN_PI * r.x * r.y * r.z;
    const real kx = kappa(r.x, r.y, r.z), ky = kappa(r.y, r.z, r.x), kz = kappa(r.z, r.x, r.y);
    out[0] = volume * kx / sn_max(2 - kx, SN_MINVAL);
    out[1] = volume * ky / sn_max(2 - ky, SN_MINVAL);
    out[2] = volume * kz / sn_max(2 - kz, SN_MINVAL);
    out[3] = virtualInertia(volume, r.y, r.z, ky, kz);
    out[4] = virtualInertia(volume, r.z, r.x, kz, kx);
    out[5] = virtualInertia(volume, r.x, r.y, kx, ky);
}
