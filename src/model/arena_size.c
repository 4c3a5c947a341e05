#include "model/arena_size.h"
#include <sinew/data.h>

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

size_t sn_arenaEstimate(const snModel* m)
{
    const double nv = m->nv;
    const double contacts = clamp(10.0 * m->ngeom + m->npair, 100, 2000);
    const double rows = 4 * contacts + 2.0 * m->njnt + nv;
    const double numbers = rows * (4 * nv + 64) + 6 * nv * nv + 100 * nv;
    const double bytes = contacts * 2 * (double)sizeof(snContact) + numbers * (double)sizeof(double);
    return (size_t)clamp(bytes, 4.0 * 1048576, 2048.0 * 1048576);
}
