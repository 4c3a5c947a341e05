// Enumerations of the model and of the data: value, keyword in model files, meaning. Each stands once here;
// the C enumerators, keyword look-up and Python's names come from these tables.
#ifndef SINEW_TYPES_H
#define SINEW_TYPES_H

#include <sinew/base.h>

#define SN_MINVAL 1e-15 ///< smallest value that is divided by
#define SN_PI 3.14159265358979323846
#define SN_MINMU 1e-5    ///< smallest friction coefficient
#define SN_MINIMP 0.0001 ///< smallest constraint impedance
#define SN_MAXIMP 0.9999 ///< largest constraint impedance
#define SN_MAXVAL 1e10   ///< a state or acceleration above this is "bad"
#define SN_MAXCONPAIR 50 ///< most contacts that one pair of geoms can make
#define SN_NREF 2        ///< numbers in a solref
#define SN_NIMP 5        ///< numbers in a solimp
#define SN_NDYN 10       ///< numbers in dynprm
#define SN_NGAIN 10      ///< numbers in gainprm
#define SN_NBIAS 10      ///< numbers in biasprm
#define SN_NPOLY 2       ///< numbers in the polynomial of a spring or damper beside the linear one
#define SN_NSENS 3       ///< numbers in sensor_intprm
#define SN_NEQDATA 11    ///< numbers in eq_data
#define SN_NFLUID 12     ///< numbers in geom_fluid
#define SN_NHULLDIR 360  ///< cells of directions that mesh_hullcell tells apart
#define SN_NTEXROLE 10   ///< texture roles of a material
#define SN_NSOLVER 200   ///< solver iterations whose statistics are kept

// Tables: X(name, value, keyword, meaning)
// clang-format off
#define SN_JOINT_TABLE(X) \
    X(FREE,  0, "free",  "position (3) and orientation quaternion (4); dofs: world linear, body angular velocity") \
    X(BALL,  1, "ball",  "orientation quaternion; dofs: angular velocity in the child frame") \
    X(SLIDE, 2, "slide", "translation along an axis") \
    X(HINGE, 3, "hinge", "rotation about an axis")

#define SN_GEOM_TABLE(X) \
    X(PLANE,     0, "plane",     "half-space below local z = 0") \
    X(HFIELD,    1, "hfield",    "height field") \
    X(SPHERE,    2, "sphere",    "size: radius") \
    X(CAPSULE,   3, "capsule",   "size: radius, half length of the segment along local z") \
    X(ELLIPSOID, 4, "ellipsoid", "size: three semi-axes") \
    X(CYLINDER,  5, "cylinder",  "size: radius, half length along local z") \
    X(BOX,       6, "box",       "size: three half sides") \
    X(MESH,      7, "mesh",      "triangle mesh") \
    X(SDF,       8, "sdf",       "signed distance field")

#define SN_CAMLIGHT_TABLE(X) \
    X(FIXED,         0, "fixed",         "fixed in the body") \
    X(TRACK,         1, "track",         "follows the body's position, orientation fixed in the world") \
    X(TRACKCOM,      2, "trackcom",      "follows the centre of mass of the body's subtree") \
    X(TARGETBODY,    3, "targetbody",    "fixed in the body, turned to the target body") \
    X(TARGETBODYCOM, 4, "targetbodycom", "fixed in the body, turned to the subtree centre of mass of the target")

#define SN_PROJECTION_TABLE(X) \
    X(PERSPECTIVE,  0, "perspective",  "fovy is an angle in degrees") \
    X(ORTHOGRAPHIC, 1, "orthographic", "in parallel, fovy is a height in m")

// Bits.
#define SN_CAMOUT_TABLE(X) \
    X(RGB,     1, "rgb",          "colours") \
    X(DEPTH,   2, "depth",        "distances from the plane of the camera") \
    X(DIST,    4, "distance",     "distances from the camera") \
    X(NORMAL,  8, "normal",       "normals of surfaces") \
    X(SEG,    16, "segmentation", "what is seen")

#define SN_LIGHT_TABLE(X) \
    X(SPOT,        0, "spot",        "") \
    X(DIRECTIONAL, 1, "directional", "") \
    X(POINT,       2, "point",       "") \
    X(IMAGE,       3, "image",       "")

#define SN_TEXTURE_TABLE(X) \
    X(2D,     0, "2d",     "") \
    X(CUBE,   1, "cube",   "") \
    X(SKYBOX, 2, "skybox", "")

#define SN_INTEGRATOR_TABLE(X) \
    X(EULER,        0, "Euler",        "semi-implicit, implicit in joint damping") \
    X(RK4,          1, "RK4",          "Runge-Kutta of order 4") \
    X(IMPLICIT,     2, "implicit",     "implicit in velocity, all smooth forces") \
    X(IMPLICITFAST, 3, "implicitfast", "implicit in velocity, without the derivative of the bias force") \
    X(DISCRETE,     4, "discrete",     "the step itself under constraints, implicit in velocity and position")

#define SN_CONE_TABLE(X) \
    X(PYRAMIDAL, 0, "pyramidal", "") \
    X(ELLIPTIC,  1, "elliptic",  "")

#define SN_JACOBIAN_TABLE(X) \
    X(DENSE,  0, "dense",  "") \
    X(SPARSE, 1, "sparse", "") \
    X(AUTO,   2, "auto",   "")

#define SN_SOLVER_TABLE(X) \
    X(PGS,    0, "PGS",    "projected Gauss-Seidel on the dual") \
    X(CG,     1, "CG",     "conjugate gradient on the primal") \
    X(NEWTON, 2, "Newton", "exact Newton on the primal")

#define SN_TRN_TABLE(X) \
    X(JOINT,         0, "joint",         "") \
    X(JOINTINPARENT, 1, "jointinparent", "") \
    X(SLIDERCRANK,   2, "slidercrank",   "") \
    X(TENDON,        3, "tendon",        "") \
    X(SITE,          4, "site",          "") \
    X(BODY,          5, "body",          "") \
    X(SO3,           6, "so3",           "torque on a relative orientation, of three forces") \
    X(UNDEFINED,  1000, "",              "")

#define SN_DYN_TABLE(X) \
    X(NONE,        0, "none",        "no activation") \
    X(INTEGRATOR,  1, "integrator",  "act' = ctrl") \
    X(FILTER,      2, "filter",      "act' = (ctrl - act)/tau") \
    X(FILTEREXACT, 3, "filterexact", "filter, integrated exactly") \
    X(MUSCLE,      4, "muscle",      "") \
    X(USER,        5, "user",        "") \
    X(DCMOTOR,     6, "dcmotor",     "setpoint, integral, temperature, friction and current of a DC motor") \
    X(PID,         7, "pid",         "setpoint and integral of a PID controller")

#define SN_GAIN_TABLE(X) \
    X(FIXED,  0, "fixed",  "g0") \
    X(AFFINE, 1, "affine", "g0 + g1 length + g2 velocity") \
    X(MUSCLE, 2, "muscle", "") \
    X(USER,   3, "user",   "") \
    X(DCMOTOR, 4, "dcmotor", "DC motor, of several controls or none") \
    X(SO3,     5, "so3",     "orientation servo, of three forces") \
    X(PID,     6, "pid",     "PID controller, of several controls")

#define SN_BIAS_TABLE(X) \
    X(NONE,   0, "none",   "0") \
    X(AFFINE, 1, "affine", "b0 + b1 length + b2 velocity") \
    X(MUSCLE, 2, "muscle", "") \
    X(USER,   3, "user",   "") \
    X(DCMOTOR, 4, "dcmotor", "torque that a motor loses by its speed, cogging, friction") \
    X(SO3,     5, "so3",     "damping of an orientation servo")

// which actuators get a range of length by simulation
#define SN_LRMODE_TABLE(X) \
    X(NONE,       0, "none",       "none") \
    X(MUSCLE,     1, "muscle",     "those with a muscle's gain or bias") \
    X(MUSCLEUSER, 2, "muscleuser", "those with a muscle's or the user's gain or bias") \
    X(ALL,        3, "all",        "all")

// kinds of model element that have names and ids; keyword is the one in tuples and sensors
#define SN_OBJ_TABLE(X) \
    X(UNKNOWN,   0, "",          "") \
    X(BODY,      1, "body",      "body; as a frame: its inertial frame") \
    X(XBODY,     2, "xbody",     "body; as a frame: its own frame") \
    X(JOINT,     3, "joint",     "") \
    X(DOF,       4, "dof",       "") \
    X(GEOM,      5, "geom",      "") \
    X(SITE,      6, "site",      "") \
    X(CAMERA,    7, "camera",    "") \
    X(LIGHT,     8, "light",     "") \
    X(FLEX,      9, "flex",      "") \
    X(MESH,     10, "mesh",      "") \
    X(SKIN,     11, "skin",      "") \
    X(HFIELD,   12, "hfield",    "") \
    X(TEXTURE,  13, "texture",   "") \
    X(MATERIAL, 14, "material",  "") \
    X(PAIR,     15, "pair",      "") \
    X(EXCLUDE,  16, "exclude",   "") \
    X(EQUALITY, 17, "equality",  "") \
    X(TENDON,   18, "tendon",    "") \
    X(ACTUATOR, 19, "actuator",  "") \
    X(SENSOR,   20, "sensor",    "") \
    X(NUMERIC,  21, "numeric",   "") \
    X(TEXT,     22, "text",      "") \
    X(TUPLE,    23, "tuple",     "") \
    X(KEY,      24, "key",       "") \
    X(PLUGIN,   25, "plugin",    "")
#define SN_NOBJECT 26

#define SN_EQ_TABLE(X) \
    X(CONNECT, 0, "connect", "two points coincide; eq_data: anchor in body 1 (3), in body 2 (3); sites: none") \
    X(WELD,    1, "weld",    "two frames coincide; eq_data: anchor in body 2 (3), position (3) and orientation (4) of body 2 in body 1, torque scale") \
    X(JOINT,   2, "joint",   "joint 1 is a polynomial of joint 2; eq_data: its coefficients (5)") \
    X(TENDON,  3, "tendon",  "tendon 1 is a polynomial of tendon 2; eq_data: its coefficients (5)") \
    X(FLEX,    4, "flex",    "edges of a flex keep their lengths at qpos0")

// ways to find pairs of a flex's own elements
#define SN_FLEXSELF_TABLE(X) \
    X(NONE,   0, "none",   "its elements do not collide with each other") \
    X(NARROW, 1, "narrow", "all pairs") \
    X(BVH,    2, "bvh",    "by a tree of boxes") \
    X(SAP,    3, "sap",    "by sweeps along an axis") \
    X(AUTO,   4, "auto",   "sap for edges and triangles, bvh for tetrahedra")

#define SN_COLORSPACE_TABLE(X) \
    X(AUTO,   0, "auto",   "as the file says, else linear") \
    X(LINEAR, 1, "linear", "") \
    X(SRGB,   2, "sRGB",   "")

#define SN_WRAP_TABLE(X) \
    X(NONE,     0, "", "") \
    X(JOINT,    1, "", "joint of a fixed tendon; wrap_prm: coefficient") \
    X(PULLEY,   2, "", "pulley; wrap_prm: divisor of what follows") \
    X(SITE,     3, "", "site") \
    X(SPHERE,   4, "", "sphere; wrap_prm: side site, -1: none") \
    X(CYLINDER, 5, "", "cylinder; wrap_prm: side site, -1: none")

// sensors, X(name, value, keyword, meaning, form, object, dim, datatype, stage, needs, lanes): form, its attributes in MJCF;
// object, what it is attached to; dim, how many numbers; datatype and stage, of SN_DATATYPE_TABLE and SN_STAGE_TABLE; needs, what
// is computed for it beyond its stage; lanes, who computes it in a batch. The words of form, object, needs and lanes are those
// of src/model/sensor_kind.h; how to add a row, docs/architecture.md.
#define SN_SENSOR_TABLE(X) \
    X(TOUCH,           0, "touch",             "sum of the normal forces of contacts that press on the site's volume",  SITE,     SITE,           1, POSITIVE,   ACC, TOUCHES,    SHARED) \
    X(ACCELEROMETER,   1, "accelerometer",     "acceleration less gravity, in the site's axes",                         SITE,     SITE,           3, REAL,       ACC, BODYFORCES, SHARED) \
    X(VELOCIMETER,     2, "velocimeter",       "linear velocity, in the site's axes",                                   SITE,     SITE,           3, REAL,       VEL, NOTHING,    SHARED) \
    X(GYRO,            3, "gyro",              "angular velocity, in the site's axes",                                  SITE,     SITE,           3, REAL,       VEL, NOTHING,    SHARED) \
    X(FORCE,           4, "force",             "force from the parent on the site's body, in the site's axes",          SITE,     LINK,           3, REAL,       ACC, BODYFORCES, SHARED) \
    X(TORQUE,          5, "torque",            "torque from the parent on the site's body about the site, in its axes", SITE,     LINK,           3, REAL,       ACC, BODYFORCES, SHARED) \
    X(MAGNETOMETER,    6, "magnetometer",      "opt.magnetic, in the site's axes",                                      SITE,     SITE,           3, REAL,       POS, NOTHING,    SHARED) \
    X(RANGEFINDER,     7, "rangefinder",       "along rays of a site or camera what is asked of the first geom hit",    RANGE,    RANGE,          1, POSITIVE,   POS, NOTHING,    SCALAR) \
    X(CAMPROJECTION,   8, "camprojection",     "pixel at which the camera sees the site",                               CAMERA,   SITE,           2, REAL,       POS, NOTHING,    SHARED) \
    X(JOINTPOS,        9, "jointpos",          "position of a hinge or slide joint",                                    JOINT,    SCALAR,         1, REAL,       POS, NOTHING,    SHARED) \
    X(JOINTVEL,       10, "jointvel",          "velocity of a hinge or slide joint",                                    JOINT,    SCALAR,         1, REAL,       VEL, NOTHING,    SHARED) \
    X(TENDONPOS,      11, "tendonpos",         "length of a tendon",                                                    TENDON,   TENDON,         1, REAL,       POS, NOTHING,    SHARED) \
    X(TENDONVEL,      12, "tendonvel",         "velocity of a tendon",                                                  TENDON,   TENDON,         1, REAL,       VEL, NOTHING,    SHARED) \
    X(ACTUATORPOS,    13, "actuatorpos",       "length of an actuator",                                                 ACTUATOR, ACTUATOR,       1, REAL,       POS, NOTHING,    SHARED) \
    X(ACTUATORVEL,    14, "actuatorvel",       "velocity of an actuator",                                               ACTUATOR, ACTUATOR,       1, REAL,       VEL, NOTHING,    SHARED) \
    X(ACTUATORFRC,    15, "actuatorfrc",       "force of an actuator",                                                  ACTUATOR, ACTUATOR,       1, REAL,       ACC, NOTHING,    SHARED) \
    X(JOINTACTFRC,    16, "jointactuatorfrc",  "sum of the actuators' forces on a hinge or slide joint",                JOINT,    SCALAR,         1, REAL,       ACC, NOTHING,    SHARED) \
    X(TENDONACTFRC,   17, "tendonactuatorfrc", "sum of the forces of a tendon's actuators",                             TENDON,   TENDON,         1, REAL,       ACC, NOTHING,    SHARED) \
    X(BALLQUAT,       18, "ballquat",          "orientation of a ball joint",                                           JOINT,    BALL,           4, QUATERNION, POS, NOTHING,    SHARED) \
    X(BALLANGVEL,     19, "ballangvel",        "angular velocity of a ball joint, in the child's axes",                 JOINT,    BALL,           3, REAL,       VEL, NOTHING,    SHARED) \
    X(JOINTLIMITPOS,  20, "jointlimitpos",     "distance of a joint to its limit less the margin; 0: not active",       JOINT,    LIMITED,        1, REAL,       POS, NOTHING,    SHARED) \
    X(JOINTLIMITVEL,  21, "jointlimitvel",     "velocity of a joint's active limit",                                    JOINT,    LIMITED,        1, REAL,       VEL, NOTHING,    SHARED) \
    X(JOINTLIMITFRC,  22, "jointlimitfrc",     "force of a joint's active limit",                                       JOINT,    LIMITED,        1, REAL,       ACC, NOTHING,    SHARED) \
    X(TENDONLIMITPOS, 23, "tendonlimitpos",    "distance of a tendon to its limit less the margin; 0: not active",      TENDON,   LIMITED_TENDON, 1, REAL,       POS, NOTHING,    SHARED) \
    X(TENDONLIMITVEL, 24, "tendonlimitvel",    "velocity of a tendon's active limit",                                   TENDON,   LIMITED_TENDON, 1, REAL,       VEL, NOTHING,    SHARED) \
    X(TENDONLIMITFRC, 25, "tendonlimitfrc",    "force of a tendon's active limit",                                      TENDON,   LIMITED_TENDON, 1, REAL,       ACC, NOTHING,    SHARED) \
    X(FRAMEPOS,       26, "framepos",          "position of a frame in the reference frame",                            FRAME,    FRAME,          3, REAL,       POS, NOTHING,    SHARED) \
    X(FRAMEQUAT,      27, "framequat",         "orientation of a frame in the reference frame",                         FRAME,    FRAME,          4, QUATERNION, POS, NOTHING,    SHARED) \
    X(FRAMEXAXIS,     28, "framexaxis",        "x axis of a frame in the reference frame",                              FRAME,    FRAME,          3, AXIS,       POS, NOTHING,    SHARED) \
    X(FRAMEYAXIS,     29, "frameyaxis",        "y axis of a frame in the reference frame",                              FRAME,    FRAME,          3, AXIS,       POS, NOTHING,    SHARED) \
    X(FRAMEZAXIS,     30, "framezaxis",        "z axis of a frame in the reference frame",                              FRAME,    FRAME,          3, AXIS,       POS, NOTHING,    SHARED) \
    X(FRAMELINVEL,    31, "framelinvel",       "linear velocity of a frame in the reference frame",                     FRAME,    FRAME,          3, REAL,       VEL, NOTHING,    SHARED) \
    X(FRAMEANGVEL,    32, "frameangvel",       "angular velocity of a frame in the reference frame",                    FRAME,    FRAME,          3, REAL,       VEL, NOTHING,    SHARED) \
    X(FRAMELINACC,    33, "framelinacc",       "linear acceleration of a frame less gravity, in the world",             FRAMEACC, FRAME,          3, REAL,       ACC, BODYFORCES, SHARED) \
    X(FRAMEANGACC,    34, "frameangacc",       "angular acceleration of a frame, in the world",                         FRAMEACC, FRAME,          3, REAL,       ACC, BODYFORCES, SHARED) \
    X(SUBTREECOM,     35, "subtreecom",        "centre of mass of a subtree",                                           BODY,     BODY,           3, REAL,       POS, NOTHING,    SHARED) \
    X(SUBTREELINVEL,  36, "subtreelinvel",     "velocity of a subtree's centre of mass",                                BODY,     BODY,           3, REAL,       VEL, SUBTREES,   SHARED) \
    X(SUBTREEANGMOM,  37, "subtreeangmom",     "angular momentum of a subtree about its centre of mass",                BODY,     BODY,           3, REAL,       VEL, SUBTREES,   SHARED) \
    X(INSIDESITE,     38, "insidesite",        "1: the origin of a frame is in the site's volume, else 0",              INSIDE,   FRAME,          1, POSITIVE,   POS, NOTHING,    SHARED) \
    X(GEOMDIST,       39, "distance",          "least distance of two geoms or bodies, up to the cutoff",               DISTANCE, GEOMS,          1, REAL,       POS, NOTHING,    SCALAR) \
    X(GEOMNORMAL,     40, "normal",            "direction from the first to the second where they are nearest",         DISTANCE, GEOMS,          3, AXIS,       POS, NOTHING,    SCALAR) \
    X(GEOMFROMTO,     41, "fromto",            "the two nearest points",                                                DISTANCE, GEOMS,          6, REAL,       POS, NOTHING,    SCALAR) \
    X(CONTACT,        42, "contact",           "what is asked of contacts that match",                                  CONTACT,  CONTACT,        1, REAL,       ACC, NOTHING,    SHARED) \
    X(E_POTENTIAL,    43, "e_potential",       "potential energy",                                                      NONE,     NOTHING,        1, REAL,       POS, POTENTIAL,  SHARED) \
    X(E_KINETIC,      44, "e_kinetic",         "kinetic energy",                                                        NONE,     NOTHING,        1, REAL,       POS, KINETIC,    SHARED) \
    X(CLOCK,          45, "clock",             "time",                                                                  NONE,     NOTHING,        1, REAL,       POS, NOTHING,    SHARED) \
    X(TACTILE,        46, "tactile",           "depth in what touches its body and speeds along it, at each vertex",    TAXELS,   TAXELS,         3, REAL,       VEL, TAXELS,     NONE) \
    X(PLUGIN,         47, "plugin",            "what a plugin measures",                                                PLUGIN,   PLUGIN,         1, REAL,       ACC, PLUGIN,     NONE) \
    X(USER,           48, "user",              "what the user's callback writes",                                       USER,     ANYTHING,       1, REAL,       ACC, CALLBACK,   NONE)

#define SN_INTERPOLATION_TABLE(X) \
    X(ZOH,    0, "zoh",    "the last sample that is not later") \
    X(LINEAR, 1, "linear", "lines between samples") \
    X(CUBIC,  2, "cubic",  "cubic pieces between samples whose slopes are those between their neighbours")

#define SN_STAGE_TABLE(X) \
    X(NONE, 0, "none", "") \
    X(POS,  1, "pos",  "depends on position") \
    X(VEL,  2, "vel",  "depends on position and velocity") \
    X(ACC,  3, "acc",  "depends on acceleration or force")

#define SN_DATATYPE_TABLE(X) \
    X(REAL,       0, "real",       "any number; cutoff clips both sides") \
    X(POSITIVE,   1, "positive",   "not negative; cutoff clips above") \
    X(AXIS,       2, "axis",       "unit vector; no cutoff") \
    X(QUATERNION, 3, "quaternion", "unit quaternion; no cutoff")

#define SN_LOOP_TABLE(X) \
    X(FIXED,              0, "fixed",              "the frames coincide") \
    X(REVOLUTE,           1, "revolute",           "turns about z") \
    X(PRISMATIC,          2, "prismatic",          "slides along z") \
    X(HELICAL,            3, "helical",            "turns about z and slides along it, by the pitch a radian") \
    X(CYLINDRICAL,        4, "cylindrical",        "turns about z and slides along it") \
    X(PLANAR,             5, "planar",             "slides in the plane normal to z and turns about z") \
    X(SPHERICAL,          6, "spherical",          "turns about the origin") \
    X(UNIVERSAL,          7, "universal",          "turns about z of the predecessor and x of the successor") \
    X(SPHERE_IN_CYLINDER, 8, "sphere-in-cylinder", "the successor's origin stays on z of the predecessor") \
    X(SPHERE_IN_PLANE,    9, "sphere-in-plane",    "the successor's origin stays in the predecessor's plane z = 0") \
    X(DISTANCE,          10, "distance",           "the origins keep their distance")

#define SN_LOOPS_TABLE(X) \
    X(SOFT,  0, "soft",  "equalities are soft rows of the constraint solver") \
    X(EXACT, 1, "exact", "equalities are loops that are held exactly, as loop joints always are")

#define SN_LOOPSOL_TABLE(X) \
    X(KKT,    1, "kkt",    "accelerations and forces at once") \
    X(LAMBDA, 2, "lambda", "the forces of the loops first") \
    X(Y,      3, "y",      "independent accelerations first")

#define SN_CONTACTMODEL_TABLE(X) \
    X(SOFT, 0, "soft", "contacts, limits and equalities give way as seed 001 says") \
    X(LCP,  1, "lcp",  "they are rigid: a boxed LCP of impulses")

#define SN_SERVO_TABLE(X) \
    X(BEGIN, 0, "begin", "where the step begins: a servo at its limit of force damps nothing in it") \
    X(END,   1, "end",   "where it ends: the force that the step ends with is within its limits")

#define SN_PHYSICS_TABLE(X) \
    X(V3_3_7, 0, "3.3.7", "as MuJoCo 3.3.7") \
    X(V4_0,   1, "4.0",   "as MuJoCo 4.0")

#define SN_LCPMETHOD_TABLE(X) \
    X(JACOBI,      0, "jacobi",      "projected Jacobi, row by row") \
    X(GS,          1, "gs",          "projected Gauss-Seidel, row by row") \
    X(SOR,         2, "sor",         "the same with omega") \
    X(BLOCKJACOBI, 3, "blockjacobi", "Jacobi, block by block") \
    X(BLOCKGS,     4, "blockgs",     "Gauss-Seidel, block by block: a contact, a joint") \
    X(BLOCKSOR,    5, "blocksor",    "the same with omega") \
    X(DIRECT,      6, "direct",      "pivoting; cones by Newton's method")

#define SN_LCPROW_TABLE(X) \
    X(BOX,      0, "box",      "lo <= lambda <= hi") \
    X(FRICTION, 1, "friction", "|lambda| <= mu times the lambda of its normal, each row for itself") \
    X(CONE,     2, "cone",     "rows of one normal together: sum of (lambda / mu)^2 <= (the normal's lambda)^2")

#define SN_LCPSTATUS_TABLE(X) \
    X(SOLVED,    0, "solved",    "the natural residual is within the tolerance") \
    X(SWEEPS,    1, "sweeps",    "not converged: all sweeps are used up") \
    X(DIVERGED,  2, "diverged",  "not converged: the residual grew without bound") \
    X(CYCLED,    3, "cycled",    "not converged: the iterates repeat") \
    X(RAY,       4, "ray",       "not solved: pivoting ended on a ray, or at its limit")

#define SN_STABILISE_TABLE(X) \
    X(BAUMGARTE, 0, "baumgarte", "a part of the depth enters the velocity that rows ask for") \
    X(SPLIT,     1, "split",     "the same in a second LCP, whose velocity moves positions and is then forgotten") \
    X(PROJECT,   2, "project",   "positions are moved out of each other after the step")

#define SN_COORDINATES_TABLE(X) \
    X(MIXED,   0, "mixed",   "trees in their joints' coordinates, free bodies in six at their centre of mass") \
    X(TREE,    1, "tree",    "everything through the inertia matrix of the whole model") \
    X(MAXIMAL, 2, "maximal", "every body has six coordinates, joints are rows without bounds")

#define SN_SAMEFRAME_TABLE(X) \
    X(NONE,        0, "", "different frames") \
    X(BODY,        1, "", "same frame as the body") \
    X(INERTIA,     2, "", "same frame as the body's inertia") \
    X(BODYROT,     3, "", "same orientation as the body") \
    X(INERTIAROT,  4, "", "same orientation as the body's inertia")

#define SN_CNSTR_TABLE(X) \
    X(EQUALITY,             0, "", "equality") \
    X(FRICTION_DOF,         1, "", "dry friction of a joint") \
    X(FRICTION_TENDON,      2, "", "dry friction of a tendon") \
    X(LIMIT_JOINT,          3, "", "joint limit") \
    X(LIMIT_TENDON,         4, "", "tendon limit") \
    X(CONTACT_FRICTIONLESS, 5, "", "contact of condim 1") \
    X(CONTACT_PYRAMIDAL,    6, "", "frictional contact, pyramidal cone") \
    X(CONTACT_ELLIPTIC,     7, "", "frictional contact, elliptic cone")

#define SN_CNSTRSTATE_TABLE(X) \
    X(SATISFIED, 0, "", "force zero, cost zero") \
    X(QUADRATIC, 1, "", "force linear, cost quadratic") \
    X(LINEARNEG, 2, "", "force constant, at -frictionloss's side of the velocity") \
    X(LINEARPOS, 3, "", "force constant, the other side") \
    X(CONE,      4, "", "inside the middle zone of an elliptic cone")

#define SN_WARNING_TABLE(X) \
    X(INERTIA,     0, "inertia",     "the inertia matrix is nearly singular") \
    X(CONTACTFULL, 1, "contactfull", "contacts dropped: the arena is full") \
    X(CNSTRFULL,   2, "cnstrfull",   "constraint rows dropped: the arena is full") \
    X(VGEOMFULL,   3, "vgeomfull",   "shapes to draw dropped: the scene is full") \
    X(BADQPOS,     4, "badqpos",     "NaN, infinite or huge number in qpos") \
    X(BADQVEL,     5, "badqvel",     "NaN, infinite or huge number in qvel") \
    X(BADQACC,     6, "badqacc",     "NaN, infinite or huge number in qacc") \
    X(BADCTRL,     7, "badctrl",     "NaN, infinite or huge number in ctrl") \
    X(LOOPOPEN,    8, "loopopen",    "a loop that must be closed was open") \
    X(LOOPSINGULAR, 9, "loopsingular", "loops at a singular pose: constraints more dependent than usual") \
    X(LCP,         10, "lcp",        "rigid contact: its LCP was not solved, iterations diverged or went in a circle, or ended so far off that impulses were made smaller lest they give energy; or its inverse was asked for, which it has not; or maximal coordinates, which a body has not: mixed ones were taken") \
    X(INITAWAKE,   11, "initawake",  "a tree that is to sleep from the start is awake: another that may not, or that moves, is in its island") \
    X(FLEXINVERTED, 12, "flexinverted", "an element of a flex is turned inside out") \
    X(PLUGIN,      13, "plugin",      "a plugin failed, or gave a number that is not finite")
#define SN_NWARNING 14

#define SN_TIMER_TABLE(X) \
    X(STEP,           0, "step",           "sn_step, sn_step2") \
    X(FORWARD,        1, "forward",        "sn_forward") \
    X(INVERSE,        2, "inverse",        "sn_inverse") \
    X(POSITION,       3, "position",       "sn_fwdPosition") \
    X(VELOCITY,       4, "velocity",       "sn_fwdVelocity") \
    X(ACTUATION,      5, "actuation",      "sn_fwdActuation") \
    X(CONSTRAINT,     6, "constraint",     "sn_fwdConstraint; in inverse dynamics sn_invConstraint") \
    X(ADVANCE,        7, "advance",        "sn_Euler, sn_implicit") \
    X(POS_KINEMATICS, 8, "pos_kinematics", "of position: poses, cameras, lights, tendons") \
    X(POS_INERTIA,    9, "pos_inertia",    "of position: M and its factor") \
    X(POS_COLLISION, 10, "pos_collision",  "of position: contacts") \
    X(POS_MAKE,      11, "pos_make",       "of position: constraint rows") \
    X(POS_PROJECT,   12, "pos_project",    "of position at the peer; here the solver does it: 0") \
    X(COL_BROAD,     13, "col_broad",      "of collision: pairs to look at") \
    X(COL_NARROW,    14, "col_narrow",     "of collision: points of contact")
#define SN_NTIMER 15

// X(name, bit, keyword, meaning): set bit = feature disabled
#define SN_DSBL_TABLE(X) \
    X(CONSTRAINT,    0, "constraint",   "all constraint rows") \
    X(EQUALITY,      1, "equality",     "equality rows") \
    X(FRICTIONLOSS,  2, "frictionloss", "dry friction rows") \
    X(LIMIT,         3, "limit",        "limit rows") \
    X(CONTACT,       4, "contact",      "collision detection and contact rows") \
    X(SPRING,        5, "spring",       "passive springs") \
    X(DAMPER,        6, "damper",       "passive dampers") \
    X(GRAVITY,       7, "gravity",      "gravity") \
    X(CLAMPCTRL,     8, "clampctrl",    "clamping of ctrl to ctrlrange") \
    X(WARMSTART,     9, "warmstart",    "warm start of the solver") \
    X(FILTERPARENT, 10, "filterparent", "no contacts between parent and child") \
    X(ACTUATION,    11, "actuation",    "actuator forces") \
    X(REFSAFE,      12, "refsafe",      "solref[0] at least 2 timestep") \
    X(SENSOR,       13, "sensor",       "sensors") \
    X(MIDPHASE,     14, "midphase",     "bounding-volume trees") \
    X(EULERDAMP,    15, "eulerdamp",    "implicit joint damping in Euler") \
    X(AUTORESET,    16, "autoreset",    "reset on bad numbers") \
    X(NATIVECCD,    17, "nativeccd",    "native convex collision") \
    X(ISLAND,       18, "island",       "constraint islands")

// X(name, bit, keyword, meaning): set bit = feature enabled
#define SN_ENBL_TABLE(X) \
    X(OVERRIDE,   0, "override",   "contact parameters from option o_*") \
    X(ENERGY,     1, "energy",     "energy") \
    X(FWDINV,     2, "fwdinv",     "comparison of forward and inverse dynamics") \
    X(INVDISCRETE,3, "invdiscrete","inverse dynamics of the discrete acceleration") \
    X(MULTICCD,   4, "multiccd",   "several contact points a convex pair") \
    X(SLEEP,      5, "sleep",      "kinematic trees at rest sleep; physics 4.0 alone") \
    X(DIAGEXACT,  6, "diagexact",  "efc_diagApprox is the diagonal of J inv(M) J' itself") \
    X(SPECULATIVE,7, "speculative","contacts of what fast geoms will meet within the step")

// X(name, bit, keyword, meaning): parts of the state (seed 001, "State")
#define SN_STATE_TABLE(X) \
    X(TIME,          0, "time",         "d->time") \
    X(QPOS,          1, "qpos",         "") \
    X(QVEL,          2, "qvel",         "") \
    X(ACT,           3, "act",          "") \
    X(WARMSTART,     4, "warmstart",    "qacc_warmstart") \
    X(CTRL,          5, "ctrl",         "") \
    X(QFRC_APPLIED,  6, "qfrc_applied", "") \
    X(XFRC_APPLIED,  7, "xfrc_applied", "") \
    X(EQ_ACTIVE,     8, "eq_active",    "") \
    X(MOCAP_POS,     9, "mocap_pos",    "") \
    X(MOCAP_QUAT,   10, "mocap_quat",   "") \
    X(USERDATA,     11, "userdata",     "") \
    X(PLUGIN,       12, "plugin",       "plugin_state") \
    X(HISTORY,      13, "history",      "past controls and sensor outputs") \
    X(PLASTIC,      14, "plastic",      "where springs that yield are at rest") \
    X(ASLEEP,       15, "asleep",       "physics 4.0: tree_asleep, then sensordata, which sleepers keep")
#define SN_NSTATE 16

// X(name, value, keyword, meaning): when a kinematic tree may sleep
#define SN_SLEEP_TABLE(X) \
    X(AUTO,         0, "auto",    "as the compiler finds") \
    X(AUTO_NEVER,   1, "",        "never, as the compiler found") \
    X(AUTO_ALLOWED, 2, "",        "when it is at rest, as the compiler found") \
    X(NEVER,        3, "never",   "never") \
    X(ALLOWED,      4, "allowed", "when it is at rest") \
    X(INIT,         5, "init",    "from the start, and when it is at rest")
// clang-format on

#define X(name, value, keyword, meaning) SN_JNT_##name = value,
typedef enum snJointType { SN_JOINT_TABLE(X) } snJointType;
#undef X
#define X(name, value, keyword, meaning) SN_GEOM_##name = value,
typedef enum snGeomType { SN_GEOM_TABLE(X) } snGeomType;
#undef X
#define X(name, value, keyword, meaning) +1
enum { SN_NGEOMTYPE = 0 SN_GEOM_TABLE(X) }; ///< types of geoms of a model
#undef X
#define X(name, value, keyword, meaning) SN_CAMLIGHT_##name = value,
typedef enum snCamLight { SN_CAMLIGHT_TABLE(X) } snCamLight;
#undef X
#define X(name, value, keyword, meaning) SN_PROJ_##name = value,
typedef enum snProjection { SN_PROJECTION_TABLE(X) } snProjection;
#undef X
#define X(name, value, keyword, meaning) SN_CAMOUT_##name = value,
typedef enum snCamOutput { SN_CAMOUT_TABLE(X) } snCamOutput;
#undef X
#define X(name, value, keyword, meaning) SN_LIGHT_##name = value,
typedef enum snLightType { SN_LIGHT_TABLE(X) } snLightType;
#undef X
#define X(name, value, keyword, meaning) SN_TEXTURE_##name = value,
typedef enum snTextureType { SN_TEXTURE_TABLE(X) } snTextureType;
#undef X
#define X(name, value, keyword, meaning) SN_INT_##name = value,
typedef enum snIntegrator { SN_INTEGRATOR_TABLE(X) } snIntegrator;
#undef X
#define X(name, value, keyword, meaning) SN_CONE_##name = value,
typedef enum snCone { SN_CONE_TABLE(X) } snCone;
#undef X
#define X(name, value, keyword, meaning) SN_JAC_##name = value,
typedef enum snJacobian { SN_JACOBIAN_TABLE(X) } snJacobian;
#undef X
#define X(name, value, keyword, meaning) SN_SOL_##name = value,
typedef enum snSolver { SN_SOLVER_TABLE(X) } snSolver;
#undef X
#define X(name, value, keyword, meaning) SN_TRN_##name = value,
typedef enum snTrnType { SN_TRN_TABLE(X) } snTrnType;
#undef X
#define X(name, value, keyword, meaning) SN_DYN_##name = value,
typedef enum snDynType { SN_DYN_TABLE(X) } snDynType;
#undef X
#define X(name, value, keyword, meaning) SN_GAIN_##name = value,
typedef enum snGainType { SN_GAIN_TABLE(X) } snGainType;
#undef X
#define X(name, value, keyword, meaning) SN_BIAS_##name = value,
typedef enum snBiasType { SN_BIAS_TABLE(X) } snBiasType;
#undef X
#define X(name, value, keyword, meaning) SN_LRMODE_##name = value,
typedef enum snLRMode { SN_LRMODE_TABLE(X) } snLRMode;
#undef X
#define X(name, value, keyword, meaning) SN_OBJ_##name = value,
typedef enum snObjType { SN_OBJ_TABLE(X) } snObjType;
#undef X
#define X(name, value, keyword, meaning) SN_EQ_##name = value,
typedef enum snEqType { SN_EQ_TABLE(X) } snEqType;
#undef X
#define X(name, value, keyword, meaning) SN_FLEXSELF_##name = value,
typedef enum snFlexSelf { SN_FLEXSELF_TABLE(X) } snFlexSelf;
#undef X
#define X(name, value, keyword, meaning) SN_COLORSPACE_##name = value,
typedef enum snColorSpace { SN_COLORSPACE_TABLE(X) } snColorSpace;
#undef X
#define X(name, value, keyword, meaning) SN_WRAP_##name = value,
typedef enum snWrapType { SN_WRAP_TABLE(X) } snWrapType;
#undef X
#define X(name, value, keyword, meaning, ...) SN_SENS_##name = value,
typedef enum snSensorType { SN_SENSOR_TABLE(X) } snSensorType;
#undef X
#define X(name, value, keyword, meaning) SN_INTERP_##name = value,
typedef enum snInterpolation { SN_INTERPOLATION_TABLE(X) } snInterpolation;
#undef X
#define X(name, value, keyword, meaning) SN_STAGE_##name = value,
typedef enum snStage { SN_STAGE_TABLE(X) } snStage;
#undef X
#define X(name, value, keyword, meaning) SN_LOOP_##name = value,
typedef enum snLoopType { SN_LOOP_TABLE(X) } snLoopType;
#undef X
#define X(name, value, keyword, meaning) SN_LOOPS_##name = value,
typedef enum snLoops { SN_LOOPS_TABLE(X) } snLoops;
#undef X
#define X(name, value, keyword, meaning) SN_LOOPSOL_##name = value,
typedef enum snLoopSolution { SN_LOOPSOL_TABLE(X) } snLoopSolution;
#undef X
#define X(name, value, keyword, meaning) SN_CONTACT_##name = value,
typedef enum snContactModel { SN_CONTACTMODEL_TABLE(X) } snContactModel;
#undef X
#define X(name, value, keyword, meaning) SN_SERVO_##name = value,
typedef enum snServo { SN_SERVO_TABLE(X) } snServo;
#undef X
/// What a compiled model means; the rules in which the two differ are those of docs/releases.md.
#define X(name, value, keyword, meaning) SN_PHYSICS_##name = value,
typedef enum snPhysics { SN_PHYSICS_TABLE(X) } snPhysics;
#undef X
#define X(name, value, keyword, meaning) SN_LCP_##name = value,
typedef enum snLcpMethod { SN_LCPMETHOD_TABLE(X) } snLcpMethod;
#undef X
#define X(name, value, keyword, meaning) SN_LCPROW_##name = value,
typedef enum snLcpRow { SN_LCPROW_TABLE(X) } snLcpRow;
#undef X
#define X(name, value, keyword, meaning) SN_LCPSTATUS_##name = value,
typedef enum snLcpStatus { SN_LCPSTATUS_TABLE(X) } snLcpStatus;
#undef X
#define X(name, value, keyword, meaning) SN_STABILISE_##name = value,
typedef enum snStabilise { SN_STABILISE_TABLE(X) } snStabilise;
#undef X
#define X(name, value, keyword, meaning) SN_COORDINATES_##name = value,
typedef enum snCoordinates { SN_COORDINATES_TABLE(X) } snCoordinates;
#undef X
#define X(name, value, keyword, meaning) SN_DATATYPE_##name = value,
typedef enum snDataType { SN_DATATYPE_TABLE(X) } snDataType;
#undef X
#define X(name, value, keyword, meaning) SN_SAMEFRAME_##name = value,
typedef enum snSameFrame { SN_SAMEFRAME_TABLE(X) } snSameFrame;
#undef X
#define X(name, value, keyword, meaning) SN_CNSTR_##name = value,
typedef enum snConstraintType { SN_CNSTR_TABLE(X) } snConstraintType;
#undef X
#define X(name, value, keyword, meaning) SN_CNSTRSTATE_##name = value,
typedef enum snConstraintState { SN_CNSTRSTATE_TABLE(X) } snConstraintState;
#undef X
#define X(name, value, keyword, meaning) SN_WARN_##name = value,
typedef enum snWarning { SN_WARNING_TABLE(X) } snWarning;
#undef X
#define X(name, value, keyword, meaning) SN_TIMER_##name = value,
typedef enum snTimer { SN_TIMER_TABLE(X) } snTimer;
#undef X
#define X(name, bit, keyword, meaning) SN_DSBL_##name = 1 << bit,
typedef enum snDisableBit { SN_DSBL_TABLE(X) } snDisableBit;
#undef X
#define X(name, bit, keyword, meaning) SN_ENBL_##name = 1 << bit,
typedef enum snEnableBit { SN_ENBL_TABLE(X) } snEnableBit;
#undef X
#define X(name, value, keyword, meaning) SN_SLEEP_##name = value,
typedef enum snSleepPolicy { SN_SLEEP_TABLE(X) } snSleepPolicy;
#undef X
#define X(name, bit, keyword, meaning) SN_STATE_##name = 1 << bit,
typedef enum snStateBit {
    SN_STATE_TABLE(X) SN_STATE_PHYSICS = SN_STATE_QPOS | SN_STATE_QVEL | SN_STATE_ACT | SN_STATE_PLASTIC,
    SN_STATE_FULLPHYSICS = SN_STATE_TIME | SN_STATE_PHYSICS | SN_STATE_PLUGIN | SN_STATE_HISTORY,
    SN_STATE_USER = SN_STATE_CTRL | SN_STATE_QFRC_APPLIED | SN_STATE_XFRC_APPLIED | SN_STATE_EQ_ACTIVE |
                    SN_STATE_MOCAP_POS | SN_STATE_MOCAP_QUAT | SN_STATE_USERDATA,
    SN_STATE_INTEGRATION = SN_STATE_FULLPHYSICS | SN_STATE_USER | SN_STATE_WARMSTART | SN_STATE_ASLEEP,
} snStateBit;
#undef X

#ifdef __cplusplus
extern "C" {
#endif

/// One row of an enumeration table, for look-up at run time.
typedef struct snEnumItem {
    const char* name;    ///< C name without prefix, "HINGE"
    int value;           ///< for flags the mask, 1 << bit
    const char* keyword; ///< word in model files; "": none
    const char* meaning;
} snEnumItem;

/// One enumeration: its C type, its prefix ("SN_JNT_") and its items in table order.
typedef struct snEnum {
    const char* type;
    const char* prefix;
    int count;
    const snEnumItem* items;
} snEnum;

/// All enumerations; *count receives how many.
SN_API const snEnum* sn_enums(int* count);

#ifdef __cplusplus
}
#endif
#endif
