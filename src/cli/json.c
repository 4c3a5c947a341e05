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
        const unsigned char* t = (const unsigned char*)text;
        const int n = sn_printableCharacter(text, next);
        if (*next != '\\')
            fputs(next, stdout);
        else
            printf("\\u%04x", n == 2 ? t[1] : *t == 0x7f ? 0x7fu : 0xfffdu);
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
