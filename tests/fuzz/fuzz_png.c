// Any bytes as a PNG file; and once more with the checksums of its chunks put right, which chance does not
// find.
#include "base/memory.h"
#include "format/image/png.h"
#include "fuzz_file.h"

static void tryPng(const uint8_t* bytes, size_t size)
{
    static const int channels[] = {1, 3, 4};
    for (int i = 0; i < 3; i++) {
        snImage image;
        snError error = {.status = SN_STATUS_OK};
        const snStatus status = sn_readPng("a.png", bytes, size, channels[i], &image, &error);
        if (status) {
            requireReason(status, &error);
            require(!image.pixels);
            continue;
        }
        require(image.width > 0 && image.height > 0 && image.channels == channels[i]);
        const size_t n = (size_t)image.width * (size_t)image.height * (size_t)image.channels;
        size_t sum = 0; // every byte is there
        for (size_t k = 0; k < n; k++) sum += image.pixels[k];
        require(sum <= 255 * n);
        sn_free(image.pixels);
    }
}

static uint32_t checksum(const uint8_t* bytes, size_t n)
{
    uint32_t crc = ~0u;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    tryPng(bytes, size);
    if (size < 8) return 0;
    uint8_t* copy = copyOf(bytes, size, size);
    memcpy(copy, signature, 8);
    for (size_t at = 8; size - at >= 12;) {
        const size_t n =
            (size_t)copy[at] << 24 | (size_t)copy[at + 1] << 16 | (size_t)copy[at + 2] << 8 | copy[at + 3];
        if (n > size - at - 12) break;
        const uint32_t crc = checksum(copy + at + 4, n + 4);
        for (int k = 0; k < 4; k++) copy[at + 8 + n + (size_t)k] = (uint8_t)(crc >> (24 - 8 * k));
        at += 12 + n;
    }
    tryPng(copy, size);
    free(copy);
    return 0;
}
