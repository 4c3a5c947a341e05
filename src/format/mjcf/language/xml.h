// XML text to a tree of elements that know their line.
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_XML_H
#define SINEW_FORMAT_MJCF_LANGUAGE_XML_H

#include "model/spec/spec.h"

typedef snAttributeText snXmlAttribute;
typedef snElement snXmlNode;

/// Parses one document into the pool of the spec's source; the root, or NULL and *error. `depth` counts the
/// elements that already stand around it. Words between elements and encodings of other names are warnings,
/// DTDs with content (entities) errors; comments may hold "--".
snXmlNode* sn_parseXml(snSpec* spec, const char* text, size_t size, const char* file, int depth,
                       const snLoadOptions* options, snError* error);

/// The attribute's value, NULL when it is not there.
#define sn_xmlAttribute sn_attributeText

#endif
