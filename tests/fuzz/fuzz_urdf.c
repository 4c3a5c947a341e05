// Any bytes as a URDF: read with every request, compiled, written as MJCF, read again. Nothing may crash,
// leak or hang; what is written must read.
#include <sinew/sinew.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static void writeAndRead(snSpec* spec)
{
    snError error;
    size_t length;
    char* text = sn_writeSpec(spec, NULL, &length, NULL, &error);
    if (!text) return; // it does not compile
    const snAsset mesh = {"m.obj", tetrahedron, sizeof tetrahedron - 1};
    snSpec* again = sn_loadSpecText(text, length, &mesh, 1, NULL, &error);
    if (!again) abort();
    sn_freeText(text);
    sn_deleteSpec(again);
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    if (size > 100000) return 0;
    const snAsset assets[] = {{"robot.urdf", bytes, size}, {"m.obj", tetrahedron, sizeof tetrahedron - 1}};
    const unsigned requests = size ? bytes[size - 1] : 0;
    const snUrdfOptions options = {.floating_base = requests & 1,
                                   .keep_fixed = requests >> 1 & 1,
                                   .keep_visuals = requests >> 2 & 1,
                                   .actuators = requests >> 3 & 1};
    snError error = {.status = SN_STATUS_OK};
    snSpec* spec = sn_loadUrdf("robot.urdf", &options, assets, 2, NULL, &error);
    if (!spec) {
        if (error.status == SN_STATUS_OK || !error.message[0]) abort();
        return 0;
    }
    writeAndRead(spec);
    sn_deleteSpec(spec);
    return 0;
}
