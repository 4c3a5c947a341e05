// SKN files: a skin, its triangles, and the bones that move its vertices.
#ifndef SINEW_FORMAT_MESH_SKIN_FILE_H
#define SINEW_FORMAT_MESH_SKIN_FILE_H

#include <sinew/base.h>

enum { SN_SKIN_NAME = 40 }; ///< bytes of a body's name in a file

typedef struct snSkinBone {
    const char* body; ///< name
    float bindpos[3], bindquat[4];
    int vertadr, vertnum; ///< its part of bonevert and weight
} snSkinBone;

/// What a skin file holds; absent arrays are NULL with count 0.
typedef struct snSkinFile {
    int nvert, ntexcoord, nface, nbone, nbonevert;
    float* vert;      ///< [nvert x 3]
    float* texcoord;  ///< [ntexcoord x 2]
    int* face;        ///< [nface x 3]
    snSkinBone* bone; ///< [nbone]
    int* bonevert;    ///< [nbonevert] vertices that bones move
    float* weight;    ///< [nbonevert]
    char* names;      ///< [nbone x (SN_SKIN_NAME + 1)] what the bones' names point at, or NULL
} snSkinFile;

/// Reads an SKN file: its length is checked, the numbers in it are not. error (status SYNTAX) names the file,
/// the byte and what is wrong. Nothing is left allocated on failure; else sn_freeSkinFile.
snStatus sn_readSkin(const char* name, const void* data, size_t size, snSkinFile* skin, snError* error);
void sn_freeSkinFile(snSkinFile* skin);

/// Room for as many items as the counts say, `names` with room for files' names. false: out of memory.
bool sn_makeSkinRoom(snSkinFile* skin, bool names);

#endif
