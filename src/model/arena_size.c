#include "model/arena_size.h"
#include <sinew/data.h>

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

// Rows of the largest contact: a pyramid has two an axis of friction.
static int contactRows(const snModel* m)
{
    int dim = 1;
    for (int i = 0; i < m->ngeom; i++) dim = m->geom_condim[i] > dim ? m->geom_condim[i] : dim;
    for (int i = 0; i < m->npair; i++) dim = m->pair_dim[i] > dim ? m->pair_dim[i] : dim;
    return dim == 1 ? 1 : 2 * (dim - 1);
}

size_t sn_arenaEstimate(const snModel* m)
{
    const double nv = m->nv;
    const double contacts = clamp(10.0 * m->ngeom + m->npair, 100, 2000);
    const double rows = contactRows(m) * contacts + 2.0 * m->njnt + nv + 3.0 * m->ntendon + 6.0 * m->neq;
    double numbers = rows * (4 * nv + 64) + 6 * nv * nv + 100 * nv;
    // the matrix of the dual, where a solver has one
    const bool dual = m->opt.solver == SN_SOL_PGS || m->opt.noslip_iterations > 0;
    if (dual) numbers += clamp(rows, 0, 2000) * (clamp(rows, 0, 2000) + nv);
    const double bytes = contacts * 2 * (double)sizeof(snContact) + numbers * (double)sizeof(double);
    return (size_t)clamp(bytes, 4.0 * 1048576, 2048.0 * 1048576);
}
