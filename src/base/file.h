// Whole files in and out of memory.
#ifndef SINEW_BASE_FILE_H
#define SINEW_BASE_FILE_H

#include <sinew/base.h>

#define SN_FILE_LIMIT ((size_t)1 << 30) ///< largest file that is read
#define SN_FILE_LIMIT_TEXT "1 GiB"

/// Reads a regular file. *data receives a block to free with sn_free, closed by a 0 that *size does not
/// count. Folders, pipes, devices and files above SN_FILE_LIMIT are refused (status FILE).
snStatus sn_readFile(const char* path, char** data, size_t* size, snError* error);

#endif
