#include "smooth/flex/tension.h"
#include "math/clones.h"
#include "math/simd.h"
#include "smooth/flex/flex.h"

typedef double v2 __attribute__((vector_size(16), aligned(8), may_alias));

// t = K c in pairs, edge [count] the places of an element's edges.
SN_INLINE void addElement(const double* K, const int* edge, int count, const v2* change, v2* tension)
{
    v2 c[6], t[6];
#pragma GCC unroll 6
    for (int i = 0; i < count; i++) c[i] = change[edge[i]], t[i] = (v2){0, 0};
#pragma GCC unroll 6
    for (int i = 0; i < count; i++) {
        t[i] += *K++ * c[i];
#pragma GCC unroll 6
        for (int j = i + 1; j < count; j++, K++) t[i] += *K * c[j], t[j] += *K * c[i];
    }
#pragma GCC unroll 6
    for (int i = 0; i < count; i++) tension[edge[i]] += t[i];
}

SN_CLONES void sn_addStretch(const snModel* m, int flex, const double* change, double* tension)
{
    const double* K = m->flex_stiffness + m->flex_stiffnessadr[flex];
    const int *edge = m->flex_elemedge + m->flex_elemedgeadr[flex], num = m->flex_elemnum[flex];
    const int dim = m->flex_dim[flex], size = sn_flexStiffness(dim);
    if (dim == 2)
        for (int e = 0; e < num; e++, K += size, edge += 3)
            addElement(K, edge, 3, (const v2*)change, (v2*)tension);
    else
        for (int e = 0; e < num; e++, K += size, edge += 6)
            addElement(K, edge, 6, (const v2*)change, (v2*)tension);
}

static double elementEnergy(const double* K, int count, const double* c)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += 0.25 * *K++ * c[i] * c[i];
        for (int j = i + 1; j < count; j++) sum += 0.5 * *K++ * c[i] * c[j];
    }
    return sum;
}

double sn_stretchEnergy(const snModel* m, const snData* d, int flex)
{
    const double* K = m->flex_stiffness + m->flex_stiffnessadr[flex];
    const int count = sn_flexElementEdges(m->flex_dim[flex]), first = m->flex_edgeadr[flex];
    const int* edge = m->flex_elemedge + m->flex_elemedgeadr[flex];
    double sum = 0, c[6];
    for (int e = 0; e < m->flex_elemnum[flex]; e++, edge += count, K += sn_flexStiffness(m->flex_dim[flex])) {
        for (int i = 0; i < count; i++) {
            const double l = d->flexedge_length[first + edge[i]], l0 = m->flexedge_length0[first + edge[i]];
            c[i] = l * l - l0 * l0;
        }
        sum += elementEnergy(K, count, c);
    }
    return sum;
}

void sn_addTensionForces(const snModel* m, const snData* d, int flex, const double* tension, int part,
                         double* force)
{
    const int first = m->flex_edgeadr[flex];
    for (int e = 0; e < m->flex_edgenum[flex]; e++) {
        const int* ends = m->flex_edge + 2 * (first + e);
        const snVec3 f = sn_v3Scale(sn_flexAlong(m, d, flex, first + e), tension[2 * e + part]);
        double *a = force + 3 * ends[0], *b = force + 3 * ends[1];
        sn_v3Store(a, sn_v3Add(sn_v3Load(a), f));
        sn_v3Store(b, sn_v3Sub(sn_v3Load(b), f));
    }
}
