// References that move: polynomials in any number of coordinates, and poses.
#ifndef SINEW_TRAJECTORY_H
#define SINEW_TRAJECTORY_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Ends of a motion from rest or not, in n coordinates; velocities and accelerations may be NULL: 0.
typedef struct snMotionEnds {
    int n;
    double duration;                  ///< s, above 0
    const double *pos0, *vel0, *acc0; ///< [n]
    const double *pos1, *vel1, *acc1; ///< [n]
} snMotionEnds;

/// The polynomial of least degree through the ends, at time t: degree 1 (positions), 3 (with velocities) or 5
/// (with accelerations); what the degree does not take is not read. Before 0 and after the duration the end's
/// position, at rest. t in s; pos, vel, acc [n], in the unit of the ends and that by s and s^2; NULL: not
/// wanted. SN_STATUS_ARGUMENT: degree, duration, numbers that are not finite; outputs are as they were.
SN_API snStatus sn_polynomial(const snMotionEnds* ends, int degree, double t, double* pos, double* vel,
                              double* acc, snError* error);

/// A pose from pose0 to pose1 (position 3, quaternion 4; [7]), at rest at both ends, with s(t) the quintic
/// from 0 to 1: position p0 + s (p1 - p0), rotation R0 exp(s log(R0'R1)), the short way round; `screw`: both
/// together along the screw motion T0 exp(s log(T0^-1 T1)) of SE(3). Quaternions w x y z, of any length but
/// 0. pose [7]; vel, acc [6]: of the origin (3, m/s, m/s^2), then angular (3, rad/s, rad/s^2), world axes;
/// NULL: not wanted. SN_STATUS_ARGUMENT: duration (s, above 0), numbers that are not finite; outputs are as
/// they were.
SN_API snStatus sn_poseTrajectory(const double pose0[7], const double pose1[7], double duration, bool screw,
                                  double t, double pose[7], double vel[6], double acc[6], snError* error);

#ifdef __cplusplus
}
#endif
#endif
