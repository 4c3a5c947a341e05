// Macros of MuJoCo's interface. mjDISABLED and its like want a model called m where they stand.
#ifndef SINEW_MUJOCO_MJMACRO_H
#define SINEW_MUJOCO_MJMACRO_H

#define mjMAX(a, b) ((b) < (a) ? (a) : (b))
#define mjMIN(a, b) ((a) < (b) ? (a) : (b))

#define mjDISABLED(bit) (m->opt.disableflags & (bit))
#define mjENABLED(bit) (m->opt.enableflags & (bit))
#define mjACTUATORDISABLED(id) (m->opt.disableactuator & (1 << m->actuator_group[id]))

#if defined(__GNUC__)
#define mjPRINTFLIKE(format_at, first) __attribute__((format(printf, format_at, first)))
#else
#define mjPRINTFLIKE(format_at, first)
#endif

#endif
