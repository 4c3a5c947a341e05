// What rows, contacts, tasks and dofs are called, in errors and diagnostics.
#include <sinew/names.h>
#include <stdio.h>
#include "control/controller.h"
#include "model/kinds.h"

void sn_contactTitle(const char* name, int index, char text[64])
{
    if (name && *name)
        snprintf(text, 64, "contact '%.40s'", name);
    else
        snprintf(text, 64, "contact %d", index);
}

void sn_taskTitle(const char* name, int index, char text[64])
{
    if (name && *name)
        snprintf(text, 64, "task '%.40s'", name);
    else
        snprintf(text, 64, "task %d", index);
}

void sn_dofTitle(const snModel* m, int dof, char text[96])
{
    const int joint = m->dof_jntid[dof], place = dof - m->jnt_dofadr[joint];
    const char* name = sn_id2name(m, SN_OBJ_JOINT, joint);
    const bool several = sn_hasQuaternion(m->jnt_type[joint]);
    char which[32] = "";
    if (several) snprintf(which, sizeof which, "dof %d of ", place);
    if (name && *name)
        snprintf(text, 96, "%sjoint '%.40s'", which, name);
    else
        snprintf(text, 96, "%sjoint %d", which, joint);
}

static const char* const keywords[] = {
#define X(name, value, word, meaning) [value] = (word),
    SN_CONTROLROW_TABLE(X)
#undef X
};

// Whose row it is; "" where the kind says all.
static void ownerTitle(const snController* c, const snControlRow* r, char title[96])
{
    *title = 0;
    if (r->kind == SN_ROW_DYNAMICS || r->kind == SN_ROW_TORQUE || r->kind == SN_ROW_JOINT)
        sn_dofTitle(c->model, r->id, title);
    else if (r->kind == SN_ROW_FRICTION || r->kind == SN_ROW_CONTACT)
        sn_contactTitle(c->contact[r->id]->set.name, r->id, title);
    else if (r->kind == SN_ROW_TASK)
        sn_taskTitle(c->task[r->id]->set.name, r->id, title);
}

void sn_controllerRowText(const snController* c, int row, char* text, size_t size)
{
    if (size) *text = 0;
    if (row < 0 || row >= c->nrow) return;
    const snControlRow* r = c->row + row;
    char title[96];
    ownerTitle(c, r, title);
    if (r->kind == SN_ROW_TASK)
        snprintf(text, size, "%s, row %d", title, r->index);
    else if (r->kind == SN_ROW_DYNAMICS || r->kind == SN_ROW_TORQUE || r->kind == SN_ROW_JOINT)
        snprintf(text, size, "%s of %s", keywords[r->kind], title);
    else
        snprintf(text, size, "%s%s%s, row %d", keywords[r->kind], *title ? " of " : "", title, r->index);
}
