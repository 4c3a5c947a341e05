// FNV-1a: short hashes of names, and the layout numbers of binary files. Hashes of many bytes by words.
#ifndef SINEW_BASE_HASH_H
#define SINEW_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SN_HASH_START 0xcbf29ce484222325u ///< what sn_hashText is given first

/// Hash of a name of so many bytes among others of its kind.
static inline unsigned sn_hashPart(int kind, const char* name, size_t size)
{
    unsigned hash = 2166136261u ^ (unsigned)kind;
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash;
}

static inline unsigned sn_hashName(int kind, const char* name)
{
    return sn_hashPart(kind, name, strlen(name));
}

/// `hash` carried on over a text and its closing 0.
static inline uint64_t sn_hashText(uint64_t hash, const char* text)
{
    do {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    } while (*text++);
    return hash;
}

/// `hash` carried on over the four bytes of a number, the lowest first.
static inline uint64_t sn_hashNumber(uint64_t hash, int number)
{
    for (int i = 0; i < 4; i++) hash = (hash ^ ((unsigned)number >> 8 * i & 0xff)) * 0x100000001b3u;
    return hash;
}

/// `hash` carried on over bytes.
static inline uint64_t sn_hashBytes(uint64_t hash, const void* data, size_t size)
{
    const unsigned char* at = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/// `hash` carried on over bytes in words of 8, the lowest byte first, the last one filled up with 0. Each
/// step is a bijection of the hash for a given word and of the word for a given hash, so that no change
/// within a single word goes unseen.
static inline uint64_t sn_hashWords(uint64_t hash, const void* data, size_t size)
{
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, (const char*)data + i, size - i < 8 ? size - i : 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

#endif
