// Model files and what they include: one tree of elements.
#include "format/mjcf/tree/include.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/platform/files.h"
#include "model/spec/allowed.h"
#include "model/spec/spec_file.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MAX_FILES 1000   // included in one model
#define MAX_NESTING 32   // of files that include each other
#define ASSETS "assets:" // in front of the name of what is no file

typedef struct Loader {
    snReader* r;
    const char* maindir; // of the top file, with its slash; "" for the working directory
    const char*
        seen[MAX_FILES]; // what has been included: as it is called there, or names of assets behind ASSETS
    const char* files[MAX_FILES]; // where they are
    int nseen;
    int nesting;
} Loader;

// The folder of a path with its slash.
static const char* folder(snSpec* spec, const char* path)
{
    const char* slash = sn_lastSlash(path);
    return slash ? sn_poolText(&spec->tree, path, (size_t)(slash + 1 - path)) : "";
}

// dir + name, "." and ".." inside resolved as far as the text alone tells. NULL: out of memory.
static const char* join(snSpec* spec, const char* dir, const char* name)
{
    if (sn_rootSize(name)) dir = "";
    const size_t ndir = strlen(dir), nname = strlen(name);
    char* path = sn_poolAlloc(&spec->tree, ndir + nname + 1);
    if (!path) return NULL;
    snprintf(path, ndir + nname + 1, "%s%s", dir, name);
    char *out = path + sn_rootSize(path), *in = out;
    while (*in) {
        const size_t n = strcspn(in, SN_SLASHES);
        const bool last = !in[n];
        if (n == 0 || (n == 1 && in[0] == '.')) {
            // "//" and "/./" are "/"
        } else {
            memmove(out, in, n);
            out += n;
            if (!last) *out++ = '/';
        }
        in += n + !last;
    }
    *out = 0;
    return path;
}

// Takes "." and ".." out of a path by its text, in place.
static void shorten(char* path)
{
    char* const begin = path + sn_rootSize(path);
    char *out = begin, *in = begin;
    while (*in) {
        const size_t n = strcspn(in, SN_SLASHES);
        char* last = out;
        while (last > begin && last[-1] != '/') last--;
        const bool above = out > begin && strcmp(last, "..") != 0;
        if (n == 2 && !memcmp(in, "..", 2) && (above || begin > path)) {
            out = last > begin ? last - 1 : begin;
        } else if (n && (n != 1 || *in != '.')) {
            if (out > begin) *out++ = '/';
            memmove(out, in, n);
            out += n;
        }
        in += n + sn_isSlash(in[n]);
        *out = 0;
    }
}

// A path behind a folder, without "." and ".."; NULL: out of memory.
static const char* shortPath(snSpec* spec, const char* dir, const char* path)
{
    const size_t size = strlen(dir) + strlen(path) + 2;
    char* text = sn_poolAlloc(&spec->tree, size);
    if (!text) return NULL;
    if (sn_rootSize(path)) dir = "";
    snprintf(text, size, "%s%s%s", dir, *dir ? "/" : "", path);
    shorten(text);
    return text;
}

// Where a file is, by the text of its path alone: links are files of their own, as to the peer. NULL: out of
// memory.
static const char* placeOf(const Loader* l, const char* path)
{
    char here[SN_PATH_SIZE];
    return shortPath(l->r->spec, sn_currentFolder(here) ? here : "", path);
}

// Enters what an <include> names, or the top file, by what it is called; false: it was there.
static bool enter(Loader* l, const char* called, const char* file)
{
    for (int i = 0; i < l->nseen; i++)
        if (!strcmp(l->seen[i], called)) return false;
    l->seen[l->nseen] = called;
    l->files[l->nseen++] = file;
    return true;
}

// Whether the file that was entered last is one before it.
static bool isRepeated(const Loader* l)
{
    const int last = l->nseen - 1;
    for (int i = 0; i < last; i++)
        if (!strcmp(l->files[i], l->files[last])) return true;
    return false;
}

// Enters what an <include> names; false, with the error, when it was there or is NULL for want of memory. A
// file by another path, which 3.3.7 includes again, is kept to be told.
static bool enterOnce(Loader* l, const snXmlNode* node, const char* name, const char* called,
                      const char* file)
{
    if (!called || !file) return sn_mjcfNoMemory(l->r);
    if (!enter(l, called, file))
        return sn_mjcfFail(l->r, node, SN_STATUS_MODEL, "'%s' is included already", sn_short(name).text);
    if (!l->r->spec->included_again && isRepeated(l)) l->r->spec->included_again = node;
    return true;
}

static bool expand(Loader* l, snXmlNode* node);

// Parses a text as an included document.
static snXmlNode* parseIncluded(Loader* l, const snXmlNode* node, const char* path, const char* text,
                                size_t size)
{
    if (size == 0) {
        sn_mjcfFail(l->r, node, SN_STATUS_MODEL, "the file '%s' is empty", sn_short(path).text);
        return NULL;
    }
    snXmlNode* root = sn_parseXml(l->r->spec, text, size, path, node->depth - 1, l->r->options, l->r->error);
    if (root && !root->first) {
        sn_mjcfFail(l->r, node, SN_STATUS_MODEL, "the file '%s' holds no elements", sn_short(path).text);
        return NULL;
    }
    if (!root) return NULL;
    if (l->nesting == MAX_NESTING) {
        sn_mjcfFail(l->r, node, SN_STATUS_MODEL, "more than %d files include each other", MAX_NESTING);
        return NULL;
    }
    l->nesting++;
    const bool done = expand(l, root);
    l->nesting--;
    return done ? root : NULL;
}

// Looks in memory by name, then beside the top file, then beside the including file.
static snXmlNode* loadIncluded(Loader* l, const snXmlNode* node, const char* name)
{
    snSpec* spec = l->r->spec;
    const char* here = folder(spec, node->place.file);
    const char* plain = join(spec, "", name);
    const char* paths[2] = {join(spec, l->maindir, name), here ? join(spec, here, name) : NULL};
    if (!here || !plain || !paths[0] || !paths[1]) {
        sn_mjcfNoMemory(l->r);
        return NULL;
    }
    if (l->nseen == MAX_FILES) {
        sn_mjcfFail(l->r, node, SN_STATUS_MODEL, "more than %d files are included", MAX_FILES);
        return NULL;
    }
    const snAsset* asset = sn_specAsset(spec, name);
    if (!asset) asset = sn_specAsset(spec, plain);
    for (int k = 0; k < 2 && !asset; k++) asset = sn_specAsset(spec, paths[k]);
    if (!asset) asset = sn_specAssetAnywhere(spec, name);
    if (asset) {
        const char* called = join(spec, ASSETS, asset->name);
        if (!enterOnce(l, node, name, called, called)) return NULL;
        return parseIncluded(l, node, asset->name, asset->data, asset->size);
    }
    const char* path = !sn_exists(paths[0]) && sn_exists(paths[1]) ? paths[1] : paths[0];
    const char *place = placeOf(l, path), *called = path == paths[0] ? shortPath(spec, "", name) : place;
    if (!enterOnce(l, node, name, called, place)) return NULL;
    char* text;
    size_t size;
    snError why;
    const snStatus status =
        sn_allowFile(spec, l->maindir, path, &why) ? sn_readFile(path, &text, &size, &why) : why.status;
    if (status) {
        sn_mjcfFail(l->r, node, status, "%s", why.message);
        return NULL;
    }
    snXmlNode* root = parseIncluded(l, node, path, text, size);
    sn_free(text);
    return root;
}

// The children that an <include> stands for, or NULL.
static snXmlNode* include(Loader* l, const snXmlNode* node)
{
    const char* name = NULL;
    for (int i = 0; i < node->nattributes; i++) {
        if (strcmp(node->attributes[i].name, "file")) {
            sn_mjcfFail(l->r, node, SN_STATUS_MODEL, "unknown attribute '%s', only 'file' is allowed",
                        sn_short(node->attributes[i].name).text);
            return NULL;
        }
        name = node->attributes[i].value;
    }
    if (!name || !*name) {
        sn_mjcfFail(l->r, node, SN_STATUS_MODEL, "attribute 'file' is missing");
        return NULL;
    }
    if (node->first) {
        sn_mjcfFail(l->r, node, SN_STATUS_MODEL, "it may have no children");
        return NULL;
    }
    return loadIncluded(l, node, name);
}

// Puts the children of included roots in the place of every <include> below a node.
static bool expand(Loader* l, snXmlNode* node)
{
    for (snXmlNode *child = node->first, *next; child; child = next) {
        if (strcmp(child->tag, "include")) {
            if (!expand(l, child)) return false;
            next = child->next;
            continue;
        }
        const snXmlNode* root = include(l, child);
        if (!root) return false;
        for (snXmlNode *part = root->first, *after; part; part = after) {
            after = part->next;
            sn_unlinkElement(part);
            sn_linkElement(node, part, child);
        }
        next = child->next;
        sn_unlinkElement(child);
    }
    return true;
}

static void moveChildren(snXmlNode* to, snXmlNode* from)
{
    for (snXmlNode *child = from->first, *next; child; child = next) {
        next = child->next;
        sn_unlinkElement(child);
        sn_linkElement(to, child, NULL);
    }
}

// A section that is a list of elements is one, in how many places it may stand, as included files have them.
static void joinSections(snXmlNode* root)
{
    static const char* const tags[] = {"worldbody", "asset",  "contact", "equality", "tendon",
                                       "actuator",  "sensor", "custom",  "keyframe", "deformable"};
    snXmlNode* first[SN_COUNT(tags)] = {NULL};
    for (snXmlNode *section = root->first, *next; section; section = next) {
        int k = 0;
        next = section->next;
        while (k < SN_COUNT(tags) && strcmp(section->tag, tags[k]) != 0) k++;
        if (k == SN_COUNT(tags) || section->nattributes) continue;
        if (!first[k]) first[k] = section;
        if (first[k] == section || !section->first) continue;
        moveChildren(first[k], section);
        sn_unlinkElement(section);
    }
}

snXmlNode* sn_loadTree(snReader* r, const char* path, const char* text, size_t size)
{
    snSpec* spec = r->spec;
    Loader* loader = sn_calloc(sizeof *loader);
    const char* file = sn_poolText(&spec->tree, path, strlen(path));
    if (loader) loader->r = r;
    char* block = NULL;
    snXmlNode* root = NULL;
    if (!loader || !file || !(loader->maindir = text ? "" : folder(spec, file))) {
        sn_mjcfNoMemory(r);
        goto done;
    }
    spec->file = file;
    spec->folder = loader->maindir;
    const snAsset* asset = text ? NULL : sn_specAsset(spec, file);
    if (!asset && !text) asset = sn_specAssetAnywhere(spec, file);
    if (asset) {
        text = asset->data;
        size = asset->size;
    } else if (!text) {
        if (sn_readFile(file, &block, &size, r->error)) goto done;
        text = block;
        const char *name = sn_lastSlash(file), *place = placeOf(loader, file);
        if (!place) {
            sn_mjcfNoMemory(r);
            goto done;
        }
        enter(loader, name ? name + 1 : file, place);
    }
    if (size == 0) {
        sn_failAt(r->error, SN_STATUS_SYNTAX, file, 0, "the model is empty");
        goto done;
    }
    root = sn_parseXml(spec, text, size, file, 0, r->options, r->error);
    const bool robot = root && !strcmp(root->tag, "robot");
    if (root && !robot && !expand(loader, root)) root = NULL;
    if (root && !robot) joinSections(root);
done:
    sn_free(block);
    sn_free(loader);
    return root;
}
