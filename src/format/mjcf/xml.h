// XML text to a tree of elements that know their line.
#ifndef SINEW_FORMAT_MJCF_XML_H
#define SINEW_FORMAT_MJCF_XML_H

#include "model/spec.h"

#define SN_XML_DEPTH 1000 ///< most elements inside each other, includes counted; more is an error

typedef struct snXmlAttribute {
    const char *name, *value;
} snXmlAttribute;

typedef struct snXmlNode snXmlNode;
struct snXmlNode {
    const char* tag;
    snPlace place;
    int depth; ///< the root: 1
    int nattributes;
    const snXmlAttribute* attributes;
    snXmlNode *next, *first, *last; ///< sibling, children
};

/// Parses one document into memory of the spec; the root, or NULL and *error. `depth` counts the elements
/// that already stand around it. Words between elements are an error, so are DTDs with content (entities);
/// comments may hold "--".
snXmlNode* sn_parseXml(snSpec* spec, const char* text, size_t size, const char* file, int depth,
                       snError* error);

/// The attribute's value, NULL when it is not there.
const char* sn_xmlAttribute(const snXmlNode* node, const char* name);

#endif
