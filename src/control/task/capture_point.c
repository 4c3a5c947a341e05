// Capture point xi = c + c'/omega of a subtree, in the plane; omega = sqrt(g / z). Where the height z is that
// of the centre of mass, (1/omega)' = z' / (2 z omega), and
//     xi' = c' + (J qacc + J' qvel)/omega + c' z' / (2 z omega).
// With velocities as the unknown xi is what it is to be at once: J qvel / omega = xi_ref - c. Source: Pratt,
// Carff, Drakunov and Goswami 2006.
#include <math.h>
#include "control/task/centre.h"
#include "control/task/rows.h"

// omega, and (1/omega)' of the height as it is.
typedef struct Pendulum {
    double omega, stretch;
} Pendulum;

// A centre of mass below the ground, or no gravity, has no such pendulum: the height, and g, are at least
// 1e-3, so that all stays finite.
static Pendulum pendulumOf(const snModel* m, const snTask* t, double height, double rate)
{
    const double least = 1e-3, g = sn_max(sn_v3Norm(sn_v3Load(m->opt.gravity)), least);
    const bool fixed = t->set.height > 0;
    const double z = sn_max(fixed ? t->set.height : height, least), omega = sqrt(g / z);
    return (Pendulum){omega, fixed || z == least ? 0 : rate / (2 * z * omega)};
}

int sn_capturePointRows(const snModel* m, snData* d, snTask* t, int mode, double dt, int columns, double* A,
                        double* lower, double* upper)
{
    (void)dt;
    const snCentre c = sn_centreOf(m, d, t->set.objid);
    const snCentreMotion motion = sn_centreMotion(m, d, &c, 2, A, columns);
    const Pendulum p = pendulumOf(m, t, c.pos.z, motion.vel.z);
    const double pos[2] = {c.pos.x, c.pos.y}, vel[2] = {motion.vel.x, motion.vel.y};
    const double drift[2] = {motion.drift.x, motion.drift.y};
    for (int i = 0; i < 2 * columns; i++) A[i] /= p.omega;
    for (int i = 0; i < 2; i++) {
        const double e = t->error[i] = t->pos[i] - (pos[i] + vel[i] / p.omega);
        const double rate = t->vel[i] + t->kp[i] * e - vel[i] * (1 + p.stretch) - drift[i] / p.omega;
        lower[i] = upper[i] = mode == SN_CONTROL_ACCELERATION ? rate : t->pos[i] - pos[i];
    }
    return 2;
}
