// Records of the spec as they are before anything is read into them: SN_INITIAL in the place of the X of a
// table gives its members their defaults. Lists and what is no member of its own are left out.
#ifndef SINEW_FORMAT_MJCF_READ_INITIAL_H
#define SINEW_FORMAT_MJCF_READ_INITIAL_H

#define SN_INITIAL(kind, attribute, member, min, max, words, where, meaning, ...)                            \
    SN_INITIAL_##kind(member, __VA_ARGS__)

#define SN_INITIAL_SCALAR(member, ...) .member = __VA_ARGS__,
#define SN_INITIAL_NUMBERS(member, ...) .member = {__VA_ARGS__},
#define SN_INITIAL_NOTHING(member, ...)

#define SN_INITIAL_REAL SN_INITIAL_SCALAR
#define SN_INITIAL_VEC SN_INITIAL_NUMBERS
#define SN_INITIAL_FLOAT SN_INITIAL_SCALAR
#define SN_INITIAL_FVEC SN_INITIAL_NUMBERS
#define SN_INITIAL_INT SN_INITIAL_SCALAR
#define SN_INITIAL_IVEC SN_INITIAL_NUMBERS
#define SN_INITIAL_BOOL SN_INITIAL_SCALAR
#define SN_INITIAL_WORD SN_INITIAL_SCALAR
#define SN_INITIAL_TEXT SN_INITIAL_SCALAR
#define SN_INITIAL_REF SN_INITIAL_SCALAR
#define SN_INITIAL_NAMES SN_INITIAL_SCALAR
#define SN_INITIAL_LIST SN_INITIAL_NOTHING
#define SN_INITIAL_FLIST SN_INITIAL_NOTHING
#define SN_INITIAL_ILIST SN_INITIAL_NOTHING
#define SN_INITIAL_ORIENT(member, ...) .member = {.quat = {1, 0, 0, 0}},
#define SN_INITIAL_NAME SN_INITIAL_NOTHING
#define SN_INITIAL_CLASS SN_INITIAL_NOTHING
#define SN_INITIAL_LATER SN_INITIAL_NOTHING

#endif
