// How servos at their limits are stepped, for which MJCF has no words:
//     <text name="sinew_servo" data="end"/>
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_SERVO_TEXT_H
#define SINEW_FORMAT_MJCF_LANGUAGE_SERVO_TEXT_H

#include <sinew/option.h>
#include "format/mjcf/language/words.h"

/// Reads the data into the option; false with *mistake filled when they are wrong.
bool sn_readServoText(const char* data, snOption* opt, snTextMistake* mistake);

#endif
