// Mesh files as they are: vertices and triangles in the numbers of the file, nothing merged, moved or scaled.
#ifndef SINEW_FORMAT_MESH_MESH_FILE_H
#define SINEW_FORMAT_MESH_MESH_FILE_H

#include <sinew/base.h>
#include <stdbool.h>

/// What a mesh file holds. Indices are checked: each is below the count of what it points at. Arrays are to
/// be freed with sn_freeMeshFile; absent ones are NULL with count 0.
typedef struct snMeshFile {
    int nvert, nnormal, ntexcoord, nface;
    float* vert;       ///< [nvert x 3]
    float* normal;     ///< [nnormal x 3]
    float* texcoord;   ///< [ntexcoord x 2], v from the top of the image down
    int* face;         ///< [nface x 3] vertices
    int* facenormal;   ///< [nface x 3] normals, -1 where the corner has none; or NULL
    int* facetexcoord; ///< [nface x 3] texture coordinates, -1 where the corner has none; or NULL
    int nline;         ///< of an OBJ, for those who ask
    int* line;         ///< [nline x 2] vertices
    int ncolor;   ///< of the file's materials, each once; 0: it has none, or the format is not read for them
    float* color; ///< [ncolor x 4] red, green, blue, opacity, as a screen shows them
    int* facecolor;  ///< [nface] colours; or NULL
    snError warning; ///< the first thing that is taken otherwise than it stands in the file; status OK: none
} snMeshFile;

/// Where files may be that a mesh's file names, symbolic links followed. A name that leads upwards or is
/// absolute is none but with SN_BESIDE_ANYTHING.
typedef enum snBeside {
    SN_BESIDE_FILE,    ///< below its folder
    SN_BESIDE_MEMORY,  ///< it is no file itself: there, and below the working folder
    SN_BESIDE_ANYTHING ///< anywhere
} snBeside;

/// Reads a mesh: by content_type ("model/obj", "model/stl", "application/vnd.msh" and the like; NULL: by the
/// ending of name; with "; color=K" behind it, the faces of colour K alone). data [size bytes]. error (status
/// FILE or SYNTAX, UNSUPPORTED for a kind that this build cannot read) names the file, the line of a text or
/// the byte of a binary, and the mend. Nothing is left allocated on failure.
snStatus sn_readMeshFile(const char* name, const char* content_type, const void* data, size_t size,
                         snBeside beside, snMeshFile* mesh, snError* error);
/// The same as MuJoCo 4.0 reads an OBJ for flexes: its lines are kept, and squares are cut along their
/// shorter diagonal, not from their first corner on.
snStatus sn_readMeshForFlex(const char* name, const char* content_type, const void* data, size_t size,
                            snBeside beside, snMeshFile* mesh, snError* error);
void sn_freeMeshFile(snMeshFile* mesh);

/// Each vertex becomes the first that is equal to it, and those are numbered without gaps. Formats without
/// shared vertices need it: their triangles touch only by their numbers. false: out of memory.
bool sn_mergeMeshVertices(snMeshFile* mesh);

/// The content_type of a mesh file by the ending of its name; NULL: unknown.
const char* sn_meshContentType(const char* name);

#endif
