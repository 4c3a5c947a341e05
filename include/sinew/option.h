// snOption: physics and solver settings of a model, changeable between steps.
#ifndef SINEW_OPTION_H
#define SINEW_OPTION_H

#include <sinew/base.h>
#include <sinew/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
// X(type, name, default, meaning)
#define SN_OPTION_SCALARS(X) \
    X(double, timestep,          0.002,             "step of time (s)") \
    X(double, impratio,          1,                 "ratio of friction to normal impedance") \
    X(double, tolerance,         1e-8,              "solver: stop below this scaled gradient; PGS: improvement") \
    X(double, ls_tolerance,      0.01,              "solver: tolerance of the line search") \
    X(double, noslip_tolerance,  1e-6,              "noslip: stop below this improvement") \
    X(double, ccd_tolerance,     1e-6,              "MuJoCo's convex collision; kept, ours is exact") \
    X(double, density,           0,                 "density of the medium (kg/m^3)") \
    X(double, viscosity,         0,                 "viscosity of the medium (Pa s)") \
    X(double, sleep_tolerance,   1e-3,              "flag sleep: trees whose velocities stay below it are at rest (m/s)") \
    X(double, o_margin,          0,                 "flag override: margin") \
    X(double, loop_tstab,        0.1,               "loops: time constant by which errors of closed loops decay (s)") \
    X(double, loop_ranktol,      2e-6,              "loops: pivots below this part of the first do not count in a rank") \
    X(double, lcp_omega,         1,                 "LCP: relaxation of SOR and block SOR; Jacobi: at most this") \
    X(double, lcp_tolerance,     1e-6,              "LCP: sweeps end below this natural residual (m/s, rad/s)") \
    X(double, lcp_erp,           0.2,               "LCP: part of a depth or an error that a step takes away") \
    X(double, lcp_slop,          1e-4,              "LCP: depth that is left (m)") \
    X(double, lcp_push,          1,                 "LCP: fastest velocity by which baumgarte takes a depth or an error away (m/s, rad/s)") \
    X(double, lcp_margin,        1e-3,              "LCP: contacts are found below this distance at least (m)") \
    X(double, lcp_restitution,   0,                 "LCP: restitution of geoms that have none of their own") \
    X(double, lcp_bounce,        0.05,              "LCP: slower impacts do not bounce (m/s)") \
    X(int,    integrator,        SN_INT_EULER,      "snIntegrator") \
    X(int,    cone,              SN_CONE_PYRAMIDAL, "snCone") \
    X(int,    jacobian,          SN_JAC_AUTO,       "snJacobian; kept, results are the same") \
    X(int,    solver,            SN_SOL_NEWTON,     "snSolver") \
    X(int,    iterations,        100,               "solver: most iterations") \
    X(int,    ls_iterations,     50,                "solver: most line search evaluations") \
    X(int,    noslip_iterations, 0,                 "noslip: iterations") \
    X(int,    ccd_iterations,    35,                "MuJoCo's convex collision; kept, ours is exact") \
    X(int,    disableflags,      0,                 "bits of snDisableBit") \
    X(int,    enableflags,       0,                 "bits of snEnableBit") \
    X(int,    disableactuator,   0,                 "bits of actuator groups that are off") \
    X(int,    sdf_initpoints,    40,                "SDF collision: starting points") \
    X(int,    sdf_iterations,    10,                "SDF collision: iterations") \
    X(int,    loops,             SN_LOOPS_SOFT,     "snLoops: how equalities are held") \
    X(int,    loop_solution,     SN_LOOPSOL_Y,      "snLoopSolution") \
    X(int,    loop_project,      1,                 "loops: close them again after each step; 0: no") \
    X(int,    servo,             SN_SERVO_BEGIN,    "snServo: where in a step of implicit or implicitfast limits of servos' forces hold") \
    X(int,    contact,           SN_CONTACT_SOFT,   "snContactModel: how contacts, limits and equalities are held") \
    X(int,    lcp_method,        SN_LCP_GS, "snLcpMethod") \
    X(int,    lcp_sweeps,        50,                "LCP: most sweeps") \
    X(int,    lcp_symmetric,     0,                 "LCP: every second sweep goes backwards; 0: no") \
    X(int,    lcp_accelerate,    1,                 "LCP: Anderson acceleration of the sweeps; 0: no") \
    X(int,    lcp_fallback,      1,                 "LCP: a divergence or cycle is answered by another method; 0: no") \
    X(int,    lcp_stabilise,     SN_STABILISE_BAUMGARTE, "snStabilise") \
    X(int,    lcp_coordinates,   SN_COORDINATES_MIXED, "snCoordinates")

// X(name, count, meaning, defaults...): arrays of double
#define SN_OPTION_VECTORS(X) \
    X(gravity,    3,       "acceleration of gravity (m/s^2)", 0, 0, -9.81) \
    X(wind,       3,       "velocity of the medium (m/s)", 0) \
    X(magnetic,   3,       "magnetic flux, world frame", 0, -0.5, 0) \
    X(o_solref,   SN_NREF, "flag override: solref", 0.02, 1) \
    X(o_solimp,   SN_NIMP, "flag override: solimp", 0.9, 0.95, 0.001, 0.5, 2) \
    X(o_friction, 5,       "flag override: friction", 1, 1, 0.005, 0.0001, 0.0001)
// clang-format on

typedef struct snOption {
#define X(type, name, init, meaning) type name;
    SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...) double name[count];
    SN_OPTION_VECTORS(X)
#undef X
} snOption;

/// One field of snOption at run time.
typedef struct snOptionField {
    const char* name;
    const char* type; ///< "double" or "int"
    int count;        ///< entries; 1: a scalar
    const char* meaning;
    size_t offset; ///< in snOption
} snOptionField;

/// The table of snOption; *count receives how many.
SN_API const snOptionField* sn_optionFields(int* count);

/// Whether an option, by its name, or with NULL every one, has a value that a step can use: finite numbers, a
/// positive time step, enumerators that there are, counts of 0 or more. SN_STATUS_ARGUMENT names it, its
/// value and what it may be; a name that no option has is not looked at. The fields are open to programs:
/// check what a user gave.
///
/// With contact lcp (rigid), an integrator other than Euler, noslip_iterations above 0 and the flag fwdinv
/// are refused, whichever of the two is asked about. Of the settings of soft contact, cone is read by rigid
/// contact, too; solver, iterations, tolerance, ls_..., noslip_..., impratio and jacobian are not. A step
/// that finds such options all the same goes by Euler's method.
SN_API snStatus sn_checkOption(const snOption* opt, const char* name, snError* error);

/// Sets every option to its default.
SN_API void sn_defaultOption(snOption* opt);

/// How ranges of length of actuators are found; see sn_setLengthRange. MJCF: compiler/lengthrange.
typedef struct snLengthRange {
    int mode;         ///< snLRMode
    int useexisting;  ///< a range that is given stays
    int uselimit;     ///< limits of the joint or tendon are the range, where it has any
    double accel;     ///< norm of the acceleration that pushes to each end
    double maxforce;  ///< largest norm of the force that pushes; 0: no bound
    double timeconst; ///< time constant of the decay of velocity (s); at least 0.01
    double timestep;  ///< step of time (s); 0: the model's
    double inttotal;  ///< time to push to each end (s)
    double interval;  ///< time at its end in which the length is measured (s)
    double tolrange;  ///< most change in that time, as a part of the range
} snLengthRange;

#ifdef __cplusplus
}
#endif
#endif
