#include <sinew/option.h>
#include <string.h>

static const snOptionField option_fields[] = {
#define X(type, name, init, meaning) {#name, #type, 1, meaning, offsetof(snOption, name)},
    SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...) {#name, "double", count, meaning, offsetof(snOption, name)},
        SN_OPTION_VECTORS(X)
#undef X
};

const snOptionField* sn_optionFields(int* count)
{
    *count = (int)(sizeof(option_fields) / sizeof(option_fields[0]));
    return option_fields;
}

void sn_defaultOption(snOption* opt)
{
    *opt = (snOption){
#define X(type, name, init, meaning) .name = init,
        SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...) .name = {__VA_ARGS__},
            SN_OPTION_VECTORS(X)
#undef X
    };
}
