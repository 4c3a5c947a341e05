// Any bytes as an MSH file; and once more with four small numbers that fit its length, the indices within.
#include "fuzz_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    tryMesh("a.msh", bytes, size);
    if (size < 16) return 0;
    const uint32_t nvert = 1 + bytes[0] % 32, nnormal = bytes[4] % 2 * nvert,
                   ntexcoord = bytes[8] % 2 * nvert, nface = bytes[12] % 32;
    const size_t face = 16 + 12 * (size_t)nvert + 12 * (size_t)nnormal + 8 * (size_t)ntexcoord;
    const size_t whole = face + 12 * (size_t)nface;
    uint8_t* copy = copyOf(bytes, size, whole);
    putLittle(copy, nvert);
    putLittle(copy + 4, nnormal);
    putLittle(copy + 8, ntexcoord);
    putLittle(copy + 12, nface);
    for (size_t k = face; k < whole; k += 4) putLittle(copy + k, copy[k] % (nvert + (copy[k + 1] > 250)));
    tryMesh("a.msh", copy, whole);
    free(copy);
    return 0;
}
