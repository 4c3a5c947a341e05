// Sweeps that compare numbers: all of them where these are as users have them. Sanitizers watch memory, which
// each case of such a sweep uses alike, and take ten times as long: there every third.
#ifndef SINEW_TEST_STRIDE_H
#define SINEW_TEST_STRIDE_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STRIDE = 3 };
#else
enum { STRIDE = 1 };
#endif

#endif
