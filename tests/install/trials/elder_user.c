// A library that was linked with an older version.
#include "both.h"

void tellOfElder(const char* path);

void tellOfElder(const char* path)
{
    tell("library", path);
}
