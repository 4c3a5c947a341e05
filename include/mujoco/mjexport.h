// How the names of MuJoCo's interface are marked, those that Sinew has and those that it has not.
#ifndef SINEW_MUJOCO_MJEXPORT_H
#define SINEW_MUJOCO_MJEXPORT_H

#include <sinew/base.h>

#define MJAPI SN_API
#define MJLOCAL

// What is marked with it cannot be used: the compiler says why.
#if defined(__has_attribute)
#if __has_attribute(unavailable)
#define SINEW_ABSENT(reason) __attribute__((unavailable("not in Sinew: " reason)))
#endif
#endif

#endif
