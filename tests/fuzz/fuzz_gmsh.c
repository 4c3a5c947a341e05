// Any bytes as a file of Gmsh, and a flexcomp of it.
#include "fuzz_file.h"
#include "format/mesh/gmsh.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    snGmsh mesh;
    snError error = {.status = SN_STATUS_OK};
    const snStatus status = sn_readGmsh("a.msh", bytes, size, &mesh, &error);
    if (status) {
        requireReason(status, &error);
        require(!mesh.node);
        return 0;
    }
    for (int k = 0; k < 3 * mesh.nnode; k++) require(__builtin_isfinite(mesh.node[k]));
    for (int dim = 0; dim < 4; dim++)
        requireIndices(mesh.elem[dim], (dim + 1) * mesh.nelem[dim], 0, mesh.nnode);
    sn_freeGmsh(&mesh);
    tryModel("<mujoco><worldbody><flexcomp name='f' type='gmsh' file='a.msh'/></worldbody></mujoco>", "a.msh",
             bytes, size);
    return 0;
}
