// The quantities behind sensors, along the directions of a block. Functions that prepare write arrays of
// snColumns; those of a sensor write its numbers, which are 0 before, for all columns.
#ifndef SINEW_DERIVATIVE_SENSOR_QUANTITY_H
#define SINEW_DERIVATIVE_SENSOR_QUANTITY_H

#include "derivative/contact/geometry.h"
#include "derivative/sensor/columns.h"

/// SN_STATUS_UNSUPPORTED with the name of the sensor.
snStatus sn_refuseSensor(const snColumns* c, int s, const char* what);

/// Frames of objects: position, orientation, velocity, acceleration; magnetometer, camprojection.
void sn_frameSensor(const snColumns* c, int s);

/// Fills c->com. Sensors of subtrees, and of energy.
void sn_subtreeShifts(const snColumns* c);
void sn_subtreeSensor(const snColumns* c, int s);
snStatus sn_energySensor(const snColumns* c, int s);

/// Fills c->contact.
snStatus sn_contactShifts(const snColumns* c);

/// How a contact with gradient g moves along direction j.
snContactShift sn_contactShift(const snColumns* c, const snContact* con, const snContactGradient* g, int j);

/// Change of the force of a contact in its frame (as sn_contactForce) along direction j.
void sn_contactForceChange(const snColumns* c, int contact, int j, double change[6]);
void sn_touchSensor(const snColumns* c, int s);
snStatus sn_contactSensorColumns(const snColumns* c, int s);

/// Fills c->force; then force and torque sensors.
snStatus sn_bodyForces(const snColumns* c);
void sn_forceSensor(const snColumns* c, int s);

/// Rays and distances.
void sn_rangeSensor(const snColumns* c, int s);
snStatus sn_distanceSensor(const snColumns* c, int s);

/// Joints, tendons, actuators and limits.
void sn_jointSensor(const snColumns* c, int s);
snStatus sn_actuatorSensor(const snColumns* c, int s);
void sn_tendonSensor(const snColumns* c, int s);
void sn_limitSensor(const snColumns* c, int s);

/// Fills c->actuator and c->raw.
snStatus sn_actuatorForceColumns(const snColumns* c);

#endif
