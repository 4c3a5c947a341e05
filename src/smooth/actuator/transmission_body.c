// In lanes, too: src/batch/lane/prelude.h.
// Adhesion (seed 001, "Transmission": body): the mean pull along the normals of a body's contacts, those in
// the gap included, those with flexes left out.
#include "model/contact.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/actuator/transmission.h"

real sn_bodyContacts(const snModel* m, const snData* d, int i, real* row)
{
    const int body = m->actuator_trnid[2 * i];
    real count = sn_real(0);
    for (int c = 0; c < d->ncon; c++) {
        const snContact* contact = d->contact + c;
        if (sn_isFlexContact(contact)) continue;
        const int body1 = m->geom_bodyid[contact->geom[0]], body2 = m->geom_bodyid[contact->geom[1]];
        const snMask pulls = sn_contactPulls(contact);
        if ((body1 != body && body2 != body) || !sn_any(pulls)) continue;
        const snVec3 point = sn_v3Load(contact->pos), none = sn_v3(0, 0, 0);
        const real one = sn_select(pulls, 1, 0);
        const snVec3 normal = sn_v3Scale(sn_v3Load(contact->frame), one);
        sn_addForce(m, d, body1, sn_forceAtCom(m, d, body1, normal, none, point), row);
        sn_addForce(m, d, body2, sn_forceAtCom(m, d, body2, sn_v3Neg(normal), none, point), row);
        count += one;
    }
    if (sn_any(count > 1))
        for (int k = 0; k < m->nv; k++) row[k] /= sn_max(count, 1);
    return sn_real(0);
}
