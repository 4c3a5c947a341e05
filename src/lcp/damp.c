#include "lcp/damp.h"
#include <math.h>
#include <sinew/constraint.h>
#include "constraint/row.h"
#include "lcp/rows.h"

enum { SWEEPS = 10 };

// b of the rows that ask for nothing but not to come nearer.
static void ask(const snModel* m, const snData* d, const snIslands* islands, int island,
                const double* acceleration, snLcpSystem* s)
{
    const snLcpBlock* block = s->block;
    for (int g = islands->first_group[island]; g >= 0; g = islands->group[g].next, block++)
        for (int r = 0; r < block->rows; r++)
            s->b[4 * block->quad + r] = sn_lcpUnmended(m, d, islands->group[g].row + r, acceleration);
}

static double workOf(const snLcpSystem* s)
{
    double work = 0;
    for (int r = 0; r < 4 * s->nquad; r++) work += s->x[r] * s->b[r];
    return work;
}

static double squareOf(const snLcpSystem* s)
{
    double square = 0;
    for (int k = 0; k < s->ncoord; k++) square += s->dV[k] * s->dV[k];
    return square;
}

void sn_lcpTakeBack(snLcpSystem* s)
{
    const double work = workOf(s), square = squareOf(s);
    if (!(-work < 0.5 * square)) return;
    const double scale = work < 0 ? -work / square : 0;
    for (int r = 0; r < 4 * s->nquad; r++) s->x[r] *= scale;
    sn_lcpSpread(s);
}

bool sn_lcpDamp(const snModel* m, const snData* d, const snIslands* islands, int island,
                const double* acceleration, snLcpSystem* s)
{
    const snSweep sweep = {SN_LCP_GS, 1, false, NULL};
    ask(m, d, islands, island, acceleration, s);
    if (workOf(s) + 0.5 * squareOf(s) <= 0) return false;
    for (int k = 0; k < SWEEPS; k++) (void)sn_lcpSweep(s, &sweep);
    sn_lcpSpread(s);
    sn_lcpTakeBack(s);
    return true;
}
