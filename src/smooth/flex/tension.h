// Elasticity of stretching, as tensions of edges (N/m, times the length of an edge its force). A triangle or
// a tetrahedron of Saint Venant and Kirchhoff's material has by its Green strain, which is linear in
//     c_e = |x_e|^2 - |x_e|^2 at rest
// of its edges x_e, the energy c'K c/4 with a constant K (flex_stiffness), so that with
//     t = K c     the end of an edge where x_e points is drawn by -t_e x_e, the other one by t_e x_e.
// Summed over elements t is one number an edge, and elements need no positions of vertices. K stands twice in
// what follows from it, for forces and for damping, so that all is in pairs.
#ifndef SINEW_SMOOTH_FLEX_TENSION_H
#define SINEW_SMOOTH_FLEX_TENSION_H

#include <sinew/data.h>

/// tension [2 flex_edgenum] += K change, summed over the elements of a flex; change [2 flex_edgenum].
void sn_addStretch(const snModel* m, int flex, const double* change, double* tension);

/// c'K c/4 of the elements of a flex, c by flexedge_length (J).
double sn_stretchEnergy(const snModel* m, const snData* d, int flex);

/// force [3 flex_vertnum] += tensions along edges; tension [2 flex_edgenum], the first (part 0) or the second
/// (1) of each pair.
void sn_addTensionForces(const snModel* m, const snData* d, int flex, const double* tension, int part,
                         double* force);

#endif
