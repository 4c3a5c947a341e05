// Every stage, and every function of a computed state, one after the other.
//     stages MODEL
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static void show(const char* name, const double* numbers, int n)
{
    printf("%s", name);
    for (int i = 0; i < n; i++) printf(" %.10g", numbers[i]);
    puts("");
}

// What is near 0 by rounding, as one number.
static void size(const char* name, const double* numbers, int n)
{
    printf("%s %.9g\n", name, mju_norm(numbers, n));
}

static void position(const mjModel* m, mjData* d)
{
    mj_kinematics(m, d);
    size("xpos", d->xpos, 3 * m->nbody);
    mj_comPos(m, d);
    mj_camlight(m, d);
    size("cdof", d->cdof, 6 * m->nv);
    mj_flex(m, d);
    mj_tendon(m, d);
    size("ten_length", d->ten_length, m->ntendon);
    mj_makeM(m, d);
    mj_crb(m, d);
    size("qM", d->qM, m->nM);
    mj_factorM(m, d);
    size("qLDiagInv", d->qLDiagInv, m->nv);
    mj_collision(m, d);
    mj_makeConstraint(m, d);
    mj_island(m, d);
    mj_projectConstraint(m, d);
    mj_transmission(m, d);
    size("actuator_length", d->actuator_length, m->nu);
    printf("ncon %d nefc %d\n", d->ncon, d->nefc);
    mj_fwdPosition(m, d);
    mj_sensorPos(m, d);
    mj_energyPos(m, d);
    show("energy", d->energy, 1);
}

static void velocity(const mjModel* m, mjData* d, double* v)
{
    mj_comVel(m, d);
    mj_passive(m, d);
    mj_referenceConstraint(m, d);
    size("efc_aref", d->efc_aref, d->nefc);
    mj_subtreeVel(m, d);
    size("subtree_linvel", d->subtree_linvel, 3 * m->nbody);
    mj_rne(m, d, 0, v);
    size("bias", v, m->nv);
    mj_fwdVelocity(m, d);
    mj_sensorVel(m, d);
    mj_energyVel(m, d);
    show("energy", d->energy + 1, 1);
}

static void acceleration(const mjModel* m, mjData* d)
{
    mj_fwdActuation(m, d);
    mj_fwdAcceleration(m, d);
    size("qacc_smooth", d->qacc_smooth, m->nv);
    mj_fwdConstraint(m, d);
    size("qacc", d->qacc, m->nv);
    mj_sensorAcc(m, d);
    mj_rnePostConstraint(m, d);
    size("cacc", d->cacc, 6 * m->nbody);
    mj_compareFwdInv(m, d);
    printf("fwdinv %d\n", d->solver_fwdinv[0] < 1e-3 && d->solver_fwdinv[1] < 1e-3);
    mj_invPosition(m, d);
    mj_invVelocity(m, d);
    mj_invConstraint(m, d);
    size("qfrc_constraint", d->qfrc_constraint, m->nv);
    mj_inverseSkip(m, d, mjSTAGE_VEL, 1);
    size("qfrc_inverse", d->qfrc_inverse, m->nv);
    mj_inverse(m, d);
    mj_forwardSkip(m, d, mjSTAGE_POS, 0);
    mj_forward(m, d);
    size("sensordata", d->sensordata, m->nsensordata);
    double cost = 0, *jar = mju_malloc((size_t)(d->nefc + 1) * sizeof(double));
    mj_mulJacVec(m, d, jar, d->qacc);
    mju_subFrom(jar, d->efc_aref, d->nefc);
    mj_constraintUpdate(m, d, jar, &cost, 0);
    printf("cost %.8g\n", cost);
    mju_free(jar);
}

static void advance(mjModel* m, mjData* d, mjData* copy)
{
    mj_copyData(copy, m, d);
    mj_checkPos(m, copy), mj_checkVel(m, copy), mj_checkAcc(m, copy);
    mj_Euler(m, copy);
    size("Euler", copy->qvel, m->nv);
    mjv_copyData(copy, m, d);
    m->opt.integrator = mjINT_IMPLICIT; // the peer's asks
    mj_implicit(m, copy);
    m->opt.integrator = mjINT_EULER;
    size("implicit", copy->qvel, m->nv);
    mj_copyData(copy, m, d);
    mj_RungeKutta(m, copy, 4);
    size("RungeKutta", copy->qvel, m->nv);
    mj_copyData(copy, m, d);
    mj_step1(m, copy);
    copy->qfrc_applied[0] += 1;
    mj_step2(m, copy);
    size("step2", copy->qvel, m->nv);
}

static void inertia(const mjModel* m, mjData* d, double* v, double* w)
{
    const int nv = m->nv;
    double* M = mju_malloc((size_t)(nv * nv) * sizeof(double));
    mj_fullM(m, M, d->qM);
    size("M", M, nv * nv);
    mj_mulM(m, d, v, d->qacc);
    size("M qacc", v, nv);
    mj_solveM(m, d, w, v, 1);
    mju_subFrom(w, d->qacc, nv);
    printf("solved %d\n", mju_norm(w, nv) < 1e-6);
    mj_mulM2(m, d, v, d->qvel);
    size("M2", v, nv);
    double* root = mju_malloc((size_t)nv * sizeof(double));
    for (int i = 0; i < nv; i++) root[i] = 2 * sqrt(d->qLDiagInv[i]);
    mj_solveM2(m, d, w, d->qfrc_bias, root, 1);
    size("solveM2", w, nv);
    mju_zero(M, nv * nv);
    mj_addM(m, d, M, NULL, NULL, NULL);
    for (int i = 0; i < nv; i++)
        for (int k = i + 1; k < nv; k++) M[i * nv + k] = M[k * nv + i]; // below the diagonal alone is meant
    size("addM", M, nv * nv);
    mju_free(root), mju_free(M);
}

static void jacobians(const mjModel* m, mjData* d, double* J)
{
    const int n = 3 * m->nv, body = m->nbody - 1;
    const double point[] = {0.1, 0.2, 0.9}, axis[] = {0, 0.6, 0.8};
    mj_jac(m, d, J, J + n, point, body), size("jac", J, 2 * n);
    mj_jacBody(m, d, J, J + n, body), size("jacBody", J, 2 * n);
    mj_jacBodyCom(m, d, J, J + n, body), size("jacBodyCom", J, 2 * n);
    mj_jacSubtreeCom(m, d, J, 1), size("jacSubtreeCom", J, n);
    mj_jacGeom(m, d, J, J + n, m->ngeom - 1), size("jacGeom", J, 2 * n);
    if (m->nsite) mj_jacSite(m, d, J, J + n, 0), size("jacSite", J, 2 * n);
    mj_jacPointAxis(m, d, J, J + n, point, axis, body), size("jacPointAxis", J, 2 * n);
    mj_jacDot(m, d, J, J + n, point, body), size("jacDot", J, 2 * n);
    mj_angmomMat(m, d, J, 1), size("angmomMat", J, n);
    mju_zero(J, m->nv);
    mj_applyFT(m, d, axis, point, point, body, J), size("applyFT", J, m->nv);
    double* force = mju_malloc((size_t)(d->nefc + 1) * sizeof(double));
    mju_fill(force, 1, d->nefc);
    mj_mulJacTVec(m, d, J, force), size("mulJacTVec", J, m->nv);
    mju_free(force);
}

static void motion(const mjModel* m, mjData* d, double* v, double* q)
{
    double res[9], pos[3], quat[] = {0.5, 0.5, 0.5, -0.5}, offset[] = {0.1, 0, 0.2};
    for (int local = 0; local < 2; local++) {
        mj_objectVelocity(m, d, mjOBJ_GEOM, m->ngeom - 1, res, local), show("velocity", res, 6);
        mj_objectAcceleration(m, d, mjOBJ_XBODY, m->nbody - 1, res, local), size("acceleration", res, 6);
    }
    for (int i = 0; i < d->ncon; i++) mj_contactForce(m, d, i, res), size("contact", res, 6);
    mju_copy(q, d->qpos, m->nq);
    mj_integratePos(m, q, d->qvel, 0.1), show("integrated", q, m->nq);
    mj_differentiatePos(m, v, 0.1, d->qpos, q), mju_subFrom(v, d->qvel, m->nv);
    printf("differentiated %d\n", mju_norm(v, m->nv) < 1e-9);
    mju_scl(q, q, 2, m->nq), mj_normalizeQuat(m, q), show("normalised", q, m->nq);
    mj_local2Global(d, pos, res, offset, quat, m->nbody - 1, mjSAMEFRAME_NONE), show("global", pos, 3),
        size("global", res, 9);
    printf("%d %d %d %.12g\n", mj_isPyramidal(m), mj_isSparse(m), mj_isDual(m), mj_getTotalmass(m));
    printf("names %d %s %d\n", mj_name2id(m, mjOBJ_BODY, "world"), mj_id2name(m, mjOBJ_BODY, 0),
           mj_name2id(m, mjOBJ_SITE, "?"));
    for (int i = -1; i <= m->ngeom; i++)
        printf("%s\n", mj_id2name(m, mjOBJ_GEOM, i) ? mj_id2name(m, mjOBJ_GEOM, i) : "none");
}

static void rays(const mjModel* m, mjData* d)
{
    const double from[] = {0.05, 0.02, 3}, down[] = {0, 0, -2},
                 fan[] = {0, 0, -1, 0.1, 0, -1, -0.1, 0.05, -1};
    const double mat[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, at[] = {0, 0, 0.5}, half[] = {0.2, 0.3, 0.4};
    const mjtByte groups[] = {1, 0, 1, 1, 1, 1};
    const int face[] = {0, 1, 2};
    const float vert[] = {-1, -1, 0, 1, -1, 0, 0, 1, 0};
    int id = -5, ids[3];
    double x[3], ends[6];
    printf("ray %.10g", mj_ray(m, d, from, down, NULL, 1, -1, &id)), printf(" %d\n", id);
    printf("ray %.10g", mj_ray(m, d, from, down, groups, 0, 1, &id)), printf(" %d\n", id);
    mj_multiRay(m, d, from, fan, NULL, 1, -1, ids, x, 3, mjMAXVAL);
    show("rays", x, 3), printf("%d %d %d\n", ids[0], ids[1], ids[2]);
    for (int k = mjGEOM_SPHERE; k <= mjGEOM_BOX; k++)
        printf("geom %.10g\n", mju_rayGeom(at, mat, half, from, down, k));
    printf("skin %.10g", mju_raySkin(1, 3, face, vert, from, down, &id)), printf(" %d\n", id);
    for (int i = 0; i < m->nflex; i++)
        printf("flex %.10g", mju_rayFlex(m, d, 0, 1, 1, 1, 0, i, from, down, &id)), printf(" %d\n", id);
    for (int i = 0; i < m->ngeom; i++) {
        if (m->geom_type[i] == mjGEOM_MESH) printf("mesh %.10g\n", mj_rayMesh(m, d, i, from, down));
        if (m->geom_type[i] == mjGEOM_HFIELD) printf("hfield %.10g\n", mj_rayHfield(m, d, i, from, down));
    }
    const double gap = mj_geomDistance(m, d, 0, m->ngeom - 1, 10, ends);
    printf("distance %.9g\n", gap), show("ends", ends, 6);
}

// Steps in between find what they need; a reset takes all away.
static void scratch(const mjModel* m, mjData* d)
{
    mj_markStack(d);
    double* first = mj_stackAllocNum(d, 10);
    mju_fill(first, 3, 10);
    mj_markStack(d);
    int* second = mj_stackAllocInt(d, 1000);
    memset(second, 0, 1000 * sizeof(int));
    char* third = mj_stackAllocByte(d, 100, 256);
    printf("scratch %d %d", (int)((size_t)third % 256), mj_stackAllocNum(d, 0) == NULL);
    mj_forward(m, d);
    mj_freeStack(d);
    mj_step(m, d);
    printf(" %g\n", mju_sum(first, 10));
    mj_freeStack(d);
    const size_t taken = d->pstack;
    mj_markStack(d);
    mj_resetData(m, d);
    mj_stackAllocNum(d, 1000);
    printf("taken %d %d\n", (int)taken, d->pstack >= 8000);
    mj_resetData(m, d);
}

// What changes the model, last.
static void parameters(mjModel* m, mjData* d)
{
    mjContact contact = d->contact[0];
    printf("added %d %d\n", mj_addContact(m, d, &contact), d->ncon);
    if (m->nkey) mj_setKeyframe(m, d, 0), show("key", m->key_qpos, m->nq);
    mj_setTotalmass(m, 10);
    mj_setConst(m, d);
    printf("mass %.12g\n", mj_getTotalmass(m)), show("weights", m->dof_invweight0, m->nv);
    char error[200] = "";
    mjLROpt option;
    mj_defaultLROpt(&option);
    option.mode = mjLRMODE_ALL, option.uselimit = 1;
    printf("range %d", mj_setLengthRange(m, d, 0, &option, error, sizeof error));
    show("", m->actuator_lengthrange, 2);
    double ref[mjNREF], imp[mjNIMP];
    mj_defaultSolRefImp(ref, imp), show("solref", ref, mjNREF), show("solimp", imp, mjNIMP);
    mj_defaultOption(&m->opt), printf("%g %d\n", m->opt.timestep, m->opt.iterations);
    mj_defaultVisual(&m->vis), printf("%g %d\n", (double)m->vis.global.fovy, m->vis.quality.shadowsize);
}

static void states(const mjModel* m, mjData* d, mjData* copy)
{
    const unsigned int parts[] = {mjSTATE_TIME, mjSTATE_PHYSICS, mjSTATE_FULLPHYSICS, mjSTATE_USER,
                                  mjSTATE_INTEGRATION};
    for (int i = 0; i < 5; i++) {
        const int n = mj_stateSize(m, parts[i]);
        double* state = mju_malloc((size_t)n * sizeof(double));
        mj_getState(m, d, state, parts[i]);
        mj_setState(m, copy, state, parts[i]);
        printf("state %d %.10g\n", n, mju_norm(state, n));
        mju_free(state);
    }
    mj_resetDataDebug(m, copy, 0);
    mj_resetDataKeyframe(m, copy, 0), show("key", copy->qpos, m->nq);
    mj_resetData(m, copy), show("reset", copy->qpos, m->nq);
}

int main(int argc, char** argv)
{
    char error[500] = "";
    mjModel* m = mj_loadXML(argv[argc - 1], NULL, error, sizeof error);
    if (!m) return puts(error), 1;
    mjData *d = mj_makeData(m), *copy = mj_makeData(m);
    const size_t bytes = (size_t)(6 * m->nv + m->nq) * sizeof(double);
    double *v = mju_malloc(bytes), *w = mju_malloc(bytes);
    m->opt.tolerance = 0; // what solvers leave open is rounding
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < m->nu; k++) d->ctrl[k] = 0.2 * sin(0.1 * i + k);
        mj_step(m, d);
    }
    position(m, d);
    velocity(m, d, v);
    acceleration(m, d);
    advance(m, d, copy);
    inertia(m, d, v, w);
    jacobians(m, d, v);
    motion(m, d, v, w);
    rays(m, d);
    states(m, d, copy);
    scratch(m, copy);
    parameters(m, d);
    mju_free(v), mju_free(w);
    mj_deleteData(copy), mj_deleteData(d), mj_deleteModel(m);
    return 0;
}
