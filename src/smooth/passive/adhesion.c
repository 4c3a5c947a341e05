// In lanes, too: src/batch/lane/prelude.h.
#include "smooth/passive/adhesion.h"
#include <sinew/smooth.h>
#include <string.h>
#include "math/spatial.h"
#include "smooth/kinematics/jacobian.h"

#ifndef SN_LANES
static void draw(const snModel* m, snData* d, int geom, double force, const snContact* con)
{
    const int body = m->geom_bodyid[geom];
    const snVec3 f = sn_v3Scale(sn_v3Load(con->frame), force);
    sn_addForce(m, d, body, sn_forceAtCom(m, d, body, f, sn_v3(0, 0, 0), sn_v3Load(con->pos)),
                d->qfrc_adhesion);
}
#endif

bool sn_adhesion(const snModel* m, snData* d)
{
    bool any = false;
    memset(d->qfrc_adhesion, 0, (size_t)m->nv * sizeof *d->qfrc_adhesion);
#ifndef SN_LANES // which do not have it
    for (int c = 0; c < d->ncon; c++) {
        const snContact* con = d->contact + c;
        if (con->efc_address < 0 || con->adhesion == 0) continue;
        draw(m, d, con->geom[0], con->adhesion, con);
        draw(m, d, con->geom[1], -con->adhesion, con);
        any = true;
    }
#endif
    return any;
}
