// Any bytes as a model: read, compile, and a few steps of what compiles. Nothing may crash, leak or hang, and
// what fails must say why. The input is the main text; after a byte 0 an asset "a.xml" may follow, for
// includes.
#include <sinew/sinew.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void require(int condition)
{
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    const uint8_t* split = size ? memchr(bytes, 0, size) : NULL;
    const size_t nmain = split ? (size_t)(split - bytes) : size;
    const snAsset asset = {"a.xml", split ? split + 1 : NULL, split ? size - nmain - 1 : 0};
    snError error = {.status = SN_STATUS_OK};
    snModel* m = sn_loadModelText((const char*)bytes, nmain, &asset, split ? 1 : 0, &error);
    if (!m) {
        require(error.status != SN_STATUS_OK);
        require(error.message[0] && memchr(error.message, 0, sizeof error.message) != NULL);
        return 0;
    }
    require(sn_validateModel(m, &error) == SN_STATUS_OK);
    if (m->narena < (size_t)1 << 26 && m->nv < 200 && m->ngeom < 200) {
        snData* d = sn_makeData(m);
        for (int i = 0; d && i < 3; i++) sn_step(m, d);
        sn_deleteData(d);
    }
    sn_deleteModel(m);
    return 0;
}
