// Where the files of a URDF are: package://NAME/PATH is looked up in the folders that the caller gives, in
// those of the ROS environment, and in the folders above the URDF.
#include "base/file.h"
#include "base/platform/files.h"
#include "base/platform/process.h"
#include "format/urdf/import.h"
#include "model/spec/spec_file.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The whole path of a file, as names in a model are relative to its folder; NULL: it is not there.
static const char* absolute(const snUrdf* u, const char* path)
{
    char real[SN_PATH_SIZE];
    return sn_realPath(path, real) ? sn_poolText(&u->spec->tree, real, strlen(real)) : NULL;
}

// dir/a/b, where a may be empty; NULL: it is not there, or the name is too long.
static const char* try(const snUrdf* u, const char* dir, size_t ndir, const char* a, const char* b)
{
    char path[SN_PATH_SIZE];
    const int n = snprintf(path, sizeof path, "%.*s%s%s%s%s", (int)ndir, dir,
                           ndir && sn_isSlash(dir[ndir - 1]) ? "" : "/", a, *a ? "/" : "", b);
    if (n < 0 || n >= (int)sizeof path) return NULL;
    return absolute(u, path);
}

// Whether the last component of a folder is a package's name.
static bool isCalled(const char* dir, size_t ndir, const char* package)
{
    while (ndir && sn_isSlash(dir[ndir - 1])) ndir--;
    const size_t n = strlen(package);
    return ndir >= n && !strncmp(dir + ndir - n, package, n) && (ndir == n || sn_isSlash(dir[ndir - n - 1]));
}

// A folder that is the package or holds it.
static const char* inFolder(const snUrdf* u, const char* dir, size_t ndir, const char* package,
                            const char* rest)
{
    const char* found = isCalled(dir, ndir, package) ? try(u, dir, ndir, "", rest) : NULL;
    return found ? found : try(u, dir, ndir, package, rest);
}

// Folders of a list of the environment; inside each, `below`.
static const char* inList(const snUrdf* u, const char* list, const char* below, const char* package,
                          const char* rest)
{
    for (const char* at = list; *at;) {
        const char* end = strchr(at, SN_LIST_SEPARATOR);
        const size_t n = end ? (size_t)(end - at) : strlen(at);
        char dir[SN_PATH_SIZE];
        const int length = snprintf(dir, sizeof dir, "%.*s%s", (int)n, at, below);
        if (n && length > 0 && length < (int)sizeof dir) {
            const char* found = inFolder(u, dir, (size_t)length, package, rest);
            if (found) return found;
        }
        at += n + (end != NULL);
    }
    return NULL;
}

static const char* inEnvironment(const snUrdf* u, const char* variable, const char* below,
                                 const char* package, const char* rest)
{
    char* list = sn_environment(variable);
    const char* found = list ? inList(u, list, below, package, rest) : NULL;
    free(list);
    return found;
}

// The folder of the URDF and all above it.
static const char* aboveFile(const snUrdf* u, const char* package, const char* rest)
{
    char real[SN_PATH_SIZE];
    if (!sn_realPath(*u->spec->folder ? u->spec->folder : ".", real)) return NULL;
    for (size_t n = strlen(real); n > 0;) {
        const char* found = inFolder(u, real, n, package, rest);
        if (found) return found;
        while (n > 0 && real[n - 1] != '/') n--;
        while (n > 1 && real[n - 1] == '/') n--;
        if (n <= 1) break;
    }
    return NULL;
}

static const char* findInPackage(const snUrdf* u, const char* package, const char* rest)
{
    const char* found = NULL;
    for (int i = 0; i < u->options->npackage_dirs && !found; i++)
        found = inFolder(u, u->options->package_dirs[i], strlen(u->options->package_dirs[i]), package, rest);
    if (!found) found = inEnvironment(u, "ROS_PACKAGE_PATH", "", package, rest);
    if (!found) found = inEnvironment(u, "AMENT_PREFIX_PATH", "/share", package, rest);
    if (!found) found = aboveFile(u, package, rest);
    return found;
}

// As the peer: the file alone, in meshdir or beside the URDF.
static const char* findAlone(const snUrdf* u, const char* path)
{
    const char* base = sn_baseName(path);
    char dir[SN_PATH_SIZE];
    const char* below = u->meshdir ? u->meshdir : "";
    const int n = snprintf(dir, sizeof dir, "%s%s", sn_rootSize(below) ? "" : u->spec->folder, below);
    if (n < 0 || n >= (int)sizeof dir) return NULL;
    return n ? try(u, dir, (size_t)n, "", base) : absolute(u, base);
}

static const char* assetName(const snUrdf* u, const char* name)
{
    const snAsset* asset = sn_specAsset(u->spec, name);
    if (!asset) asset = sn_specAssetAnywhere(u->spec, name);
    return asset ? asset->name : NULL;
}

// package://NAME/PATH or model://NAME/PATH; without a NAME, as the peer: the file alone.
static const char* findUri(const snUrdf* u, const snElement* at, const char* uri)
{
    const char* start = strstr(uri, "://") + 3;
    start += strspn(start, "/"); // some write a third one
    const size_t n = strcspn(start, "/");
    char name[256];
    if (n == 0 || n >= sizeof name || !*sn_baseName(start)) {
        sn_urdfFail(u, at, SN_STATUS_MODEL, "filename=\"%.200s\": expected package://NAME/PATH", uri);
        return NULL;
    }
    memcpy(name, start, n);
    name[n] = 0;
    const char* found = start[n] ? findInPackage(u, name, start + n + 1) : NULL;
    if (!found) found = findAlone(u, uri);
    const char* give = u->load ? u->load->packages : NULL;
    if (!found && !start[n])
        sn_urdfFail(u, at, SN_STATUS_FILE,
                    "filename=\"%.200s\": no package is named, and the file is not %s; "
                    "expected package://NAME/PATH",
                    uri, u->meshdir ? "in meshdir" : "beside the URDF");
    else if (!found)
        sn_urdfFail(u, at, SN_STATUS_FILE,
                    "filename=\"%.200s\": the package '%.80s' is not in the package folders given, "
                    "ROS_PACKAGE_PATH, AMENT_PREFIX_PATH or the folders above the file; give %.120s",
                    uri, name, give ? give : "package_dirs in snUrdfOptions");
    return found;
}

const char* sn_urdfFind(const snUrdf* u, const snElement* at, const char* uri)
{
    const char* base = sn_baseName(uri);
    const char* found = assetName(u, uri);
    if (!found) found = assetName(u, base);
    if (found) return found;
    if (!strncmp(uri, "package://", 10) || !strncmp(uri, "model://", 8)) return findUri(u, at, uri);
    const char* path = strncmp(uri, "file://", 7) ? uri : uri + 7;
    found = sn_rootSize(path) ? absolute(u, path)
                              : try(u, *u->spec->folder ? u->spec->folder : ".",
                                    *u->spec->folder ? strlen(u->spec->folder) : 1, "", path);
    if (!found) found = findAlone(u, path);
    if (!found) sn_urdfFail(u, at, SN_STATUS_FILE, "filename=\"%.200s\": there is no such file", uri);
    return found;
}
