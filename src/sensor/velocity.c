// In lanes, too: src/batch/lane/prelude.h.
// Sensors of velocity. Source: seed 001, stage 16.
#include <string.h>
#include <sinew/support.h>
#include "math/spatial.h"
#include "sensor/value.h"
#include "smooth/kinematics/object.h"

// Velocity of the object as seen from the reference frame, which itself moves with v and turns with w:
// R'(u - v - w x (p - q)), angular R'(w_object - w).
static void frame(const snModel* m, const snData* d, int s, real* out)
{
    const int objtype = m->sensor_objtype[s], id = m->sensor_objid[s];
    const int reftype = m->sensor_reftype[s], ref = m->sensor_refid[s];
    const snObjectFrame f = sn_objectFrame(m, d, objtype, id), r = sn_objectFrame(m, d, reftype, ref);
    real object[6], reference[6];
    sn_objectVelocity(m, d, objtype, id, object, 0);
    sn_objectVelocity(m, d, reftype, ref, reference, 0);
    const snMotion u = sn_motionLoad(object), v = sn_motionLoad(reference);
    const snMat3 R = sn_m3Load(r.mat);
    if (m->sensor_type[s] == SN_SENS_FRAMEANGVEL) {
        sn_v3Store(out, sn_m3TMul(R, sn_v3Sub(u.ang, v.ang)));
        return;
    }
    const snVec3 arm = sn_v3Sub(sn_v3Load(f.pos), sn_v3Load(r.pos));
    sn_v3Store(out, sn_m3TMul(R, sn_v3Sub(sn_v3Sub(u.lin, v.lin), sn_v3Cross(v.ang, arm))));
}

#define SN_CASE_POS(name) case SN_SENS_##name:
#define SN_CASE_VEL(name)
#define SN_CASE_ACC(name) case SN_SENS_##name:

void sn_sensorVelValue(const snModel* m, snData* d, int s, real* out)
{
    const int id = m->sensor_objid[s], type = m->sensor_type[s];
    real v[6];
    switch ((snSensorType)type) {
        SN_PASS_OTHER_STAGES;
    case SN_SENS_VELOCIMETER:
    case SN_SENS_GYRO:
        sn_objectVelocity(m, d, SN_OBJ_SITE, id, v, 1);
        memcpy(out, type == SN_SENS_GYRO ? v : v + 3, 3 * sizeof(real));
        break;
    case SN_SENS_JOINTVEL: out[0] = d->qvel[m->jnt_dofadr[id]]; break;
    case SN_SENS_BALLANGVEL: memcpy(out, d->qvel + m->jnt_dofadr[id], 3 * sizeof(real)); break;
    case SN_SENS_ACTUATORVEL:
        memcpy(out, d->actuator_velocity + m->actuator_outadr[id],
               (size_t)m->actuator_outnum[id] * sizeof *out);
        break;
    case SN_SENS_TENDONVEL: out[0] = d->ten_velocity[id]; break;
    case SN_SENS_TENDONLIMITVEL: out[0] = sn_limitValue(d, SN_CNSTR_LIMIT_TENDON, id, d->efc_vel); break;
    case SN_SENS_JOINTLIMITVEL: out[0] = sn_limitValue(d, SN_CNSTR_LIMIT_JOINT, id, d->efc_vel); break;
    case SN_SENS_FRAMELINVEL:
    case SN_SENS_FRAMEANGVEL: frame(m, d, s, out); break;
    case SN_SENS_SUBTREELINVEL: memcpy(out, d->subtree_linvel + 3 * id, 3 * sizeof(real)); break;
    case SN_SENS_TACTILE: break; // sn_tactileSensors
    case SN_SENS_SUBTREEANGMOM: memcpy(out, d->subtree_angmom + 3 * id, 3 * sizeof(real)); break;
    }
}
