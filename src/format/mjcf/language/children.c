// The children of an element: each kind has its reader.
#include "format/mjcf/language/newer.h"
#include "format/mjcf/language/reading.h"
#include "model/rules.h"
#include <stdio.h>
#include <string.h>

static const char* const bodies[] = {"body", "frame", "replicate"};

static bool unknownChild(snReader* r, const snXmlNode* node, const snXmlNode* parent, const snChild* children,
                         int nchildren)
{
    if (sn_isNewerElement(node)) return sn_mjcfNewer(r, node, NULL);
    for (int i = 0; i < 3 && !parent->parent; i++) // which MuJoCo drops without a word
        if (!strcmp(node->tag, bodies[i]))
            return sn_mjcfFail(r, node, SN_STATUS_MODEL, "it stands beside <worldbody>: put it into that");
    snGuess guess = {node->tag, NULL, 0};
    for (int i = 0; i < nchildren; i++) sn_guess(&guess, children[i].tag);
    if (guess.best)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "unknown element in <%s>, did you mean <%s>?",
                           parent->tag, guess.best);
    char words[200] = "";
    for (int i = 0; i < nchildren && nchildren <= 8; i++) {
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s<%s>", i ? ", " : "; it may hold ", children[i].tag);
    }
    return sn_mjcfFail(r, node, SN_STATUS_MODEL, "unknown element in <%s>%s", parent->tag, words);
}

static bool readChild(snReader* r, const snXmlNode* node, const snXmlNode* parent, const snChild* children,
                      int nchildren, uint64_t* seen, void* context)
{
    int i = 0;
    while (i < nchildren && strcmp(children[i].tag, node->tag)) i++;
    const bool newer = !sn_means(r->spec->physics, SN_RULE_NEWER_NAMES) && sn_isReadNewer(node);
    if (i == nchildren || newer) return unknownChild(r, node, parent, children, nchildren);
    if (children[i].unique && (*seen >> i & 1))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "only one may stand in <%s>, join them", parent->tag);
    *seen |= (uint64_t)1 << i;
    return children[i].read ? children[i].read(r, node, context) : sn_mjcfLater(r, node, NULL);
}

bool sn_readChildren(snReader* r, const snXmlNode* parent, const snChild* children, int nchildren,
                     void* context)
{
    uint64_t seen = 0;
    bool good = true;
    for (const snXmlNode* node = parent->first; node; node = node->next) {
        if (readChild(r, node, parent, children, nchildren, &seen, context)) continue;
        if (!sn_mjcfGoOn(r)) return false;
        good = false;
    }
    return good || sn_mjcfGoOnHere(r);
}

bool sn_readNoChildren(const snReader* r, const snXmlNode* node)
{
    if (!node->first) return true;
    if (sn_isNewerElement(node->first)) return sn_mjcfNewer(r, node->first, NULL);
    return sn_mjcfFail(r, node->first, SN_STATUS_MODEL, "unknown element, <%s> has no children", node->tag);
}
