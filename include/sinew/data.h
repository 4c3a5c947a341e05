// snData: the state of one simulation and everything computed from it. The tables below are the one place
// where its arrays stand. One snData belongs to one thread at a time; many may share a model.
#ifndef SINEW_DATA_H
#define SINEW_DATA_H

#include <sinew/callback.h>
#include <sinew/model.h>

#ifdef __cplusplus
extern "C" {
#endif

struct snLoopBasis;
struct snThreadPool;

/// A contact point between two geoms, or parts of flexes.
typedef struct snContact {
    double dist;                    ///< distance between the surfaces; negative: penetration
    double pos[3];                  ///< midpoint between the surfaces, world
    double frame[9];                ///< rows: normal from geom[0] to geom[1], then two tangents, world
    double includemargin;           ///< rows exist if dist < it: margin - gap (3.3.7), margin (4.0)
    double friction[5];             ///< tangents (2), spin, rolls (2)
    double solref[SN_NREF];         ///< normal direction
    double solreffriction[SN_NREF]; ///< friction directions; 0 0: as solref
    double solimp[SN_NIMP];
    double mu;            ///< friction of the regularised cone; set by sn_makeConstraint
    int dim;              ///< 1, 3, 4 or 6
    int geom[2];          ///< geom ids; -1: a flex
    int exclude;          ///< 0: has rows, 1: in the gap, 2: fused, 3: no dofs
    int efc_address;      ///< first row; -1: none
    double adhesion;      ///< force by which it can pull along the normal (N)
    double surfacevel[3]; ///< velocity of the surfaces, geom[1] less geom[0], in frame: tangents (2), spin
    double impact;        ///< part of the step after which they meet, of a speculative contact; else 0
    double way;           ///< by how much their distance shrinks until then (m); else 0
    int flex[2];          ///< flex ids; -1: a geom
    int part[2];          ///< of a flex: its element; below 0: -1 - its vertex; of a geom 0
} snContact;

/// Impulses of a constraint that the next step starts from, where contacts are rigid (lcp.h).
typedef struct snImpulse {
    double id[2];  ///< contact: its geoms; else -1 - snConstraintType, and the id of its joint, dof, ...; of
                   ///< an upper limit -1 - id
    double pos[3]; ///< contact: where it is in the frame of its second geom
    double lambda[6]; ///< of its rows (N s, N m s)
} snImpulse;

/// Statistics of one solver iteration.
typedef struct snSolverStat {
    double improvement; ///< cost reduction, scaled by 1/trace(M(qpos0))
    double gradient;    ///< norm of the gradient, same scale
    double lineslope;   ///< slope left by the line search, relative
    int nactive;        ///< active rows
    int nchange;        ///< rows that changed state
    int neval;          ///< line search evaluations
    int nupdate;        ///< rank-one updates of the factor
} snSolverStat;

/// How often a warning was raised since the last reset, and the info of the last time (an index).
typedef struct snWarningStat {
    int lastinfo;
    int number;
} snWarningStat;

/// Time that a stage took since the last reset, in the unit of d->callback.time, and how often it ran.
typedef struct snTimerStat {
    double duration;
    int number;
} snTimerStat;

// clang-format off
// X(type, name, meaning): scalars that change
#define SN_DATA_SCALARS(X) \
    X(double, time,    "simulation time (s)") \
    X(int,    ncon,    "contacts") \
    X(int,    ne,      "equality rows; they come first") \
    X(int,    nf,      "dry friction rows; second") \
    X(int,    nl,      "limit rows; third") \
    X(int,    nefc,    "all constraint rows; contacts last") \
    X(int,    nbroad,  "pairs of bounds that the broad phase of the last collision pass compared") \
    X(int,    nnarrow, "pairs of geoms that it left to be looked at closely") \
    X(int,    nR0,     "numbers in efc_R0: nefc under the integrator discrete, else 0") \
    X(int,    nJ,      "numbers in efc_J") \
    X(int,    nJcol,   "dofs in efc_J_colind") \
    X(int,    nclosure,   "loops that are held exactly: loop joints, then equalities; sn_loopPosition") \
    X(int,    ncluster,   "minimal clusters of them: loops that share dofs") \
    X(int,    nmechanism, "sets of kinematic trees that clusters join") \
    X(int,    nlooprow,   "constraints of all loops, n^c") \
    X(int,    nloopdof,   "dofs in loops") \
    X(int,    nloopK,     "numbers in loop_K") \
    X(int,    nloopG,     "numbers in loop_G") \
    X(int,    nmechdof,   "dofs of mechanisms") \
    X(int,    nmechy,     "independent ones of them") \
    X(int,    nmechH,     "numbers in mechanism_H") \
    X(int,    nmechpad,   "numbers in mechanism_Dinv") \
    X(int,    loop_rank,  "sum of the ranks of all clusters") \
    X(int,    nelasticrow, "numbers in elastic_rowadr: nv + 1 where a step of the integrator discrete has elasticity, else 0") \
    X(int,    nelastic,    "numbers in elastic_value") \
    X(int,    nimpulse, "constraints in d->impulse") \
    X(int,    nAblock, "4x4 blocks of J inv(M) J' that PGS or noslip made; sn_fwdConstraint") \
    X(int,    nasleep,     "kinematic trees that sleep; 0: none, and all counts of awake things are 0, too") \
    X(int,    nstill,      "of them those whose poses stand as they fell asleep and are not computed") \
    X(int,    sleepview,   "1: a view of a data at other positions, in which nobody wakes") \
    X(int,    nbody_run,   "runs of bodies that stages compute, in body_run") \
    X(int,    njnt_run,    "runs of joints, in jnt_run") \
    X(int,    nv_run,      "runs of dofs, in dof_run") \
    X(int,    ngeom_run,   "runs of geoms, in geom_run") \
    X(int,    nsite_run,   "runs of sites, in site_run") \
    X(int,    nsleepgeom,  "geoms of sleepers in sleep_geom") \
    X(int,    meet_flags,  "of what meet_with followed from: whether parents are filtered") \
    X(int,    maxuse_con, "most contacts since the last reset") \
    X(int,    maxuse_efc, "most rows since the last reset") \
    X(int,    solver_niter, "solver iterations of the last solve") \
    X(double, solver_nnz, "numbers in the factors of all islands' Hessians, of the last solve but PGS") \
    X(double, solver_nmul, "multiplications that factoring them once takes") \
    X(double, solver_residual, "scaled gradient where the last solve ended; see sn_fwdConstraint") \
    X(double, solver_residual_max, "the largest since the last reset") \
    X(double, noslip_residual, "force that one more noslip sweep would move, in the same unit") \
    X(double, noslip_residual_max, "the largest since the last reset") \
    X(double, loop_energy, "energy of the springs of loop joints (J), a part of the potential energy") \
    X(double, loop_error, "largest error of position of a loop, |delta| (m or rad)") \
    X(double, loop_error_max, "the largest since the last reset, and by how much the start was open before it was assembled")

// X(maker, pass): who makes a field, `by` in the tables below: the function sn_MAKER, in the order of a step. pass: when that is in
// sn_forward. asked: only where the model or the user asks. kept: never made anew by it, so that a value of the last step may be read:
// what the user, the integrator or sensors (which callbacks may read) set, and work of one function. In builds for tests the
// beginning of a pass takes away what it and later ones make (src/model/made.h).
#define SN_MAKER_TABLE(X) \
    X(user,                kept) \
    X(kinematics,          position) \
    X(comPos,              position) \
    X(camlight,            position) \
    X(flex,                position) \
    X(tendon,              position) \
    X(makeM,               position) \
    X(factorM,             position) \
    X(collision,           position) \
    X(makeConstraint,      position) \
    X(loopPosition,        position) \
    X(transmission,        position) \
    X(tendonVelocity,      velocity) \
    X(flexVelocity,        velocity) \
    X(actuatorVelocity,    velocity) \
    X(comVel,              velocity) \
    X(passive,             velocity) \
    X(loopVelocity,        velocity) \
    X(referenceConstraint, velocity) \
    X(rne,                 velocity) \
    X(fwdActuation,        acceleration) \
    X(smoothVel,           asked) \
    X(implicit,            asked) \
    X(fwdAcceleration,     acceleration) \
    X(fwdConstraint,       acceleration) \
    X(loopForce,           acceleration) \
    X(fwdLcp,              asked) \
    X(subtreeVel,          asked) \
    X(rnePostConstraint,   asked) \
    X(inverse,             asked) \
    X(sensors,             kept) \
    X(work,                kept) \
    X(integration,         kept)

// X(type, name, rows, columns, stage, by, meaning): arrays of constant size, row-major. stage: state, input, pos, vel, acc: what a
// value depends on. "world": world frame; "com": world-aligned axes at the centre of mass of the kinematic tree
// (subtree_com of body_rootid); spatial vectors are angular first.
#define SN_DATA_FIELDS(X) \
    X(double,  qpos,            nq,    1, state, integration, "position") \
    X(double,  qvel,            nv,    1, state, integration, "velocity") \
    X(double,  act,             na,    1, state, integration, "activation") \
    X(double,  plastic,         nplastic, 1, state, integration, "where springs that yield are at rest: joints (as qpos_spring), then tendons (as tendon_lengthspring)") \
    X(double,  history,         nhistory, 1, state, integration, "past controls and sensor outputs, buffer by buffer; see history.h") \
    X(double,  plugin_state,    npluginstate, 1, state, integration, "state of plugins, instance by instance; plugin.h") \
    X(double,  qacc_warmstart,  nv,    1, state, integration, "acceleration that the solver starts from") \
    X(double,  ctrl,            nu,    1, input, user, "control") \
    X(double,  qfrc_applied,    nv,    1, input, user, "applied generalized force") \
    X(double,  xfrc_applied,    nbody, 6, input, user, "force (3) then torque (3) at the body's centre of mass, world") \
    X(uint8_t, eq_active,       neq,   1, input, user, "equality constraint is on") \
    X(double,  mocap_pos,       nmocap, 3, input, user, "position of mocap bodies, world") \
    X(double,  mocap_quat,      nmocap, 4, input, user, "orientation of mocap bodies, world") \
    X(double,  userdata,        nuserdata, 1, input, user, "the user's own numbers") \
    X(int,     tree_asleep,     ntree, 1, state, integration, "below 0: awake, -1 less the steps at rest until it may sleep; else asleep: the next tree of its island, in a ring; docs/sleep.md") \
    X(double,  qacc,            nv,    1, acc, fwdConstraint, "acceleration; set by sn_fwdConstraint") \
    X(double,  qvel_push,       nv,    1, acc, fwdLcp, "velocity that moves qpos in the step and is then forgotten; of rigid contact with stabilise=split") \
    X(double,  act_dot,         na,    1, acc, fwdActuation, "rate of activation") \
    X(double,  sensordata,      nsensordata, 1, acc, sensors, "sensor outputs") \
    X(double,  sensor_sample,   nsensordata, 1, acc, sensors, "outputs as they were measured, of sensors with a history: what the step will keep") \
    X(double,  xpos,            nbody, 3, pos, kinematics, "body origin, world; sn_kinematics") \
    X(double,  xquat,           nbody, 4, pos, kinematics, "body orientation") \
    X(double,  xmat,            nbody, 9, pos, kinematics, "body orientation, matrix to world") \
    X(double,  xipos,           nbody, 3, pos, kinematics, "body centre of mass, world") \
    X(double,  ximat,           nbody, 9, pos, kinematics, "inertial frame, matrix to world") \
    X(double,  xanchor,         njnt,  3, pos, kinematics, "joint anchor, world") \
    X(double,  xaxis,           njnt,  3, pos, kinematics, "joint axis, world") \
    X(double,  geom_xpos,       ngeom, 3, pos, kinematics, "geom origin, world") \
    X(double,  geom_xmat,       ngeom, 9, pos, kinematics, "geom orientation, matrix to world") \
    X(double,  site_xpos,       nsite, 3, pos, kinematics, "site origin, world") \
    X(double,  site_xmat,       nsite, 9, pos, kinematics, "site orientation, matrix to world") \
    X(double,  cam_xpos,        ncam,  3, pos, camlight, "camera origin, world; sn_camlight") \
    X(double,  cam_xmat,        ncam,  9, pos, camlight, "camera orientation, matrix to world") \
    X(double,  light_xpos,      nlight, 3, pos, camlight, "light origin, world") \
    X(double,  light_xdir,      nlight, 3, pos, camlight, "light direction, world") \
    X(double,  subtree_com,     nbody, 3, pos, comPos, "centre of mass of each subtree, world; sn_comPos") \
    X(double,  cdof,            nv,    6, pos, comPos, "motion axis of each dof, com") \
    X(double,  cinert,          nbody, 10, pos, comPos, "body inertia, com: Ixx Iyy Izz Ixy Ixz Iyz, mass * offset (3), mass") \
    X(int,     ten_wrapadr,     ntendon, 1, pos, tendon, "first point of the path in wrap_xpos; sn_tendon") \
    X(int,     ten_wrapnum,     ntendon, 1, pos, tendon, "number of points of the path; fixed tendons: 0") \
    X(double,  ten_length,      ntendon, 1, pos, tendon, "length") \
    X(int,     ten_J_rownnz,    ntendon, 1, pos, tendon, "non-zeros of each row of ten_J") \
    X(int,     ten_J_rowadr,    ntendon, 1, pos, tendon, "where each row starts") \
    X(int,     ten_J_colind,    nJten,   1, pos, tendon, "dof of each non-zero, ascending in a row") \
    X(double,  ten_J,           nJten,   1, pos, tendon, "gradients of the lengths (moment arms), sparse by rows; see sn_tenJ") \
    X(int,     wrap_obj,        nwrap,   2, pos, tendon, "what a point of a path lies on: geom, -1: site, -2: pulley") \
    X(double,  wrap_xpos,       nwrap,   6, pos, tendon, "points of the paths, two a row, world; pulley: 0") \
    X(double,  flexvert_xpos,   nflexvert, 3, pos, flex, "vertices of flexes, world; sn_flex") \
    X(double,  flexelem_aabb,   nflexelem, 6, pos, flex, "boxes of elements without margins: centre, half sizes, world") \
    X(double,  flexedge_length, nflexedge, 1, pos, flex, "length of each edge") \
    X(double,  flexedge_J,      nJfe,  1, pos, flex, "gradients of these lengths, sparse by rows; rows as flexedge_J_rowadr") \
    X(double,  crb,             nbody, 10, pos, makeM, "composite inertia of each subtree, as cinert; sn_crb") \
    X(double,  qM,              nM,    1, pos, makeM, "joint-space inertia; row i at dof_Madr: M(i,i), M(i,parent), ...") \
    X(double,  qLD,             nLD,   1, pos, factorM, "L'DL factor of qM, rows at dof_LDadr, D on the diagonal; sn_factorM") \
    X(double,  qLDiagInv,       nv,    1, pos, factorM, "1/D") \
    X(double,  actuator_length, nout,  1, pos, transmission, "actuator length; sn_transmission") \
    X(int,     moment_rownnz,   nout,  1, pos, transmission, "non-zeros of each row of moment arms") \
    X(int,     moment_rowadr,   nout,  1, pos, transmission, "where each row starts") \
    X(int,     moment_colind,   nJmom, 1, pos, transmission, "dof of each non-zero") \
    X(double,  actuator_moment, nJmom, 1, pos, transmission, "moment arms, sparse by rows") \
    X(double,  ten_velocity,    ntendon, 1, vel, tendonVelocity, "velocity; sn_tendonVelocity") \
    X(double,  flexedge_velocity, nflexedge, 1, vel, flexVelocity, "rate of flexedge_length; sn_flexVelocity") \
    X(double,  actuator_velocity, nout,  1, vel, actuatorVelocity, "actuator velocity; sn_fwdVelocity") \
    X(double,  cvel,            nbody, 6, vel, comVel, "body velocity, com; sn_comVel") \
    X(double,  cdof_dot,        nv,    6, vel, comVel, "rate of cdof, com") \
    X(double,  qfrc_bias,       nv,    1, vel, rne, "Coriolis, centrifugal and gravity force; sn_rne") \
    X(double,  qfrc_spring,     nv,    1, vel, passive, "spring force; sn_passive") \
    X(double,  qfrc_damper,     nv,    1, vel, passive, "damper force") \
    X(double,  qfrc_gravcomp,   nv,    1, vel, passive, "gravity compensation") \
    X(double,  qfrc_fluid,      nv,    1, vel, passive, "fluid force") \
    X(double,  qfrc_adhesion,   nv,    1, vel, passive, "attraction of contacts with adhesion") \
    X(double,  qfrc_passive,    nv,    1, vel, passive, "all passive forces") \
    X(double,  subtree_linvel,  nbody, 3, vel, subtreeVel, "velocity of each subtree's centre of mass, world; sn_subtreeVel") \
    X(double,  subtree_angmom,  nbody, 3, vel, subtreeVel, "angular momentum of each subtree about its centre of mass, world") \
    X(double,  actuator_force,  nout,    1, acc, fwdActuation, "actuator force; sn_fwdActuation") \
    X(double,  qfrc_actuator,   nv,    1, acc, fwdActuation, "actuator force on the dofs") \
    X(double,  qfrc_smooth,     nv,    1, acc, fwdAcceleration, "all forces but the constraints'; sn_fwdAcceleration") \
    X(double,  qacc_smooth,     nv,    1, acc, fwdAcceleration, "acceleration without constraints") \
    X(double,  qfrc_constraint, nv,    1, acc, fwdConstraint, "constraint force J'f; sn_fwdConstraint") \
    X(double,  qH,              nLD,   1, acc, implicit, "factor of the modified inertia of the implicit step") \
    X(double,  qHDiagInv,       nv,    1, acc, implicit, "1/D of qH") \
    X(double,  qMstep,          nM,    1, acc, implicit, "of the integrator discrete: M + h D + h^2 K as far as it has places in qM, as qM; qH is its factor") \
    X(double,  qfrc_step,       nv,    1, acc, implicit, "of the integrator discrete: h K qvel, what springs and servos lose on the way to the end of the step") \
    X(double,  flexedge_tension, nflexedge, 1, acc, implicit, "of the integrator discrete: N/m along the edges of elastic flexes, of each element the part that makes the step's matrix positive") \
    X(double,  qDeriv,          nD,    1, vel, smoothVel, "derivative of passive + actuator - bias force by qvel, rows as D_rowadr; sn_smoothVel") \
    X(double,  qLU,             nD,    1, vel, implicit, "factors U, L of M - timestep qDeriv; sn_implicit") \
    X(double,  qfrc_inverse,    nv,    1, acc, inverse, "force that gives qacc; sn_inverse") \
    X(double,  cacc,            nbody, 6, acc, rnePostConstraint, "body acceleration, gravity included, com; sn_rnePostConstraint") \
    X(double,  cfrc_int,        nbody, 6, acc, rnePostConstraint, "force from the parent, com, torque first") \
    X(double,  cfrc_ext,        nbody, 6, acc, rnePostConstraint, "external force, contacts included, com, torque first") \
    X(int,     dof_cluster,     nv,    1, pos, loopPosition, "loop cluster of a dof; -1: in no loop; sn_loopPosition") \
    X(int,     dof_place,       nv,    1, pos, loopPosition, "place of a dof in its cluster; -1") \
    X(int,     tree_mechanism,  ntree, 1, pos, loopPosition, "mechanism of a kinematic tree; -1: none") \
    X(int,     dof_y,           nv,    1, pos, loopPosition, "place of a dof among the independent ones of its mechanism; -1: it depends on others, or is in none") \
    X(double,  cfrc_loop,       nbody, 6, acc, loopForce, "force of loops on each body, com, torque first; sn_loopForce, where there are loops") \
    X(int,     loop_seen,       nv,    2, cache, work, "by a cluster's first dof: its largest rank since reset and a mark of its loops; for warnings alone") \
    X(int,     tree_awake,      ntree, 1, cache, work, "1: awake, 0: asleep, -1: asleep, and stages compute it once more") \
    X(int,     body_awake,      nbody, 1, cache, work, "1: awake or mocap, 0: asleep, -1: static; where nasleep is not 0") \
    X(int,     sleep_ring,      ntree, 1, cache, work, "the first tree of the island that a sleeper is in") \
    X(double,  sleep_qpos,      nq,    1, cache, work, "qpos of sleepers as they fell asleep; one that differs wakes") \
    X(double,  sleep_mocap,     nmocap, 7, cache, work, "poses of mocap bodies by which poses of sleepers were computed") \
    X(int,     body_run,        nbody, 2, cache, work, "first and end of runs of bodies that are awake or static, where nasleep is not 0") \
    X(int,     jnt_run,         njnt,  2, cache, work, "the same of joints that are awake") \
    X(int,     dof_run,         nv,    2, cache, work, "of dofs") \
    X(int,     geom_run,        ngeom, 2, cache, work, "of geoms, static ones among them") \
    X(int,     site_run,        nsite, 2, cache, work, "of sites, static ones among them") \
    X(int,     sleep_geom,      ngeom, 1, cache, work, "geoms of sleepers that may meet others") \
    X(float,   sleep_box,       ngeom, 6, cache, work, "their boxes, low then high ends") \
    X(int,     meet_with,       ngeom, 2, cache, work, "bits by which geoms may meet, where few collide; src/collision/broad/few.c") \
    X(int,     meet_geom,       ngeom, 4, cache, work, "what they followed from: contype, conaffinity, type and body of geoms") \
    X(int,     meet_body,       nbody, 3, cache, work, "weldid, parentid and dofnum of bodies") \
    X(int,     meet_pair,       npair, 2, cache, work, "geoms of pairs") \
    X(int,     meet_exclude,    nexclude, 1, cache, work, "exclude_signature") \
    X(double,  ten_row,         nv,    1, cache, work, "work of sn_tendon: a row of ten_J, over all dofs") \
    X(double,  integrator_stage, nv,   12, cache, work, "work of the integrator: stage velocities, accelerations, means, qpos at the start") \
    X(double,  integrator_act,  na,    6, cache, work, "work of the integrator: stage rates of activation, their mean, act at the start")

// X(type, name, rows, columns, by, meaning): arrays in the arena; rows is a scalar above. Valid until the next sn_fwdPosition.
#define SN_ARENA_FIELDS(X) \
    X(snContact, contact,      ncon, 1, collision, "contacts; sn_collision") \
    X(int,    efc_type,        nefc, 1, makeConstraint, "snConstraintType; sn_makeConstraint") \
    X(int,    efc_id,          nefc, 1, makeConstraint, "id of the dof, joint or contact") \
    X(int,    efc_J_rownnz,    nefc, 1, makeConstraint, "dofs that a row touches") \
    X(int,    efc_J_rowadr,    nefc, 1, makeConstraint, "where its numbers start in efc_J") \
    X(int,    efc_J_coladr,    nefc, 1, makeConstraint, "where its dofs start in efc_J_colind; rows of a group share them") \
    X(int,    efc_J_colind,    nJcol, 1, makeConstraint, "dofs of row groups, each ascending") \
    X(double, efc_J,           nJ,   1, makeConstraint, "Jacobian, by rows: a number for each dof of a row; see sn_efcJ") \
    X(double, efc_pos,         nefc, 1, makeConstraint, "position residual") \
    X(double, efc_margin,      nefc, 1, makeConstraint, "inclusion margin") \
    X(double, efc_frictionloss,nefc, 1, makeConstraint, "bound of dry friction") \
    X(double, efc_diagApprox,  nefc, 1, makeConstraint, "approximate diagonal of A = J inv(M) J'") \
    X(double, efc_KBIP,        nefc, 4, makeConstraint, "stiffness, damping, impedance, slope of impedance") \
    X(double, efc_D,           nefc, 1, makeConstraint, "1/R") \
    X(double, efc_R,           nefc, 1, makeConstraint, "regularisation") \
    X(double, efc_R0,          nR0,  1, makeConstraint, "of the integrator discrete: efc_R in M, before M + h D + h^2 K is known") \
    X(double, efc_vel,         nefc, 1, referenceConstraint, "velocity J qvel; sn_referenceConstraint") \
    X(double, efc_aref,        nefc, 1, referenceConstraint, "reference acceleration") \
    X(int,    elastic_rowadr,  nelasticrow, 1, implicit, "of the integrator discrete: where rows of elastic_value begin, and the end of the last") \
    X(int,    elastic_colind,  nelastic, 1, implicit, "dof of each number, ascending in a row up to the row's own") \
    X(double, elastic_value,   nelastic, 1, implicit, "h D + h^2 K of elastic flexes, the lower triangle by rows: what a step adds to qMstep") \
    X(int,    efc_state,       nefc, 1, fwdConstraint, "snConstraintState; sn_fwdConstraint") \
    X(double, efc_force,       nefc, 1, fwdConstraint, "constraint force") \
    X(int,    closure_id,      nclosure, 1, loopPosition, "loop joint; or nloop of the model + equality; cluster by cluster; sn_loopPosition") \
    X(int,    closure_rowadr,  nclosure, 1, loopPosition, "its first row") \
    X(int,    closure_rownum,  nclosure, 1, loopPosition, "number of its rows") \
    X(int,    closure_cluster, nclosure, 1, loopPosition, "its cluster") \
    X(int,    cluster_mechanism, ncluster, 1, loopPosition, "mechanism that it is in") \
    X(int,    cluster_dofadr,  ncluster, 1, loopPosition, "first of its dofs in loop_dof") \
    X(int,    cluster_dofnum,  ncluster, 1, loopPosition, "number of its dofs, n") \
    X(int,    cluster_rowadr,  ncluster, 1, loopPosition, "first of its rows") \
    X(int,    cluster_rownum,  ncluster, 1, loopPosition, "number of its rows, n^c") \
    X(int,    cluster_Kadr,    ncluster, 1, loopPosition, "where its K starts in loop_K") \
    X(int,    cluster_Gadr,    ncluster, 1, loopPosition, "where its G starts in loop_G, whose rows have n numbers") \
    X(int,    cluster_rank,    ncluster, 1, loopPosition, "rank of its K, r") \
    X(double, cluster_condition, ncluster, 1, loopPosition, "largest over smallest pivot of K that counts") \
    X(double, cluster_excess,  ncluster, 1, loopPosition, "what dependent rows ask beyond the others: how inconsistent k is") \
    X(int,    loop_dof,        nloopdof, 1, loopPosition, "dofs of the clusters, ascending in each") \
    X(int,    loop_column,     nloopdof, 1, loopPosition, "places of a cluster's dofs: the r that depend, then those that are y") \
    X(int,    loop_y,          nloopdof, 1, loopPosition, "places of a cluster's y, which are the columns of G, in its mechanism's") \
    X(int,    loop_pivot,      nlooprow, 1, loopPosition, "rows of a cluster in the order of elimination, the first r are independent") \
    X(double, loop_K,          nloopK, 1, loopPosition, "K of (8.17), cluster by cluster") \
    X(double, loop_LU,         nloopK, 1, loopPosition, "its factors") \
    X(double, loop_delta,      nlooprow, 1, loopPosition, "error of position, delta of (8.27)") \
    X(double, loop_speed,      nlooprow, 1, loopVelocity, "error of velocity, T' v_J; sn_loopVelocity") \
    X(double, loop_k,          nlooprow, 1, loopVelocity, "k + k_stab, (8.21)") \
    X(double, loop_g,          nloopdof, 1, loopVelocity, "g of (8.42) by loop_dof, 0 for all other dofs") \
    X(double, loop_G,          nloopG, 1, loopPosition, "G of (8.42), cluster by cluster; a column for each y") \
    X(double, loop_force,      nlooprow, 1, loopForce, "forces lambda of (8.32), of least norm where loops are redundant; sn_loopForce") \
    X(int,    mechanism_dofadr, nmechanism, 1, loopPosition, "first of its dofs in mechanism_dof") \
    X(int,    mechanism_dofnum, nmechanism, 1, loopPosition, "number of its dofs") \
    X(int,    mechanism_yadr,  nmechanism, 1, loopPosition, "first of its independent dofs in mechanism_y") \
    X(int,    mechanism_ynum,  nmechanism, 1, loopPosition, "number of its independent dofs: its mobility") \
    X(int,    mechanism_Hadr,  nmechanism, 1, loopPosition, "where its numbers start in mechanism_H") \
    X(int,    mechanism_dof,   nmechdof, 1, loopPosition, "dofs of the trees of mechanisms, ascending in each") \
    X(int,    mechanism_y,     nmechy, 1, loopPosition, "dofs that are y, ascending in each mechanism") \
    X(double, mechanism_H,     nmechH, 1, loopPosition, "G'HG of (8.45), in 4x4 blocks: rows padded to a multiple of four") \
    X(double, mechanism_L,     nmechH, 1, loopPosition, "its factor L'DL") \
    X(double, mechanism_Dinv,  nmechpad, 1, loopPosition, "1/D of it") \
    X(int,    mechanism_padadr, nmechanism, 1, loopPosition, "where it starts in mechanism_Dinv")
// clang-format on

/// The state of one simulation. Array pointers point into one allocation, arena pointers into the arena.
typedef struct snData {
#define X(type, name, meaning) type name;
    SN_DATA_SCALARS(X)
#undef X
    double energy[2];                   ///< potential, kinetic energy (J); sn_energyPos, sn_energyVel
    snWarningStat warning[SN_NWARNING]; ///< see snWarning
    snSolverStat solver[SN_NSOLVER];    ///< statistics of the first solver iterations
    double solver_fwdinv[2];            ///< norms of forward less inverse: constraint, applied force
    size_t parena;                      ///< bytes of the arena taken by arrays, from its start
    size_t pstack;                      ///< bytes of the arena taken by scratch, from its end
    size_t maxuse_arena;                ///< most bytes taken at once
    size_t narena, nbuffer;             ///< bytes of `arena` (address space) and `buffer`
#define X(type, name, ...) type* name;
    SN_DATA_FIELDS(X)
#undef X
#define X(type, name, ...) type* name;
    SN_ARENA_FIELDS(X)
#undef X
    void* buffer;
    void* arena;
    snImpulse* impulse;   ///< [nimpulse] state where contacts are rigid, kept by the end of a step
    size_t nimpulsebytes; ///< bytes of address space of it
    int nplugin;          ///< instances of plugins that are alive in the data, from the first on
    int* plugin;          ///< [m->nplugin] slots of their plugins
    void** plugin_data;   ///< [m->nplugin] what each of them keeps beside its state; plugin.h
    snCallbacks callback; ///< functions of the user; see callback.h

    /// Threads that a step shares its work out to; see thread_pool.h. NULL, as made: none. sn_setThreads
    /// makes them; a pool of the caller's own, who frees it after the data, may stand here instead, the same
    /// one in several data. Results are the same bits at any count.
    struct snThreadPool* pool;
    struct snThreadPool* own_pool; ///< what sn_setThreads has made, freed with the data; else NULL

    /// What takes the place of the loops while a function of loop_function.h works on the data; else NULL.
    const struct snLoopBasis* loop_basis;

    /// Where time goes, by snTimer; all 0 without d->callback.time. No part of the state.
    snTimerStat timer[SN_NTIMER];
    int timed; ///< in a step: of how many steps the times are, -1: of none; else 0
} snData;

/// The tables of snData: constant arrays, then arena arrays. *count receives how many; *narena (may be NULL)
/// how many of them, at the end, are arena arrays. snField.group is the stage, "arena" for arena arrays.
SN_API const snField* sn_dataFields(int* count, int* narena);

/// Rows and columns of field `index` of sn_dataFields now (arena arrays: with the present ncon, nefc).
SN_API void sn_dataFieldShape(const snModel* m, const snData* d, int index, int* rows, int* columns);

/// A data for the model as sn_resetData leaves it. Its arena is m->narena bytes of address space, which
/// become memory as they are touched; less where the system refuses, and where m->narena is the 2 GiB that
/// nobody asked for and addresses are limited (ulimit -v) a small part of what is left: d->narena says. NULL
/// when out of memory, or when a plugin refuses (plugin.h).
SN_API snData* sn_makeData(const snModel* m);

/// The same, and error (may be NULL) says what is wrong where there is no data.
SN_API snData* sn_tryMakeData(const snModel* m, snError* error);

/// Gives a data threads of its own to share out the work of a step to, the caller's counted; 1, as made:
/// none. What may be shared: pairs of geoms, rows of contacts, islands, and the factor of a large island.
/// Scenes with too little of that stay with the caller. Results are the same bits at any count, and callbacks
/// are called by the caller alone. A copy has threads when it is given its own. Not inside a callback of the
/// data; a pool that stood in d->pool is left to its owner. Errors: SN_STATUS_ARGUMENT: nthread is not in [1,
/// SN_MAX_THREADS] (thread_pool.h). SN_STATUS_NO_MEMORY: the system has no memory or no more threads. d is
/// then as it was. error may be NULL.
SN_API snStatus sn_setThreads(snData* d, int nthread, snError* error);

/// Copies everything, arena included, so that both go on with the same bits. Both must belong to models of
/// equal sizes. The destination keeps its threads. Contacts and rows that do not fit in the destination's
/// arena are left out, all of them. Allocates nothing.
SN_API void sn_copyData(snData* destination, const snModel* m, const snData* source);

/// Frees the data; takes NULL.
SN_API void sn_deleteData(snData* d);

/// Time 0, qpos0, mocap poses of the model, everything else zero; warnings and timers cleared. Callbacks
/// and the pool stay. Loops (loop.h) that are open at this start are closed as sn_assemble (mechanism.h)
/// closes them, the same way each time. loop_error_max says by how much the worst was open (its whole
/// distance or angle); beyond 1e-5 of its longest lever, or rad, more than numbers of six digits leave,
/// SN_WARN_LOOPOPEN counts it with the loop's id. Loops that cannot be closed leave qpos0 as it is and count
/// the same.
SN_API void sn_resetData(const snModel* m, snData* d);

/// As sn_resetData, but from the state of keyframe `key`, velocities made consistent with its loops, too; one
/// that loops allow is taken bit by bit. An id out of range is a plain reset.
SN_API void sn_resetDataKeyframe(const snModel* m, snData* d, int key);

/// Controls at rest: 0, but of orientation servos that take a quaternion 1 0 0 0. What sn_resetData sets.
SN_API void sn_resetCtrl(const snModel* m, snData* d);

/// As sn_resetData, and fills what stages will compute, arrays of double that are neither state, input nor
/// sensor outputs, with bytes `value`, so that a program which reads before it computes shows it. Arrays of
/// int stay 0.
SN_API void sn_resetDataDebug(const snModel* m, snData* d, uint8_t value);

/// A warning in words: what it means, how often it was raised, and where the arena is full, which drops
/// contacts or rows, how large it is and what gives it more. Cut to `size` bytes; "" when it was not raised.
SN_API void sn_warningText(const snData* d, snWarning warning, char* text, size_t size);

/// What a warning (snWarning) with this `info` says, cut to `size` bytes; of a number that is none, that.
SN_API void sn_warningMessage(int warning, uint64_t info, char* text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
