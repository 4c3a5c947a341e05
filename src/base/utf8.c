#include "base/utf8.h"
#include <string.h>

int sn_characterSize(const char* text, int n)
{
    const unsigned char* t = (const unsigned char*)text;
    const unsigned first = *t;
    if (first < 0x80) return 1;
    const int size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || size > n) return 0;
    for (int i = 1; i < size; i++)
        if ((t[i] & 0xc0) != 0x80) return 0;
    const unsigned second = t[1];
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return 0;
    if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return 0;
    return size;
}

bool sn_isXmlText(const char* text)
{
    while (*text) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20 && c != '\t' && c != '\n' && c != '\r') return false;
        const int size = sn_characterSize(text, (int)strnlen(text, 4));
        // U+FFFE and U+FFFF are no characters of XML
        if (!size || (size == 3 && !memcmp(text, "\xef\xbf", 2) && (unsigned char)text[2] >= 0xbe))
            return false;
        text += size;
    }
    return true;
}
