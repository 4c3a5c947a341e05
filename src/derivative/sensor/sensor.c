// Sensors along directions: in blocks of columns, so that memory does not grow with their number; first what
// several sensors need, then each sensor.
#include "derivative/sensor/sensor.h"
#include <sinew/names.h>
#include <sinew/smooth.h>
#include "base/error.h"
#include "derivative/force/force.h"
#include "derivative/sensor/rows.h"
#include "model/arena.h"
#include "model/late.h"
#include "model/sensor_kind.h"
#include "sensor/value.h"

enum { BLOCK = 48 };

snStatus sn_refuseSensor(const snColumns* c, int s, const char* what)
{
    const char* name = sn_id2name(c->m, SN_OBJ_SENSOR, s);
    return sn_fail(c->error, SN_STATUS_UNSUPPORTED, "sensor %d '%s': %s; use sn_transitionFD", s,
                   name ? name : "", what);
}

// What the sensors need, a set; and whether each has a derivative.
static snStatus survey(const snColumns* c, int* needs)
{
    const snModel* m = c->m;
    const snStatus late = sn_refuseLateSensor(m, "derivative of sensors", c->error);
    if (late) return late;
    *needs = 0;
    for (int s = 0; s < m->nsensor; s++) {
        const snSensorRow* row = sn_sensorRow(m->sensor_type[s]);
        if (!row || row->along == sn_refusedAlong) return sn_refusedAlong(c, s);
        if (sn_isEnclosedSensor(m, s))
            return sn_refuseSensor(c, s, "how far an object juts out of a site has no derivative");
        *needs |= (int)row->needs;
        if (m->sensor_type[s] != SN_SENS_USER) continue;
        if (m->sensor_loopid[s] >= 0)
            return sn_refuseSensor(c, s, "the force of a loop has no derivative yet");
        if (c->d->callback.sensor) // nobody writes one without a callback
            return sn_refuseSensor(c, s, "what the user computes has no derivative");
    }
    return SN_STATUS_OK;
}

static bool followsCom(const snModel* m, int objtype, int id)
{
    return objtype == SN_OBJ_CAMERA && id >= 0 &&
           (m->cam_mode[id] == SN_CAMLIGHT_TRACKCOM || m->cam_mode[id] == SN_CAMLIGHT_TARGETBODYCOM);
}

// Whether a sensor is of, or looks through, a camera that follows a centre of mass.
static bool readsFollowingCamera(const snModel* m)
{
    for (int s = 0; s < m->nsensor; s++) {
        if (followsCom(m, m->sensor_objtype[s], m->sensor_objid[s]) ||
            followsCom(m, m->sensor_reftype[s], m->sensor_refid[s]))
            return true;
    }
    return false;
}

// Bodies whose forces reach a force or torque sensor: the subtrees of what carries one.
static void findFelt(const snModel* m, bool* felt)
{
    memset(felt, 0, (size_t)m->nbody * sizeof *felt);
    for (int s = 0; s < m->nsensor; s++)
        if (sn_sensorRow(m->sensor_type[s])->needs & SN_COLUMNS_FORCE)
            felt[m->site_bodyid[m->sensor_objid[s]]] = true;
    for (int b = 1; b < m->nbody; b++) felt[b] = felt[b] || felt[m->body_parentid[b]];
}

static bool allocate(const snModel* m, snData* d, int needs, snColumns* c)
{
    const size_t n = (size_t)c->n, nv = (size_t)m->nv;
    bool room = sn_bodyColumnsAlloc(m, d, c->n, &c->body);
#define TAKE(member, wanted, count)                                                                          \
    if (wanted) room = (c->member = sn_scratchAlloc(d, (count) * sizeof *c->member)) && room
    TAKE(com, needs & SN_COLUMNS_COM || readsFollowingCamera(m), (size_t)m->nbody * n);
    TAKE(force, needs & SN_COLUMNS_FORCE, sn_laneAt(c->body.lanes, m->nbody, 0));
    TAKE(felt, needs & SN_COLUMNS_FORCE, (size_t)m->nbody);
    c->all_contacts = needs & SN_COLUMNS_CONTACT;
    TAKE(contact, d->ncon && needs & (SN_COLUMNS_FORCE | SN_COLUMNS_CONTACT), (size_t)d->ncon * n);
    TAKE(actuator, needs & SN_COLUMNS_ACTUATOR, (size_t)m->nout * n);
    TAKE(raw, needs & SN_COLUMNS_ACTUATOR, (size_t)m->nactuator);
    TAKE(sum, true, 12 * (size_t)c->body.lanes);
    TAKE(work, true, nv);
    TAKE(column, true, n);
    TAKE(square, m->ntendon || m->nactuator, nv * nv);
    if (needs & SN_COLUMNS_JOINT) {
        TAKE(joint.q, true, nv * nv);
        TAKE(joint.v, true, nv * nv);
        TAKE(joint.act, true, nv * (size_t)m->na);
        TAKE(joint.u, true, nv * (size_t)m->nu);
    }
#undef TAKE
    if (c->felt) findFelt(m, c->felt);
    return room;
}

// d qfrc_actuator, the same for all blocks
static snStatus jointForces(const snModel* m, snData* d, snColumns* c)
{
    const size_t nv = (size_t)m->nv;
    if (!c->joint.q) return SN_STATUS_OK;
    memset(c->joint.q, 0, nv * nv * sizeof(double));
    memset(c->joint.v, 0, nv * nv * sizeof(double));
    memset(c->joint.act, 0, nv * (size_t)m->na * sizeof(double));
    memset(c->joint.u, 0, nv * (size_t)m->nu * sizeof(double));
    return sn_actuatorDerivative(m, d, &c->joint, c->error);
}

// Numbers that stand at the cutoff do not change.
static void clip(const snColumns* c, int s)
{
    const snModel* m = c->m;
    const double cutoff = m->sensor_cutoff[s];
    const int type = m->sensor_datatype[s];
    if (cutoff <= 0 || !sn_clipsSensor(m, s)) return;
    for (int k = 0; k < m->sensor_dim[s]; k++) {
        const double value = c->d->sensordata[m->sensor_adr[s] + k];
        if (value < cutoff && (type == SN_DATATYPE_POSITIVE || value > -cutoff)) continue;
        memset(sn_sensorColumn(c, s, 0) + (size_t)k * c->stride, 0, (size_t)c->n * sizeof(double));
    }
}

static snStatus block(const snColumns* c)
{
    const snDofColumns along = {c->n, (int)c->stride, c->along.q, c->along.v, c->along.a};
    snStatus status = SN_STATUS_OK;
    sn_bodyColumns(c->m, c->d, &along, &c->body);
    if (c->com) sn_subtreeShifts(c);
    if (c->contact) status = sn_contactShifts(c);
    if (!status && c->force) status = sn_bodyForces(c);
    if (!status && c->actuator) status = sn_actuatorForceColumns(c);
    for (int s = 0; s < c->m->nsensor && !status; s++) {
        status = sn_sensorRow(c->m->sensor_type[s])->along(c, s);
        clip(c, s);
    }
    return status;
}

static const double* from(const double* matrix, int column)
{
    return matrix ? matrix + column : NULL;
}

static snStatus allBlocks(const snDirections* along, double* out, snColumns* c)
{
    const int most = c->n;
    snStatus status = jointForces(c->m, c->d, c);
    for (int first = 0; first < along->n && !status; first += most) {
        c->n = along->n - first < most ? along->n - first : most;
        c->body.n = c->n;
        c->body.lanes = sn_lanesOf(c->n);
        c->along = (snDirections){c->n,
                                  from(along->q, first),
                                  from(along->v, first),
                                  from(along->act, first),
                                  from(along->u, first),
                                  from(along->a, first),
                                  from(along->f, first)};
        c->out = out + first;
        status = block(c);
    }
    return status;
}

static bool needsBodyForces(const snModel* m)
{
    bool needs = false;
    for (int s = 0; s < m->nsensor; s++)
        needs |= sn_sensorKind(m->sensor_type[s])->needs == SN_NEEDS_BODYFORCES;
    return needs;
}

snStatus sn_sensorDerivative(const snModel* m, snData* d, const snDirections* along, double* out,
                             snError* error)
{
    int needs;
    memset(out, 0, (size_t)m->nsensordata * (size_t)along->n * sizeof *out);
    if (m->nsensor == 0 || along->n == 0 || m->opt.disableflags & SN_DSBL_SENSOR) return SN_STATUS_OK;
    snColumns c = {.m = m, .d = d, .stride = (size_t)along->n, .error = error};
    snStatus status = survey(&c, &needs);
    if (status) return status;
    const size_t mark = sn_scratchMark(d);
    c.n = along->n < BLOCK ? along->n : BLOCK;
    while (c.n && !allocate(m, d, needs, &c)) { // in smaller blocks
        sn_scratchRelease(d, mark);
        c.n /= 4;
    }
    if (needsBodyForces(m)) sn_rnePostConstraint(m, d); // qacc may have been polished since
    if (c.n)
        status = allBlocks(along, out, &c);
    else
        status = sn_fail(error, SN_STATUS_NO_MEMORY, "the arena (%zu bytes) is too small for derivatives",
                         (size_t)d->narena);
    sn_scratchRelease(d, mark);
    return status;
}
