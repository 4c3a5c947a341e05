// Controllers: settings, and what belongs to them from set-up on.
#include <sinew/control.h>
#include <math.h>
#include "base/error.h"

void sn_defaultContact(snContactSettings* settings)
{
    *settings = (snContactSettings){
        .objtype = SN_OBJ_SITE,
        .reftype = SN_OBJ_UNKNOWN,
        .refid = -1,
        .npoint = 1,
        .normal = {0, 0, 1},
        .mu = 1,
        .facets = 4,
        .force_max = INFINITY,
        .weight = 1,
        .kd = -1,
    };
}

void sn_defaultController(snControllerSettings* settings)
{
    *settings = (snControllerSettings){
        .mode = SN_CONTROL_ACCELERATION,
        .max_tasks = 32,
        .max_contacts = 8,
        .position_limits = true,
        .velocity_limits = true,
        .acceleration_limits = true,
        .torque_limits = true,
        .force_norm = 1e-6,
        .integrator = true,
        .friction_velocity = 0.01,
    };
}

snController* sn_makeController(const snModel* m, const snControllerSettings* settings, snError* error)
{
    (void)m, (void)settings;
    sn_fail(error, SN_STATUS_UNSUPPORTED, "controllers are not there yet");
    return NULL;
}

void sn_freeController(snController* c)
{
    (void)c;
}

int sn_controllerAddTask(snController* c, const snTaskSettings* settings, snError* error)
{
    (void)c, (void)settings;
    sn_fail(error, SN_STATUS_UNSUPPORTED, "controllers are not there yet");
    return -1;
}

int sn_controllerAddContact(snController* c, const snContactSettings* settings, snError* error)
{
    (void)c, (void)settings;
    sn_fail(error, SN_STATUS_UNSUPPORTED, "controllers are not there yet");
    return -1;
}

snStatus sn_controllerContact(snController* c, int contact, bool active, snError* error)
{
    (void)c, (void)contact, (void)active;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "controllers are not there yet");
}

snStatus sn_controllerSolve(snController* c, snData* d, snError* error)
{
    (void)c, (void)d;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "controllers are not there yet");
}

int sn_controllerApply(snController* c, snData* d)
{
    (void)c, (void)d;
    return SN_OUTPUT_NONE;
}
