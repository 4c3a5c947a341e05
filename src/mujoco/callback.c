// Functions of the user in global pointers, which a data is lent whenever a stage may call them.
#include "inside.h"

mjfGeneric mjcb_passive, mjcb_control;
mjfConFilt mjcb_contactfilter;
mjfSensor mjcb_sensor;
mjfTime mjcb_time;
mjfAct mjcb_act_dyn, mjcb_act_gain, mjcb_act_bias;

static void passive(const snModel* m, snData* d, void* user)
{
    (void)user;
    mjcb_passive(m, d);
}

static void control(const snModel* m, snData* d, void* user)
{
    (void)user;
    mjcb_control(m, d);
}

static int contactfilter(const snModel* m, snData* d, int geom1, int geom2, void* user)
{
    (void)user;
    return mjcb_contactfilter(m, d, geom1, geom2);
}

static void sensor(const snModel* m, snData* d, int stage, void* user)
{
    (void)user;
    mjcb_sensor(m, d, stage);
}

static double act_dyn(const snModel* m, snData* d, int actuator, void* user)
{
    (void)user;
    return mjcb_act_dyn(m, d, actuator);
}

static double act_gain(const snModel* m, snData* d, int actuator, void* user)
{
    (void)user;
    return mjcb_act_gain(m, d, actuator);
}

static double act_bias(const snModel* m, snData* d, int actuator, void* user)
{
    (void)user;
    return mjcb_act_bias(m, d, actuator);
}

static double clock_now(void* user)
{
    (void)user;
    return mjcb_time();
}

void lendCallbacks(snData* d)
{
    d->callback.passive = mjcb_passive ? passive : NULL;
    d->callback.control = mjcb_control ? control : NULL;
    d->callback.contactfilter = mjcb_contactfilter ? contactfilter : NULL;
    d->callback.sensor = mjcb_sensor ? sensor : NULL;
    d->callback.act_dyn = mjcb_act_dyn ? act_dyn : NULL;
    d->callback.act_gain = mjcb_act_gain ? act_gain : NULL;
    d->callback.act_bias = mjcb_act_bias ? act_bias : NULL;
    d->callback.time = mjcb_time ? clock_now : NULL;
}

void mj_resetCallbacks(void)
{
    mjcb_passive = mjcb_control = NULL;
    mjcb_contactfilter = NULL;
    mjcb_sensor = NULL;
    mjcb_time = NULL;
    mjcb_act_dyn = mjcb_act_gain = mjcb_act_bias = NULL;
}
