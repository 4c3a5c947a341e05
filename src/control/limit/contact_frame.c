// Axes of contacts: see contact_frame.h.
#include "control/limit/contact_frame.h"
#include <string.h>

void sn_contactAxes(const snContactSettings* c, const double mat[9], double axes[9])
{
    (void)c;
    memcpy(axes, mat, 9 * sizeof *axes);
}

void sn_contactPoints(const snContactSettings* c, const double mat[9], double point[SN_CONTACT_POINTS][3])
{
    (void)mat;
    memcpy(point, c->point, sizeof c->point);
}
