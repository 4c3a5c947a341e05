// A model file or text to a model: read, then compile.
#include <sinew/spec.h>
#include "format/mjcf/mjcf.h"

static snModel* compileAndDelete(snSpec* spec, snError* error)
{
    snModel* m = spec ? sn_compile(spec, error) : NULL;
    sn_deleteSpec(spec);
    return m;
}

snModel* sn_loadModel(const char* path, snError* error)
{
    return compileAndDelete(sn_readMJCF(path, NULL, 0, error), error);
}

snModel* sn_loadModelText(const char* text, size_t size, const snAsset* assets, int nassets, snError* error)
{
    return compileAndDelete(sn_readMJCFText(text, size, NULL, assets, nassets, error), error);
}
