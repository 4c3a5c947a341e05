// What several tests need of models that stand in the test as text.
#ifndef SINEW_TEST_MODEL_TEXT_H
#define SINEW_TEST_MODEL_TEXT_H

#include <sinew/sinew.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/// The model of a text, which must load.
static inline snModel* load(const char* xml)
{
    snError error = {0};
    snModel* m = sn_loadModelText(xml, strlen(xml), NULL, 0, NULL, &error);
    if (!m) fail_msg("%s", error.message);
    return m;
}

/// What a model says that means what MuJoCo 3.3.7 does; one that says nothing means 4.0.
#define AS_3_3_7 "<custom><text name='sinew_physics' data='3.3.7'/></custom>"

/// The text of an option that leaves loops out while a model is compiled, and the model with them: its loops
/// need not close.
#define OPEN_LOOPS "<option><flag equality='disable'/></option>"
static inline snModel* withLoops(snModel* m)
{
    if (m) m->opt.disableflags &= ~SN_DSBL_EQUALITY;
    return m;
}

/// A hook that lets *user allocations succeed, then none.
static inline int countdown(size_t size, void* user)
{
    (void)size;
    return (*(int*)user)-- > 0;
}

#endif
