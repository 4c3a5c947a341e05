// sinew doctor: what this installation is made of, what it runs on, what is missing and how to get it. What
// Python knows it says itself, python/sinew/doctor.py, in a process of its own.
#include <expat.h>
#include <libqhull_r/libqhull_r.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifndef SN_WITHOUT_AMD
#include <amd.h>
#endif
#ifndef SN_WITHOUT_PNG
#include <png.h>
#endif
#include "base/cpu.h"
#include "base/platform/files.h"
#include "base/platform/process.h"
#include "base/platform/threads.h"
#include "cli/cli.h"
#include "cli/json.h"
#include "cli/python.h"

enum { JSON, NOPTIONS };
static const cliOption options[CLI_MAX_OPTIONS] = {[JSON] = {"json", NULL, "print JSON"}};

// ---- what the command knows itself

// Versions of the libraries that are linked, as they are when it runs; AMD's is that of its header.
static cJSON* libraries(void)
{
    cJSON* found = cJSON_CreateObject();
    const char* expat = XML_ExpatVersion(); // "expat_2.5.0"
    cJSON_AddStringToObject(found, "expat", expat + (strncmp(expat, "expat_", 6) ? 0 : 6));
    cJSON_AddStringToObject(found, "zlib", zlibVersion());
#ifndef SN_WITHOUT_PNG
    cJSON_AddStringToObject(found, "libpng", png_get_libpng_ver(NULL));
#endif
    cJSON_AddStringToObject(found, "qhull", qh_version);
    cJSON_AddStringToObject(found, "cJSON", cJSON_Version());
#ifndef SN_WITHOUT_AMD
    char amd[32];
    snprintf(amd, sizeof amd, "%d.%d.%d", AMD_MAIN_VERSION, AMD_SUB_VERSION, AMD_SUBSUB_VERSION);
    cJSON_AddStringToObject(found, "AMD", amd);
#endif
    return found;
}

static cJSON* processor(void)
{
    cJSON* found = cJSON_CreateObject();
    const char* asked = getenv("SINEW_CPU");
    cJSON_AddStringToObject(found, "kernels", sn_cpu());
    if (asked && *asked) cJSON_AddStringToObject(found, "SINEW_CPU", asked);
    cJSON_AddNumberToObject(found, "threads", sn_processorCount());
    return found;
}

// "" where the path cannot be told.
static cJSON* command(void)
{
    char path[SN_PATH_SIZE];
    cJSON* found = cJSON_CreateObject();
    sn_ownProgram(path);
    cJSON_AddStringToObject(found, "version", sn_version());
    cJSON_AddStringToObject(found, "path", path);
    return found;
}

// ---- what Python knows

// All of a file, from its start; NULL: out of memory, or it cannot be read. For cJSON_free.
static char* contents(FILE* file)
{
    if (fseek(file, 0, SEEK_END)) return NULL;
    const long size = ftell(file);
    char* text = size >= 0 ? cJSON_malloc((size_t)size + 1) : NULL;
    if (!text) return NULL;
    rewind(file);
    text[fread(text, 1, (size_t)size, file)] = 0;
    while (*text && text[1] && text[strlen(text) - 1] == '\n') text[strlen(text) - 1] = 0;
    return text;
}

// What sinew.doctor prints, or why it does not; NULL: out of memory, or no file for it.
static char* askPython(void)
{
    int number;
    FILE* file = sn_openTemporary(&number);
    cliPython python;
    char* text = NULL;
    if (!file) return NULL;
    if (cli_startPython(&python, CLI_DOCTOR, (char*[]){"--part", NULL}, number) == CLI_DONE)
        cli_endPython(&python);
    text = contents(file); // nothing, where none could be started, which has said why
    fclose(file);
    return text;
}

// Why there is nothing that a program can read: what Python says, behind its line end.
static const char* problemOf(const char* text)
{
    if (!text) return "not asked: there is no memory, process or temporary file for it";
    if (!*text) return "none that runs: install Python 3.11 or later, or have SINEW_PYTHON name one";
    if (text[1]) return text + 1;
    return CLI_BAD_PACKAGE " ends it without a word: install it again";
}

// {"lines": for people, "findings": for programs} or {"problem": why there are none}.
static cJSON* inPython(void)
{
    char* text = askPython();
    cJSON* found = text && *text ? cJSON_Parse(text) : NULL;
    if (!found) {
        found = cJSON_CreateObject();
        cJSON_AddStringToObject(found, "problem", problemOf(text));
    }
    cJSON_free(text);
    return found;
}

static const char* textOf(const cJSON* object, const char* name)
{
    const char* text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

// A package that is there and does not work is at fault; none, or no Python, only does less.
static bool isAtFault(const cJSON* python)
{
    return strstr(textOf(python, "problem"), CLI_BAD_PACKAGE) != NULL;
}

// ---- the report

static void printLibraries(const cJSON* found)
{
    const cJSON* library;
    cli_print("libraries  ");
    cJSON_ArrayForEach(library, found)
        cli_print(" %s %s%s", library->string, library->valuestring, library->next ? "," : "\n");
}

static void printText(const cJSON* report, const cJSON* python, const char* fault)
{
    const cJSON* cpu = cJSON_GetObjectItemCaseSensitive(report, "processor");
    const cJSON* own = cJSON_GetObjectItemCaseSensitive(report, "command");
    const char *asked = textOf(cpu, "SINEW_CPU"), *path = textOf(own, "path");
    cli_print("command     sinew %s%s%s\n", textOf(own, "version"), *path ? ": " : "", path);
    cli_print("processor   kernels for %s%s%s\n", textOf(cpu, "kernels"), *asked ? "; SINEW_CPU is " : "",
              asked);
    if (*fault) cli_print("            %s\n", fault);
    const cJSON* threads = cJSON_GetObjectItemCaseSensitive(cpu, "threads");
    cli_print("threads     %d\n", threads ? threads->valueint : 1);
    printLibraries(cJSON_GetObjectItemCaseSensitive(report, "libraries"));
    if (*textOf(python, "problem"))
        cli_print("interpreter %s\n", textOf(python, "problem"));
    else
        cli_print("%s\n", textOf(python, "lines"));
}

// The report with what Python has found, or why it has not.
static int printReport(cJSON* report, cJSON* python, const char* fault)
{
    cJSON* findings = cJSON_DetachItemFromObjectCaseSensitive(python, "findings");
    if (*fault) cJSON_AddStringToObject(report, "problem", fault);
    cJSON_AddItemToObject(report, "python", findings ? findings : cJSON_Duplicate(python, true));
    cJSON_Delete(python);
    return cli_printJson(report);
}

static int run(const cliArguments* arguments)
{
    snError error = {0};
    cJSON* report = cli_newJson();
    const bool runs = sn_checkCpu(&error) == SN_STATUS_OK;
    cJSON_AddItemToObject(report, "command", command());
    cJSON_AddItemToObject(report, "processor", processor());
    cJSON_AddItemToObject(report, "libraries", libraries());
    cJSON* python = inPython();
    const int code = runs && !isAtFault(python) ? CLI_DONE : CLI_BAD_INPUT;
    if (arguments->value[JSON]) {
        const int printed = printReport(report, python, error.message);
        return printed ? printed : code;
    }
    const bool whole = !cli_jsonLacksMemory();
    if (whole) printText(report, python, error.message);
    cJSON_Delete(python);
    cJSON_Delete(report);
    return whole ? code : cli_fail(CLI_BAD_INPUT, "out of memory for the report");
}

const cliCommand cli_doctor = {
    .name = "doctor",
    .operands = "",
    .summary = "what this installation has, what it lacks, and how to get that",
    .notes =
        "Draws in processes of their own, to see what works. Exit code 1 if the command cannot run here, or "
        "the package of Python is\nthere and does not fit; without Python it is 0.",
    .options = options,
    .noptions = NOPTIONS,
    .run = run,
};
