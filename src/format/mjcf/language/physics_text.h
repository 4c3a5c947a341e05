// Whose rules a model is compiled and stepped by, for which MJCF has no words:
//     <text name="sinew_physics" data="4.0"/>
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_PHYSICS_TEXT_H
#define SINEW_FORMAT_MJCF_LANGUAGE_PHYSICS_TEXT_H

#include "format/mjcf/language/words.h"

/// Reads the data as a snPhysics; false with *mistake filled when they are wrong.
bool sn_readPhysicsText(const char* data, int* physics, snTextMistake* mistake);

#endif
