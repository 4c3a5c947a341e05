#include "model/arena_size.h"

size_t sn_arenaLeast(const snModel* m)
{
    const size_t elements = (size_t)m->nbody + (size_t)m->ngeom + (size_t)m->njnt + (size_t)m->nv +
                            (size_t)m->ntendon + (size_t)m->nactuator;
    return 65536 + 1024 * elements + sizeof(double) * (size_t)m->nD;
}

int sn_mostImpulses(const snModel* m)
{
    enum { A_GEOM = 12, LEAST = 32, MOST = 1 << 24 };
    const size_t count = A_GEOM * (size_t)m->ngeom + (size_t)m->njnt + (size_t)m->neq + (size_t)m->nv +
                         (size_t)m->ntendon + LEAST;
    return count < MOST ? (int)count : MOST;
}
