// What a mesh that a model names may name itself.
#ifndef SINEW_FORMAT_MESH_BESIDE_H
#define SINEW_FORMAT_MESH_BESIDE_H

#include "format/mesh/mesh_file.h"
#include "model/spec/spec_file.h"

static inline snBeside sn_besideMesh(const snSpec* spec, const snSpecFile* file)
{
    if (spec->files_anywhere) return SN_BESIDE_ANYTHING;
    return file->owned ? SN_BESIDE_FILE : SN_BESIDE_MEMORY;
}

#endif
