// Second derivatives of the elastic energy of a flex by the places of its vertices, all in the world's axes:
//     H = E + T
// E is what K and B give, E = 2 sum K_ef x_e x_f' + B, positive semidefinite wherever the vertices are; T
// what the tensions t of edges give, t_e between its ends as a spring without length has it, which is
// negative where edges push. Elasticity is damped by flex_damping E. Rows of H sum to 0 over vertices. Of
// hinges that are curved at rest what curves them is left out, which has no sign, and all where they are
// folded by more than a right angle.
#ifndef SINEW_SMOOTH_FLEX_HESSIAN_H
#define SINEW_SMOOTH_FLEX_HESSIAN_H

#include <sinew/data.h>
#include <stdbool.h>

/// A symmetric matrix over the vertices of all flexes, in blocks of 3 x 3. There is a block where an edge is,
/// and a multiple of the unit matrix between the two flaps of an edge that bends.
typedef struct snFlexBlocks {
    double* vertex; ///< [6 nflexvert] on the diagonal: xx, yy, zz, xy, xz, yz
    double* edge;   ///< [9 nflexedge] by rows: of its first end, by columns: of its second
    double* flap;   ///< [nflexedge] the multiple; 0: the edge does not bend
} snFlexBlocks;

/// tension [flex_edgenum] of the edges of a flex by its elements as they are. positive: of each element the
/// part that makes T positive semidefinite.
/// Reads flexedge_length.  Cost: O(flex_elemnum).
void sn_flexTensions(const snModel* m, const snData* d, int flex, bool positive, double* tension);

/// Sets the blocks of a flex to e E + t T, T of these tensions. Reads flexvert_xpos.
/// Cost: O(flex_elemnum + flex_edgenum).
void sn_flexHessian(const snModel* m, const snData* d, int flex, double e, double t, const double* tension,
                    const snFlexBlocks* blocks);

/// y [3 flex_vertnum] += blocks of a flex times x [3 flex_vertnum].
void sn_flexBlocksMul(const snModel* m, int flex, const snFlexBlocks* blocks, const double* x, double* y);

/// y [3 flex_vertnum] += (e E + t T) x without blocks. Takes scratch; false: the arena is full.
bool sn_flexHessianMul(const snModel* m, snData* d, int flex, double e, double t, const double* tension,
                       const double* x, double* y);

#endif
