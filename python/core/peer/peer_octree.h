// Distance fields of meshes as the peer has them: octrees with distances at the corners of their nodes.
#ifndef SINEW_PYTHON_PEER_OCTREE_H
#define SINEW_PYTHON_PEER_OCTREE_H

#include "peer/peer_fields.h"

PyObject* getOctreeNodes(PyObject* object, void* closure);
PyObject* getOctreeStarts(PyObject* object, void* closure);
PyObject* getOctreeCounts(PyObject* object, void* closure);
PyObject* getOctreeDepths(PyObject* object, void* closure);
PyObject* getOctreeChildren(PyObject* object, void* closure);
PyObject* getOctreeBoxes(PyObject* object, void* closure);
PyObject* getOctreeCorners(PyObject* object, void* closure);

// Rows of the model's attributes. What is written into them is in nothing else: they are read-only.
#define PEER_OCTREE_FIELDS                                                                                   \
    {"noct", getOctreeNodes, NULL, "number of nodes of all octrees", NULL},                                  \
        {"mesh_octadr", getOctreeStarts, NULL, "first node of each mesh; -1: it has none", NULL},            \
        {"mesh_octnum", getOctreeCounts, NULL, "nodes of each mesh", NULL},                                  \
        {"oct_depth", getOctreeDepths, NULL, "depth of each node", NULL},                                    \
        {"oct_child", getOctreeChildren, NULL, "children, from the mesh's first node; -1: none", NULL},      \
        {"oct_aabb", getOctreeBoxes, NULL, "box of each node: centre, half sizes", NULL},                    \
        {"oct_coeff", getOctreeCorners, NULL, "signed distances at the corners of each node", NULL},

#endif
