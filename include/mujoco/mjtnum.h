// Numbers of MuJoCo's interface: doubles, as all of Sinew's.
#ifndef SINEW_MUJOCO_MJTNUM_H
#define SINEW_MUJOCO_MJTNUM_H

#include <stdint.h>

#ifdef mjUSESINGLE
#error "Sinew computes in double precision: compile without mjUSESINGLE"
#endif

typedef double mjtNum;
typedef unsigned char mjtByte;
typedef uint64_t mjtSize;

#define mjMINVAL 1e-15

#endif
