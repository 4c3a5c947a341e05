// An inverse inertia w = J inv(M) J' of one row, at qpos0: with y = inv(M) J',
//     dw = 2 dJ y - y' dM y.
#include "derivative/parameter/constants.h"
#include <math.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include "derivative/parameter/inertia.h"
#include "derivative/parameter/wanted.h"
#include "derivative/smooth/bias.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "model/weld.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/tendon/tendon.h"

typedef struct Work {
    double *J, *y;
    snBodyMotions motions; // v: zero, a: of y
} Work;

// scale times dw of the row in work->J, J held.
static void addRow(const snModel* m, const snData* d, double scale, Work* work, const snModelGradient* sum)
{
    sn_solveM(m, d, work->y, work->J, 1);
    sn_bodyMotions(m, d, NULL, work->y, NULL, &work->motions);
    sn_addInertiaGradient(m, d, work->motions.a, &work->motions, -scale, sum);
    for (int k = 0; k < m->nv && sum->dof_armature; k++)
        sum->dof_armature[k] -= scale * work->y[k] * work->y[k];
}

static void clear(const snModel* m, double* x)
{
    memset(x, 0, (size_t)m->nv * sizeof *x);
}

// A body that only slides has 1/mass.
static void addSlider(const snModel* m, int b, double by, const snModelGradient* sum)
{
    const double mass = m->body_mass[b];
    if (sum->body_mass && mass > SN_MINVAL) sum->body_mass[b] -= by / (mass * mass);
}

// One direction of the six at a body's centre of mass.
static void addDirection(const snModel* m, const snData* d, int b, int axis, bool turn, double by, Work* work,
                         const snModelGradient* sum)
{
    const snVec3 e = sn_v3(axis == 0, axis == 1, axis == 2), arm = sn_inertiaArm(m, d, b);
    clear(m, work->J);
    for (int k = sn_lastDof(m, b); k >= 0; k = m->dof_parentid[k]) {
        const snMotion s = sn_motionLoad(d->cdof + 6 * k);
        work->J[k] = sn_v3Dot(e, turn ? s.ang : sn_v3Add(s.lin, sn_v3Cross(s.ang, arm)));
    }
    addRow(m, d, by, work, sum);
    if (turn || !sum->body_ipos || !sn_readsPlace(m->body_sameframe[b])) return;
    const snVec3 move = sn_v3Scale(sn_v3Cross(e, work->motions.a[b].ang), 2 * by);
    double* to = sum->body_ipos + 3 * b;
    sn_v3Store(to, sn_v3Add(sn_v3Load(to), sn_m3TMul(sn_m3Load(d->xmat + 9 * b), move)));
}

static void bodies(const snModel* m, const snData* d, Work* work, const snModelGradient* sum)
{
    for (int b = 1; b < m->nbody; b++) {
        const double* by = sum->body_invweight0 + 2 * b;
        if (!sn_moverOf(m, b)) continue;
        if (m->body_simple[b] == 2) {
            addSlider(m, b, by[0], sum);
            continue;
        }
        for (int axis = 0; axis < 6; axis++)
            if (by[axis / 3] != 0) addDirection(m, d, b, axis % 3, axis > 2, by[axis / 3] / 3, work, sum);
    }
}

// First and number of the dofs whose inverse inertias have one mean.
static int groupOf(const snModel* m, int k, int* count)
{
    const int j = m->dof_jntid[k], first = m->jnt_dofadr[j], type = m->jnt_type[j];
    *count = sn_hasQuaternion(type) ? 3 : 1;
    return type == SN_JNT_FREE && k >= first + 3 ? first + 3 : first;
}

// Those of a body that only slides are 1/mass of each, where no joint has a mean.
static void dofs(const snModel* m, const snData* d, Work* work, const snModelGradient* sum)
{
    for (int k = 0; k < m->nv; k++) {
        int count;
        double by = 0;
        const int first = groupOf(m, k, &count), b = m->dof_bodyid[k];
        for (int i = first; i < first + count; i++) by += sum->dof_invweight0[i] / count;
        if (by == 0) continue;
        if (m->body_simple[b] == 2) {
            addSlider(m, b, by, sum);
            continue;
        }
        clear(m, work->J);
        work->J[k] = 1;
        addRow(m, d, by, work, sum);
    }
}

static void tendons(const snModel* m, const snData* d, Work* work, const snModelGradient* sum)
{
    for (int t = 0; t < m->ntendon; t++) {
        if (sum->tendon_invweight0[t] == 0) continue;
        const snTendonArms arms = sn_armsOfTendon(d, t);
        clear(m, work->J);
        for (int k = 0; k < arms.num; k++) work->J[arms.dofs[k]] = arms.J[k];
        addRow(m, d, sum->tendon_invweight0[t], work, sum);
    }
}

static void enter(const snModel* m, snData* d)
{
    memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
    for (int b = 0; b < m->nbody; b++) {
        const int mocap = m->body_mocapid[b];
        if (mocap < 0) continue;
        memcpy(d->mocap_pos + 3 * mocap, m->body_pos + 3 * b, 3 * sizeof(double));
        memcpy(d->mocap_quat + 4 * mocap, m->body_quat + 4 * b, 4 * sizeof(double));
    }
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_tendon(m, d);
    sn_crb(m, d);
    sn_makeM(m, d);
    sn_factorM(m, d);
}

snStatus sn_addConstantsGradient(const snModel* m, snData* d, const snModelGradient* sum, snError* error)
{
    const size_t mark = sn_scratchMark(d);
    Work work = {sn_scratchReal(d, m->nv), sn_scratchReal(d, m->nv), {0}};
    const bool room = work.J && work.y && sn_bodyMotionsAlloc(m, d, &work.motions);
    if (room) {
        enter(m, d);
        bodies(m, d, &work, sum);
        dofs(m, d, &work, sum);
        tendons(m, d, &work, sum);
    }
    sn_scratchRelease(d, mark);
    return room ? SN_STATUS_OK : sn_failRoom(error);
}
