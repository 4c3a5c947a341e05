// asset/mesh: a file, inline vertices or a built-in shape.
#include "format/mjcf/read/reader.h"
#include <string.h>

// A built-in shape is the whole mesh.
static bool checkShape(const snReader* r, const snXmlNode* node, const snSpecMesh* mesh)
{
    if (!sn_xmlAttribute(node, "builtin")) return true;
    if (!mesh->params.count)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'builtin' needs 'params', the shape's parameters");
    const char* other = mesh->file             ? "file"
                        : mesh->vertex.count   ? "vertex"
                        : mesh->face.count     ? "face"
                        : mesh->normal.count   ? "normal"
                        : mesh->texcoord.count ? "texcoord"
                                               : NULL;
    if (mesh->builtin == SN_MESHSHAPE_NONE || !other) return true;
    return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'builtin' and '%s' exclude each other", other);
}

bool sn_readMesh(snReader* r, const snXmlNode* node, void* context)
{
    (void)context;
    const snDefaults* defaults = sn_chooseDefaults(r, node, "class", r->main);
    if (!defaults) return false;
    snSpecMesh* mesh = sn_makeElement(r, node, SN_OBJ_MESH, &defaults->mesh, sizeof *mesh);
    if (!mesh || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_MESH), SN_IN_ELEMENT, mesh)) return false;
    if (!sn_nameAfterFile(r, SN_OBJ_MESH, &mesh->head, mesh->file)) return false;
    if (!mesh->head.name)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "attribute 'name' is missing, and no file names the mesh");
    if (mesh->maxhullvert != -1 && mesh->maxhullvert < 4)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "maxhullvert is %d, must be at least 4, or -1 for any number", mesh->maxhullvert);
    if (!checkShape(r, node, mesh)) return false;
    SN_SPEC_APPEND(&r->spec->meshes, mesh);
    return sn_readOnlyPlugin(r, node, SN_PLUGIN_OF_ASSET, &mesh->plug);
}
