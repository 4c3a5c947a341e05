#include "model/spec/allowed.h"
#include <string.h>
#include "base/error.h"
#include "base/file.h"
#include "base/platform/files.h"
#include "base/search.h"

static bool isModelFile(const char* path)
{
    static const char* const endings[] = {".xml", ".mjcf", ".urdf", ".stl", ".obj", ".msh",
                                          ".dae", ".ply",  ".gltf", ".glb", ".skn", ".png"};
    const char* end = strrchr(sn_baseName(path), '.');
    for (size_t i = 0; end && i < sizeof endings / sizeof *endings; i++)
        if (sn_isSameWord(end, endings[i])) return true;
    return false;
}

// Folders, pipes and devices are not read wherever they are, and reading one says what it is.
static bool isRegular(const char* path)
{
    snFileInfo info;
    return !sn_fileInfo(path, &info) && info.kind == SN_FILE_REGULAR;
}

bool sn_allowFile(const snSpec* spec, const char* folder, const char* path, snError* error)
{
    char real[SN_PATH_SIZE];
    if ((spec->files_anywhere && !spec->within) || !isRegular(path) || !sn_realPath(path, real)) return true;
    if (spec->within && !sn_isBelow(spec->within, real)) {
        sn_fail(
            error, SN_STATUS_FILE,
            "'%.200s' is outside of the folders that came with the model: it is not read; put it into one "
            "of them",
            path);
        return false;
    }
    if (spec->files_anywhere || isModelFile(real) || sn_isBelow(folder, real) ||
        sn_isBelow(spec->folder ? spec->folder : "", real))
        return true;
    sn_fail(
        error, SN_STATUS_FILE,
        "'%.200s' is outside of the model's folder and by its ending no file of a model: it is not read; put "
        "it beside the model, or allow it (--anywhere, anywhere=True)",
        path);
    return false;
}
