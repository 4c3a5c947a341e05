#include "sdf/sdf.h"
#include <assert.h>
#include <math.h>

double sn_sdfDistance(const snModel* m, const snData* d, int geom, const double point[3], double gradient[3])
{
    assert(geom >= 0 && geom < m->ngeom);
    (void)m;
    (void)d;
    (void)geom;
    (void)point;
    if (gradient) gradient[0] = gradient[1] = gradient[2] = 0;
    return INFINITY;
}
