// actuator/dcmotor: what data sheets say, as gain, bias and activation dynamics.
#ifndef SINEW_FORMAT_MJCF_READ_DCMOTOR_H
#define SINEW_FORMAT_MJCF_READ_DCMOTOR_H

#include "format/mjcf/read/reader.h"

/// Numbers of a motor from its attributes, over those of its class; what is not given stays.
bool sn_becomeMotor(const snReader* r, const snXmlNode* node, snSpecActuator* a);

/// The attributes as not given.
void sn_forgetMotor(snSpecActuator* a);

#endif
