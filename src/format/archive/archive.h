// ZIP archives (.mjz, .zip) of a model with its files.
#ifndef SINEW_FORMAT_ARCHIVE_ARCHIVE_H
#define SINEW_FORMAT_ARCHIVE_ARCHIVE_H

#include <sinew/load.h>

#define SN_ARCHIVE_LIMIT ((size_t)1 << 30) ///< most bytes that the members of one have unpacked

/// The files of an archive, unpacked, by names that begin with its path: "robot.mjz/meshes/foot.stl".
typedef struct snArchive {
    snAsset* files; ///< [count]
    int count;
} snArchive;

/// Whether a regular file begins as an archive.
bool sn_isArchiveFile(const char* path);

/// Unpacks all members. What an archive says of itself is not believed: places and sizes are checked,
/// checksums are, names that leave it (absolute, "..") or come twice are refused, and so are members that are
/// encrypted, packed otherwise than stored or deflated, or larger than SN_ARCHIVE_LIMIT together, and zip64.
/// Errors name archive and member. Free with sn_freeArchive, after a failure, too.
snStatus sn_readArchive(const char* path, snArchive* archive, snError* error);
void sn_freeArchive(snArchive* archive);

/// Whether a member may have that name: one that stays inside, in words that any file system has.
bool sn_isMemberName(const char* name, size_t length);

/// Files as an archive, the same bytes for the same files. Free *bytes with sn_free.
snStatus sn_packArchive(const snAsset* files, int count, char** bytes, size_t* size, snError* error);

/// The name of the model's own file: model.xml, STEM.xml, STEM/STEM.xml or STEM/model.xml, where STEM is the
/// archive's name without folder and ending, else the only .xml that there is. NULL: none; error says so.
const char* sn_archiveModel(const snArchive* archive, const char* path, snError* error);

#endif
