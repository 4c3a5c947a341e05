// Names of files: UTF-8 on every system.
#ifndef SINEW_BASE_PLATFORM_PATH_H
#define SINEW_BASE_PLATFORM_PATH_H

#include <stdbool.h>
#include <stddef.h>

enum { SN_PATH_SIZE = 4096 }; ///< room for a path, its closing 0 included

#ifdef _WIN32
#define SN_SLASHES "/\\"
#define SN_LIST_SEPARATOR ';' ///< between the folders that a variable of the environment lists
#else
#define SN_SLASHES "/"
#define SN_LIST_SEPARATOR ':'
#endif

/// Whether a character stands between two parts of a path.
static inline bool sn_isSlash(char c)
{
    return c && (c == SN_SLASHES[0] || c == SN_SLASHES[sizeof SN_SLASHES - 2]);
}

/// Bytes of the beginning of a path that nothing leads out of: "/", on Windows also "C:/" and the slashes of
/// "//server/share"; 0: the path is relative.
static inline size_t sn_rootSize(const char* path)
{
    size_t n = 0;
#ifdef _WIN32
    const char drive = (char)(*path | 0x20);
    if (drive >= 'a' && drive <= 'z' && path[1] == ':') n = sn_isSlash(path[2]) ? 2 : 0;
    if (sn_isSlash(*path) && sn_isSlash(path[1])) n = 1;
#endif
    return sn_isSlash(path[n]) ? n + 1 : 0;
}

/// The last slash of a path; NULL: it has none.
static inline const char* sn_lastSlash(const char* path)
{
    const char* last = NULL;
    for (; *path; path++)
        if (sn_isSlash(*path)) last = path;
    return last;
}

#endif
