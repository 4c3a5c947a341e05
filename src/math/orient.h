// Orientations in the forms that model files have.
#ifndef SINEW_MATH_ORIENT_H
#define SINEW_MATH_ORIENT_H

#include "math/vec.h"

/// Vectors shorter than this have no direction; the peer draws the line at the same place.
#define SN_MIN_LENGTH 1e-6

/// Euler angles (rad) in the order of `seq`, three of xyzXYZ, left to right: a lower-case turn is about the
/// axis that the turns before it have moved, an upper-case turn about the fixed axis. Another
/// letter ends the turns.
snQuat sn_orientEuler(const real euler[3], const char seq[3]);

/// Turn by axisangle[3] (rad) about the axis axisangle[0..2] of any length; false: the axis is zero.
bool sn_orientAxisAngle(const real axisangle[4], snQuat* quat);

/// x axis along xyaxes[0..2], y in the plane of the two, z completes; false: an axis is zero or they are
/// parallel.
bool sn_orientAxes(const real xyaxes[6], snQuat* quat);

/// Smallest turn of z onto zaxis; false: zero length.
bool sn_orientZ(const real zaxis[3], snQuat* quat);

#endif
