// Files by their names, which are UTF-8. Functions that return an int give 0 or an errno, those that return a
// file -1 with errno.
#ifndef SINEW_BASE_PLATFORM_FILES_H
#define SINEW_BASE_PLATFORM_FILES_H

#include <stdint.h>
#include <stdio.h>
#include "base/platform/path.h"

typedef enum snFileKind {
    SN_FILE_REGULAR,
    SN_FILE_FOLDER,
    SN_FILE_OTHER, ///< a pipe, a device
} snFileKind;

typedef struct snFileInfo {
    snFileKind kind;
    uint64_t size;        ///< bytes
    unsigned permissions; ///< for sn_setPermissions
} snFileInfo;

/// Of a file by name, its links followed.
int sn_fileInfo(const char* path, snFileInfo* info);
/// Of a file that is open.
int sn_openFileInfo(int file, snFileInfo* info);
/// Whether there is something of this name.
bool sn_exists(const char* path);
/// Whether there is a program of this name.
bool sn_isExecutable(const char* path);

/// Opens a file to read from it. A pipe that nobody writes to does not hold the caller up.
int sn_openToRead(const char* path);
/// Makes a file that was not there, to write to it.
int sn_createNew(const char* path);
/// Reads, writes at most so many bytes; how many, -1: errno says why. No signal ends them early.
long long sn_readFrom(int file, void* data, size_t size);
long long sn_writeTo(int file, const void* data, size_t size);
/// Writes at a place; what is written next goes on behind the end.
long long sn_writeAt(int file, size_t offset, const void* data, size_t size);
/// Until what was written would survive a crash of the system, where the file system can tell.
int sn_syncFile(int file);
int sn_setPermissions(int file, unsigned permissions);
int sn_closeFile(int file);

/// fopen of C. Bytes are as they are ("rb", "wb", "ab"), and a child process does not have the file.
FILE* sn_openStream(const char* path, const char* mode);
/// fseek of C in files of any size; false: it failed.
bool sn_seekStream(FILE* stream, uint64_t offset);

/// A file without a name that is gone once it is closed, to write and read; *file: its number. NULL with
/// errno.
FILE* sn_openTemporary(int* file);

/// Where a symbolic link leads, without a closing 0; -1: it is none.
long long sn_readLink(const char* path, char* target, size_t size);
/// Gives a file another name, in the place of what has it.
int sn_renameOver(const char* from, const char* to);
int sn_removeFile(const char* path);
/// EEXIST: there is something of this name.
int sn_createFolder(const char* path);
/// Calls `each` with the names of what is in a folder; none where there is no folder.
void sn_listFolder(const char* path, void (*each)(const char* name, void* user), void* user);

/// The whole path of something that is there, its links followed, with "/" alone between its parts.
bool sn_realPath(const char* path, char real[SN_PATH_SIZE]);
bool sn_currentFolder(char path[SN_PATH_SIZE]);

/// The words of an errno.
const char* sn_errorText(int reason, char* text, size_t size);

/// A stream into memory.
typedef struct snCapture {
    FILE* file;
    char* text; ///< once it is ended, closed by a 0 that `size` does not count; for free(). NULL: no memory
    size_t size;
} snCapture;

bool sn_beginCapture(snCapture* capture);
void sn_endCapture(snCapture* capture);

#endif
