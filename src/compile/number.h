// Ids, sizes and names of the whole model.
#ifndef SINEW_COMPILE_NUMBER_H
#define SINEW_COMPILE_NUMBER_H

#include "compile/build/build.h"

/// Gives ids to all elements, fills b->body ... b->light and the sizes [SN_NMODELSIZES], zero before, in the
/// order of sn_makeModel.
bool sn_buildNumber(snBuild* b, int sizes[]);

/// Bytes for the names of nobjects elements; false: too many.
bool sn_buildNameSize(const snBuild* b, int nobjects, int* nnames);
bool sn_buildNames(snBuild* b);
/// Tells the elements of the source their ids in the model that was compiled.
void sn_noteIds(snSpec* spec);

#endif
