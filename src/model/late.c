#include "model/late.h"
#include <sinew/names.h>
#include "base/error.h"
#include "model/history.h"

static const char* nameOf(const snModel* m, snObjType kind, int id)
{
    const char* name = sn_id2name(m, kind, id);
    return name ? name : "";
}

snStatus sn_refuseLateActuator(const snModel* m, const char* function, snError* error)
{
    const int i = sn_firstLateActuator(m);
    if (i < 0) return SN_STATUS_OK;
    return sn_fail(
        error, SN_STATUS_UNSUPPORTED,
        "%s: a control of actuator %d '%s' acts %g s later, in another step: set actuator_delay to 0",
        function, i, nameOf(m, SN_OBJ_ACTUATOR, i), m->actuator_delay[i]);
}

snStatus sn_refuseLateSensor(const snModel* m, const char* function, snError* error)
{
    const int s = sn_firstLateSensor(m);
    if (s < 0) return SN_STATUS_OK;
    return sn_fail(error, SN_STATUS_UNSUPPORTED,
                   "%s: sensor %d '%s' shows what was measured in another step: set sensor_delay and "
                   "sensor_interval to 0",
                   function, s, nameOf(m, SN_OBJ_SENSOR, s));
}
