// The planar four-bar of known figures: crank 0.3, coupler 0.55, rocker 0.4, ground 0.5, thin rods of 2 kg a
// metre; a loop joint, whose type is to be given, closes it.
#ifndef SINEW_TEST_FOUR_BAR_H
#define SINEW_TEST_FOUR_BAR_H

static const char* const FOUR_BAR =
    "<mujoco><option gravity='0 0 -9.81'/><custom><text name='sinew_loop_tip' data='%s c "
    "r'/></custom><worldbody>"
    "<body><joint axis='0 1 0'/><inertial pos='.15 0 0' mass='.6' diaginertia='.0045 .0045 .0045'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0'/>"
    "<inertial pos='.275 0 0' mass='1.1' diaginertia='.027729166666666666 .027729166666666666 "
    ".027729166666666666'/>"
    "<site name='c' pos='.55 0 0' euler='90 0 0'/></body></body>"
    "<body pos='.5 0 0'><joint axis='0 1 0'/>"
    "<inertial pos='.2 0 0' mass='.8' diaginertia='.010666666666666666 .010666666666666666 "
    ".010666666666666666'/>"
    "<site name='r' pos='.4 0 0' euler='90 0 0'/></body>"
    "</worldbody></mujoco>";

#endif
