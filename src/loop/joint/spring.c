#include "loop/joint/spring.h"
#include <math.h>
#include <sinew/loop.h>
#include "loop/joint/closure.h"
#include "model/made.h"
#include "smooth/kinematics/jacobian.h"

double sn_loopStretch(const snModel* m, int loop, const snLoopPose* pose)
{
    if (m->loop_type[loop] == SN_LOOP_PRISMATIC) return pose->r.z - m->loop_ref[loop];
    return remainder(sn_loopTurn(pose) - m->loop_ref[loop], 2 * 3.14159265358979323846);
}

static bool isOff(const snModel* m)
{
    return m->nloop == 0 || (m->opt.disableflags & (SN_DSBL_CONSTRAINT | SN_DSBL_EQUALITY));
}

static snForce alongFreedom(const snModel* m, int loop, double force)
{
    const snVec3 z = {0, 0, force}, none = {0, 0, 0};
    return m->loop_type[loop] == SN_LOOP_PRISMATIC ? (snForce){none, z} : (snForce){z, none};
}

static double springForce(const snModel* m, int loop, const snLoopPose* pose)
{
    const bool on = !(m->opt.disableflags & SN_DSBL_SPRING) && m->loop_stiffness[loop] != 0;
    return on ? -m->loop_stiffness[loop] * sn_loopStretch(m, loop, pose) : 0;
}

static double damperForce(const snModel* m, int loop, const snLoopPose* pose)
{
    const double rate = m->loop_type[loop] == SN_LOOP_PRISMATIC ? pose->v_J.lin.z : pose->v_J.ang.z;
    return m->opt.disableflags & SN_DSBL_DAMPER ? 0 : -m->loop_damping[loop] * rate;
}

snForce sn_loopActive(const snModel* m, int loop, const snLoopPose* pose)
{
    return alongFreedom(m, loop, springForce(m, loop, pose) + damperForce(m, loop, pose));
}

// qfrc += (J_s - J_p)' f^a, (8.28).
static void addActive(const snModel* m, const snData* d, const snLoopFrames* frames, snForce f, double* qfrc)
{
    for (int side = 0; side < 2; side++)
        sn_addForce(m, d, frames->body[side], sn_forceOnSide(m, d, frames, f, side), qfrc);
}

void sn_loopPassive(const snModel* m, snData* d)
{
    sn_assertMade(m, d, cvel, qfrc_spring, qfrc_damper, qfrc_passive);
    for (int l = 0; l < m->nloop && !isOff(m); l++) {
        if (m->loop_stiffness[l] == 0 && m->loop_damping[l] == 0) continue;
        const snClosure c = sn_closure(m, d, l);
        const snLoopPose pose = sn_loopPose(m, d, &c.frames);
        const double spring = springForce(m, l, &pose), damper = damperForce(m, l, &pose);
        addActive(m, d, &c.frames, alongFreedom(m, l, spring), d->qfrc_spring);
        addActive(m, d, &c.frames, alongFreedom(m, l, damper), d->qfrc_damper);
        addActive(m, d, &c.frames, alongFreedom(m, l, spring + damper), d->qfrc_passive);
    }
}

double sn_loopSpringEnergy(const snModel* m, const snData* d)
{
    double energy = 0;
    for (int l = 0; l < m->nloop && !isOff(m); l++) {
        if (m->loop_stiffness[l] == 0) continue;
        const snClosure c = sn_closure(m, d, l);
        const snLoopPose pose = sn_loopPlace(&c.frames);
        const double x = sn_loopStretch(m, l, &pose);
        energy += 0.5 * m->loop_stiffness[l] * x * x;
    }
    return energy;
}

void sn_addLoopFreedom(const snModel* m, const snData* d, int loop, double force, double* qfrc)
{
    const snClosure c = sn_closure(m, d, loop);
    addActive(m, d, &c.frames, alongFreedom(m, loop, force), qfrc);
}
