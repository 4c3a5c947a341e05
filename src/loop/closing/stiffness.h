// How K turns on the way to a singular pose. In what is taut the closed position is a single one, and delta
// grows with the square of a sag s away from it, delta = 1/2 s'Bs, K = s'B. Newton's method in a metric W
// goes by -W^-1 K' delta / (K W^-1 K'): half of s if W = B, whereas in the metric of H light bodies swing
// about heavy ones and come nowhere. So W = H + c S with S = -d(K' lambda)/dq, the geometric stiffness of the
// forces lambda that the correction in the metric of H takes, and c so large that S leads wherever there is
// any.
// Source: Tournier, Nesme, Gilles and Faure 2015 (stable constrained dynamics), for geometric stiffness.
#ifndef SINEW_LOOP_CLOSING_STIFFNESS_H
#define SINEW_LOOP_CLOSING_STIFFNESS_H

#include <sinew/data.h>

typedef struct snLoopStiffness {
    double* turn; ///< of each cluster [dofs x rows x dofs]: dK/dq by each of its dofs
    double* S;    ///< of the widest cluster [dofs x dofs]
} snLoopStiffness;

/// dK/dq by differences at the shadow's qpos. Takes scratch, and leaves poses and loops of the shadow
/// elsewhere. false: no room for it, or the clusters are too large. Cost: poses and K for each dof of the
/// widest cluster.
bool sn_makeStiffness(const snModel* m, snData* shadow, snLoopStiffness* stiff);

/// change [nv], which comes as one of K change = -delta, becomes the smallest in the metric of H [nM] + c S,
/// or of H where that is not positive. Reads: what sn_shadowLoops and sn_loopInertia of H write. Writes
/// mechanism_L. false: the arena is full.
bool sn_smallestStiffly(const snModel* m, snData* shadow, const snLoopStiffness* stiff, const double* H,
                        double* change);

#endif
