// Files of Windows.
#include "base/platform/windows_text.h"
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>
#include "base/platform/files.h"

static int lastError(void)
{
    return sn_errnoOf(GetLastError());
}

// ---- what they are

static snFileInfo infoOf(const struct _stat64* info)
{
    const int kind = info->st_mode & _S_IFMT;
    return (snFileInfo){
        .kind = kind == _S_IFREG   ? SN_FILE_REGULAR
                : kind == _S_IFDIR ? SN_FILE_FOLDER
                                   : SN_FILE_OTHER,
        .size = info->st_size > 0 ? (uint64_t)info->st_size : 0,
        .permissions = info->st_mode & 0777,
    };
}

int sn_fileInfo(const char* path, snFileInfo* info)
{
    wchar_t wide[SN_WIDE_SIZE];
    struct _stat64 found;
    if (!sn_widePath(path, wide)) return errno;
    const DWORD is = GetFileAttributesW(wide); // which takes a slash at the end, too
    if (is != INVALID_FILE_ATTRIBUTES && is & FILE_ATTRIBUTE_DIRECTORY) {
        *info = (snFileInfo){.kind = SN_FILE_FOLDER};
        return 0;
    }
    if (_wstat64(wide, &found)) return errno;
    *info = infoOf(&found);
    return 0;
}

int sn_openFileInfo(int file, snFileInfo* info)
{
    struct _stat64 found;
    if (_fstat64(file, &found)) return errno;
    *info = infoOf(&found);
    return 0;
}

bool sn_exists(const char* path)
{
    wchar_t wide[SN_WIDE_SIZE];
    return sn_widePath(path, wide) && GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES;
}

bool sn_isExecutable(const char* path)
{
    wchar_t wide[SN_WIDE_SIZE + 4];
    if (!sn_widePath(path, wide)) return false;
    const DWORD is = GetFileAttributesW(wcscat(wide, L".exe"));
    return is != INVALID_FILE_ATTRIBUTES && !(is & FILE_ATTRIBUTE_DIRECTORY);
}

// ---- what they hold

int sn_openToRead(const char* path)
{
    wchar_t wide[SN_WIDE_SIZE];
    return sn_widePath(path, wide) ? _wopen(wide, _O_RDONLY | _O_BINARY | _O_NOINHERIT) : -1;
}

int sn_createNew(const char* path)
{
    wchar_t wide[SN_WIDE_SIZE];
    if (!sn_widePath(path, wide)) return -1;
    return _wopen(wide, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

enum { MOST = 1 << 30 }; // bytes at once

long long sn_readFrom(int file, void* data, size_t size)
{
    return _read(file, data, size < MOST ? (unsigned)size : MOST);
}

// Who does not read a pipe any more is EINVAL to the library of C, as other mistakes are.
long long sn_writeTo(int file, const void* data, size_t size)
{
    const int put = _write(file, data, size < MOST ? (unsigned)size : MOST);
    if (put < 0 && errno == EINVAL && (_doserrno == ERROR_NO_DATA || _doserrno == ERROR_BROKEN_PIPE))
        errno = EPIPE;
    return put;
}

long long sn_writeAt(int file, size_t offset, const void* data, size_t size)
{
    const long long end = _lseeki64(file, 0, SEEK_END);
    if (end < 0 || _lseeki64(file, (long long)offset, SEEK_SET) < 0) return -1;
    const long long put = sn_writeTo(file, data, size);
    return _lseeki64(file, 0, SEEK_END) < 0 ? -1 : put;
}

int sn_syncFile(int file)
{
    return _commit(file) ? errno : 0;
}

// A file that may not be written to could not be removed either: new ones are the caller's own.
int sn_setPermissions(int file, unsigned permissions)
{
    (void)file, (void)permissions;
    return 0;
}

int sn_closeFile(int file)
{
    return _close(file) ? errno : 0;
}

FILE* sn_openStream(const char* path, const char* mode)
{
    wchar_t wide[SN_WIDE_SIZE], closing[8]; // N: another program does not inherit it
    swprintf(closing, sizeof closing / sizeof *closing, L"%hsN", mode);
    return sn_widePath(path, wide) ? _wfopen(wide, closing) : NULL;
}

bool sn_seekStream(FILE* stream, uint64_t offset)
{
    return !_fseeki64(stream, (long long)offset, SEEK_SET);
}

// ---- their names

// Links are not followed by hand here: what takes the place of one takes that of what it leads to only where
// the system does.
long long sn_readLink(const char* path, char* target, size_t size)
{
    (void)path, (void)target, (void)size;
    return -1;
}

int sn_renameOver(const char* from, const char* to)
{
    wchar_t old[SN_WIDE_SIZE], new[SN_WIDE_SIZE];
    if (!sn_widePath(from, old) || !sn_widePath(to, new)) return errno;
    return MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : lastError();
}

int sn_removeFile(const char* path)
{
    wchar_t wide[SN_WIDE_SIZE];
    return sn_widePath(path, wide) && DeleteFileW(wide) ? 0 : *path ? lastError() : ENOENT;
}

int sn_createFolder(const char* path)
{
    wchar_t wide[SN_WIDE_SIZE];
    if (!sn_widePath(path, wide)) return errno;
    return CreateDirectoryW(wide, NULL) ? 0 : lastError();
}

void sn_listFolder(const char* path, void (*each)(const char* name, void* user), void* user)
{
    wchar_t wide[SN_WIDE_SIZE + 2];
    WIN32_FIND_DATAW entry;
    char name[3 * MAX_PATH];
    if (!sn_widePath(path, wide)) return;
    void* list = FindFirstFileW(wcscat(wide, wcschr(wide, L'\\') ? L"\\*" : L"/*"), &entry);
    if (list == INVALID_HANDLE_VALUE) return;
    do {
        if (sn_narrow(entry.cFileName, name, sizeof name)) each(name, user);
    } while (FindNextFileW(list, &entry));
    FindClose(list);
}

// A path with "/" between its parts, without the prefix of long ones.
static bool plain(wchar_t* wide, char path[SN_PATH_SIZE])
{
    if (!wcsncmp(wide, L"\\\\?\\UNC\\", 8))
        *(wide += 6) = L'\\'; // \\?\UNC\server\share is \\server\share
    else if (!wcsncmp(wide, L"\\\\?\\", 4))
        wide += 4;
    if (!sn_narrow(wide, path, SN_PATH_SIZE)) return false;
    for (char* c = path; *c; c++)
        if (*c == '\\') *c = '/';
    return true;
}

bool sn_realPath(const char* path, char real[SN_PATH_SIZE])
{
    wchar_t wide[SN_WIDE_SIZE], found[SN_WIDE_SIZE];
    if (!sn_widePath(path, wide)) return false;
    void* file = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                             OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) return false;
    const DWORD n = GetFinalPathNameByHandleW(file, found, SN_WIDE_SIZE, FILE_NAME_NORMALIZED);
    CloseHandle(file);
    return n > 0 && n < SN_WIDE_SIZE && plain(found, real);
}

bool sn_currentFolder(char path[SN_PATH_SIZE])
{
    wchar_t wide[SN_WIDE_SIZE];
    const DWORD n = GetCurrentDirectoryW(SN_WIDE_SIZE, wide);
    return n > 0 && n < SN_WIDE_SIZE && plain(wide, path);
}

const char* sn_errorText(int reason, char* text, size_t size)
{
    return strerror_s(text, size, reason) ? "unknown reason" : text;
}

FILE* sn_openTemporary(int* file)
{
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    if (!GetTempPathW(MAX_PATH + 1, folder) || !GetTempFileNameW(folder, L"snw", 0, path)) {
        errno = lastError();
        return NULL;
    }
    FILE* stream = _wfopen(path, L"w+bTDN");
    *file = stream ? _fileno(stream) : -1;
    return stream;
}

// ---- a stream into memory: a file that goes when it is closed

bool sn_beginCapture(snCapture* capture)
{
    int file;
    *capture = (snCapture){.file = sn_openTemporary(&file)};
    return capture->file != NULL;
}

void sn_endCapture(snCapture* capture)
{
    if (!capture->file) return;
    const long long size = _fseeki64(capture->file, 0, SEEK_END) ? -1 : _ftelli64(capture->file);
    char* text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    rewind(capture->file);
    if (text && fread(text, 1, (size_t)size, capture->file) == (size_t)size) {
        text[size] = 0;
        capture->text = text;
        capture->size = (size_t)size;
    } else {
        free(text);
    }
    fclose(capture->file);
    capture->file = NULL;
}
