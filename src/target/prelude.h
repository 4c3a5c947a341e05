// Forced in front of every file that is compiled once for each target: those that say so in one of their
// first two lines (`For each target`), by which CMake collects them. In each of these compilations the
// functions that such files define have names of their own, sn_dot_v3; the plain name is a call through the
// table of the target that suits the processor (stubs.c). Where SINEW_TARGETS is off such files are
// compiled once, as all others.
//
// A target changes time, never a bit: no products are fused with sums, and sums have one order.
#ifndef SINEW_TARGET_PRELUDE_H
#define SINEW_TARGET_PRELUDE_H

// SN_TARGET(sn_dot) is sn_dot_v3; for x86-64-v4 only some files are compiled, the others are those for v3.
#define SN_TARGET_PASTE(name, suffix) name##suffix
#define SN_TARGET_WITH(name, suffix) SN_TARGET_PASTE(name, suffix)
#define SN_TARGET(name) SN_TARGET_WITH(name, SN_TARGET_SUFFIX)
#define SN_WIDE_TARGET(name) SN_TARGET_WITH(name, SN_WIDE_TARGET_SUFFIX)
#include "target/names.h"

// What a target defines stays inside of the library.
#include <sinew/base.h>
#undef SN_API
#define SN_API

#endif
