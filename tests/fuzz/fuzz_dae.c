// Any bytes as a Collada file.
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    tryMesh("a.dae", bytes, size);
    return 0;
}
