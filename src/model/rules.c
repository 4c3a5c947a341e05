#include "model/rules.h"

static const char* const words[] = {
#define X(name, value, keyword, meaning) [value] = keyword,
    SN_PHYSICS_TABLE(X)
#undef X
};

const char* sn_physicsWord(int physics)
{
    return words[physics];
}

const char* const* sn_physicsWords(int* count)
{
    *count = sizeof words / sizeof *words;
    return words;
}
