// Any bytes as a glTF file, text or binary.
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    tryMesh("a.gltf", bytes, size);
    return 0;
}
