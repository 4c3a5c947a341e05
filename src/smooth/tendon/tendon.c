// In lanes, too: src/batch/lane/prelude.h.
// Tendons (seed 001, "Tendons"): paths, lengths and moment arms.
#include "model/rules.h"
#include "smooth/tendon/tendon.h"
#include <sinew/smooth.h>
#include "model/made.h"
#include "model/sleep.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/tendon/wrap.h"

// A point of a path and the body that carries it.
typedef struct Node {
    snVec3 pos;
    int body;
} Node;

static inline Node siteNode(const snModel* m, const snData* d, int site)
{
    return (Node){sn_v3Load(d->site_xpos + 3 * site), m->site_bodyid[site]};
}

// The straight part from a to b, of length l along the unit vector u: dl/dq = u . (J_b - J_a). Dofs that move
// both points alike, the common ancestors, have no part in it. Returns l.
static real straight(const snModel* m, const snData* d, Node a, Node b, real scale, real* J)
{
    const snVec3 e = sn_v3Sub(b.pos, a.pos), u = sn_v3Normalize(e);
    int i = sn_lastDof(m, a.body), j = sn_lastDof(m, b.body);
    if (i == j) return sn_v3Norm(e);
    const snVec3 arm_a = sn_v3Sub(a.pos, sn_treeCom(m, d, a.body));
    const snVec3 arm_b = sn_v3Sub(b.pos, sn_treeCom(m, d, b.body));
    while (i != j) {
        const bool first = i > j;
        const int k = first ? i : j;
        const snMotion s = sn_motionLoad(d->cdof + 6 * k);
        const snVec3 v = sn_v3Add(s.lin, sn_v3Cross(s.ang, first ? arm_a : arm_b));
        J[k] += (first ? -scale : scale) * sn_v3Dot(u, v);
        if (first)
            i = m->dof_parentid[i];
        else
            j = m->dof_parentid[j];
    }
    return sn_v3Norm(e);
}

static real fixedTendon(const snModel* m, const snData* d, int i, real* J)
{
    const int begin = m->tendon_adr[i], end = begin + m->tendon_num[i];
    real length = sn_real(0);
    for (int w = begin; w < end; w++) {
        const int joint = m->wrap_objid[w];
        length += m->wrap_prm[w] * d->qpos[m->jnt_qposadr[joint]];
        J[m->jnt_dofadr[joint]] += m->wrap_prm[w];
    }
    return length;
}

// ---- spatial tendons

// The end of a path so far: a point, but in the lanes of `around` the last touching point of a geom. Without
// lanes a touching point that there is is `last` itself.
typedef struct Path {
    Node last, touch;
    snMask around;
} Path;

// The straight part from a to b in the lanes of the mask alone, 0 in the others.
static real straightIn(const snModel* m, const snData* d, snMask mask, Node a, Node b, real scale, real* J)
{
    if (sn_all(mask)) return straight(m, d, a, b, scale, J);
    return sn_select(mask, straight(m, d, a, b, sn_select(mask, scale, 0), J), 0);
}

// The straight part from the end of the path to b.
static real straightTo(const snModel* m, const snData* d, const Path* path, Node b, real scale, real* J)
{
    if (!sn_any(path->around)) return straight(m, d, path->last, b, scale, J);
    return straightIn(m, d, path->around, path->touch, b, scale, J) +
           straightIn(m, d, sn_not(path->around), path->last, b, scale, J);
}

// Appends a point of the path. Lanes keep none: how many there are differs among them.
static inline void storePoint(snData* d, int* at, int object, snVec3 pos)
{
#ifdef SN_LANES
    (void)d, (void)at, (void)object, (void)pos;
#else
    d->wrap_obj[*at] = object;
    sn_v3Store(d->wrap_xpos + 3 * *at, pos);
    ++*at;
#endif
}

// The side site of path object w, -1: none. A number that the caller wrote may be no site.
static inline int sideOf(const snModel* m, int w)
{
#ifdef SN_LANES
    const snDouble site = m->scalar->wrap_prm[w];
#else
    const real site = m->wrap_prm[w];
#endif
    return site >= 0 && site < m->nsite ? (int)site : -1;
}

// Around the geom of path object w, from the last point, a site, to the site after it: appends the touching
// points. The arc lies on one body and has no moment arm. Returns the length, 0 when the straight line stays
// clear.
static real wrapGeom(const snModel* m, snData* d, int w, Path* path, real scale, real* J, int* at)
{
    const int geom = m->wrap_objid[w], side = sideOf(m, w);
    const snWrapShape shape = {sn_v3Load(d->geom_xpos + 3 * geom), sn_m3Load(d->geom_xmat + 9 * geom),
                               m->geom_size[3 * geom], m->wrap_type[w] == SN_WRAP_CYLINDER,
                               sn_means(m->physics, SN_RULE_SIDE_SITES)};
    const snVec3 point[2] = {path->last.pos, sn_v3Load(d->site_xpos + 3 * m->wrap_objid[w + 1])};
    const snVec3 side_pos = side >= 0 ? sn_v3Load(d->site_xpos + 3 * side) : sn_v3(0, 0, 0);
    snVec3 touch[2];
    const real arc = sn_wrap(&shape, point, side >= 0 ? &side_pos : NULL, touch);
    const snMask clear = arc < 0, around = sn_not(clear);
    if (sn_all(clear)) return sn_real(0);
    const Node first = {touch[0], m->geom_bodyid[geom]}, second = {touch[1], first.body};
    const real length = straightIn(m, d, around, path->last, first, scale, J) + arc;
    storePoint(d, at, geom, touch[0]);
    storePoint(d, at, geom, touch[1]);
    if (sn_all(around)) {
        path->last = second;
        return length;
    }
    path->touch = second;
    path->around = around;
    return sn_select(around, length, 0);
}

static real spatialTendon(const snModel* m, snData* d, int i, real* J, int* at)
{
    const int begin = m->tendon_adr[i], end = begin + m->tendon_num[i];
    const snMask none = sn_mask(false);
    const Node nowhere = {sn_v3(0, 0, 0), 0};
    real length = sn_real(0), scale = sn_real(1);
    bool started = false; // the path has a point of this branch
    Path path = {nowhere, nowhere, none};
    for (int w = begin; w < end; w++) {
        switch (m->wrap_type[w]) {
        case SN_WRAP_PULLEY:
            scale = 1 / m->wrap_prm[w];
            storePoint(d, at, -2, nowhere.pos);
            started = false;
            break;
        case SN_WRAP_SITE: {
            const Node site = siteNode(m, d, m->wrap_objid[w]);
            if (started) length += scale * straightTo(m, d, &path, site, scale, J);
            storePoint(d, at, -1, site.pos);
            path.last = site;
            path.around = none;
            started = true;
            break;
        }
        default: length += scale * wrapGeom(m, d, w, &path, scale, J, at);
        }
    }
    return length;
}

// ----

// Whether a moment arm is stored: unless it is zero. In lanes all are, in all states.
static inline bool isArm(real arm)
{
#ifdef SN_LANES
    (void)arm;
    return true;
#else
    return arm != 0;
#endif
}

// Gathers the moment arms of the dofs that tendon i may touch, from a row over all dofs into ten_J from
// `address` on; returns how many.
static int gather(const snModel* m, snData* d, int i, const real* row, int address)
{
    const int *dofs = m->tendon_dofid + m->tendon_dofadr[i], num = m->tendon_dofnum[i];
    int count = 0;
    for (int k = 0; k < num; k++) {
        if (!isArm(row[dofs[k]])) continue;
        d->ten_J_colind[address + count] = dofs[k];
        d->ten_J[address + count++] = row[dofs[k]];
    }
    return count;
}

void sn_tendon(const snModel* m, snData* d)
{
    sn_assertMade(m, d, site_xpos, geom_xpos, geom_xmat, cdof);
    real* row = d->ten_row;
    int at = 0, address = 0;
    if (!m->ntendon) return;
    for (int i = 0; i < m->ntendon; i++) {
        const int *dofs = m->tendon_dofid + m->tendon_dofadr[i], num = m->tendon_dofnum[i];
        const bool fixed = m->wrap_type[m->tendon_adr[i]] == SN_WRAP_JOINT;
        for (int k = 0; k < num; k++) row[dofs[k]] = sn_real(0);
        d->ten_wrapadr[i] = at;
        d->ten_length[i] = fixed ? fixedTendon(m, d, i, row) : spatialTendon(m, d, i, row, &at);
        d->ten_wrapnum[i] = at - d->ten_wrapadr[i];
        d->ten_J_rowadr[i] = address;
        address += d->ten_J_rownnz[i] = gather(m, d, i, row, address);
    }
    const size_t left = 2 * (size_t)m->nwrap - (size_t)at; // points that no path has
    memset(d->wrap_obj + at, 0, left * sizeof(int));
    memset(d->wrap_xpos + 3 * at, 0, 3 * left * sizeof(real));
}

void sn_tenJ(const snModel* m, const snData* d, real* J)
{
    const size_t nv = (size_t)m->nv;
    memset(J, 0, (size_t)m->ntendon * nv * sizeof(real));
    for (int i = 0; i < m->ntendon; i++) {
        const snTendonArms arms = sn_armsOfTendon(d, i);
        for (int k = 0; k < arms.num; k++) J[(size_t)i * nv + (size_t)arms.dofs[k]] = arms.J[k];
    }
}

void sn_tendonVelocity(const snModel* m, snData* d)
{
    sn_assertMade(m, d, ten_length, ten_J_rownnz, ten_J_rowadr);
    for (int i = 0; i < m->ntendon; i++) {
        const snTendonArms arms = sn_armsOfTendon(d, i);
        real sum = sn_real(0);
        for (int k = 0; k < arms.num; k++) sum += arms.J[k] * d->qvel[arms.dofs[k]];
        d->ten_velocity[i] = sum;
    }
}

void sn_tendonSprings(const snModel* m, snData* d)
{
    if (!sn_anyTendonSpring(m)) return;
    for (int i = 0; i < m->ntendon; i++)
        if (!sn_tendonIsStill(m, d, i) && !sn_cubicIsZero(sn_springOfTendon(m, i)))
            sn_addTendonForce(d, i, sn_tendonSpringForce(m, d, i), d->qfrc_spring);
}

void sn_tendonDampers(const snModel* m, snData* d)
{
    if (!sn_anyTendonDamper(m)) return;
    for (int i = 0; i < m->ntendon; i++)
        if (!sn_tendonIsStill(m, d, i) && !sn_cubicIsZero(sn_damperOfTendon(m, i)))
            sn_addTendonForce(d, i, sn_tendonDamperForce(m, d, i), d->qfrc_damper);
}
