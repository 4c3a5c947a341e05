// Tendons (seed 001, "Tendons"): paths, lengths and moment arms.
#include "smooth/tendon/tendon.h"
#include <sinew/smooth.h>
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
static double straight(const snModel* m, const snData* d, Node a, Node b, double scale, double* J)
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

static double fixedTendon(const snModel* m, const snData* d, int i, double* J)
{
    const int begin = m->tendon_adr[i], end = begin + m->tendon_num[i];
    double length = 0;
    for (int w = begin; w < end; w++) {
        const int joint = m->wrap_objid[w];
        length += m->wrap_prm[w] * d->qpos[m->jnt_qposadr[joint]];
        J[m->jnt_dofadr[joint]] += m->wrap_prm[w];
    }
    return length;
}

static inline void storePoint(snData* d, int* at, int object, snVec3 pos)
{
    d->wrap_obj[*at] = object;
    sn_v3Store(d->wrap_xpos + 3 * *at, pos);
    ++*at;
}

// Around the geom of path object w, from `last` to the site after it: appends the touching points. The arc
// lies on one body and has no moment arm. Returns the length, 0 when the straight line stays clear.
static double wrapGeom(const snModel* m, snData* d, int w, Node* last, double scale, double* J, int* at)
{
    const int geom = m->wrap_objid[w], side = (int)m->wrap_prm[w];
    const snWrapShape shape = {sn_v3Load(d->geom_xpos + 3 * geom), sn_m3Load(d->geom_xmat + 9 * geom),
                               m->geom_size[3 * geom], m->wrap_type[w] == SN_WRAP_CYLINDER};
    const snVec3 point[2] = {last->pos, sn_v3Load(d->site_xpos + 3 * m->wrap_objid[w + 1])};
    const snVec3 side_pos = side >= 0 ? sn_v3Load(d->site_xpos + 3 * side) : sn_v3(0, 0, 0);
    snVec3 touch[2];
    const double arc = sn_wrap(&shape, point, side >= 0 ? &side_pos : NULL, touch);
    if (arc < 0) return 0;
    const Node first = {touch[0], m->geom_bodyid[geom]};
    const double length = straight(m, d, *last, first, scale, J) + arc;
    storePoint(d, at, geom, touch[0]);
    storePoint(d, at, geom, touch[1]);
    *last = (Node){touch[1], first.body};
    return length;
}

static double spatialTendon(const snModel* m, snData* d, int i, double* J, int* at)
{
    const int begin = m->tendon_adr[i], end = begin + m->tendon_num[i];
    double length = 0, scale = 1;
    bool started = false; // `last` is a point of this branch
    Node last = {{0, 0, 0}, 0};
    for (int w = begin; w < end; w++) {
        switch (m->wrap_type[w]) {
        case SN_WRAP_PULLEY:
            scale = 1 / m->wrap_prm[w];
            storePoint(d, at, -2, sn_v3(0, 0, 0));
            started = false;
            break;
        case SN_WRAP_SITE: {
            const Node site = siteNode(m, d, m->wrap_objid[w]);
            if (started) length += scale * straight(m, d, last, site, scale, J);
            storePoint(d, at, -1, site.pos);
            last = site;
            started = true;
            break;
        }
        default: length += scale * wrapGeom(m, d, w, &last, scale, J, at);
        }
    }
    return length;
}

// Gathers what is not zero of the dofs that tendon i may touch, from a row over all dofs into ten_J from
// `address` on; returns how many.
static int gather(const snModel* m, snData* d, int i, const double* row, int address)
{
    const int *dofs = m->tendon_dofid + m->tendon_dofadr[i], num = m->tendon_dofnum[i];
    int count = 0;
    for (int k = 0; k < num; k++) {
        if (row[dofs[k]] == 0) continue;
        d->ten_J_colind[address + count] = dofs[k];
        d->ten_J[address + count++] = row[dofs[k]];
    }
    return count;
}

void sn_tendon(const snModel* m, snData* d)
{
    double* row = d->ten_row;
    int at = 0, address = 0;
    if (!m->ntendon) return;
    memset(d->wrap_obj, 0, 2 * (size_t)m->nwrap * sizeof(int));
    memset(d->wrap_xpos, 0, 6 * (size_t)m->nwrap * sizeof(double));
    for (int i = 0; i < m->ntendon; i++) {
        const int *dofs = m->tendon_dofid + m->tendon_dofadr[i], num = m->tendon_dofnum[i];
        const bool fixed = m->wrap_type[m->tendon_adr[i]] == SN_WRAP_JOINT;
        for (int k = 0; k < num; k++) row[dofs[k]] = 0;
        d->ten_wrapadr[i] = at;
        d->ten_length[i] = fixed ? fixedTendon(m, d, i, row) : spatialTendon(m, d, i, row, &at);
        d->ten_wrapnum[i] = at - d->ten_wrapadr[i];
        d->ten_J_rowadr[i] = address;
        address += d->ten_J_rownnz[i] = gather(m, d, i, row, address);
    }
}

void sn_tenJ(const snModel* m, const snData* d, double* J)
{
    const size_t nv = (size_t)m->nv;
    memset(J, 0, (size_t)m->ntendon * nv * sizeof(double));
    for (int i = 0; i < m->ntendon; i++) {
        const snTendonArms arms = sn_armsOfTendon(d, i);
        for (int k = 0; k < arms.num; k++) J[(size_t)i * nv + (size_t)arms.dofs[k]] = arms.J[k];
    }
}

void sn_tendonVelocity(const snModel* m, snData* d)
{
    for (int i = 0; i < m->ntendon; i++) {
        const snTendonArms arms = sn_armsOfTendon(d, i);
        double sum = 0;
        for (int k = 0; k < arms.num; k++) sum += arms.J[k] * d->qvel[arms.dofs[k]];
        d->ten_velocity[i] = sum;
    }
}

void sn_tendonSprings(const snModel* m, snData* d)
{
    for (int i = 0; i < m->ntendon; i++)
        if (m->tendon_stiffness[i] != 0)
            sn_addTendonForce(d, i, -m->tendon_stiffness[i] * sn_tendonStretch(m, d, i), d->qfrc_spring);
}

void sn_tendonDampers(const snModel* m, snData* d)
{
    for (int i = 0; i < m->ntendon; i++)
        if (m->tendon_damping[i] != 0)
            sn_addTendonForce(d, i, -m->tendon_damping[i] * d->ten_velocity[i], d->qfrc_damper);
}
