// In lanes, too: src/batch/lane/prelude.h.
// Sensors of acceleration and force. Source: seed 001, stage 22.
#include <string.h>
#include <sinew/support.h>
#include "math/spatial.h"
#include "sensor/value.h"
#include "smooth/actuator/transmission.h"
#include "smooth/kinematics/jacobian.h"

// The force with which the body pushes on its parent's side of the joint is cfrc_int, which the parent gives
// the body, at the tree's centre of mass: moved to the site and turned into its axes.
static void interaction(const snModel* m, const snData* d, int site, int torque, real* out)
{
    const int b = m->site_bodyid[site];
    const snForce f = sn_forceLoad(d->cfrc_int + 6 * b);
    const snVec3 arm = sn_v3Sub(sn_v3Load(d->site_xpos + 3 * site), sn_treeCom(m, d, b));
    const snMat3 R = sn_m3Load(d->site_xmat + 9 * site);
    sn_v3Store(out, sn_m3TMul(R, torque ? sn_v3Sub(f.ang, sn_v3Cross(arm, f.lin)) : f.lin));
}

// Sum of the forces of all actuators of a tendon.
static real tendonActuatorForce(const snModel* m, const snData* d, int tendon)
{
    real sum = sn_real(0);
    for (int i = 0; i < m->nactuator; i++)
        if (sn_pullsTendon(m, i, tendon)) sum += d->actuator_force[m->actuator_outadr[i]];
    return sum;
}

#define SN_CASE_POS(name) case SN_SENS_##name:
#define SN_CASE_VEL(name) case SN_SENS_##name:
#define SN_CASE_ACC(name)

void sn_sensorAccValue(const snModel* m, snData* d, int s, real* out)
{
    const int id = m->sensor_objid[s], type = m->sensor_type[s];
    real a[6];
    switch ((snSensorType)type) {
        SN_PASS_OTHER_STAGES;
    case SN_SENS_TOUCH: break; // sn_touchSensors
    case SN_SENS_CONTACT: sn_contactSensor(m, d, s, out); break;
    case SN_SENS_ACCELEROMETER:
        sn_objectAcceleration(m, d, SN_OBJ_SITE, id, a, 1);
        memcpy(out, a + 3, 3 * sizeof(real));
        break;
    case SN_SENS_FORCE: interaction(m, d, id, 0, out); break;
    case SN_SENS_TORQUE: interaction(m, d, id, 1, out); break;
    case SN_SENS_ACTUATORFRC:
        for (int k = 0; k < m->actuator_outnum[id]; k++)
            out[k] = d->actuator_force[m->actuator_outadr[id] + k];
        break;
    case SN_SENS_JOINTACTFRC: out[0] = d->qfrc_actuator[m->jnt_dofadr[id]]; break;
    case SN_SENS_TENDONACTFRC: out[0] = tendonActuatorForce(m, d, id); break;
    case SN_SENS_TENDONLIMITFRC: out[0] = sn_limitValue(d, SN_CNSTR_LIMIT_TENDON, id, d->efc_force); break;
    case SN_SENS_JOINTLIMITFRC: out[0] = sn_limitValue(d, SN_CNSTR_LIMIT_JOINT, id, d->efc_force); break;
    case SN_SENS_FRAMELINACC:
    case SN_SENS_FRAMEANGACC:
        sn_objectAcceleration(m, d, m->sensor_objtype[s], id, a, 0);
        memcpy(out, type == SN_SENS_FRAMEANGACC ? a : a + 3, 3 * sizeof(real));
        break;
    case SN_SENS_USER:          // d->callback.sensor
    case SN_SENS_PLUGIN: break; // sn_pluginSensors
    }
}
