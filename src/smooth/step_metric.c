#include "smooth/step_metric.h"
#include <math.h>
#include <string.h>
#include "math/eliminate.h"
#include "model/arena.h"
#include "model/elastic.h"
#include "model/kinds.h"
#include "model/made.h"
#include "model/sleep.h"
#include "smooth/actuator/activation.h"
#include "smooth/actuator/law/law.h"
#include "smooth/flex/attachment.h"
#include "smooth/inertia/damped.h"
#include "smooth/inertia/factor.h"
#include "smooth/kinematics/resistance.h"
#include "smooth/kinematics/spring.h"
#include "smooth/passive/fluid.h"
#include "smooth/tendon/tendon.h"
#include "smooth/velocity_derivative.h"

// Of a force that loses k by position and b by velocity. What would give energy stays explicit.
static bool weigh(const snModel* m, double k, double b, double rate, snStepTerm* term)
{
    const double h = m->opt.timestep;
    k = sn_max(0, k);
    term->weight = h * (sn_max(b, 0) + h * k);
    term->pull = h * k * rate;
    return term->weight > 0;
}

static bool isOff(const snModel* m, int flag)
{
    return (m->opt.disableflags & flag) != 0;
}

// ---- terms with moment arms

bool sn_fitsInertia(const snModel* m, const snStepTerm* term)
{
    const int last = term->dofs[term->num - 1];
    if (term->num == 1) return true;
    for (int e = 0; e < term->num; e++)
        if (m->dof_simplenum[term->dofs[e]] || !sn_haveOneChain(m, term->dofs[e], last)) return false;
    return true;
}

// Sleepers do not move, whatever pulls.
static bool anySleeps(const snModel* m, const snData* d, const snStepTerm* term)
{
    bool any = false;
    for (int e = 0; e < term->num && d->nasleep; e++) any |= sn_isAsleep(d, m->dof_treeid[term->dofs[e]]);
    return any;
}

static bool tendonTerm(const snModel* m, const snData* d, int t, snStepTerm* term)
{
    const snTendonArms arms = sn_armsOfTendon(d, t);
    *term = (snStepTerm){.dofs = arms.dofs, .arms = arms.J, .num = arms.num};
    if (anySleeps(m, d, term)) return false;
    const double stretch = sn_tendonStretch(m, d, t), rate = d->ten_velocity[t];
    const double k =
        !isOff(m, SN_DSBL_SPRING) && stretch != 0 ? sn_cubicSlope(sn_springOfTendon(m, t), stretch) : 0;
    return arms.num && weigh(m, k, isOff(m, SN_DSBL_DAMPER) ? 0 : sn_dampingOfTendon(m, t, rate), rate, term);
}

// - d force / d length of actuator i within its limits
static double stiffnessOf(const snModel* m, const snData* d, int i)
{
    if (m->actuator_plugin[i] >= 0) return 0;
    if (m->actuator_gaintype[i] == SN_GAIN_DCMOTOR) return -sn_motorSlopesWithin(m, d, i).length;
    const snLawPoint gain = sn_gainPoint(m, d, i), bias = sn_biasPoint(m, d, i);
    const int a = m->actuator_actadr[i];
    const double u = a >= 0 ? d->act[a + m->actuator_actnum[i] - 1] : sn_actuatorControl(m, d, i);
    const double by_gain =
        fabs(u) <= SN_MAXVAL ? u * sn_gainLaw(m->actuator_gaintype[i])->slopes(&gain).length : 0;
    return -by_gain - sn_biasLaw(m->actuator_biastype[i])->slopes(&bias).length;
}

// Rigid contact has no rows for what M has no place for: it is explicit there.
static bool isTaken(const snModel* m, const snStepTerm* term)
{
    return m->opt.contact != SN_CONTACT_LCP || sn_fitsInertia(m, term);
}

// A term for each force of actuator i, in terms; how many.
static int actuatorTerms(const snModel* m, const snData* d, int i, snStepTerm* terms)
{
    int count = 0;
    if (sn_isActuatorDisabled(m, i)) return 0;
    const double k = stiffnessOf(m, d, i), b = -sn_actuatorDamping(m, d, i);
    if (!(k > 0 || b > 0) || sn_isActuatorSaturated(m, d, i)) return 0;
    for (int out = m->actuator_outadr[i], end = out + m->actuator_outnum[i]; out < end; out++) {
        snStepTerm* term = terms + count;
        const int at = d->moment_rowadr[out];
        *term = (snStepTerm){
            .dofs = d->moment_colind + at, .arms = d->actuator_moment + at, .num = d->moment_rownnz[out]};
        count += term->num && !anySleeps(m, d, term) && weigh(m, k, b, d->actuator_velocity[out], term) &&
                 isTaken(m, term);
    }
    return count;
}

void sn_takeElastic(const snData* d, snStepTerms* terms)
{
    terms->elastic = sn_elasticOf(d);
}

bool sn_stepTerms(const snModel* m, snData* d, snStepTerms* terms)
{
    sn_assertMade(m, d, ten_velocity, moment_rowadr, moment_rownnz, actuator_length, actuator_velocity,
                  actuator_force, qfrc_actuator);
    int count = 0;
    snStepTerm* term = sn_scratchAlloc(d, (size_t)(m->ntendon + m->nout) * sizeof *term);
    if (!term) return false;
    for (int t = 0; t < m->ntendon; t++)
        count += tendonTerm(m, d, t, term + count) && isTaken(m, term + count);
    for (int i = 0; i < m->nactuator && !isOff(m, SN_DSBL_ACTUATION); i++)
        count += actuatorTerms(m, d, i, term + count);
    *terms = (snStepTerms){.count = count, .term = term};
    return true;
}

// ---- the matrix in the places of M

// M^(i, j) of a dof i and one above it, or itself.
static double* entry(const snModel* m, double* M, int i, int j)
{
    return M + m->dof_Madr[i] + m->D_diag[i] - m->D_diag[j];
}

static void addTerm(const snModel* m, snData* d, const snStepTerm* term)
{
    for (int r = 0; r < term->num; r++)
        for (int c = 0; c <= r; c++)
            *entry(m, d->qMstep, term->dofs[r], term->dofs[c]) +=
                term->weight * term->arms[r] * term->arms[c];
}

// How far a dof's joint is from where its spring is at rest; a free joint and a ball by their way and angle.
static double displacementOf(const snModel* m, const snData* d, int dof)
{
    const int j = m->dof_jntid[dof];
    const double *q = d->qpos + m->jnt_qposadr[j], *rest = sn_springRest(m, d, j);
    const snJointKind kind = sn_jointKind(m->jnt_type[j]);
    if (kind.scalar) return *q - *rest;
    if (kind.coordinates > 4 && dof < m->jnt_dofadr[j] + 3)
        return sn_v3Norm(sn_v3Sub(sn_v3Load(q), sn_v3Load(rest)));
    return sn_v3Norm(sn_rotationFrom(rest + kind.quaternion, q + kind.quaternion));
}

// How its force grows with that, along each axis.
static double springOfDof(const snModel* m, const snData* d, int dof)
{
    const snCubic spring = sn_springOfJoint(m, m->dof_jntid[dof]);
    if (isOff(m, SN_DSBL_SPRING)) return 0;
    return sn_cubicIsLinear(spring) ? spring.a : sn_cubicSlope(spring, displacementOf(m, d, dof));
}

static void addJoints(const snModel* m, snData* d)
{
    SN_EACH_DOF (m, d, i) {
        snStepTerm term;
        const double v = d->qvel[i], b = isOff(m, SN_DSBL_DAMPER) ? 0 : sn_dampingOfDof(m, i, v);
        if (!weigh(m, springOfDof(m, d, i), b, v, &term)) continue;
        d->qMstep[m->dof_Madr[i]] += term.weight;
        d->qfrc_step[i] += term.pull;
    }
}

static void addFluid(const snModel* m, snData* d)
{
    sn_bodyVel(m, d, SN_GYRO_STEP);
    for (int i = 0; i < m->nv; i++) {
        const double* D = d->qDeriv + m->D_rowadr[i];
        const int last = m->dof_simplenum[i] ? m->D_diag[i] : 0; // a simple dof has its diagonal alone
        for (int c = m->D_diag[i]; c >= last; c--)
            d->qMstep[m->dof_Madr[i] + m->D_diag[i] - c] -= m->opt.timestep * D[c];
    }
}

void sn_makeStepMetric(const snModel* m, snData* d, const snStepTerms* terms)
{
    memcpy(d->qMstep, d->qM, (size_t)m->nM * sizeof(double));
    memset(d->qfrc_step, 0, (size_t)m->nv * sizeof(double));
    addJoints(m, d);
    if (sn_hasFluid(m)) addFluid(m, d);
    for (const snStepTerm* t = terms->term; t < terms->term + terms->count; t++) {
        if (sn_fitsInertia(m, t)) addTerm(m, d, t);
        for (int e = 0; e < t->num; e++) d->qfrc_step[t->dofs[e]] += t->pull * t->arms[e];
    }
    if (terms->elastic.adr && !sn_addElasticPull(m, d, d->qfrc_step)) sn_warnFull(d);
    sn_packAwake(m, d, d->qMstep, d->qH);
    sn_reportPivots(d, sn_factorAwake(m, d, false, d->qH, d->qHDiagInv));
}

void sn_stepDiagonal(const snModel* m, const snData* d, const snStepTerms* terms, double* diagonal)
{
    for (int i = 0; i < m->nv; i++) diagonal[i] = d->qMstep[m->dof_Madr[i]];
    for (const snStepTerm* t = terms->term; t < terms->term + terms->count; t++)
        for (int e = 0; e < t->num && !sn_fitsInertia(m, t); e++)
            diagonal[t->dofs[e]] += t->weight * t->arms[e] * t->arms[e];
}

void sn_mulStep(const snModel* m, const snData* d, const snStepTerms* terms, const double* x, double* result)
{
    for (int i = 0; i < m->nv; i++) {
        const double* row = d->qMstep + m->dof_Madr[i];
        result[i] = *row * x[i];
        for (int j = m->dof_parentid[i]; j >= 0 && !m->dof_simplenum[i]; j = m->dof_parentid[j]) {
            row++;
            result[i] += *row * x[j];
            result[j] += *row * x[i];
        }
    }
    if (terms->elastic.adr) sn_mulElastic(m, &terms->elastic, x, result);
    for (const snStepTerm* t = terms->term; t < terms->term + terms->count; t++) {
        if (sn_fitsInertia(m, t)) continue;
        double along = 0;
        for (int e = 0; e < t->num; e++) along += t->arms[e] * x[t->dofs[e]];
        for (int e = 0; e < t->num; e++) result[t->dofs[e]] += t->weight * along * t->arms[e];
    }
}

// ---- bodies that move by a free joint alone

// The block of M^ of the dofs first .. first + 5.
static void stepBlock(const snModel* m, snData* d, int first, double A[36])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) A[6 * i + j] = A[6 * j + i] = *entry(m, d->qMstep, first + i, first + j);
}

// h G of the same dofs: what the body's bias force gains by its velocity.
static void turnBlock(const snModel* m, const snData* d, int first, double hG[36])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) hG[6 * i + j] = m->opt.timestep * d->qDeriv[m->D_rowadr[first + i] + j];
}

static void turnBody(const double A[36], const double hG[36], bool back, double* x)
{
    double from[36], to[36], y[6];
    for (int k = 0; k < 36; k++) {
        from[k] = back ? A[k] - hG[k] : A[k];
        to[k] = back ? A[k] : A[k] - hG[k];
    }
    for (int i = 0; i < 6; i++) {
        y[i] = 0;
        for (int j = 0; j < 6; j++) y[i] += from[6 * i + j] * x[j];
    }
    sn_eliminate(to, 6, y);
    memcpy(x, y, sizeof y);
}

static void markHeld(const snModel* m, const int* dofs, int count, unsigned char* turns)
{
    for (int k = 0; k < count; k++) turns[m->dof_jntid[dofs[k]]] = 0;
}

// Those that move elastic flexes.
static void markElastic(const snModel* m, unsigned char* turns)
{
    for (int f = 0, v = 0; f < m->nflex; f++)
        for (; v < m->flex_vertadr[f] + m->flex_vertnum[f]; v++)
            for (int i = sn_lastDof(m, m->flex_vertbodyid[v]); i >= 0 && sn_isElastic(m, f);
                 i = m->dof_parentid[i])
                turns[m->dof_jntid[i]] = 0;
}

// turns [njnt]: which joints are those of such bodies. Returns whether any is.
static bool findTurning(const snModel* m, const snData* d, const snStepTerms* terms, unsigned char* turns)
{
    bool any = false;
    for (int j = 0; j < m->njnt; j++) {
        turns[j] = m->jnt_type[j] == SN_JNT_FREE && sn_isLone(m, m->jnt_bodyid[j]) &&
                   !(d->nclosure && d->tree_mechanism[m->dof_treeid[m->jnt_dofadr[j]]] >= 0);
        any = any || turns[j];
    }
    for (int r = 0; r < d->nefc && any; r++)
        markHeld(m, d->efc_J_colind + d->efc_J_coladr[r], d->efc_J_rownnz[r], turns);
    for (int k = 0; k < terms->count; k++) markHeld(m, terms->term[k].dofs, terms->term[k].num, turns);
    if (any && sn_takesElastic(m)) markElastic(m, turns);
    for (int j = 0; j < m->njnt && any; j++)
        if (turns[j]) return true;
    return false;
}

void sn_turnLoneBodies(const snModel* m, snData* d, const snStepTerms* terms, bool back, double* x)
{
    const size_t mark = sn_scratchMark(d);
    unsigned char* turns = sn_scratchAlloc(d, (size_t)m->njnt);
    if (turns && findTurning(m, d, terms, turns)) {
        sn_bodyVel(m, d, SN_GYRO_TURN);
        for (int j = 0; j < m->njnt; j++) {
            double A[36], hG[36];
            const int first = m->jnt_dofadr[j];
            if (!turns[j]) continue;
            stepBlock(m, d, first, A);
            turnBlock(m, d, first, hG);
            turnBody(A, hG, back, x + first);
        }
    }
    sn_scratchRelease(d, mark);
}
