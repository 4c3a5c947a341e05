// How each type of sensor is differentiated.
#ifndef SINEW_DERIVATIVE_SENSOR_ROWS_H
#define SINEW_DERIVATIVE_SENSOR_ROWS_H

#include "derivative/sensor/quantity.h"

/// What a block computes before its sensors; a set.
typedef enum snColumnNeeds {
    SN_COLUMNS_NOTHING = 0,
    SN_COLUMNS_COM = 1,      ///< snColumns.com
    SN_COLUMNS_CONTACT = 2,  ///< contact, of all contacts
    SN_COLUMNS_FORCE = 4,    ///< force and felt, and contact of those with rows
    SN_COLUMNS_ACTUATOR = 8, ///< actuator and raw
    SN_COLUMNS_JOINT = 16,   ///< joint
} snColumnNeeds;

/// The arrays of the model that a sensor shows by itself, not by the motion alone: the gradient of a loss
/// that hangs on it by one of them is refused.
typedef enum snShows {
    SN_SHOWS_FRAMES = 1, ///< at most what the frames of its objects hang on; so do the next four
    SN_SHOWS_GRAVITY,
    SN_SHOWS_LINK, ///< inertia, gravity, friction, geoms
    SN_SHOWS_CONTACTS,
    SN_SHOWS_SURFACES,
    SN_SHOWS_GEAR,       ///< of actuators
    SN_SHOWS_ACTUATORS,  ///< all parameters of actuators
    SN_SHOWS_JOINTFORCE, ///< these, and what bears weight at a joint
    SN_SHOWS_INERTIA,
    SN_SHOWS_POTENTIAL,
    SN_SHOWS_KINETIC,
} snShows;

typedef struct snSensorRow {
    snSensorAlong* along;
    snColumnNeeds needs;
    snShows shows;
} snSensorRow;

/// The row of a type of sensor; NULL: it has none.
const snSensorRow* sn_sensorRow(int type);

/// The derivative of a type that has none: SN_STATUS_UNSUPPORTED.
snSensorAlong sn_refusedAlong;

#endif
