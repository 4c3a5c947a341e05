// Any bytes as a PLY file.
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    tryMesh("a.ply", bytes, size);
    return 0;
}
