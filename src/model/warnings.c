#include "model/warnings.h"
#include <string.h>
#include "base/error.h"
#include "base/memory.h"

// What a sentence says of its element: behind "<tag name="..">: ".
static const char* said(const char* sentence)
{
    const char* colon = strstr(sentence, ">: ");
    return colon ? colon : sentence;
}

bool sn_sameOfCopies(const char* a, const char* b)
{
    const size_t tag = strcspn(a, " >");
    return tag == strcspn(b, " >") && !memcmp(a, b, tag) && !strcmp(said(a), said(b));
}

static bool isKnown(const snWarnings* w, const snError* warning)
{
    for (int i = 0; i < w->count; i++) {
        const snModelWarning* other = &w->list[i];
        if (other->line == warning->line && !strcmp(other->file, warning->file) &&
            sn_sameOfCopies(other->message, warning->message))
            return true;
    }
    return false;
}

// Room for one more, which grows by doubling.
static bool growList(snWarnings* w)
{
    if (w->count & (w->count - 1)) return true;
    const size_t size = (size_t)w->count * sizeof *w->list;
    snModelWarning* list = sn_realloc(w->list, size, w->count ? 2 * size : sizeof *list);
    if (list) w->list = list;
    return list != NULL;
}

static bool append(snWarnings* w, const snError* warning)
{
    const size_t nmessage = strlen(warning->message) + 1, nfile = strlen(warning->file) + 1;
    char* text = growList(w) ? sn_malloc(nmessage + nfile) : NULL;
    if (!text) return false;
    memcpy(text, warning->message, nmessage);
    memcpy(text + nmessage, warning->file, nfile);
    w->list[w->count++] = (snModelWarning){text + nmessage, warning->line, text};
    return true;
}

bool sn_addWarning(const snLoadOptions* options, snError* warning)
{
    if (options && options->strict) return false;
    snWarnings* w = options ? options->warnings : NULL;
    if (!w || isKnown(w, warning)) return true;
    if (w->count == SN_MOST_WARNINGS) {
        w->more++;
        return true;
    }
    if (append(w, warning)) return true;
    sn_fail(warning, SN_STATUS_NO_MEMORY, "out of memory");
    return false;
}

void sn_freeWarnings(snWarnings* warnings)
{
    if (!warnings) return;
    for (int i = 0; i < warnings->count; i++) sn_free((char*)warnings->list[i].message);
    sn_free(warnings->list);
    *warnings = (snWarnings){NULL, 0, 0};
}
