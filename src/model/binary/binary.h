// Inside a .snb file: a header, a table of sections, the sections. One holds the model; others may hold
// whatever belongs to it, such as its source.
//
// Header, 64 bytes, numbers in the byte order of the machine that wrote it:
//   0  magic [8]        SN_BINARY_MAGIC
//   8  byte order       u32, 0x01020304
//   12 format           u32, SN_BINARY_FORMAT
//   16 version [16]     Sinew's that wrote it, text filled up with 0
//   32 layout           u64, hash of the tables that the section "MODL" follows
//   40 size             u64, bytes of all
//   48 checksum         u64, of all with this field 0
//   56 sections         u32, how many
//   60 nothing          u32, 0
// Table, 24 bytes a section: tag [4], u32 0, u64 where it starts, u64 its bytes. Sections follow in the order
// of the table, each from a multiple of 8 on.
#ifndef SINEW_MODEL_BINARY_BINARY_H
#define SINEW_MODEL_BINARY_BINARY_H

#include <sinew/load.h>

#define SN_BINARY_MAGIC "\x89SNB\r\n\x1a\n" ///< 8 bytes; transfers as text damage it
#define SN_BINARY_FORMAT 1u    ///< to be raised when bytes with an equal layout change their meaning
#define SN_BINARY_MODEL "MODL" ///< tag of the compiled model
#define SN_BINARY_SOURCE                                                                                     \
    "MJCF" ///< tag of its source, a text that refers to files by the names in SN_BINARY_FILES
#define SN_BINARY_FILES "FILE" ///< tag of these files
#define SN_BINARY_MEANING                                                                                    \
    "MEAN" ///< tag of the word of snPhysics that the source means if it does not say it; without it "3.3.7"

/// A part of a binary file.
typedef struct snSection {
    char tag[4];      ///< four ASCII characters
    const void* data; ///< [size] bytes
    size_t size;
} snSection;

/// A binary file in memory whose header, lengths and checksum are right.
typedef struct snBinary {
    const char* bytes; ///< the caller's
    const char* file;  ///< for messages; NULL: bytes in memory
    uint64_t layout;
    char version[17]; ///< of the Sinew that wrote it
    int nsections;
} snBinary;

/// Whether bytes begin as a binary file.
bool sn_isBinary(const void* bytes, size_t size);

/// Whether a file on disk begins as one, or is named .snb or .mjb and does not begin as a text: an error
/// about it speaks of compiled models then.
bool sn_isBinaryFile(const char* path);

/// Checks header, sections and checksum; statuses as for sn_loadModelBytes. `file` (NULL: memory) is for
/// messages. Files of another layout pass: what they hold beside the model may be of use.
snStatus sn_openBinary(const void* bytes, size_t size, const char* file, snBinary* out, snError* error);

/// Section `index` of an open file.
snSection sn_binarySection(const snBinary* binary, int index);

/// The first section with this tag; false when there is none.
bool sn_findSection(const snBinary* binary, const char tag[4], snSection* out);

/// The model in an open file; NULL on failure, also where it means another physics than options (may be NULL)
/// ask for.
snModel* sn_binaryModel(const snBinary* binary, const snLoadOptions* options, snError* error);

/// Bytes of a file with a model and further sections [n].
size_t sn_binarySize(const snModel* m, const snSection* sections, int n);

/// Writes such a file into bytes [sn_binarySize].
void sn_packBinary(const snModel* m, const snSection* sections, int n, char* bytes);

/// Writes the checksum into the header of such bytes.
void sn_sealBinary(char* bytes, size_t size);

/// Writes such a file to disk; see sn_saveModel.
snStatus sn_saveBinary(const snModel* m, const snSection* sections, int n, const char* path, snError* error);

// ---- the section of the model, binary_model.c

/// Hash of the tables of sizes, fields, options, visual settings and enumerations.
uint64_t sn_modelLayout(void);
/// Bytes of the model's section.
size_t sn_modelSectionSize(const snModel* m);
/// Writes them.
void sn_packModelSection(const snModel* m, char* bytes);
/// The model in a section of this layout; `file` as in snBinary. Any bytes may be given.
snModel* sn_unpackModelSection(const snSection* section, const char* file, snError* error);

// ---- the section of files, binary_files.c
//
// 0  how many, u32; 4  u32 0. Then, each from a multiple of 8 on: bytes of the name, u32; u32 0; bytes of the
// contents, u64; the name, closed by a 0 and filled up with 0; the contents, filled up with 0.

#define SN_BINARY_NAME_LIMIT 255    ///< most bytes of a file's name
#define SN_BINARY_FILE_LIMIT 65536u ///< most files

/// Bytes of the section for files [n].
size_t sn_filesSectionSize(const snAsset* files, int n);
/// Writes them.
void sn_packFilesSection(const snAsset* files, int n, char* bytes);
/// The files in a section: *files receives a block to free with sn_free, [*n]; names and contents stay those
/// of the section. A name is one part of a path: never empty, "." or "..", no slash in it. Any bytes may be
/// given; `file` as in snBinary.
snStatus sn_unpackFilesSection(const snSection* section, const char* file, snAsset** files, int* n,
                               snError* error);

#endif
