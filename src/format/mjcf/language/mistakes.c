#include "format/mjcf/language/mistakes.h"
#include <stdio.h>
#include <string.h>
#include "model/warnings.h"

static bool isCopy(const snMistakes* m, const snElement* node, const char* sentence)
{
    for (int i = 0; i < m->nkept; i++) {
        const snElement* other = m->list[i].node;
        if (other->place.line == node->place.line && !strcmp(other->place.file, node->place.file) &&
            sn_sameOfCopies(m->text + m->list[i].at, sentence))
            return true;
    }
    return false;
}

void sn_addMistake(snMistakes* m, const snElement* node, snStatus status, const char* sentence)
{
    m->nseen++;
    if (isCopy(m, node, sentence)) return;
    m->count++;
    const size_t size = strlen(sentence) + 1;
    if (m->nkept == SN_TOLD_MISTAKES || size > sizeof m->text - m->used) return;
    memcpy(m->text + m->used, sentence, size);
    m->list[m->nkept++] = (snMistake){node, status, m->used};
    m->used += size;
}

#define REST_ROOM 40 // for the line "and at least N more"

void sn_clearMistakes(snMistakes* m)
{
    m->count = m->nkept = m->nseen = 0;
    m->used = 0;
    m->over = false;
    m->spoilt = NULL;
}

bool sn_addErrorLine(snError* error, const char* line)
{
    const size_t used = strlen(error->message), size = strlen(line) + 2;
    if (used + size + REST_ROOM > sizeof error->message) return false;
    error->message[used] = '\n';
    memcpy(error->message + used + 1, line, size - 1);
    return true;
}

void sn_addErrorRest(snError* error, int more, bool least)
{
    const size_t used = strlen(error->message);
    if (more > 0)
        snprintf(error->message + used, sizeof error->message - used, "\nand %s%d more",
                 least ? "at least " : "", more);
}

static void tell(const snMistakes* m, int i, int* told, snError* error)
{
    const snMistake* mistake = &m->list[i];
    const char* sentence = m->text + mistake->at;
    if (*told) {
        *told += sn_addErrorLine(error, sentence);
        return;
    }
    const snPlace place = mistake->node->place;
    sn_failAt(error, mistake->status, place.file, place.line, "%s", "");
    snprintf(error->message, sizeof error->message - REST_ROOM, "%s", sentence);
    *told = 1;
}

void sn_tellMistakes(const snMistakes* m, const snElement* root, snError* error)
{
    if (!error) return;
    bool done[SN_TOLD_MISTAKES] = {false};
    int told = 0;
    for (const snElement* e = root; e; e = sn_nextInTree(root, e))
        for (int i = 0; i < m->nkept; i++) {
            if (m->list[i].node != e) continue;
            tell(m, i, &told, error);
            done[i] = true;
        }
    for (int i = 0; i < m->nkept; i++) // settings of what was attached, out of the tree
        if (!done[i]) tell(m, i, &told, error);
    sn_addErrorRest(error, m->count - told, m->nseen >= SN_MOST_MISTAKES);
}
