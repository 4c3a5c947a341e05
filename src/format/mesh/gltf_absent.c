// In the place of what reads glTF in builds without cJSON.
#include "base/error.h"
#include "format/mesh/reader.h"

snStatus sn_readGltf(const snMeshSource* source, snMeshFile* mesh)
{
    (void)mesh;
    return sn_failAt(source->error, SN_STATUS_UNSUPPORTED, source->name, 0,
                     "a glTF file, and this build of Sinew has no cJSON (the option SINEW_CJSON is off)");
}
