// Status codes, the error record, and the export mark that every public header uses.
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A library for Windows marks what it exports while it is built (SINEW_BUILDING): all of it functions, which
// need no mark where they are called.
#if defined(_WIN32) && defined(SINEW_BUILDING)
#define SN_API __declspec(dllexport)
#elif defined(SINEW_STATIC) || defined(_WIN32) || !defined(__GNUC__)
#define SN_API
#else
#define SN_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SN_VERSION_MAJOR 0
#define SN_VERSION_MINOR 2
#define SN_VERSION_PATCH 0

// X(name, value, text)
// clang-format off
#define SN_STATUS_TABLE(X) \
    X(OK,            0, "done") \
    X(NO_MEMORY,     1, "out of memory") \
    X(FILE,          2, "a file cannot be read or written") \
    X(SYNTAX,        3, "the text is not well formed") \
    X(MODEL,         4, "the model is wrong") \
    X(UNSUPPORTED,   5, "not supported yet") \
    X(ARGUMENT,      6, "a wrong argument")
// clang-format on

typedef enum snStatus {
#define X(name, value, text) SN_STATUS_##name = value,
    SN_STATUS_TABLE(X)
#undef X
} snStatus;

/// What went wrong and where. The caller owns it; a function that can fail fills it when it fails and
/// leaves it alone when it succeeds. `message` is a whole sentence for a person and already holds file,
/// line and element; `file` and `line` repeat the place for programs.
typedef struct snError {
    snStatus status;
    int line;           ///< 1-based line in `file`; 0: no line
    char file[256];     ///< file or asset name; "": none
    char message[4096]; ///< UTF-8 without control characters but line ends (others are written as "\x1b"),
                        ///< 0-terminated; several mistakes of a model file stand a line each
} snError;

/// Fixed English text of a status code; never NULL.
SN_API const char* sn_statusText(snStatus status);

/// Version of the library as "major.minor.patch".
SN_API const char* sn_version(void);

/// The kind of processor whose code runs: "v2", "v3", "v4" of x86-64 (SSE4.2; AVX2; AVX-512), "plain"
/// elsewhere. It changes time, never a bit. The environment's SINEW_CPU, read once, takes a lower one.
SN_API const char* sn_cpu(void);

#ifdef __cplusplus
}
#endif
#endif
