// The header of a PLY file: which elements follow, how many of each, and what their rows are made of.
#ifndef SINEW_FORMAT_MESH_PLY_HEADER_H
#define SINEW_FORMAT_MESH_PLY_HEADER_H

#include "format/mesh/reader.h"
#include "format/mesh/text.h"

// Types of numbers with their two names and their bytes in a binary file.
#define SN_PLY_TYPES(X)                                                                                      \
    X(INT8, "char", "int8", 1)                                                                               \
    X(UINT8, "uchar", "uint8", 1)                                                                            \
    X(INT16, "short", "int16", 2)                                                                            \
    X(UINT16, "ushort", "uint16", 2)                                                                         \
    X(INT32, "int", "int32", 4)                                                                              \
    X(UINT32, "uint", "uint32", 4)                                                                           \
    X(FLOAT32, "float", "float32", 4)                                                                        \
    X(FLOAT64, "double", "float64", 8)
typedef enum snPlyType {
#define X(name, old, sized, bytes) SN_PLY_##name,
    SN_PLY_TYPES(X)
#undef X
} snPlyType;

/// What the numbers of a property are for.
typedef enum snPlyRole { SN_PLY_X, SN_PLY_Y, SN_PLY_Z, SN_PLY_CORNERS, SN_PLY_NOTHING } snPlyRole;

typedef struct snPlyProperty {
    snPlyRole role;
    snPlyType type;
    bool list; ///< a row has a number of type `length` and then so many of `type`
    snPlyType length;
} snPlyProperty;

typedef enum snPlyKind { SN_PLY_VERTEX, SN_PLY_FACE, SN_PLY_STRIPS, SN_PLY_OTHER } snPlyKind;

typedef struct snPlyElement {
    snPlyKind kind;
    int64_t count;        ///< rows, as the file says
    int first, nproperty; ///< its properties among those of the file
} snPlyElement;

typedef struct snPlyHeader {
    enum { SN_PLY_NO_FORMAT, SN_PLY_ASCII, SN_PLY_LITTLE, SN_PLY_BIG } format;
    snPlyElement* element;
    snPlyProperty* property;
    int nelement, nproperty, elementroom, propertyroom;
    int line; ///< of end_header, from 1
} snPlyHeader;

/// Bytes of a number in a binary file.
size_t sn_plyBytes(snPlyType type);

/// Takes the header off *text. The vertices are one element with x, y and z; all else may be missing. Free it
/// with sn_freePlyHeader, also on failure.
snStatus sn_readPlyHeader(const snMeshSource* source, snTextSpan* text, snPlyHeader* header);
void sn_freePlyHeader(snPlyHeader* header);

#endif
