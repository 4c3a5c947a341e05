#include "base/file.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/platform/files.h"
#include "base/platform/threads.h"
#include "base/utf8.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static snStatus cannot(const char* verb, const char* path, const char* why, snError* error)
{
    char shown[320];
    sn_printable(shown, sizeof shown, path, false);
    sn_fail(error, SN_STATUS_FILE, "cannot %s '%s': %s", verb, shown, why);
    if (error) snprintf(error->file, sizeof error->file, "%s", path);
    return SN_STATUS_FILE;
}

static snStatus cannotRead(const char* path, const char* why, snError* error)
{
    return cannot("read", path, why, error);
}

static snStatus failed(const char* verb, const char* path, int reason, snError* error)
{
    char text[128] = "";
    return cannot(verb, path, sn_errorText(reason, text, sizeof text), error);
}

static snStatus failedToRead(const char* path, int reason, snError* error)
{
    return failed("read", path, reason, error);
}

bool sn_isBelow(const char* folder, const char* real)
{
    char above[SN_PATH_SIZE];
    if (!sn_realPath(*folder ? folder : ".", above)) return false;
    const size_t n = strlen(above);
    return !strncmp(real, above, n) && (above[n - 1] == '/' || real[n] == '/');
}

static snStatus readAll(int file, const char* path, char** data, size_t* size, snError* error)
{
    snFileInfo info;
    const int unknown = sn_openFileInfo(file, &info);
    if (unknown) return failedToRead(path, unknown, error);
    if (info.kind == SN_FILE_FOLDER) return cannotRead(path, "it is a folder", error);
    if (info.kind != SN_FILE_REGULAR) return cannotRead(path, "it is not a regular file", error);
    if (info.size > SN_FILE_LIMIT) return cannotRead(path, "it is larger than " SN_FILE_LIMIT_TEXT, error);
    const size_t room = (size_t)info.size;
    char* text = sn_malloc(room + 1);
    if (!text)
        return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory: %zu bytes for '%.300s'", room, path);
    size_t count = 0;
    while (count < room) {
        const long long got = sn_readFrom(file, text + count, room - count);
        if (got == 0) break;
        if (got < 0) {
            const int reason = errno;
            sn_free(text);
            return failedToRead(path, reason, error);
        }
        count += (size_t)got;
    }
    text[count] = 0;
    *data = text;
    *size = count;
    return SN_STATUS_OK;
}

snStatus sn_readFile(const char* path, char** data, size_t* size, snError* error)
{
    const int file = sn_openToRead(path);
    if (file < 0) {
        const int reason = errno;
        snFileInfo info; // some systems do not open a folder
        if (!sn_fileInfo(path, &info) && info.kind == SN_FILE_FOLDER)
            return cannotRead(path, "it is a folder", error);
        return failedToRead(path, reason, error);
    }
    const snStatus status = readAll(file, path, data, size, error);
    sn_closeFile(file);
    return status;
}

size_t sn_peekFile(const char* path, void* start, size_t n)
{
    const int file = sn_openToRead(path);
    if (file < 0) return 0;
    snFileInfo info;
    const bool regular = !sn_openFileInfo(file, &info) && info.kind == SN_FILE_REGULAR;
    const long long got = regular ? sn_readFrom(file, start, n) : 0;
    sn_closeFile(file);
    return got > 0 ? (size_t)got : 0;
}

// ---- writing

static int writeAll(int file, const char* data, size_t size)
{
    while (size > 0) {
        const long long put = sn_writeTo(file, data, size);
        if (put < 0) return errno;
        data += put;
        size -= (size_t)put;
    }
    return 0;
}

// Where a path leads in the end: a link, dangling or not, is to stay. 0 or errno.
static int followLinks(const char* path, char target[SN_PATH_SIZE])
{
    enum { MOST_LINKS = 40 };
    char link[SN_PATH_SIZE];
    if (strlen(path) >= SN_PATH_SIZE) return ENAMETOOLONG;
    strcpy(target, path);
    for (int i = 0; i < MOST_LINKS; i++) {
        const long long size = sn_readLink(target, link, sizeof link);
        if (size < 0) return 0; // no link, or nothing there
        const size_t n = (size_t)size,
                     folder = sn_rootSize(link) ? 0 : (size_t)(sn_baseName(target) - target);
        if (folder + n >= SN_PATH_SIZE) return ENAMETOOLONG;
        memcpy(target + folder, link, n);
        target[folder + n] = 0;
    }
    return ELOOP;
}

// Creates a file that nobody else has, beside `target`; its name goes to part [SN_PATH_SIZE]. One that a
// killed process has left there stays.
static int createBeside(const char* target, char* part)
{
    for (int attempt = 0;; attempt++) {
        const int n = attempt ? snprintf(part, SN_PATH_SIZE, "%s.part%d-%d", target, sn_processId(), attempt)
                              : snprintf(part, SN_PATH_SIZE, "%s.part", target);
        if (n < 0 || n >= SN_PATH_SIZE) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int file = sn_createNew(part);
        if (file >= 0 || errno != EEXIST || attempt == 100) return file;
    }
}

snStatus sn_openOutput(snOutput* output, const char* path, snError* error)
{
    snFileInfo info;
    *output = (snOutput){.file = -1, .path = path};
    const bool exists = !sn_fileInfo(path, &info);
    if (!*path) return failed("write", path, ENOENT, error);
    if (exists && info.kind == SN_FILE_FOLDER) return cannot("write", path, "it is a folder", error);
    if (exists && info.kind != SN_FILE_REGULAR)
        return cannot("write", path, "it is not a regular file", error);
    const int reason = followLinks(path, output->target);
    if (reason) return failed("write", path, reason, error);
    output->file = createBeside(output->target, output->part);
    if (output->file < 0) return failed("write", path, errno, error);
    const int refused = exists ? sn_setPermissions(output->file, info.permissions) : 0;
    if (!refused) return SN_STATUS_OK;
    const snStatus status = failed("write", path, refused, error);
    sn_closeOutput(output, false, NULL);
    return status;
}

snStatus sn_writeOutput(const snOutput* output, const void* data, size_t size, snError* error)
{
    const int reason = writeAll(output->file, data, size);
    return reason ? failed("write", output->path, reason, error) : SN_STATUS_OK;
}

snStatus sn_patchOutput(const snOutput* output, size_t offset, const void* data, size_t size, snError* error)
{
    const long long put = sn_writeAt(output->file, offset, data, size);
    if (put == (long long)size) return SN_STATUS_OK;
    return failed("write", output->path, put < 0 ? errno : EIO, error);
}

snStatus sn_closeOutput(snOutput* output, bool keep, snError* error)
{
    if (output->file < 0) return SN_STATUS_OK;
    int reason = keep ? sn_syncFile(output->file) : 0;
    const int unclosed = sn_closeFile(output->file);
    if (!reason) reason = unclosed;
    if (keep && !reason) reason = sn_renameOver(output->part, output->target);
    output->file = -1;
    if (keep && !reason) return SN_STATUS_OK;
    sn_removeFile(output->part);
    return keep ? failed("write", output->path, reason, error) : SN_STATUS_OK;
}

snStatus sn_writeFile(const char* path, const void* data, size_t size, snError* error)
{
    snOutput output;
    snStatus status = sn_openOutput(&output, path, error);
    if (!status) status = sn_writeOutput(&output, data, size, error);
    const snStatus closed = sn_closeOutput(&output, !status, error);
    return status ? status : closed;
}

snStatus sn_makeFolder(const char* path, snError* error)
{
    snFileInfo info;
    const int reason = sn_createFolder(path);
    if (!reason) return SN_STATUS_OK;
    if (reason != EEXIST || sn_fileInfo(path, &info)) return failed("make the folder", path, reason, error);
    if (info.kind == SN_FILE_FOLDER) return SN_STATUS_OK;
    return cannot("make the folder", path, "there is a file of this name", error);
}
