#include "smooth/tension.h"
#include <sinew/support.h>
#include "math/spatial.h"
#include "model/arena.h"
#include "model/spatial_tendon.h"
#include "smooth/actuator/transmission.h"
#include "smooth/kinematics/jacobian.h"
#include "smooth/tendon/tendon.h"
#include "smooth/kinematics/resistance.h"

// ---- the force along each tendon, positive where it would lengthen it

static double smoothForce(const snModel* m, const snData* d, int t)
{
    double force = 0;
    if (!(m->opt.disableflags & SN_DSBL_SPRING)) force += sn_tendonSpringForce(m, d, t);
    if (!(m->opt.disableflags & SN_DSBL_DAMPER)) force += sn_tendonDamperForce(m, d, t);
    for (int i = 0; i < m->nactuator; i++) {
        const int out = m->actuator_outadr[i];
        if (sn_pullsTendon(m, i, t)) force += m->actuator_gear[6 * out] * d->actuator_force[out];
    }
    if (sn_armatureOfTendon(m, t) == 0) return force;
    const snTendonArms arms = sn_armsOfTendon(d, t);
    double rate = sn_tendonRate2(m, d, t);
    for (int k = 0; k < arms.num; k++) rate += arms.J[k] * d->qacc[arms.dofs[k]];
    return force - sn_armatureOfTendon(m, t) * rate;
}

// The slope of the length of the second tendon of an equality, which the first follows.
static double slopeOf(const snModel* m, const snData* d, int eq)
{
    const double* c = m->eq_data + SN_NEQDATA * eq;
    const int id = m->eq_obj2id[eq];
    const double x = d->ten_length[id] - m->tendon_length0[id];
    return c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
}

static void rowForce(const snModel* m, const snData* d, int r, double* force)
{
    const int id = d->efc_id[r], type = d->efc_type[r];
    const double f = d->efc_force[r];
    if (type == SN_CNSTR_FRICTION_TENDON) force[id] += f;
    if (type == SN_CNSTR_LIMIT_TENDON) // of the upper limit the row is the opposite of the arms
        force[id] += d->efc_J[d->efc_J_rowadr[r]] == sn_armsOfTendon(d, id).J[0] ? f : -f;
    if (type != SN_CNSTR_EQUALITY || m->eq_type[id] != SN_EQ_TENDON) return;
    force[m->eq_obj1id[id]] += f;
    if (m->eq_obj2id[id] >= 0) force[m->eq_obj2id[id]] -= slopeOf(m, d, id) * f;
}

// ---- on the path

typedef struct Node {
    snVec3 pos;
    int body;
} Node;

static void push(const snModel* m, snData* d, Node at, snVec3 force)
{
    if (!at.body) return;
    double* ext = d->cfrc_ext + 6 * at.body;
    const snForce f = sn_forceAtCom(m, d, at.body, force, sn_v3(0, 0, 0), at.pos);
    sn_forceStore(ext, sn_forceAdd(sn_forceLoad(ext), f));
}

// The straight part between two points pushes both apart.
static void spread(const snModel* m, snData* d, Node a, Node b, double force)
{
    if (a.body == b.body) return;
    const snVec3 along = sn_v3Scale(sn_v3Normalize(sn_v3Sub(b.pos, a.pos)), force);
    push(m, d, a, sn_v3Neg(along));
    push(m, d, b, along);
}

static void spreadPath(const snModel* m, snData* d, int t, double force)
{
    const int end = d->ten_wrapadr[t] + d->ten_wrapnum[t];
    double scale = 1;
    Node last = {{0, 0, 0}, -1};
    for (int at = d->ten_wrapadr[t], w = m->tendon_adr[t]; at < end; at++) {
        const int object = d->wrap_obj[at];
        Node node = {sn_v3Load(d->wrap_xpos + 3 * at), -1};
        if (object >= 0) {
            node.body = m->geom_bodyid[object];
        } else { // geoms that the path leaves alone have no points
            while (m->wrap_type[w] != (object == -2 ? SN_WRAP_PULLEY : SN_WRAP_SITE)) w++;
            if (object == -2)
                scale = 1 / m->wrap_prm[w];
            else
                node.body = m->site_bodyid[m->wrap_objid[w]];
            w++;
        }
        if (last.body >= 0 && node.body >= 0) spread(m, d, last, node, scale * force);
        last = node;
    }
}

void sn_addTensions(const snModel* m, snData* d)
{
    const size_t mark = sn_scratchMark(d);
    double* force = sn_scratchReal(d, m->ntendon);
    if (!force) {
        sn_warn(d, SN_WARN_CNSTRFULL, 0);
        return;
    }
    for (int t = 0; t < m->ntendon; t++) force[t] = sn_isSpatialTendon(m, t) ? smoothForce(m, d, t) : 0;
    for (int r = 0; r < d->nefc; r++) rowForce(m, d, r, force);
    for (int t = 0; t < m->ntendon; t++)
        if (sn_isSpatialTendon(m, t) && force[t] != 0) spreadPath(m, d, t, force[t]);
    sn_scratchRelease(d, mark);
}
