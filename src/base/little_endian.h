// Numbers of binary files, which are little-endian, at any address and on any machine.
#ifndef SINEW_BASE_LITTLE_ENDIAN_H
#define SINEW_BASE_LITTLE_ENDIAN_H

#include <stdint.h>
#include <string.h>

static inline uint32_t sn_littleU32(const void* at)
{
    const unsigned char* b = at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline int32_t sn_littleI32(const void* at)
{
    return (int32_t)sn_littleU32(at);
}

static inline float sn_littleFloat(const void* at)
{
    const uint32_t bits = sn_littleU32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
