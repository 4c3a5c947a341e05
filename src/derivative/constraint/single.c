#include "derivative/constraint/single.h"
#include <math.h>
#include <string.h>
#include "constraint/row.h"
#include "derivative/force/force.h"
#include "math/spatial.h"
#include "smooth/flex/attachment.h"
#include "smooth/tendon/tendon.h"

// How the Jacobian of one row changes: dJ [n x n], a column a dof of `dof`.
typedef struct Bend {
    int n;
    const double* dJ; // NULL: it does not
} Bend;

static void setDofs(int first, int n, snRowChange* change)
{
    change->n = n;
    for (int k = 0; k < n; k++) change->dof[k] = first + k;
}

// J = -n, n = theta/|theta| the axis of the rotation vector of the ball. With the right Jacobian of the
// exponential,
//     dn = 1/2 cot(|theta|/2) (1 - n n') dq + 1/2 n x dq.
static Bend ballLimit(const snModel* m, const snData* d, int joint, snRowChange* change, double dJ[9])
{
    const snVec3 turn = sn_quatToRotvec(sn_quatNormalize(sn_quatLoad(d->qpos + m->jnt_qposadr[joint])));
    const double angle = sn_v3Norm(turn);
    const snVec3 n = sn_v3Normalize(turn);
    const double half = angle > SN_MINVAL ? 0.5 / sn_tan(0.5 * angle) : 0; // not turned: held
    setDofs(m->jnt_dofadr[joint], 3, change);
    for (int k = 0; k < 3; k++) {
        const snVec3 e = {k == 0, k == 1, k == 2};
        snVec3 column = sn_v3Scale(sn_v3AddScaled(e, -sn_v3Dot(n, e), n), half);
        column = sn_v3AddScaled(column, 0.5, sn_v3Cross(n, e));
        dJ[k] = -column.x;
        dJ[3 + k] = -column.y;
        dJ[6 + k] = -column.z;
    }
    return (Bend){3, dJ};
}

// p'' of the polynomial that a joint or tendon follows.
static double curvature(const double* coefficient, double x)
{
    return 2 * coefficient[2] + x * (6 * coefficient[3] + x * 12 * coefficient[4]);
}
static double steepness(const double* coefficient, double x)
{
    return coefficient[1] + x * (2 * coefficient[2] + x * (3 * coefficient[3] + x * 4 * coefficient[4]));
}

// J = 1 in the first joint, -p' in the second.
static Bend jointEquality(const snModel* m, const snData* d, int eq, snRowChange* change, double dJ[9])
{
    const int id2 = m->eq_obj2id[eq];
    const int dof1 = m->jnt_dofadr[m->eq_obj1id[eq]], dof2 = id2 < 0 ? dof1 : m->jnt_dofadr[id2];
    if (dof1 == dof2) {
        setDofs(dof1, 1, change);
        return (Bend){1, NULL};
    }
    const double x = d->qpos[m->jnt_qposadr[id2]] - m->qpos0[m->jnt_qposadr[id2]];
    const int second = dof2 > dof1;
    change->n = 2;
    change->dof[!second] = dof1;
    change->dof[second] = dof2;
    memset(dJ, 0, 4 * sizeof(double));
    dJ[3 * second] = -curvature(m->eq_data + SN_NEQDATA * eq, x);
    return (Bend){2, dJ};
}

static Bend tendonRow(const snModel* m, const snData* d, int tendon, double scale, snRowChange* change)
{
    setDofs(0, m->nv, change);
    memset(change->tendon, 0, (size_t)m->nv * (size_t)m->nv * sizeof(double));
    sn_tendonLengthDerivative(m, d, tendon, scale, change->tendon);
    return (Bend){m->nv, change->tendon};
}

// J = J1 - p' J2, dJ = dJ1 - p' dJ2 - p'' J2 J2'.
static Bend tendonEquality(const snModel* m, const snData* d, int eq, snRowChange* change)
{
    const Bend bend = tendonRow(m, d, m->eq_obj1id[eq], 1, change);
    const int id2 = m->eq_obj2id[eq];
    if (id2 < 0) return bend;
    const double *coefficient = m->eq_data + SN_NEQDATA * eq, x = d->ten_length[id2] - m->tendon_length0[id2];
    const double bent = curvature(coefficient, x);
    const snTendonArms arms = sn_armsOfTendon(d, id2);
    sn_tendonLengthDerivative(m, d, id2, -steepness(coefficient, x), change->tendon);
    for (int i = 0; i < arms.num; i++)
        for (int k = 0; k < arms.num; k++)
            change->tendon[(size_t)arms.dofs[i] * (size_t)m->nv + (size_t)arms.dofs[k]] -=
                bent * arms.J[i] * arms.J[k];
    return bend;
}

// The edge that row `row` of an equality holds: rows follow edges, but those that have none.
static int edgeOfRow(const snModel* m, const snData* d, int row, int eq)
{
    int first = row, edge = m->flex_edgeadr[m->eq_obj1id[eq]] - 1;
    while (first > 0 && d->efc_id[first - 1] == eq) first--;
    for (int k = first; k <= row; k++) {
        edge++;
        while (m->flexedge_rigid[edge] || !m->flexedge_J_rownnz[edge]) edge++;
    }
    return edge;
}

static bool carries(const snModel* m, int dof, int vertex)
{
    int i = sn_bodyLastDof(m, m->flex_vertbodyid[vertex]);
    while (i > dof) i = m->dof_parentid[i];
    return i == dof;
}

// J = u . (J_b - J_a) of the ends of an edge, the unit vector u from a to b, where slides move them: with s_i
// how dof i parts them, dJ(i, k) = s_i . (1 - u u') s_k / l.
static Bend edgeEquality(const snModel* m, const snData* d, int row, int eq, snRowChange* change)
{
    const int flex = m->eq_obj1id[eq], edge = edgeOfRow(m, d, row, eq), n = m->flexedge_J_rownnz[edge];
    const int *dofs = m->flexedge_J_colind + m->flexedge_J_rowadr[edge], first = m->flex_vertadr[flex];
    const double *J = d->flexedge_J + m->flexedge_J_rowadr[edge], l = d->flexedge_length[edge];
    const int a = first + m->flex_edge[2 * edge], b = first + m->flex_edge[2 * edge + 1];
    change->n = n;
    for (int i = 0; i < n; i++) {
        change->dof[i] = dofs[i];
        const double si = carries(m, dofs[i], b) - carries(m, dofs[i], a);
        for (int k = 0; k < n; k++) {
            const double sk = carries(m, dofs[k], b) - carries(m, dofs[k], a);
            const double along = sn_v3Dot(sn_slideAxis(d, dofs[i]), sn_slideAxis(d, dofs[k]));
            change->tendon[i * n + k] = l > SN_MINVAL ? (si * sk * along - J[i] * J[k]) / l : 0;
        }
    }
    return (Bend){n, change->tendon};
}

static Bend bendOf(const snModel* m, const snData* d, int row, snRowChange* change, double dJ[9])
{
    const int type = d->efc_type[row], id = d->efc_id[row];
    switch (type) {
    case SN_CNSTR_EQUALITY:
        if (m->eq_type[id] == SN_EQ_FLEX) return edgeEquality(m, d, row, id, change);
        return m->eq_type[id] == SN_EQ_TENDON ? tendonEquality(m, d, id, change)
                                              : jointEquality(m, d, id, change, dJ);
    case SN_CNSTR_FRICTION_TENDON: return tendonRow(m, d, id, 1, change);
    case SN_CNSTR_LIMIT_TENDON: {
        // of the lower limit J is that of the tendon, of the upper the opposite
        const snTendonArms arms = sn_armsOfTendon(d, id);
        return tendonRow(m, d, id, d->efc_J[d->efc_J_rowadr[row]] == arms.J[0] ? 1 : -1, change);
    }
    case SN_CNSTR_LIMIT_JOINT:
        if (m->jnt_type[id] == SN_JNT_BALL) return ballLimit(m, d, id, change, dJ);
        setDofs(m->jnt_dofadr[id], 1, change);
        return (Bend){1, NULL};
    default: setDofs(id, 1, change); return (Bend){1, NULL};
    }
}

// The row's J [n] of the change's dofs.
static void spread(const snData* d, int row, const snRowChange* change, double* J)
{
    const double* from = d->efc_J + d->efc_J_rowadr[row];
    const int *dof = d->efc_J_colind + d->efc_J_coladr[row], num = d->efc_J_rownnz[row];
    memset(J, 0, (size_t)change->n * sizeof(double));
    for (int k = 0, i = 0; k < change->n && i < num; k++)
        if (change->dof[k] == dof[i]) J[k] = from[i++];
}

// sum over i of z_i dJ(i, k)
static double rate(const Bend* bend, const snRowChange* change, const double* z, int k)
{
    double sum = 0;
    for (int i = 0; bend->dJ && i < bend->n; i++)
        sum += z[change->dof[i]] * bend->dJ[(size_t)i * (size_t)bend->n + (size_t)k];
    return sum;
}

static void addForce(const snModel* m, const snRowLaw* law, const Bend* bend, const snRowChange* change,
                     const double* J, double* q)
{
    const size_t n = (size_t)change->n;
    for (size_t i = 0; i < n; i++) {
        double* to = q + (size_t)change->dof[i] * (size_t)m->nv;
        for (size_t k = 0; k < n; k++) {
            const double bent = bend->dJ ? law->force[0] * bend->dJ[i * n + k] : 0;
            to[change->dof[k]] += J[i] * change->force[k] + bent;
        }
    }
}

// The residual of all these rows goes with J; that of dry friction is 0.
void sn_singleChange(const snModel* m, const snData* d, const snRowLaw* law, const snVelocities* velocity,
                     snRowChange* change, double* q)
{
    double dJ[9], *J = change->row;
    const bool friction = sn_isFriction(d->efc_type[law->row]);
    const Bend bend = bendOf(m, d, law->row, change, dJ);
    spread(d, law->row, change, J);
    for (int k = 0; k < change->n; k++) {
        change->r[k] = friction ? 0 : J[k];
        change->jar[k] = sn_jarChange(law, 0, rate(&bend, change, velocity->z[0], k),
                                      rate(&bend, change, velocity->z[1], k), change->r[k], change->r[k]);
        sn_changeForce(law, change, k);
    }
    if (q) addForce(m, law, &bend, change, J, q);
}
