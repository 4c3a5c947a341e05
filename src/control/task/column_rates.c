// An axis S that is carried by a body of velocity v and acceleration a has the rates
//     S' = v x S,   S'' = a x S + v x S'.
// A hinge or slide is carried by what stands before it, the rotations of a ball and of a free joint by the
// body behind it, the translations of a free joint by nothing. Source: Featherstone 2008, chapter 2.
#include "control/task/column_rates.h"
#include "derivative/kinematics/frame.h"
#include "smooth/kinematics/jacobian.h"

int sn_columnCount(const snModel* m, int body)
{
    int count = 0;
    for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k]) count++;
    return count;
}

static void listDofs(const snModel* m, int body, int count, snColumnRates* columns)
{
    for (int k = sn_lastDof(m, body); k >= 0; k = m->dof_parentid[k]) columns[--count].dof = k;
}

static bool isBall(const snModel* m, int dof)
{
    const int j = m->dof_jntid[dof], type = m->jnt_type[j];
    return type == SN_JNT_BALL || (type == SN_JNT_FREE && dof >= m->jnt_dofadr[j] + 3);
}

static bool isTranslation(const snModel* m, int dof)
{
    return m->jnt_type[m->dof_jntid[dof]] == SN_JNT_FREE && !isBall(m, dof);
}

// Axes and rates of the columns first to end, a group, about the point that spatial vectors refer to, held
// fixed; v and a go from what carries the group to what it carries.
static void moveGroup(const snModel* m, const snData* d, snColumnRates* columns, int first, int end,
                      snMotion* v, snMotion* a)
{
    const snMotion zero = {{0, 0, 0}, {0, 0, 0}};
    snMotion next = *v, carrier = *v, turning = *a;
    for (int i = first; i < end; i++) {
        columns[i].group = first;
        columns[i].J = sn_motionLoad(d->cdof + 6 * columns[i].dof);
        next = sn_motionAddScaled(next, d->qvel[columns[i].dof], columns[i].J);
    }
    if (isBall(m, columns[first].dof)) carrier = next;
    if (isTranslation(m, columns[first].dof)) carrier = turning = zero;
    for (int i = first; i < end; i++) {
        columns[i].rate = sn_crossMotion(carrier, columns[i].J);
        *a = sn_motionAddScaled(*a, d->qvel[columns[i].dof], columns[i].rate);
    }
    if (isBall(m, columns[first].dof)) turning = *a;
    for (int i = first; i < end; i++)
        columns[i].rate2 =
            sn_motionAdd(sn_crossMotion(turning, columns[i].J), sn_crossMotion(carrier, columns[i].rate));
    *v = next;
}

// From the fixed point to one that is `arm` away now and moves with v, a.
static void toPoint(snColumnRates* c, snVec3 arm, snVec3 v, snVec3 a)
{
    const snMotion S = c->J, S1 = c->rate, S2 = c->rate2;
    c->J.lin = sn_velocityAt(S, arm);
    c->rate.lin = sn_v3Add(sn_velocityAt(S1, arm), sn_v3Cross(S.ang, v));
    c->rate2.lin =
        sn_v3Add(sn_v3AddScaled(sn_velocityAt(S2, arm), 2, sn_v3Cross(S1.ang, v)), sn_v3Cross(S.ang, a));
}

void sn_columnRates(const snModel* m, const snData* d, int body, snVec3 point, snColumnRates* columns,
                    snMotion* vel, snMotion* acc)
{
    const int count = sn_columnCount(m, body);
    const snVec3 arm = sn_v3Sub(point, sn_treeCom(m, d, body));
    snMotion v = {{0, 0, 0}, {0, 0, 0}}, a = v;
    listDofs(m, body, count, columns);
    for (int first = 0, end; first < count; first = end) {
        const int group = sn_firstOfGroup(m, columns[first].dof);
        for (end = first + 1; end < count && sn_firstOfGroup(m, columns[end].dof) == group;) end++;
        moveGroup(m, d, columns, first, end, &v, &a);
    }
    *vel = (snMotion){v.ang, sn_velocityAt(v, arm)};
    *acc = (snMotion){a.ang, sn_v3Add(sn_velocityAt(a, arm), sn_v3Cross(v.ang, vel->lin))};
    for (int i = 0; i < count; i++) toPoint(&columns[i], arm, vel->lin, acc->lin);
}
