#include "base/platform/windows_text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

bool sn_wide(const char* text, wchar_t* wide, size_t size)
{
    return MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, (int)size) > 0;
}

bool sn_narrow(const wchar_t* wide, char* text, size_t size)
{
    return WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)size, NULL, NULL) > 0;
}

char* sn_narrowCopy(const wchar_t* wide)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char* text = size > 0 ? malloc((size_t)size) : NULL;
    if (text) WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}

// What is longer than Windows takes otherwise has a prefix, with which a path must be whole and have
// backslashes.
static bool prefix(wchar_t wide[SN_WIDE_SIZE])
{
    static const wchar_t mark[] = L"\\\\?\\";
    enum { MARK = sizeof mark / sizeof *mark - 1 };
    wchar_t whole[SN_WIDE_SIZE];
    const DWORD n = GetFullPathNameW(wide, SN_WIDE_SIZE, whole, NULL);
    if (!n || n >= SN_WIDE_SIZE - MARK) return false;
    if (n > 1 && whole[1] != L':') return true; // of another machine: as it is
    memcpy(wide, mark, sizeof mark);
    memcpy(wide + MARK, whole, (n + 1) * sizeof *whole);
    return true;
}

bool sn_widePath(const char* path, wchar_t wide[SN_WIDE_SIZE])
{
    enum { LONG = 240 };
    errno = *path ? EINVAL : ENOENT;
    if (!*path || !sn_wide(path, wide, SN_WIDE_SIZE)) return false;
    if (wcslen(wide) < LONG || prefix(wide)) return true;
    errno = ENAMETOOLONG;
    return false;
}

int sn_errnoOf(DWORD error)
{
    static const struct {
        DWORD error;
        int number;
    } same[] = {{ERROR_FILE_NOT_FOUND, ENOENT},   {ERROR_PATH_NOT_FOUND, ENOENT},
                {ERROR_INVALID_NAME, ENOENT},     {ERROR_BAD_PATHNAME, ENOENT},
                {ERROR_BAD_NETPATH, ENOENT},      {ERROR_ACCESS_DENIED, EACCES},
                {ERROR_SHARING_VIOLATION, EBUSY}, {ERROR_LOCK_VIOLATION, EBUSY},
                {ERROR_FILE_EXISTS, EEXIST},      {ERROR_ALREADY_EXISTS, EEXIST},
                {ERROR_DISK_FULL, ENOSPC},        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
                {ERROR_OUTOFMEMORY, ENOMEM},      {ERROR_COMMITMENT_LIMIT, ENOMEM},
                {ERROR_BROKEN_PIPE, EPIPE},       {ERROR_NO_DATA, EPIPE},
                {ERROR_NOT_SAME_DEVICE, EXDEV},   {ERROR_DIRECTORY, ENOTDIR},
                {ERROR_BAD_EXE_FORMAT, ENOEXEC},  {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (same[i].error == error) return same[i].number;
    return EIO;
}
