// Moment arms of adhesion: the mean over the contacts of a body of a pull along the normal on one geom and
// against it on the other, at the point of contact. Point and normal move with both geoms. Source: seed 001,
// "Transmission"; the derivatives are worked out here.
#include "derivative/contact/geometry.h"
#include "derivative/force/actuator.h"
#include "derivative/force/force.h"
#include "derivative/force/pull.h"

static bool holds(const snModel* m, const snContact* contact, int body)
{
    const int body1 = m->geom_bodyid[contact->geom[0]], body2 = m->geom_bodyid[contact->geom[1]];
    return (body1 == body || body2 == body) && contact->exclude <= 1;
}

// Motions of both geoms along dof k, as contact/geometry.h has them.
static void geomMotions(const snModel* m, const snData* d, const snContact* contact, int k, double motion[12])
{
    for (int i = 0; i < 2; i++) {
        const int geom = contact->geom[i], body = m->geom_bodyid[geom];
        const snMotion rate = sn_bodyRate(m, d, k, body);
        sn_v3Store(motion + 6 * i, rate.ang);
        sn_v3Store(motion + 6 * i + 3, sn_pointRate(m, d, body, rate, sn_v3Load(d->geom_xpos + 3 * geom)));
    }
}

static snVec3 along(const double row[3][12], const double motion[12])
{
    double x[3] = {0, 0, 0};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 12; c++) x[r] += row[r][c] * motion[c];
    return sn_v3Load(x);
}

static void addContact(const snModel* m, const snData* d, const snContact* contact,
                       const snContactGradient* g, double scale, double* H)
{
    const int body1 = m->geom_bodyid[contact->geom[0]], body2 = m->geom_bodyid[contact->geom[1]];
    const snVec3 point = sn_v3Load(contact->pos), normal = sn_v3Load(contact->frame), none = {0, 0, 0};
    const int stop = sn_lastCommonDof(m, body1, body2); // others move all or nothing of it
    const snPull first = {body1, stop, point, normal, none}, second = {body2, stop, point, normal, none};
    for (int k = 0; k < m->nv; k++) {
        if (sn_movesBody(m, k, body1) == sn_movesBody(m, k, body2)) continue;
        double motion[12];
        geomMotions(m, d, contact, k, motion);
        const snPull rate = {.point = along(g->pos, motion),
                             .force = sn_v3Cross(along(g->turn, motion), normal)};
        sn_addPullRate(m, d, &first, k, &rate, scale, H);
        sn_addPullRate(m, d, &second, k, &rate, -scale, H);
    }
}

snStatus sn_checkAdhesion(const snModel* m, snData* d, int i, snError* error)
{
    const int body = m->actuator_trnid[2 * i];
    snStatus status = SN_STATUS_OK;
    for (int c = 0; c < d->ncon && status == SN_STATUS_OK; c++) {
        snContactGradient g;
        if (holds(m, d->contact + c, body)) status = sn_contactGeometry(m, d, d->contact + c, &g, error);
    }
    return status;
}

snStatus sn_adhesionDerivative(const snModel* m, snData* d, int i, double scale, double* H, snError* error)
{
    const int body = m->actuator_trnid[2 * i];
    const snStatus status = sn_checkAdhesion(m, d, i, error);
    int count = 0;
    for (int c = 0; c < d->ncon; c++) count += holds(m, d->contact + c, body);
    for (int c = 0; c < d->ncon && status == SN_STATUS_OK; c++) {
        snContactGradient g;
        if (!holds(m, d->contact + c, body)) continue;
        (void)sn_contactGeometry(m, d, d->contact + c, &g, NULL);
        addContact(m, d, d->contact + c, &g, scale / count, H);
    }
    return status;
}

void sn_addMomentDerivative(const snModel* m, snData* d, int i, double* H)
{
    if (m->actuator_trntype[i] == SN_TRN_BODY)
        (void)sn_adhesionDerivative(m, d, i, 1, H, NULL);
    else
        sn_momentDerivative(m, d, i, 1, H);
}
