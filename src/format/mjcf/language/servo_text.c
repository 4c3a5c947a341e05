#include "format/mjcf/language/servo_text.h"

bool sn_readServoText(const char* data, snOption* opt, snTextMistake* mistake)
{
    static const char* const words[] = {
#define X(name, value, keyword, meaning) [value] = keyword,
        SN_SERVO_TABLE(X)
#undef X
    };
    const int word = sn_readOnlyWord(data, "servo", "", words, sizeof words / sizeof *words, mistake);
    if (word >= 0) opt->servo = word;
    return word >= 0;
}
