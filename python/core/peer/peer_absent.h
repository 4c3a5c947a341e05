// Fields of the peer for what Sinew has not: flexes, plugins, octrees, bounding volumes that move. None has a
// row.
#ifndef SINEW_PYTHON_PEER_ABSENT_H
#define SINEW_PYTHON_PEER_ABSENT_H

// clang-format off
// X(name, meaning): sizes, all 0
#define PEER_ABSENT_MODEL_SIZES(X) \
    X(nbvhdynamic, "bounding volumes that move: those of flexes") \
    X(nflex, "flexes") X(nflexnode, "nodes of flexes") X(nflexvert, "vertices of flexes") X(nflexedge, "edges of flexes") \
    X(nflexelem, "elements of flexes") X(nflexelemdata, "vertex ids of elements of flexes") \
    X(nflexelemedge, "edge ids of elements of flexes") X(nflexshelldata, "vertex ids of shells of flexes") \
    X(nflexevpair, "pairs of element and vertex of flexes") X(nflextexcoord, "texture coordinates of flexes") \
    X(noct, "cells of octrees") \
    X(nplugin, "plugins") X(npluginattr, "bytes of attributes of plugins") X(npluginstate, "numbers of state of plugins")

// X(format, name, columns): arrays without rows; format as of the buffer protocol; columns 0: one dimension, -1: nv
#define PEER_ABSENT_MODEL_FIELDS(X) \
    X('i', flex_contype, 0) X('i', flex_conaffinity, 0) X('i', flex_condim, 0) X('i', flex_priority, 0) \
    X('d', flex_solmix, 0) X('d', flex_solref, 2) X('d', flex_solimp, 5) X('d', flex_friction, 3) \
    X('d', flex_margin, 0) X('d', flex_gap, 0) X('B', flex_internal, 0) X('i', flex_selfcollide, 0) \
    X('i', flex_activelayers, 0) X('i', flex_passive, 0) X('i', flex_dim, 0) X('i', flex_matid, 0) X('i', flex_group, 0) \
    X('i', flex_interp, 0) X('i', flex_nodeadr, 0) X('i', flex_nodenum, 0) X('i', flex_vertadr, 0) \
    X('i', flex_vertnum, 0) X('i', flex_edgeadr, 0) X('i', flex_edgenum, 0) X('i', flex_elemadr, 0) \
    X('i', flex_elemnum, 0) X('i', flex_elemdataadr, 0) X('i', flex_elemedgeadr, 0) X('i', flex_shellnum, 0) \
    X('i', flex_shelldataadr, 0) X('i', flex_evpairadr, 0) X('i', flex_evpairnum, 0) X('i', flex_texcoordadr, 0) \
    X('i', flex_nodebodyid, 0) X('i', flex_vertbodyid, 0) X('i', flex_edge, 2) X('i', flex_edgeflap, 2) \
    X('i', flex_elem, 0) X('i', flex_elemtexcoord, 0) X('i', flex_elemedge, 0) X('i', flex_elemlayer, 0) \
    X('i', flex_shell, 0) X('i', flex_evpair, 2) X('d', flex_vert, 3) X('d', flex_vert0, 3) X('d', flex_node, 3) \
    X('d', flex_node0, 3) X('d', flexedge_length0, 0) X('d', flexedge_invweight0, 0) X('d', flex_radius, 0) \
    X('d', flex_stiffness, 21) X('d', flex_bending, 17) X('d', flex_damping, 0) X('d', flex_edgestiffness, 0) \
    X('d', flex_edgedamping, 0) X('B', flex_edgeequality, 0) X('B', flex_rigid, 0) X('B', flexedge_rigid, 0) \
    X('B', flex_centered, 0) X('B', flex_flatskin, 0) X('i', flex_bvhadr, 0) X('i', flex_bvhnum, 0) \
    X('f', flex_rgba, 4) X('f', flex_texcoord, 2) X('i', name_flexadr, 0) \
    X('i', oct_depth, 0) X('i', oct_child, 8) X('d', oct_aabb, 6) X('d', oct_coeff, 8) \
    X('i', plugin, 0) X('i', plugin_stateadr, 0) X('i', plugin_statenum, 0) X('b', plugin_attr, 0) \
    X('i', plugin_attradr, 0) X('i', name_pluginadr, 0)

#define PEER_ABSENT_DATA_FIELDS(X) \
    X('d', flexvert_xpos, 3) X('d', flexelem_aabb, 6) X('i', flexedge_J_rownnz, 0) X('i', flexedge_J_rowadr, 0) \
    X('i', flexedge_J_colind, -1) X('d', flexedge_J, -1) X('d', flexedge_length, 0) X('d', flexedge_velocity, 0) \
    X('d', bvh_aabb_dyn, 6) X('d', plugin_state, 0) X('i', plugin, 0) X('Q', plugin_data, 0)

// X(name, rows, value): arrays of the model that say of each element that it has none of it
#define PEER_ABSENT_MODEL_LINKS(X) \
    X(body_plugin, nbody, -1) X(geom_plugin, ngeom, -1) X(actuator_plugin, nactuator, -1) X(sensor_plugin, nsensor, -1) \
    X(mesh_octadr, nmesh, -1) X(mesh_octnum, nmesh, 0)
// clang-format on

#endif
