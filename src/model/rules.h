// What a model means by its `physics`: every rule in which the releases differ, once. Code that must branch
// asks sn_means; docs/releases.md is made of these tables by tools/check_releases.py.
#ifndef SINEW_MODEL_RULES_H
#define SINEW_MODEL_RULES_H

#include <sinew/types.h>
#include <stdbool.h>

// clang-format off
// X(NAME, physics, since, sense, same): `physics`: from which on it holds, 3_3_7 where Sinew goes by it under
// both; `since`: the peer's release that brought it; `sense`: "What holds. Before: what held."; `same`: how to
// write a model that means the same in both, "" where nothing can. Tests that show a rule name it.

// What is read, and what the compiler makes of it.
#define SN_RULES_COMPILE(X) \
    X(TENDON_LIMITS, 4_0, "3.14.0", \
      "The default of `actuatorfrclimited` of tendons is auto: `actuatorfrcrange` alone limits. Before: false.", \
      "`actuatorfrclimited` written out") \
    X(DAMPING_RATIO, 4_0, "3.15.0", \
      "The mass to which `dampratio` belongs is 1 / (J inv(M) J') at qpos0, couplings and armature included. Before: " \
      "the sum of M_ii / J_i^2 over dofs.", \
      "`kv` in place of `dampratio`") \
    X(SET_CONST, 4_0, "3.17.0", \
      "Damping of `dampratio`, lengths of `springlength` that are left open and the statistics are made when a model " \
      "is compiled, and never again. Before: by `sn_setConst`, too.", \
      "set them") \
    X(TENDON_INERTIA, 4_0, "4.0.0", \
      "A body whose joint is in a fixed tendon with `armature` is no simple one: `dof_invweight0` has what the tendon " \
      "adds. Before: the inertia of the body alone.", \
      "") \
    X(MULTICCD_ON, 4_0, "3.8.0", \
      "The flag `multiccd` is on where a file does not say: several contacts of a convex pair. Before: off.", \
      "Say `multiccd=\"enable\"` or `multiccd=\"disable\"`.") \
    X(SHORTCUT_DEFAULTS, 4_0, "3.16.0", \
      "A shortcut (`motor`, `position`, ...) takes its own numbers from the innermost default class whose actuator is " \
      "written as the same shortcut, or as `general` with the shortcut's gain, else from the manual. Before: from what " \
      "any actuator of its class left in `gainprm`, `biasprm` and `dynprm`, a `motor` beside a default `position` its bias.", \
      "write the numbers at the actuator, or in a class of the same shortcut") \
    X(INTVELOCITY_LIMITS, 4_0, "3.11.0", \
      "`actrange` of `intvelocity` may be left out, its activation is then without bounds. Before: it must be given.", \
      "give `actrange`") \
    X(CYLINDER_BIAS, 4_0, "3.16.0", \
      "All three numbers of `bias` of a `cylinder` count. Before: the first alone.", \
      "write `general` with `biasprm`") \
    X(QUAT_OVER_CLASS, 4_0, "3.16.0", \
      "`quat` of an element or an inner default class replaces an orientation of its class, whichever way that is " \
      "written. Before: `euler`, `axisangle`, `xyaxes` and `zaxis` of a class hold and `quat` is passed over.", \
      "write the element's orientation the way the class does") \
    X(INERTIAL_IN_FRAME, 4_0, "3.14.0", \
      "A `frame` moves an `inertial` inside it as it moves all else. Before: it does not.", \
      "put the `inertial` beside the frame") \
    X(PRINCIPAL_AXES, 4_0, "4.0.0", \
      "Principal axes of bodies are exact to rounding, those of meshes to 1e-7 at any size. Before: to 1e-6, and not " \
      "turned any further where products of inertia are below 1e-12 kg m^2, of meshes 1e-12 m^5.", \
      "give `pos`, `quat` and `diaginertia`") \
    X(FLAT_INERTIA, 4_0, "4.0.0", \
      "A `fullinertia` whose smallest moment is zero to 1e-14 is lifted by `boundinertia`. Before: an error.", \
      "give `diaginertia`") \
    X(PLANE_BOUNDS, 4_0, "4.0.0", \
      "A plane without size counts with 1 cm for `stat.center` and `stat.extent`. Before: with 1 m.", \
      "give the plane a size, or `statistic` `center` and `extent`") \
    X(RANGEFINDER_CUTOFF, 4_0, "3.5.0", \
      "`cutoff` bounds a `rangefinder` to both sides: -1, nothing hit, becomes -cutoff where that is more. Before: -1 stays.", \
      "give `cutoff` 0 or at least 1") \
    X(HULL_VERTICES, 4_0, "3.10.0", \
      "Of the hull of a mesh with `maxhullvert` the vertices are the farthest of all from the hull so far. Before: the " \
      "farthest from one of its sides, whichever comes first.", \
      "give the hull's vertices as the mesh") \
    X(MESH_NORMALS, 4_0, "3.11.0", \
      "Normals of a mesh under an uneven `scale` stay square to its surface. Before: they are stretched as vertices are.", \
      "scale the file") \
    X(MESH_POLYGONS, 4_0, "3.17.0", \
      "Polygons are made of hulls alone, of triangles that hang together, and their normals are of the whole outline. " \
      "Before: of each mesh, where two of near normals may stay apart, with normals of their first three vertices.", \
      "") \
    X(MIRRORED_MESH, 4_0, "3.7.0", \
      "Triangles of a mesh whose `scale` mirrors it are turned over, wherever they are from. Before: those of files alone, " \
      "not those of numbers in the model, of shapes and of hulls.", \
      "give the mirrored numbers") \
    X(CONST_BOUNDS, 4_0, "3.16.0", \
      "`sn_setConst` makes what follows from sizes, poses, margins and masks of geoms and from `body_gravcomp`: " \
      "`geom_rbound`, `geom_aabb`, `bvh_aabb` of bodies, `body_margin`, `body_contype`, `body_conaffinity`, `ngravcomp`, " \
      "added masses in fluids. Before: they stay as they were compiled.", \
      "set them") \
    X(FITTED_MESH, 4_0, "4.0.0", \
      "`geom_dataid` of a primitive that was fitted to a mesh is -1. Before: the mesh.", \
      "") \
    X(FUSED_FORCES, 4_0, "3.16.0", \
      "`fusestatic` keeps bodies in a fluid (`density` or `viscosity`, and mass or an ellipsoid `fluidshape`) that stand on any " \
      "but the world, and takes massless ones in whatever their `gravcomp`. Before: fluids do not matter, a `gravcomp` of its own does.", \
      "") \
    X(DISCARDED_FLUID_SHAPES, 4_0, "3.16.0", \
      "`discardvisual` keeps geoms with a `fluidshape`. Before: it takes them away.", \
      "let the geom collide, or name it in a `tuple`") \
    X(CONTINUOUS_JOINTS, 4_0, "4.0.0", \
      "A URDF's `continuous` joint has no range. Before: that of its `<limit>`.", \
      "make the joint `revolute`, or leave out `lower` and `upper`") \
    X(MIMIC, 3_3_7, "4.0.0", \
      "A URDF's `<mimic>` is an equality of joints. MuJoCo 3.3.7 passes over it.", \
      "") \
    X(STRIPPED_PATHS, 3_3_7, "3.7.0", \
      "Paths of a URDF's meshes count with their folders. MuJoCo 3.3.7 takes the last part alone, unless `strippath` is off.", \
      "") \
    X(FUSED_FRAMES, 3_3_7, "3.16.0", \
      "The orientation of a body that `fusestatic` takes in turns its centre of mass, and which bodies are named does not " \
      "keep others. MuJoCo 3.3.7 puts the mass elsewhere, and keeps them.", \
      "") \
    X(WELD_RELPOSE, 4_0, "3.17.0", \
      "`sn_setConst` makes the relative pose of a weld without `relpose` anew. Before: it stays as it was compiled.", \
      "give `relpose`") \
    X(REFUSED, 4_0, "4.0.0", \
      "What MuJoCo 4.0 refuses and 3.3.7 reads is a warning with the mend, an error with `strict`: one file included by two " \
      "paths, height fields of less than 2 x 2, fixed tendons over ball or free joints or twice over one, a camera's " \
      "`sensorsize` without `resolution`, `discardvisual` of what `inertiafromgeom=\"true\"` weighs, `composite`, " \
      "`orthographic`. Before: no warning.", \
      "write what the warning says") \
    X(HEADLIGHT_AUTO, 4_0, "4.0.0", \
      "`active` of the headlight is auto (2) where a file does not say: it is on, unless who looks decides otherwise. " \
      "Before: 1, on.", \
      "`active=\"1\"`") \
    X(NEWER_NAMES, 4_0, "4.0.0", \
      "Elements, attributes and words that came after 3.3.7 are read; a few are not supported yet and say so. Before: " \
      "they are refused for what they are.", \
      "leave them out") \
    X(KEYFRAME_FILL, 3_3_7, "3.16.0", \
      "A key's `qpos` that is too short is filled from `qpos0`, with a warning. MuJoCo 3.3.7 takes the reference of a " \
      "joint in degrees.", \
      "") \
    X(KEYFRAME_BESIDE_REPLICATE, 3_3_7, "3.16.0", \
      "A key beside a `replicate` is for the whole model. MuJoCo 3.3.7 takes it for the model before the first replicate.", \
      "") \
    X(FLEX_COPIES, 3_3_7, "4.0.1", \
      "Copies of bodies by `replicate` and `attach` have flexes of their own, with equalities of flexes, all under the names " \
      "of the copy; what is attached without one of its bodies has none. MuJoCo 3.3.7 refuses the replicate, and attaches flexes " \
      "under their old names, without equalities.", \
      "")

// Which geoms meet, where and how far.
#define SN_RULES_COLLISION(X) \
    X(MOCAP_WELD, 4_0, "3.12.0", \
      "A mocap body and what is welded to it are one group (`body_weldid`), not part of the world: they do not touch " \
      "their children across a joint, and rays that leave out what is static meet them. Before: they are welded to the world.", \
      "`exclude` elements for a mocap body and its children with joints, which have the flag `filterparent` for the later meaning alone.") \
    X(MARGIN_SUM, 4_0, "3.5.0", \
      "Margins of two geoms are added, and gaps. Before: the larger one holds.", \
      "`pair` elements, which have one margin and one gap; or margins and gaps on one of two geoms that meet alone.") \
    X(GAP_BEYOND, 4_0, "3.9.0", \
      "Contacts push below `margin` (`includemargin`) and are found below margin + gap; margins may be negative. " \
      "Before: they are found below margin and push below margin - gap.", \
      "Without gaps; else `margin` of 4.0 is that of 3.3.7 less the gap.") \
    X(BODY_MARGIN, 4_0, "3.11.0", \
      "`body_margin` is the largest sum of margin and gap of the body's geoms, 0 at least. Before: the largest margin.", \
      "Without gaps.") \
    X(PAIR_UNDEFINED, 3_3_7, "4.0.0", \
      "A `pair` has the numbers of its element or its default class. MuJoCo lets programs leave them undefined, as NaN, and then takes " \
      "those of the geoms, since 4.0 with `solref` mixed by `solmix`; Sinew refuses NaN.", \
      "") \
    X(PLANE_MESH, 4_0, "3.13.0", \
      "A mesh touches a plane with up to four corners of the side that looks most against it, from the lowest vertex on. " \
      "Before: with that vertex and up to two neighbours in the hull that are .3 bounding radii off.", \
      "") \
    X(MULTICCD_DEPTHS, 4_0, "4.0.1", \
      "With the flag `multiccd` sides within 5 degrees of each other, or a side and an edge, share up to four contacts, " \
      "each as deep as it is along a side's normal; ends of cylinders are polygons. Before: sides within 0.1 degrees, all " \
      "as deep as the deepest, and rocked by 1e-3 rad other shapes and those with a margin.", \
      "`multiccd=\"disable\"`") \
    X(CAPSULES_BESIDE, 4_0, "3.16.0", \
      "Capsules within 1e-4 rad of parallel touch at the two ends of the part along which they lie beside each other. " \
      "Before: parallel to rounding, at the two of their four ends that come first, which may be beyond that part.", \
      "turn one by more than 1e-4 rad") \
    X(BOX_BOX, 4_0, "3.12.0", \
      "Two boxes touch where a face of one is clipped by the sides of the other's, each corner as deep as it is, or " \
      "in one point of two edges. Before: `dist` is half the depth below a face, and edges have corners around them.", \
      "")

// Rows of constraints, and their solver.
#define SN_RULES_CONSTRAINT(X) \
    X(TRACE_SCALE, 4_0, "3.17.0", \
      "The solver's improvement and gradient, which `tolerance` bounds, are divided by the trace of M as it stands, " \
      "of the island or with islands disabled of all dofs. Before: by `stat.meaninertia` nv.", \
      "") \
    X(EQUALITY_VELOCITY, 4_0, "3.7.0", \
      "`efc_aref` of connect and weld has the term of the velocity, - dJ/dt v. " \
      "Before: it is left out.", \
      "")

// Tendons, actuators, integrators.
#define SN_RULES_SMOOTH(X) \
    X(SIDE_SITES, 4_0, "4.0.0", \
      "A tendon with a `sidesite` goes around the geom the way that the path through the site goes, and is straight " \
      "where it is taut without. Before: half planes tell the side, and it may jump onto a geom that it is clear of, " \
      "or go the wrong way around beyond half a turn.", \
      "a side site near the middle of the arc, so that neither end crosses the ray opposite of it") \
    X(FLEX_ELASTICITY, 3_3_7, "4.0.1", \
      "Flexes stretch by Saint Venant and Kirchhoff's law with mu and lambda of `young` and `poisson`, lambda of plane " \
      "stress in triangles, and bend with the rigidity E t^3 / (12 (1 - nu^2)). MuJoCo 3.3.7 has twice lambda in " \
      "tetrahedra, in triangles a quarter of mu and half of the lambda of tetrahedra, and 3/4 (1 - nu) of the rigidity.", \
      "") \
    X(SATURATED, 3_3_7, "4.0.0", \
      "An actuator whose force stands at its `forcerange`, or whose joint or tendon stands at `actuatorfrcrange`, has " \
      "no derivative in implicit steps. Before, in MuJoCo: it has, and slows what it cannot slow.", \
      "") \
    X(TURNING_SETPOINTS, 4_0, "3.11.0", \
      "A servo (`position`, `intvelocity`, or `general` with a gain of minus its bias by length) that turns a ball " \
      "joint, or a site against its `refsite` by a gear of rotations alone, takes of the setpoints that differ by " \
      "full turns the one nearest to its angle; filters go to it the short way, and after a step activations are " \
      "near to the angle. Before: the setpoint as it is, beyond half a turn the long way.", \
      "setpoints within half a turn of the angle") \
    X(GYROSCOPIC, 4_0, "3.11.0", \
      "A step of `implicitfast` moves a body with a `free` joint that carries no other joint as `implicit` does, " \
      "by the derivative of all its forces, that of the bias force included: a spinning body gains no energy. " \
      "Before: without the bias force, and of a fluid the symmetric part, as for all other bodies.", \
      "`integrator=\"implicit\"`") \
    X(ROTATION_STAGES, 4_0, "4.0.0", \
      "A step of `RK4` combines the rates of rotation vectors, so that it is of fourth order with `ball` and " \
      "`free` joints, too. Before: it combines angular velocities and is of second order there.", \
      "smaller steps")

#define SN_RULES_SENSOR(X) \
    X(TACTILE_DEPTH, 4_0, "3.9.0", \
      "`tactile` has, at each vertex of its mesh, the largest depth in any geom that touches its body, and the sums over " \
      "these geoms of how fast the surface slides past the vertex along its tangents, which turn with the sensor's geom; " \
      "after velocities. Before: d / (0.05 m + d), negated, of the depth d in the geom of the last contact that the vertex " \
      "is inside of, times the square of its first normal, and the velocity of that geom's centre against the vertex along " \
      "its tangents, which do not turn; after forces.", \
      "") \
    X(TENSION, 4_0, "3.14.0", \
      "Forces of spatial tendons on bodies are in `cfrc_ext` and `cfrc_int`, and so in `force` and `torque` sensors. " \
      "Before: they are left out.", \
      "") \
    X(WELD_TORQUE, 3_3_7, "3.14.0", \
      "The torque of a weld in `cfrc_ext` and `cfrc_int` is scaled and turned as its rows are.", \
      "") \
    X(STATIC_ACCELERATION, 4_0, "4.0.0", \
      "The acceleration of what does not move, a static or mocap body, has gravity in it as that of any other, " \
      "in `accelerometer`, `framelinacc` and `sn_objectAcceleration`. Before: it is zero.", \
      "")

// What is drawn.
#define SN_RULES_PICTURE(X) \
    X(PRINCIPAL_POINT, 4_0, "4.0.1", \
      "What a camera sees moves up where its principal point has a positive second number. Before: down.", \
      "negate the second number of `principal` or `principalpixel` where pictures alone are looked at") \
    X(FRUSTUM, 4_0, "3.5.0", \
      "What a camera sees is drawn for one with a `resolution` of more than a pixel, by its sensor or by `fovy`, of " \
      "parallel projection as a box. Before: for one with a `sensorsize`.", \
      "")
// clang-format on

#define SN_RULE_TABLE(X)                                                                                     \
    SN_RULES_COMPILE(X)                                                                                      \
    SN_RULES_COLLISION(X)                                                                                    \
    SN_RULES_CONSTRAINT(X)                                                                                   \
    SN_RULES_SMOOTH(X)                                                                                       \
    SN_RULES_SENSOR(X)                                                                                       \
    SN_RULES_PICTURE(X)

typedef enum snRule {
#define X(name, physics, since, sense, same) SN_RULE_##name,
    SN_RULE_TABLE(X)
#undef X
        SN_NRULE
} snRule;

/// Whether a rule holds under this snPhysics; one comparison where the rule is a constant.
static inline bool sn_means(int physics, snRule rule)
{
    switch (rule) {
#define X(name, from, since, sense, same)                                                                    \
    case SN_RULE_##name: return physics >= SN_PHYSICS_V##from;
        SN_RULE_TABLE(X)
#undef X
    case SN_NRULE: break;
    }
    return false;
}

/// The word for a snPhysics, "3.3.7".
const char* sn_physicsWord(int physics);
/// Words of all, [*count].
const char* const* sn_physicsWords(int* count);

#endif
