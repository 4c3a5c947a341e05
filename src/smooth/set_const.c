// Quantities at qpos0 that the model stores.
#include <sinew/smooth.h>
#include <sinew/support.h>
#include <float.h>
#include "math/vec.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "model/rules.h"
#include "model/sleep.h"
#include "model/weld.h"
#include "shape/facts.h"
#include "smooth/bounds.h"
#include "smooth/flex/flex.h"
#include "smooth/inertia/equality_anchor.h"
#include "smooth/inertia/factor.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/set_const.h"
#include "smooth/sleep_policy.h"
#include "smooth/tendon/tendon.h"

static void subtreeMass(snModel* m)
{
    for (int i = 0; i < m->nbody; i++) m->body_subtreemass[i] = m->body_mass[i];
    for (int i = m->nbody - 1; i > 0; i--) m->body_subtreemass[m->body_parentid[i]] += m->body_subtreemass[i];
}

// |S x|^2 for the sparse x of n values at dofs, S the whole solve inv(M) or the half one, whose square is J
// inv(M) J'. Costs the trees that it touches. dense [nv] is scratch.
static double solvedSquare(const snModel* m, const snData* d, const int* dofs, const double* values, int n,
                           bool whole, double* dense)
{
    const snTrees trees = sn_treesOf(m, dofs, n);
    memset(dense + trees.begin, 0, (size_t)(trees.end - trees.begin) * sizeof(double));
    for (int k = 0; k < n; k++) dense[dofs[k]] = values[k];
    sn_solveTrees(m, d->qLD, d->qLDiagInv, trees, whole, dense);
    double sum = 0;
    for (int k = trees.begin; k < trees.end; k++) sum += dense[k] * dense[k];
    return sum;
}

// Diagonal of J inv(M) J' for n <= 6 rows that touch dof `last` and its ancestors alone, from M = L'DL: with
// Y = inv(L') J' it is Y' inv(D) Y, and Y is zero elsewhere, too. columns [depth x n]: J' of last, its
// parent, ...; overwritten. Cost: n depth^2 / 2.
static void chainDiagonal(const snModel* m, const snData* d, int last, double* columns, int n,
                          double* diagonal)
{
    memset(diagonal, 0, (size_t)n * sizeof(double));
    for (int k = last; k >= 0; k = m->dof_parentid[k], columns += n) {
        const double* L = d->qLD + sn_diagonalLD(m, k);
        double* to = columns;
        for (int a = m->dof_simplenum[k] ? -1 : m->dof_parentid[k]; a >= 0; a = m->dof_parentid[a]) {
            to += n;
            --L;
            for (int r = 0; r < n; r++) to[r] -= *L * columns[r];
        }
        for (int r = 0; r < n; r++) diagonal[r] += columns[r] * columns[r] * d->qLDiagInv[k];
    }
}

// Mean inverse inertia of a body for translation and rotation, from the Jacobian at its centre of mass. A
// body that only slides along its axes has 1/mass in all of them.
static void bodyInvweight(snModel* m, const snData* d, double* columns)
{
    for (int i = 0; i < m->nbody; i++) {
        double *weight = m->body_invweight0 + 2 * i, *column = columns, a[6];
        weight[0] = weight[1] = 0;
        if (!sn_moverOf(m, i)) continue;
        if (m->body_simple[i] == 2) {
            weight[0] = 1 / sn_max(m->body_mass[i], SN_MINVAL);
            continue;
        }
        const snVec3 arm = sn_v3Sub(sn_v3Load(d->xipos + 3 * i), sn_treeCom(m, d, i));
        const int last = sn_lastDof(m, i);
        for (int k = last; k >= 0; k = m->dof_parentid[k], column += 6) {
            const snMotion s = sn_motionLoad(d->cdof + 6 * k);
            sn_v3Store(column, sn_v3Add(s.lin, sn_v3Cross(s.ang, arm)));
            sn_v3Store(column + 3, s.ang);
        }
        chainDiagonal(m, d, last, columns, 6, a);
        weight[0] = (a[0] + a[1] + a[2]) / 3;
        weight[1] = (a[3] + a[4] + a[5]) / 3;
    }
}

static void averageOf(double* x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k];
    for (int k = 0; k < n; k++) x[k] = sum / n;
}

// Diagonal of inv(M), averaged over the directions of a ball joint, and of translation and rotation of a
// free joint. A body that only slides along its axes has 1/mass, without armature; so does the peer.
static void dofInvweight(snModel* m, const snData* d, double* column)
{
    for (int i = 0; i < m->nv; i++) {
        if (m->body_simple[m->dof_bodyid[i]] == 2) {
            m->dof_invweight0[i] = 1 / sn_max(m->body_mass[m->dof_bodyid[i]], SN_MINVAL);
            continue;
        }
        const int end = i + 1 < m->nv ? m->dof_Madr[i + 1] : m->nM;
        memset(column, 0, (size_t)(end - m->dof_Madr[i]) * sizeof(double));
        column[0] = 1;
        chainDiagonal(m, d, i, column, 1, &m->dof_invweight0[i]);
    }
    for (int j = 0; j < m->njnt; j++) {
        double* weight = m->dof_invweight0 + m->jnt_dofadr[j];
        if (m->jnt_type[j] == SN_JNT_BALL) averageOf(weight, 3);
        if (m->jnt_type[j] != SN_JNT_FREE) continue;
        averageOf(weight, 3);
        averageOf(weight + 3, 3);
    }
}

// Anchor of a point in a body's frame.
static void storeAnchor(const snData* d, int body, snVec3 point, double* local)
{
    const snVec3 offset = sn_v3Sub(point, sn_v3Load(d->xpos + 3 * body));
    sn_v3Store(local, sn_m3TMul(sn_m3Load(d->xmat + 9 * body), offset));
}

// Whether the relative pose of weld i stays.
static bool hasRelpose(const snModel* m, int i)
{
    const double* turn = m->eq_data + SN_NEQDATA * i + 6;
    if (sn_means(m->physics, SN_RULE_WELD_RELPOSE)) return !m->eq_autopose[i];
    return turn[0] != 0 || turn[1] != 0 || turn[2] != 0 || turn[3] != 0;
}

// What body 2 of a connect, and body 1 of a weld, have at the anchor that the other body gives; of a weld the
// orientation of body 2 in body 1 besides, unless one is given (not zero): by 3.3.7 then once only.
static void equalities(snModel* m, const snData* d)
{
    for (int i = 0; i < m->neq; i++) {
        const int body1 = m->eq_obj1id[i], body2 = m->eq_obj2id[i];
        double* data = m->eq_data + SN_NEQDATA * i;
        if (m->eq_objtype[i] != SN_OBJ_BODY) continue;
        if (m->eq_type[i] == SN_EQ_CONNECT) {
            storeAnchor(d, body2, sn_equalityAnchor(m, d, i, 0), data + 3);
        } else if (hasRelpose(m, i)) {
            sn_quatStore(data + 6, sn_quatNormalize(sn_quatLoad(data + 6)));
        } else {
            const snQuat q1 = sn_quatLoad(d->xquat + 4 * body1), q2 = sn_quatLoad(d->xquat + 4 * body2);
            storeAnchor(d, body1, sn_equalityAnchor(m, d, i, 1), data + 3);
            sn_quatStore(data + 6, sn_quatMul(sn_quatConj(q1), q2));
        }
    }
}

// A positive biasprm[2] of a position actuator (gain = minus stiffness) or a controller is a damping ratio:
// the gain that gives it is 2 zeta sqrt(kp mass), mass the inertia that the actuator feels: 1 / (J inv(M) J')
// = 1/mobility, or before SN_RULE_DAMPING_RATIO the sum of M0/moment^2.
static void dampingRatio(snModel* m, const snData* d, int i, double mobility)
{
    double* bias = m->actuator_biasprm + SN_NBIAS * i;
    const bool pid = m->actuator_gaintype[i] == SN_GAIN_PID;
    const double kp = pid ? -bias[1] : m->actuator_gainprm[SN_NGAIN * i];
    const bool other = m->actuator_plugin[i] >= 0 || m->actuator_gaintype[i] == SN_GAIN_DCMOTOR;
    if (other || kp != -bias[1] || !(bias[2] > 0)) return;
    const bool whole = sn_means(m->physics, SN_RULE_DAMPING_RATIO);
    double mass = whole && mobility > SN_MINVAL ? 1 / mobility : 0;
    const int out = m->actuator_outadr[i], first = d->moment_rowadr[out];
    for (int k = first; k < first + d->moment_rownnz[out] && !whole; k++) {
        const double arm = d->actuator_moment[k];
        if (fabs(arm) > SN_MINVAL) mass += m->dof_M0[d->moment_colind[k]] / (arm * arm);
    }
    bias[2] *= -2 * sqrt(kp * mass);
}

// Lengths and inverse inertias of tendons at qpos0.
static void tendons(snModel* m, const snData* d, double* dense)
{
    for (int i = 0; i < m->ntendon; i++) {
        const snTendonArms arms = sn_armsOfTendon(d, i);
        m->tendon_length0[i] = d->ten_length[i];
        m->tendon_invweight0[i] = solvedSquare(m, d, arms.dofs, arms.J, arms.num, false, dense);
    }
}

// Rest lengths that were left open, -1 -1: the lengths at qpos_spring.
static void springLengths(snModel* m, snData* d)
{
    memcpy(d->qpos, m->qpos_spring, (size_t)m->nq * sizeof(double));
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_tendon(m, d);
    for (int i = 0; i < m->ntendon; i++) {
        double* rest = m->tendon_lengthspring + 2 * i;
        if (rest[0] == -1 && rest[1] == -1) rest[0] = rest[1] = d->ten_length[i];
    }
}

// Length of an edge, a rigid one's, too.
static double lengthOf(const snModel* m, const snData* d, int flex, int edge)
{
    const int* ends = m->flex_edge + 2 * edge;
    const double* place = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
    return sn_v3Norm(sn_v3Sub(sn_v3Load(place + 3 * ends[1]), sn_v3Load(place + 3 * ends[0])));
}

// Lengths and inverse weights of edges at qpos0; edges without rows have none. As the peer has it, between
// bodies that slide along all axes the weight is the mean of theirs, not their sum.
static void flexEdges(snModel* m, const snData* d, double* dense)
{
    for (int f = 0; f < m->nflex; f++) {
        const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
        for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
            const int body1 = body[m->flex_edge[2 * e]], body2 = body[m->flex_edge[2 * e + 1]];
            const int row = m->flexedge_J_rowadr[e], n = m->flexedge_J_rownnz[e];
            const bool simple = m->body_simple[body1] == 2 && m->body_simple[body2] == 2;
            const double mean = (m->body_invweight0[2 * body1] + m->body_invweight0[2 * body2]) / 2;
            m->flexedge_length0[e] = lengthOf(m, d, f, e);
            m->flexedge_invweight0[e] =
                simple ? mean
                : !n   ? 0
                       : solvedSquare(m, d, m->flexedge_J_colind + row, d->flexedge_J + row, n, false, dense);
        }
    }
}

static void actuators(snModel* m, const snData* d, bool resolve, double* dense)
{
    for (int i = 0; i < m->nactuator; i++) {
        double mobility = 0; // the mean of those of all outputs
        for (int k = 0; k < m->actuator_outnum[i]; k++) {
            const int out = m->actuator_outadr[i] + k, first = d->moment_rowadr[out],
                      n = d->moment_rownnz[out];
            const int* dofs = d->moment_colind + first;
            const double* arms = d->actuator_moment + first;
            m->actuator_length0[out] = d->actuator_length[out];
            m->actuator_acc0[out] = sqrt(solvedSquare(m, d, dofs, arms, n, true, dense));
            if (resolve) mobility += solvedSquare(m, d, dofs, arms, n, false, dense) / m->actuator_outnum[i];
        }
        if (resolve) dampingRatio(m, d, i, mobility);
    }
}

// World position of a point of a body, and its offsets from the body and from a subtree's centre of mass.
static void pointOffsets(const snData* d, int body, int target, const double* pos, double* pos0,
                         double* poscom0)
{
    const snVec3 origin = sn_v3Load(d->xpos + 3 * body);
    const snVec3 point = sn_v3Add(origin, sn_m3Mul(sn_m3Load(d->xmat + 9 * body), sn_v3Load(pos)));
    const int subtree = target >= 0 ? target : body;
    sn_v3Store(pos0, sn_v3Sub(point, origin));
    sn_v3Store(poscom0, sn_v3Sub(point, sn_v3Load(d->subtree_com + 3 * subtree)));
}

static void camerasAndLights(snModel* m, const snData* d)
{
    for (int i = 0; i < m->ncam; i++) {
        const int body = m->cam_bodyid[i];
        pointOffsets(d, body, m->cam_targetbodyid[i], m->cam_pos + 3 * i, m->cam_pos0 + 3 * i,
                     m->cam_poscom0 + 3 * i);
        const snQuat quat = sn_quatMul(sn_quatLoad(d->xquat + 4 * body), sn_quatLoad(m->cam_quat + 4 * i));
        sn_m3Store(m->cam_mat0 + 9 * i, sn_quatToMat(quat));
    }
    for (int i = 0; i < m->nlight; i++) {
        const int body = m->light_bodyid[i];
        pointOffsets(d, body, m->light_targetbodyid[i], m->light_pos + 3 * i, m->light_pos0 + 3 * i,
                     m->light_poscom0 + 3 * i);
        sn_v3Store(m->light_dir0 + 3 * i,
                   sn_m3Mul(sn_m3Load(d->xmat + 9 * body), sn_v3Load(m->light_dir + 3 * i)));
    }
}

typedef struct {
    double low[3], high[3];
} Box;

static void boxAdd(Box* box, const double* point, double radius)
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = sn_min(point[k] - radius, box->low[k]);
        box->high[k] = sn_max(point[k] + radius, box->high[k]);
    }
}

// A plane counts with a tenth of its drawn size; an infinite one with 1 m, by 4.0 1 cm.
static double geomRadius(const snModel* m, int geom)
{
    if (!sn_isEndless(m->geom_type[geom])) return m->geom_rbound[geom];
    const double half = sn_max(m->geom_size[3 * geom], m->geom_size[3 * geom + 1]);
    return half > 0 ? 0.1 * half : sn_means(m->physics, SN_RULE_PLANE_BOUNDS) ? 0.01 : 1;
}

// Bodies with vertices of flexes reach as far as their longest edges; a rigid flex does not count.
static void reachOfEdges(const snModel* m, int flex, double* size)
{
    const int* bodies = m->flex_vertbodyid + m->flex_vertadr[flex];
    for (int e = m->flex_edgeadr[flex]; e < m->flex_edgeadr[flex] + m->flex_edgenum[flex]; e++)
        for (int k = 0; k < 2; k++) {
            const int body = bodies[m->flex_edge[2 * e + k]];
            size[body] = sn_max(m->flexedge_length0[e], size[body]);
        }
}

// Size of a body: the farthest of its joints, its children's joints, the surfaces of its geoms and its
// elements of flexes from its centre of mass.
static void bodySizes(const snModel* m, const snData* d, double* size)
{
    for (int i = 0; i < m->nbody; i++) size[i] = 1e-5;
    for (int j = 0; j < m->njnt; j++) {
        const snVec3 anchor = sn_v3Load(d->xanchor + 3 * j);
        const int body = m->jnt_bodyid[j], parent = m->body_parentid[body];
        size[body] = sn_max(sn_v3Norm(sn_v3Sub(sn_v3Load(d->xipos + 3 * body), anchor)), size[body]);
        size[parent] = sn_max(sn_v3Norm(sn_v3Sub(sn_v3Load(d->xipos + 3 * parent), anchor)), size[parent]);
    }
    for (int g = 0; g < m->ngeom; g++) {
        if (!(m->geom_rbound[g] > 0)) continue;
        const int body = m->geom_bodyid[g];
        const snVec3 offset = sn_v3Sub(sn_v3Load(d->geom_xpos + 3 * g), sn_v3Load(d->xipos + 3 * body));
        size[body] = sn_max(sn_v3Norm(offset) + m->geom_rbound[g], size[body]);
    }
    for (int f = 0; f < m->nflex; f++)
        if (!m->flex_rigid[f]) reachOfEdges(m, f, size);
}

// By which velocities are measured for sleep: of rotations the size of the body.
static void lengths(snModel* m, const double* size)
{
    for (int i = 0; i < m->nv; i++) {
        const int j = m->dof_jntid[i];
        const bool slides = sn_dofSlides(m->jnt_type[j], i - m->jnt_dofadr[j]);
        m->dof_length[i] = slides ? 1 : size[m->dof_bodyid[i]];
    }
}

static void statistics(snModel* m, const snData* d, const double* size)
{
    snStatistic* stat = &m->stat;
    *stat = (snStatistic){1, 1, 0.2, 2, {0, 0, 0}};
    Box box = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    for (int i = 1; i < m->nbody; i++) {
        boxAdd(&box, d->xpos + 3 * i, 0);
        boxAdd(&box, d->xipos + 3 * i, 0);
    }
    for (int j = 0; j < m->njnt; j++) boxAdd(&box, d->xanchor + 3 * j, 0);
    for (int s = 0; s < m->nsite; s++) boxAdd(&box, d->site_xpos + 3 * s, 0);
    for (int g = 0; g < m->ngeom; g++) boxAdd(&box, d->geom_xpos + 3 * g, geomRadius(m, g));
    if (m->nv) {
        double sum = 0;
        // with what moves with tendons, which dof_M0 leaves out
        for (int i = 0; i < m->nv; i++) sum += d->qM[m->dof_Madr[i]];
        stat->meaninertia = sum / m->nv;
    }
    if (m->nbody > 1) {
        double sum = 0, sizes = 0;
        for (int i = 1; i < m->nbody; i++) {
            sum += m->body_mass[i];
            sizes += size[i];
        }
        stat->meanmass = sum / (m->nbody - 1);
        stat->meansize = sizes / (m->nbody - 1);
    }
    double edge = 0;
    for (int k = 0; k < 3 && box.low[0] <= box.high[0]; k++) {
        stat->center[k] = 0.5 * (box.low[k] + box.high[k]);
        edge = sn_max(box.high[k] - box.low[k], edge);
    }
    // Like the peer's, a model without any width along x keeps the default extent.
    if (box.high[0] > box.low[0]) stat->extent = sn_max(sn_max(edge, 2 * stat->meansize), 1e-5);
}

static void defaultPose(const snModel* m, snData* d)
{
    memcpy(d->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
    for (int i = 0; i < m->nbody; i++) {
        const int mocap = m->body_mocapid[i];
        if (mocap < 0) continue;
        memcpy(d->mocap_pos + 3 * mocap, m->body_pos + 3 * i, 3 * sizeof(double));
        memcpy(d->mocap_quat + 4 * mocap, m->body_quat + 4 * i, 4 * sizeof(double));
    }
}

static void addTarget(int* id, int actuator)
{
    *id = *id == -1 ? actuator : -2;
}

// Which actuators add damping or armature to joints and tendons.
static void targets(snModel* m)
{
    for (int j = 0; j < m->njnt; j++) m->jnt_actuatorid[j] = -1;
    for (int t = 0; t < m->ntendon; t++) m->tendon_actuatorid[t] = -1;
    for (int i = 0; i < m->nactuator; i++) {
        const double* others = m->actuator_dampingpoly + SN_NPOLY * i;
        const int id = m->actuator_trnid[2 * i];
        if (m->actuator_armature[i] == 0 && m->actuator_damping[i] == 0 && others[0] == 0 && others[1] == 0)
            continue;
        if (sn_drivesJoint(m, i, id)) addTarget(m->jnt_actuatorid + id, i);
        if (sn_drivesTendon(m, i, id)) addTarget(m->tendon_actuatorid + id, i);
    }
}

static void setConst(snModel* m, snData* d, bool resolve)
{
    const size_t mark = sn_scratchMark(d);
    double* J = sn_scratchReal(d, 6 * m->nv + m->nbody);
    double* half = sn_scratchReal(d, m->nv);
    if (J && half) {
        double* size = J + 6 * m->nv;
        for (int t = 0; t < m->ntree; t++) d->tree_asleep[t] = SN_AWAKE;
        sn_arenaClear(d); // contacts are of another pose
        defaultPose(m, d);
        targets(m);
        sn_resolvePolicies(m);
        subtreeMass(m);
        sn_kinematics(m, d);
        sn_comPos(m, d);
        if (resolve)
            sn_flexLengths(m, d); // the data is the compiler's own
        else
            sn_flex(m, d);
        sn_tendon(m, d);
        sn_crb(m, d);
        for (int i = 0; i < m->nv; i++) m->dof_M0[i] = d->qM[m->dof_Madr[i]];
        sn_makeM(m, d);
        sn_factorM(m, d);
        sn_transmission(m, d);
        bodyInvweight(m, d, J);
        dofInvweight(m, d, J);
        tendons(m, d, half);
        flexEdges(m, d, half);
        actuators(m, d, resolve, half);
        equalities(m, d);
        camerasAndLights(m, d);
        bodySizes(m, d, size);
        lengths(m, size);
        if (resolve) statistics(m, d, size);
        if (resolve && m->ntendon) springLengths(m, d);
    } else {
        sn_warn(d, SN_WARN_CNSTRFULL, m->nv);
    }
    sn_scratchRelease(d, mark);
}

void sn_resolveConst(snModel* m, snData* d)
{
    setConst(m, d, true);
}

void sn_setConst(snModel* m, snData* d)
{
    if (sn_means(m->physics, SN_RULE_CONST_BOUNDS)) sn_makeBounds(m);
    setConst(m, d, !sn_means(m->physics, SN_RULE_SET_CONST));
}
