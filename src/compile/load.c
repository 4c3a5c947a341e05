// A model file or text to a model: read, then compile; a compiled one is only read.
#include <sinew/spec.h>
#include "format/archive/archive.h"
#include "base/file.h"
#include "base/memory.h"
#include "format/mjcf/mjcf.h"
#include "model/binary/binary.h"
#include "model/spec/spec.h"

// The text of an attribute of flexes, which has been read; others may have it, too.
static void dropText(snSpec* spec, const char* text)
{
    if (!sn_poolDrop(&spec->tree, text)) return;
    SN_EACH (snSpecFlex, f, spec->flexes) {
        snElement* node = f->head.node;
        for (int k = 0; node && k < node->nattributes; k++)
            if (node->attributes[k].value == text) node->attributes[k].value = "";
    }
}

// Corners of millions of elements take more memory as text than as numbers, and nobody will write this spec.
static void dropElements(snSpec* spec)
{
    SN_EACH (snSpecFlex, f, spec->flexes) {
        const char* text = f->head.node ? sn_attributeText(f->head.node, "element") : NULL;
        if (text) dropText(spec, text);
    }
}

static snModel* compileAndDelete(snSpec* spec, const snLoadOptions* options, snError* error)
{
    if (spec && spec->read) dropElements(spec);
    snModel* m = spec ? sn_compile(spec, options, error) : NULL;
    sn_deleteSpec(spec);
    return m;
}

static snModel* loadBinary(const char* path, const snLoadOptions* options, snError* error)
{
    char* bytes;
    size_t size;
    snBinary binary;
    if (sn_readFile(path, &bytes, &size, error) != SN_STATUS_OK) return NULL;
    const bool open = sn_openBinary(bytes, size, path, &binary, error) == SN_STATUS_OK;
    snModel* m = open ? sn_binaryModel(&binary, options, error) : NULL;
    sn_free(bytes);
    return m;
}

// An archive: its members are files in memory, by names below its own.
static snModel* loadArchive(const char* path, const snLoadOptions* options, snError* error)
{
    snArchive archive;
    const char* model = sn_readArchive(path, &archive, error) ? NULL : sn_archiveModel(&archive, path, error);
    snModel* m = model ? compileAndDelete(sn_readMJCF(model, archive.files, archive.count, options, error),
                                          options, error)
                       : NULL;
    sn_freeArchive(&archive);
    return m;
}

snModel* sn_loadModel(const char* path, const snLoadOptions* options, snError* error)
{
    if (sn_isBinaryFile(path)) return loadBinary(path, options, error);
    if (sn_isArchiveFile(path)) return loadArchive(path, options, error);
    return compileAndDelete(sn_readMJCF(path, NULL, 0, options, error), options, error);
}

snModel* sn_loadModelText(const char* text, size_t size, const snAsset* assets, int nassets,
                          const snLoadOptions* options, snError* error)
{
    return compileAndDelete(sn_readMJCFText(text, size, NULL, assets, nassets, options, error), options,
                            error);
}
