// Centre of mass and momentum of a subtree, as rows. Source: Orin, Goswami and Lee 2013 (centroidal
// momentum).
#ifndef SINEW_CONTROL_TASK_CENTRE_H
#define SINEW_CONTROL_TASK_CENTRE_H

#include <sinew/data.h>
#include "math/vec.h"

/// The subtree of a body; of body 0 all that dofs move, without what is fixed to the world. No mass: pos is
/// where the body has its centre, and nothing moves it.
typedef struct snCentre {
    int body;
    double mass;
    snVec3 pos;
} snCentre;

snCentre sn_centreOf(const snModel* m, const snData* d, int body);

/// Velocity and drift of the centre of mass: its acceleration is J qacc + drift.
typedef struct snCentreMotion {
    snVec3 vel, drift;
} snCentreMotion;

/// J [rows x columns], rows 2 (x and y alone) or 3, what is beyond nv is cleared. Reads subtree_com, cdof,
/// cdof_dot, cvel, xipos, qvel. Cost: O(nv + nbody) of a whole tree or of everything.
snCentreMotion sn_centreMotion(const snModel* m, const snData* d, const snCentre* c, int rows, double* J,
                               int columns);

/// Momentum about the centre of mass, linear (3), then angular (3): h = A qvel, its rate A qacc + drift.
/// A [6 x columns] as J above. Reads crb, too.
void sn_centreMomentum(const snModel* m, const snData* d, const snCentre* c, double* A, int columns,
                       double h[6], double drift[6]);

#endif
