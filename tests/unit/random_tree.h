// Random kinematic trees with every joint type, built straight into an snModel: no compiler needed.
#ifndef SINEW_TEST_RANDOM_TREE_H
#define SINEW_TEST_RANDOM_TREE_H

#include <sinew/sinew.h>
#include <string.h>
#include "math/vec.h"

typedef struct Random {
    unsigned long long state;
} Random;

// Uniform in [-1, 1) (xorshift64*).
static inline double randomReal(Random* r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return (double)(r->state * 2685821657736338717ULL >> 11) / 4503599627370496.0 - 1;
}

static inline int randomInt(Random* r, int count)
{
    return (int)((randomReal(r) + 1) / 2 * count);
}

static inline snVec3 randomVec(Random* r, double scale)
{
    const double x = randomReal(r), y = randomReal(r), z = randomReal(r);
    return sn_v3(scale * x, scale * y, scale * z);
}

static inline snQuat randomQuat(Random* r)
{
    const double w = randomReal(r), x = randomReal(r), y = randomReal(r), z = randomReal(r);
    return sn_quatNormalize((snQuat){w, x, y, z});
}

enum { TREE_BODIES = 9, TREE_JOINTS = 3 };

// Joints of each body as a list of types, -1 ends it.
typedef struct TreeShape {
    int parent[TREE_BODIES];
    int type[TREE_BODIES][TREE_JOINTS + 1];
} TreeShape;

static inline int jointWidth(int type, int quaternion)
{
    return type == SN_JNT_FREE ? 6 + quaternion : type == SN_JNT_BALL ? 3 + quaternion : 1;
}

static inline TreeShape randomShape(Random* r)
{
    static const int kinds[7][TREE_JOINTS + 1] = {{-1},
                                                  {SN_JNT_HINGE, -1},
                                                  {SN_JNT_SLIDE, -1},
                                                  {SN_JNT_BALL, -1},
                                                  {SN_JNT_HINGE, SN_JNT_SLIDE, SN_JNT_HINGE, -1},
                                                  {SN_JNT_BALL, SN_JNT_SLIDE, -1},
                                                  {SN_JNT_FREE, -1}};
    TreeShape s = {0};
    s.type[0][0] = -1;
    for (int b = 1; b < TREE_BODIES; b++) {
        s.parent[b] = b < 3 ? 0 : randomInt(r, b);
        const int kind = b == 1 ? 6 : randomInt(r, s.parent[b] ? 6 : 7);
        memcpy(s.type[b], kinds[kind], sizeof s.type[b]);
    }
    return s;
}

static inline void setSize(int* sizes, const char* name, int value)
{
    int count;
    const char* const* names = sn_modelSizes(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name)) sizes[i] = value;
}

// Number of dofs that move body b, its own included.
static inline int treeDepth(const TreeShape* s, int b)
{
    int depth = 0;
    for (; b > 0; b = s->parent[b])
        for (const int* t = s->type[b]; *t >= 0; t++) depth += jointWidth(*t, 0);
    return depth;
}

static inline snModel* allocateTree(const TreeShape* s)
{
    int count, njnt = 0, nq = 0, nv = 0, nM = 0;
    for (int b = 1; b < TREE_BODIES; b++) {
        for (const int* t = s->type[b]; *t >= 0; t++) {
            njnt++;
            nq += jointWidth(*t, 1);
            nv += jointWidth(*t, 0);
        }
        int own = 0;
        for (const int* t = s->type[b]; *t >= 0; t++) own += jointWidth(*t, 0);
        for (int k = 0; k < own; k++) nM += treeDepth(s, b) - k;
    }
    sn_modelSizes(&count);
    int sizes[128] = {0};
    setSize(sizes, "nbody", TREE_BODIES);
    setSize(sizes, "njnt", njnt);
    setSize(sizes, "nq", nq);
    setSize(sizes, "nv", nv);
    setSize(sizes, "nM", nM);
    setSize(sizes, "nD", 2 * nM - nv);
    snModel* m = sn_makeModel(sizes, NULL);
    m->narena = 1 << 16;
    return m;
}

static inline void randomBody(snModel* m, Random* r, int b, int parent)
{
    m->body_parentid[b] = parent;
    m->body_rootid[b] = parent ? m->body_rootid[parent] : b;
    m->body_mocapid[b] = -1;
    m->body_weldid[b] = parent ? m->body_weldid[parent] : 0;
    m->body_jntadr[b] = m->body_dofadr[b] = -1;
    sn_v3Store(m->body_pos + 3 * b, randomVec(r, 0.5));
    sn_v3Store(m->body_ipos + 3 * b, randomVec(r, 0.2));
    sn_quatStore(m->body_quat + 4 * b, randomQuat(r));
    sn_quatStore(m->body_iquat + 4 * b, randomQuat(r));
    m->body_mass[b] = 1.5 + randomReal(r);
    // any two moments exceed the third
    sn_v3Store(m->body_inertia + 3 * b, sn_v3Add(sn_v3(0.3, 0.3, 0.3), randomVec(r, 0.1)));
}

static inline int lastDofOf(const snModel* m, int b)
{
    while (b > 0 && m->body_dofnum[b] == 0) b = m->body_parentid[b];
    return b > 0 ? m->body_dofadr[b] + m->body_dofnum[b] - 1 : -1;
}

// Appends joint j of the given type to body b; *nq, *nv, *nM grow.
static inline void randomJoint(snModel* m, Random* r, int b, int j, int type, int* nq, int* nv, int* nM)
{
    if (m->body_jntnum[b]++ == 0) {
        m->body_jntadr[b] = j;
        m->body_dofadr[b] = *nv;
        m->body_weldid[b] = b;
    }
    m->jnt_type[j] = type;
    m->jnt_bodyid[j] = b;
    m->jnt_qposadr[j] = *nq;
    m->jnt_dofadr[j] = *nv;
    if (type != SN_JNT_FREE) sn_v3Store(m->jnt_pos + 3 * j, randomVec(r, 0.2));
    sn_v3Store(m->jnt_axis + 3 * j, sn_v3Normalize(randomVec(r, 1)));
    if (type == SN_JNT_FREE || type == SN_JNT_BALL)
        sn_quatStore(m->qpos0 + *nq + (type == SN_JNT_FREE ? 3 : 0), sn_quatIdentity());
    *nq += jointWidth(type, 1);
    for (int k = 0; k < jointWidth(type, 0); k++, (*nv)++) {
        const int parent = m->body_dofnum[b] ? *nv - 1 : lastDofOf(m, m->body_parentid[b]);
        m->dof_parentid[*nv] = parent;
        m->dof_bodyid[*nv] = b;
        m->dof_jntid[*nv] = j;
        m->dof_Madr[*nv] = *nM;
        for (int i = *nv; i >= 0; i = m->dof_parentid[i]) (*nM)++;
        m->body_dofnum[b]++;
    }
}

// Rows with the sparsity of both triangles of M: the dofs above, the dof itself, those below.
static inline void treeRows(snModel* m)
{
    for (int i = 0, address = 0; i < m->nv; address += m->D_rownnz[i++]) {
        const int parent = m->dof_parentid[i];
        int* column = m->D_colind + (m->D_rowadr[i] = address);
        m->D_diag[i] = parent < 0 ? 0 : m->D_diag[parent] + 1;
        for (int j = i; j >= 0; j = m->dof_parentid[j]) column[m->D_diag[j]] = j;
        int count = m->D_diag[i] + 1;
        for (int k = i + 1; k < m->nv; k++) {
            int j = k;
            while (j > i) j = m->dof_parentid[j];
            if (j == i) column[count++] = k;
        }
        m->D_rownnz[i] = count;
        m->dof_LDadr[i] = m->nLD;
        m->nLD += (m->D_diag[i] / 4 + 1) * 4;
    }
}

static inline snModel* randomTree(Random* r)
{
    const TreeShape s = randomShape(r);
    snModel* m = allocateTree(&s);
    int j = 0, nq = 0, nv = 0, nM = 0;
    m->body_mocapid[0] = m->body_jntadr[0] = m->body_dofadr[0] = -1;
    m->body_quat[0] = m->body_iquat[0] = 1;
    for (int b = 1; b < TREE_BODIES; b++) {
        randomBody(m, r, b, s.parent[b]);
        for (const int* t = s.type[b]; *t >= 0; t++) randomJoint(m, r, b, j++, *t, &nq, &nv, &nM);
    }
    treeRows(m);
    memcpy(m->body_subtreemass, m->body_mass, TREE_BODIES * sizeof(double));
    for (int b = TREE_BODIES - 1; b > 0; b--)
        m->body_subtreemass[m->body_parentid[b]] += m->body_subtreemass[b];
    return m;
}

static inline void randomState(const snModel* m, snData* d, Random* r)
{
    for (int i = 0; i < m->nq; i++) d->qpos[i] = randomReal(r);
    sn_normalizeQuat(m, d->qpos);
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = randomReal(r);
        d->qacc[i] = randomReal(r);
    }
}

#endif
