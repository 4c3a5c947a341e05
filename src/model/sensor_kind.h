// What each kind of sensor is attached to, how many numbers it gives, after which stage it can be computed.
#ifndef SINEW_MODEL_SENSOR_KIND_H
#define SINEW_MODEL_SENSOR_KIND_H

#include <sinew/model.h>

typedef enum snSensorOn {
    SN_ON_NOTHING, ///< the whole model
    SN_ON_SITE,
    SN_ON_SCALAR,  ///< a hinge or slide joint
    SN_ON_BALL,    ///< a ball joint
    SN_ON_LIMITED, ///< a hinge, slide or ball joint with limits
    SN_ON_TENDON,
    SN_ON_LIMITED_TENDON, ///< a tendon with limits
    SN_ON_ACTUATOR,
    SN_ON_FRAME, ///< a body, xbody, geom, site or camera
    SN_ON_BODY,
    SN_ON_GEOMS,    ///< a geom or the geoms of a body
    SN_ON_CONTACT,  ///< a geom, body, xbody (its subtree), site, or nothing; dim is sn_contactSensorDim
    SN_ON_ANYTHING, ///< any object or none; dim, datatype and stage are the sensor's own
    SN_ON_LATER,    ///< not computed yet
} snSensorOn;

typedef struct snSensorKind {
    snSensorOn on;
    int dim;      ///< numbers
    int datatype; ///< snDataType
    int stage;    ///< snStage
} snSensorKind;

/// The row of a snSensorType; SN_ON_LATER for numbers that are none.
const snSensorKind* sn_sensorKind(int type);

/// Whether a sensor of this type can have this reference; refid -1: none.
bool sn_sensorReferenceFits(int type, int reftype, int refid);

/// Largest num of a contact sensor: far more than there are contacts, and no overflow of sizes.
enum { SN_MOST_CONTACT_REPORTS = 1000000 };

/// Numbers of a contact sensor that reports `num` contacts, from the bits of what it says of each.
int sn_contactSensorDim(int data, int num);

/// Whether a sensor of dim numbers can show the force of a loop, by its id: 6 (torque, force) or 3 (force) of
/// loops between bodies, 1 of a coupling of joints or tendons and of a loop joint with one row.
bool sn_loopSensorFits(const snModel* m, int loop, int dim);

/// Whether objects of this kind (snObjType) have a frame that sensors can use.
bool sn_hasFrame(int objtype);

#endif
