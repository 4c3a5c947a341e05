// The value of one sensor, by the stage after which it can be computed. Each writes sensor_dim numbers and
// leaves what it does not know untouched.
#ifndef SINEW_SENSOR_VALUE_H
#define SINEW_SENSOR_VALUE_H

#include <sinew/data.h>
#include "math/vec.h"

void sn_sensorPosValue(const snModel* m, snData* d, int sensor, real* out);
void sn_sensorVelValue(const snModel* m, snData* d, int sensor, real* out);
void sn_sensorAccValue(const snModel* m, snData* d, int sensor, real* out);

/// First in a switch over snSensorType that has no default: passes by the sensors of other stages, which the
/// file names by SN_CASE_POS, SN_CASE_VEL and SN_CASE_ACC. Each of its own stage has its case behind this,
/// and the compiler names one that has none.
#define SN_PASS_OTHER_STAGES SN_SENSOR_TABLE(SN_CASE_OF_STAGE) break
#define SN_CASE_OF_STAGE(name, value, keyword, meaning, form, object, dim, datatype, stage, ...)             \
    SN_CASE_##stage(name)

/// Whether a sensor's numbers are clipped to its cutoff: no directions and no segments.
static inline bool sn_clipsSensor(const snModel* m, int sensor)
{
    const int type = m->sensor_datatype[sensor];
    if (m->sensor_type[sensor] == SN_SENS_GEOMFROMTO) return false;
    return type == SN_DATATYPE_REAL || type == SN_DATATYPE_POSITIVE;
}

/// Clips to the cutoff: both sides of a real number, the upper side of a positive one.
void sn_clipSensor(const snModel* m, int sensor, real* out);

/// Writes all touch sensors, unclipped, in one pass over the contacts: the sum of the normal forces of the
/// contacts on the site's body whose ray, from the contact point out of the body along the normal, meets the
/// volume of the site. Uses scratch of d; where it has none they are 0, and SN_WARN_CNSTRFULL is counted.
void sn_touchSensors(const snModel* m, snData* d);

#ifndef SN_LANES
/// Writes the tactile sensors of a stage, unclipped, those of sleepers excepted.
void sn_tactileSensors(const snModel* m, snData* d, int stage);
#endif

#ifdef SN_LANES
/// Writes all sensors that look at shapes, rangefinders and distances, unclipped, lane by lane.
void sn_shapeSensors(const snModel* m, snData* d);
#endif

/// Whether the ray from a contact out of the body of its first or second geom, along the normal, meets the
/// volume of a site of that body.
snMask sn_pressesOn(const snModel* m, const snData* d, const snContact* con, int second, int site);

#ifndef SN_LANES
/// How far the object of an insidesite sensor with `enclosed` juts out of its site; below 0: how deep it is
/// inside.
double sn_enclosed(const snModel* m, const snData* d, int sensor);

/// Whether it measures that.
static inline bool sn_isEnclosedSensor(const snModel* m, int sensor)
{
    return m->sensor_type[sensor] == SN_SENS_INSIDESITE && m->sensor_intprm[SN_NSENS * sensor];
}

/// What a rangefinder reports of its rays. Geoms of the body of its site or camera are left out, and those
/// that nobody sees.
void sn_rangefinder(const snModel* m, const snData* d, int sensor, double* out);

/// Whether a rangefinder is of one distance, along a site's axis.
static inline bool sn_isPlainRange(const snModel* m, int sensor)
{
    return m->sensor_objtype[sensor] == SN_OBJ_SITE && m->sensor_intprm[SN_NSENS * sensor] <= 1;
}
#endif

/// Least distance of the two geoms or bodies of a distance sensor, searched up to its cutoff, and the segment
/// that spans it; the cutoff and zeros when they are farther apart. pair (may be NULL): the two geoms, or -1.
void sn_nearestGeoms(const snModel* m, const snData* d, int sensor, real* dist, real fromto[6], int pair[2]);

/// Whether a world point is in the volume of a site.
snMask sn_siteHolds(const snModel* m, const snData* d, int site, const real point[3]);

/// Focal lengths of a camera in pixels: width, height.
void sn_focalLengths(const snModel* m, int camera, real focal[2]);

/// Pixel at which a camera sees a site.
void sn_camProjection(const snModel* m, const snData* d, int site, int camera, real out[2]);

/// Writes what a contact sensor reports. Uses scratch of d.
void sn_contactSensor(const snModel* m, snData* d, int sensor, real* out);

/// A contact that a contact sensor sees; turned: its second geom is on the sensor's first side.
typedef struct snContactMatch {
    int contact;
    bool turned;
    real key; ///< least first
#ifdef SN_LANES
    snMask live; ///< lanes in which it is seen
#endif
} snContactMatch;

/// The contacts that a contact sensor sees, into list [ncon]; the first sensor_intprm[2] in the order in
/// which they are reported, but where one resultant stands for all (SN_REDUCE_NETFORCE). Returns how many.
/// In lanes those that any lane sees, in the order of contacts.
enum { SN_REDUCE_NONE, SN_REDUCE_MINDIST, SN_REDUCE_MAXFORCE, SN_REDUCE_NETFORCE };
int sn_contactMatches(const snModel* m, const snData* d, int sensor, snContactMatch* list);

/// Orientation of an object in the world.
snQuat sn_objectQuat(const snModel* m, const snData* d, int objtype, int id);

/// Row of the limit of a joint (type SN_CNSTR_LIMIT_JOINT) or tendon (SN_CNSTR_LIMIT_TENDON), or -1 when it
/// is not active.
int sn_limitRow(const snData* d, snConstraintType type, int id);
/// What that row has in an array efc_*; 0 when the limit is not active.
real sn_limitValue(const snData* d, snConstraintType type, int id, const real* values);

#endif
