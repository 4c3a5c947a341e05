// Signed distances: how far a point is from the surface of a geom, negative inside. One function for every
// type of geom, whatever its distances come from: a formula, a field sampled from a mesh, a plugin.
#ifndef SINEW_SDF_SDF_H
#define SINEW_SDF_SDF_H

#include <sinew/data.h>
#include <sinew/plugin.h>
#include "math/vec.h"

/// What answers for a shape, found once for many points.
typedef struct snSdf snSdf;
struct snSdf {
    double (*distance)(const snSdf* s, const double point[3], double gradient[3]);
    bool exact;             ///< outside it is the distance of a convex shape, not less
    bool dear;              ///< a distance takes long: a hull of many sides
    const double* size;     ///< of a primitive; numbers of a plugin
    const snPlugin* plugin; ///< its shape
    int instance;           ///< of the plugin
    bool moved;             ///< which stands in the frame of a mesh
    snMat3 turn;            ///< of that
    const snModel* m;       ///< of an asset
    int id;                 ///< of the asset
    const snVec3* corner;   ///< of a simplex
    int count;
    double radius;
};

/// The geom's own, as its type says.
snSdf sn_sdfOf(const snModel* m, int geom);

/// Of 1 to 4 corners and a ball around what they span.
snSdf sn_sdfOfSimplex(const snVec3* corner, int count, double radius);

static inline double sn_sdfAt(const snSdf* s, const double point[3], double gradient[3])
{
    return s->distance(s, point, gradient);
}

/// Signed distance of a point to the surface of a geom, and its gradient; both in the geom's frame, metres.
/// Of a mesh geom that of its field, if it has one, else of its hull. The gradient points outwards and has
/// about unit length; NULL: it is not wanted. A geom without distances is nowhere: the answer is INFINITY,
/// the gradient 0. Allocates nothing.
double sn_sdfDistance(const snModel* m, const snData* d, int geom, const double point[3], double gradient[3]);

/// The instance of the last plugin whose shape gave a number that is not finite in this thread, once; -1:
/// none has since this was asked before. Who asks for distances may have no data to count it in.
int sn_takeSdfFault(void);

/// Counts such a fault as a warning of the data.
void sn_warnSdfFault(snData* d);

#endif
