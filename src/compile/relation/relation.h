// What refers to bodies and what they hold: contacts, tendons, equalities, actuators, sensors, keyframes.
#ifndef SINEW_COMPILE_RELATION_RELATION_H
#define SINEW_COMPILE_RELATION_RELATION_H

#include "compile/build/build.h"

// Each function returns false when the description is wrong; b->error then says what, where, and the mend.

bool sn_buildContacts(snBuild* b);
bool sn_buildTendons(snBuild* b);
bool sn_buildEqualities(snBuild* b);
/// Loop joints, from the text fields that say them; after sites.
bool sn_buildLoops(snBuild* b);
/// Rigid contact: its options, restitutions and bounds on forces, from text fields; after joints, geoms and
/// equalities.
bool sn_buildRigid(snBuild* b);
/// The option of servos at their limits, from a text field.
bool sn_buildServo(snBuild* b);
/// Whether an actuator that is a motor in any of its parts is one in all, and what its numbers ask of each
/// other; ctrlspec as sn_actuatorInputs gives it.
bool sn_checkMotor(snBuild* b, const snSpecActuator* actuator, int ctrlspec);
/// The same of an orientation servo.
bool sn_checkOrientation(snBuild* b, const snSpecActuator* actuator, int ctrlspec);
/// Whether all loops can be closed from qpos0, and whether they are; after the constants at qpos0.
bool sn_checkLoopsClose(snBuild* b);
bool sn_buildActuators(snBuild* b);
bool sn_buildSensors(snBuild* b);
/// Adds the numbers of all histories to *size.
bool sn_countHistory(snBuild* b, int* size);
/// The history of an actuator, of a sensor whose size is known; *address is where the next one begins.
bool sn_buildActuatorHistory(snBuild* b, const snSpecActuator* actuator, int id, int* address);
bool sn_buildSensorHistory(snBuild* b, const snSpecSensor* sensor, int id, int* address);
/// Instances of plugins, and bytes and numbers of their configurations.
typedef struct snPluginSizes {
    int instances, attr, name, number;
} snPluginSizes;
/// Numbers the instances of plugins and finds those that elements name.
bool sn_countPlugins(snBuild* b, snPluginSizes* sizes);
/// Their configurations, and the ids that elements have of them; before all else.
bool sn_buildPlugins(snBuild* b);
/// Sizes of their states and sensors; after names.
bool sn_sizePlugins(snBuild* b);
/// Whether they start; after all else.
bool sn_tryPlugins(snBuild* b);
bool sn_buildCustom(snBuild* b);
bool sn_buildKeys(snBuild* b);
/// What keys hold for tendons whose springs yield where nothing is given, once their lengths at rest are
/// known.
void sn_buildPlasticKeys(snModel* m);

/// The loop whose force a sensor of the user shows by its name sinew_loop_NAME, which may have got a prefix
/// and a suffix together with the loop: an id as in closure_id; -1: the name is another one. After
/// sn_buildLoops.
bool sn_findLoop(snBuild* b, const snSpecHead* element, int* loop);
/// Outputs of a sensor, or 0 for kinds that are not known to have any.
int sn_sensorDim(const snBuild* b, const snSpecSensor* sensor);
/// Most non-zeros of an actuator's moment arms: the dofs of a joint, else nv.
int sn_actuatorArms(const snBuild* b, const snSpecActuator* actuator, int nv);
/// Whether flexes can be stepped with the options; a warning where they better had others. After flexes and
/// equalities.
bool sn_buildFlexOptions(snBuild* b);
/// Ranges of length of actuators, as compiler/lengthrange asks for; after the constants at qpos0.
bool sn_buildLengthRanges(snBuild* b);

#endif
