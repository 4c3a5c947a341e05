#include "derivative/sensor/rows.h"

snStatus sn_refusedAlong(const snColumns* c, int s)
{
    return sn_refuseSensor(c, s, "sensors of its type have no derivative");
}

// The derivative of what does not change
static snStatus constant(const snColumns* c, int s)
{
    (void)c;
    (void)s;
    return SN_STATUS_OK;
}

// clang-format off
static const snSensorRow rows[] = {
    [SN_SENS_TOUCH]          = {sn_touchAlong,          SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_ACCELEROMETER]  = {sn_accelerometerAlong,  SN_COLUMNS_NOTHING,  SN_SHOWS_GRAVITY},
    [SN_SENS_VELOCIMETER]    = {sn_velocimeterAlong,    SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_GYRO]           = {sn_gyroAlong,           SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_FORCE]          = {sn_forceAlong,          SN_COLUMNS_FORCE,    SN_SHOWS_LINK},
    [SN_SENS_TORQUE]         = {sn_torqueAlong,         SN_COLUMNS_FORCE,    SN_SHOWS_LINK},
    [SN_SENS_MAGNETOMETER]   = {sn_magnetometerAlong,   SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_RANGEFINDER]    = {sn_rangefinderAlong,    SN_COLUMNS_NOTHING,  SN_SHOWS_SURFACES},
    [SN_SENS_CAMPROJECTION]  = {sn_camProjectionAlong,  SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_JOINTPOS]       = {sn_jointPosAlong,       SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_JOINTVEL]       = {sn_jointVelAlong,       SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_TENDONPOS]      = {sn_tendonPosAlong,      SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_TENDONVEL]      = {sn_tendonVelAlong,      SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_ACTUATORPOS]    = {sn_actuatorPosAlong,    SN_COLUMNS_NOTHING,  SN_SHOWS_GEAR},
    [SN_SENS_ACTUATORVEL]    = {sn_actuatorVelAlong,    SN_COLUMNS_NOTHING,  SN_SHOWS_GEAR},
    [SN_SENS_ACTUATORFRC]    = {sn_actuatorFrcAlong,    SN_COLUMNS_ACTUATOR, SN_SHOWS_ACTUATORS},
    [SN_SENS_JOINTACTFRC]    = {sn_jointActFrcAlong,    SN_COLUMNS_JOINT,    SN_SHOWS_JOINTFORCE},
    [SN_SENS_TENDONACTFRC]   = {sn_tendonActFrcAlong,   SN_COLUMNS_ACTUATOR, SN_SHOWS_ACTUATORS},
    [SN_SENS_BALLQUAT]       = {sn_ballQuatAlong,       SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_BALLANGVEL]     = {sn_ballAngVelAlong,     SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_JOINTLIMITPOS]  = {sn_limitPosAlong,       SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_JOINTLIMITVEL]  = {sn_limitVelAlong,       SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_JOINTLIMITFRC]  = {sn_limitFrcAlong,       SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_TENDONLIMITPOS] = {sn_limitPosAlong,       SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_TENDONLIMITVEL] = {sn_limitVelAlong,       SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_TENDONLIMITFRC] = {sn_limitFrcAlong,       SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_FRAMEPOS]       = {sn_framePosAlong,       SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_FRAMEQUAT]      = {sn_frameQuatAlong,      SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_FRAMEXAXIS]     = {sn_frameAxisAlong,      SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_FRAMEYAXIS]     = {sn_frameAxisAlong,      SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_FRAMEZAXIS]     = {sn_frameAxisAlong,      SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_FRAMELINVEL]    = {sn_frameLinVelAlong,    SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_FRAMEANGVEL]    = {sn_frameAngVelAlong,    SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_FRAMELINACC]    = {sn_frameLinAccAlong,    SN_COLUMNS_NOTHING,  SN_SHOWS_GRAVITY},
    [SN_SENS_FRAMEANGACC]    = {sn_frameAngAccAlong,    SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_SUBTREECOM]     = {sn_subtreeComAlong,     SN_COLUMNS_COM,      SN_SHOWS_INERTIA},
    [SN_SENS_SUBTREELINVEL]  = {sn_subtreeLinVelAlong,  SN_COLUMNS_NOTHING,  SN_SHOWS_INERTIA},
    [SN_SENS_SUBTREEANGMOM]  = {sn_subtreeAngMomAlong,  SN_COLUMNS_NOTHING,  SN_SHOWS_INERTIA},
    [SN_SENS_INSIDESITE]     = {constant,               SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES}, // yes or no
    [SN_SENS_GEOMDIST]       = {sn_distanceAlong,       SN_COLUMNS_NOTHING,  SN_SHOWS_SURFACES},
    [SN_SENS_GEOMNORMAL]     = {sn_normalAlong,         SN_COLUMNS_NOTHING,  SN_SHOWS_SURFACES},
    [SN_SENS_GEOMFROMTO]     = {sn_fromtoAlong,         SN_COLUMNS_NOTHING,  SN_SHOWS_SURFACES},
    [SN_SENS_CONTACT]        = {sn_contactAlong,        SN_COLUMNS_CONTACT,  SN_SHOWS_CONTACTS},
    [SN_SENS_E_POTENTIAL]    = {sn_potentialAlong,      SN_COLUMNS_NOTHING,  SN_SHOWS_POTENTIAL},
    [SN_SENS_E_KINETIC]      = {sn_kineticAlong,        SN_COLUMNS_NOTHING,  SN_SHOWS_KINETIC},
    [SN_SENS_CLOCK]          = {constant,               SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_TACTILE]        = {sn_refusedAlong,        SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_PLUGIN]         = {sn_refusedAlong,        SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES},
    [SN_SENS_USER]           = {constant,               SN_COLUMNS_NOTHING,  SN_SHOWS_FRAMES}, // unless a callback or a loop writes it: survey
};
// clang-format on

const snSensorRow* sn_sensorRow(int type)
{
    const bool known = type >= 0 && type < (int)(sizeof rows / sizeof *rows);
    return known && rows[type].along ? &rows[type] : NULL;
}
