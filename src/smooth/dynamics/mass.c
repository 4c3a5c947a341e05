// For each target, x86-64-v4 too: src/target/prelude.h.
// The mass matrix alone: motion axes and inertias straight from the frames of links, in world axes about a
// point of each tree, four at a time; then as any composite rigid bodies. Source: Featherstone 2008, 6.2
// (composite rigid bodies).
#include <sinew/dynamics.h>
#include "math/spatial.h"
#include "model/arena.h"
#include "smooth/dynamics/frame.h"
#include "smooth/inertia/crb.h"
#include "smooth/inertia/factor.h"
#include "smooth/kinematics/inertia_lanes.h"

// ---- motion axes

static inline void storeTurn(double* cdof, snVec3 axis, snVec3 arm)
{
    sn_motionStore(cdof, (snMotion){axis, sn_v3Cross(axis, arm)});
}

// The dofs of joint j.
static inline void jointAxes(const snModel* m, const snFrame* frames, int j, double* cdof)
{
    const snMat3 R = sn_frameAxes(frames + j);
    const snVec3 anchor = sn_v3Add(sn_frameOrigin(frames + j), sn_m3Mul(R, sn_v3Load(m->jnt_pos + 3 * j)));
    const snVec3 arm = sn_v3Neg(anchor), axis = sn_m3Mul(R, sn_v3Load(m->jnt_axis + 3 * j));
    const snVec3 none = {0, 0, 0};
    const int type = m->jnt_type[j];
    cdof += 6 * m->jnt_dofadr[j];
    if (type == SN_JNT_HINGE) storeTurn(cdof, axis, arm);
    if (type == SN_JNT_SLIDE) sn_motionStore(cdof, (snMotion){none, axis});
    if (type == SN_JNT_FREE) {
        sn_motionStore(cdof, (snMotion){none, {1, 0, 0}});
        sn_motionStore(cdof + 6, (snMotion){none, {0, 1, 0}});
        sn_motionStore(cdof + 12, (snMotion){none, {0, 0, 1}});
        for (int k = 0; k < 3; k++) storeTurn(cdof + 18 + 6 * k, sn_m3Col(R, k), none);
    }
    if (type == SN_JNT_BALL)
        for (int k = 0; k < 3; k++) storeTurn(cdof + 6 * k, sn_m3Col(R, k), arm);
}

// The same for joints j, ..., j + 3, hinges and slides.
SN_INLINE void fourAxes(const snModel* m, const snFrame* frames, int j, double* cdof)
{
    const snFrame* const x[4] = {frames + j, frames + j + 1, frames + j + 2, frames + j + 3};
    const snLanesFrame f = sn_lanesFrame(x);
    const snLanes3 axis = sn_lanesTurn(f.row, sn_l3Load(m->jnt_axis + 3 * j)),
                   anchor = sn_l3Load(m->jnt_pos + 3 * j);
    snLanes3 at = f.pos;
    if (sn_l3AnySet(anchor)) at = sn_l3Add(at, sn_lanesTurn(f.row, anchor));
    const int* type = m->jnt_type + j;
    const v4i hinge = v4_equal(v4_of(type[0], type[1], type[2], type[3]), v4_all(SN_JNT_HINGE));
    const snLanes3 lin = sn_l3Cross(at, axis);
    const snLanes6 s = {
        {v4_keep(hinge, axis.x), v4_keep(hinge, axis.y), v4_keep(hinge, axis.z)},
        {v4_select(hinge, lin.x, axis.x), v4_select(hinge, lin.y, axis.y), v4_select(hinge, lin.z, axis.z)}};
    sn_l6Store(cdof + 6 * m->jnt_dofadr[j], s);
}

SN_INLINE void motionAxes(const snModel* m, const snFrame* frames, double* cdof)
{
    for (int j = 0; j < m->njnt;) {
        const int four = j + 4 <= m->njnt ? j : m->njnt - 4; // the last ones may be done twice
        if (four >= 0 && sn_areFour(m, four)) {
            fourAxes(m, frames, four, cdof);
            j = four + 4;
        } else {
            jointAxes(m, frames, j, cdof);
            j++;
        }
    }
}

// ---- inertias

// Those of bodies b, ..., b + 3; behind the last body it comes again.
SN_INLINE void fourInertias(const snModel* m, const snFrame* frames, int b, double* inertia)
{
    const snFrame* x[4];
    const double *quat[4], *com[4], *moment[4], *mass[4];
    for (int k = 0; k < 4; k++) {
        const int i = b + k < m->nbody ? b + k : m->nbody - 1;
        x[k] = frames + sn_frameOf(m, i);
        quat[k] = m->body_iquat + 4 * i;
        com[k] = m->body_ipos + 3 * i;
        moment[k] = m->body_inertia + 3 * i;
        mass[k] = m->body_mass + i;
    }
    const snLanesFrame f = sn_lanesFrame(x);
    v4 w, axes[9];
    snLanes3 v, R[3];
    sn_lanesGather(quat, 0, &w, &v.x, &v.y, &v.z);
    sn_lanesMatrix(w, v, v4_all(2), R);
    for (int i = 0; i < 3; i++) {
        axes[3 * i] = f.row[i].x * R[0].x + f.row[i].y * R[1].x + f.row[i].z * R[2].x;
        axes[3 * i + 1] = f.row[i].x * R[0].y + f.row[i].y * R[1].y + f.row[i].z * R[2].y;
        axes[3 * i + 2] = f.row[i].x * R[0].z + f.row[i].y * R[1].z + f.row[i].z * R[2].z;
    }
    const snLanes3 o = sn_l3Add(f.pos, sn_lanesTurn(f.row, sn_l3Gather(com)));
    const v4 masses = v4_of(*mass[0], *mass[1], *mass[2], *mass[3]);
    sn_lanesInertia(axes, sn_l3Gather(moment), masses, o, inertia + 10 * b);
}

// ----

// Factors in `work`, which is aligned; room between rows stays as it is in qLD.
static void factor(const snModel* m, const double* qM, double* work, double* qLD, double* qLDiagInv)
{
    if (work != qLD) memcpy(work, qLD, (size_t)m->nLD * sizeof(double));
    sn_packTree(m, qM, work);
    sn_factorTree(m, false, work, qLDiagInv);
    if (work != qLD) memcpy(qLD, work, (size_t)m->nLD * sizeof(double));
}

__attribute__((flatten)) static bool massMatrix(const snModel* m, snData* d, const double* qpos, double* qM)
{
    const snFrame* frames = sn_worldFrames(m, d, qpos, true);
    double* cdof = sn_scratchReal(d, 6 * m->nv);
    double* inertia = sn_scratchReal(d, 10 * (m->nbody + 3));
    if (!frames || !cdof || !inertia) return false;
    motionAxes(m, frames, cdof);
    for (int b = 1; b < m->nbody; b += 4) fourInertias(m, frames, b, inertia);
    sn_compositeRows(m, cdof, inertia, qM);
    return true;
}

snStatus sn_massMatrix(const snModel* m, snData* d, const double* qpos, double* qM, double* qLD,
                       double* qLDiagInv)
{
    const size_t mark = sn_scratchMark(d);
    double* work = (uintptr_t)qLD % 32 ? sn_scratchReal(d, m->nLD) : qLD;
    const bool done = (work || !qLD) && massMatrix(m, d, qpos, qM);
    if (done && qLD) factor(m, qM, work, qLD, qLDiagInv);
    sn_scratchRelease(d, mark);
    return done ? SN_STATUS_OK : SN_STATUS_NO_MEMORY;
}
