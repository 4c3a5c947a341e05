// What is said of an element when something is wrong.
#include "base/error.h"
#include "format/mjcf/language/reading.h"
#include "model/rules.h"
#include "model/warnings.h"
#include <stdio.h>
#include <string.h>

bool sn_mjcfMistake(const snReader* r, const snXmlNode* node, const snError* why)
{
    if (!r->spec->blamed) r->spec->blamed = node;
    if (r->mistakes && why->status != SN_STATUS_NO_MEMORY)
        sn_addMistake(r->mistakes, node, why->status, why->message);
    else if (r->error)
        *r->error = *why;
    if (r->mistakes && why->status == SN_STATUS_NO_MEMORY) r->mistakes->over = true;
    return false;
}

bool sn_mjcfGoOn(const snReader* r)
{
    return r->mistakes && !r->mistakes->over && r->mistakes->nseen < SN_MOST_MISTAKES;
}

bool sn_mjcfGoOnHere(const snReader* r)
{
    return sn_mjcfGoOn(r) && !r->expanding;
}

// The sentence about an element: which one, what, where.
static snError sentence(const snXmlNode* node, snStatus status, const char* format, va_list args)
{
    char text[500];
    snError why;
    vsnprintf(text, sizeof text, format, args);
    const char* name = sn_xmlAttribute(node, "name");
    if (name && *name)
        sn_failAt(&why, status, node->place.file, node->place.line, "<%s name=\"%s\">: %s",
                  sn_short(node->tag).text, sn_short(name).text, text);
    else
        sn_failAt(&why, status, node->place.file, node->place.line, "<%s>: %s", sn_short(node->tag).text,
                  text);
    return why;
}

bool sn_mjcfFail(const snReader* r, const snXmlNode* node, snStatus status, const char* format, ...)
{
    if (r->mistakes && r->mistakes->spoilt == node) return false;
    va_list args;
    va_start(args, format);
    const snError why = sentence(node, status, format, args);
    va_end(args);
    return sn_mjcfMistake(r, node, &why);
}

bool sn_mjcfWarn(const snReader* r, const snXmlNode* node, const char* format, ...)
{
    const bool strict = r->options && r->options->strict;
    r->spec->warned |= !r->expanding;
    if (r->spec->loading && !r->expanding && !strict) return true;
    va_list args;
    va_start(args, format);
    snError why = sentence(node, SN_STATUS_MODEL, format, args);
    va_end(args);
    return sn_addWarning(r->options, &why) || sn_mjcfMistake(r, node, &why);
}

bool sn_mjcfOutdated(const snReader* r, const snXmlNode* node, const char* what)
{
    return !sn_means(r->spec->physics, SN_RULE_REFUSED) || sn_mjcfWarn(r, node, "4.0 refuses this: %s", what);
}

bool sn_mjcfFailInside(const snReader* r, const snXmlNode* node, const snError* why)
{
    snError line = {.status = why->status};
    const char* next = strchr(why->message, '\n');
    const int first = next ? (int)(next - why->message) : (int)strlen(why->message);
    if (why->status == SN_STATUS_NO_MEMORY) return sn_mjcfNoMemory(r);
    sn_mjcfFail(r, node, why->status, "%.*s", first, why->message);
    while (r->mistakes && next) {
        const char* begin = next + 1;
        next = strchr(begin, '\n');
        const int n = next ? (int)(next - begin) : (int)strlen(begin);
        snprintf(line.message, sizeof line.message, "%.*s", n, begin);
        sn_mjcfMistake(r, node, &line);
    }
    return false;
}

bool sn_mjcfNoMemory(const snReader* r)
{
    snError why;
    sn_fail(&why, SN_STATUS_NO_MEMORY, "out of memory");
    return sn_mjcfMistake(r, NULL, &why);
}

const char* sn_mjcfWhyNewer(const snReader* r)
{
    return sn_means(r->spec->physics, SN_RULE_NEWER_NAMES) ? "is not supported yet"
                                                           : "came after the MJCF that Sinew reads (3.3.7)";
}

// What came after 3.3.7 and is gone in 4.0.1, and what does its work.
static const char* insteadOf(const snXmlNode* node)
{
    return strcmp(node->tag, "flexvert") ? NULL : "<flex>, which holds the lengths of edges";
}

bool sn_mjcfNewer(const snReader* r, const snXmlNode* node, const char* attribute)
{
    if (!attribute && insteadOf(node))
        return sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED, "it is neither in 3.3.7 nor in 4.0.1: write %s",
                           insteadOf(node));
    const char *quote = attribute ? "'" : "", *what = attribute ? attribute : "it";
    const bool reads = sn_means(r->spec->physics, SN_RULE_NEWER_NAMES);
    return sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED, "%s%s%s %s, remove it%s", quote, what, quote,
                       sn_mjcfWhyNewer(r), reads ? "" : " or choose physics 4.0");
}

bool sn_mjcfLater(const snReader* r, const snXmlNode* node, const char* attribute)
{
    snError why;
    const snPlace place = node->place;
    const char* name = sn_xmlAttribute(node, "name");
    if (attribute)
        sn_failAt(&why, SN_STATUS_UNSUPPORTED, place.file, place.line,
                  "not supported yet: '%s' of <%s> (remove it)", attribute, node->tag);
    else if (name && *name)
        sn_failAt(&why, SN_STATUS_UNSUPPORTED, place.file, place.line,
                  "not supported yet: <%s name=\"%s\"> (remove it)", node->tag, sn_short(name).text);
    else
        sn_failAt(&why, SN_STATUS_UNSUPPORTED, place.file, place.line, "not supported yet: <%s> (remove it)",
                  node->tag);
    return sn_mjcfMistake(r, node, &why);
}
