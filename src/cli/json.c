#include "cli/json.h"
#include <stdio.h>
#include <stdlib.h>
#include "base/utf8.h"
#include "cli/cli.h"

static bool starved; // an allocation has failed since the document was begun

static void* allocate(size_t size)
{
    void* block = malloc(size);
    starved |= !block;
    return block;
}

cJSON* cli_newJson(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){allocate, free});
    starved = false;
    return cJSON_CreateObject();
}

bool cli_jsonLacksMemory(void)
{
    return starved;
}

// A character that no terminal may get, as JSON has it: one above U+FFFF as two halves.
static void putEscaped(const char* text, int size)
{
    const uint32_t code = sn_characterSize(text, size) == size ? sn_codePoint(text, size) : 0xfffd;
    if (code > 0xffff) printf("\\u%04x", (unsigned)(0xd7c0 + (code >> 10)));
    printf("\\u%04x", (unsigned)(code > 0xffff ? 0xdc00 + (code & 0x3ff) : code));
}

// cJSON writes control characters of one byte as JSON wants them, others as they are; and it does not look
// whether a name is UTF-8.
static void putText(const char* text)
{
    char next[SN_PRINTABLE_SIZE];
    while (*text) {
        const size_t plain = *text == '\n' || *text == '\t' ? 1 : sn_plainSize(text);
        fwrite(text, 1, plain, stdout);
        text += plain;
        if (plain) continue;
        const int n = sn_printableCharacter(text, next);
        if (*next != '\\')
            fputs(next, stdout);
        else
            putEscaped(text, n);
        text += n;
    }
    putchar('\n');
}

int cli_printJson(cJSON* json)
{
    char* text = cJSON_Print(json);
    cJSON_Delete(json);
    if (text && !starved) putText(text);
    cJSON_free(text);
    return text && !starved ? CLI_DONE : cli_fail(CLI_BAD_INPUT, "out of memory for the JSON");
}
