// Opens the library, simulates with threads, and closes it, time after time; prints what the process has
// after the first ten times and at the end, a line each, and whether the library is still there.
//   open_and_close LIBRARY MODEL TIMES
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 2000, SETTLED = 10 };

// A function of the library that is open, of the type that its header says.
#define FUNCTION(library, name) ((__typeof__(&name))dlsym(library, #name))

// A number of /proc/self/status, whose line begins so.
static long status(const char* line)
{
    FILE* file = fopen("/proc/self/status", "r");
    char text[256];
    long value = -1;
    while (file && fgets(text, sizeof text, file))
        if (!strncmp(text, line, strlen(line))) value = atol(text + strlen(line));
    if (file) fclose(file);
    return value;
}

static int lines(const char* path)
{
    FILE* file = fopen(path, "r");
    int n = 0;
    for (int c = 0; file && (c = getc(file)) != EOF;) n += c == '\n';
    if (file) fclose(file);
    return n;
}

static int entries(const char* path)
{
    DIR* folder = opendir(path);
    int n = 0;
    while (folder && readdir(folder)) n++;
    if (folder) closedir(folder);
    return n;
}

// How many keys of threads are still to be had.
static int spareKeys(void)
{
    static pthread_key_t keys[MOST_KEYS];
    int n = 0;
    while (n < MOST_KEYS && !pthread_key_create(&keys[n], NULL)) n++;
    for (int i = 0; i < n; i++) pthread_key_delete(keys[i]);
    return n;
}

static void fail(const char* why)
{
    puts(why);
    exit(1);
}

static void simulate(void* library, const char* path)
{
    snError error;
    snThreadPool* pool = FUNCTION(library, sn_makeThreadPool)(3);
    snModel* m = FUNCTION(library, sn_loadModel)(path, NULL, &error);
    if (!m) fail(error.message);
    snData* d = FUNCTION(library, sn_makeData)(m);
    if (!d || !pool) fail("out of memory");
    d->pool = pool;
    for (int i = 0; i < 3; i++) FUNCTION(library, sn_step)(m, d);
    if (FUNCTION(library, sn_loadModel)("none.xml", NULL, &error)) fail("a file that is not there loads");
    FUNCTION(library, sn_deleteData)(d);
    FUNCTION(library, sn_deleteModel)(m);
    FUNCTION(library, sn_deleteThreadPool)(pool);
}

static void print(const char* library)
{
    const int there = dlopen(library, RTLD_NOW | RTLD_NOLOAD) != NULL;
    printf("resident %ld space %ld threads %ld maps %d files %d keys %d there %d\n", status("VmRSS:"),
           status("VmSize:"), status("Threads:"), lines("/proc/self/maps"), entries("/proc/self/fd"),
           spareKeys(), there);
}

int main(int argc, char** argv)
{
    const int times = argc == 4 ? atoi(argv[3]) : 0;
    if (times <= SETTLED) fail("open_and_close LIBRARY MODEL TIMES");
    for (int i = 1; i <= times; i++) {
        void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) fail(dlerror());
        simulate(library, argv[2]);
        if (dlclose(library)) fail(dlerror());
        if (i == SETTLED || i == times) print(argv[1]);
    }
    return 0;
}
