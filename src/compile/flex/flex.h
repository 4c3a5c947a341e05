// Flexes: from what the text says of one to vertices, edges, elements, shells and elasticity of the model.
#ifndef SINEW_COMPILE_FLEX_FLEX_H
#define SINEW_COMPILE_FLEX_FLEX_H

#include "compile/build/build.h"

/// What is known of a flex before the model is made.
struct snFlexParts {
    int nvert, nelem, nedge, nshell;
    bool rigid;        ///< all vertices are of one body
    snSpecHead** body; ///< [nvert] bodies of the vertices
    int* element; ///< [nelem x (dim + 1)] vertices; tetrahedra are turned once their vertices have places
};

// Each function returns false when the description is wrong; b->error then says what, where, and the mend.

// load.c
/// Reads and checks all flexes, counts their edges and shells, and marks the bodies of their vertices as
/// referenced; before bodies are fused and numbered.
bool sn_loadFlexes(snBuild* b);
/// Adds what they take of the model's sizes, once bodies are numbered.
bool sn_countFlexes(snBuild* b, int sizes[]);
void sn_freeFlexes(snBuild* b);

// check.c
/// Whether edges may exert forces along themselves, so that they have rows of flexedge_J.
bool sn_flexHasRows(const snBuild* b, const snSpecFlex* f);
/// What a flex may be with its bodies and equalities.
bool sn_checkFlexUse(snBuild* b, const snSpecFlex* f, const snFlexParts* parts);
/// Whether elements that are elastic have an area or volume at qpos0, and edges with rows a length; place
/// [nvert x 3]: vertices there.
bool sn_checkFlexPlaces(snBuild* b, const snSpecFlex* f, const double* place);

// flex.c
/// Fills the model's arrays: after joints, materials and equalities.
bool sn_buildFlexes(snBuild* b);

// look.c
/// Materials of the elements: one of all, one of each, or none.
bool sn_fillFlexMaterials(snBuild* b, const snSpecFlex* f, int nelem, int* matid);
/// Texture coordinates, and those of the corners of `element`, in which tetrahedra have been turned.
void sn_fillFlexTexture(const snSpecFlex* f, const int* element, int* elemtexcoord, float* texcoord);

// place.c
/// Places of all vertices at qpos0 in the world [nflexvert x 3], from poses of bodies; NULL: out of memory.
double* sn_placeFlexVertices(const snModel* m);

// pattern.c
/// Rows of flexedge_J of the flexes whose edges exert forces; nJfe becomes what they take.
void sn_buildFlexPattern(snModel* m);

#endif
