// A group does the work of all rows that any of its lanes has, as often as the slowest of them needs: lanes
// with the same rows and like numbers of iterations share it best. The key of a lane is its solver's
// iterations, ahead where sweeps cost most and last elsewhere, and which pairs of bodies touch: a bit each,
// those of the world ahead. The bits are a Gray code, and the key holds where they stand in its order, in
// which neighbours differ in few of them.
#include "batch/lane/likeness.h"
#include "model/kinds.h"

enum { PAIRS = 56, STRIDE = 11, ITERATIONS = 255 };

static unsigned long long bitOf(int body1, int body2)
{
    return 1ull << (PAIRS - 1 - (STRIDE * body1 + body2) % PAIRS);
}

static unsigned long long placeOf(unsigned long long code)
{
    for (int shift = 1; shift < PAIRS; shift *= 2) code ^= code >> shift;
    return code;
}

void sn_laneLikeness(void* work, unsigned long long* keys, int nid)
{
    const snLaneWork* w = work;
    const snModel* m = &w->model;
    const snData* d = &w->data;
    const bool sweeps = sn_solverKind(m->opt.solver).dual;
    memset(keys, 0, (size_t)nid * sizeof *keys);
    for (int c = 0; c < d->ncon; c++) {
        const snContact* con = d->contact + c;
        const unsigned long long bit = bitOf(m->geom_bodyid[con->geom[0]], m->geom_bodyid[con->geom[1]]);
        for (int l = 0; l < nid; l++)
            if (con->live[l]) keys[l] |= bit;
    }
    for (int l = 0; l < nid; l++) {
        const snLane all = d->iterations[l];
        const unsigned long long count = all < ITERATIONS ? (unsigned long long)all : ITERATIONS;
        keys[l] = placeOf(keys[l]);
        keys[l] = sweeps ? count << PAIRS | keys[l] : keys[l] << 8 | count;
    }
}
