// The quantities behind sensors, along the directions of a block. Functions that prepare write arrays of
// snColumns; those of a type of sensor, an snSensorAlong, write its numbers.
#ifndef SINEW_DERIVATIVE_SENSOR_QUANTITY_H
#define SINEW_DERIVATIVE_SENSOR_QUANTITY_H

#include "derivative/contact/geometry.h"
#include "derivative/sensor/columns.h"

/// Writes how sensor s changes, all its numbers for all columns, which are 0 before.
typedef snStatus snSensorAlong(const snColumns* c, int s);

/// SN_STATUS_UNSUPPORTED with the name of the sensor.
snStatus sn_refuseSensor(const snColumns* c, int s, const char* what);

/// Frames of objects: position, orientation, velocity, acceleration; magnetometer, camprojection.
snSensorAlong sn_magnetometerAlong, sn_velocimeterAlong, sn_gyroAlong, sn_accelerometerAlong,
    sn_camProjectionAlong, sn_framePosAlong, sn_frameQuatAlong, sn_frameAxisAlong, sn_frameLinVelAlong,
    sn_frameAngVelAlong, sn_frameLinAccAlong, sn_frameAngAccAlong;

/// Fills c->com. Sensors of subtrees, and of energy.
void sn_subtreeShifts(const snColumns* c);
snSensorAlong sn_subtreeComAlong, sn_subtreeLinVelAlong, sn_subtreeAngMomAlong, sn_potentialAlong,
    sn_kineticAlong;

/// Fills c->contact.
snStatus sn_contactShifts(const snColumns* c);

/// How a contact with gradient g moves along direction j.
snContactShift sn_contactShift(const snColumns* c, const snContact* con, const snContactGradient* g, int j);

/// Change of the force of a contact in its frame (as sn_contactForce) along direction j.
void sn_contactForceChange(const snColumns* c, int contact, int j, double change[6]);
snSensorAlong sn_touchAlong, sn_contactAlong;

/// Fills c->force; then force and torque sensors.
snStatus sn_bodyForces(const snColumns* c);
snSensorAlong sn_forceAlong, sn_torqueAlong;

/// Rays and distances.
snSensorAlong sn_rangefinderAlong, sn_distanceAlong, sn_normalAlong, sn_fromtoAlong;

/// Joints, tendons, actuators and limits.
snSensorAlong sn_jointPosAlong, sn_jointVelAlong, sn_ballQuatAlong, sn_ballAngVelAlong, sn_tendonPosAlong,
    sn_tendonVelAlong, sn_limitPosAlong, sn_limitVelAlong, sn_limitFrcAlong, sn_actuatorPosAlong,
    sn_actuatorVelAlong, sn_actuatorFrcAlong, sn_tendonActFrcAlong, sn_jointActFrcAlong;

/// Fills c->actuator and c->raw.
snStatus sn_actuatorForceColumns(const snColumns* c);

#endif
