// Libraries that are loaded while the program runs.
#ifndef SINEW_BASE_PLATFORM_LIBRARY_H
#define SINEW_BASE_PLATFORM_LIBRARY_H

#include <stddef.h>

/// Loads a library by its whole path; one that is loaded already is the same. NULL: `why` says why not.
void* sn_openLibrary(const char* path, char* why, size_t size);
void sn_closeLibrary(void* library);
/// The address of a function; NULL: it has none of this name.
void (*sn_librarySymbol(void* library, const char* name))(void);
/// Lets libraries that are loaded from here on find the functions of the one that has `function`.
void sn_showLibraryOf(void (*function)(void));

#endif
