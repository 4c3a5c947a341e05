// A spec as MJCF text.
#ifndef SINEW_FORMAT_MJCF_WRITE_WRITE_H
#define SINEW_FORMAT_MJCF_WRITE_WRITE_H

#include "model/spec/spec.h"

#define SN_FILE_NAME 128 ///< room for the name of a collected file

/// A file that goes along with the text.
typedef struct snWrittenFile {
    char name[SN_FILE_NAME]; ///< one part of a path, unlike all others, small and capital letters alike
    const char* found;       ///< where it was found, see sn_findSpecFile; NULL: the name alone is taken
    bool memory;             ///< it is an asset in memory
    const void* data;        ///< [size]
    size_t size;
    void* owned; ///< data, to free; NULL: the spec's
} snWrittenFile;

/// The files that a text refers to and that go along with it: those in memory and, if asked for, those on
/// disk.
typedef struct snFileSet {
    const char* folder;   ///< what stands in front of their names in the text: "", or a folder with its slash
    const char* real;     ///< real path of that folder, NULL: there is none; files on disk that stand in
                          ///< it already keep their names
    bool disk;            ///< files on disk go along, too
    snWrittenFile* files; ///< [n], with room
    int n, room;
    bool again; ///< for the writer: a name has changed
} snFileSet;

/// What of a spec is written, by compiler savecompiled and savecanonical.
typedef enum snNotation {
    SN_NOTATION_COMPILED,  ///< as sn_writeSpec says
    SN_NOTATION_CANONICAL, ///< the same without what the compiler finds: orientations are quaternions, fromto
                           ///< a pose and a size, actuators general ones; default classes stay if they can
    SN_NOTATION_SOURCE     ///< elements and attributes as they are said
} snNotation;
/// What a spec that was just read asks for. What was attached has classes and units of its own, so that such
/// a spec is never written as it is said.
snNotation sn_notationOf(const snSpec* spec);

/// Frees what was collected.
void sn_clearFileSet(snFileSet* set);

/// Writes a spec that was just read (sn_readSpec) and compiled to m (NULL: nothing of it is needed, for
/// another notation, no keyframes that were spread and no saveinertial): angles in radians, no default
/// classes, no includes, replicates and attachments, values as they were written wherever units allow. Names
/// of asset files are made relative to `folder` (of the file that the text goes into; "": the working
/// directory), those of files in memory stay; what `files` (may be NULL) collects has its names. *text
/// receives a block to free with sn_free, closed by a 0 that *size does not count. classes: the default
/// classes stay if they can, see sn_writeSpecClasses.
snStatus sn_writeMJCF(snSpec* spec, const snModel* m, snNotation notation, const char* folder,
                      snFileSet* files, bool classes, char** text, size_t* size, snError* error);

#endif
