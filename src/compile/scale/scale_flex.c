// Flexes: each vertex by the scale of its body, the rest by the innermost scale that all of these stand in.
#include "compile/scale/scale.h"
#include "format/mjcf/language/words.h"

enum { NAME_SIZE = 256 }; // of a body; longer ones have been refused

static bool nextName(const char** rest, char name[NAME_SIZE])
{
    const snWord word = sn_nextTextWord(rest);
    if (!word.length || word.length >= NAME_SIZE) return false;
    memcpy(name, word.at, word.length);
    name[word.length] = 0;
    return true;
}

// The scale that all bodies share; vertices become what they are.
static const snScale* scaleVertices(const snBuild* b, snSpecFlex* f)
{
    const snScale *shared = NULL, *own = NULL;
    const char* rest = f->body;
    double* vertex = (double*)f->vertex.values; // the compiler owns the records
    const int nvert = f->vertex.count / 3;
    int n = 0;
    for (char name[NAME_SIZE]; nextName(&rest, name); n++) {
        own = sn_scaleOf(b->spec, SN_OBJ_BODY, name);
        shared = n ? sn_sharedScale(shared, own) : own;
        if (n < nvert) sn_scalePoint(own, vertex + 3 * (size_t)n);
    }
    for (int v = n; n == 1 && v < nvert; v++) sn_scalePoint(own, vertex + 3 * (size_t)v);
    return shared;
}

static void scaleFlex(snSpecFlex* f, const snScale* scale)
{
    const snScaleUnit unit = sn_scaleUnit(scale, false);
    sn_scaleNumbers(f->friction + 1, 2, scale->length);
    f->solimp[2] *= scale->length;
    f->margin *= scale->length;
    f->gap *= scale->length;
    f->radius *= scale->length;
    if (f->thickness > 0) f->thickness *= scale->length;
    f->edgestiffness *= unit.force / unit.unit;
    f->edgedamping *= unit.force / unit.unit;
    f->young *= unit.pressure;
}

void sn_scaleFlexes(const snBuild* b)
{
    for (snSpecFlex* f = b->spec->flexes.first; f; f = f->next) {
        f->head.scale = scaleVertices(b, f);
        if (f->head.scale) scaleFlex(f, f->head.scale);
    }
}
