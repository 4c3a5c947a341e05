// What operations on a spec need of its edits beside the public functions.
#ifndef SINEW_FORMAT_MJCF_TREE_EDIT_H
#define SINEW_FORMAT_MJCF_TREE_EDIT_H

#include "model/spec/tree.h"

/// Has all that refers to an element by its old name refer to another one; false: out of memory.
bool sn_renameReferences(snSpec* spec, const snElement* element, const char* old, const char* name);

/// Takes an element out that others wear, such as a material, or that nothing needs: they no longer name it.
/// In one walk, where sn_removeElement looks for all that depends on it.
void sn_dropElement(snSpec* spec, snElement* element);

#endif
