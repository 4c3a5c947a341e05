// The attributes of a model's description, each once: what MJCF calls it, how it is written, where the snSpec
// keeps it, its default, what it means. The structs in spec.h, their defaults, the reader, its errors and
// docs/mjcf.md all come from these tables.
#ifndef SINEW_MODEL_SPEC_SPEC_TABLE_H
#define SINEW_MODEL_SPEC_SPEC_TABLE_H

// X(KIND, attribute, member, min, max, words, where, meaning, default...)
//   KIND       member              text
//   REAL       double              one number
//   VEC        double[max]         min to max numbers; a shorter text sets the leading ones
//   FLOAT      float               one number
//   FVEC       float[max]          min to max numbers
//   INT        int                 one whole number
//   IVEC       int[max]            min to max whole numbers
//   BOOL       int                 true, false
//   WORD       int                 a keyword out of `words`
//   TEXT       const char*         any text; NULL when not given
//   REF        const char*         the name of a `words`; NULL when not given
//   NAMES      const char*         names of `words`, with blanks between; NULL when not given
//   LIST       snSpecNumbers       any count of numbers
//   FLIST      snSpecFloats        any count of numbers
//   ILIST      snSpecInts          any count of whole numbers
//   LATER      -                   known to the language, not supported yet: an error, but for words that are
//                                  the default
// NAME, CLASS and CHILDCLASS go to the element's head and to the choice of defaults. ORIENT stands for the
// five ways to write an orientation. where: E in the element, D in a default, B in both, R in the element,
// where it must be given.
// clang-format off
#define SN_SPEC_COMPILER(X) \
    X(BOOL, autolimits,        autolimits,        1, 1, 0, E, "a range alone switches its limit on", 1) \
    X(REAL, boundmass,         boundmass,         1, 1, 0, E, "least mass of every body but the world", 0) \
    X(REAL, boundinertia,      boundinertia,      1, 1, 0, E, "least principal moment of every body but the world", 0) \
    X(REAL, settotalmass,      settotalmass,      1, 1, 0, E, "positive: masses and inertias are scaled to this sum", -1) \
    X(BOOL, balanceinertia,    balanceinertia,    1, 1, 0, E, "moments that break the triangle inequality become their mean", 0) \
    X(BOOL, strippath,         strippath,         1, 1, 0, E, "file names lose their folders", 0) \
    X(WORD, coordinate,        coordinate,        1, 1, COORDINATE, E, "always local", 0) \
    X(WORD, angle,             degree,            1, 1, ANGLE, E, "unit of angles: radian 0, degree 1", 1) \
    X(BOOL, fitaabb,           fitaabb,           1, 1, 0, E, "fit primitives to a mesh's box", 0) \
    X(TEXT, eulerseq,          eulerseq,          1, 1, 0, E, "three of xyzXYZ; small: moving axes, capital: fixed axes", "xyz") \
    X(TEXT, meshdir,           meshdir,           1, 1, 0, E, "folder of meshes", NULL) \
    X(TEXT, texturedir,        texturedir,        1, 1, 0, E, "folder of textures", NULL) \
    X(TEXT, assetdir,          assetdir,          1, 1, 0, E, "both of the former", NULL) \
    X(BOOL, discardvisual,     discardvisual,     1, 1, 0, E, "drop geoms that only show", 0) \
    X(BOOL, usethread,         usethread,         1, 1, 0, E, "meshes are made on several threads, with the same result", 1) \
    X(BOOL, fusestatic,        fusestatic,        1, 1, 0, E, "merge bodies without joints into their parents", 0) \
    X(WORD, inertiafromgeom,   inertiafromgeom,   1, 1, TRISTATE, E, "auto: geoms give the inertia of bodies without inertial", 2) \
    X(IVEC, inertiagrouprange, inertiagrouprange, 2, 2, 0, E, "groups of geoms that give inertia", 0, 5) \
    X(BOOL, saveinertial,      saveinertial,      1, 1, 0, E, "written models hold the inertia of bodies without inertial", 0) \
    X(BOOL, savecompiled,      savecompiled,      1, 1, 0, E, "written models hold what was compiled, else what the source says", 1) \
    X(BOOL, savecanonical,     savecanonical,     1, 1, 0, E, "written from the source: radians, quaternions and general actuators, else as it is said", 1) \
    X(WORD, conflict,          conflict,          1, 1, CONFLICT, E, "options of what is attached that differ: warning 0: they do not come, merge 1, error 2", 0) \
    X(WORD, passthrough,       passthrough,       1, 1, PASSTHROUGH, E, "4.0: textures 1: those of one file are by reference, see embed; none 0", 0) \
    X(BOOL, alignfree,         alignfree,         1, 1, 0, E, "what align=auto of a freejoint means", 0)

#define SN_SPEC_OPTION(X) \
    X(REAL, timestep,          timestep,          1, 1, 0, E, "step of time", 0) \
    X(REAL, impratio,          impratio,          1, 1, 0, E, "ratio of friction to normal impedance", 0) \
    X(REAL, tolerance,         tolerance,         1, 1, 0, E, "solver: stop below", 0) \
    X(REAL, ls_tolerance,      ls_tolerance,      1, 1, 0, E, "line search: tolerance", 0) \
    X(REAL, noslip_tolerance,  noslip_tolerance,  1, 1, 0, E, "noslip: stop below", 0) \
    X(REAL, ccd_tolerance,     ccd_tolerance,     1, 1, 0, E, "MuJoCo's convex collision: tolerance; kept, ours is exact", 0) \
    X(VEC,  gravity,           gravity,           3, 3, 0, E, "acceleration of gravity", 0) \
    X(VEC,  wind,              wind,              3, 3, 0, E, "velocity of the medium", 0) \
    X(VEC,  magnetic,          magnetic,          3, 3, 0, E, "magnetic flux", 0) \
    X(REAL, density,           density,           1, 1, 0, E, "density of the medium", 0) \
    X(REAL, viscosity,         viscosity,         1, 1, 0, E, "viscosity of the medium", 0) \
    X(REAL, sleep_tolerance,   sleep_tolerance,   1, 1, 0, E, "flag sleep: trees whose velocities stay below it are at rest", 0) \
    X(REAL, o_margin,          o_margin,          1, 1, 0, E, "flag override: margin", 0) \
    X(VEC,  o_solref,          o_solref,          1, 2, 0, E, "flag override: solref", 0) \
    X(VEC,  o_solimp,          o_solimp,          1, 5, 0, E, "flag override: solimp", 0) \
    X(VEC,  o_friction,        o_friction,        1, 5, 0, E, "flag override: friction", 0) \
    X(WORD, integrator,        integrator,        1, 1, snIntegrator, E, "integrator", 0) \
    X(WORD, cone,              cone,              1, 1, snCone, E, "friction cone", 0) \
    X(WORD, jacobian,          jacobian,          1, 1, snJacobian, E, "storage of the constraint Jacobian", 0) \
    X(WORD, solver,            solver,            1, 1, snSolver, E, "constraint solver", 0) \
    X(INT,  iterations,        iterations,        1, 1, 0, E, "solver: most iterations", 0) \
    X(INT,  ls_iterations,     ls_iterations,     1, 1, 0, E, "line search: most evaluations", 0) \
    X(INT,  noslip_iterations, noslip_iterations, 1, 1, 0, E, "noslip: iterations", 0) \
    X(INT,  ccd_iterations,    ccd_iterations,    1, 1, 0, E, "MuJoCo's convex collision: most iterations; kept, ours is exact", 0) \
    X(INT,  sdf_iterations,    sdf_iterations,    1, 1, 0, E, "SDF collision: iterations", 0) \
    X(INT,  sdf_initpoints,    sdf_initpoints,    1, 1, 0, E, "SDF collision: starting points", 0)

#define SN_SPEC_SIZE(X) \
    X(TEXT, memory,         memory,         1, 1, 0, E, "limit of the arena in bytes, with K, M, G, T, P or E; -1: 2 GiB", NULL) \
    X(INT,  njmax,          njmax,          1, 1, 0, E, "no effect", -1) \
    X(INT,  nconmax,        nconmax,        1, 1, 0, E, "no effect", -1) \
    X(INT,  nstack,         nstack,         1, 1, 0, E, "no effect", -1) \
    X(INT,  nuserdata,      nuserdata,      1, 1, 0, E, "numbers in userdata", 0) \
    X(INT,  nkey,           nkey,           1, 1, 0, E, "least number of keyframes", 0) \
    X(INT,  nuser_body,     nuser_body,     1, 1, 0, E, "user numbers of a body; -1: as many as the longest", -1) \
    X(INT,  nuser_jnt,      nuser_jnt,      1, 1, 0, E, "user numbers of a joint", -1) \
    X(INT,  nuser_geom,     nuser_geom,     1, 1, 0, E, "user numbers of a geom", -1) \
    X(INT,  nuser_site,     nuser_site,     1, 1, 0, E, "user numbers of a site", -1) \
    X(INT,  nuser_cam,      nuser_cam,      1, 1, 0, E, "user numbers of a camera", -1) \
    X(INT,  nuser_tendon,   nuser_tendon,   1, 1, 0, E, "user numbers of a tendon", -1) \
    X(INT,  nuser_actuator, nuser_actuator, 1, 1, 0, E, "user numbers of an actuator", -1) \
    X(INT,  nuser_sensor,   nuser_sensor,   1, 1, 0, E, "user numbers of a sensor", -1)

#define SN_SPEC_STATISTIC(X) \
    X(REAL, meaninertia, meaninertia, 1, 1, 0, E, "mean of the diagonal of M; NaN: computed", SN_NAN) \
    X(REAL, meanmass,    meanmass,    1, 1, 0, E, "mean mass of a body; NaN: computed", SN_NAN) \
    X(REAL, meansize,    meansize,    1, 1, 0, E, "mean size of a body; NaN: computed", SN_NAN) \
    X(REAL, extent,      extent,      1, 1, 0, E, "extent of the model; NaN: computed", SN_NAN) \
    X(VEC,  center,      center,      3, 3, 0, E, "centre of the model; NaN: computed", SN_NAN, SN_NAN, SN_NAN)

#define SN_SPEC_FRAME(X) \
    X(NAME,       name,       -,      1, 1, 0, E, "name", 0) \
    X(CHILDCLASS, childclass, -,      1, 1, 0, E, "default class of what is inside", 0) \
    X(VEC,        pos,        pos,    3, 3, 0, E, "origin in the enclosing frame or body", 0) \
    X(ORIENT,     orient,     orient, 0, 0, 0, E, "orientation in the enclosing frame or body", 0) \
    X(VEC,        scale,      scale,  1, 3, 0, E, "4.0: factors of lengths inside along the axes; one: of all three", 1, 1, 1) \
    X(WORD,       scaling,    scaling, 1, 1, SCALING, E, "4.0: what follows the scale: all that has length or mass in its unit (similar 0), or lengths, masses and moments alone (geometry 1)", 0) \
    X(REAL,       massscale,  massscale, 1, 1, 0, E, "4.0: factor of masses inside; 0: that of volumes", 0)

#define SN_SPEC_REPLICATE(X) \
    X(INT,        count,      count,      1, 1, 0, R, "copies", 0) \
    X(VEC,        offset,     offset,     3, 3, 0, E, "displacement of a copy in the frame of the one before", 0) \
    X(VEC,        euler,      euler,      3, 3, 0, E, "turn of a copy against the one before, see eulerseq", 0) \
    X(TEXT,       sep,        sep,        1, 1, 0, E, "stands between a name and the number of the copy", NULL) \
    X(CHILDCLASS, childclass, -,          1, 1, 0, E, "default class of what is inside", 0)

// Its joint, geom, site and skin have some of the attributes of these elements, and no default classes.
#define SN_SPEC_COMPOSITE(X) \
    X(WORD, type,    type,    1, 1, COMPOSITE, R, "cable: a chain of bodies; MuJoCo has dropped the others", 0) \
    X(TEXT, prefix,  prefix,  1, 1, 0, E, "stands in front of the names of what is made", NULL) \
    X(IVEC, count,   count,   1, 3, 0, E, "number of vertices, then 1 1; there is one body less", 1, 1, 1) \
    X(VEC,  offset,  offset,  3, 3, 0, E, "displacement of all in the enclosing frame", 0) \
    X(VEC,  quat,    quat,    4, 4, 0, E, "orientation of the curve", 1, 0, 0, 0) \
    X(LIST, vertex,  vertex,  0, 0, 0, E, "vertices, three numbers each, in place of count and curve", 0) \
    X(TEXT, curve,   curve,   1, 1, 0, E, "x, y and z of the vertices along the curve: s, cos(s), sin(s) or 0", NULL) \
    X(VEC,  size,    size,    1, 3, 0, E, "length in s; radius and half turns of cos(s) and sin(s)", 1, 0, 0) \
    X(TEXT, initial, initial, 1, 1, 0, E, "joint of the first body: free, none, else ball", NULL)

// What stands for a flex with its bodies. Its contact and elasticity have the attributes of a flex's.
#define SN_SPEC_FLEXCOMP(X) \
    X(NAME,   name,       -,          1, 1, 0, R, "name of the flex; its bodies are NAME_0, NAME_1, ...", 0) \
    X(WORD,   type,       type,       1, 1, FLEXCOMP, E, "where points and elements come from", 0) \
    X(INT,    dim,        dim,        1, 1, 0, E, "elements are 1: edges, 2: triangles, 3: tetrahedra", 2) \
    X(WORD,   dof,        dof,        1, 1, FLEXDOF, E, "how points move: along three axes, along the ray from the body's origin, along x and y; the others are not supported yet", 0) \
    X(IVEC,   count,      count,      3, 3, 0, E, "points along the axes", 10, 10, 10) \
    X(VEC,    spacing,    spacing,    3, 3, 0, E, "distance of neighbours along the axes", 0.02, 0.02, 0.02) \
    X(TEXT,   file,       file,       1, 1, 0, E, "of mesh and gmsh: the file", NULL) \
    X(REF,    mesh,       mesh,       1, 1, MESH, E, "4.0: mesh of the assets in place of a file", NULL) \
    X(LIST,   point,      point,      0, 0, 0, E, "of direct: points, three numbers each", 0) \
    X(ILIST,  element,    element,    0, 0, 0, E, "of direct: elements, dim + 1 points each", 0) \
    X(FLIST,  texcoord,   texcoord,   0, 0, 0, E, "texture coordinates of the points, two numbers each; none: of grids, boxes and the like made if there is a material", 0) \
    X(VEC,    scale,      scale,      3, 3, 0, E, "of direct, mesh and gmsh: factors of coordinates", 1, 1, 1) \
    X(VEC,    origin,     origin,     3, 3, 0, E, "of a mesh with dim 3: the point that triangles become tetrahedra with", 0) \
    X(VEC,    pos,        pos,        3, 3, 0, E, "displacement of the points in the enclosing frame", 0) \
    X(ORIENT, orient,     orient,     0, 0, 0, E, "turn of the points in the enclosing frame", 0) \
    X(REAL,   mass,       mass,       1, 1, 0, E, "mass of all points, those held too", 1) \
    X(REAL,   inertiabox, inertiabox, 1, 1, 0, E, "side of the box that has a point's inertia", 0.005) \
    X(BOOL,   rigid,      rigid,      1, 1, 0, E, "all points are held by the enclosing body", 0) \
    X(REAL,   radius,     radius,     1, 1, 0, E, "radius around elements", 0.005) \
    X(NAMES,  material,   material,   0, 0, MATERIAL, E, "material, or one of each element", NULL) \
    X(FVEC,   rgba,       rgba,       4, 4, 0, E, "colour", 0.5f, 0.5f, 0.5f, 1) \
    X(INT,    group,      group,      1, 1, 0, E, "group", 0) \
    X(BOOL,   flatskin,   flatskin,   1, 1, 0, E, "flat shading; not given: of boxes, cylinders and grids of dim 3", 0) \
    X(LATER,  cellcount,  -,          0, 0, 0, E, "", 0)
#define SN_SPEC_FLEXCOMP_EDGE(X) \
    X(WORD, equality, equality,   1, 1, FLEXEQUALITY, E, "true: an equality keeps the edges' lengths; strain is not supported yet", 0) \
    X(VEC,  solref,   edgesolref, 1, 2, 0, E, "solref of the equality", 0.02, 1) \
    X(VEC,  solimp,   edgesolimp, 1, 5, 0, E, "solimp of the equality", 0.9, 0.95, 0.001, 0.5, 2) \
    X(REAL, stiffness, edgestiffness, 1, 1, 0, E, "stiffness of edges", 0) \
    X(REAL, damping,   edgedamping,   1, 1, 0, E, "damping of edges", 0)
#define SN_SPEC_FLEXCOMP_PIN(X) \
    X(ILIST, id,        id,        0, 0, 0, E, "points", 0) \
    X(ILIST, range,     range,     0, 0, 0, E, "ranges of points: first, last", 0) \
    X(ILIST, grid,      grid,      0, 0, 0, E, "of grids of dim 2 and 3: places along the axes, dim each", 0) \
    X(ILIST, gridrange, gridrange, 0, 0, 0, E, "ranges of such places: dim first, dim last", 0)

#define SN_SPEC_ATTACH(X) \
    X(TEXT, model,  model,  1, 1, 0, E, "model among the assets; 4.0: none: the model itself", NULL) \
    X(TEXT, body,   body,   1, 1, 0, E, "body of that model; none: all of it", NULL) \
    X(TEXT, frame,  frame,  1, 1, 0, E, "4.0: frame of that model, in place of a body", NULL) \
    X(TEXT, prefix, prefix, 1, 1, 0, R, "stands in front of all names that come along", NULL)

#define SN_SPEC_MODEL(X) \
    X(NAME, name,         -,            1, 1, 0, E, "name; none: the model's own", 0) \
    X(TEXT, file,         file,         1, 1, 0, R, "model file", NULL) \
    X(TEXT, content_type, content_type, 1, 1, 0, E, "media type of the file", NULL)

#define SN_SPEC_BODY(X) \
    X(NAME,       name,       -,        1, 1, 0, E, "name", 0) \
    X(CHILDCLASS, childclass, -,        1, 1, 0, E, "default class of what is inside", 0) \
    X(VEC,        pos,        pos,      3, 3, 0, E, "origin in the parent", 0) \
    X(ORIENT,     orient,     orient,   0, 0, 0, E, "orientation in the parent", 0) \
    X(BOOL,       mocap,      mocap,    1, 1, 0, E, "placed by mocap_pos and mocap_quat", 0) \
    X(REAL,       gravcomp,   gravcomp, 1, 1, 0, E, "gravity compensation in weights", 0) \
    X(WORD,       simple,     simple,   1, 1, FALSE_AUTO, E, "4.0: false: no short cuts for a diagonal inertia", 2) \
    X(WORD,       fuse,       fuse,     1, 1, FALSE_AUTO, E, "4.0: false: fusestatic keeps it", 2) \
    X(WORD,       sleep,      sleep,    1, 1, snSleepPolicy, E, "when the tree of a moving body without moving ones above may sleep", SN_SLEEP_AUTO) \
    X(LIST,       user,       user,     0, 0, 0, E, "user numbers", 0)

#define SN_SPEC_INERTIAL(X) \
    X(VEC,    pos,         pos,         3, 3, 0, R, "centre of mass in the body", 0) \
    X(ORIENT, orient,      orient,      0, 0, 0, E, "axes of diaginertia in the body", 0) \
    X(REAL,   mass,        mass,        1, 1, 0, R, "mass", 0) \
    X(VEC,    diaginertia, diaginertia, 3, 3, 0, E, "principal moments about the centre of mass", 0) \
    X(VEC,    fullinertia, fullinertia, 6, 6, 0, E, "xx yy zz xy xz yz in the body's axes; NaN: not given", SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN)

#define SN_SPEC_JOINT(X) \
    X(NAME,  name,               -,                  1, 1, 0, E, "name", 0) \
    X(CLASS, class,              -,                  1, 1, 0, E, "default class", 0) \
    X(WORD,  type,               type,               1, 1, snJointType, B, "kind of motion", SN_JNT_HINGE) \
    X(INT,   group,              group,              1, 1, 0, B, "group", 0) \
    X(VEC,   pos,                pos,                3, 3, 0, B, "anchor in the body", 0) \
    X(VEC,   axis,               axis,               3, 3, 0, B, "axis in the body", 0, 0, 1) \
    X(VEC,   springdamper,       springdamper,       2, 2, 0, B, "time constant and damping ratio that give stiffness and damping", 0) \
    X(WORD,  limited,            limited,            1, 1, TRISTATE, B, "has position limits", 2) \
    X(WORD,  actuatorfrclimited, actfrclimited,      1, 1, TRISTATE, B, "has limits of the total actuator force", 2) \
    X(VEC,   solreflimit,        solref_limit,       1, 2, 0, B, "solref of limits", 0.02, 1) \
    X(VEC,   solimplimit,        solimp_limit,       1, 5, 0, B, "solimp of limits", 0.9, 0.95, 0.001, 0.5, 2) \
    X(VEC,   solreffriction,     solref_friction,    1, 2, 0, B, "solref of dry friction", 0.02, 1) \
    X(VEC,   solimpfriction,     solimp_friction,    1, 5, 0, B, "solimp of dry friction", 0.9, 0.95, 0.001, 0.5, 2) \
    X(VEC,   stiffness,          stiffness,          1, 3, 0, B, "spring k, k1, k2: force -(k x + k1 x^2 + k2 x^3)", 0) \
    X(REAL,  springyield,        springyield,        1, 1, 0, B, "displacement beyond which the spring yields (angle units for hinge and ball); 0: it does not", 0) \
    X(VEC,   range,              range,              2, 2, 0, B, "position limits (angle units for hinge and ball)", 0) \
    X(VEC,   actuatorfrcrange,   actfrcrange,        2, 2, 0, B, "limits of the total actuator force", 0) \
    X(BOOL,  actuatorgravcomp,   actgravcomp,        1, 1, 0, B, "gravity compensation counts as actuator force", 0) \
    X(REAL,  margin,             margin,             1, 1, 0, B, "limit rows exist within this distance", 0) \
    X(REAL,  ref,                ref,                1, 1, 0, B, "position at the default pose (angle units for hinge)", 0) \
    X(REAL,  springref,          springref,          1, 1, 0, B, "position at which the spring rests (angle units for hinge)", 0) \
    X(REAL,  armature,           armature,           1, 1, 0, B, "added inertia", 0) \
    X(VEC,   damping,            damping,            1, 3, 0, B, "damper b, b1, b2: force -(b v + b1 v abs(v) + b2 v^3)", 0) \
    X(REAL,  frictionloss,       frictionloss,       1, 1, 0, B, "dry friction", 0) \
    X(LIST,  user,               user,               0, 0, 0, B, "user numbers", 0)

#define SN_SPEC_FREEJOINT(X) \
    X(NAME, name,  -,     1, 1, 0, E, "name", 0) \
    X(INT,  group, group, 1, 1, 0, E, "group", 0) \
    X(WORD, align, align, 1, 1, TRISTATE, E, "move the body's frame to its inertial frame", 2)

#define SN_SPEC_GEOM(X) \
    X(NAME,   name,         -,            1, 1, 0, E, "name", 0) \
    X(CLASS,  class,        -,            1, 1, 0, E, "default class", 0) \
    X(WORD,   type,         type,         1, 1, snGeomType, B, "shape", SN_GEOM_SPHERE) \
    X(INT,    contype,      contype,      1, 1, 0, B, "contact type bits", 1) \
    X(INT,    conaffinity,  conaffinity,  1, 1, 0, B, "contact affinity bits", 1) \
    X(INT,    condim,       condim,       1, 1, 0, B, "contact dimension", 3) \
    X(INT,    group,        group,        1, 1, 0, B, "group", 0) \
    X(INT,    priority,     priority,     1, 1, 0, B, "the higher one gives a contact's parameters", 0) \
    X(VEC,    size,         size,         1, 3, 0, B, "sizes, by type", 0) \
    X(REF,    material,     material,     1, 1, MATERIAL, B, "material", NULL) \
    X(FVEC,   rgba,         rgba,         4, 4, 0, B, "colour", 0.5f, 0.5f, 0.5f, 1) \
    X(VEC,    friction,     friction,     1, 3, 0, B, "friction: slide, spin, roll", 1, 0.005, 0.0001) \
    X(REAL,   mass,         mass,         1, 1, 0, B, "mass; NaN: from density", SN_NAN) \
    X(REAL,   density,      density,      1, 1, 0, B, "density", 1000) \
    X(BOOL,   shellinertia, shellinertia, 1, 1, 0, B, "all mass is in the surface", 0) \
    X(REAL,   solmix,       solmix,       1, 1, 0, B, "weight in mixing contact parameters", 1) \
    X(VEC,    solref,       solref,       1, 2, 0, B, "solref", 0.02, 1) \
    X(VEC,    solimp,       solimp,       1, 5, 0, B, "solimp", 0.9, 0.95, 0.001, 0.5, 2) \
    X(REAL,   margin,       margin,       1, 1, 0, B, "contacts are found below it (3.3.7), push below it (4.0)", 0) \
    X(REAL,   gap,          gap,          1, 1, 0, B, "they push below margin - gap (3.3.7), are found below margin + gap (4.0)", 0) \
    X(VEC,    surfacevel,   surfacevel,   1, 6, 0, B, "4.0: velocity of the surface seen by contacts, linear and angular, in its axes", 0) \
    X(REAL,   adhesion,     adhesion,     1, 1, 0, B, "4.0: force by which a contact can pull", 0) \
    X(BOOL,   castshadow,   castshadow,   1, 1, 0, B, "4.0: casts shadows", 1) \
    X(VEC,    fromto,       fromto,       6, 6, 0, B, "two ends of the axis; NaN: not given", SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN) \
    X(VEC,    pos,          pos,          3, 3, 0, B, "origin", 0) \
    X(ORIENT, orient,       orient,       0, 0, 0, B, "orientation", 0) \
    X(REF,    hfield,       hfield,       1, 1, HFIELD, B, "height field", NULL) \
    X(REF,    mesh,         mesh,         1, 1, MESH, B, "mesh; of a primitive: the mesh that it is fitted to", NULL) \
    X(REAL,   fitscale,     fitscale,     1, 1, 0, B, "scale of a primitive fitted to a mesh", 1) \
    X(WORD,   fluidshape,   fluidshape,   1, 1, FLUIDSHAPE, B, "fluid model: none 0, ellipsoid 1", 0) \
    X(VEC,    fluidcoef,    fluidcoef,    1, 5, 0, B, "blunt drag, slender drag, angular drag, Kutta lift, Magnus lift", 0.5, 0.25, 1.5, 1, 1) \
    X(LIST,   user,         user,         0, 0, 0, B, "user numbers", 0)

#define SN_SPEC_SITE(X) \
    X(NAME,   name,     -,        1, 1, 0, E, "name", 0) \
    X(CLASS,  class,    -,        1, 1, 0, E, "default class", 0) \
    X(WORD,   type,     type,     1, 1, snGeomType, B, "shape", SN_GEOM_SPHERE) \
    X(INT,    group,    group,    1, 1, 0, B, "group", 0) \
    X(REF,    material, material, 1, 1, MATERIAL, B, "material", NULL) \
    X(REF,    mesh,     mesh,     1, 1, MESH, B, "mesh that is its shape, of type mesh", NULL) \
    X(FVEC,   rgba,     rgba,     4, 4, 0, B, "colour", 0.5f, 0.5f, 0.5f, 1) \
    X(VEC,    size,     size,     1, 3, 0, B, "sizes, by type", 0.005, 0.005, 0.005) \
    X(VEC,    fromto,   fromto,   6, 6, 0, B, "two ends of the axis; NaN: not given", SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN) \
    X(VEC,    pos,      pos,      3, 3, 0, B, "origin", 0) \
    X(ORIENT, orient,   orient,   0, 0, 0, B, "orientation", 0) \
    X(LIST,   user,     user,     0, 0, 0, B, "user numbers", 0)

#define SN_SPEC_CAMERA(X) \
    X(NAME,   name,           -,                1, 1, 0, E, "name", 0) \
    X(CLASS,  class,          -,                1, 1, 0, E, "default class", 0) \
    X(VEC,    pos,            pos,              3, 3, 0, B, "origin", 0) \
    X(ORIENT, orient,         orient,           0, 0, 0, B, "orientation", 0) \
    X(WORD,   mode,           mode,             1, 1, snCamLight, B, "how it moves", SN_CAMLIGHT_FIXED) \
    X(REF,    target,         target,           1, 1, BODY, E, "body looked at", NULL) \
    X(BOOL,   orthographic,   orthographic,     1, 1, 0, B, "parallel projection", 0) \
    X(TEXT,   output,         output,           1, 1, 0, B, "4.0: pictures that it gives: rgb, depth, distance, normal, segmentation; none: rgb", NULL) \
    X(REAL,   fovy,           fovy,             1, 1, 0, B, "vertical field of view in degrees, orthographic in m", 45) \
    X(REAL,   ipd,            ipd,              1, 1, 0, B, "distance between the eyes", 0.068) \
    X(IVEC,   resolution,     resolution,       2, 2, 0, B, "pixels: width, height", 1, 1) \
    X(FVEC,   focal,          focal_length,     2, 2, 0, B, "focal length", 0) \
    X(FVEC,   focalpixel,     focal_pixel,      2, 2, 0, B, "focal length in pixels", 0) \
    X(FVEC,   principal,      principal_length, 2, 2, 0, B, "principal point", 0) \
    X(FVEC,   principalpixel, principal_pixel,  2, 2, 0, B, "principal point in pixels", 0) \
    X(FVEC,   sensorsize,     sensor_size,      2, 2, 0, B, "size of the sensor", 0) \
    X(LIST,   user,           user,             0, 0, 0, B, "user numbers", 0)

#define SN_SPEC_LIGHT(X) \
    X(NAME,  name,        -,           1, 1, 0, E, "name", 0) \
    X(CLASS, class,       -,           1, 1, 0, E, "default class", 0) \
    X(VEC,   pos,         pos,         3, 3, 0, B, "origin", 0) \
    X(VEC,   dir,         dir,         3, 3, 0, B, "direction", 0, 0, -1) \
    X(WORD,  mode,        mode,        1, 1, snCamLight, B, "how it moves", SN_CAMLIGHT_FIXED) \
    X(REF,   target,      target,      1, 1, BODY, E, "body lit", NULL) \
    X(WORD,  type,        type,        1, 1, snLightType, B, "kind of light", SN_LIGHT_SPOT) \
    X(BOOL,  directional, directional, 1, 1, 0, B, "an older way to write type; -1: not given", -1) \
    X(REF,   texture,     texture,     1, 1, TEXTURE, E, "texture of an image light", NULL) \
    X(BOOL,  castshadow,  castshadow,  1, 1, 0, B, "casts shadows", 1) \
    X(BOOL,  active,      active,      1, 1, 0, B, "is on", 1) \
    X(FLOAT, bulbradius,  bulbradius,  1, 1, 0, B, "radius", 0.02f) \
    X(FLOAT, intensity,   intensity,   1, 1, 0, B, "intensity", 0) \
    X(FLOAT, range,       range,       1, 1, 0, B, "reach", 10) \
    X(FVEC,  attenuation, attenuation, 3, 3, 0, B, "attenuation: constant, linear, quadratic", 1, 0, 0) \
    X(FLOAT, cutoff,      cutoff,      1, 1, 0, B, "cut-off angle in degrees", 45) \
    X(FLOAT, exponent,    exponent,    1, 1, 0, B, "fall-off exponent", 10) \
    X(FLOAT, softness,    softness,    1, 1, 0, B, "4.0: outer part of the cone of a spot over which it fades, 0 to 1; not drawn", 0.2f) \
    X(FVEC,  ambient,     ambient,     3, 3, 0, B, "ambient colour", 0) \
    X(FVEC,  diffuse,     diffuse,     3, 3, 0, B, "diffuse colour", 0.7f, 0.7f, 0.7f) \
    X(FVEC,  specular,    specular,    3, 3, 0, B, "specular colour", 0.3f, 0.3f, 0.3f)

#define SN_SPEC_TEXTURE(X) \
    X(NAME, name,         -,            1, 1, 0, E, "name", 0) \
    X(CLASS, class,       -,            1, 1, 0, E, "4.0: default class", 0) \
    X(WORD, type,         type,         1, 1, snTextureType, B, "kind", SN_TEXTURE_CUBE) \
    X(WORD, colorspace,   colorspace,   1, 1, snColorSpace, B, "colour space", 0) \
    X(TEXT, content_type, content_type, 1, 1, 0, E, "media type of the file", NULL) \
    X(TEXT, file,         file,         1, 1, 0, E, "image file", NULL) \
    X(IVEC, gridsize,     gridsize,     2, 2, 0, B, "rows and columns of the image's grid", 1, 1) \
    X(TEXT, gridlayout,   gridlayout,   1, 1, 0, B, "what the grid's cells show", NULL) \
    X(TEXT, fileright,    fileright,    1, 1, 0, E, "image file of a side", NULL) \
    X(TEXT, fileleft,     fileleft,     1, 1, 0, E, "image file of a side", NULL) \
    X(TEXT, fileup,       fileup,       1, 1, 0, E, "image file of a side", NULL) \
    X(TEXT, filedown,     filedown,     1, 1, 0, E, "image file of a side", NULL) \
    X(TEXT, filefront,    filefront,    1, 1, 0, E, "image file of a side", NULL) \
    X(TEXT, fileback,     fileback,     1, 1, 0, E, "image file of a side", NULL) \
    X(WORD, builtin,      builtin,      1, 1, BUILTIN, B, "pattern made instead of a file", 0) \
    X(VEC,  rgb1,         rgb1,         3, 3, 0, B, "first colour", 0.8, 0.8, 0.8) \
    X(VEC,  rgb2,         rgb2,         3, 3, 0, B, "second colour", 0.5, 0.5, 0.5) \
    X(WORD, mark,         mark,         1, 1, MARK, B, "marks on the pattern", 0) \
    X(VEC,  markrgb,      markrgb,      3, 3, 0, B, "colour of marks", 0) \
    X(REAL, random,       random,       1, 1, 0, B, "chance of a random dot", 0.01) \
    X(INT,  width,        width,        1, 1, 0, B, "pixels", 0) \
    X(INT,  height,       height,       1, 1, 0, B, "pixels", 0) \
    X(BOOL, hflip,        hflip,        1, 1, 0, B, "mirror left and right", 0) \
    X(BOOL, vflip,        vflip,        1, 1, 0, B, "mirror up and down", 0) \
    X(INT,  nchannel,     nchannel,     1, 1, 0, B, "channels", 3) \
    X(WORD, embed,        embed,        1, 1, TRISTATE, B, "4.0: false: pixels stay in the file, and the model names it; auto: as passthrough says", 2)

#define SN_SPEC_HFIELD(X) \
    X(NAME, name,         -,            1, 1, 0, E, "name", 0) \
    X(TEXT, content_type, content_type, 1, 1, 0, E, "media type of the file", NULL) \
    X(TEXT, file,         file,         1, 1, 0, E, "PNG image, or rows, columns and heights in binary", NULL) \
    X(INT,  nrow,         nrow,         1, 1, 0, E, "rows, without a file", 0) \
    X(INT,  ncol,         ncol,         1, 1, 0, E, "columns, without a file", 0) \
    X(VEC,  size,         size,         4, 4, 0, R, "half sizes x and y, height of the top, depth of the base", 0) \
    X(LIST, elevation,    elevation,    0, 0, 0, E, "heights without a file, the row of largest y first", 0)

#define SN_SPEC_SKIN(X) \
    X(NAME,  name,     -,        1, 1, 0, E, "name", 0) \
    X(TEXT,  file,     file,     1, 1, 0, E, "SKN file, instead of vertex, texcoord, face and bones", NULL) \
    X(REF,   material, material, 1, 1, MATERIAL, E, "material", NULL) \
    X(FVEC,  rgba,     rgba,     4, 4, 0, E, "colour", 0.5f, 0.5f, 0.5f, 1) \
    X(FLOAT, inflate,  inflate,  1, 1, 0, E, "offset along the normals", 0) \
    X(INT,   group,    group,    1, 1, 0, E, "group", 0) \
    X(FLIST, vertex,   vertex,   0, 0, 0, E, "vertices, three numbers each", 0) \
    X(FLIST, texcoord, texcoord, 0, 0, 0, E, "texture coordinates, two numbers each", 0) \
    X(ILIST, face,     face,     0, 0, 0, E, "triangles, three vertices each", 0)
#define SN_SPEC_BONE(X) \
    X(REF,   body,       body,       1, 1, BODY, R, "body that moves the vertices", NULL) \
    X(FVEC,  bindpos,    bindpos,    3, 3, 0, R, "its position when bound", 0) \
    X(FVEC,  bindquat,   bindquat,   4, 4, 0, R, "its orientation when bound", 0) \
    X(ILIST, vertid,     vertid,     0, 0, 0, R, "vertices that it moves", 0) \
    X(FLIST, vertweight, vertweight, 0, 0, 0, R, "their weights", 0)

#define SN_SPEC_FLEX(X) \
    X(NAME,  name,         -,            1, 1, 0, E, "name", 0) \
    X(INT,   group,        group,        1, 1, 0, E, "group", 0) \
    X(INT,   dim,          dim,          1, 1, 0, E, "elements are 1: edges, 2: triangles, 3: tetrahedra", 2) \
    X(REAL,  radius,       radius,       1, 1, 0, E, "radius around elements", 0.005) \
    X(NAMES, material,     material,     0, 0, MATERIAL, E, "material, or one of each element", NULL) \
    X(FVEC,  rgba,         rgba,         4, 4, 0, E, "colour", 0.5f, 0.5f, 0.5f, 1) \
    X(BOOL,  flatskin,     flatskin,     1, 1, 0, E, "flat shading", 0) \
    X(NAMES, body,         body,         0, 0, BODY, R, "bodies of the vertices, or one of all", NULL) \
    X(LIST,  vertex,       vertex,       0, 0, 0, E, "vertices in the frames of their bodies, three numbers each; none: their origins", 0) \
    X(ILIST, element,      element,      0, 0, 0, R, "elements, dim + 1 vertices each", 0) \
    X(FLIST, texcoord,     texcoord,     0, 0, 0, E, "texture coordinates, two numbers each", 0) \
    X(ILIST, elemtexcoord, elemtexcoord, 0, 0, 0, E, "texture coordinates of the vertices of elements, dim + 1 each; none: those of the vertices", 0) \
    X(LATER, node,         -,            0, 0, 0, E, "", ) \
    X(LATER, nodecoord,    -,            0, 0, 0, E, "", ) \
    X(LATER, cellcount,    -,            0, 0, 0, E, "", ) \
    X(LATER, dof,          -,            0, 0, 0, E, "", full)
#define SN_SPEC_FLEX_CONTACT(X) \
    X(INT,  contype,      contype,      1, 1, 0, E, "contact type bits", 1) \
    X(INT,  conaffinity,  conaffinity,  1, 1, 0, E, "contact affinity bits", 1) \
    X(INT,  condim,       condim,       1, 1, 0, E, "contact dimension", 3) \
    X(INT,  priority,     priority,     1, 1, 0, E, "the higher one gives a contact's parameters", 0) \
    X(VEC,  friction,     friction,     1, 3, 0, E, "friction: slide, spin, roll", 1, 0.005, 0.0001) \
    X(REAL, solmix,       solmix,       1, 1, 0, E, "weight in mixing contact parameters", 1) \
    X(VEC,  solref,       solref,       1, 2, 0, E, "solref", 0.02, 1) \
    X(VEC,  solimp,       solimp,       1, 5, 0, E, "solimp", 0.9, 0.95, 0.001, 0.5, 2) \
    X(REAL, margin,       margin,       1, 1, 0, E, "contacts are found below it (3.3.7), push below it (4.0)", 0) \
    X(REAL, gap,          gap,          1, 1, 0, E, "they push below margin - gap (3.3.7), are found below margin + gap (4.0)", 0) \
    X(WORD, selfcollide,  selfcollide,  1, 1, snFlexSelf, E, "how pairs of its own elements are found", SN_FLEXSELF_AUTO) \
    X(INT,  activelayers, activelayers, 1, 1, 0, E, "layers of tetrahedra that collide, from the outside", 1) \
    X(BOOL, passive,      passive,      1, 1, 0, E, "true is not supported yet", 0) \
    X(BOOL, internal,     internal,     1, 1, 0, E, "3.3.7: no effect", 0) \
    X(BOOL, vertcollide,  vertcollide,  1, 1, 0, E, "3.3.7: no effect", 0)
#define SN_SPEC_FLEX_EDGE(X) \
    X(REAL, stiffness, edgestiffness, 1, 1, 0, E, "stiffness of edges", 0) \
    X(REAL, damping,   edgedamping,   1, 1, 0, E, "damping of edges", 0)
#define SN_SPEC_FLEX_ELASTICITY(X) \
    X(REAL,  young,       young,     1, 1, 0, E, "Young's modulus", 0) \
    X(REAL,  poisson,     poisson,   1, 1, 0, E, "Poisson's ratio, from 0 to below 0.5", 0) \
    X(REAL,  damping,     damping,   1, 1, 0, E, "damping of elasticity, in stiffnesses", 0) \
    X(REAL,  thickness,   thickness, 1, 1, 0, E, "thickness of triangles; -1: not given", -1) \
    X(WORD,  elastic2d,   elastic2d, 1, 1, ELASTIC2D, E, "of triangles: none 0, bend 1, stretch 2, both 3", 0) \
    X(LATER, shear,       -,         0, 0, 0, E, "", 0) \
    X(LATER, yield,       -,         0, 0, 0, E, "", 0) \
    X(LATER, section,     -,         0, 0, 0, E, "", circle) \
    X(LATER, sectionsize, -,         0, 0, 0, E, "", 0)

#define SN_SPEC_MATERIAL(X) \
    X(NAME,  name,        -,           1, 1, 0, E, "name", 0) \
    X(CLASS, class,       -,           1, 1, 0, E, "default class", 0) \
    X(REF,   texture,     texture,     1, 1, TEXTURE, B, "texture of the role rgb", NULL) \
    X(BOOL,  texuniform,  texuniform,  1, 1, 0, B, "uniform mapping", 0) \
    X(FVEC,  texrepeat,   texrepeat,   2, 2, 0, B, "repetition", 1, 1) \
    X(FLOAT, emission,    emission,    1, 1, 0, B, "emission", 0) \
    X(FLOAT, specular,    specular,    1, 1, 0, B, "specular", 0.5f) \
    X(FLOAT, shininess,   shininess,   1, 1, 0, B, "shininess", 0.5f) \
    X(FLOAT, reflectance, reflectance, 1, 1, 0, B, "reflectance", 0) \
    X(FLOAT, metallic,    metallic,    1, 1, 0, B, "metallic", -1) \
    X(FLOAT, roughness,   roughness,   1, 1, 0, B, "roughness", -1) \
    X(FVEC,  rgba,        rgba,        4, 4, 0, B, "colour", 1, 1, 1, 1)

#define SN_SPEC_MESH(X) \
    X(NAME,  name,         -,            1, 1, 0, E, "name; none: the file's without folder and ending", 0) \
    X(CLASS, class,        -,            1, 1, 0, E, "default class", 0) \
    X(TEXT,  content_type, content_type, 1, 1, 0, E, "media type of the file", NULL) \
    X(TEXT,  file,         file,         1, 1, 0, E, "mesh file", NULL) \
    X(FLIST, vertex,       vertex,       0, 0, 0, E, "vertices, three numbers each", 0) \
    X(FLIST, normal,       normal,       0, 0, 0, E, "normals, three numbers each; none: from the triangles", 0) \
    X(FLIST, texcoord,     texcoord,     0, 0, 0, E, "texture coordinates, two numbers each", 0) \
    X(ILIST, face,         face,         0, 0, 0, E, "triangles, three vertices each; none: those of the convex hull", 0) \
    X(VEC,   refpos,       refpos,       3, 3, 0, E, "point of the vertices that becomes the origin", 0) \
    X(VEC,   refquat,      refquat,      4, 4, 0, E, "orientation that becomes the identity", 1, 0, 0, 0) \
    X(VEC,   scale,        scale,        3, 3, 0, B, "scale along the axes; negative: mirrored", 1, 1, 1) \
    X(BOOL,  smoothnormal, smoothnormal, 1, 1, 0, E, "normals made here are smooth over sharp edges too", 0) \
    X(INT,   maxhullvert,  maxhullvert,  1, 1, 0, B, "most vertices of the convex hull; -1: any number", -1) \
    X(WORD,  inertia,      inertia,      1, 1, MESHINERTIA, B, "what has mass: the convex hull, the solid (exact; legacy: every part counted as positive), the surface", SN_MESH_LEGACY) \
    X(REF,   material,     material,     1, 1, MATERIAL, E, "material of geoms that have none", NULL) \
    X(WORD,  builtin,      builtin,      1, 1, MESHBUILTIN, E, "shape made instead of a file", SN_MESHSHAPE_NONE) \
    X(LIST,  params,       params,       0, 0, 0, E, "parameters of the shape", 0)

#define SN_SPEC_PAIR(X) \
    X(NAME,  name,           -,              1, 1, 0, E, "name", 0) \
    X(CLASS, class,          -,              1, 1, 0, E, "default class", 0) \
    X(REF,   geom1,          geom1,          1, 1, GEOM, R, "geom 1", NULL) \
    X(REF,   geom2,          geom2,          1, 1, GEOM, R, "geom 2", NULL) \
    X(INT,   condim,         condim,         1, 1, 0, B, "contact dimension", 3) \
    X(VEC,   friction,       friction,       1, 5, 0, B, "friction: two tangents, spin, two rolls", 1, 1, 0.005, 0.0001, 0.0001) \
    X(VEC,   solref,         solref,         1, 2, 0, B, "solref, normal", 0.02, 1) \
    X(VEC,   solreffriction, solreffriction, 1, 2, 0, B, "solref, friction; 0 0: as normal", 0) \
    X(VEC,   solimp,         solimp,         1, 5, 0, B, "solimp", 0.9, 0.95, 0.001, 0.5, 2) \
    X(REAL,  gap,            gap,            1, 1, 0, B, "they push below margin - gap (3.3.7), are found below margin + gap (4.0)", 0) \
    X(REAL,  margin,         margin,         1, 1, 0, B, "contacts are found below it (3.3.7), push below it (4.0)", 0) \
    X(REAL,  adhesion,       adhesion,       1, 1, 0, B, "4.0: force by which a contact can pull, in place of the geoms'", 0)

#define SN_SPEC_EXCLUDE(X) \
    X(NAME, name,  -,     1, 1, 0, E, "name", 0) \
    X(REF,  body1, body1, 1, 1, BODY, R, "body 1", NULL) \
    X(REF,  body2, body2, 1, 1, BODY, R, "body 2", NULL)

// What fixed and spatial tendons have; spatial ones add TENDON_SPATIAL.
#define SN_SPEC_TENDON(X) \
    X(NAME,  name,               -,               1, 1, 0, E, "name", 0) \
    X(CLASS, class,              -,               1, 1, 0, E, "default class", 0) \
    X(INT,   group,              group,           1, 1, 0, B, "group", 0) \
    X(WORD,  limited,            limited,         1, 1, TRISTATE, B, "has limits of its length", 2) \
    X(WORD,  actuatorfrclimited, actfrclimited,   1, 1, TRISTATE, B, "has limits of the total actuator force", 0) \
    X(VEC,   range,              range,           2, 2, 0, B, "limits of the length", 0) \
    X(VEC,   actuatorfrcrange,   actfrcrange,     2, 2, 0, B, "limits of the total actuator force", 0) \
    X(VEC,   solreflimit,        solref_limit,    1, 2, 0, B, "solref of limits", 0.02, 1) \
    X(VEC,   solimplimit,        solimp_limit,    1, 5, 0, B, "solimp of limits", 0.9, 0.95, 0.001, 0.5, 2) \
    X(VEC,   solreffriction,     solref_friction, 1, 2, 0, B, "solref of dry friction", 0.02, 1) \
    X(VEC,   solimpfriction,     solimp_friction, 1, 5, 0, B, "solimp of dry friction", 0.9, 0.95, 0.001, 0.5, 2) \
    X(REAL,  frictionloss,       frictionloss,    1, 1, 0, B, "dry friction", 0) \
    X(VEC,   springlength,       springlength,    1, 2, 0, B, "lengths between which the spring is at rest; one: both; -1 -1: the length at rest of the joints' springs", -1, -1) \
    X(REAL,  margin,             margin,          1, 1, 0, B, "limit rows exist within this distance", 0) \
    X(VEC,   stiffness,          stiffness,       1, 3, 0, B, "spring k, k1, k2: force -(k x + k1 x^2 + k2 x^3)", 0) \
    X(REAL,  springyield,        springyield,     1, 1, 0, B, "stretch beyond which the spring yields; 0: it does not", 0) \
    X(VEC,   damping,            damping,         1, 3, 0, B, "damper b, b1, b2: force -(b v + b1 v abs(v) + b2 v^3)", 0) \
    X(REAL,  armature,           armature,        1, 1, 0, B, "inertia that moves with the tendon", 0) \
    X(LIST,  user,               user,            0, 0, 0, B, "user numbers", 0)

#define SN_SPEC_TENDON_SPATIAL(X) \
    X(REAL, width,    width,    1, 1, 0, B, "width when drawn", 0.003) \
    X(REF,  material, material, 1, 1, MATERIAL, B, "material", NULL) \
    X(FVEC, rgba,     rgba,     4, 4, 0, B, "colour", 0.5f, 0.5f, 0.5f, 1)

// What a path is made of: all four fill one record.
#define SN_SPEC_WRAP_JOINT(X) \
    X(REF,  joint, object, 1, 1, JOINT, R, "joint", NULL) \
    X(REAL, coef,  prm,    1, 1, 0, R, "coefficient of its position", 0)
#define SN_SPEC_WRAP_SITE(X) \
    X(REF, site, object, 1, 1, SITE, R, "site that the tendon passes", NULL)
#define SN_SPEC_WRAP_GEOM(X) \
    X(REF, geom,     object,   1, 1, GEOM, R, "sphere or cylinder that the tendon wraps around", NULL) \
    X(REF, sidesite, sidesite, 1, 1, SITE, E, "site on the side where the tendon passes; inside the geom: it passes inside", NULL)
#define SN_SPEC_WRAP_PULLEY(X) \
    X(REAL, divisor, prm, 1, 1, 0, R, "what follows counts divided by this", 1)

// What every kind of equality has, then what each adds. All fill one struct.
#define SN_SPEC_EQUALITY(X) \
    X(NAME,  name,   -,      1, 1, 0, E, "name", 0) \
    X(CLASS, class,  -,      1, 1, 0, E, "default class", 0) \
    X(BOOL,  active, active, 1, 1, 0, B, "holds from the start", 1) \
    X(VEC,   solref, solref, 1, 2, 0, B, "solref", 0.02, 1) \
    X(VEC,   solimp, solimp, 1, 5, 0, B, "solimp", 0.9, 0.95, 0.001, 0.5, 2)

// A connect or weld is between bodies or between sites.
#define SN_SPEC_EQUALITY_BODY(X) \
    X(REF, body1, body1, 1, 1, BODY, E, "first body", NULL) \
    X(REF, body2, body2, 1, 1, BODY, E, "second body; none: the world", NULL) \
    X(REF, site1, site1, 1, 1, SITE, E, "site of the first body, in place of bodies", NULL) \
    X(REF, site2, site2, 1, 1, SITE, E, "site of the second body", NULL)
#define SN_SPEC_EQUALITY_CONNECT(X) \
    X(VEC, anchor, anchor, 3, 3, 0, E, "point of the first body, in its frame", SN_NAN, SN_NAN, SN_NAN)
#define SN_SPEC_EQUALITY_WELD(X) \
    X(VEC,  anchor,      anchor,      3, 3, 0, E, "point of the second body, in its frame", SN_NAN, SN_NAN, SN_NAN) \
    X(VEC,  relpose,     relpose,     7, 7, 0, E, "position and orientation of body 2 in body 1; a zero quaternion: as they are at qpos0", SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN) \
    X(REAL, torquescale, torquescale, 1, 1, 0, E, "scale of the rotation, a length: how torque counts against force", 1)
#define SN_SPEC_EQUALITY_JOINT(X) \
    X(REF, joint1,   joint1,   1, 1, JOINT, R, "joint that is held, hinge or slide", NULL) \
    X(REF, joint2,   joint2,   1, 1, JOINT, E, "joint that it follows; none: it is held at polycoef[0]", NULL)
#define SN_SPEC_EQUALITY_TENDON(X) \
    X(REF, tendon1,  tendon1,  1, 1, TENDON, R, "tendon that is held", NULL) \
    X(REF, tendon2,  tendon2,  1, 1, TENDON, E, "tendon that it follows; none: it is held at polycoef[0]", NULL)
#define SN_SPEC_EQUALITY_FLEX(X) \
    X(REF, flex, flex, 1, 1, FLEX, R, "flex whose edges keep their lengths", NULL)
#define SN_SPEC_EQUALITY_POLYCOEF(X) \
    X(VEC, polycoef, polycoef, 1, 5, 0, E, "change of the first from qpos0 as a polynomial of the change of the second", 0, 1, 0, 0, 0)

#define SN_SPEC_EQUALITY_ALL(X) \
    SN_SPEC_EQUALITY(X) \
    SN_SPEC_EQUALITY_BODY(X) \
    SN_SPEC_EQUALITY_WELD(X) \
    SN_SPEC_EQUALITY_JOINT(X) \
    SN_SPEC_EQUALITY_TENDON(X) \
    SN_SPEC_EQUALITY_FLEX(X) \
    SN_SPEC_EQUALITY_POLYCOEF(X)

// What every kind of actuator has, then what some kinds have. All fill one struct.
#define SN_SPEC_ACTUATOR_NAME(X) \
    X(NAME,  name,          -,            1, 1, 0, E, "name", 0) \
    X(CLASS, class,         -,            1, 1, 0, E, "default class", 0) \
    X(INT,   group,         group,        1, 1, 0, B, "group", 0)

#define SN_SPEC_ACTUATOR_CTRLRANGE(X) \
    X(VEC,   ctrlrange,     ctrlrange,    2, 2, 0, B, "range of the control", 0)

#define SN_SPEC_ACTUATOR_HISTORY(X) \
    X(INT,   nsample,       nsample,      1, 1, 0, B, "controls that are kept", 0) \
    X(WORD,  interp,        interp,       1, 1, snInterpolation, B, "what lies between those that are kept", SN_INTERP_ZOH) \
    X(REAL,  delay,         delay,        1, 1, 0, B, "how old the control is that acts, which needs nsample", 0) \
    X(LIST,  user,          user,         0, 0, 0, B, "user numbers", 0)

#define SN_SPEC_ACTUATOR(X) \
    SN_SPEC_ACTUATOR_NAME(X) \
    X(WORD,  forcelimited,  forcelimited, 1, 1, TRISTATE, B, "force is clamped", 2) \
    SN_SPEC_ACTUATOR_CTRLRANGE(X) \
    X(VEC,   forcerange,    forcerange,   2, 2, 0, B, "range of the force", 0) \
    SN_SPEC_ACTUATOR_HISTORY(X)

#define SN_SPEC_ACTUATOR_CONTROL(X) \
    X(WORD,  ctrllimited,   ctrllimited,  1, 1, TRISTATE, B, "control is clamped", 2)

#define SN_SPEC_ACTUATOR_JOINT(X) \
    X(REF,   joint,         joint,        1, 1, JOINT, E, "joint that is driven", NULL)

// What has a length. At most one of joint, jointinparent, tendon, cranksite, site, body is given.
#define SN_SPEC_ACTUATOR_LENGTH(X) \
    X(VEC,   lengthrange,   lengthrange,  2, 2, 0, E, "reachable lengths", 0) \
    X(VEC,   gear,          gear,         1, 6, 0, B, "scale of length and force", 1, 0, 0, 0, 0, 0) \
    X(REAL,  cranklength,   cranklength,  1, 1, 0, B, "rod of a slider-crank", 0) \
    X(VEC,   damping,       damping,      1, 3, 0, B, "damper of its joint or tendon, times gear^2: force -(b v + b1 v abs(v) + b2 v^3)", 0) \
    X(REAL,  armature,      armature,     1, 1, 0, B, "inertia added to its joint or tendon, times gear^2", 0) \
    SN_SPEC_ACTUATOR_JOINT(X) \
    X(REF,   jointinparent, jointinparent, 1, 1, JOINT, E, "joint that is driven, gear in the parent's frame", NULL) \
    X(REF,   tendon,        tendon,       1, 1, TENDON, E, "tendon that is driven", NULL) \
    X(REF,   cranksite,     cranksite,    1, 1, SITE, E, "site of the crank that a slider drives", NULL) \
    X(REF,   slidersite,    slidersite,   1, 1, SITE, E, "site whose z axis the slider moves along", NULL)

#define SN_SPEC_ACTUATOR_AT(X) \
    X(REF,   site,          site,         1, 1, SITE, E, "site that is driven", NULL)
#define SN_SPEC_ACTUATOR_SITE(X) \
    SN_SPEC_ACTUATOR_AT(X) \
    X(REF,   refsite,       refsite,      1, 1, SITE, E, "site against which another is driven, in its frame", NULL)

#define SN_SPEC_ACTUATOR_BODY(X) \
    X(REF,   body,          body,         1, 1, BODY, E, "body that is pulled to what it touches", NULL)

#define SN_SPEC_ACTUATOR_ACTRANGE(X) \
    X(VEC,   actrange,      actrange,     2, 2, 0, B, "range of the activation", 0)

#define SN_SPEC_ACTUATOR_DYNAMICS(X) \
    X(WORD,  actlimited, actlimited, 1, 1, TRISTATE, B, "activation is clamped", 2) \
    X(INT,   actdim,     actdim,     1, 1, 0, B, "number of activations; -1: by dyntype", -1) \
    X(WORD,  dyntype,    dyntype,    1, 1, snDynType, B, "activation dynamics", SN_DYN_NONE)
#define SN_SPEC_ACTUATOR_DYNPRM(X) \
    X(VEC,   dynprm,     dynprm,     1, 10, 0, B, "parameters of activation dynamics", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define SN_SPEC_ACTUATOR_EARLY(X) \
    X(BOOL,  actearly,   actearly,   1, 1, 0, B, "the force uses the next activation", 0)

#define SN_SPEC_ACTUATOR_GENERAL(X) \
    SN_SPEC_ACTUATOR_DYNAMICS(X) \
    X(WORD,  gaintype,   gaintype,   1, 1, snGainType, B, "gain", SN_GAIN_FIXED) \
    X(WORD,  biastype,   biastype,   1, 1, snBiasType, B, "bias", SN_BIAS_NONE) \
    SN_SPEC_ACTUATOR_DYNPRM(X) \
    X(VEC,   gainprm,    gainprm,    1, 10, 0, B, "parameters of the gain", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0) \
    X(VEC,   biasprm,    biasprm,    1, 10, 0, B, "parameters of the bias", 0) \
    SN_SPEC_ACTUATOR_EARLY(X)

// What follows is turned into activation dynamics, gain and bias by the reader and NaN afterwards, inheritrange
// excepted.
#define SN_SPEC_ACTUATOR_VELOCITY(X) \
    X(REAL, kv, kv, 1, 1, 0, B, "velocity gain", SN_NAN)

#define SN_SPEC_ACTUATOR_SERVO(X) \
    SN_SPEC_ACTUATOR_VELOCITY(X) \
    X(REAL, kp,           kp,           1, 1, 0, B, "position gain", SN_NAN) \
    X(REAL, dampratio,    dampratio,    1, 1, 0, B, "damping ratio, instead of kv", SN_NAN)

#define SN_SPEC_ACTUATOR_INHERIT(X) \
    X(REAL, inheritrange, inheritrange, 1, 1, 0, B, "positive: range of the setpoint is the joint's range, scaled by this", 0)

#define SN_SPEC_ACTUATOR_INPUT(X) \
    X(TEXT, input,    input,    1, 1, 0, B, "which inputs are its controls", NULL)

// Of its controls beside the first.
#define SN_SPEC_ACTUATOR_RANGES(X) \
    X(VEC,  velrange, velrange, 2, 2, 0, B, "range of the setpoint of velocity", 0) \
    X(VEC,  ffrange,  ffrange,  2, 2, 0, B, "range of the feedforward", 0)

#define SN_SPEC_ACTUATOR_PID(X) \
    X(VEC,  posrange, posrange, 2, 2, 0, B, "range of the setpoint of position, the same as ctrlrange", SN_NAN, SN_NAN) \
    X(REAL, ki,       ki,       1, 1, 0, B, "integral gain", SN_NAN) \
    X(REAL, imax,     imax,     1, 1, 0, B, "bound of the integral; 0: none", SN_NAN) \
    X(REAL, slewmax,  slewmax,  1, 1, 0, B, "greatest rate of the setpoint; 0: any", SN_NAN)

#define SN_SPEC_ACTUATOR_MOTOR(X) \
    X(REAL, resistance,   resistance,   1, 1, 0, B, "of the winding, in ohms", SN_NAN) \
    X(VEC,  motorconst,   motorconst,   1, 2, 0, B, "torque by current, voltage by speed; of two that differ the geometric mean counts", SN_NAN, SN_NAN) \
    X(VEC,  nominal,      nominal,      1, 3, 0, B, "voltage, torque at stall, speed without load: for what of the two above is not given", SN_NAN, SN_NAN, SN_NAN) \
    X(VEC,  inductance,   inductance,   1, 2, 0, B, "inductance of the winding, or the time constant of the current; 0: the current follows at once", SN_NAN, SN_NAN) \
    X(VEC,  thermal,      thermal,      1, 6, 0, B, "thermal resistance, capacitance and time constant, two of the three; resistance by temperature, temperature at which it is as given, ambient temperature", SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN) \
    X(VEC,  saturation,   saturation,   1, 3, 0, B, "greatest torque, or current; greatest rate of the current; 0: none", SN_NAN, SN_NAN, SN_NAN) \
    X(VEC,  cogging,      cogging,      1, 3, 0, B, "torque A sin(N length + phase): A, N, phase in radians", SN_NAN, SN_NAN, SN_NAN) \
    X(VEC,  lugre,        lugre,        1, 5, 0, B, "friction: stiffness and damping of bristles, torque at speed and from rest, speed between them", SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN) \
    X(VEC,  controller,   controller,   1, 6, 0, B, "gains of position, integral and velocity; greatest rate of the first input; bound of the integral; greatest voltage", SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN, SN_NAN)

#define SN_SPEC_ACTUATOR_FILTER(X) \
    X(REAL, timeconst,    timeconst,    1, 1, 0, B, "time constant of a filter", SN_NAN)

#define SN_SPEC_ACTUATOR_CYLINDER(X) \
    X(REAL, area,         area,         1, 1, 0, B, "area of the piston: force by pressure", SN_NAN) \
    X(REAL, diameter,     diameter,     1, 1, 0, B, "diameter of the piston, instead of area", SN_NAN) \
    X(VEC,  bias,         bias,         3, 3, 0, B, "constant force; the other two have no effect", SN_NAN, SN_NAN, SN_NAN)

// A negative number stands for the default.
#define SN_SPEC_ACTUATOR_MUSCLE(X) \
    X(VEC,  timeconst,    timeconsts,   2, 2, 0, B, "time constants of activation and deactivation", SN_NAN, SN_NAN) \
    X(REAL, tausmooth,    tausmooth,    1, 1, 0, E, "width of the smooth change between the time constants", SN_NAN) \
    X(VEC,  range,        range,        2, 2, 0, B, "operating range of length, in units of the optimal length", SN_NAN, SN_NAN) \
    X(REAL, force,        force,        1, 1, 0, B, "peak active force at rest; negative: scale/acc0", SN_NAN) \
    X(REAL, scale,        scale,        1, 1, 0, B, "scale of the force that follows from acc0", SN_NAN) \
    X(REAL, lmin,         lmin,         1, 1, 0, B, "least length with active force", SN_NAN) \
    X(REAL, lmax,         lmax,         1, 1, 0, B, "greatest length with active force", SN_NAN) \
    X(REAL, vmax,         vmax,         1, 1, 0, B, "velocity of shortening at which the active force is 0", SN_NAN) \
    X(REAL, fpmax,        fpmax,        1, 1, 0, B, "passive force at lmax", SN_NAN) \
    X(REAL, fvmax,        fvmax,        1, 1, 0, B, "active force at the greatest velocity of lengthening", SN_NAN)

#define SN_SPEC_ACTUATOR_ADHESION(X) \
    X(REAL, gain,         gain,         1, 1, 0, B, "force by control", SN_NAN)

// The plugin of an element: of a kind of its own, or with others.
#define SN_SPEC_PLUGIN(X) \
    X(TEXT,  plugin,   plugin,   1, 1, 0, E, "name of the plugin, of which an instance is made for the element", NULL) \
    X(REF,   instance, instance, 1, 1, PLUGIN, E, "instance that <extension> has, in place of a plugin", NULL)
#define SN_SPEC_EXTENSION(X) \
    X(TEXT,  plugin,   plugin,   1, 1, 0, R, "name of a plugin that the model needs", NULL)
#define SN_SPEC_INSTANCE(X) \
    X(NAME,  name,     -,        1, 1, 0, R, "name", 0)
#define SN_SPEC_CONFIG(X) \
    X(TEXT,  key,      key,      1, 1, 0, R, "attribute of the plugin", NULL) \
    X(TEXT,  value,    value,    1, 1, 0, R, "its value, any text", NULL)

#define SN_SPEC_ACTUATOR_ALL(X) \
    SN_SPEC_PLUGIN(X) \
    SN_SPEC_ACTUATOR(X) \
    SN_SPEC_ACTUATOR_CONTROL(X) \
    SN_SPEC_ACTUATOR_LENGTH(X) \
    SN_SPEC_ACTUATOR_SITE(X) \
    SN_SPEC_ACTUATOR_BODY(X) \
    SN_SPEC_ACTUATOR_ACTRANGE(X) \
    SN_SPEC_ACTUATOR_GENERAL(X) \
    SN_SPEC_ACTUATOR_SERVO(X) \
    SN_SPEC_ACTUATOR_INHERIT(X) \
    SN_SPEC_ACTUATOR_INPUT(X) \
    SN_SPEC_ACTUATOR_RANGES(X) \
    SN_SPEC_ACTUATOR_PID(X) \
    SN_SPEC_ACTUATOR_MOTOR(X) \
    SN_SPEC_ACTUATOR_FILTER(X) \
    SN_SPEC_ACTUATOR_CYLINDER(X) \
    SN_SPEC_ACTUATOR_MUSCLE(X) \
    SN_SPEC_ACTUATOR_ADHESION(X)

#define SN_SPEC_LENGTHRANGE(X) \
    X(WORD, mode,        mode,        1, 1, snLRMode, E, "which actuators", SN_LRMODE_MUSCLE) \
    X(BOOL, useexisting, useexisting, 1, 1, 0, E, "a range that is given stays", 1) \
    X(BOOL, uselimit,    uselimit,    1, 1, 0, E, "limits of the joint or tendon are the range, where it has any", 0) \
    X(REAL, accel,       accel,       1, 1, 0, E, "size of the acceleration that pushes to each end", 20) \
    X(REAL, maxforce,    maxforce,    1, 1, 0, E, "largest force that pushes; 0: no bound", 0) \
    X(REAL, timeconst,   timeconst,   1, 1, 0, E, "time constant of the decay of velocity", 1) \
    X(REAL, timestep,    timestep,    1, 1, 0, E, "step of time; 0: the model's", 0.01) \
    X(REAL, inttotal,    inttotal,    1, 1, 0, E, "time to push to each end", 10) \
    X(REAL, interval,    interval,    1, 1, 0, E, "time at the end of it in which the length is measured", 2) \
    X(REAL, tolrange,    tolrange,    1, 1, 0, E, "most change in that time, as a part of the range", 0.05)

#define SN_SPEC_NUMERIC(X) \
    X(NAME, name, -,    1, 1, 0, R, "name", 0) \
    X(INT,  size, size, 1, 1, 0, E, "how many numbers; -1: as many as given", -1) \
    X(LIST, data, data, 0, 0, 0, E, "numbers; zeros follow up to size", 0)

#define SN_SPEC_TEXT(X) \
    X(NAME, name, -,    1, 1, 0, R, "name", 0) \
    X(TEXT, data, data, 1, 1, 0, R, "text", NULL)

#define SN_SPEC_TUPLE(X) \
    X(NAME, name, -, 1, 1, 0, R, "name", 0)

#define SN_SPEC_TUPLE_ELEMENT(X) \
    X(WORD, objtype, objtype, 1, 1, snObjType, R, "kind of object", 0) \
    X(TEXT, objname, objname, 1, 1, 0, R, "name of the object", NULL) \
    X(REAL, prm,     prm,     1, 1, 0, E, "parameter", 0)

#define SN_SPEC_KEY(X) \
    X(NAME, name,  -,     1, 1, 0, E, "name", 0) \
    X(REAL, time,  time,  1, 1, 0, E, "time", 0) \
    X(LIST, qpos,  qpos,  0, 0, 0, E, "positions; count 0: qpos0", 0) \
    X(LIST, qvel,  qvel,  0, 0, 0, E, "velocities; count 0: zero", 0) \
    X(LIST, act,   act,   0, 0, 0, E, "activations; count 0: zero", 0) \
    X(LIST, mpos,  mpos,  0, 0, 0, E, "mocap positions; count 0: of the bodies", 0) \
    X(LIST, mquat, mquat, 0, 0, 0, E, "mocap orientations; count 0: of the bodies", 0) \
    X(LIST, ctrl,  ctrl,  0, 0, 0, E, "controls; count 0: zero", 0) \
    X(LIST, plastic, plastic, 0, 0, 0, E, "where springs that yield are at rest; count 0: where they begin", 0)

#define SN_SPEC_LAYER(X) \
    X(REF,  texture, texture, 1, 1, TEXTURE, R, "texture", NULL) \
    X(WORD, role,    role,    1, 1, TEXROLE, R, "what the texture gives", 0)

// Sensors: what all have but those of the user, what all have but contact, and what each form of sensor adds (see snSensorForm).
#define SN_SPEC_SENSOR_HISTORY(X) \
    X(INT,  nsample,  nsample,  1, 1, 0, E, "outputs that are kept", 0) \
    X(WORD, interp,   interp,   1, 1, snInterpolation, E, "what lies between those that are kept", SN_INTERP_ZOH) \
    X(REAL, delay,    delay,    1, 1, 0, E, "how old the output is that is shown, which needs nsample", 0) \
    X(VEC,  interval, interval, 1, 2, 0, E, "time between measurements, which needs nsample; time of the last one before the start, 0: one period", 0)
#define SN_SPEC_SENSOR(X) \
    X(NAME, name,   -,      1, 1, 0, E, "name", 0) \
    X(REAL, cutoff, cutoff, 1, 1, 0, E, "outputs are clipped to it; 0: not", 0) \
    X(REAL, noise,  noise,  1, 1, 0, E, "standard deviation of noise; not applied", 0) \
    X(LIST, user,   user,   0, 0, 0, E, "user numbers", 0)
#define SN_SPEC_SENSOR_SITE(X)     X(REF, site, site, 1, 1, SITE, R, "site that carries the sensor", NULL)
#define SN_SPEC_SENSOR_RANGE(X) \
    X(REF,  site,   site,   1, 1, SITE, E, "site along whose z axis a ray goes", NULL) \
    X(REF,  camera, camera, 1, 1, CAMERA, E, "camera through whose pixels rays go, in place of a site", NULL) \
    X(TEXT, data,   data,   1, 1, 0, E, "dist, dir, origin, point, normal, depth of each ray, in this order", NULL)
#define SN_SPEC_SENSOR_JOINT(X)    X(REF, joint, joint, 1, 1, JOINT, R, "joint that is measured", NULL)
#define SN_SPEC_SENSOR_TENDON(X)    X(REF, tendon, tendon, 1, 1, TENDON, R, "tendon that is measured", NULL)
#define SN_SPEC_SENSOR_ACTUATOR(X) X(REF, actuator, actuator, 1, 1, ACTUATOR, R, "actuator that is measured", NULL)
#define SN_SPEC_SENSOR_BODY(X)     X(REF, body, body, 1, 1, BODY, R, "root of the subtree that is measured", NULL)
#define SN_SPEC_SENSOR_CAMERA(X) \
    X(REF, site,   site,   1, 1, SITE, R, "site that is seen", NULL) \
    X(REF, camera, camera, 1, 1, CAMERA, R, "camera that sees it", NULL)
#define SN_SPEC_SENSOR_FRAMEACC(X) \
    X(WORD, objtype, objtype, 1, 1, snObjType, R, "kind of the object", 0) \
    X(TEXT, objname, objname, 1, 1, 0, R, "object that is measured", NULL)
#define SN_SPEC_SENSOR_FRAME(X) \
    X(WORD, objtype, objtype, 1, 1, snObjType, R, "kind of the object", 0) \
    X(TEXT, objname, objname, 1, 1, 0, R, "object that is measured", NULL) \
    X(WORD, reftype, reftype, 1, 1, snObjType, E, "kind of the reference frame", 0) \
    X(TEXT, refname, refname, 1, 1, 0, E, "reference frame; none: the world", NULL)
#define SN_SPEC_SENSOR_INSIDE(X) \
    X(WORD, objtype, objtype, 1, 1, snObjType, R, "kind of the object", 0) \
    X(TEXT, objname, objname, 1, 1, 0, R, "object whose place is tested", NULL) \
    X(REF,  site,    site,    1, 1, SITE, R, "volume", NULL) \
    X(BOOL, enclosed, enclosed, 1, 1, 0, E, "how far the object's geoms jut out of the volume is measured", 0)
#define SN_SPEC_SENSOR_DISTANCE(X) \
    X(REF, geom1, geom1, 1, 1, GEOM, E, "first geom", NULL) \
    X(REF, geom2, geom2, 1, 1, GEOM, E, "second geom", NULL) \
    X(REF, body1, body1, 1, 1, BODY, E, "first body, in place of a geom", NULL) \
    X(REF, body2, body2, 1, 1, BODY, E, "second body, in place of a geom", NULL)
#define SN_SPEC_SENSOR_CONTACT(X) \
    X(NAME, name,     -,        1, 1, 0, E, "name", 0) \
    X(REAL, cutoff,   cutoff,   1, 1, 0, E, "kept, without effect", 0) \
    X(REAL, noise,    noise,    1, 1, 0, E, "standard deviation of noise; not applied", 0) \
    X(LIST, user,     user,     0, 0, 0, E, "user numbers", 0) \
    X(REF,  site,     site,     1, 1, SITE, E, "contacts inside this site", NULL) \
    X(REF,  geom1,    geom1,    1, 1, GEOM, E, "contacts of this geom", NULL) \
    X(REF,  geom2,    geom2,    1, 1, GEOM, E, "contacts with this geom", NULL) \
    X(REF,  body1,    body1,    1, 1, BODY, E, "contacts of this body", NULL) \
    X(REF,  body2,    body2,    1, 1, BODY, E, "contacts with this body", NULL) \
    X(REF,  subtree1, subtree1, 1, 1, BODY, E, "contacts of this subtree", NULL) \
    X(REF,  subtree2, subtree2, 1, 1, BODY, E, "contacts with this subtree", NULL) \
    X(TEXT, data,     data,     1, 1, 0, E, "found, force, torque, dist, pos, normal, tangent, linvel, angvel, in this order", NULL) \
    X(INT,  num,      num,      1, 1, 0, E, "how many contacts", 1) \
    X(WORD, reduce,   reduce,   1, 1, REDUCE, E, "which contacts come first", 0)
#define SN_SPEC_SENSOR_TAXELS(X) \
    X(NAME, name,   -,      1, 1, 0, E, "name", 0) \
    X(REAL, cutoff, cutoff, 1, 1, 0, E, "outputs are clipped to it; 0: not", 0) \
    X(LIST, user,   user,   0, 0, 0, E, "user numbers", 0) \
    X(REF,  geom,   geom,   1, 1, GEOM, R, "geom in whose frame the mesh is", NULL) \
    X(REF,  mesh,   mesh,   1, 1, MESH, R, "mesh whose vertices feel", NULL)
#define SN_SPEC_SENSOR_PLUGIN(X) \
    X(NAME, name,    -,       1, 1, 0, E, "name", 0) \
    X(REAL, cutoff,  cutoff,  1, 1, 0, E, "outputs are clipped to it; 0: not", 0) \
    X(LIST, user,    user,    0, 0, 0, E, "user numbers", 0) \
    X(WORD, objtype, objtype, 1, 1, snObjType, E, "kind of the object", 0) \
    X(TEXT, objname, objname, 1, 1, 0, E, "object that is measured", NULL) \
    X(WORD, reftype, reftype, 1, 1, snObjType, E, "kind of the reference frame", 0) \
    X(TEXT, refname, refname, 1, 1, 0, E, "reference frame", NULL)
#define SN_SPEC_SENSOR_USER(X) \
    X(WORD, objtype,   objtype,   1, 1, snObjType, E, "kind of the object", 0) \
    X(TEXT, objname,   objname,   1, 1, 0, E, "object", NULL) \
    X(INT,  dim,       dim,       1, 1, 0, R, "number of outputs", 0) \
    X(WORD, datatype,  datatype,  1, 1, snDataType, E, "kind of outputs", SN_DATATYPE_REAL) \
    X(WORD, needstage, needstage, 1, 1, snStage, E, "stage after which it is computed", SN_STAGE_ACC)
// clang-format on

#endif
