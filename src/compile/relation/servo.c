// How servos at their limits are stepped, from a text field; see format/mjcf/language/servo_text.h.
#include "compile/build/field.h"
#include "compile/relation/relation.h"
#include "format/mjcf/language/servo_text.h"

bool sn_buildServo(snBuild* b)
{
    SN_EACH (snSpecText, text, b->spec->texts) {
        snTextMistake mistake;
        if (!text->head.name || strcmp(text->head.name, SN_SERVO_NAME) != 0) continue;
        if (!sn_readServoText(sn_fieldData(text), &b->m->opt, &mistake))
            return sn_buildFailText(b, text, &mistake);
    }
    return true;
}
