// Elasticity of bending. Over an edge, between the two triangles that it parts, a hinge of four vertices x_i,
// the ends of the edge and the two flaps, has the energy
//     sum_ij B_ij x_i.x_j / 2 + b (x_1 - x_0) . (x_2 - x_0) x (x_3 - x_0)
// with constants (flex_bending: B 4 x 4, then b): the square of the mean curvature times the bending rigidity
// (isometric bending), and where it is curved at rest b times six volumes, by which an edge that is folded
// otherwise than at rest turns back. It is the plate's energy as long as the edges keep their lengths.
#ifndef SINEW_SMOOTH_FLEX_BENDING_H
#define SINEW_SMOOTH_FLEX_BENDING_H

#include <stdbool.h>
#include "smooth/flex/flex.h"

/// The vertices of a hinge, or false: the edge, counted over all, is at a border, in no triangle, or in one
/// that stands twice.
static inline bool sn_flexHinge(const snModel* m, int edge, int vertex[4])
{
    const int *ends = m->flex_edge + 2 * edge, *flap = m->flex_edgeflap + 2 * edge;
    vertex[0] = ends[0];
    vertex[1] = ends[1];
    vertex[2] = flap[0];
    vertex[3] = flap[1];
    return flap[0] >= 0 && flap[1] >= 0 && flap[0] != flap[1];
}

/// B and b of an edge, counted over all.
static inline const double* sn_flexBendingOf(const snModel* m, int flex, int edge)
{
    return m->flex_bending + m->flex_bendingadr[flex] + SN_FLEX_BENDING * (edge - m->flex_edgeadr[flex]);
}

/// Whether B is positive semidefinite: else it is negative, where a hinge is folded by more than a right
/// angle at rest.
static inline bool sn_isPositiveBending(const double* B)
{
    return B[0] + B[5] + B[10] + B[15] >= 0;
}

/// force [3 flex_vertnum] -= scale B x, over all hinges or those with positive B; x [3 flex_vertnum]
/// positions, velocities or what else the vertices have.
void sn_addBending(const snModel* m, int flex, const double* x, double scale, bool positive, double* force);

/// force [3 flex_vertnum] += what hinges that are curved at rest have besides; x: positions.
void sn_addCurving(const snModel* m, int flex, const double* x, double* force);

/// Its change as vertices move by dx.
void sn_addCurvingAlong(const snModel* m, int flex, const double* x, const double* dx, double* force);

/// Energy of all hinges less what they have at rest (J). Reads flexvert_xpos.
double sn_bendingEnergy(const snModel* m, const snData* d, int flex);

#endif
