// The axes of a contact: the third is the normal.
#ifndef SINEW_CONTROL_LIMIT_CONTACT_FRAME_H
#define SINEW_CONTROL_LIMIT_CONTACT_FRAME_H

#include <sinew/control.h>

/// axes [9], row-major: contact to world, the columns tangents and normal. mat [9]: the frame to the world.
/// The axes are fixed in the frame, or in the world if the normal is (`world`), so that they never flip as
/// the frame moves: those of the frame (the world) turned the shortest way that takes its z, or for a normal
/// below the plane z = 0 its -z with y turned over, to the normal. The normal need not have unit length;
/// 0 counts as z.
void sn_contactAxes(const snContactSettings* c, const double mat[9], double axes[9]);

/// The points in the contact's axes, from the frame's origin. mat is read if the normal is in world axes
/// only.
void sn_contactPoints(const snContactSettings* c, const double mat[9], double point[SN_CONTACT_POINTS][3]);

#endif
