#define _GNU_SOURCE // strerror_r that returns the text
#include "base/file.h"
#include "base/error.h"
#include "base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static snStatus cannotRead(const char* path, const char* why, snError* error)
{
    sn_fail(error, SN_STATUS_FILE, "cannot read '%.300s': %s", path, why);
    if (error) snprintf(error->file, sizeof error->file, "%s", path);
    return SN_STATUS_FILE;
}

// The words of errno. GNU's strerror_r returns them, POSIX's returns a status.
static snStatus failedToRead(const char* path, int reason, snError* error)
{
    char text[128] = "";
#ifdef __GLIBC__
    const char* words = strerror_r(reason, text, sizeof text);
#else
    const char* words = strerror_r(reason, text, sizeof text) ? "unknown reason" : text;
#endif
    return cannotRead(path, words, error);
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
