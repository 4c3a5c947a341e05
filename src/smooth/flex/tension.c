// For each target: src/target/prelude.h.
#include "smooth/flex/tension.h"
#include <sinew/smooth.h>
#include "smooth/flex/four.h"

typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

// t = K c in pairs for a lane of four elements, edge [count] the places of its edges.
SN_INLINE void addElement(const v4 K[6][6], int lane, const int* edge, int count, const Two* change,
                          Two* tension)
{
    Two c[6], t[6];
#pragma GCC unroll 6
    for (int i = 0; i < count; i++) c[i] = change[edge[i]], t[i] = (Two){0, 0};
#pragma GCC unroll 6
    for (int i = 0; i < count; i++) {
        t[i] += K[i][i][lane] * c[i];
#pragma GCC unroll 6
        for (int j = i + 1; j < count; j++) t[i] += K[i][j][lane] * c[j], t[j] += K[i][j][lane] * c[i];
    }
#pragma GCC unroll 6
    for (int i = 0; i < count; i++) tension[edge[i]] += t[i];
}

SN_INLINE void addFour(const snModel* m, int flex, int dim, int e, const double* change, double* tension)
{
    snFlexFour four;
    sn_loadFour(m, flex, dim, e, &four);
    for (int lane = 0; lane < four.count; lane++)
        addElement(four.K, lane, four.edge[lane], sn_flexElementEdges(dim), (const Two*)change,
                   (Two*)tension);
}

void sn_addStretch(const snModel* m, int flex, const double* change, double* tension)
{
    const int num = m->flex_elemnum[flex];
    if (m->flex_dim[flex] == 2)
        for (int e = 0; e < num; e += 4) addFour(m, flex, 2, e, change, tension);
    else
        for (int e = 0; e < num; e += 4) addFour(m, flex, 3, e, change, tension);
}

void sn_flexElementStiffness(const snModel* m, int flex, int element, double* K)
{
    const int dim = m->flex_dim[flex];
    const size_t at = (size_t)m->flex_stiffnessadr[flex] + (size_t)element * (size_t)sn_flexStiffness(dim);
    sn_flexK(dim, m->flex_stiffness + at, K);
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
    const int count = sn_flexElementEdges(m->flex_dim[flex]), first = m->flex_edgeadr[flex];
    const int* edge = m->flex_elemedge + m->flex_elemedgeadr[flex];
    double sum = 0, c[6], K[21];
    for (int e = 0; e < m->flex_elemnum[flex]; e++, edge += count) {
        for (int i = 0; i < count; i++) {
            const double l = d->flexedge_length[first + edge[i]], l0 = m->flexedge_length0[first + edge[i]];
            c[i] = l * l - l0 * l0;
        }
        sn_flexElementStiffness(m, flex, e, K);
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
