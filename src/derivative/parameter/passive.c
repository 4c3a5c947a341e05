#include "derivative/parameter/force.h"
#include "math/vec.h"
#include "model/kinds.h"
#include "smooth/kinematics/spring.h"
#include "smooth/tendon/tendon.h"
#include "smooth/velocity_derivative.h"

// A spring's force is -f(|x|) along x; `along`: x . velocity.
static void addSpring(double x, double along, int j, const snModelGradient* sum)
{
    if (sum->jnt_stiffness) sum->jnt_stiffness[j] -= along;
    for (int i = 0; i < SN_NPOLY && sum->jnt_stiffnesspoly; i++)
        sum->jnt_stiffnesspoly[SN_NPOLY * j + i] -= (i ? x * x : x) * along;
}

// x is q - q0, of orientations the rotation vector.
static void spring(const snModel* m, const snData* d, int j, const double* velocity,
                   const snModelGradient* sum)
{
    const int a = m->jnt_qposadr[j], k = m->jnt_dofadr[j], type = m->jnt_type[j];
    const double *q = d->qpos + a, *q0 = m->qpos_spring + a;
    if (!sn_hasQuaternion(type)) {
        const double x = q[0] - q0[0];
        addSpring(x, x * velocity[k], j, sum);
        if (sum->qpos_spring) sum->qpos_spring[a] += sn_stiffnessOfJoint(m, j, x) * velocity[k];
        return;
    }
    const int slides = type == SN_JNT_FREE ? 3 : 0;
    const snVec3 turn = sn_rotationFrom(q0 + slides, q + slides);
    addSpring(sn_v3Norm(turn), sn_v3Dot(turn, sn_v3Load(velocity + k + slides)), j, sum);
    if (!slides) return;
    const snVec3 x = sn_v3Sub(sn_v3Load(q), sn_v3Load(q0));
    addSpring(sn_v3Norm(x), sn_v3Dot(x, sn_v3Load(velocity + k)), j, sum);
}

double sn_chainProduct(const snModel* m, int n, const int* dofs, const double* J1, const double* J2,
                       const double* x, const double* y)
{
    double sum = 0;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            if (sn_haveOneChain(m, dofs[r], dofs[c])) sum += x[dofs[r]] * J1[r] * J2[c] * y[dofs[c]];
    return sum;
}

// A damper's force is -(b v + b1 v|v| + b2 v^3), its damping b + 2 b1|v| + 3 b2 v^2. `force` and `damping`:
// what the gradient has by these.
static void addDamper(double v, double force, double damping, double* linear, double* others)
{
    const double size = fabs(v);
    if (linear) *linear -= v * force + damping;
    if (!others) return;
    others[0] -= v * size * force + 2 * size * damping;
    others[1] -= v * v * v * force + 3 * v * v * damping;
}

// D has -b of joints, -b J'J of tendons, the latter for implicit integrators alone.
static void damper(const snModel* m, const snData* d, const snParameterStage* s, const snModelGradient* sum)
{
    const double h = m->opt.timestep;
    for (int k = 0; k < m->nv; k++)
        addDamper(d->qvel[k], s->force[k], s->next ? h * s->next[k] * s->a[k] : 0,
                  sum->dof_damping ? sum->dof_damping + k : NULL,
                  sum->dof_dampingpoly ? sum->dof_dampingpoly + SN_NPOLY * k : NULL);
    if (!sum->tendon_damping && !sum->tendon_dampingpoly) return;
    for (int t = 0; t < m->ntendon; t++) {
        const snTendonArms arms = sn_armsOfTendon(d, t);
        const bool implicit = s->next && sn_integratorKind(m->opt.integrator).implicit;
        double along = 0;
        for (int k = 0; k < arms.num; k++) along += arms.J[k] * s->force[arms.dofs[k]];
        const double damping =
            implicit ? h * sn_chainProduct(m, arms.num, arms.dofs, arms.J, arms.J, s->next, s->a) : 0;
        addDamper(d->ten_velocity[t], along, damping, sum->tendon_damping ? sum->tendon_damping + t : NULL,
                  sum->tendon_dampingpoly ? sum->tendon_dampingpoly + SN_NPOLY * t : NULL);
    }
}

static void tendonSpring(const snModel* m, const snData* d, int t, const double* force,
                         const snModelGradient* sum)
{
    const snTendonArms arms = sn_armsOfTendon(d, t);
    const double stretch = sn_tendonStretch(m, d, t);
    double along = 0;
    for (int k = 0; k < arms.num; k++) along += arms.J[k] * force[arms.dofs[k]];
    if (sum->tendon_stiffness) sum->tendon_stiffness[t] -= stretch * along;
    if (!sum->tendon_stiffnesspoly) return;
    sum->tendon_stiffnesspoly[SN_NPOLY * t] -= stretch * stretch * along;
    sum->tendon_stiffnesspoly[SN_NPOLY * t + 1] -= stretch * stretch * stretch * along;
}

void sn_addPassiveGradient(const snModel* m, const snData* d, const snParameterStage* stage,
                           const snModelGradient* sum)
{
    if (!(m->opt.disableflags & SN_DSBL_DAMPER)) damper(m, d, stage, sum);
    for (int k = 0; k < m->nv && sum->dof_armature; k++) {
        sum->dof_armature[k] -= stage->force[k] * d->qacc[k];
        if (stage->next) sum->dof_armature[k] += stage->next[k] * (d->qacc[k] - stage->a[k]);
    }
    if (m->opt.disableflags & SN_DSBL_SPRING) return;
    for (int j = 0; j < m->njnt; j++) spring(m, d, j, stage->force, sum);
    for (int t = 0; t < m->ntendon; t++) tendonSpring(m, d, t, stage->force, sum);
}
