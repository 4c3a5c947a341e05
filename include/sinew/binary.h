// Compiled models as bytes, .snb: quick to load, the same to the last bit, for the version of Sinew that
// wrote them. docs/binary.md describes the format.
#ifndef SINEW_BINARY_H
#define SINEW_BINARY_H

#include <sinew/load.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that sn_saveModelBytes writes for this model.
SN_API size_t sn_sizeModel(const snModel* m);

/// Writes the model into bytes [size], where size must be sn_sizeModel(m). Status ARGUMENT when it is not.
/// Allocates nothing. Equal models give equal bytes.
SN_API snStatus sn_saveModelBytes(const snModel* m, void* bytes, size_t size, snError* error);

/// Writes the model to a file: first beside it, then under its name, so that an older file stays whole when
/// the disk is full. Status FILE when it cannot be written; the error names path and reason. sn_loadModel
/// reads it.
SN_API snStatus sn_saveModel(const snModel* m, const char* path, snError* error);

/// Reads what sn_saveModelBytes or sn_saveModel wrote. Any bytes may be given: lengths, checksum and every
/// index are checked before use, and nothing larger than the bytes is allocated. The caller frees the model
/// with sn_deleteModel. There is nothing to warn of, options (may be NULL) are as in sn_loadModel. NULL on
/// failure, status SYNTAX: damaged or not a model; UNSUPPORTED: written by a Sinew with another format or
/// other fields; MODEL: what it holds is wrong (sn_validateModel).
SN_API snModel* sn_loadModelBytes(const void* bytes, size_t size, const snLoadOptions* options,
                                  snError* error);

#ifdef __cplusplus
}
#endif
#endif
