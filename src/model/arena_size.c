#include "model/arena_size.h"

size_t sn_arenaLeast(const snModel* m)
{
    const size_t elements = (size_t)m->nbody + (size_t)m->ngeom + (size_t)m->njnt + (size_t)m->nv +
                            (size_t)m->ntendon + (size_t)m->nu;
    return 65536 + 1024 * elements + sizeof(double) * (size_t)m->nD;
}
