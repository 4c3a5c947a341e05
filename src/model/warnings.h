// The list of warnings of <sinew/load.h>, filled.
#ifndef SINEW_MODEL_WARNINGS_H
#define SINEW_MODEL_WARNINGS_H

#include <sinew/load.h>

/// Adds a warning, which comes as an error filled with place and sentence, to the list of the options; either
/// may be NULL. What is said of one of many copies of an element is said once. False: it is an error, since
/// warnings are or since memory is out, and *warning says which.
bool sn_addWarning(const snLoadOptions* options, snError* warning);

/// Whether two sentences "<tag name="..">: text at FILE:LINE" of one place say the same of copies of one
/// element, which differ in nothing but the name.
bool sn_sameOfCopies(const char* a, const char* b);

#endif
