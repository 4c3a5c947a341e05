// Bodies that move as one.
#ifndef SINEW_MODEL_WELD_H
#define SINEW_MODEL_WELD_H

#include <sinew/model.h>

/// The body with dofs that a body is, or is welded to; 0: it does not move, as the world and mocap bodies.
static inline int sn_moverOf(const snModel* m, int body)
{
    const int weld = m->body_weldid[body];
    return m->body_dofnum[weld] ? weld : 0;
}

#endif
