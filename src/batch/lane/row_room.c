// The most rows that a model can have, which no state of any lane exceeds.
#include <sinew/constraint.h>
#include "batch/lane/lane.h"
#include "batch/pair.h"
#include "constraint/row.h"
#include "shape/facts.h"

enum { ROW = 32 * sizeof(real) }; // what the stages keep for each row beside its Jacobian

// Points of a pair of geoms at most.
static size_t pointsOf(const snModel* m, const snBatchPair* pair)
{
    for (int s = 0; s < 2; s++) {
        const int type = m->geom_type[pair->geom[s]];
        if (!sn_isEndless(type) && !sn_isRod(type)) return SN_MAXCONPAIR;
    }
    return 2;
}

static int dimOf(const snModel* m, const snBatchPair* pair)
{
    if (pair->pair >= 0) return m->pair_dim[pair->pair];
    const int a = m->geom_condim[pair->geom[0]], b = m->geom_condim[pair->geom[1]];
    return a > b ? a : b;
}

// Dofs that move one of the bodies, not both.
static size_t dofsOf(const snModel* m, const snBatchPair* pair)
{
    size_t count = 0;
    int a = sn_bodyLastDof(m, m->geom_bodyid[pair->geom[0]]);
    int b = sn_bodyLastDof(m, m->geom_bodyid[pair->geom[1]]);
    for (; a != b; count++) {
        int* last = a > b ? &a : &b;
        *last = m->dof_parentid[*last];
    }
    return count;
}

static size_t contactBytes(const snModel* m)
{
    size_t bytes = 0;
    for (int i = 0; i < m->pairs->count; i++) {
        const snBatchPair* pair = m->pairs->list + i;
        const size_t rows = (size_t)sn_contactRows(m, dimOf(m, pair));
        bytes += pointsOf(m, pair) * (sizeof(snContact) + rows * (ROW + dofsOf(m, pair) * sizeof(real)));
    }
    return bytes;
}

size_t sn_laneRowBytes(const snModel* m)
{
    const size_t nv = (size_t)m->nv;
    const size_t rows = 6 * (size_t)m->neq + nv + 2 * (size_t)m->njnt + 3 * (size_t)m->ntendon;
    return contactBytes(m) + rows * (ROW + nv * sizeof(real));
}
