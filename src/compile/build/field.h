// Text fields in which models say what MJCF has no words for; see format/mjcf/language/field.h.
#ifndef SINEW_COMPILE_BUILD_FIELD_H
#define SINEW_COMPILE_BUILD_FIELD_H

#include "compile/build/build.h"
#include "format/mjcf/language/field.h"

/// The data of a field, never NULL.
static inline const char* sn_fieldData(const snSpecText* text)
{
    return text->data ? text->data : "";
}

/// What a field is about: behind `ours` in its name, and what attachments have put around that. *subject is
/// NULL where it is no such field. false: out of memory.
bool sn_buildSubject(snBuild* b, const char* field, const char* ours, const char** subject);

/// Fills the error with what is wrong with a field's data; returns false.
bool sn_buildFailText(snBuild* b, const snSpecText* text, const snTextMistake* mistake);

#endif
