// In lanes, too: src/batch/lane/prelude.h.
#include "smooth/passive/adhesion.h"
#include <sinew/smooth.h>
#include <string.h>
#include "math/spatial.h"
#include "model/contact.h"
#include "smooth/kinematics/jacobian.h"

#ifndef SN_LANES
static void draw(const snModel* m, snData* d, int side, double force, const snContact* con)
{
    const snContactSide s = sn_contactSide(m, d, con, side);
    const snVec3 point = sn_v3Load(con->pos), none = {0, 0, 0};
    for (int k = 0; k < s.count; k++) {
        const snVec3 f = sn_v3Scale(sn_v3Load(con->frame), force * s.weight[k]);
        sn_addForce(m, d, s.body[k], sn_forceAtCom(m, d, s.body[k], f, none, point), d->qfrc_adhesion);
    }
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
        draw(m, d, 0, con->adhesion, con);
        draw(m, d, 1, -con->adhesion, con);
        any = true;
    }
#endif
    return any;
}
