#include "derivative/constraint/change.h"
#include <string.h>
#include "base/error.h"
#include "constraint/row.h"
#include "derivative/constraint/link.h"
#include "derivative/constraint/single.h"
#include "smooth/kinematics/jacobian.h"
#include "math/spatial.h"
#include "model/arena.h"
#include "model/kinds.h"
#include "smooth/inertia/equality_anchor.h"

// Dofs [k, k + count) of one joint that do not move each other, but by turning together: S_k x v for the
// velocity v of what carries them. Returns the velocity of what they carry.
static snMotion addDofs(const snData* d, int k, int count, snMotion v, const double* z, double* carried)
{
    snMotion after = v;
    for (int i = k; i < k + count; i++) {
        const snMotion s = sn_motionLoad(d->cdof + 6 * i);
        sn_motionStore(carried + 6 * i, sn_crossMotion(s, v));
        after = sn_motionAddScaled(after, z[i], s);
    }
    return after;
}

static void sweep(const snModel* m, const snData* d, const double* z, double* body, double* carried)
{
    memset(body, 0, 6 * sizeof(double));
    for (int b = 1; b < m->nbody; b++) {
        snMotion v = sn_motionLoad(body + 6 * m->body_parentid[b]);
        for (int j = m->body_jntadr[b], end = j + m->body_jntnum[b]; j < end; j++) {
            const int k = m->jnt_dofadr[j], type = m->jnt_type[j];
            const bool turns = sn_hasQuaternion(type);
            v = addDofs(d, k, turns ? 3 : 1, v, z, carried);
            if (type == SN_JNT_FREE) v = addDofs(d, k + 3, 3, v, z, carried);
        }
        sn_motionStore(body + 6 * b, v);
    }
}

void sn_findStarts(const snModel* m, int* start)
{
    for (int k = 0; k < m->nv; k++) {
        const int j = m->dof_jntid[k], first = m->jnt_dofadr[j], place = k - first;
        const bool ball = m->jnt_type[j] == SN_JNT_BALL, free = m->jnt_type[j] == SN_JNT_FREE;
        start[k] = ball ? first : free && place > 3 ? first + 3 : k;
    }
}

bool sn_velocitiesOf(const snModel* m, snData* d, const double* qacc, snVelocities* out)
{
    out->z[0] = qacc;
    out->z[1] = d->qvel;
    out->start = sn_scratchInt(d, m->nv);
    if (!out->start) return false;
    sn_findStarts(m, out->start);
    for (int i = 0; i < 2; i++) {
        out->body[i] = sn_scratchReal(d, 6 * m->nbody);
        out->carried[i] = sn_scratchReal(d, 6 * m->nv);
        if (!out->body[i] || !out->carried[i]) return false;
        sweep(m, d, out->z[i], out->body[i], out->carried[i]);
    }
    return true;
}

// Whether a row has room of its own for how it bends.
static bool bendsAtLarge(const snModel* m, const snData* d, int row)
{
    const int type = d->efc_type[row];
    return type == SN_CNSTR_LIMIT_TENDON || type == SN_CNSTR_FRICTION_TENDON ||
           (type == SN_CNSTR_EQUALITY &&
            (m->eq_type[d->efc_id[row]] == SN_EQ_TENDON || m->eq_type[d->efc_id[row]] == SN_EQ_FLEX));
}

bool sn_changeAllocate(const snModel* m, snData* d, snRowChange* change)
{
    const int nv = m->nv;
    bool tendons = false;
    for (int r = 0; r < d->ne + d->nf + d->nl && !tendons; r++) tendons = bendsAtLarge(m, d, r);
    *change = (snRowChange){.dof = sn_scratchInt(d, nv),
                            .r = sn_scratchReal(d, nv),
                            .jar = sn_scratchReal(d, SN_COMPONENTS * nv),
                            .force = sn_scratchReal(d, SN_COMPONENTS * nv),
                            .sides = sn_scratchInt(d, nv),
                            .row = sn_scratchReal(d, nv),
                            .work = {sn_scratchReal(d, 12 * nv), sn_scratchReal(d, 12 * nv)}};
    if (d->ncon) change->contact = sn_scratchAlloc(d, (size_t)d->ncon * sizeof *change->contact);
    if (tendons) change->tendon = sn_scratchAlloc(d, (size_t)nv * (size_t)nv * sizeof(double));
    return change->dof && change->r && change->jar && change->force && change->sides && change->row &&
           change->work[0] && change->work[1] && (change->tendon || !tendons) &&
           (change->contact || !d->ncon);
}

// Whether no vertex of a flex turns with a body.
static bool slides(const snModel* m, int flex)
{
    const int first = m->flex_vertadr[flex];
    for (int v = first; v < first + m->flex_vertnum[flex]; v++)
        for (int i = sn_lastDof(m, m->flex_vertbodyid[v]); i >= 0; i = m->dof_parentid[i])
            if (m->jnt_type[m->dof_jntid[i]] != SN_JNT_SLIDE) return false;
    return true;
}

snStatus sn_changePrepare(const snModel* m, snData* d, const snRowPoint* point, snRowChange* change,
                          snError* error)
{
    if (!sn_changeAllocate(m, d, change))
        return sn_fail(error, SN_STATUS_NO_MEMORY, "derivatives of constraints do not fit in the arena");
    for (int r = 0; r < d->ne; r++) {
        const int eq = d->efc_id[r];
        if (m->eq_type[eq] == SN_EQ_FLEX && !slides(m, m->eq_obj1id[eq]))
            return sn_fail(
                error, SN_STATUS_UNSUPPORTED,
                "equality %d holds edges of flex %d, which hangs on bodies that turn: they have no "
                "derivative here; use sn_transitionFD",
                eq, m->eq_obj1id[eq]);
    }
    for (int r = d->ne + d->nf + d->nl, count; r < d->nefc; r += count) {
        const int id = d->efc_id[r];
        count = sn_rowsOf(m, d, r);
        if (!sn_rowsMatter(d, point, r, count)) continue;
        const snStatus status = sn_contactGeometry(m, d, d->contact + id, change->contact + id, error);
        if (status) return status;
    }
    return SN_STATUS_OK;
}

void sn_changeForce(const snRowLaw* law, snRowChange* change, int k)
{
    const int n = change->n;
    for (int i = 0; i < law->dim; i++) {
        double sum = law->kappa[i] * law->force[i] * change->r[k];
        for (int j = 0; j < law->dim; j++) sum -= law->C[i][j] * change->jar[j * n + k];
        change->force[i * n + k] = sum;
    }
}

void sn_rowChange(const snModel* m, const snData* d, const snRowLaw* law, const snVelocities* velocity,
                  snRowChange* change, double* q)
{
    const int type = d->efc_type[law->row];
    if (sn_isContact(type) || (type == SN_CNSTR_EQUALITY && sn_isBetweenBodies(m, d->efc_id[law->row])))
        sn_linkChange(m, d, law, velocity, change, q);
    else
        sn_singleChange(m, d, law, velocity, change, q);
}
