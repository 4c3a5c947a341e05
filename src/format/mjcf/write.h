// A spec as MJCF text.
#ifndef SINEW_FORMAT_MJCF_WRITE_H
#define SINEW_FORMAT_MJCF_WRITE_H

#include "model/spec.h"

/// Writes a spec that was just read (sn_readSpec) and compiled to m: angles in radians, no default classes,
/// no includes, replicates and attachments, values as they were written wherever units allow. Names of asset
/// files are made relative to `folder` (of the file that the text goes into; "": the working directory),
/// those of files in memory stay. *text receives a block to free with sn_free, closed by a 0 that *size does
/// not count.
snStatus sn_writeMJCF(snSpec* spec, const snModel* m, const char* folder, char** text, size_t* size,
                      snError* error);

#endif
