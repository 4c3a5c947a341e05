#include "base/utf8.h"
#include <stdio.h>
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

size_t sn_plainSize(const char* text)
{
    size_t n = 0;
    while (text[n] >= 0x20 && text[n] < 0x7f) n++;
    return n;
}

uint32_t sn_codePoint(const char* text, int size)
{
    const unsigned char* t = (const unsigned char*)text;
    uint32_t code = size > 1 ? *t & (0x7fu >> size) : *t;
    for (int i = 1; i < size; i++) code = code << 6 | (t[i] & 0x3f);
    return code;
}

// Characters that are not seen, but change how the text around them is: its direction, its lines, its width.
static bool isUnseen(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } unseen[] = {
        {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},   {0x115f, 0x1160}, {0x17b4, 0x17b5},
        {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},
        {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3},
        {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen && code >= unseen[i].first; i++)
        if (code <= unseen[i].last) return true;
    return false;
}

int sn_printableCharacter(const char* text, char printable[SN_PRINTABLE_SIZE])
{
    const unsigned char* t = (const unsigned char*)text;
    const int size = sn_characterSize(text, (int)strnlen(text, 4));
    const int used = size ? size : 1;
    const uint32_t code = size ? sn_codePoint(text, size) : 0;
    // C0 and delete are one byte, C1 is U+0080 to U+009F
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0), unseen = !control && isUnseen(code);
    if (unseen) {
        snprintf(printable, SN_PRINTABLE_SIZE, code > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)code);
        return size;
    }
    if (size && !control) {
        memcpy(printable, text, (size_t)size);
        printable[size] = 0;
        return size;
    }
    for (int i = 0, at = 0; i < used; i++)
        at += snprintf(printable + at, SN_PRINTABLE_SIZE - (size_t)at, "\\x%02x", t[i]);
    return used;
}

void sn_printable(char* to, size_t size, const char* text, bool lines)
{
    char next[SN_PRINTABLE_SIZE];
    size_t used = 0;
    while (*text) {
        const int n = sn_printableCharacter(text, next);
        if (*text == '\t' || (*text == '\n' && lines)) memcpy(next, text, 1), next[1] = 0;
        const size_t length = strlen(next);
        if (used + length >= size) break;
        memcpy(to + used, next, length);
        used += length;
        text += n;
    }
    if (size) to[used] = 0;
}
