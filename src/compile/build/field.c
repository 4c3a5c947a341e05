#include "compile/build/field.h"

bool sn_buildSubject(snBuild* b, const char* field, const char* ours, const char** subject)
{
    size_t prefix;
    const char* rest = sn_fieldSubject(field, ours, &prefix);
    *subject = NULL;
    if (!rest) return true;
    const size_t length = strlen(rest);
    char* text = sn_specAlloc(b->spec, prefix + length + 1);
    if (!text) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    memcpy(text, field, prefix);
    memcpy(text + prefix, rest, length + 1);
    *subject = text;
    return true;
}

bool sn_buildFailText(snBuild* b, const snSpecText* text, const snTextMistake* mistake)
{
    return sn_buildFail(b, &text->head, mistake->status, "%s", mistake->text);
}
