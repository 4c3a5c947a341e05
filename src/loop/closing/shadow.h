// A second view of a data for looking at other positions: what hangs on positions is its own, in scratch.
#ifndef SINEW_LOOP_CLOSING_SHADOW_H
#define SINEW_LOOP_CLOSING_SHADOW_H

#include <sinew/data.h>

/// shadow sees the same state (qpos, qvel, inputs), but poses, Jacobians and loops are its own. Poses and
/// loops are not there yet. d must not be used until sn_endShadow. false: the arena is full.
bool sn_beginShadow(const snModel* m, snData* d, snData* shadow);

/// Poses, tendons, clusters, K and delta at the shadow's qpos, without ranks. false: the arena is full.
bool sn_shadowEquations(const snModel* m, snData* shadow);

/// Poses, tendons, clusters, K, delta and G at the shadow's qpos. false: the arena is full.
bool sn_shadowLoops(const snModel* m, snData* shadow);

/// Counts of warnings and of memory go back to d. The caller releases the scratch.
void sn_endShadow(snData* d, const snData* shadow);

#endif
