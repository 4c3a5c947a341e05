// Any bytes as an SKN file; and once more as the body of one with counts that fit its length, in which most
// indices are right.
#include "fuzz_file.h"

static const char text[] = "<mujoco><compiler fusestatic='true'/><asset><skin name='s' file='a.skn'/></asset>"
                           "<worldbody><body name='a'/><body name='b'/></worldbody></mujoco>";

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    tryModel(text, "a.skn", bytes, size);
    if (size < 16) return 0;
    const uint32_t nvert = 1 + bytes[0] % 8, ntexcoord = bytes[4] % 2 * nvert, nface = 1 + bytes[8] % 8,
                   nbone = 1 + bytes[12] % 3, nweight = nvert + bytes[13] % 4;
    const size_t face = 16 + 12 * (size_t)nvert + 8 * (size_t)ntexcoord, bone = face + 12 * (size_t)nface;
    const size_t step = 72 + 8 * (size_t)nweight, whole = bone + nbone * step;
    uint8_t* copy = copyOf(bytes, size, whole);
    putLittle(copy, nvert);
    putLittle(copy + 4, ntexcoord);
    putLittle(copy + 8, nface);
    putLittle(copy + 12, nbone);
    for (size_t k = face; k < bone; k += 4) putLittle(copy + k, copy[k] % (nvert + (copy[k + 1] > 250)));
    for (uint32_t i = 0; i < nbone; i++) {
        uint8_t* at = copy + bone + i * step;
        const uint8_t kind = at[1];
        memset(at, 0, 40);
        at[0] = (uint8_t)('a' + kind % 3);
        putLittle(at + 68, nweight);
        for (uint32_t k = 0; k < nweight; k++) putLittle(at + 72 + 4 * k, (k + kind) % nvert);
    }
    tryModel(text, "a.skn", copy, whole);
    free(copy);
    return 0;
}
