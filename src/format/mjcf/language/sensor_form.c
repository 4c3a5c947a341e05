// Which attributes each kind of sensor has.
#include "format/mjcf/language/reading.h"
#include <string.h>

// The forms by tag; a tag of snSensorType without a row is not supported yet.
static const struct {
    const char* tag;
    snSensorForm form;
} forms[] = {
    {"touch", SN_FORM_SITE},
    {"accelerometer", SN_FORM_SITE},
    {"velocimeter", SN_FORM_SITE},
    {"gyro", SN_FORM_SITE},
    {"force", SN_FORM_SITE},
    {"torque", SN_FORM_SITE},
    {"magnetometer", SN_FORM_SITE},
    {"rangefinder", SN_FORM_SITE},
    {"camprojection", SN_FORM_CAMERA},
    {"jointpos", SN_FORM_JOINT},
    {"jointvel", SN_FORM_JOINT},
    {"actuatorpos", SN_FORM_ACTUATOR},
    {"actuatorvel", SN_FORM_ACTUATOR},
    {"actuatorfrc", SN_FORM_ACTUATOR},
    {"jointactuatorfrc", SN_FORM_JOINT},
    {"tendonpos", SN_FORM_TENDON},
    {"tendonvel", SN_FORM_TENDON},
    {"tendonactuatorfrc", SN_FORM_TENDON},
    {"tendonlimitpos", SN_FORM_TENDON},
    {"tendonlimitvel", SN_FORM_TENDON},
    {"tendonlimitfrc", SN_FORM_TENDON},
    {"ballquat", SN_FORM_JOINT},
    {"ballangvel", SN_FORM_JOINT},
    {"jointlimitpos", SN_FORM_JOINT},
    {"jointlimitvel", SN_FORM_JOINT},
    {"jointlimitfrc", SN_FORM_JOINT},
    {"framepos", SN_FORM_FRAME},
    {"framequat", SN_FORM_FRAME},
    {"framexaxis", SN_FORM_FRAME},
    {"frameyaxis", SN_FORM_FRAME},
    {"framezaxis", SN_FORM_FRAME},
    {"framelinvel", SN_FORM_FRAME},
    {"frameangvel", SN_FORM_FRAME},
    {"framelinacc", SN_FORM_FRAMEACC},
    {"frameangacc", SN_FORM_FRAMEACC},
    {"subtreecom", SN_FORM_BODY},
    {"subtreelinvel", SN_FORM_BODY},
    {"subtreeangmom", SN_FORM_BODY},
    {"insidesite", SN_FORM_INSIDE},
    {"distance", SN_FORM_DISTANCE},
    {"normal", SN_FORM_DISTANCE},
    {"fromto", SN_FORM_DISTANCE},
    {"contact", SN_FORM_CONTACT},
    {"e_potential", SN_FORM_NONE},
    {"e_kinetic", SN_FORM_NONE},
    {"clock", SN_FORM_NONE},
    {"user", SN_FORM_USER},
};

snSensorForm sn_mjcfFormOf(const char* tag)
{
    for (int i = 0; i < SN_COUNT(forms); i++)
        if (!strcmp(forms[i].tag, tag)) return forms[i].form;
    return SN_FORM_COUNT;
}

const snMjcfElement* sn_mjcfSensor(const char* tag)
{
    const snSensorForm form = sn_mjcfFormOf(tag);
    return form == SN_FORM_COUNT ? NULL : sn_mjcfSensorForm(form);
}
