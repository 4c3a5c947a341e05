// A fuzzer without libFuzzer, for every test run: each file of the folders that are named, as it is and
// changed by the fuzzer's own mutator or a plain one, from a fixed seed. Under sanitizers nothing may show.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CHANGES = 100, CHANGES_LONG = 3000, ROOM = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                                     unsigned seed);

static uint32_t seed = 1;

static size_t pick(size_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % (below ? below : 1);
}

// Puts text in the place of `old` bytes at `at`, as far as there is room.
static size_t splice(uint8_t* data, size_t size, size_t room, size_t at, size_t old, const char* text)
{
    const size_t n = strlen(text);
    if (size - old + n > room) return size;
    memmove(data + at + n, data + at + old, size - at - old);
    memcpy(data + at, text, n);
    return size - old + n;
}

// A number of the text becomes another one.
static size_t changeNumber(uint8_t* data, size_t size, size_t room)
{
    static const char* const numbers[] = {"0",          "1",   "-1",   "2",   "255", "65536", "2147483647",
                                          "4294967296", "-.5", "1e39", "nan", "inf", "",      "1 2"};
    size_t at = pick(size), end;
    while (at < size && (data[at] < '0' || data[at] > '9')) at++;
    for (end = at; end < size && data[end] >= '0' && data[end] <= '9';) end++;
    return splice(data, size, room, at, end - at, numbers[pick(sizeof numbers / sizeof *numbers)]);
}

// Some byte is another one, a number another one, or the end is missing.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size)
{
    static const uint8_t bytes[] = {0, 1, 2, 0x7f, 0x80, 0xff, '<', '"', '-', '9', '\n'};
    if (size == 0) return 0;
    switch (pick(8)) {
    case 0: return pick(size);
    case 1:
    case 2: data[pick(size)] ^= (uint8_t)(1u << pick(8)); return size;
    case 3:
    case 4: data[pick(size)] = bytes[pick(sizeof bytes)]; return size;
    default: return changeNumber(data, size, max_size);
    }
}

// A copy of the exact size, so that a read beyond it shows.
static void try(const uint8_t* bytes, size_t size)
{
    uint8_t* copy = malloc(size ? size : 1);
    if (!copy) abort();
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void tryChanged(const uint8_t* bytes, size_t size)
{
    const size_t room = size + (LLVMFuzzerCustomMutator ? 1u << 20 : ROOM);
    const int changes = getenv("SINEW_LONG") ? CHANGES_LONG : CHANGES;
    uint8_t* work = malloc(room);
    if (!work) abort();
    for (int k = 0; k < changes; k++) {
        size_t n = size;
        memcpy(work, bytes, size);
        for (size_t more = 1 + pick(3); more > 0; more--)
            n = LLVMFuzzerCustomMutator ? LLVMFuzzerCustomMutator(work, n, room, (unsigned)pick(1u << 24))
                                        : LLVMFuzzerMutate(work, n, room);
        try(work, n);
    }
    free(work);
}

// Returns how many files it was: 1, or 0 for what is none.
static int tryFile(const char* path)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
    FILE* file = fopen(path, "rb");
    const size_t size = (size_t)about.st_size;
    uint8_t* bytes = malloc(size ? size : 1);
    if (!file || !bytes || fread(bytes, 1, size, file) != size) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    seed = (uint32_t)size + 1;
    try(bytes, size);
    tryChanged(bytes, size);
    free(bytes);
    return 1;
}

int main(int argc, char** argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        struct dirent** entry;
        const int n = scandir(argv[i], &entry, NULL, alphasort);
        for (int k = 0; k < n; k++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], entry[k]->d_name);
            count += tryFile(path);
            free(entry[k]);
        }
        if (n >= 0) free(entry);
    }
    printf("%d files\n", count);
    return count ? 0 : 1;
}
