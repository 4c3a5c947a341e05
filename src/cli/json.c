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
    for (int n; *text; text += n) {
        n = *text == '\n' || *text == '\t' ? 1 : sn_printableCharacter(text, next);
        if (n == 1 && (*text == '\n' || *text == '\t' || *next == *text))
            putchar(*text);
        else if (*next != '\\')
            fputs(next, stdout);
        else
            printf("\\u%04x", n == 2 ? (unsigned char)text[1] : *text == 0x7f ? 0x7f : 0xfffd);
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
