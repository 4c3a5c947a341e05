// Custom fields: numbers, texts, tuples.
#include "compile/relation/relation.h"
#include "format/mjcf/language/field.h"

static bool buildTuple(snBuild* b, const snSpecTuple* tuple, int* address)
{
    snModel* m = b->m;
    if (!tuple->elements.count) return sn_buildFail(b, &tuple->head, SN_STATUS_MODEL, "has no elements");
    m->tuple_adr[tuple->head.id] = *address;
    m->tuple_size[tuple->head.id] = tuple->elements.count;
    SN_EACH (snSpecTupleElement, element, tuple->elements) {
        const snSpecHead* object =
            sn_buildFind(b, &element->head, "objname", element->objtype, element->objname);
        if (!object) return false;
        m->tuple_objtype[*address] = element->objtype;
        m->tuple_objid[*address] = object->id;
        m->tuple_objprm[*address] = element->prm;
        (*address)++;
    }
    return true;
}

bool sn_buildCustom(snBuild* b)
{
    snModel* m = b->m;
    int address = 0;
    SN_EACH (snSpecNumeric, numeric, b->spec->numerics) {
        const int id = numeric->head.id, size = numeric->size >= 0 ? numeric->size : numeric->data.count;
        m->numeric_adr[id] = address;
        m->numeric_size[id] = size;
        for (int k = 0; k < numeric->data.count; k++) m->numeric_data[address + k] = numeric->data.values[k];
        address += size;
    }
    address = 0;
    SN_EACH (snSpecText, text, b->spec->texts) {
        const char *data = text->data ? text->data : "",
                   *nearest = text->head.name ? sn_nearestField(text->head.name) : NULL;
        if (nearest &&
            !sn_buildWarn(b, &text->head, "no field of this name is known, did you mean %s?", nearest))
            return false;
        const int size = (int)strlen(data) + 1;
        m->text_adr[text->head.id] = address;
        m->text_size[text->head.id] = size;
        memcpy(m->text_data + address, data, (size_t)size);
        address += size;
    }
    address = 0;
    SN_EACH (snSpecTuple, tuple, b->spec->tuples)
        if (!buildTuple(b, tuple, &address)) return false;
    return true;
}
