#include "base/expat_memory.h"
#include "base/memory.h"
#include <stdint.h>
#include <string.h>

// Expat's allocator gives no old size to realloc; it is kept in front of each block.
static void* xmlMalloc(size_t size)
{
    char* block = size < SIZE_MAX - SN_ALIGN ? sn_malloc(size + SN_ALIGN) : NULL;
    if (!block) return NULL;
    memcpy(block, &size, sizeof size);
    return block + SN_ALIGN;
}

static void xmlFree(void* memory)
{
    if (memory) sn_free((char*)memory - SN_ALIGN);
}

static void* xmlRealloc(void* memory, size_t size)
{
    void* grown = xmlMalloc(size);
    if (!grown || !memory) return grown;
    size_t old;
    memcpy(&old, (char*)memory - SN_ALIGN, sizeof old);
    memcpy(grown, memory, old < size ? old : size);
    xmlFree(memory);
    return grown;
}

XML_Parser sn_newXmlParser(void)
{
    static const XML_Memory_Handling_Suite memory = {xmlMalloc, xmlRealloc, xmlFree};
    return XML_ParserCreate_MM(NULL, &memory, NULL);
}
