// What the parts of the MJCF writer share: text that grows, values in the forms that the reader takes.
#ifndef SINEW_FORMAT_MJCF_WRITE_WRITER_H
#define SINEW_FORMAT_MJCF_WRITE_WRITER_H

#include "format/mjcf/language/element.h"
#include "format/mjcf/write/write.h"

typedef struct snWriter {
    snSpec* spec;
    const snModel* m;
    const char* folder; ///< of the file that is written
    snFileSet* files;   ///< NULL: no file is collected
    char* text;
    size_t size, room;
    bool failed;  ///< out of memory
    bool classes; ///< default classes stay; see sn_writeSpecClasses
    snNotation notation;
    int depth;
} snWriter;

void sn_put(snWriter* w, const char* text);
/// " name=" and the text in quotes, marks escaped.
void sn_putText(snWriter* w, const char* name, const char* text);
/// The shortest numbers that read back to the same bits.
void sn_putNumbers(snWriter* w, const char* name, const double* numbers, int n);
void sn_putFloats(snWriter* w, const char* name, const float* numbers, int n);
void sn_putInts(snWriter* w, const char* name, const int* numbers, int n);
/// An open tag "<tag" on a new line, indented; where default classes stay, an empty line before a section.
void sn_openTag(snWriter* w, const char* tag);

/// Whether default classes can stay: none of their texts means something else in the units that are written,
/// and nothing has classes of another model.
bool sn_canKeepClasses(const snSpec* spec);
/// Whether an element gives one of the five forms of an orientation itself.
bool sn_givesOrientation(const snElement* element);

/// Drops what was put since the text had this size.
void sn_takeBack(snWriter* w, size_t size);

/// Attributes of a record that differ from those of a default record.
void sn_putRecord(snWriter* w, const snMjcfElement* type, const void* record, const void* standard);
/// compiler, option, size, visual, statistic.
void sn_putSettings(snWriter* w);
/// An actuator's open tag, its own or `general`, and attributes.
void sn_putActuator(snWriter* w, const snElement* element);
/// A tendon's choice of a default class that has its look.
void sn_putTendonClass(snWriter* w, const snElement* element);
/// Whether a material has layers to which default classes add that are not written.
bool sn_hasLayers(const snWriter* w, const snElement* element);
/// Closes its tag and writes all its layers and its end.
void sn_putLayers(snWriter* w, const snElement* element);
/// With compiler saveinertial, the inertia that a body without <inertial> has in the compiled model.
void sn_putInertial(snWriter* w, const snElement* element);
/// The same of an <inertial> with a fullinertia: its principal moments and axes.
void sn_putPrincipal(snWriter* w, const snElement* element);
/// Size, place and axes of a geom or site that stands between two points.
void sn_putSpan(snWriter* w, const snElement* element);
/// Sections as they are said.
void sn_putSource(snWriter* w);
/// A text field whose data reads better as it is than in an attribute; false: it is none.
bool sn_putTextField(snWriter* w, const snElement* e);
/// A keyframe's attributes with the numbers of the compiled model.
void sn_putKey(snWriter* w, const snElement* element);
/// The name of an asset file for the text that is written; see snFileSet.
void sn_putFile(snWriter* w, const snElement* element, const char* name, const char* file);

#endif
