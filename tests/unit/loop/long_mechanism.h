// Mechanisms of any length, built straight into an snModel without the arrays of the joint-space inertia,
// whose size grows with the square of the depth: for kinematics and the sparse matrix method alone.
#ifndef SINEW_TEST_LONG_MECHANISM_H
#define SINEW_TEST_LONG_MECHANISM_H

#include <sinew/sinew.h>
#include <string.h>

typedef struct LongModel {
    snModel* m;
    int bodies, joints, q, v, sites, loops; // how many are there
} LongModel;

static inline LongModel longModel(int bodies, int loops)
{
    int count, sizes[128] = {0};
    const char* const* names = sn_modelSizes(&count);
    const struct {
        const char* name;
        int size;
    } wanted[] = {{"nbody", bodies + 1}, {"njnt", bodies},     {"nq", 7 * bodies},
                  {"nv", 6 * bodies},    {"nsite", 2 * loops}, {"nloop", loops}};
    for (int i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            if (!strcmp(names[i], wanted[k].name)) sizes[i] = wanted[k].size;
    LongModel l = {.m = sn_makeModel(sizes, NULL), .bodies = 1};
    l.m->narena = 1 << 16;
    l.m->body_jntadr[0] = l.m->body_dofadr[0] = l.m->body_mocapid[0] = -1;
    l.m->body_quat[0] = l.m->body_iquat[0] = 1;
    l.m->opt.gravity[0] = 0;
    l.m->opt.gravity[1] = 2;
    l.m->opt.gravity[2] = -9.81;
    return l;
}

// A rod of a length along x, of mass 2 length, at x, y of its parent, with one joint there.
static inline int addRod(LongModel* l, int parent, double x, double y, double length, int type)
{
    snModel* m = l->m;
    const int b = l->bodies++, j = l->joints++;
    const double mass = 2 * length;
    m->body_parentid[b] = parent;
    m->body_rootid[b] = parent ? m->body_rootid[parent] : b;
    m->body_weldid[b] = b;
    m->body_mocapid[b] = -1;
    m->body_pos[3 * b] = x;
    m->body_pos[3 * b + 1] = y;
    m->body_quat[4 * b] = m->body_iquat[4 * b] = 1;
    m->body_ipos[3 * b] = length / 2;
    m->body_mass[b] = mass;
    for (int k = 0; k < 3; k++) m->body_inertia[3 * b + k] = mass * length * length / 12;
    m->body_jntnum[b] = 1;
    m->body_jntadr[b] = j;
    m->body_dofadr[b] = l->v;
    m->body_dofnum[b] = type == SN_JNT_FREE ? 6 : type == SN_JNT_BALL ? 3 : 1;
    m->jnt_type[j] = type;
    m->jnt_bodyid[j] = b;
    m->jnt_qposadr[j] = l->q;
    m->jnt_dofadr[j] = l->v;
    m->jnt_axis[3 * j + 2] = 1;
    if (type == SN_JNT_FREE || type == SN_JNT_BALL) m->qpos0[l->q + (type == SN_JNT_FREE ? 3 : 0)] = 1;
    l->q += type == SN_JNT_HINGE ? 1 : type == SN_JNT_BALL ? 4 : 7;
    for (int k = 0; k < m->body_dofnum[b]; k++, l->v++) {
        m->dof_bodyid[l->v] = b;
        m->dof_jntid[l->v] = j;
        m->dof_parentid[l->v] = k        ? l->v - 1
                                : parent ? m->body_dofadr[parent] + m->body_dofnum[parent] - 1
                                         : -1;
    }
    return b;
}

static inline void addLoop(LongModel* l, snLoopType type, int body1, double x1, double y1, int body2,
                           double x2, double y2)
{
    const int body[2] = {body1, body2};
    const double x[2] = {x1, x2}, y[2] = {y1, y2};
    for (int k = 0; k < 2; k++) {
        const int site = l->sites++;
        l->m->site_bodyid[site] = body[k];
        l->m->site_pos[3 * site] = x[k];
        l->m->site_pos[3 * site + 1] = y[k];
        l->m->site_quat[4 * site] = 1;
        l->m->loop_siteid[2 * l->loops + k] = site;
    }
    l->m->loop_type[l->loops++] = type;
}

// The rest of the joints and dofs that there was room for is not there.
static inline snModel* finish(LongModel* l)
{
    l->m->nq = l->q;
    l->m->nv = l->v;
    l->m->njnt = l->joints;
    return l->m;
}

// n four-bars, each on the coupler of the one before; closed at fourBarPose.
static inline snModel* fourBarChain(int n, snLoopType type)
{
    LongModel l = longModel(3 * n, n);
    for (int i = 0, base = 0; i < n; i++) {
        const int crank = addRod(&l, base, 0, 0, 0.3, SN_JNT_HINGE),
                  coupler = addRod(&l, crank, 0.3, 0, 0.55, SN_JNT_HINGE),
                  rocker = addRod(&l, base, 0.5, 0, 0.4, SN_JNT_HINGE);
        addLoop(&l, type, coupler, 0.55, 0, rocker, 0.4, 0);
        base = coupler;
    }
    return finish(&l);
}

static inline void fourBarPose(const snModel* m, snData* d)
{
    static const double q[3] = {1.2, -1.0342949058371855, 1.183232582669018};
    static const double v[3] = {0.2739233746429086, -0.2709789517430515, 0.2075410649139025};
    for (int i = 0; i < m->nv; i++) {
        d->qpos[i] = q[i % 3];
        d->qvel[i] = v[i % 3];
    }
}

// Two rails of n rods each that float, joined to each other by a joint a rung (figure 8.4).
static inline snModel* ladder(int n, int joint, snLoopType rung)
{
    LongModel l = longModel(2 * n, n - 1);
    int left = addRod(&l, 0, 0, 0, 0.4, SN_JNT_FREE), right = addRod(&l, left, 0, 0.2, 0.4, joint);
    for (int i = 1; i < n; i++) {
        left = addRod(&l, left, 0.4, 0, 0.4, joint);
        right = addRod(&l, right, 0.4, 0, 0.4, joint);
        addLoop(&l, rung, left, 0.1, 0.1, right, 0.1, -0.1);
    }
    return finish(&l);
}

// One body with n others on it.
static inline snModel* star(int n)
{
    LongModel l = longModel(n + 1, 0);
    const int hub = addRod(&l, 0, 0, 0, 1, SN_JNT_FREE);
    for (int i = 0; i < n; i++) addRod(&l, hub, 0.1, 0.2, 0.3, i % 2 ? SN_JNT_HINGE : SN_JNT_BALL);
    return finish(&l);
}

#endif
