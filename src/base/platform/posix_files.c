// Files of Linux and macOS.
#define _GNU_SOURCE // strerror_r that returns the text
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/platform/files.h"

// ---- what they are

static snFileInfo infoOf(const struct stat* info)
{
    return (snFileInfo){
        .kind = S_ISREG(info->st_mode)   ? SN_FILE_REGULAR
                : S_ISDIR(info->st_mode) ? SN_FILE_FOLDER
                                         : SN_FILE_OTHER,
        .size = info->st_size > 0 ? (uint64_t)info->st_size : 0,
        .permissions = info->st_mode & 0777,
    };
}

int sn_fileInfo(const char* path, snFileInfo* info)
{
    struct stat found;
    if (stat(path, &found)) return errno;
    *info = infoOf(&found);
    return 0;
}

int sn_openFileInfo(int file, snFileInfo* info)
{
    struct stat found;
    if (fstat(file, &found)) return errno;
    *info = infoOf(&found);
    return 0;
}

bool sn_exists(const char* path)
{
    return !access(path, F_OK);
}

bool sn_isExecutable(const char* path)
{
    return !access(path, X_OK);
}

// ---- what they hold

int sn_openToRead(const char* path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int sn_createNew(const char* path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

long long sn_readFrom(int file, void* data, size_t size)
{
    for (;;) {
        const ssize_t got = read(file, data, size);
        if (got >= 0 || errno != EINTR) return got;
    }
}

long long sn_writeTo(int file, const void* data, size_t size)
{
    for (;;) {
        const ssize_t put = write(file, data, size);
        if (put >= 0 || errno != EINTR) return put;
    }
}

long long sn_writeAt(int file, size_t offset, const void* data, size_t size)
{
    return pwrite(file, data, size, (off_t)offset);
}

int sn_syncFile(int file)
{
    return fsync(file) && errno != EINVAL && errno != ENOTSUP ? errno : 0;
}

int sn_setPermissions(int file, unsigned permissions)
{
    return fchmod(file, (mode_t)permissions) ? errno : 0;
}

int sn_closeFile(int file)
{
    return close(file) ? errno : 0;
}

FILE* sn_openStream(const char* path, const char* mode)
{
    char closing[8]; // that another program does not inherit it
    snprintf(closing, sizeof closing, "%se", mode);
    return fopen(path, closing);
}

bool sn_seekStream(FILE* stream, uint64_t offset)
{
    return !fseeko(stream, (off_t)offset, SEEK_SET);
}

// ---- their names

FILE* sn_openTemporary(int* file)
{
    FILE* stream = tmpfile();
    *file = stream ? fileno(stream) : -1;
    return stream;
}

long long sn_readLink(const char* path, char* target, size_t size)
{
    return readlink(path, target, size);
}

int sn_renameOver(const char* from, const char* to)
{
    return rename(from, to) ? errno : 0;
}

int sn_removeFile(const char* path)
{
    return unlink(path) ? errno : 0;
}

int sn_createFolder(const char* path)
{
    return mkdir(path, 0777) ? errno : 0;
}

void sn_listFolder(const char* path, void (*each)(const char* name, void* user), void* user)
{
    DIR* folder = opendir(path);
    if (!folder) return;
    for (const struct dirent* entry; (entry = readdir(folder));) each(entry->d_name, user);
    closedir(folder);
}

bool sn_realPath(const char* path, char real[SN_PATH_SIZE])
{
    return realpath(path, real) != NULL;
}

bool sn_currentFolder(char path[SN_PATH_SIZE])
{
    return getcwd(path, SN_PATH_SIZE) != NULL;
}

// GNU's strerror_r returns the words, POSIX's a status.
const char* sn_errorText(int reason, char* text, size_t size)
{
#ifdef __GLIBC__
    return strerror_r(reason, text, size);
#else
    return strerror_r(reason, text, size) ? "unknown reason" : text;
#endif
}

// ---- a stream into memory

bool sn_beginCapture(snCapture* capture)
{
    *capture = (snCapture){0};
    capture->file = open_memstream(&capture->text, &capture->size);
    return capture->file != NULL;
}

void sn_endCapture(snCapture* capture)
{
    if (capture->file) fclose(capture->file);
    capture->file = NULL;
}
