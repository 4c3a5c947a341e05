// How the names of MuJoCo's interface are marked, those that Sinew has and those that it has not.
#ifndef SINEW_MUJOCO_MJEXPORT_H
#define SINEW_MUJOCO_MJEXPORT_H

#include <sinew/base.h>

#if defined(_WIN32) && defined(SINEW_MUJOCO_INSIDE)
#define MJAPI __declspec(dllexport)
#elif defined(_WIN32) // variables, too
#define MJAPI __declspec(dllimport)
#else
#define MJAPI SN_API
#endif
#define MJLOCAL

// What is marked with it cannot be used: the compiler says why.
#if defined(__has_attribute)
#if __has_attribute(unavailable)
#define SINEW_ABSENT(reason) __attribute__((unavailable("not in Sinew: " reason)))
#endif
#endif

// A member that MuJoCo lays out otherwise: where nothing can be marked it has another name.
#ifdef SINEW_ABSENT
#define SINEW_OTHER(name, instead) name SINEW_ABSENT("laid out otherwise; " instead)
#else
#define SINEW_OTHER(name, instead) sinew_##name
#endif

// A cast that no warning of C++ minds.
#ifdef __cplusplus
#define SINEW_CAST(type, value) reinterpret_cast<type>(value)
#else
#define SINEW_CAST(type, value) ((type)(value))
#endif

#endif
