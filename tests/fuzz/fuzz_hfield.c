// Any bytes as the binary file of a height field and as that of a texture; and once more with dimensions that
// fit their length.
#include "fuzz_file.h"

static const char hfield[] =
    "<mujoco><asset><hfield name='a' file='a.bin' size='1 1 1 1'/></asset><worldbody>"
    "<geom type='hfield' hfield='a'/></worldbody></mujoco>";
static const char texture[] =
    "<mujoco><asset><texture name='a' type='2d' file='a.bin' hflip='true' vflip='true'/>"
    "</asset></mujoco>";

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    tryModel(hfield, "a.bin", bytes, size);
    tryModel(texture, "a.bin", bytes, size);
    if (size < 12) return 0;
    const uint32_t nrow = 1 + bytes[0] % 16, nheight = (uint32_t)(size - 8) / 4, ncol = nheight / nrow;
    const uint32_t width = 1 + bytes[1] % 16, height = (uint32_t)(size - 8) / 3 / width;
    uint8_t* copy = copyOf(bytes, size, size);
    putLittle(copy, nrow);
    putLittle(copy + 4, ncol);
    tryModel(hfield, "a.bin", copy, 8 + 4 * (size_t)nrow * ncol);
    putLittle(copy, width);
    putLittle(copy + 4, height);
    tryModel(texture, "a.bin", copy, 8 + 3 * (size_t)width * height);
    free(copy);
    return 0;
}
