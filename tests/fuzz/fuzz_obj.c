// Any bytes as an OBJ file, of a mesh and of a flex.
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    snMeshFile mesh;
    tryMesh("a.obj", bytes, size);
    if (sn_readMeshForFlex("a.obj", NULL, bytes, size, SN_BESIDE_MEMORY, &mesh, NULL)) return 0;
    requireIndices(mesh.line, 2 * mesh.nline, 0, mesh.nvert);
    requireIndices(mesh.face, 3 * mesh.nface, 0, mesh.nvert);
    require(sn_mergeMeshVertices(&mesh));
    requireIndices(mesh.line, 2 * mesh.nline, 0, mesh.nvert);
    sn_freeMeshFile(&mesh);
    return 0;
}
