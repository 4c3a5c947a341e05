#include "format/mjcf/language/physics_text.h"
#include "model/rules.h"

bool sn_readPhysicsText(const char* data, int* physics, snTextMistake* mistake)
{
    int count;
    const char* const* words = sn_physicsWords(&count);
    const int word = sn_readOnlyWord(data, "physics", "", words, count, mistake);
    if (word >= 0) *physics = word;
    return word >= 0;
}
