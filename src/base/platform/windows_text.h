// Texts of Windows, which are UTF-16, and its errors.
#ifndef SINEW_BASE_PLATFORM_WINDOWS_TEXT_H
#define SINEW_BASE_PLATFORM_WINDOWS_TEXT_H

#define WIN32_LEAN_AND_MEAN
#include <stdbool.h>
#include <stddef.h>
#include <windows.h>
#include "base/platform/path.h"

enum { SN_WIDE_SIZE = SN_PATH_SIZE + 8 }; ///< room for any path as Windows takes it

/// A text as UTF-16, its closing 0 included; false: no UTF-8, or it does not fit.
bool sn_wide(const char* text, wchar_t* wide, size_t size);
/// A path as functions of Windows take it, also where it is long. false, with errno: it is none.
bool sn_widePath(const char* path, wchar_t wide[SN_WIDE_SIZE]);
/// A text as UTF-8; false: it does not fit.
bool sn_narrow(const wchar_t* wide, char* text, size_t size);
/// The same in memory of its own, to free with free(); NULL: out of memory.
char* sn_narrowCopy(const wchar_t* wide);

/// The errno that says what GetLastError does.
int sn_errnoOf(DWORD error);

#endif
