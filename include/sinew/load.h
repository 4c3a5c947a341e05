// Models from files and from text.
#ifndef SINEW_LOAD_H
#define SINEW_LOAD_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A file that lives in memory; `name` is how the model refers to it.
typedef struct snAsset {
    const char* name;
    const void* data; ///< [size] bytes
    size_t size;
} snAsset;

/// What a model file says that cannot be meant, though a model was made of it.
typedef struct snModelWarning {
    const char* file;    ///< file or asset name; "": none
    int line;            ///< 1-based line in `file`; 0: no line
    const char* message; ///< UTF-8, a whole sentence with file, line, element and mend
} snModelWarning;

/// Warnings of loading and compiling. The caller owns the list: all zero to begin with, freed with
/// sn_freeWarnings. Each call adds what it meets, one that fails what it met up to there.
typedef struct snWarnings {
    snModelWarning* list; ///< [count], in the order in which they were met
    int count;            ///< SN_MOST_WARNINGS at most
    int more;             ///< further warnings, which are not in the list
} snWarnings;

#define SN_MOST_WARNINGS 100 ///< most that a list holds

/// Frees what the list holds and empties it; takes NULL.
SN_API void sn_freeWarnings(snWarnings* warnings);

/// How models are loaded and compiled. NULL is as all zero: warnings are passed over.
typedef struct snLoadOptions {
    bool strict;          ///< a warning is an error
    snWarnings* warnings; ///< receives the warnings; NULL: nobody wants them
    bool anywhere; ///< a file in memory also stands for files in any folder whose names have the same last
                   ///< part, in capitals or not, before those on disk
    const struct snUrdfOptions* urdf; ///< how a URDF is read (spec.h), also one that is attached; NULL: as
                                      ///< MuJoCo does it. Those that sn_loadUrdf is given come first
    const char* packages; ///< what messages tell people to give where a package of a URDF is not found; NULL:
                          ///< package_dirs, as it is called in C
    bool files_anywhere;  ///< elements may name any file, not only those below the model's folder and
                          ///< elsewhere those with the ending of a model, mesh or PNG; and a mesh's file any,
                          ///< not only those below its own folder
    const char* physics; ///< whose rules the model is compiled and stepped by, "3.3.7" or "4.0", whatever its
                         ///< text field sinew_physics says; NULL: as that says, else as `silent`
    const char* silent;  ///< what a model means that does not say it, either; NULL: "4.0"
    const char* within; ///< folder below which all files that elements name must be, for models of strangers;
                        ///< NULL: there is none
} snLoadOptions;

/// Reads and compiles an MJCF model file: elements, defaults, ids, inertias, quantities at qpos0, checks. A
/// file that begins as a compiled model (.snb, see binary.h) is read as one, whatever its name, and so is one
/// that begins as a ZIP archive (.mjz), of a model with its files: model.xml, or the archive's name with
/// .xml, or either in a folder of the archive's name, else the only .xml there is. Returns a model that the
/// caller frees with sn_deleteModel, or NULL; error (may be NULL) then holds the status and a sentence that
/// names element, file, line and mend. SN_STATUS_FILE: a file cannot be read; SYNTAX: it is not well formed;
/// MODEL: it does not make a model; UNSUPPORTED: it uses what Sinew does not compute yet. Allocates; no
/// global state, so that threads may load at the same time. Cost: linear in the text, and n_dof^2 depth for
/// the quantities at qpos0. Compiled files give no warnings.
SN_API snModel* sn_loadModel(const char* path, const snLoadOptions* options, snError* error);

/// As sn_loadModel, from text [size bytes, not 0-terminated]. Included files are looked up in `assets`
/// [nassets] by name, then on disk relative to the working directory; messages call the text "text".
SN_API snModel* sn_loadModelText(const char* text, size_t size, const snAsset* assets, int nassets,
                                 const snLoadOptions* options, snError* error);

/// The pixels of a texture [height x width x tex_nchannel], as compilation stores them in tex_data: those of
/// the model, or of one by reference (tex_adr -1) those of its file, read now. *colorspace receives
/// snColorSpace, AUTO resolved. Free *data with sn_freeTexture. Status ARGUMENT: no such texture; else, as
/// sn_loadModel, why its file could not be read, *data NULL then. Allocates.
SN_API snStatus sn_loadTexture(const snModel* m, int id, uint8_t** data, int* width, int* height,
                               int* colorspace, snError* error);
/// Frees what sn_loadTexture gave; takes NULL.
SN_API void sn_freeTexture(uint8_t* data);

/// A copy of a model in which no texture is by reference, to free with sn_deleteModel: the same as were its
/// textures embedded when it was compiled. NULL: a file cannot be read, error (may be NULL) names texture,
/// file and why. Allocates.
SN_API snModel* sn_embedAssets(const snModel* m, snError* error);

#ifdef __cplusplus
}
#endif
#endif
