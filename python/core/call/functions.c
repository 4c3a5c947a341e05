// The library's functions as Python calls them, in the order of C's arguments: one row a function. From a
// row come the wrapper, its checks, its docstring and its line in the type stubs.
// The language of signatures stands in function_table.h.
#include "call/function_table.h"
#include "base/platform/clock.h"

// A count of 0 or more; false with an error.
static bool isCount(Call* call, const char* function, const char* name, int count)
{
    if (count >= 0) return true;
    call->error.status = SN_STATUS_ARGUMENT;
    snprintf(call->error.message, sizeof call->error.message, "%s: %s is %d, must be 0 or more", function,
             name, count);
    return false;
}

// Lets Python hear signals some twenty times a second; every eighth step asks the clock.
static bool isInterrupted(Call* call, int step, double* look)
{
    if (!call->callbacks || call->callbacks->failed || step % 8 != 7 || sn_monotonicTime() < *look)
        return call->interrupted;
    PyEval_RestoreThread(call->callbacks->thread);
    call->interrupted = PyErr_CheckSignals() < 0;
    call->callbacks->thread = PyEval_SaveThread(); // an exception stays set in it
    *look = sn_monotonicTime() + 0.05;
    return call->interrupted;
}

static void step(Call* call, int nstep)
{
    double look = nstep > 8 ? sn_monotonicTime() + 0.05 : 0;
    if (!isCount(call, "step", "nstep", nstep)) return;
    for (int i = 0; i < nstep && !(call->callbacks && call->callbacks->failed); i++) {
        rememberState(call->callbacks);
        sn_step(call->m, call->d);
        if (isInterrupted(call, i, &look)) return;
    }
}

// Whether the model has inverse dynamics; false with an error.
static bool hasInverse(Call* call, const char* function)
{
    if (call->m->opt.contact != SN_CONTACT_LCP) return true;
    call->error.status = SN_STATUS_ARGUMENT;
    snprintf(
        call->error.message, sizeof call->error.message,
        "%s: contact lcp has no inverse dynamics, many forces of rigid contacts go with one acceleration: "
        "set opt.contact to soft for it",
        function);
    return false;
}

static void setLengthRange(Call* call, int actuator, const double opt[10])
{
    for (int i = 0; i < 10; i++)
        if (!(opt[i] > -1e9 && opt[i] < 1e9)) {
            call->error.status = SN_STATUS_ARGUMENT;
            snprintf(call->error.message, sizeof call->error.message, "setLengthRange: bad number in opt");
            return;
        }
    const snLengthRange range = {(int)opt[0], (int)opt[1], (int)opt[2], opt[3], opt[4],
                                 opt[5],      opt[6],      opt[7],      opt[8], opt[9]};
    sn_setLengthRange(call->m, call->d, actuator, &range, &call->error);
}

// dst is dense where the rows are not given.
static void addM(Call* call)
{
    const int nv = M->nv, *rownnz = INTS(3), *rowadr = INTS(4), *colind = INTS(5);
    const bool sparse = rownnz && rowadr && colind;
    if (sparse ? areRows(call, "addM", nv, nv, COUNT(2), rownnz, rowadr, colind, COUNT(5))
               : hasCount(call, "addM", "dst", COUNT(2), (int64_t)nv * nv))
        sn_addM(M, D, A(2), rownnz, rowadr, colind);
}

// Whether a way between samples is one; false with an error.
static bool isInterpolation(Call* call, const char* function, int interp)
{
    if (interp >= -1 && interp <= SN_INTERP_CUBIC) return true;
    call->error.status = SN_STATUS_ARGUMENT;
    snprintf(call->error.message, sizeof call->error.message,
             "%s: interp is %d, must be 0 (zoh), 1 (linear), 2 (cubic), or -1: that of the model", function,
             interp);
    return false;
}

// Numbers of a sample of an actuator.
static int controlsOf(const snModel* m, int actuator)
{
    return m->actuator_ctrlnum[actuator];
}

static void readCtrl(Call* call, int id, double time, int interp)
{
    if (isInterpolation(call, "readCtrl", interp) &&
        hasCount(call, "readCtrl", "result", COUNT(5), controlsOf(M, id)))
        sn_readCtrl(M, D, id, time, interp, A(5));
}

static void readSensor(Call* call, int id, double time, int interp)
{
    if (isInterpolation(call, "readSensor", interp) &&
        hasCount(call, "readSensor", "result", COUNT(5), M->sensor_dim[id]))
        sn_readSensor(M, D, id, time, interp, A(5));
}

// Whether times (which may be None) and values are those of a buffer.
static bool areSamples(Call* call, const char* function, int samples, int dim)
{
    if (A(3) && !hasCount(call, function, "times", COUNT(3), samples)) return false;
    if (N('n') == samples && N('k') == dim) return true;
    call->misshaped = true;
    call->error.status = SN_STATUS_ARGUMENT;
    snprintf(call->error.message, sizeof call->error.message,
             "%s: values must have shape (%d,%d): samples, numbers of each; not (%d,%d)", function, samples,
             dim, N('n'), N('k'));
    return false;
}

static void initCtrlHistory(Call* call, int id)
{
    if (M->actuator_historyadr[id] < 0 ||
        areSamples(call, "initCtrlHistory", M->actuator_history[2 * id], controlsOf(M, id)))
        sn_initCtrlHistory(M, D, id, A(3), A(4), &call->error);
}

static void initSensorHistory(Call* call, int id, double phase)
{
    if (M->sensor_historyadr[id] < 0 ||
        areSamples(call, "initSensorHistory", M->sensor_history[2 * id], M->sensor_dim[id]))
        sn_initSensorHistory(M, D, id, A(3), A(4), phase, &call->error);
}

static void euler2Quat(Call* call, double quat[4], const double euler[3], const char* seq)
{
    if (sn_euler2Quat(quat, euler, seq)) return;
    call->error.status = SN_STATUS_ARGUMENT;
    snprintf(call->error.message, sizeof call->error.message,
             "euler2Quat: seq must be three of x, y, z, X, Y, Z, not '%.40s'", seq);
}

static void loopSolveBy(Call* call, int solution, const double* force, double* qacc, double* lambda)
{
    call->error.status = sn_loopSolveBy(call->m, call->d, (snLoopSolution)solution, force, qacc, lambda);
    if (call->error.status == SN_STATUS_ARGUMENT)
        snprintf(call->error.message, sizeof call->error.message,
                 "loopSolveBy: solution is %d, must be 1, 2 or 3", solution);
    if (call->error.status == SN_STATUS_NO_MEMORY)
        snprintf(call->error.message, sizeof call->error.message,
                 "loopSolveBy: the arena is full; give the model more memory by <size memory>");
}

static void resetDataDebug(Call* call, int value)
{
    if (value >= 0 && value <= 255) {
        sn_resetDataDebug(call->m, call->d, (uint8_t)value);
        return;
    }
    call->error.status = SN_STATUS_ARGUMENT;
    snprintf(call->error.message, sizeof call->error.message,
             "resetDataDebug: debug_value is %d, must be a byte, 0 to 255", value);
}

// The members of properties as an array [10].
static void loopProperties(Call* call, int cluster, double* out)
{
    snLoopProperties p;
    sn_loopProperties(call->m, call->d, cluster, &p);
    const double values[10] = {p.n,     p.nc,   p.r,        p.mobility,  p.redundancy,
                               p.nloop, p.ntot, p.gruebler, p.condition, p.error};
    memcpy(out, values, sizeof values);
}

// out: error, loop, positions looked at.
static void assemble(Call* call, const uint8_t* fixed, int seeds, int64_t seed, int iterations,
                     double tolerance, double out[3])
{
    snAssembly a;
    sn_defaultAssembly(&a);
    a.fixed = fixed;
    a.seeds = seeds;
    a.seed = (uint64_t)seed;
    a.iterations = iterations;
    a.tolerance = tolerance;
    sn_assemble(call->m, call->d, &a, &call->error);
    out[0] = a.error;
    out[1] = a.loop;
    out[2] = a.niter;
}

// What a function of dynamics.h returned.
static void alone(Call* call, const char* function, snStatus status)
{
    call->error.status = status;
    if (status != SN_STATUS_OK)
        snprintf(call->error.message, sizeof call->error.message,
                 "%s: the arena is full; give the model more memory by <size memory>", function);
}

static void massMatrix(Call* call, const double* qpos, double* qM, double* qLD, double* qLDiagInv)
{
    if (!qLD == !qLDiagInv) {
        alone(call, "massMatrix", sn_massMatrix(call->m, call->d, qpos, qM, qLD, qLDiagInv));
        return;
    }
    call->error.status = SN_STATUS_ARGUMENT;
    snprintf(call->error.message, sizeof call->error.message,
             "massMatrix: give both of qLD and qLDiagInv, or neither");
}

// How many forces sn_loopInverse finds.
static int inverseForces(const Call* call, const uint8_t* actuated)
{
    int count = actuated ? 0 : call->m->nout;
    for (int i = 0; actuated && i < call->m->nv; i++) count += actuated[i] != 0;
    return count;
}

// out: rank, kernel, underactuated, redundant, residual, inconsistency.
static void loopInverse(Call* call, const uint8_t* actuated, const double* weight, int project, double* u,
                        double* tau, double* G_u, double* out)
{
    const int ny = sn_loopMobility(call->m, call->d), p = inverseForces(call, actuated);
    if (N('n') < p) {
        call->error.status = SN_STATUS_ARGUMENT;
        snprintf(call->error.message, sizeof call->error.message,
                 "loopInverse: u has %d numbers, must have %d, one for each actuated dof or actuator", N('n'),
                 p);
        return;
    }
    // positions that have changed since the last forward may have another mobility
    double* own = malloc(((size_t)p * (size_t)call->m->nv + 1) * sizeof *own);
    snLoopInverse inverse = {
        .actuated = actuated, .weight = weight, .project = project, .u = u, .tau = tau, .G_u = own};
    if (!own) {
        call->error.status = SN_STATUS_NO_MEMORY;
        snprintf(call->error.message, sizeof call->error.message, "loopInverse: out of memory");
        return;
    }
    if (sn_loopInverse(call->m, call->d, &inverse, &call->error) == SN_STATUS_OK && inverse.ny == ny)
        memcpy(G_u, own, (size_t)p * (size_t)ny * sizeof *own);
    free(own);
    if (!call->error.status && inverse.ny != ny) {
        call->error.status = SN_STATUS_ARGUMENT;
        snprintf(call->error.message, sizeof call->error.message,
                 "loopInverse: the loops have changed since the last forward, call that first");
    }
    const double values[6] = {inverse.rank,      inverse.kernel,   inverse.underactuated,
                              inverse.redundant, inverse.residual, inverse.inconsistency};
    memcpy(out, values, sizeof values);
}

// lambda in the order of the rows of K.
static void loopSparse(Call* call, const double* tau, double* qacc, double* lambda)
{
    const snData* d = call->d;
    snSparseDynamics* s = sn_makeSparseDynamics(call->m, &call->error);
    double* rows = s ? malloc(((size_t)sn_sparseRowsMax(s) + 1) * sizeof *rows) : NULL;
    if (s && !rows) {
        call->error.status = SN_STATUS_NO_MEMORY;
        snprintf(call->error.message, sizeof call->error.message, "loopSparse: out of memory");
    }
    if (rows && sn_sparseDynamics(s, call->m, d, tau, qacc, rows, &call->error) == SN_STATUS_OK)
        for (int l = 0; l < d->nclosure; l++) {
            const int row = sn_sparseLoopRow(s, d->closure_id[l]), count = d->closure_rownum[l];
            for (int r = 0; r < count; r++) lambda[d->closure_rowadr[l] + r] = row < 0 ? 0 : rows[row + r];
        }
    free(rows);
    sn_deleteSparseDynamics(s);
}

// out: unknowns, rows, dependent, refinements, nonzeros.
static void loopSparseCount(Call* call, double out[5])
{
    snSparseDynamics* s = sn_makeSparseDynamics(call->m, &call->error);
    double* qacc = s ? malloc(((size_t)call->m->nv + 1) * sizeof *qacc) : NULL;
    if (s && !qacc) {
        call->error.status = SN_STATUS_NO_MEMORY;
        snprintf(call->error.message, sizeof call->error.message, "loopSparseCount: out of memory");
    }
    if (qacc && sn_sparseDynamics(s, call->m, call->d, NULL, qacc, NULL, &call->error) == SN_STATUS_OK) {
        const snSparseCount count = sn_sparseCount(s);
        const double values[5] = {count.unknowns, count.rows, count.dependent, count.refinements,
                                  (double)count.nonzeros};
        memcpy(out, values, sizeof values);
    }
    free(qacc);
    sn_deleteSparseDynamics(s);
}

// out: A, B, C, D; members may be NULL.
static void transitionFD(Call* call, double eps, int centered, const Arg out[4])
{
    snDifferenceThreads threads;
    if (!makeDifferenceThreads(call, &threads)) return;
    sn_transitionFD(call->m, call->d, eps, centered, out[0].array, out[1].array, out[2].array, out[3].array,
                    &threads, &call->error);
    freeDifferenceThreads(&threads);
}

// out: forces by q, v, a, sensors by q, v, a, inertia by q; members may be NULL.
static void inverseFD(Call* call, double eps, int actuation, const Arg out[7])
{
    snDifferenceThreads threads;
    if (!makeDifferenceThreads(call, &threads)) return;
    sn_inverseFD(call->m, call->d, eps, actuation, out[0].array, out[1].array, out[2].array, out[3].array,
                 out[4].array, out[5].array, out[6].array, &threads, &call->error);
    freeDifferenceThreads(&threads);
}

// in: x, u, qfrc, xfrc, which may be NULL; out: next, sensor.
static void stepJVP(Call* call, const Arg in[4], double* next, double* sensor)
{
    const snStepTangent tangent = {in[0].array, in[1].array, in[2].array, in[3].array};
    sn_stepJVP(call->m, call->d, &tangent, next, sensor, &call->error);
}

// The arrays whose bits are set in `wanted`, in their order, side by side in flat; NULL: none.
static const snModelGradient* placeGradient(const snModel* m, int wanted, int setconst, double* flat,
                                            snModelGradient* place)
{
    int bit = 0;
    *place = (snModelGradient){.setconst = setconst};
#define X(name, rows, columns, meaning)                                                                      \
    if (wanted >> bit++ & 1) {                                                                               \
        place->name = flat;                                                                                  \
        if (flat) flat += (size_t)(rows) * (columns);                                                        \
    }
    SN_MODEL_GRADIENT(X, m)
#undef X
    return wanted && flat ? place : NULL;
}

// out: x, u, qfrc, xfrc, which may be NULL.
static void stepVJP(Call* call, const double* next, const double* sensor, const Arg out[4],
                    const snModelGradient* model)
{
    const snStepGradient gradient = {out[0].array, out[1].array, out[2].array, out[3].array, model};
    sn_stepVJP(call->m, call->d, next, sensor, &gradient, &call->error);
}

// in: ctrl, qfrc_applied, gradients by states, by the last one, by sensors; out: x, ctrl, qfrc, xfrc.
static void rolloutGradient(Call* call, int checkpoints, const Arg in[5], const Arg out[4],
                            const snModelGradient* model)
{
    const snRollout rollout = {.nstep = N('n'),
                               .ctrl = in[0].array,
                               .qfrc_applied = in[1].array,
                               .gradient_x = in[2].array,
                               .gradient_end = in[3].array,
                               .gradient_sensor = in[4].array,
                               .checkpoints = checkpoints};
    snRolloutGradient gradient = {
        .x = out[0].array, .ctrl = out[1].array, .qfrc = out[2].array, .xfrc = out[3].array, .model = model};
    sn_rolloutGradient(call->m, call->d, &rollout, &gradient, &call->error);
}

// X(name, signature, call, doc)
// clang-format off
#define STAGE(X, name, doc) X(name, "m d", sn_##name(M, D), doc)
#define INVERSE(X, name, doc) X(name, "m d", if (hasInverse(call, #name)) sn_##name(M, D), doc)
#define FUNCTIONS(X) \
    X(step, "m d nstep:int=1", step(call, I(2)), "Advance the simulation by nstep time steps.") \
    STAGE(X, step1, "First half of a step: everything that does not depend on controls and forces.") \
    STAGE(X, step2, "Second half of a step: forces, acceleration, integration.") \
    STAGE(X, forward, "Everything but the time step: acceleration and all that leads to it.") \
    X(forwardSkip, "m d skipstage:int skipsensor:int", sn_forwardSkip(M, D, I(2), I(3)), \
      "As forward, from a stage on; optionally without sensors.") \
    STAGE(X, fwdPosition, "All that depends on position.") \
    STAGE(X, fwdVelocity, "All that depends on velocity.") \
    STAGE(X, fwdActuation, "Actuator forces.") \
    STAGE(X, fwdAcceleration, "Smooth forces, and the acceleration without constraints.") \
    STAGE(X, fwdConstraint, "Constraint forces and the acceleration.") \
    STAGE(X, Euler, "Integrate by semi-implicit Euler.") \
    STAGE(X, RungeKutta, "Integrate by Runge-Kutta of order 4.") \
    STAGE(X, implicit, "Integrate implicitly in velocity.") \
    INVERSE(X, inverse, "Inverse dynamics: the force that gives qacc.") \
    X(inverseSkip, "m d skipstage:int skipsensor:int", \
      if (hasInverse(call, "inverseSkip")) sn_inverseSkip(M, D, I(2), I(3)), \
      "As inverse, from a stage on; optionally without sensors.") \
    INVERSE(X, invConstraint, "Constraint forces that go with qacc.") \
    INVERSE(X, compareFwdInv, "Norms of the difference between forward and inverse dynamics.") \
    X(smoothVel, "m d flg_bias:int", sn_smoothVel(M, D, I(2)), \
      "Derivative of the smooth forces by velocity.") \
    STAGE(X, checkPos, "Look for bad numbers in qpos; reset when there are any.") \
    STAGE(X, checkVel, "Look for bad numbers in qvel; reset when there are any.") \
    STAGE(X, checkAcc, "Look for bad numbers in qacc; reset when there are any.") \
    STAGE(X, kinematics, "Poses of bodies, joints, geoms and sites.") \
    STAGE(X, camlight, "Poses of cameras and lights.") \
    STAGE(X, comPos, "Centres of mass, motion axes and inertias about them.") \
    STAGE(X, crb, "Joint-space inertia, by composite rigid bodies.") \
    STAGE(X, flex, "Vertices of flexes, boxes of their elements, lengths of their edges.") \
    STAGE(X, tendon, "Paths of tendons, their lengths and moment arms.") \
    STAGE(X, makeM, "Joint-space inertia, with what moves with tendons.") \
    STAGE(X, factorM, "L'DL factor of the inertia.") \
    STAGE(X, transmission, "Actuator lengths and moment arms.") \
    STAGE(X, comVel, "Body velocities and rates of motion axes.") \
    X(tenJ, "m d J:w(ntendon,nv)", sn_tenJ(M, D, A(2)), "The moment arms of tendons as a dense array.") \
    STAGE(X, tendonVelocity, "Tendon velocities.") \
    STAGE(X, flexVelocity, "Rates of the lengths of edges of flexes.") \
    STAGE(X, actuatorVelocity, "Actuator velocities.") \
    STAGE(X, passive, "Springs, dampers, gravity compensation, fluid.") \
    X(rne, "m d flg_acc:int result:w(nv)", sn_rne(M, D, I(2), A(3)), \
      "Recursive Newton-Euler: M qacc (if flg_acc, armature left out) + bias.") \
    X(bodyPoses, "m d qpos:r(nq) xpos:w(nbody,3) xmat:w(nbody,9)", \
      alone(call, "bodyPoses", sn_bodyPoses(M, D, A(2), A(3), A(4))), \
      "Poses of all bodies at given positions; of the data scratch alone is used.") \
    X(inverseDynamics, "m d qpos:r(nq) qvel:r(nv) qacc:r(nv) tau:w(nv)", \
      alone(call, "inverseDynamics", sn_inverseDynamics(M, D, A(2), A(3), A(4), A(5))), \
      "Inverse dynamics of the tree at a given state: M qacc (with armature) + bias.") \
    X(massMatrix, "m d qpos:r(nq) qM:w(nM) qLD:w?(nLD) qLDiagInv:w?(nv)", \
      massMatrix(call, A(2), A(3), A(4), A(5)), \
      "Joint-space inertia at given positions and, unless None, its factor, laid out as those of the data.") \
    X(tendonBias, "m d result:w(nv)", sn_tendonBias(M, D, A(2)), \
      "Adds the part of the bias that goes with the inertia of tendons.") \
    STAGE(X, rnePostConstraint, "Body accelerations and forces, constraints included.") \
    STAGE(X, collision, "Find contacts.") \
    STAGE(X, makeConstraint, "Constraint rows.") \
    STAGE(X, referenceConstraint, "Velocities and reference accelerations of the rows.") \
    X(constraintUpdate, "m d jar:r(nefc) cost:w?(1)", sn_constraintUpdate(M, D, A(2), A(3)), \
      "States and forces of the rows from jar = J qacc - aref, and their cost.") \
    X(efcJ, "m d J:w(nefc,nv)", sn_efcJ(M, D, A(2)), "The constraint Jacobian as a dense array.") \
    X(mulJacVec, "m d res:w(nefc) vec:r(nv)", sn_mulJacVec(M, D, A(2), A(3)), "result = J vec.") \
    X(mulJacTVec, "m d res:w(nv) vec:r(nefc)", sn_mulJacTVec(M, D, A(2), A(3)), "result = J' vec.") \
    X(loopK, "m d K:w(nlooprow,nv)", sn_loopK(M, D, A(2)), "K of closed loops as a dense array.") \
    X(loopG, "m d G:w(nv,ny)", sn_loopG(M, D, A(2)), "G of closed loops as a dense array.") \
    X(loopMobility, "m d -> int", call->result_int = sn_loopMobility(M, D), \
      "Mobility of the model: nv less the rank of its closed loops.") \
    X(loopName, "m id:int -> str", call->result_str = sn_loopName(M, I(1)), \
      "Name of a loop by its id in closure_id; empty when it has none.") \
    X(loopForceOf, "m d closure:int result:w(6)", sn_loopForceOf(M, D, I(2), A(3)), \
      "Torque and force of a loop on its successor.") \
    X(loopSolveBy, "m d solution:int force:r?(nv) qacc:w(nv) lambda_:w(nlooprow)", \
      loopSolveBy(call, I(2), A(3), A(4), A(5)), \
      "Acceleration and loop forces under a force (None: qfrc_smooth), by one of the three solutions.") \
    X(loopProperties, "m d cluster:int out:w(10)", loopProperties(call, I(2), A(3)), \
      "Properties of a cluster of loops, or with -1 of the whole model.") \
    X(assemble, "m d fixed:rb?(nv) seeds:int seed:int64 iterations:int tolerance:float out:w(3)", \
      assemble(call, BYTES(2), I(3), call->args[4].i64, I(5), F(6), A(7)), \
      "Close all loops near the positions of the data; out: error, loop, positions looked at.") \
    X(loopIndependent, "m d independent:rb(nv) G:w(nv,ny) g:w(nv)", \
      sn_loopIndependent(M, D, BYTES(2), A(3), A(4), &call->error), \
      "G and g of closed loops for independent dofs of the caller's choice.") \
    X(loopInverse, "m d actuated:rb?(nv) u:w(n) weight:r?(n) project:int tau:w(nv) G_u:w(n,ny) out:w(6)", \
      loopInverse(call, BYTES(2), A(4), I(5), A(3), A(6), A(7), A(8)), \
      "Forces of given dofs, or of the actuators, that produce qacc in spite of the loops.") \
    X(loopSparse, "m d tau:r?(nv) qacc:w(nv) lambda_:w(nlooprow)", loopSparse(call, A(2), A(3), A(4)), \
      "Accelerations and loop forces by the sparse method in maximal coordinates.") \
    X(loopSparseCount, "m d out:w(5)", loopSparseCount(call, A(2)), \
      "Sizes of the sparse method's matrix and factor.") \
    X(transitionFD, \
      "m d eps:float flg_centered:int A:w?(nx,nx) B:w?(nx,nu) C:w?(nsensordata,nx) D:w?(nsensordata,nu)", \
      transitionFD(call, F(2), I(3), call->args + 4), \
      "Derivatives of a step by finite differences: next state by state and control, sensors by the same.") \
    X(transitionDerivative, "m d A:w?(nx,nx) B:w?(nx,nu) C:w?(nsensordata,nx) D:w?(nsensordata,nu)", \
      sn_transitionDerivative(M, D, A(2), A(3), A(4), A(5), &call->error), \
      "Derivatives of a step, exact: next state by state and control, sensors by the same.") \
    X(stepJVP, \
      "m d x:r?(nx) u:r?(nu) qfrc:r?(nv) xfrc:r?(nbody,6) next:w?(nx) sensor:w?(nsensordata)", \
      stepJVP(call, call->args + 2, A(6), A(7)), \
      "How the next state and the sensors change along a direction of state, control and applied forces.") \
    X(stepVJP, \
      "m d wanted:int setconst:int next:r?(nx) sensor:r?(nsensordata) x:w?(nx) u:w?(nu) qfrc:w?(nv) " \
      "xfrc:w?(nbody,6) model:w?(parameters)", \
      stepVJP(call, A(4), A(5), call->args + 6, \
              placeGradient(M, I(2), I(3), A(10), &(snModelGradient){0})), \
      "Gradient by state, control, applied forces and model of what has a gradient by next state and sensors.") \
    X(rolloutGradient, \
      "m d wanted:int setconst:int checkpoints:int ctrl:r(n,nu) qfrc_applied:r?(n,nv) gradient_x:r?(n,nx) gradient_end:r?(nx) " \
      "gradient_sensor:r?(n,nsensordata) x:w?(nx) u:w?(n,nu) qfrc:w?(n,nv) xfrc:w?(n,nbody,6) " \
      "model:w?(parameters)", \
      rolloutGradient(call, I(4), call->args + 5, call->args + 10, \
                      placeGradient(M, I(2), I(3), A(14), &(snModelGradient){0})), \
      "Gradient of a loss over many steps by the first state, controls, applied forces and model.") \
    X(inverseFD, \
      "m d eps:float flg_actuation:int DfDq:w?(nv,nv) DfDv:w?(nv,nv) DfDa:w?(nv,nv) DsDq:w?(nv,nsensordata) " \
      "DsDv:w?(nv,nsensordata) DsDa:w?(nv,nsensordata) DmDq:w?(nv,nM)", \
      inverseFD(call, F(2), I(3), call->args + 4), \
      "Derivatives of inverse dynamics by finite differences, a row a variable.") \
    X(subQuatDerivative, "qa:r(4) qb:r(4) Da:w?(9) Db:w?(9)", sn_subQuatDerivative(A(0), A(1), A(2), A(3)), \
      "Derivatives of subQuat by rotations of qa and qb in their own frames.") \
    X(quatIntegrateDerivative, "vel:r(3) scale:float Dquat:w?(9) Dvel:w?(9) Dscale:w?(3)", \
      sn_quatIntegrateDerivative(A(0), F(1), A(2), A(3), A(4)), \
      "Derivatives of the rotation that integrateQuat ends in.") \
    STAGE(X, sensorPos, "Sensors that depend on position.") \
    STAGE(X, sensorVel, "Sensors that depend on velocity.") \
    STAGE(X, sensorAcc, "Sensors that depend on acceleration.") \
    STAGE(X, energyPos, "Potential energy.") \
    STAGE(X, energyVel, "Kinetic energy.") \
    STAGE(X, subtreeVel, "Velocity and angular momentum of subtrees.") \
    STAGE(X, setConst, "Recompute what the model stores about qpos0. Writes the data.") \
    STAGE(X, resetData, "Back to qpos0 at time 0.") \
    X(resetDataKeyframe, "m d key:int", sn_resetDataKeyframe(M, D, I(2)), \
      "Reset, then the state of a keyframe; a plain reset when there is no such key.") \
    X(fullM, "m M:r(nM) dense:w(nv,nv)", sn_fullM(M, A(1), A(2)), "Dense inertia from the layout of qM.") \
    X(mulM, "m d res:w(nv) vec:r(nv)", sn_mulM(M, D, A(2), A(3)), "result = M vec.") \
    X(solveM, "m d x:w(n,nv) y:r(n,nv)", sn_solveM(M, D, A(2), A(3), N('n')), "x = inv(M) y, row by row.") \
    X(solveM2, "m d x:w(n,nv) y:r(n,nv)", sn_solveM2(M, D, A(2), A(3), N('n')), \
      "Half solve: x x' = y inv(M) y'.") \
    X(mulM2, "m d res:w(nv) vec:r(nv)", sn_mulM2(M, D, A(2), A(3)), "result = sqrt(D) L vec.") \
    X(jacDot, "m d jacp:w?(3,nv) jacr:w?(3,nv) point:r(3) body:index(nbody)", \
      sn_jacDot(M, D, A(2), A(3), A(4), I(5)), "Rates of the Jacobians of a world point fixed in a body.") \
    X(angmomMat, "m d mat:w(3,nv) body:index(nbody)", sn_angmomMat(M, D, A(2), I(3)), \
      "Matrix from qvel to the angular momentum of a subtree.") \
    X(jac, "m d jacp:w?(3,nv) jacr:w?(3,nv) point:r(3) body:index(nbody)", \
      sn_jac(M, D, A(2), A(3), A(4), I(5)), "Jacobians of a world point fixed in a body.") \
    X(jacBody, "m d jacp:w?(3,nv) jacr:w?(3,nv) body:index(nbody)", sn_jacBody(M, D, A(2), A(3), I(4)), \
      "Jacobians of a body's origin.") \
    X(jacBodyCom, "m d jacp:w?(3,nv) jacr:w?(3,nv) body:index(nbody)", \
      sn_jacBodyCom(M, D, A(2), A(3), I(4)), "Jacobians of a body's centre of mass.") \
    X(jacSubtreeCom, "m d jacp:w(3,nv) body:index(nbody)", sn_jacSubtreeCom(M, D, A(2), I(3)), \
      "Jacobian of a subtree's centre of mass.") \
    X(jacGeom, "m d jacp:w?(3,nv) jacr:w?(3,nv) geom:index(ngeom)", sn_jacGeom(M, D, A(2), A(3), I(4)), \
      "Jacobians of a geom's origin.") \
    X(jacSite, "m d jacp:w?(3,nv) jacr:w?(3,nv) site:index(nsite)", sn_jacSite(M, D, A(2), A(3), I(4)), \
      "Jacobians of a site's origin.") \
    X(jacPointAxis, "m d jacPoint:w?(3,nv) jacAxis:w?(3,nv) point:r(3) axis:r(3) body:index(nbody)", \
      sn_jacPointAxis(M, D, A(2), A(3), A(4), A(5), I(6)), "Jacobians of a point and an axis fixed in a body.") \
    X(rneDerivative, "m d qacc:r(nv) Dq:w?(nv,nv) Dv:w?(nv,nv) M:w?(nv,nv)", \
      sn_rneDerivative(M, D, A(2), A(3), A(4), A(5), &call->error), \
      "Derivatives of inverse dynamics by position, velocity and acceleration.") \
    X(forwardDynamicsDerivative, "m d qacc:r?(nv) Dq:w?(nv,nv) Dv:w?(nv,nv) Dtau:w?(nv,nv)", \
      sn_forwardDynamicsDerivative(M, D, A(2), A(3), A(4), A(5), &call->error), \
      "Derivatives of the acceleration without constraints by position, velocity and force (qacc None: qacc_smooth).") \
    X(inverseInertia, "m d Minv:w(nv,nv)", sn_inverseInertia(M, D, A(2)), "Inverse of the inertia, dense.") \
    X(gravityDerivative, "m d Dq:w(nv,nv)", sn_gravityDerivative(M, D, A(2)), \
      "Derivative of the gravity force by position.") \
    X(inertialParameters, "m pi:w(nbody,10)", sn_inertialParameters(M, A(1)), \
      "Mass, first moment and inertia about its origin of each body, in its axes.") \
    X(rneRegressor, "m d qacc:r(nv) Y:w(nv,nbody,10)", sn_rneRegressor(M, D, A(2), A(3), &call->error), \
      "Regressor of inverse dynamics: M qacc + bias = Y pi + armature qacc.") \
    X(energyRegressor, "m d kinetic:w?(nbody,10) potential:w?(nbody,10)", sn_energyRegressor(M, D, A(2), A(3)), \
      "Regressors of kinetic energy and of the potential energy of gravity.") \
    X(energyDerivative, "m d potential_q:w?(nv) kinetic_q:w?(nv) kinetic_v:w?(nv)", \
      sn_energyDerivative(M, D, A(2), A(3), A(4), &call->error), \
      "Derivatives of potential energy by position, of kinetic energy by position and velocity.") \
    X(centroidalMomentum, "m d body:index(nbody) A:w?(6,nv) h:w?(6)", sn_centroidalMomentum(M, D, I(2), A(3), A(4)), \
      "Momentum of a subtree about its centre of mass, and the matrix from qvel to it.") \
    X(centroidalDerivative, \
      "m d body:index(nbody) qacc:r?(nv) h_q:w?(6,nv) hdot_q:w?(6,nv) hdot_v:w?(6,nv) hdot:w?(6)", \
      sn_centroidalDerivative(M, D, I(2), A(3), A(4), A(5), A(6), A(7), &call->error), \
      "Derivatives of that momentum and of its rate by position and velocity.") \
    X(subtreeComHessian, "m d body:index(nbody) H:w(3,nv,nv)", sn_subtreeComHessian(M, D, I(2), A(3)), \
      "Second derivative of a subtree's centre of mass by position.") \
    X(objectVelocity, "m d objtype:int objid:index(object) res:w(6) flg_local:int", \
      sn_objectVelocity(M, D, I(2), I(3), A(4), I(5)), "Velocity of an object, rotation first.") \
    X(objectAcceleration, "m d objtype:int objid:index(object) res:w(6) flg_local:int", \
      sn_objectAcceleration(M, D, I(2), I(3), A(4), I(5)), "Acceleration of an object, rotation first.") \
    X(objectPoseDerivative, "m d objtype:int objid:index(object) point:r?(3) flg_local:int jacp:w?(3,nv) " \
      "jacr:w?(3,nv) Hp:w?(3,nv,nv) Hr:w?(3,nv,nv)", \
      sn_objectPoseDerivative(M, D, I(2), I(3), A(4), I(5), A(6), A(7), A(8), A(9), &call->error), \
      "First and second derivatives of position and orientation of an object, or of a world point fixed in it.") \
    X(objectVelocityDerivative, "m d objtype:int objid:index(object) point:r?(3) flg_local:int q:w?(6,nv) " \
      "v:w?(6,nv)", \
      sn_objectVelocityDerivative(M, D, I(2), I(3), A(4), I(5), A(6), A(7), &call->error), \
      "Derivatives of the velocity of an object, or of a world point fixed in it, by position and velocity.") \
    X(objectAccelerationDerivative, "m d objtype:int objid:index(object) point:r?(3) flg_local:int " \
      "flg_gravity:int q:w?(6,nv) v:w?(6,nv) a:w?(6,nv)", \
      sn_objectAccelerationDerivative(M, D, I(2), I(3), A(4), I(5), I(6), A(7), A(8), A(9), &call->error), \
      "Derivatives of the acceleration of an object, or of a world point fixed in it, by position, velocity and " \
      "acceleration.") \
    X(contactForce, "m d id:index(ncon) result:w(6)", sn_contactForce(M, D, I(2), A(3)), \
      "Force and torque of a contact in its frame.") \
    X(applyFT, "m d force:r?(3) torque:r?(3) point:r(3) body:index(nbody) qfrc_target:w(nv)", \
      sn_applyFT(M, D, A(2), A(3), A(4), I(5), A(6)), \
      "Add the generalized force of a force and a torque at a world point of a body.") \
    X(geomDistance, "m d geom1:index(ngeom) geom2:index(ngeom) distmax:float fromto:w?(6) -> float", \
      call->result_float = sn_geomDistance(M, D, I(2), I(3), F(4), A(5)), \
      "Signed distance of two geoms, distmax if it is larger, and the segment that spans it.") \
    X(ray, "m d pnt:r(3) vec:r(3) geomgroup:rb?(6) flg_static:int bodyexclude:int geomid:wi?(1) -> float", \
      call->result_float = sn_ray(M, D, A(2), A(3), BYTES(4), I(5), I(6), INTS(7)), \
      "Distance in units of vec to the nearest visible geom; -1: none.") \
    X(multiRay, "m d pnt:r(3) vec:r(n,3) geomgroup:rb?(6) flg_static:int bodyexclude:int geomid:wi?(n) dist:w(n) " \
      "nray:int cutoff:float", \
      if (isCount(call, "multiRay", "nray", I(9))) sn_multiRay(M, D, A(2), A(3), BYTES(4), I(5), I(6), INTS(7), A(8), \
                                                               I(9) < N('n') ? I(9) : N('n'), F(10)), \
      "As ray, for many directions from one point.") \
    X(rayMesh, "m d geomid:index(ngeom) pnt:r(3) vec:r(3) -> float", \
      call->result_float = sn_rayMesh(M, D, I(2), A(3), A(4)), \
      "Distance in units of vec to the triangles of a mesh; -1: none.") \
    X(rayHfield, "m d geomid:index(ngeom) pnt:r(3) vec:r(3) -> float", \
      call->result_float = sn_rayHfield(M, D, I(2), A(3), A(4)), \
      "Distance in units of vec to a height field; -1: none.") \
    X(rayFlex, "m d flex_layer:int flg_vert:int flg_edge:int flg_face:int flg_skin:int flexid:int pnt:r(3) " \
      "vec:r(3) vertid:wi?(1) normal:w?(3) -> float", \
      call->result_float = sn_rayFlex(M, D, I(2), I(3) != 0, I(4) != 0, I(5) != 0, I(6) != 0, I(7), A(8), A(9), \
                                      INTS(10), A(11)), \
      "Distance in units of vec to vertices, edges, faces or the skin of a flex; -1: none. vertid gets the vertex " \
      "nearest to the hit, normal the unit normal there.") \
    X(rayNormal, "m d geomid:index(ngeom) pnt:r(3) vec:r(3) x:float normal:w(3)", \
      sn_rayNormal(M, D, I(2), A(3), A(4), F(5), A(6)), \
      "Unit normal, world, of a geom where a ray meets it, at pnt + x vec; zeros if x is negative.") \
    X(rayGeomNormal, "pos:r(3) mat:r(9) size:r(3) pnt:r(3) vec:r(3) geomtype:int x:float normal:w(3)", \
      sn_rayGeomNormal(A(0), A(1), A(2), A(3), A(4), I(5), F(6), A(7)), \
      "As rayNormal, of a shape of a given pose (mat: 3 x 3 by rows) and size.") \
    X(differentiatePos, "m qvel:w(nv) dt:float qpos1:r(nq) qpos2:r(nq)", \
      sn_differentiatePos(M, A(1), F(2), A(3), A(4)), "qvel = (qpos2 - qpos1)/dt.") \
    X(integratePos, "m qpos:w(nq) qvel:r(nv) dt:float", sn_integratePos(M, A(1), A(2), F(3)), \
      "qpos += qvel dt.") \
    X(normalizeQuat, "m qpos:w(nq)", sn_normalizeQuat(M, A(1)), "Normalise all quaternions in qpos.") \
    X(getTotalmass, "m -> float", call->result_float = sn_getTotalmass(M), "Mass of all bodies.") \
    X(setTotalmass, "m newmass:float", sn_setTotalmass(M, F(1)), "Scale masses and inertias to a total mass.") \
    X(local2Global, "m d xpos:w(3) xmat:w(9) pos:r(3) quat:r(4) body:index(nbody) sameframe:int", \
      sn_local2Global(D, A(2), A(3), A(4), A(5), I(6), I(7)), "World pose of a frame fixed in a body.") \
    X(addM, "m d dst:w(n) rownnz:ri?(nv) rowadr:ri?(nv) colind:ri?(n)", addM(call), \
      "Add the lower triangle of the inertia to a dense or sparse matrix.") \
    X(setLengthRange, "m d actuator:index(nactuator) opt:r(10)", setLengthRange(call, I(2), A(3)), \
      "Find the range of length of an actuator.") \
    X(muscleGain, "len:float vel:float lengthrange:r(2) acc0:float prm:r(9) -> float", \
      call->result_float = sn_muscleGain(F(0), F(1), A(2), F(3), A(4)), "Gain of a muscle.") \
    X(muscleBias, "len:float lengthrange:r(2) acc0:float prm:r(9) -> float", \
      call->result_float = sn_muscleBias(F(0), A(1), F(2), A(3)), "Passive force of a muscle.") \
    X(muscleDynamics, "ctrl:float act:float prm:r(3) -> float", \
      call->result_float = sn_muscleDynamics(F(0), F(1), A(2)), "Rate of activation of a muscle.") \
    X(rotVecQuat, "res:w(3) vec:r(3) quat:r(4)", sn_rotVecQuat(A(0), A(1), A(2)), \
      "Vector rotated by a quaternion.") \
    X(negQuat, "res:w(4) quat:r(4)", sn_negQuat(A(0), A(1)), "Conjugate of a quaternion.") \
    X(mulQuat, "res:w(4) quat1:r(4) quat2:r(4)", sn_mulQuat(A(0), A(1), A(2)), "Product of quaternions.") \
    X(mulQuatAxis, "res:w(4) quat:r(4) axis:r(3)", sn_mulQuatAxis(A(0), A(1), A(2)), \
      "Product of a quaternion with (0, axis).") \
    X(axisAngle2Quat, "res:w(4) axis:r(3) angle:float", sn_axisAngle2Quat(A(0), A(1), F(2)), \
      "Quaternion of a rotation about a unit axis.") \
    X(quat2Vel, "res:w(3) quat:r(4) dt:float", sn_quat2Vel(A(0), A(1), F(2)), \
      "Angular velocity that makes a rotation in the time dt.") \
    X(subQuat, "res:w(3) qa:r(4) qb:r(4)", sn_subQuat(A(0), A(1), A(2)), \
      "Rotation vector that leads from qb to qa.") \
    X(quat2Mat, "res:w(9) quat:r(4)", sn_quat2Mat(A(0), A(1)), "Rotation matrix of a quaternion.") \
    X(mat2Quat, "quat:w(4) mat:r(9)", sn_mat2Quat(A(0), A(1)), "Quaternion of a rotation matrix.") \
    X(mat2Rot, "quat:w(4) mat:r(9) -> int", call->result_int = sn_mat2Rot(A(0), A(1)), \
      "Rotation nearest to a matrix, from the rotation quat; returns the iterations.") \
    X(derivQuat, "res:w(4) quat:r(4) vel:r(3)", sn_derivQuat(A(0), A(1), A(2)), "Rate of a quaternion.") \
    X(integrateQuat, "quat:w(4) vel:r(3) scale:float", sn_integrateQuat(A(0), A(1), F(2)), \
      "Turn a quaternion with an angular velocity in its frame.") \
    X(quatZ2Vec, "quat:w(4) vec:r(3)", sn_quatZ2Vec(A(0), A(1)), \
      "Shortest rotation from the z axis to a vector.") \
    X(euler2Quat, "quat:w(4) euler:r(3) seq:str", euler2Quat(call, A(0), A(1), T(2)), \
      "Quaternion of three angles about the axes that seq names.") \
    X(mulPose, "posres:w(3) quatres:w(4) pos1:r(3) quat1:r(4) pos2:r(3) quat2:r(4)", \
      sn_mulPose(A(0), A(1), A(2), A(3), A(4), A(5)), "Product of poses.") \
    X(negPose, "posres:w(3) quatres:w(4) pos:r(3) quat:r(4)", sn_negPose(A(0), A(1), A(2), A(3)), \
      "Opposite of a pose.") \
    X(trnVecPose, "res:w(3) pos:r(3) quat:r(4) vec:r(3)", sn_trnVecPose(A(0), A(1), A(2), A(3)), \
      "Vector seen through a pose.") \
    X(transformSpatial, "res:w(6) vec:r(6) flg_force:int newpos:r(3) oldpos:r(3) rotnew2old:r?(9)", \
      sn_transformSpatial(A(0), A(1), I(2), A(3), A(4), A(5)), \
      "Spatial velocity or force about another point, in other axes.") \
    X(stateSize, "m sig:int -> int", call->result_int = sn_stateSize(M, (unsigned int)I(1)), \
      "Numbers in the parts of the state whose bits are set.") \
    X(getState, "m d state:w(state) sig:int", sn_getState(M, D, A(2), (unsigned int)I(3)), \
      "Copy parts of the state into an array.") \
    X(setState, "m d state:r(state) sig:int", sn_setState(M, D, A(2), (unsigned int)I(3)), \
      "Copy an array into parts of the state.") \
    X(insideSite, "m d site:index(nsite) point:r(3) -> int", call->result_int = sn_insideSite(M, D, I(2), A(3)), \
      "1: a point, world, is in the volume of a site, of a mesh in its convex hull; else 0.") \
    X(readCtrl, "m d actuator:index(nactuator) time:float interp:int result:w(*)", readCtrl(call, I(2), F(3), I(4)), \
      "Control of an actuator as it acts at a time.") \
    X(readSensor, "m d sensor:index(nsensor) time:float interp:int result:w(*)", \
      readSensor(call, I(2), F(3), I(4)), "Output of a sensor as it is shown at a time.") \
    X(initCtrlHistory, "m d actuator:index(nactuator) times:r?(t) values:r(n,k)", initCtrlHistory(call, I(2)), \
      "Fill the history of an actuator: times [n], oldest first, or None: as they are; values [n, controls].") \
    X(initSensorHistory, "m d sensor:index(nsensor) times:r?(t) values:r(n,k) phase:float", \
      initSensorHistory(call, I(2), F(5)), \
      "Fill the history of a sensor: times [n], values [n, its numbers], and say when it was last due (phase).") \
    X(setKeyframe, "m d k:int", sn_setKeyframe(M, D, I(2), &call->error), \
      "Store the state as a keyframe.") \
    X(name2id, "m type:int name:str -> int", call->result_int = sn_name2id(M, I(1), T(2)), \
      "Id of a named element; -1 when there is none.") \
    X(id2name, "m type:int id:int -> str", call->result_str = sn_id2name(M, I(1), I(2)), \
      "Name of an element; None when it has none.") \
    X(objectCount, "m type:int -> int", call->result_int = sn_objectCount(M, I(1)), \
      "How many elements of a kind the model has.") \
    X(printModel, "m filename:str float_format:str", \
      call->error.status = sn_printModel(M, *T(1) ? T(1) : NULL, *T(2) ? T(2) : NULL, &call->error), \
      "Write a model as text; filename \"\": to standard output; float_format as %.6g, \"\": a short one.") \
    X(printData, "m d filename:str float_format:str", \
      call->error.status = sn_printData(M, D, *T(2) ? T(2) : NULL, *T(3) ? T(3) : NULL, &call->error), \
      "Write a data as text; see printModel.") \
    STAGE(X, resetCtrl, "Controls at rest: 0, but of orientation servos that take a quaternion 1 0 0 0.") \
    X(resetDataDebug, "m d debug_value:int", resetDataDebug(call, I(2)), \
      "Reset data to defaults, and fill what stages compute with bytes of one value.") \
    X(noise, "out:w(n) seed:int64 index:int64", \
      sn_noise(A(0), N('n'), (uint64_t)call->args[1].i64, (uint64_t)call->args[2].i64), \
      "Repeatable normal numbers, the same in C, the command and Python.")
// clang-format on

#define FUNCTION_PREFIX ""
#define FUNCTION_BASE 0
enum { FUNCTIONS(FUNCTION_INDEX) };
FUNCTIONS(FUNCTION_WRAPPER)
const FunctionRow function_rows[] = {FUNCTIONS(FUNCTION_ROW)};
const int nfunctions = sizeof function_rows / sizeof function_rows[0];
