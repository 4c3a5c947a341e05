// In lanes, too: src/batch/lane/prelude.h.
// Sensors of position: frames, joints, actuators, time and energy. Source: seed 001, stage 12.
#include <string.h>
#include "math/vec.h"
#include "sensor/value.h"
#include "smooth/kinematics/object.h"

// Rows of limits stand in order of type, joints first, and id.
int sn_limitRow(const snData* d, snConstraintType type, int id)
{
    int low = d->ne + d->nf, high = low + d->nl;
    const int end = high;
    while (low < high) {
        const int middle = low + (high - low) / 2, t = d->efc_type[middle];
        if (t < (int)type || (t == (int)type && d->efc_id[middle] < id))
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && d->efc_type[low] == (int)type && d->efc_id[low] == id ? low : -1;
}

real sn_limitValue(const snData* d, snConstraintType type, int id, const real* values)
{
    const int first = sn_limitRow(d, type, id);
    if (first < 0) return sn_real(0);
#ifdef SN_LANES // a lane's limit is the first row that it has
    const int end = d->ne + d->nf + d->nl;
    real value = sn_real(0);
    snMask found = sn_mask(false);
    for (int r = first; r < end && d->efc_type[r] == (int)type && d->efc_id[r] == id; r++) {
        value = sn_select(d->efc_live[r] & sn_not(found), values[r], value);
        found |= d->efc_live[r];
    }
    return value;
#else
    return values[first];
#endif
}

snQuat sn_objectQuat(const snModel* m, const snData* d, int objtype, int id)
{
    if (id < 0) return sn_quatIdentity();
    const snObjectFrame f = sn_objectFrame(m, d, objtype, id);
    const snQuat body = sn_quatLoad(d->xquat + 4 * f.body);
    switch (objtype) {
    case SN_OBJ_BODY: return sn_quatMul(body, sn_quatLoad(m->body_iquat + 4 * id));
    case SN_OBJ_GEOM: return sn_quatMul(body, sn_quatLoad(m->geom_quat + 4 * id));
    case SN_OBJ_SITE: return sn_quatMul(body, sn_quatLoad(m->site_quat + 4 * id));
    case SN_OBJ_CAMERA: return sn_quatMul(body, sn_quatLoad(m->cam_quat + 4 * id));
    default: return body;
    }
}

// Pose of the object seen from the reference frame, the world when there is none.
static void frame(const snModel* m, const snData* d, int s, real* out)
{
    const int objtype = m->sensor_objtype[s], id = m->sensor_objid[s];
    const int reftype = m->sensor_reftype[s], ref = m->sensor_refid[s], type = m->sensor_type[s];
    if (type == SN_SENS_FRAMEQUAT) {
        const snQuat q = sn_objectQuat(m, d, objtype, id);
        sn_quatStore(out, ref < 0 ? q : sn_quatMul(sn_quatConj(sn_objectQuat(m, d, reftype, ref)), q));
        return;
    }
    const snObjectFrame f = sn_objectFrame(m, d, objtype, id), r = sn_objectFrame(m, d, reftype, ref);
    const snMat3 R = sn_m3Load(r.mat);
    if (type == SN_SENS_FRAMEPOS)
        sn_v3Store(out, sn_m3TMul(R, sn_v3Sub(sn_v3Load(f.pos), sn_v3Load(r.pos))));
    else
        sn_v3Store(out, sn_m3TMul(R, sn_m3Col(sn_m3Load(f.mat), type - SN_SENS_FRAMEXAXIS)));
}

#ifdef SN_LANES
#define look(m, d, s, out) ((void)0) // sn_shapeSensors has written them
#else
// Sensors that look at shapes: rays; distance of two geoms or bodies, direction from the first to the
// second, or the segment.
static void look(const snModel* m, const snData* d, int s, real* out)
{
    const int type = m->sensor_type[s];
    real dist, fromto[6];
    if (type == SN_SENS_RANGEFINDER) {
        sn_rangefinder(m, d, s, out);
        return;
    }
    sn_nearestGeoms(m, d, s, &dist, fromto, NULL);
    if (type == SN_SENS_GEOMDIST) {
        out[0] = dist;
    } else if (type == SN_SENS_GEOMFROMTO) {
        memcpy(out, fromto, sizeof fromto);
    } else {
        const snVec3 along = sn_v3Sub(sn_v3Load(fromto + 3), sn_v3Load(fromto));
        const real len = sn_v3Norm(along);
        sn_v3Store(out, len > 0 ? sn_v3Scale(along, 1 / len) : along);
    }
}
#endif

static real limitDistance(const snData* d, snConstraintType type, int id)
{
    return sn_limitValue(d, type, id, d->efc_pos) - sn_limitValue(d, type, id, d->efc_margin);
}

#define SN_CASE_POS(name)
#define SN_CASE_VEL(name) case SN_SENS_##name:
#define SN_CASE_ACC(name) case SN_SENS_##name:

void sn_sensorPosValue(const snModel* m, snData* d, int s, real* out)
{
    const int id = m->sensor_objid[s];
    switch ((snSensorType)m->sensor_type[s]) {
        SN_PASS_OTHER_STAGES;
    case SN_SENS_MAGNETOMETER:
        sn_v3Store(out, sn_m3TMul(sn_m3Load(d->site_xmat + 9 * id), sn_v3Load(m->opt.magnetic)));
        break;
    case SN_SENS_CAMPROJECTION: sn_camProjection(m, d, id, m->sensor_refid[s], out); break;
    case SN_SENS_INSIDESITE:
#ifndef SN_LANES
        if (sn_isEnclosedSensor(m, s)) {
            out[0] = sn_enclosed(m, d, s);
            break;
        }
#endif
        out[0] = sn_select(
            sn_siteHolds(m, d, m->sensor_refid[s], sn_objectFrame(m, d, m->sensor_objtype[s], id).pos), 1, 0);
        break;
    case SN_SENS_RANGEFINDER:
    case SN_SENS_GEOMDIST:
    case SN_SENS_GEOMNORMAL:
    case SN_SENS_GEOMFROMTO: look(m, d, s, out); break;
    case SN_SENS_JOINTPOS: out[0] = d->qpos[m->jnt_qposadr[id]]; break;
    case SN_SENS_ACTUATORPOS:
        memcpy(out, d->actuator_length + m->actuator_outadr[id],
               (size_t)m->actuator_outnum[id] * sizeof *out);
        break;
    case SN_SENS_BALLQUAT:
        sn_quatStore(out, sn_quatNormalize(sn_quatLoad(d->qpos + m->jnt_qposadr[id])));
        break;
    case SN_SENS_TENDONPOS: out[0] = d->ten_length[id]; break;
    case SN_SENS_TENDONLIMITPOS: out[0] = limitDistance(d, SN_CNSTR_LIMIT_TENDON, id); break;
    case SN_SENS_JOINTLIMITPOS: out[0] = limitDistance(d, SN_CNSTR_LIMIT_JOINT, id); break;
    case SN_SENS_FRAMEPOS:
    case SN_SENS_FRAMEQUAT:
    case SN_SENS_FRAMEXAXIS:
    case SN_SENS_FRAMEYAXIS:
    case SN_SENS_FRAMEZAXIS: frame(m, d, s, out); break;
    case SN_SENS_SUBTREECOM: memcpy(out, d->subtree_com + 3 * id, 3 * sizeof(real)); break;
    case SN_SENS_E_POTENTIAL: out[0] = d->energy[0]; break;
    case SN_SENS_E_KINETIC: out[0] = d->energy[1]; break;
    case SN_SENS_CLOCK: out[0] = d->time; break;
    }
}
