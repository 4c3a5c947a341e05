// Sensors, by the stage after which they can be computed (sensor_needstage). Each function writes the outputs
// of its stage's sensors to sensordata [nsensordata], at sensor_adr, and clips them to sensor_cutoff: real
// numbers on both sides, positive ones above. SN_DSBL_SENSOR: nothing is written. Of sensors with a delay or
// an interval it is a past output, read from d->history (history.h). User sensors are set by the callback of
// that name; but those called sinew_loop_NAME (sensor_loopid) show the force of a loop.
#ifndef SINEW_SENSOR_H
#define SINEW_SENSOR_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Sensors of position: jointpos, actuatorpos, ballquat, jointlimitpos, framepos, framequat, frame axes,
/// subtreecom, magnetometer, clock, energies (through d->energy). Needs sn_fwdPosition.
SN_API void sn_sensorPos(const snModel* m, snData* d);

/// Sensors of velocity: jointvel, actuatorvel, ballangvel, jointlimitvel, velocimeter, gyro, framelinvel,
/// frameangvel (relative to a moving reference frame where there is one), subtreelinvel, subtreeangmom. Needs
/// sn_fwdVelocity; calls sn_subtreeVel if a sensor asks.
SN_API void sn_sensorVel(const snModel* m, snData* d);

/// Sensors of acceleration and force: touch, accelerometer, force, torque, actuatorfrc, jointactuatorfrc,
/// jointlimitfrc, framelinacc, frameangacc. Needs sn_fwdConstraint; calls sn_rnePostConstraint if a sensor
/// asks.
SN_API void sn_sensorAcc(const snModel* m, snData* d);

/// Whether a point, world, is in the volume of a site; of a mesh in its convex hull. Reads: site_xpos,
/// site_xmat of sn_kinematics.
SN_API bool sn_insideSite(const snModel* m, const snData* d, int site, const double point[3]);

#ifdef __cplusplus
}
#endif
#endif
