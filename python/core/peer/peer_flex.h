// What 3.3.7 has of flexes in another form.
#ifndef SINEW_PYTHON_PEER_FLEX_H
#define SINEW_PYTHON_PEER_FLEX_H

#include "peer/peer_fields.h"

PyObject* getFlexMaterials(PyObject* object, void* closure);
PyObject* getFlexStiffness(PyObject* object, void* closure);
PyObject* getFlexBending(PyObject* object, void* closure);

// Rows of the model's attributes. What is written into them is in nothing else: they are read-only.
#define PEER_FLEX_FIELDS                                                                                     \
    {"flex_matid", getFlexMaterials, NULL, "material of each flex, which is that of its first element",      \
     NULL},                                                                                                  \
        {"flex_stiffness", getFlexStiffness, NULL, "elasticity of stretching (nflexelem x 21)", NULL},       \
        {"flex_bending", getFlexBending, NULL, "elasticity of bending (nflexedge x 17)", NULL},

#endif
