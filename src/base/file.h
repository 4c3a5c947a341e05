// Whole files in and out of memory.
#ifndef SINEW_BASE_FILE_H
#define SINEW_BASE_FILE_H

#include <sinew/base.h>
#include <string.h>

#define SN_FILE_LIMIT ((size_t)1 << 30) ///< largest file that is read
#define SN_FILE_LIMIT_TEXT "1 GiB"

/// What stands behind the last slash of a path.
static inline const char* sn_baseName(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/// Reads a regular file. *data receives a block to free with sn_free, closed by a 0 that *size does not
/// count. Folders, pipes, devices and files above SN_FILE_LIMIT are refused (status FILE).
snStatus sn_readFile(const char* path, char** data, size_t* size, snError* error);

/// The first bytes of a regular file, at most n; how many were read. 0: none, or it cannot be read.
size_t sn_peekFile(const char* path, void* start, size_t n);

/// Writes a regular file whole or not at all: under another name beside it, then renamed. Folders and devices
/// are refused; a link's target is replaced and keeps its permissions. Status FILE names path and reason.
snStatus sn_writeFile(const char* path, const void* data, size_t size, snError* error);

/// Makes a folder where there is none; one that is there will do. Its parent must be there. Status FILE names
/// path and reason.
snStatus sn_makeFolder(const char* path, snError* error);

#endif
