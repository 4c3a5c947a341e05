#define _GNU_SOURCE // strerror_r that returns the text
#include "base/file.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

// The words of errno. GNU's strerror_r returns them, POSIX's returns a status.
static snStatus failed(const char* verb, const char* path, int reason, snError* error)
{
    char text[128] = "";
#ifdef __GLIBC__
    const char* words = strerror_r(reason, text, sizeof text);
#else
    const char* words = strerror_r(reason, text, sizeof text) ? "unknown reason" : text;
#endif
    return cannot(verb, path, words, error);
}

static snStatus failedToRead(const char* path, int reason, snError* error)
{
    return failed("read", path, reason, error);
}

bool sn_isBelow(const char* folder, const char* real)
{
    char above[PATH_MAX];
    if (!realpath(*folder ? folder : ".", above)) return false;
    const size_t n = strlen(above);
    return !strncmp(real, above, n) && (above[n - 1] == '/' || real[n] == '/');
}

static snStatus readAll(int file, const char* path, char** data, size_t* size, snError* error)
{
    struct stat info;
    if (fstat(file, &info)) return failedToRead(path, errno, error);
    if (S_ISDIR(info.st_mode)) return cannotRead(path, "it is a folder", error);
    if (!S_ISREG(info.st_mode)) return cannotRead(path, "it is not a regular file", error);
    if (info.st_size < 0 || (size_t)info.st_size > SN_FILE_LIMIT)
        return cannotRead(path, "it is larger than " SN_FILE_LIMIT_TEXT, error);
    const size_t room = (size_t)info.st_size;
    char* text = sn_malloc(room + 1);
    if (!text)
        return sn_fail(error, SN_STATUS_NO_MEMORY, "out of memory: %zu bytes for '%.300s'", room, path);
    size_t count = 0;
    while (count < room) {
        const ssize_t got = read(file, text + count, room - count);
        if (got == 0) break;
        if (got < 0) {
            if (errno == EINTR) continue;
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
    // O_NONBLOCK: opening a pipe that nobody writes to must not hang
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return failedToRead(path, errno, error);
    const snStatus status = readAll(file, path, data, size, error);
    close(file);
    return status;
}

size_t sn_peekFile(const char* path, void* start, size_t n)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return 0;
    struct stat info;
    const bool regular = !fstat(file, &info) && S_ISREG(info.st_mode);
    const ssize_t got = regular ? read(file, start, n) : 0;
    close(file);
    return got > 0 ? (size_t)got : 0;
}

// ---- writing

static int writeAll(int file, const char* data, size_t size)
{
    while (size > 0) {
        const ssize_t put = write(file, data, size);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return errno;
        data += put;
        size -= (size_t)put;
    }
    return 0;
}

static int syncAll(int file)
{
    return fsync(file) && errno != EINVAL && errno != ENOTSUP ? errno : 0;
}

// Where a path leads in the end: a link, dangling or not, is to stay. 0 or errno.
static int followLinks(const char* path, char target[PATH_MAX])
{
    enum { MOST_LINKS = 40 };
    char link[PATH_MAX];
    if (strlen(path) >= PATH_MAX) return ENAMETOOLONG;
    strcpy(target, path);
    for (int i = 0; i < MOST_LINKS; i++) {
        const ssize_t size = readlink(target, link, sizeof link);
        if (size < 0) return 0; // no link, or nothing there
        const size_t n = (size_t)size, folder = *link == '/' ? 0 : (size_t)(sn_baseName(target) - target);
        if (folder + n >= PATH_MAX) return ENAMETOOLONG;
        memcpy(target + folder, link, n);
        target[folder + n] = 0;
    }
    return ELOOP;
}

// Creates a file that nobody else has, beside `target`; its name goes to part [PATH_MAX]. One that a killed
// process has left there stays.
static int createBeside(const char* target, char* part)
{
    for (int attempt = 0;; attempt++) {
        const int n = attempt ? snprintf(part, PATH_MAX, "%s.part%d-%d", target, (int)getpid(), attempt)
                              : snprintf(part, PATH_MAX, "%s.part", target);
        if (n < 0 || n >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST || attempt == 100) return file;
    }
}

snStatus sn_openOutput(snOutput* output, const char* path, snError* error)
{
    struct stat info;
    *output = (snOutput){.file = -1, .path = path};
    const bool exists = !stat(path, &info);
    if (!*path) return failed("write", path, ENOENT, error);
    if (exists && S_ISDIR(info.st_mode)) return cannot("write", path, "it is a folder", error);
    if (exists && !S_ISREG(info.st_mode)) return cannot("write", path, "it is not a regular file", error);
    const int reason = followLinks(path, output->target);
    if (reason) return failed("write", path, reason, error);
    output->file = createBeside(output->target, output->part);
    if (output->file < 0) return failed("write", path, errno, error);
    if (!exists || !fchmod(output->file, info.st_mode & 0777)) return SN_STATUS_OK;
    const snStatus status = failed("write", path, errno, error);
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
    const ssize_t put = pwrite(output->file, data, size, (off_t)offset);
    if (put == (ssize_t)size) return SN_STATUS_OK;
    return failed("write", output->path, put < 0 ? errno : EIO, error);
}

snStatus sn_closeOutput(snOutput* output, bool keep, snError* error)
{
    if (output->file < 0) return SN_STATUS_OK;
    int reason = keep ? syncAll(output->file) : 0;
    if (close(output->file) && !reason) reason = errno;
    if (keep && !reason && rename(output->part, output->target)) reason = errno;
    output->file = -1;
    if (keep && !reason) return SN_STATUS_OK;
    unlink(output->part);
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
    struct stat info;
    if (!mkdir(path, 0777)) return SN_STATUS_OK;
    const int reason = errno;
    if (reason != EEXIST || stat(path, &info)) return failed("make the folder", path, reason, error);
    if (S_ISDIR(info.st_mode)) return SN_STATUS_OK;
    return cannot("make the folder", path, "there is a file of this name", error);
}
