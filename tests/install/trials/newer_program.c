// A program with one version of the library that loads a library with another: newer_program LIBRARY MODEL.
#include <dlfcn.h>
#include "both.h"

int main(int argc, char** argv)
{
    if (argc != 3) return 2;
    tell("program", argv[2]);
    void* library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    void (*loaded)(const char*) = library ? (void (*)(const char*))dlsym(library, "tellOfElder") : NULL;
    if (!loaded) return puts(dlerror()), 1;
    loaded(argv[2]);
    tell("program", argv[2]);
    return 0;
}
