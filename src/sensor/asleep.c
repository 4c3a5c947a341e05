// Which sensors are not measured, as all that they look at sleeps.
#include "sensor/asleep.h"
#include "model/sleep.h"
#include "smooth/actuator/asleep.h"
#include "smooth/kinematics/object.h"

static bool jointSleeps(const snModel* m, const snData* d, int joint)
{
    return sn_isAsleep(d, m->body_treeid[m->jnt_bodyid[joint]]);
}

static bool tendonSleeps(const snModel* m, const snData* d, int tendon)
{
    const int *dof = m->tendon_dofid + m->tendon_dofadr[tendon], count = m->tendon_dofnum[tendon];
    for (int k = 0; k < count; k++)
        if (!sn_isAsleep(d, m->dof_treeid[dof[k]])) return false;
    return count > 0;
}

static bool bodySleeps(const snModel* m, const snData* d, int type, int id)
{
    return sn_isAsleep(d, m->body_treeid[sn_objectFrame(m, d, type, id).body]);
}

static bool objectSleeps(const snModel* m, const snData* d, int type, int id)
{
    if (id < 0) return false;
    if (type == SN_OBJ_JOINT) return jointSleeps(m, d, id);
    if (type == SN_OBJ_TENDON) return tendonSleeps(m, d, id);
    if (type == SN_OBJ_ACTUATOR) return sn_actuatorSleeps(m, d, id);
    return bodySleeps(m, d, type, id);
}

// What has no object, or stands still for ever, does not move a value.
static bool rests(const snModel* m, const snData* d, int type, int id)
{
    if (id < 0) return true;
    const int body = sn_objectFrame(m, d, type, id).body;
    return d->body_awake[body] <= 0;
}

bool sn_sensorSleeps(const snModel* m, const snData* d, int s)
{
    if (!d->nasleep) return false;
    const int type = m->sensor_type[s], of = m->sensor_objtype[s];
    if (type == SN_SENS_RANGEFINDER || type == SN_SENS_USER || type == SN_SENS_PLUGIN) return false;
    if (type == SN_SENS_TACTILE) return objectSleeps(m, d, m->sensor_reftype[s], m->sensor_refid[s]);
    if (type == SN_SENS_CONTACT && of == SN_OBJ_SITE) return false;
    return objectSleeps(m, d, of, m->sensor_objid[s]) &&
           rests(m, d, m->sensor_reftype[s], m->sensor_refid[s]);
}
