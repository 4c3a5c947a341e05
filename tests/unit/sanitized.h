// Whether a sanitizer watches. It looks at memory, which all cases of a sweep over numbers use alike, and
// takes ten times as long: such sweeps are shorter there.
#ifndef SINEW_TEST_SANITIZED_H
#define SINEW_TEST_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
