// A data as text, from its tables.
#include <sinew/check_rows.h>
#include <sinew/names.h>
#include <sinew/print.h>
#include <sinew/support.h>
#include <string.h>
#include "pipeline/print_text.h"

static void putMemory(const snText* t, const snData* d)
{
    fputs("MEMORY\n", t->file);
    sn_putBytes(t, "struct", sizeof *d);
    sn_putBytes(t, "buffer", d->nbuffer);
    sn_putBytes(t, "arena", d->narena);
    sn_putBytes(t, "maxuse_arena", d->maxuse_arena);
}

static void putScalars(const snText* t, const snData* d)
{
    fputs("\nSIZES\n", t->file);
#define X(type, name, meaning)                                                                               \
    if (d->name) {                                                                                           \
        sn_putName(t, #name);                                                                                \
        sn_putEntries(t, #type, &d->name, 1);                                                                \
    }
    SN_DATA_SCALARS(X)
#undef X
}

static void putWarnings(const snText* t, const snData* d)
{
    for (int i = 0, raised = 0; i < SN_NWARNING; i++) {
        char text[400];
        sn_warningText(d, (snWarning)i, text, sizeof text);
        if (!*text) continue;
        if (!raised++) fputs("\nWARNING\n", t->file);
        fprintf(t->file, "  %2d: lastinfo = %d  number = %d  %s\n", i, d->warning[i].lastinfo,
                d->warning[i].number, text);
    }
}

static void putTimers(const snText* t, const snData* d)
{
    for (int i = 0, ran = 0; i < SN_NTIMER; i++) {
        if (!d->timer[i].number) continue;
        if (!ran++) fputs("\nTIMER\n", t->file);
        fprintf(t->file, "  %2d: duration = ", i);
        sn_putNumber(t, d->timer[i].duration);
        fprintf(t->file, "  number = %d\n", d->timer[i].number);
    }
}

static void putSolver(const snText* t, const snData* d)
{
    if (!d->solver_niter) return;
    fputs("\nSOLVER STAT\n  solver_fwdinv = ", t->file);
    sn_putEntries(t, "double", d->solver_fwdinv, 2);
    for (int i = 0; i < d->solver_niter && i < SN_NSOLVER; i++) {
        const snSolverStat* s = &d->solver[i];
        fprintf(t->file, "  %2d: improvement = ", i);
        sn_putNumber(t, s->improvement);
        fputs("  gradient = ", t->file);
        sn_putNumber(t, s->gradient);
        fputs("  lineslope = ", t->file);
        sn_putNumber(t, s->lineslope);
        fprintf(t->file, "\n      nactive = %d  nchange = %d  neval = %d  nupdate = %d\n", s->nactive,
                s->nchange, s->neval, s->nupdate);
    }
}

// ---- contacts

// A geom, or a flex and its element or vertex.
static void putSide(const snText* t, const snModel* m, const snContact* c, int side)
{
    const bool flex = c->geom[side] < 0;
    const int id = flex ? c->flex[side] : c->geom[side], part = c->part[side];
    const char* name = sn_id2name(m, flex ? SN_OBJ_FLEX : SN_OBJ_GEOM, id);
    if (name)
        fputs(name, t->file);
    else
        fprintf(t->file, "%s%d", flex ? "flex " : "", id);
    if (flex) fprintf(t->file, " %s %d", part < 0 ? "vertex" : "element", part < 0 ? -1 - part : part);
}

static void putNumbers(const snText* t, const char* name, const double* numbers, int count)
{
    fprintf(t->file, "     %-14s ", name);
    sn_putEntries(t, "double", numbers, count);
}

static void putContact(const snText* t, const snModel* m, const snData* d, int i)
{
    const snContact* c = &d->contact[i];
    double force[6];
    sn_contactForce(m, d, i, force);
    fprintf(t->file, "  %d:\n     %-14s %d\n     %-14s ", i, "dim", c->dim, "geoms");
    putSide(t, m, c, 0);
    fputs(" : ", t->file);
    putSide(t, m, c, 1);
    fprintf(t->file, "\n     %-14s %d\n     %-14s %d\n", "exclude", c->exclude, "efc_address",
            c->efc_address);
    putNumbers(t, "solref", c->solref, SN_NREF);
    putNumbers(t, "solreffriction", c->solreffriction, SN_NREF);
    putNumbers(t, "solimp", c->solimp, SN_NIMP);
    putNumbers(t, "dist", &c->dist, 1);
    putNumbers(t, "includemargin", &c->includemargin, 1);
    putNumbers(t, "pos", c->pos, 3);
    putNumbers(t, "frame", c->frame, 9);
    putNumbers(t, "friction", c->friction, 5);
    putNumbers(t, "mu", &c->mu, 1);
    putNumbers(t, "adhesion", &c->adhesion, 1);
    putNumbers(t, "surfacevel", c->surfacevel, 3);
    putNumbers(t, "force", force, 6);
}

static void putContacts(const snText* t, const snModel* m, const snData* d)
{
    if (d->ncon) fputs("\nCONTACT\n", t->file);
    for (int i = 0; i < d->ncon; i++) putContact(t, m, d, i);
}

// ---- arrays

// Rows of efc_J share their columns.
static void putRows(const snText* t, const snModel* m, const snData* d)
{
    snError error;
    const bool fit = sn_checkRows(m, d, &error) == SN_STATUS_OK;
    if (d->nefc) fputs("\nEFC_J\n", t->file);
    if (!fit) fprintf(t->file, "  %s\n", error.message);
    for (int i = 0; i < d->nefc && fit; i++) {
        for (int k = 0; k < d->efc_J_rownnz[i]; k++) {
            fprintf(t->file, "%6d: ", d->efc_J_colind[d->efc_J_coladr[i] + k]);
            sn_putNumber(t, d->efc_J[d->efc_J_rowadr[i] + k]);
        }
        putc('\n', t->file);
    }
}

// Arrays that have a form of their own; false: has none.
static bool putOwnForm(const snText* t, const snModel* m, const snData* d, const char* name)
{
    if (!strcmp(name, "contact"))
        putContacts(t, m, d);
    else if (!strcmp(name, "efc_J"))
        putRows(t, m, d);
    else if (!strcmp(name, "ten_J"))
        sn_putSparse(t, name, m->ntendon, m->nv, m->nJten, d->ten_J_rownnz, d->ten_J_rowadr, d->ten_J_colind,
                     d->ten_J);
    else if (!strcmp(name, "actuator_moment"))
        sn_putSparse(t, name, m->nout, m->nv, m->nJmom, d->moment_rownnz, d->moment_rowadr, d->moment_colind,
                     d->actuator_moment);
    else if (!strcmp(name, "qDeriv") || !strcmp(name, "qLU"))
        sn_putSparse(t, name, m->nv, m->nv, m->nD, m->D_rownnz, m->D_rowadr, m->D_colind,
                     name[1] == 'D' ? d->qDeriv : d->qLU);
    else
        return false;
    return true;
}

static void putArrays(const snText* t, const snModel* m, const snData* d)
{
    int count, rows, columns;
    const snField* fields = sn_dataFields(&count, NULL);
    for (int i = 0; i < count; i++) {
        const snField* f = &fields[i];
        if (!strcmp(f->group, "cache") || putOwnForm(t, m, d, f->name)) continue;
        sn_dataFieldShape(m, d, i, &rows, &columns);
        sn_putField(t, f, *(const void* const*)((const char*)d + f->offset), rows, columns);
    }
}

snStatus sn_printData(const snModel* m, const snData* d, const char* path, const char* float_format,
                      snError* error)
{
    snText t;
    const snStatus status = sn_openText(&t, path, float_format, error);
    if (status != SN_STATUS_OK) return status;
    putMemory(&t, d);
    putScalars(&t, d);
    putWarnings(&t, d);
    putTimers(&t, d);
    putSolver(&t, d);
    fputs("\nENERGY = ", t.file);
    sn_putEntries(&t, "double", d->energy, 2);
    fputs("\nTIME = ", t.file);
    sn_putEntries(&t, "double", &d->time, 1);
    putArrays(&t, m, d);
    return sn_closeText(&t, error);
}
