#include "sdf/sdf.h"
#include <assert.h>
#include <math.h>
#include "sdf/field/field.h"
#include "shape/facts.h"

double sn_sdfDistance(const snModel* m, const snData* d, int geom, const double point[3], double gradient[3])
{
    assert(geom >= 0 && geom < m->ngeom);
    (void)d;
    const int mesh = m->geom_dataid[geom];
    if (sn_hasDistances(m->geom_type[geom]) && mesh >= 0 && sn_hasField(m, mesh))
        return sn_fieldDistance(m, mesh, point, gradient);
    if (gradient) gradient[0] = gradient[1] = gradient[2] = 0;
    return INFINITY;
}
