// Parsers of XML whose memory comes through the one door of this library.
#ifndef SINEW_BASE_EXPAT_MEMORY_H
#define SINEW_BASE_EXPAT_MEMORY_H

#include <expat.h>

/// A parser to free with XML_ParserFree; NULL when out of memory.
XML_Parser sn_newXmlParser(void);

#endif
