// Names and ids of model elements.
#ifndef SINEW_NAMES_H
#define SINEW_NAMES_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Id of the element of kind `objtype` (snObjType; body and xbody are the same) called `name`; -1: none.
/// Cost: O(1).
SN_API int sn_name2id(const snModel* m, int objtype, const char* name);

/// Name of an element, owned by the model; NULL when it has none or the id is out of range.
SN_API const char* sn_id2name(const snModel* m, int objtype, int id);

/// The word of a kind of element (snObjType), "body"; NULL for those that have none.
SN_API const char* sn_type2Str(int objtype);

/// The kind of element of a word; SN_OBJ_UNKNOWN, 0: none.
SN_API int sn_str2Type(const char* str);

/// How many elements of a kind the model has; 0 for kinds that it does not know.
SN_API int sn_objectCount(const snModel* m, int objtype);

/// The value that nnames_map must have for the other sizes of the model.
SN_API int sn_namesMapSize(const snModel* m);

/// Fills names_map from names and name_*adr, so that sn_name2id finds them. Names must be unique in a kind.
SN_API void sn_hashNames(snModel* m);

#ifdef __cplusplus
}
#endif
#endif
