// Any bytes as an STL file, ASCII or binary; and once more cut to whole triangles with the right number of
// them, which chance does not find.
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    tryMesh("a.stl", bytes, size);
    if (size < 84) return 0;
    uint8_t* copy = copyOf(bytes, size, size);
    const size_t nface = (size - 84) / 50;
    putLittle(copy + 80, (uint32_t)nface);
    tryMesh("a.stl", copy, 84 + 50 * nface);
    free(copy);
    return 0;
}
