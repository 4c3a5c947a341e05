// Any bytes as an OBJ file.
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    tryMesh("a.obj", bytes, size);
    return 0;
}
