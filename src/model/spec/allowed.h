// Which files a model may have read.
#ifndef SINEW_MODEL_SPEC_ALLOWED_H
#define SINEW_MODEL_SPEC_ALLOWED_H

#include "model/spec/spec.h"

/// Whether a file that an element names may be read: it is below the folder of the model, or of the attached
/// model that names it (`folder`, with its slash; "": the working folder), or elsewhere has the ending of a
/// file of models or meshes, or PNG; symbolic links are followed first. So a model may share files with
/// others, but gets nothing that is private. One that is not there may: reading it says so. False: the error
/// (status FILE) names it and the mend. spec->files_anywhere: every file may. spec->within: what is not below
/// that folder may not, whatever its ending.
bool sn_allowFile(const snSpec* spec, const char* folder, const char* path, snError* error);

#endif
