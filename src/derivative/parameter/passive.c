#include "derivative/parameter/force.h"
#include "math/vec.h"
#include "model/kinds.h"
#include "smooth/kinematics/spring.h"
#include "smooth/tendon/tendon.h"
#include "smooth/velocity_derivative.h"

// The force -k (q - q0), of orientations -k times the rotation vector.
static void spring(const snModel* m, const snData* d, int j, const double* velocity,
                   const snModelGradient* sum)
{
    const int a = m->jnt_qposadr[j], k = m->jnt_dofadr[j], type = m->jnt_type[j];
    const double *q = d->qpos + a, *q0 = m->qpos_spring + a;
    const int slides = type == SN_JNT_FREE ? 3 : type == SN_JNT_BALL ? 0 : 1;
    double product = 0;
    for (int i = 0; i < slides; i++) {
        product += (q[i] - q0[i]) * velocity[k + i];
        if (sum->qpos_spring) sum->qpos_spring[a + i] += m->jnt_stiffness[j] * velocity[k + i];
    }
    if (sn_hasQuaternion(type))
        product += sn_v3Dot(sn_rotationFrom(q0 + slides, q + slides), sn_v3Load(velocity + k + slides));
    if (sum->jnt_stiffness) sum->jnt_stiffness[j] -= product;
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

// D has -b of joints, -b J'J of tendons, the latter for implicit integrators alone.
static void damper(const snModel* m, const snData* d, const snParameterStage* s, const snModelGradient* sum)
{
    const double h = m->opt.timestep;
    for (int k = 0; k < m->nv && sum->dof_damping; k++) {
        sum->dof_damping[k] -= d->qvel[k] * s->force[k];
        if (s->next) sum->dof_damping[k] -= h * s->next[k] * s->a[k];
    }
    for (int t = 0; t < m->ntendon && sum->tendon_damping; t++) {
        const snTendonArms arms = sn_armsOfTendon(d, t);
        double along = 0;
        for (int k = 0; k < arms.num; k++) along += arms.J[k] * s->force[arms.dofs[k]];
        sum->tendon_damping[t] -= d->ten_velocity[t] * along;
        if (s->next && sn_integratorKind(m->opt.integrator).implicit)
            sum->tendon_damping[t] -=
                h * sn_chainProduct(m, arms.num, arms.dofs, arms.J, arms.J, s->next, s->a);
    }
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
    for (int t = 0; t < m->ntendon && sum->tendon_stiffness; t++) {
        const snTendonArms arms = sn_armsOfTendon(d, t);
        const double stretch = sn_tendonStretch(m, d, t);
        for (int k = 0; k < arms.num; k++)
            sum->tendon_stiffness[t] -= stretch * arms.J[k] * stage->force[arms.dofs[k]];
    }
}
