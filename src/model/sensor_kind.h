// The words of SN_SENSOR_TABLE, its rows, and what may be asked of a type of sensor.
#ifndef SINEW_MODEL_SENSOR_KIND_H
#define SINEW_MODEL_SENSOR_KIND_H

#include <sinew/model.h>

/// Which attributes a sensor has in MJCF: SN_SPEC_SENSOR_ has them by these words.
typedef enum snSensorForm {
    SN_FORM_SITE,
    SN_FORM_JOINT,
    SN_FORM_TENDON,
    SN_FORM_ACTUATOR,
    SN_FORM_BODY,
    SN_FORM_FRAME,    ///< object and reference frame
    SN_FORM_FRAMEACC, ///< object alone
    SN_FORM_CAMERA,
    SN_FORM_RANGE, ///< a site or a camera
    SN_FORM_INSIDE,
    SN_FORM_DISTANCE,
    SN_FORM_CONTACT,
    SN_FORM_TAXELS, ///< a mesh on a geom
    SN_FORM_NONE,
    SN_FORM_USER,
    SN_FORM_PLUGIN,
    SN_FORM_COUNT,
    SN_FORM_LATER = SN_FORM_COUNT, ///< not read yet
} snSensorForm;

/// What a sensor is attached to.
typedef enum snSensorOn {
    SN_ON_NOTHING, ///< the whole model
    SN_ON_SITE,
    SN_ON_LINK,    ///< a site, for what its body's parent gives the body: they are not fused
    SN_ON_RANGE,   ///< a site or, for a ray a pixel, a camera; dim is sn_rangeSensorDim
    SN_ON_SCALAR,  ///< a hinge or slide joint
    SN_ON_BALL,    ///< a ball joint
    SN_ON_LIMITED, ///< a hinge, slide or ball joint with limits
    SN_ON_TENDON,
    SN_ON_LIMITED_TENDON, ///< a tendon with limits
    SN_ON_ACTUATOR,
    SN_ON_FRAME, ///< a body, xbody, geom, site or camera
    SN_ON_BODY,
    SN_ON_GEOMS,    ///< a geom or the geoms of a body; the cutoff is how far is looked
    SN_ON_CONTACT,  ///< a geom, body, xbody (its subtree), site, or nothing; dim is sn_contactSensorDim
    SN_ON_TAXELS,   ///< a mesh, of which each vertex has dim numbers, where the geom referred to is
    SN_ON_ANYTHING, ///< any object or none; dim, datatype and stage are the sensor's own
    SN_ON_PLUGIN,   ///< the same, but dim and stage are its plugin's
    SN_ON_LATER,    ///< not computed yet
} snSensorOn;

/// What is computed for a sensor before its stage's values, once for all that need it.
typedef enum snSensorNeeds {
    SN_NEEDS_NOTHING,
    SN_NEEDS_POTENTIAL,  ///< sn_energyPos
    SN_NEEDS_KINETIC,    ///< sn_energyVel: though its stage is pos, the velocity
    SN_NEEDS_SUBTREES,   ///< sn_subtreeVel
    SN_NEEDS_BODYFORCES, ///< sn_rnePostConstraint: cacc, cfrc_int, cfrc_ext
    SN_NEEDS_TOUCHES,    ///< sn_touchSensors, which writes the values themselves
    SN_NEEDS_TAXELS,   ///< sn_tactileSensors, which writes the values itself, in the stage that a sensor has
    SN_NEEDS_CALLBACK, ///< d->callback.sensor, which writes them
    SN_NEEDS_PLUGIN,   ///< their plugins, which write them
} snSensorNeeds;

/// Who computes a sensor in a batch of lanes.
typedef enum snSensorLanes {
    SN_INLANES_NONE,   ///< nobody
    SN_INLANES_SHARED, ///< the code of the scalar engine, compiled for lanes
    SN_INLANES_SCALAR, ///< the scalar engine, lane by lane, from what snLook holds (batch/look.h)
} snSensorLanes;

typedef struct snSensorKind {
    snSensorForm form;
    snSensorOn on;
    int dim; ///< numbers
    snDataType datatype;
    snStage stage;
    snSensorNeeds needs;
    snSensorLanes lanes;
} snSensorKind;

/// The row of a snSensorType; SN_ON_LATER for numbers that are none.
const snSensorKind* sn_sensorKind(int type);

/// The snSensorType with this keyword; -1: none.
int sn_sensorType(const char* keyword);

/// The set of the types, each its bit, that need this.
static inline unsigned long long sn_sensorsThatNeed(snSensorNeeds what)
{
#define X(name, value, keyword, meaning, form, object, dim, datatype, stage, needs, lanes)                   \
    | (unsigned long long)(SN_NEEDS_##needs == what) << value
    return 0 SN_SENSOR_TABLE(X);
#undef X
}

/// The set of the types that lanes have from there.
static inline unsigned long long sn_sensorsInLanes(snSensorLanes from)
{
#define X(name, value, keyword, meaning, form, object, dim, datatype, stage, needs, lanes)                   \
    | (unsigned long long)(SN_INLANES_##lanes == from) << value
    return 0 SN_SENSOR_TABLE(X);
#undef X
}

/// Whether a sensor of this type can have this reference; refid -1: none.
bool sn_sensorReferenceFits(int type, int reftype, int refid);

/// Largest num of a contact sensor: far more than there are contacts, and no overflow of sizes.
enum { SN_MOST_CONTACT_REPORTS = 1000000 };

/// Numbers of a contact sensor that reports `num` contacts, from the bits of what it says of each.
int sn_contactSensorDim(int data, int num);

/// What a rangefinder reports of a ray, bits in intprm[0]; 0 is the distance, too.
enum {
    SN_RANGE_DIST = 1,    ///< to the surface hit; -1: none
    SN_RANGE_DIR = 2,     ///< unit vector along the ray, world; 0: nothing hit
    SN_RANGE_ORIGIN = 4,  ///< where it begins, world
    SN_RANGE_POINT = 8,   ///< where it hits, world; 0: nothing hit
    SN_RANGE_NORMAL = 16, ///< of the surface there, outwards, world; 0: nothing hit
    SN_RANGE_DEPTH = 32,  ///< distance of that point from the plane of the camera; -1: none
    SN_RANGE_ALL = 63,
};

/// Rays of a rangefinder on an object of this kind; with cameras one a pixel.
long long sn_rangeRays(int objtype, const int resolution[2]);

/// Numbers of a rangefinder with so many rays, from the bits of what it reports of each.
long long sn_rangeSensorDim(int data, long long rays);

/// Whether a sensor of dim numbers can show the force of a loop, by its id: 6 (torque, force) or 3 (force) of
/// loops between bodies, 1 of a coupling of joints or tendons and of a loop joint with one row.
bool sn_loopSensorFits(const snModel* m, int loop, int dim);

/// Whether objects of this kind (snObjType) have a frame that sensors can use.
bool sn_hasFrame(int objtype);

#endif
