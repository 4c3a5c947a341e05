// Names and ids of model elements.
#ifndef SINEW_NAMES_H
#define SINEW_NAMES_H

#include <sinew/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Id of the element of kind `objtype` (snObjType) called `name`; -1: none. Cost: O(1).
SN_API int sn_name2id(const snModel* m, int objtype, const char* name);
/// Name of an element; NULL when it has none or the id is out of range.
SN_API const char* sn_id2name(const snModel* m, int objtype, int id);
/// How many elements of a kind the model has; 0 for unknown kinds.
SN_API int sn_objectCount(const snModel* m, int objtype);
/// Address in m->names of the name of element id. Fills names_map from the name addresses (called by the
/// compiler).
SN_API void sn_hashNames(snModel* m);

#ifdef __cplusplus
}
#endif
#endif
