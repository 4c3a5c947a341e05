// The curve of a cable: its vertices and the frames of its edges.
#ifndef SINEW_FORMAT_MJCF_TREE_CABLE_H
#define SINEW_FORMAT_MJCF_TREE_CABLE_H

#include "math/vec.h"

/// What a coordinate of a vertex is along the curve.
typedef enum snCableShape { SN_CABLE_ZERO, SN_CABLE_LINE, SN_CABLE_COS, SN_CABLE_SIN } snCableShape;

/// Vertex i of n on the curve, before it is turned: size[0] is the length of LINE; size[1] and size[2] the
/// radius and the number of half turns of COS and SIN.
snVec3 sn_cableVertex(const snCableShape shape[3], const double size[3], int i, int n);

/// Edge i of the polygon through n > 1 vertices [n x 3]: its length, and its frame into *frame, x along the
/// edge. y of the first edge lies in the plane of the first two edges, of a single edge in that of the edge
/// and the y axis. *normal carries it from edge to edge without twist: call with i = 0, 1, 2, ... Where the
/// first two edges are parallel nothing is carried, and each y depends on its edge alone; so does the peer.
double sn_cableEdge(const float* vertex, int i, int n, snVec3* normal, snQuat* frame);

#endif
