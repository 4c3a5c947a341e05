// snModel: everything about a robot and its world that does not change while it moves. The tables below
// are the one place where sizes and arrays stand: the struct, allocation, copying, comparison, Python's
// attributes, `sinew inspect` and the reference page come from them. Adding a field is one line.
#ifndef SINEW_MODEL_H
#define SINEW_MODEL_H

#include <sinew/option.h>
#include <sinew/types.h>
#include <sinew/visual.h>

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
// X(name, meaning): sizes, all int
#define SN_MODEL_SIZES(X) \
    X(nq,             "position coordinates, dim(qpos)") \
    X(nv,             "degrees of freedom, dim(qvel)") \
    X(nu,             "controls of all actuators, dim(ctrl)") \
    X(nactuator,      "actuators") \
    X(nout,           "forces of all actuators, dim(actuator_force)") \
    X(na,             "activation variables, dim(act)") \
    X(nplastic,       "numbers in d->plastic, dim(plastic)") \
    X(nbody,          "bodies, the world included") \
    X(njnt,           "joints") \
    X(ntree,          "kinematic trees under the world") \
    X(nM,             "non-zeros of the lower triangle of the joint-space inertia") \
    X(nLD,            "room for the factors of the joint-space inertia, rows in groups of four") \
    X(nB,             "non-zeros of the matrix of which dofs move which body") \
    X(nC,             "non-zeros of the lower triangle of the joint-space inertia, rows of simple dofs cut to their diagonal") \
    X(nbvh,           "nodes of all bounding volume trees") \
    X(nbvhstatic,     "nodes whose boxes do not change: all of them") \
    X(nD,             "non-zeros of a matrix with the sparsity of M, both triangles") \
    X(ngeom,          "geoms") \
    X(nsite,          "sites") \
    X(ncam,           "cameras") \
    X(nlight,         "lights") \
    X(nmesh,          "meshes") \
    X(nmeshvert,      "vertices of all meshes") \
    X(nmeshnormal,    "normals of all meshes") \
    X(nmeshtexcoord,  "texture coordinates of all meshes") \
    X(nmeshface,      "triangles of all meshes") \
    X(nmeshgraph,     "ints in the hull graphs of all meshes") \
    X(nhullblock,     "blocks of four vertices of hulls, by directions along which they are far") \
    X(nmeshpoly,      "polygons of all hulls") \
    X(nmeshpolyvert,  "vertices of all polygons") \
    X(nmeshpolymap,   "polygons of all vertices") \
    X(nsdfnode,       "nodes of the distance fields of all meshes") \
    X(nsdfsheet,      "sheets of the distance fields of all meshes") \
    X(nskin,          "skins") \
    X(nskinvert,      "vertices of all skins") \
    X(nskintexvert,   "vertices with texture coordinates of all skins") \
    X(nskinface,      "triangles of all skins") \
    X(nskinbone,      "bones of all skins") \
    X(nskinbonevert,  "vertices of all bones") \
    X(nflex,          "flexes") \
    X(nflexvert,      "vertices of all flexes") \
    X(nflexedge,      "edges of all flexes") \
    X(nflexelem,      "elements of all flexes") \
    X(nflexelemdata,  "vertices of the elements of all flexes") \
    X(nflexelemedge,  "edges of the elements of all flexes") \
    X(nflexshelldata, "vertices of the shells of all flexes") \
    X(nflexstiffness, "numbers in flex_stiffness") \
    X(nflexbending,   "numbers in flex_bending") \
    X(nflextexcoord,  "texture coordinates of all flexes") \
    X(nJfe,           "dofs that edges of flexes may touch, all edges together") \
    X(nhfield,        "height fields") \
    X(nhfielddata,    "heights of all height fields") \
    X(ntex,           "textures") \
    X(ntexdata,       "bytes of all textures") \
    X(nmat,           "materials") \
    X(npair,          "predefined contact pairs") \
    X(nexclude,       "excluded body pairs") \
    X(neq,            "equality constraints") \
    X(nloop,          "loop joints") \
    X(ntendon,        "tendons") \
    X(nwrap,          "objects in the paths of all tendons") \
    X(nJten,          "dofs that tendons may touch, all tendons together") \
    X(nsensor,        "sensors") \
    X(nnumeric,       "custom numeric fields") \
    X(nnumericdata,   "numbers in all numeric fields") \
    X(ntext,          "custom text fields") \
    X(ntextdata,      "bytes in all text fields") \
    X(ntuple,         "custom tuples") \
    X(ntupledata,     "objects in all tuples") \
    X(nkey,           "keyframes") \
    X(nmocap,         "mocap bodies") \
    X(nplugin,        "instances of plugins") \
    X(npluginattr,    "bytes in plugin_attr") \
    X(npluginname,    "bytes in plugin_name") \
    X(npluginnumber,  "numbers in plugin_number") \
    X(nuser_body,     "numbers in body_user") \
    X(nuser_jnt,      "numbers in jnt_user") \
    X(nuser_geom,     "numbers in geom_user") \
    X(nuser_site,     "numbers in site_user") \
    X(nuser_cam,      "numbers in cam_user") \
    X(nuser_tendon,   "numbers in tendon_user") \
    X(nuser_actuator, "numbers in actuator_user") \
    X(nuser_sensor,   "numbers in sensor_user") \
    X(nJmom,          "non-zeros of the actuator moment arms") \
    X(ngravcomp,      "bodies with gravity compensation") \
    X(nuserdata,      "numbers in d->userdata") \
    X(nsensordata,    "numbers in d->sensordata") \
    X(npluginstate,   "numbers in d->plugin_state") \
    X(nhistory,       "numbers in d->history") \
    X(nnames,         "bytes of all names") \
    X(nnames_map,     "slots of the name hash map") \
    X(npaths,         "bytes of the names of all asset files")

// X(type, name, rows, columns, group, meaning): arrays, row-major. rows is a size above; columns is a constant or
// an expression in S(size). A group names what the rows are. Lengths in m, angles in rad, SI throughout.
#define SN_MODEL_FIELDS(X) \
    X(double,  qpos0,             nq,    1, state,  "qpos at the default pose") \
    X(double,  qpos_spring,       nq,    1, state,  "qpos at which joint springs are at rest") \
    X(int,     body_parentid,     nbody, 1, body,   "parent body; world: 0") \
    X(int,     body_rootid,       nbody, 1, body,   "ancestor that is a child of the world; world: 0") \
    X(int,     body_weldid,       nbody, 1, body,   "nearest ancestor-or-self that has joints or (physics 4.0) is mocap; none: 0") \
    X(int,     body_mocapid,      nbody, 1, body,   "mocap index; -1: not mocap") \
    X(int,     body_jntnum,       nbody, 1, body,   "number of joints") \
    X(int,     body_jntadr,       nbody, 1, body,   "first joint; -1: none") \
    X(int,     body_dofnum,       nbody, 1, body,   "number of dofs") \
    X(int,     body_dofadr,       nbody, 1, body,   "first dof; -1: none") \
    X(int,     body_treeid,       nbody, 1, body,   "kinematic tree; -1: static") \
    X(int,     body_geomnum,      nbody, 1, body,   "number of geoms") \
    X(int,     body_geomadr,      nbody, 1, body,   "first geom; -1: none") \
    X(int,     body_bvhadr,       nbody, 1, body,   "root of its tree of geoms in bvh_*; -1: none") \
    X(int,     body_bvhnum,       nbody, 1, body,   "nodes of that tree") \
    X(uint8_t, body_simple,       nbody, 1, body,   "1: the body's own block of M is diagonal; 2: and all its joints slide") \
    X(uint8_t, body_sameframe,    nbody, 1, body,   "snSameFrame of the inertial frame against the body frame") \
    X(double,  body_pos,          nbody, 3, body,   "origin in the parent frame") \
    X(double,  body_quat,         nbody, 4, body,   "orientation in the parent frame, w x y z") \
    X(double,  body_ipos,         nbody, 3, body,   "centre of mass in the body frame") \
    X(double,  body_iquat,        nbody, 4, body,   "principal axes of inertia in the body frame") \
    X(double,  body_mass,         nbody, 1, body,   "mass") \
    X(double,  body_subtreemass,  nbody, 1, body,   "mass of the subtree") \
    X(double,  body_inertia,      nbody, 3, body,   "principal moments about the centre of mass") \
    X(double,  body_invweight0,   nbody, 2, body,   "mean inverse inertia at qpos0: translation, rotation") \
    X(double,  body_gravcomp,     nbody, 1, body,   "upward force at the centre of mass, in weights") \
    X(int,     body_plugin,       nbody, 1, body,   "instance of a plugin that gives passive forces; -1: none") \
    X(double,  body_margin,       nbody, 1, body,   "largest margin of its geoms, under physics 4.0 gap included") \
    X(double,  body_user,         nbody, S(nuser_body), body, "user data") \
    X(int,     body_contype,      nbody, 1, body,   "OR of its geoms' contype") \
    X(int,     body_conaffinity,  nbody, 1, body,   "OR of its geoms' conaffinity") \
    X(int,     jnt_type,          njnt,  1, joint,  "snJointType") \
    X(int,     jnt_qposadr,       njnt,  1, joint,  "first coordinate in qpos") \
    X(int,     jnt_dofadr,        njnt,  1, joint,  "first dof") \
    X(int,     jnt_bodyid,        njnt,  1, joint,  "body that the joint moves") \
    X(int,     jnt_actuatorid,    njnt,  1, joint,  "actuator that adds damping or armature; -1: none; -2: several") \
    X(int,     jnt_group,         njnt,  1, joint,  "group for viewers") \
    X(int,     jnt_plasticadr,    njnt,  1, joint,  "first number in plastic; -1: its spring does not yield") \
    X(uint8_t, jnt_limited,       njnt,  1, joint,  "has position limits") \
    X(uint8_t, jnt_actfrclimited, njnt,  1, joint,  "has limits of the total actuator force") \
    X(uint8_t, jnt_actgravcomp,   njnt,  1, joint,  "gravity compensation counts as actuator force") \
    X(double,  jnt_solref,        njnt,  SN_NREF, joint, "solref of limits") \
    X(double,  jnt_solimp,        njnt,  SN_NIMP, joint, "solimp of limits") \
    X(double,  jnt_pos,           njnt,  3, joint,  "anchor in the body frame") \
    X(double,  jnt_axis,          njnt,  3, joint,  "unit axis in the body frame") \
    X(double,  jnt_stiffness,     njnt,  1, joint,  "spring stiffness: the linear coefficient") \
    X(double,  jnt_stiffnesspoly, njnt,  SN_NPOLY, joint, "coefficients of the square and cube of the displacement") \
    X(double,  jnt_springyield,   njnt,  1, joint,  "displacement beyond which the spring yields") \
    X(double,  jnt_range,         njnt,  2, joint,  "limits; ball: 0 and the largest angle") \
    X(double,  jnt_actfrcrange,   njnt,  2, joint,  "limits of the total actuator force") \
    X(double,  jnt_margin,        njnt,  1, joint,  "a limit row exists within this distance") \
    X(double,  jnt_maxforce,      njnt,  1, joint,  "rigid contact: largest force of its limit (N or N m); 0: no bound") \
    X(double,  jnt_user,          njnt,  S(nuser_jnt), joint, "user data") \
    X(int,     dof_bodyid,        nv,    1, dof,    "body") \
    X(int,     dof_jntid,         nv,    1, dof,    "joint") \
    X(int,     dof_parentid,      nv,    1, dof,    "parent dof in the tree; -1: none") \
    X(int,     dof_treeid,        nv,    1, dof,    "kinematic tree") \
    X(int,     dof_Madr,          nv,    1, dof,    "address in qM of M(i,i); M(i,parent), ... follow") \
    X(int,     dof_LDadr,         nv,    1, dof,    "address in qLD of row i: the dofs above it from the root on, then itself; a simple dof itself alone") \
    X(int,     dof_simplenum,     nv,    1, dof,    "simple dofs from here on in a run; 0: not simple") \
    X(int,     tree_sleep_policy, ntree, 1, tree,   "snSleepPolicy, never SN_SLEEP_AUTO") \
    X(int,     bvh_depth,         nbvh,  1, bvh,    "depth in its tree") \
    X(int,     bvh_child,         nbvh,  2, bvh,    "left and right child, counted from the tree's root; -1: none") \
    X(int,     bvh_nodeid,        nbvh,  1, bvh,    "geom of a body's leaf, triangle of a mesh's leaf; -1: no leaf") \
    X(double,  bvh_aabb,          nbvhstatic, 6, bvhstatic, "box: centre, half sizes; of a body in its inertial frame") \
    X(int,     B_rownnz,          nbody, 1, body,   "dofs that move each body") \
    X(int,     B_rowadr,          nbody, 1, body,   "where each row starts in B_colind") \
    X(int,     B_colind,          nB,    1, B,      "dof of each non-zero, ascending") \
    X(int,     M_rownnz,          nv,    1, dof,    "non-zeros of each row of the lower triangle of M") \
    X(int,     M_rowadr,          nv,    1, dof,    "where each row starts in M_colind") \
    X(int,     M_colind,          nC,    1, C,      "dof of each non-zero, ascending; the diagonal is last") \
    X(int,     mapM2M,            nC,    1, C,      "entry of qM that each entry of the rows by M_colind holds") \
    X(int,     mapM2D,            nD,    1, D,      "entry by M_colind that each entry by D_colind mirrors") \
    X(int,     mapD2M,            nC,    1, C,      "entry by D_colind of each entry by M_colind") \
    X(int,     D_rownnz,          nv,    1, dof,    "non-zeros of each row of an unsymmetric matrix: dofs above, itself, dofs below") \
    X(int,     D_rowadr,          nv,    1, dof,    "where each row starts") \
    X(int,     D_diag,            nv,    1, dof,    "place of the diagonal in each row") \
    X(int,     D_colind,          nD,    1, D,      "dof of each non-zero, ascending") \
    X(double,  dof_solref,        nv,    SN_NREF, dof, "solref of dry friction") \
    X(double,  dof_solimp,        nv,    SN_NIMP, dof, "solimp of dry friction") \
    X(double,  dof_frictionloss,  nv,    1, dof,    "dry friction") \
    X(double,  dof_armature,      nv,    1, dof,    "added inertia of the rotor") \
    X(double,  dof_damping,       nv,    1, dof,    "damping: the linear coefficient") \
    X(double,  dof_dampingpoly,   nv,    SN_NPOLY, dof, "coefficients of v|v| and v^3") \
    X(double,  dof_invweight0,    nv,    1, dof,    "diagonal of the inverse of M at qpos0, averaged in a joint") \
    X(double,  dof_M0,            nv,    1, dof,    "diagonal of M at qpos0") \
    X(double,  dof_length,        nv,    1, dof,    "how far what it moves reaches, for sleep: of rotations m, of translations 1") \
    X(int,     geom_type,         ngeom, 1, geom,   "snGeomType") \
    X(int,     geom_contype,      ngeom, 1, geom,   "contact type bits") \
    X(int,     geom_conaffinity,  ngeom, 1, geom,   "contact affinity bits") \
    X(int,     geom_condim,       ngeom, 1, geom,   "contact dimension 1, 3, 4, 6") \
    X(int,     geom_bodyid,       ngeom, 1, geom,   "body") \
    X(int,     geom_dataid,       ngeom, 1, geom,   "mesh or height field; -1: none") \
    X(int,     geom_matid,        ngeom, 1, geom,   "material; -1: none") \
    X(int,     geom_group,        ngeom, 1, geom,   "group") \
    X(int,     geom_plugin,       ngeom, 1, geom,   "instance of a plugin that is its shape; -1: none") \
    X(int,     geom_priority,     ngeom, 1, geom,   "the higher one gives a contact's parameters") \
    X(uint8_t, geom_sameframe,    ngeom, 1, geom,   "snSameFrame against the body") \
    X(double,  geom_solmix,       ngeom, 1, geom,   "weight in mixing contact parameters") \
    X(double,  geom_solref,       ngeom, SN_NREF, geom, "solref of contacts") \
    X(double,  geom_solimp,       ngeom, SN_NIMP, geom, "solimp of contacts") \
    X(double,  geom_size,         ngeom, 3, geom,   "sizes, see snGeomType") \
    X(double,  geom_aabb,         ngeom, 6, geom,   "box in the geom frame: centre, half sizes") \
    X(double,  geom_rbound,       ngeom, 1, geom,   "radius of the bounding sphere; plane: 0") \
    X(double,  geom_pos,          ngeom, 3, geom,   "origin in the body frame") \
    X(double,  geom_quat,         ngeom, 4, geom,   "orientation in the body frame") \
    X(double,  geom_friction,     ngeom, 3, geom,   "friction: slide, spin, roll") \
    X(double,  geom_margin,       ngeom, 1, geom,   "contacts are found below it (3.3.7), push below it (4.0)") \
    X(double,  geom_restitution,  ngeom, 1, geom,   "rigid contact: restitution; below 0: that of the options") \
    X(double,  geom_gap,          ngeom, 1, geom,   "they push below margin - gap (3.3.7), are found below margin + gap (4.0)") \
    X(double,  geom_surfacevel,   ngeom, 6, geom,   "velocity of its surface seen by contacts, linear and angular about its origin, its axes") \
    X(double,  geom_adhesion,     ngeom, 1, geom,   "force by which a contact can pull (N)") \
    X(double,  geom_fluid,        ngeom, SN_NFLUID, geom, "ellipsoid fluid model") \
    X(uint8_t, geom_castshadow,   ngeom, 1, geom,   "casts shadows") \
    X(double,  geom_user,         ngeom, S(nuser_geom), geom, "user data") \
    X(float,   geom_rgba,         ngeom, 4, geom,   "colour when there is no material") \
    X(int,     site_type,         nsite, 1, site,   "snGeomType of its shape") \
    X(int,     site_bodyid,       nsite, 1, site,   "body") \
    X(int,     site_dataid,       nsite, 1, site,   "mesh that is its shape; -1: none") \
    X(int,     site_matid,        nsite, 1, site,   "material; -1: none") \
    X(int,     site_group,        nsite, 1, site,   "group") \
    X(uint8_t, site_sameframe,    nsite, 1, site,   "snSameFrame against the body") \
    X(double,  site_size,         nsite, 3, site,   "sizes, see snGeomType") \
    X(double,  site_pos,          nsite, 3, site,   "origin in the body frame") \
    X(double,  site_quat,         nsite, 4, site,   "orientation in the body frame") \
    X(double,  site_user,         nsite, S(nuser_site), site, "user data") \
    X(float,   site_rgba,         nsite, 4, site,   "colour when there is no material") \
    X(int,     cam_mode,          ncam,  1, camera, "snCamLight") \
    X(int,     cam_bodyid,        ncam,  1, camera, "body") \
    X(int,     cam_targetbodyid,  ncam,  1, camera, "body looked at; -1: none") \
    X(double,  cam_pos,           ncam,  3, camera, "origin in the body frame") \
    X(double,  cam_quat,          ncam,  4, camera, "orientation in the body frame; looks along -z, y is up") \
    X(double,  cam_poscom0,       ncam,  3, camera, "world offset from the subtree's centre of mass at qpos0") \
    X(double,  cam_pos0,          ncam,  3, camera, "world offset from the body at qpos0") \
    X(double,  cam_mat0,          ncam,  9, camera, "world orientation at qpos0") \
    X(int,     cam_orthographic,  ncam,  1, camera, "snProjection") \
    X(double,  cam_fovy,          ncam,  1, camera, "vertical field of view in degrees (orthographic: m)") \
    X(double,  cam_ipd,           ncam,  1, camera, "distance between the eyes") \
    X(int,     cam_output,        ncam,  1, camera, "which pictures it gives (bits of snCamOutput)") \
    X(int,     cam_resolution,    ncam,  2, camera, "pixels: width, height") \
    X(float,   cam_sensorsize,    ncam,  2, camera, "sensor size: width, height") \
    X(float,   cam_intrinsic,     ncam,  4, camera, "focal length x y, principal point x y") \
    X(double,  cam_user,          ncam,  S(nuser_cam), camera, "user data") \
    X(int,     light_mode,        nlight, 1, light, "snCamLight") \
    X(int,     light_bodyid,      nlight, 1, light, "body") \
    X(int,     light_targetbodyid,nlight, 1, light, "body lit; -1: none") \
    X(int,     light_type,        nlight, 1, light, "snLightType") \
    X(int,     light_texid,       nlight, 1, light, "texture of an image light; -1: none") \
    X(uint8_t, light_castshadow,  nlight, 1, light, "casts shadows") \
    X(float,   light_bulbradius,  nlight, 1, light, "radius for soft shadows") \
    X(float,   light_intensity,   nlight, 1, light, "intensity in candela") \
    X(float,   light_range,       nlight, 1, light, "reach") \
    X(uint8_t, light_active,      nlight, 1, light, "is on") \
    X(double,  light_pos,         nlight, 3, light, "origin in the body frame") \
    X(double,  light_dir,         nlight, 3, light, "unit direction in the body frame") \
    X(double,  light_poscom0,     nlight, 3, light, "world offset from the subtree's centre of mass at qpos0") \
    X(double,  light_pos0,        nlight, 3, light, "world offset from the body at qpos0") \
    X(double,  light_dir0,        nlight, 3, light, "world direction at qpos0") \
    X(float,   light_attenuation, nlight, 3, light, "attenuation: constant, linear, quadratic") \
    X(float,   light_cutoff,      nlight, 1, light, "cut-off angle in degrees") \
    X(float,   light_exponent,    nlight, 1, light, "fall-off exponent") \
    X(float,   light_softness,    nlight, 1, light, "outer part of the cone of a spot over which it fades, 0 to 1; not drawn") \
    X(float,   light_ambient,     nlight, 3, light, "ambient colour") \
    X(float,   light_diffuse,     nlight, 3, light, "diffuse colour") \
    X(float,   light_specular,    nlight, 3, light, "specular colour") \
    X(int,     mesh_vertadr,      nmesh, 1, mesh,   "first vertex in mesh_vert") \
    X(int,     mesh_vertnum,      nmesh, 1, mesh,   "number of vertices") \
    X(int,     mesh_faceadr,      nmesh, 1, mesh,   "first triangle in mesh_face") \
    X(int,     mesh_facenum,      nmesh, 1, mesh,   "number of triangles") \
    X(int,     mesh_bvhadr,       nmesh, 1, mesh,   "root of its tree of triangles in bvh_*; -1: none") \
    X(int,     mesh_bvhnum,       nmesh, 1, mesh,   "nodes of that tree") \
    X(int,     mesh_normaladr,    nmesh, 1, mesh,   "first normal in mesh_normal") \
    X(int,     mesh_normalnum,    nmesh, 1, mesh,   "number of normals") \
    X(int,     mesh_texcoordadr,  nmesh, 1, mesh,   "first pair in mesh_texcoord; -1: none") \
    X(int,     mesh_texcoordnum,  nmesh, 1, mesh,   "number of texture coordinates") \
    X(int,     mesh_graphadr,     nmesh, 1, mesh,   "hull graph in mesh_graph; -1: no hull") \
    X(float,   mesh_vert,         nmeshvert, 3, meshvert, "vertices in the frame of the geom") \
    X(float,   mesh_normal,       nmeshnormal, 3, meshnormal, "normals") \
    X(float,   mesh_texcoord,     nmeshtexcoord, 2, meshtexcoord, "texture coordinates") \
    X(int,     mesh_face,         nmeshface, 3, meshface, "vertices of each triangle, counted from mesh_vertadr") \
    X(int,     mesh_facenormal,   nmeshface, 3, meshface, "normals of each triangle's vertices, from mesh_normaladr; -1: none") \
    X(int,     mesh_facetexcoord, nmeshface, 3, meshface, "texture coordinates of each triangle's vertices, from mesh_texcoordadr; -1: none") \
    X(int,     mesh_graph,        nmeshgraph, 1, meshgraph, "hull: numvert, numface, vert_edgeadr [numvert], vert_globalid [numvert], edge_localid [numvert + 3 numface], face_globalid [3 numface]") \
    X(int,     mesh_hullcell,     nmesh, 2 * SN_NHULLDIR, mesh, "first row in mesh_hullblock, and number of rows, for 45 cells of directions on each side of an octahedron: the vertices of the hull that can be farthest along a direction in the cell; all 0: not known") \
    X(float,   mesh_hullblock,    nhullblock, 16, hullblock, "x of four vertices, y, z, and their places in mesh_graph") \
    X(double,  mesh_hullinner,    nmesh, 1, mesh,   "radius of a ball about the origin inside the hull; 0: not known") \
    X(double,  mesh_scale,        nmesh, 3, mesh,   "scale of the vertices of the file") \
    X(double,  mesh_pos,          nmesh, 3, mesh,   "centre of mass in the frame of the file") \
    X(double,  mesh_quat,         nmesh, 4, mesh,   "principal axes in the frame of the file") \
    X(int,     mesh_pathadr,      nmesh, 1, mesh,   "file in paths; -1: none") \
    X(int,     mesh_polynum,      nmesh, 1, mesh,   "polygons of the hull: merged coplanar triangles") \
    X(int,     mesh_polyadr,      nmesh, 1, mesh,   "first polygon") \
    X(double,  mesh_polynormal,   nmeshpoly, 3, meshpoly, "unit normal of each polygon") \
    X(int,     mesh_polyvertadr,  nmeshpoly, 1, meshpoly, "first vertex of each polygon in mesh_polyvert") \
    X(int,     mesh_polyvertnum,  nmeshpoly, 1, meshpoly, "number of vertices of each polygon") \
    X(int,     mesh_polyvert,     nmeshpolyvert, 1, meshpolyvert, "vertices of the polygons, in order around the normal") \
    X(int,     mesh_polymapadr,   nmeshvert, 1, meshvert, "first polygon of each vertex in mesh_polymap") \
    X(int,     mesh_polymapnum,   nmeshvert, 1, meshvert, "number of polygons of each vertex") \
    X(int,     mesh_polymap,      nmeshpolymap, 1, meshpolymap, "polygons at each vertex") \
    X(int,     mesh_sdfadr,       nmesh, 1, mesh,   "root of the tree of its distance field in sdf_child; -1: none") \
    X(int,     mesh_sdfnum,       nmesh, 1, mesh,   "nodes of that tree") \
    X(int,     mesh_sheetadr,     nmesh, 1, mesh,   "first sheet of its distance field in sdf_sheet; -1: none") \
    X(int,     mesh_sheetnum,     nmesh, 1, mesh,   "number of sheets") \
    X(double,  mesh_sdfbox,       nmesh, 6, mesh,   "box of the root: centre, half sizes") \
    X(double,  mesh_sdferror,     nmesh, 1, mesh,   "largest error of its distance field that was found at samples (m)") \
    X(int,     sdf_child,         nsdfnode, 1, sdfnode, "first of eight children, from mesh_sdfadr, x fastest, then y; a leaf: -1 - (8 sheet + 2 (sheets - 1) + 1 if the distance is the largest of its sheets, 0 if the least), sheet from mesh_sheetadr") \
    X(float,   sdf_sheet,         nsdfsheet, 27, sdfsheet, "distances at three points of a leaf along each axis, from end to end, x fastest, then y; quadratic between them along each axis") \
    X(int,     skin_matid,        nskin, 1, skin,   "material; -1: none") \
    X(int,     skin_group,        nskin, 1, skin,   "group") \
    X(float,   skin_rgba,         nskin, 4, skin,   "colour when there is no material") \
    X(float,   skin_inflate,      nskin, 1, skin,   "offset along the normals") \
    X(int,     skin_vertadr,      nskin, 1, skin,   "first vertex") \
    X(int,     skin_vertnum,      nskin, 1, skin,   "number of vertices") \
    X(int,     skin_texcoordadr,  nskin, 1, skin,   "first texture coordinate; -1: none") \
    X(int,     skin_faceadr,      nskin, 1, skin,   "first triangle") \
    X(int,     skin_facenum,      nskin, 1, skin,   "number of triangles") \
    X(int,     skin_boneadr,      nskin, 1, skin,   "first bone") \
    X(int,     skin_bonenum,      nskin, 1, skin,   "number of bones") \
    X(float,   skin_vert,         nskinvert, 3, skinvert, "vertices") \
    X(float,   skin_texcoord,     nskintexvert, 2, skintexvert, "texture coordinates") \
    X(int,     skin_face,         nskinface, 3, skinface, "vertices of each triangle, counted from skin_vertadr") \
    X(int,     skin_bonevertadr,  nskinbone, 1, skinbone, "first vertex of each bone") \
    X(int,     skin_bonevertnum,  nskinbone, 1, skinbone, "number of vertices of each bone") \
    X(float,   skin_bonebindpos,  nskinbone, 3, skinbone, "position of each bone when bound") \
    X(float,   skin_bonebindquat, nskinbone, 4, skinbone, "orientation of each bone when bound") \
    X(int,     skin_bonebodyid,   nskinbone, 1, skinbone, "body of each bone") \
    X(int,     skin_bonevertid,   nskinbonevert, 1, skinbonevert, "vertex that a bone moves, counted from skin_vertadr") \
    X(float,   skin_bonevertweight, nskinbonevert, 1, skinbonevert, "weight of the bone for that vertex") \
    X(int,     skin_pathadr,      nskin, 1, skin,   "file in paths; -1: none") \
    X(int,     flex_contype,      nflex, 1, flex,   "bits that meet the other's conaffinity") \
    X(int,     flex_conaffinity,  nflex, 1, flex,   "bits that meet the other's contype") \
    X(int,     flex_condim,       nflex, 1, flex,   "dimension of contacts: 1, 3, 4, 6") \
    X(int,     flex_priority,     nflex, 1, flex,   "whose contact parameters win") \
    X(double,  flex_solmix,       nflex, 1, flex,   "weight in mixing solref and solimp") \
    X(double,  flex_solref,       nflex, SN_NREF, flex, "solref of contacts") \
    X(double,  flex_solimp,       nflex, SN_NIMP, flex, "solimp of contacts") \
    X(double,  flex_friction,     nflex, 3, flex,   "slide, spin, roll") \
    X(double,  flex_margin,       nflex, 1, flex,   "distance below which contacts push") \
    X(double,  flex_gap,          nflex, 1, flex,   "distance beyond it in which contacts are listed") \
    X(int,     flex_selfcollide,  nflex, 1, flex,   "snFlexSelf: how pairs of its own elements are found") \
    X(int,     flex_activelayers, nflex, 1, flex,   "layers of tetrahedra that collide, from the outside") \
    X(int,     flex_dim,          nflex, 1, flex,   "elements are 1: edges, 2: triangles, 3: tetrahedra") \
    X(int,     flex_group,        nflex, 1, flex,   "group for viewers") \
    X(int,     flex_vertadr,      nflex, 1, flex,   "first vertex") \
    X(int,     flex_vertnum,      nflex, 1, flex,   "number of vertices") \
    X(int,     flex_edgeadr,      nflex, 1, flex,   "first edge") \
    X(int,     flex_edgenum,      nflex, 1, flex,   "number of edges") \
    X(int,     flex_elemadr,      nflex, 1, flex,   "first element") \
    X(int,     flex_elemnum,      nflex, 1, flex,   "number of elements") \
    X(int,     flex_elemdataadr,  nflex, 1, flex,   "first number in flex_elem") \
    X(int,     flex_elemedgeadr,  nflex, 1, flex,   "first number in flex_elemedge") \
    X(int,     flex_stiffnessadr, nflex, 1, flex,   "first number in flex_stiffness; -1: no elasticity of stretching") \
    X(int,     flex_bendingadr,   nflex, 1, flex,   "first number in flex_bending; -1: no elasticity of bending") \
    X(int,     flex_shellnum,     nflex, 1, flex,   "number of shells: outer edges of triangles, outer triangles of tetrahedra") \
    X(int,     flex_shelldataadr, nflex, 1, flex,   "first number in flex_shell") \
    X(int,     flex_texcoordadr,  nflex, 1, flex,   "first texture coordinate; -1: none") \
    X(double,  flex_radius,       nflex, 1, flex,   "radius around elements") \
    X(double,  flex_size,         nflex, 3, flex,   "half sizes of the box of its vertices at qpos0, world") \
    X(double,  flex_damping,      nflex, 1, flex,   "damping of elasticity, in stiffnesses (s)") \
    X(double,  flex_edgestiffness, nflex, 1, flex,  "stiffness of edges (N/m)") \
    X(double,  flex_edgedamping,  nflex, 1, flex,   "damping of edges (N s/m)") \
    X(uint8_t, flex_edgeequality, nflex, 1, flex,   "an equality holds its edges") \
    X(uint8_t, flex_rigid,        nflex, 1, flex,   "all vertices are of one body") \
    X(uint8_t, flex_centered,     nflex, 1, flex,   "all vertices are origins of their bodies") \
    X(uint8_t, flex_flatskin,     nflex, 1, flex,   "drawn with flat shading") \
    X(float,   flex_rgba,         nflex, 4, flex,   "colour when there is no material") \
    X(int,     flex_vertbodyid,   nflexvert, 1, flexvert, "body of each vertex") \
    X(double,  flex_vert,         nflexvert, 3, flexvert, "vertices in the frames of their bodies") \
    X(double,  flex_vert0,        nflexvert, 3, flexvert, "vertices at qpos0 in the box of the flex, from 0 to 1; 0.5 where it is flat") \
    X(int,     flex_edge,         nflexedge, 2, flexedge, "vertices of each edge, counted from flex_vertadr") \
    X(int,     flex_edgeflap,     nflexedge, 2, flexedge, "of triangles with bending: the vertices beside the edge; -1: none") \
    X(double,  flexedge_length0,  nflexedge, 1, flexedge, "length at qpos0") \
    X(double,  flexedge_invweight0, nflexedge, 1, flexedge, "inverse weight of the length at qpos0; between bodies that slide along all axes the mean of 1/mass") \
    X(uint8_t, flexedge_rigid,    nflexedge, 1, flexedge, "both vertices are of one body") \
    X(int,     flexedge_J_rownnz, nflexedge, 1, flexedge, "non-zeros of each row of flexedge_J: the dofs that move either end; 0 for edges of one rigid body, and of flexes without edge forces, equality or damping") \
    X(int,     flexedge_J_rowadr, nflexedge, 1, flexedge, "where each row starts") \
    X(int,     flexedge_J_colind, nJfe, 1, flexedgeJ, "dof of each non-zero, ascending in a row") \
    X(int,     flex_elem,         nflexelemdata, 1, flexelemdata, "vertices of each element, dim + 1, counted from flex_vertadr") \
    X(int,     flex_elemtexcoord, nflexelemdata, 1, flexelemdata, "texture coordinates of each element's vertices, counted from flex_texcoordadr") \
    X(int,     flex_elemedge,     nflexelemedge, 1, flexelemedge, "edges of each element (1, 3, 6), counted from flex_edgeadr") \
    X(int,     flex_elemlayer,    nflexelem, 1, flexelem, "tetrahedra: steps from the outside") \
    X(int,     flex_matid,        nflexelem, 1, flexelem, "material; -1: none") \
    X(int,     flex_shell,        nflexshelldata, 1, flexshelldata, "vertices of each shell, dim, counted from flex_vertadr") \
    X(double,  flex_stiffness,    nflexstiffness, 1, flexstiffness, "elasticity of stretching, element by element; docs/flex.md") \
    X(double,  flex_bending,      nflexbending, 1, flexbending, "elasticity of bending, edge by edge; docs/flex.md") \
    X(float,   flex_texcoord,     nflextexcoord, 2, flextexcoord, "texture coordinates") \
    X(double,  hfield_size,       nhfield, 4, hfield, "half sizes x, y, height of the top, depth of the base") \
    X(int,     hfield_nrow,       nhfield, 1, hfield, "rows, along y") \
    X(int,     hfield_ncol,       nhfield, 1, hfield, "columns, along x") \
    X(int,     hfield_adr,        nhfield, 1, hfield, "first height in hfield_data") \
    X(float,   hfield_data,       nhfielddata, 1, hfielddata, "heights from 0 to 1, row by row") \
    X(int,     hfield_pathadr,    nhfield, 1, hfield, "file in paths; -1: none") \
    X(int,     tex_type,          ntex,  1, texture, "snTextureType") \
    X(int,     tex_colorspace,    ntex,  1, texture, "snColorSpace") \
    X(int,     tex_height,        ntex,  1, texture, "rows of pixels") \
    X(int,     tex_width,         ntex,  1, texture, "columns of pixels") \
    X(int,     tex_nchannel,      ntex,  1, texture, "bytes of a pixel") \
    X(int,     tex_adr,           ntex,  1, texture, "first byte in tex_data; -1: not in the model, but in its file (tex_pathadr)") \
    X(uint8_t, tex_data,          ntexdata, 1, texdata, "pixels") \
    X(int,     tex_pathadr,       ntex,  1, texture, "file in paths; -1: none") \
    X(int,     tex_contenttypeadr,ntex,  1, texture, "media type of the file in paths; -1: as it begins") \
    X(int,     mat_texid,         nmat,  SN_NTEXROLE, material, "texture of each role; -1: none") \
    X(uint8_t, mat_texuniform,    nmat,  1, material, "uniform cube mapping") \
    X(float,   mat_texrepeat,     nmat,  2, material, "texture repetition") \
    X(float,   mat_emission,      nmat,  1, material, "emission") \
    X(float,   mat_specular,      nmat,  1, material, "specular") \
    X(float,   mat_shininess,     nmat,  1, material, "shininess") \
    X(float,   mat_reflectance,   nmat,  1, material, "reflectance") \
    X(float,   mat_metallic,      nmat,  1, material, "metallic") \
    X(float,   mat_roughness,     nmat,  1, material, "roughness") \
    X(float,   mat_rgba,          nmat,  4, material, "colour") \
    X(int,     pair_dim,          npair, 1, pair,   "contact dimension") \
    X(int,     pair_geom1,        npair, 1, pair,   "geom 1") \
    X(int,     pair_geom2,        npair, 1, pair,   "geom 2") \
    X(int,     pair_signature,    npair, 1, pair,   "body1 << 16 + body2, ascending") \
    X(double,  pair_solref,       npair, SN_NREF, pair, "solref, normal") \
    X(double,  pair_solreffriction, npair, SN_NREF, pair, "solref, friction; 0 0: as normal") \
    X(double,  pair_solimp,       npair, SN_NIMP, pair, "solimp") \
    X(double,  pair_margin,       npair, 1, pair,   "as geom_margin") \
    X(double,  pair_gap,          npair, 1, pair,   "as geom_gap") \
    X(double,  pair_adhesion,     npair, 1, pair,   "as geom_adhesion, of both geoms") \
    X(double,  pair_friction,     npair, 5, pair,   "friction: tangents, spin, rolls") \
    X(int,     exclude_signature, nexclude, 1, exclude, "body1 << 16 + body2, ascending") \
    X(int,     eq_type,           neq,   1, equality, "snEqType") \
    X(int,     eq_obj1id,         neq,   1, equality, "first object") \
    X(int,     eq_obj2id,         neq,   1, equality, "second object; -1: none") \
    X(int,     eq_objtype,        neq,   1, equality, "snObjType of both: body or site; joints and tendons: unknown") \
    X(uint8_t, eq_active0,        neq,   1, equality, "is on at the start") \
    X(double,  eq_solref,         neq,   SN_NREF, equality, "solref") \
    X(double,  eq_solimp,         neq,   SN_NIMP, equality, "solimp") \
    X(double,  eq_data,           neq,   SN_NEQDATA, equality, "anchors, relative pose, torque scale or polynomial, see snEqType") \
    X(uint8_t, eq_autopose,       neq,   1, equality, "a weld whose relative pose is that of the bodies at qpos0") \
    X(double,  eq_maxforce,       neq,   1, equality, "rigid contact: largest force of each of its rows (N or N m); 0: no bound") \
    X(int,     loop_type,         nloop, 1, loop, "snLoopType") \
    X(int,     loop_siteid,       nloop, 2, loop, "sites that carry its frames: on the predecessor, on the successor") \
    X(int,     loop_textid,       nloop, 1, loop, "text field that says it: sinew_loop_NAME") \
    X(int,     loop_nameadr,      nloop, 1, loop, "name in names: NAME, with the prefix and the suffix that its text field got when it was attached") \
    X(double,  loop_parameter,    nloop, 1, loop, "helical: pitch (m/rad); distance: length (m)") \
    X(double,  loop_stiffness,    nloop, 1, loop, "stiffness of the spring in its one freedom") \
    X(double,  loop_damping,      nloop, 1, loop, "damping in its one freedom") \
    X(double,  loop_ref,          nloop, 1, loop, "where the spring is at rest (rad or m)") \
    X(int,     tendon_adr,        ntendon, 1, tendon, "first object of the path in wrap_*") \
    X(int,     tendon_num,        ntendon, 1, tendon, "number of objects in the path") \
    X(int,     tendon_dofadr,     ntendon, 1, tendon, "first dof that it may touch in tendon_dofid") \
    X(int,     tendon_dofnum,     ntendon, 1, tendon, "how many: of its joints, or of the bodies of its path but for those that move all") \
    X(int,     tendon_dofid,      nJten,   1, tendon, "dofs that tendons may touch, of each ascending") \
    X(int,     tendon_matid,      ntendon, 1, tendon, "material; -1: none") \
    X(int,     tendon_actuatorid, ntendon, 1, tendon, "actuator that adds damping or armature; -1: none; -2: several") \
    X(int,     tendon_group,      ntendon, 1, tendon, "group") \
    X(int,     tendon_plasticadr, ntendon, 1, tendon, "first number in plastic; -1: its spring does not yield") \
    X(uint8_t, tendon_limited,    ntendon, 1, tendon, "has limits of its length") \
    X(uint8_t, tendon_actfrclimited, ntendon, 1, tendon, "has limits of the total actuator force") \
    X(double,  tendon_width,      ntendon, 1, tendon, "width when drawn") \
    X(double,  tendon_solref_lim, ntendon, SN_NREF, tendon, "solref of limits") \
    X(double,  tendon_solimp_lim, ntendon, SN_NIMP, tendon, "solimp of limits") \
    X(double,  tendon_solref_fri, ntendon, SN_NREF, tendon, "solref of dry friction") \
    X(double,  tendon_solimp_fri, ntendon, SN_NIMP, tendon, "solimp of dry friction") \
    X(double,  tendon_range,      ntendon, 2, tendon, "limits of the length") \
    X(double,  tendon_actfrcrange, ntendon, 2, tendon, "limits of the total actuator force") \
    X(double,  tendon_margin,     ntendon, 1, tendon, "a limit row exists within this distance") \
    X(double,  tendon_stiffness,  ntendon, 1, tendon, "spring stiffness: the linear coefficient") \
    X(double,  tendon_stiffnesspoly, ntendon, SN_NPOLY, tendon, "coefficients of the square and cube of the stretch") \
    X(double,  tendon_damping,    ntendon, 1, tendon, "damping: the linear coefficient") \
    X(double,  tendon_dampingpoly, ntendon, SN_NPOLY, tendon, "coefficients of v|v| and v^3") \
    X(double,  tendon_armature,   ntendon, 1, tendon, "inertia that moves with the tendon") \
    X(double,  tendon_frictionloss, ntendon, 1, tendon, "dry friction") \
    X(double,  tendon_lengthspring, ntendon, 2, tendon, "lengths between which the spring is at rest") \
    X(double,  tendon_springyield, ntendon, 1, tendon, "stretch beyond which the spring yields") \
    X(double,  tendon_length0,    ntendon, 1, tendon, "length at qpos0") \
    X(double,  tendon_invweight0, ntendon, 1, tendon, "inverse inertia J inv(M) J' at qpos0") \
    X(double,  tendon_user,       ntendon, S(nuser_tendon), tendon, "user data") \
    X(float,   tendon_rgba,       ntendon, 4, tendon, "colour when there is no material") \
    X(int,     wrap_type,         nwrap, 1, wrap,   "snWrapType") \
    X(int,     wrap_objid,        nwrap, 1, wrap,   "joint, site or geom; pulley: -1") \
    X(double,  wrap_prm,          nwrap, 1, wrap,   "coefficient, divisor or side site, see snWrapType") \
    X(int,     actuator_trntype,  nactuator,    1, actuator, "snTrnType") \
    X(int,     actuator_dyntype,  nactuator,    1, actuator, "snDynType") \
    X(int,     actuator_gaintype, nactuator,    1, actuator, "snGainType") \
    X(int,     actuator_biastype, nactuator,    1, actuator, "snBiasType") \
    X(int,     actuator_ctrladr,  nactuator,    1, actuator, "first control") \
    X(int,     actuator_ctrlnum,  nactuator,    1, actuator, "number of controls") \
    X(int,     actuator_ctrlspec, nactuator,    1, actuator, "which inputs the controls are, bits of snActuatorInput; 0: one control") \
    X(int,     actuator_outadr,   nactuator,    1, actuator, "first force") \
    X(int,     actuator_outnum,   nactuator,    1, actuator, "number of forces") \
    X(int,     actuator_trnid,    nactuator,    2, actuator, "ids of what it drives; -1: none") \
    X(int,     actuator_actadr,   nactuator,    1, actuator, "first activation; -1: none") \
    X(int,     actuator_actnum,   nactuator,    1, actuator, "number of activations") \
    X(int,     actuator_group,    nactuator,    1, actuator, "group") \
    X(int,     actuator_plugin,   nactuator,    1, actuator, "instance of a plugin that gives its force; -1: none") \
    X(uint8_t, actuator_ctrllimited,  nu, 1, actuator, "control is clamped") \
    X(uint8_t, actuator_forcelimited, nactuator, 1, actuator, "force is clamped") \
    X(uint8_t, actuator_actlimited,   nactuator, 1, actuator, "activation is clamped") \
    X(double,  actuator_dynprm,   nactuator,    SN_NDYN, actuator, "parameters of activation dynamics") \
    X(double,  actuator_gainprm,  nactuator,    SN_NGAIN, actuator, "parameters of the gain") \
    X(double,  actuator_biasprm,  nactuator,    SN_NBIAS, actuator, "parameters of the bias") \
    X(uint8_t, actuator_actearly, nactuator,    1, actuator, "the force uses the next activation") \
    X(double,  actuator_ctrlrange,  nu,  2, actuator, "range of the control") \
    X(double,  actuator_forcerange, nactuator,  2, actuator, "range of the force") \
    X(double,  actuator_actrange,   nactuator,  2, actuator, "range of the activation") \
    X(double,  actuator_gear,       nout,  6, actuator, "scale of length and force") \
    X(double,  actuator_cranklength, nactuator, 1, actuator, "rod of a slider-crank") \
    X(double,  actuator_damping,    nactuator,  1, actuator, "damping added to its joint or tendon, times gear^2: the linear coefficient") \
    X(double,  actuator_dampingpoly, nactuator, SN_NPOLY, actuator, "coefficients of v|v| and v^3") \
    X(double,  actuator_armature,   nactuator,  1, actuator, "inertia added to its joint or tendon, times gear^2") \
    X(int,     actuator_history,    nactuator,  2, actuator, "controls that are kept: how many samples (0: none), snInterpolation between them") \
    X(int,     actuator_historyadr, nactuator,  1, actuator, "where they start in d->history; -1: none") \
    X(double,  actuator_delay,      nactuator,  1, actuator, "how old the control is that acts (s); 0: as given now") \
    X(double,  actuator_acc0,       nout,  1, actuator, "norm of the acceleration under unit force at qpos0") \
    X(double,  actuator_length0,    nout,  1, actuator, "length at qpos0") \
    X(double,  actuator_lengthrange, nout, 2, actuator, "reachable lengths") \
    X(double,  actuator_user,       nactuator,  S(nuser_actuator), actuator, "user data") \
    X(int,     sensor_type,       nsensor, 1, sensor, "snSensorType") \
    X(int,     sensor_datatype,   nsensor, 1, sensor, "snDataType") \
    X(int,     sensor_needstage,  nsensor, 1, sensor, "snStage after which it can be computed") \
    X(int,     sensor_objtype,    nsensor, 1, sensor, "snObjType of the object") \
    X(int,     sensor_objid,      nsensor, 1, sensor, "id of the object; -1: none") \
    X(int,     sensor_reftype,    nsensor, 1, sensor, "snObjType of the reference frame") \
    X(int,     sensor_refid,      nsensor, 1, sensor, "id of the reference frame; -1: world") \
    X(int,     sensor_loopid,     nsensor, 1, sensor, "loop whose force a user sensor sinew_loop_NAME shows: loop joint, or nloop + equality; -1: none") \
    X(int,     sensor_plugin,     nsensor, 1, sensor, "instance of a plugin that measures; -1: none") \
    X(int,     sensor_intprm,     nsensor, SN_NSENS, sensor, "integer parameters") \
    X(int,     sensor_dim,        nsensor, 1, sensor, "number of outputs") \
    X(int,     sensor_adr,        nsensor, 1, sensor, "first output in sensordata") \
    X(double,  sensor_cutoff,     nsensor, 1, sensor, "outputs are clipped to it; 0: not") \
    X(double,  sensor_noise,      nsensor, 1, sensor, "standard deviation of noise; not applied") \
    X(int,     sensor_history,    nsensor, 2, sensor, "outputs that are kept: how many samples (0: none), snInterpolation between them") \
    X(int,     sensor_historyadr, nsensor, 1, sensor, "where they start in d->history; -1: none") \
    X(double,  sensor_delay,      nsensor, 1, sensor, "how old the output is that is shown (s); 0: that of now") \
    X(double,  sensor_interval,   nsensor, 2, sensor, "time between two measurements (s), 0: each step; time of the last before the start, in (-period, 0], 0: -period") \
    X(double,  sensor_user,       nsensor, S(nuser_sensor), sensor, "user data") \
    X(int,     numeric_adr,       nnumeric, 1, numeric, "first number in numeric_data") \
    X(int,     numeric_size,      nnumeric, 1, numeric, "how many") \
    X(double,  numeric_data,      nnumericdata, 1, numericdata, "numbers of all numeric fields") \
    X(int,     text_adr,          ntext, 1, text, "first byte in text_data") \
    X(int,     text_size,         ntext, 1, text, "bytes, the closing 0 included") \
    X(char,    text_data,         ntextdata, 1, textdata, "bytes of all text fields") \
    X(int,     tuple_adr,         ntuple, 1, tuple, "first object") \
    X(int,     tuple_size,        ntuple, 1, tuple, "how many objects") \
    X(int,     tuple_objtype,     ntupledata, 1, tupledata, "snObjType of each object") \
    X(int,     tuple_objid,       ntupledata, 1, tupledata, "id of each object") \
    X(double,  tuple_objprm,      ntupledata, 1, tupledata, "parameter of each object") \
    X(int,     plugin,            nplugin, 1, plugin, "slot of its plugin, by which sn_pluginAt knows it in this process") \
    X(int,     plugin_nameadr,    nplugin, 1, plugin, "first byte in plugin_name") \
    X(int,     plugin_attradr,    nplugin, 1, plugin, "first byte in plugin_attr") \
    X(int,     plugin_numberadr,  nplugin, 1, plugin, "first number in plugin_number") \
    X(int,     plugin_numbernum,  nplugin, 1, plugin, "number of numbers") \
    X(int,     plugin_stateadr,   nplugin, 1, plugin, "first number in d->plugin_state") \
    X(int,     plugin_statenum,   nplugin, 1, plugin, "number of numbers of its state") \
    X(char,    plugin_attr,       npluginattr, 1, pluginattr, "texts of the configuration, one for each key of its plugin, each closed by 0") \
    X(char,    plugin_name,       npluginname, 1, pluginname, "name of its plugin, then its keys, each closed by 0, then another 0") \
    X(double,  plugin_number,     npluginnumber, 1, pluginnumber, "what its plugin made of the configuration") \
    X(double,  key_time,          nkey, 1, key, "time") \
    X(double,  key_qpos,          nkey, S(nq), key, "position") \
    X(double,  key_qvel,          nkey, S(nv), key, "velocity") \
    X(double,  key_act,           nkey, S(na), key, "activation") \
    X(double,  key_mpos,          nkey, S(nmocap) * 3, key, "mocap positions") \
    X(double,  key_mquat,         nkey, S(nmocap) * 4, key, "mocap orientations") \
    X(double,  key_ctrl,          nkey, S(nu), key, "controls") \
    X(double,  key_plastic,       nkey, S(nplastic), key, "where springs that yield are at rest") \
    X(int,     name_bodyadr,      nbody, 1, body, "name in names") \
    X(int,     name_jntadr,       njnt, 1, joint, "name in names") \
    X(int,     name_geomadr,      ngeom, 1, geom, "name in names") \
    X(int,     name_siteadr,      nsite, 1, site, "name in names") \
    X(int,     name_camadr,       ncam, 1, camera, "name in names") \
    X(int,     name_lightadr,     nlight, 1, light, "name in names") \
    X(int,     name_meshadr,      nmesh, 1, mesh, "name in names") \
    X(int,     name_skinadr,      nskin, 1, skin, "name in names") \
    X(int,     name_flexadr,      nflex, 1, flex, "name in names") \
    X(int,     name_hfieldadr,    nhfield, 1, hfield, "name in names") \
    X(int,     name_texadr,       ntex, 1, texture, "name in names") \
    X(int,     name_matadr,       nmat, 1, material, "name in names") \
    X(int,     name_pairadr,      npair, 1, pair, "name in names") \
    X(int,     name_excludeadr,   nexclude, 1, exclude, "name in names") \
    X(int,     name_eqadr,        neq, 1, equality, "name in names") \
    X(int,     name_tendonadr,    ntendon, 1, tendon, "name in names") \
    X(int,     name_actuatoradr,  nactuator, 1, actuator, "name in names") \
    X(int,     name_sensoradr,    nsensor, 1, sensor, "name in names") \
    X(int,     name_numericadr,   nnumeric, 1, numeric, "name in names") \
    X(int,     name_textadr,      ntext, 1, text, "name in names") \
    X(int,     name_tupleadr,     ntuple, 1, tuple, "name in names") \
    X(int,     name_keyadr,       nkey, 1, key, "name in names") \
    X(int,     name_pluginadr,    nplugin, 1, plugin, "name in names") \
    X(char,    names,             nnames, 1, names, "all names, each closed by 0; first the model's") \
    X(int,     names_map,         nnames_map, 1, names_map, "hash map from (kind, name) to id; see src/model/names.c") \
    X(char,    paths,             npaths, 1, paths, "names of asset files, each closed by 0")
// clang-format on

/// Sizes and scales of the model at qpos0.
typedef struct snStatistic {
    double meaninertia; ///< mean of the diagonal of M; scales the solver's tolerance
    double meanmass;    ///< mean body mass
    double meansize;    ///< mean body size
    double extent;      ///< spatial extent
    double center[3];   ///< centre of the model
} snStatistic;

/// A compiled model. All pointers point into one allocation. Immutable while stepping, except that a user
/// may change parameters between steps (then call sn_setConst if qpos0 quantities depend on them).
typedef struct snModel {
#define X(name, meaning) int name;
    SN_MODEL_SIZES(X)
#undef X
    size_t narena;  ///< limit of the arena of each snData, bytes of address space
    size_t nbuffer; ///< bytes of `buffer`
    int njmax;      ///< as the model file says: rows; no effect
    int nconmax;    ///< as the model file says: contacts; no effect; -1: it says nothing
    int physics;    ///< snPhysics: whose rules the model was compiled by and is stepped by; compile again for
                    ///< others
    snOption opt;
    snVisual vis;
    snStatistic stat;
#define X(type, name, rows, columns, group, meaning) type* name;
    SN_MODEL_FIELDS(X)
#undef X
    void* buffer;
} snModel;

/// A field of snModel or snData at run time: one row of the tables.
typedef struct snField {
    const char* name;
    const char* type;    ///< "double", "float", "int", "uint8_t", "char"
    const char* rows;    ///< name of the size that counts rows, "nbody"
    const char* columns; ///< text of the columns, "3", "nq", "nmocap * 3"
    const char* group;
    const char* meaning;
    size_t offset;   ///< of the pointer in the struct
    size_t itemsize; ///< bytes of one entry
} snField;

/// The table of arrays of snModel; *count receives how many.
SN_API const snField* sn_modelFields(int* count);

/// Names of the sizes of snModel in struct order, which starts at offset 0; *count receives how many.
SN_API const char* const* sn_modelSizes(int* count);

/// Rows and columns of field `index` of sn_modelFields in this model.
SN_API void sn_modelFieldShape(const snModel* m, int index, int* rows, int* columns);

/// A model with room for the given sizes, everything zero, but for ids and addresses of what there need not
/// be: -1. sizes [number of sn_modelSizes] in table order. opt and vis get their defaults. NULL when out of
/// memory or when sizes are negative or too large; error (may be NULL) says why.
SN_API snModel* sn_makeModel(const int* sizes, snError* error);

/// A deep copy; NULL when out of memory.
SN_API snModel* sn_copyModel(const snModel* m);

/// Frees the model; takes NULL.
SN_API void sn_deleteModel(snModel* m);

/// Index of the first field whose contents differ between two models of equal sizes; -2: sizes, options,
/// visual options, statistics or the size of the arena differ; -1: equal, bit for bit.
SN_API int sn_compareModel(const snModel* a, const snModel* b);

/// Checks that every index and size in the model is in range, so that no engine function can read out of
/// bounds. Numbers may be any, nan too. error (may be NULL) names the first bad field and entry. Cost: linear
/// in the model.
SN_API snStatus sn_validateModel(const snModel* m, snError* error);

/// Whether a step can be made of the model's flexes with its options. UNSUPPORTED names the flex, why not and
/// the mend: rigid contact; edges held where equalities are held exactly; under the integrator discrete,
/// stiffness or damping of edges, and elasticity with the solver PGS, with noslip or beside loops that are
/// held exactly. sn_validateModel asks, too; programs that change options of a model ask again. A step that
/// finds such options all the same has these edges held softly, and what does not fit explicit.
SN_API snStatus sn_checkFlexOptions(const snModel* m, snError* error);

#ifdef __cplusplus
}
#endif
#endif
