// Presses Ctrl-C (0) or Ctrl-Break (1) on a program of Windows once a file that it writes has some rows:
//     interrupt EVENT FILE PROGRAM WORDS...
// Ends with the program's code.
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static BOOL WINAPI stay(DWORD event)
{
    return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
}

static unsigned long long sizeOf(const wchar_t* path)
{
    WIN32_FILE_ATTRIBUTE_DATA found;
    if (!GetFileAttributesExW(path, GetFileExInfoStandard, &found)) return 0;
    return (unsigned long long)found.nFileSizeHigh << 32 | found.nFileSizeLow;
}

// The words, none of which needs more than quotes around it.
static wchar_t* commandLine(int argc, wchar_t** argv)
{
    size_t size = 1;
    for (int i = 0; i < argc; i++) size += wcslen(argv[i]) + 3;
    wchar_t* line = calloc(size, sizeof *line);
    for (int i = 0; line && i < argc; i++) wcscat(wcscat(wcscat(line, L"\""), argv[i]), L"\" ");
    return line;
}

int wmain(int argc, wchar_t** argv)
{
    enum { ROWS = 100000, PATIENCE = 6000 }; // bytes; hundredths of a second
    DWORD code = STILL_ACTIVE;
    STARTUPINFOW how = {.cb = sizeof how};
    PROCESS_INFORMATION started;
    if (argc < 4) return 99;
    FreeConsole();
    AllocConsole();
    SetConsoleCtrlHandler(NULL, FALSE); // whoever started this may have set it aside
    if (!CreateProcessW(NULL, commandLine(argc - 3, argv + 3), NULL, NULL, TRUE, 0, NULL, NULL, &how,
                        &started))
        return 98;
    SetConsoleCtrlHandler(stay, TRUE);
    for (int i = 0; i < PATIENCE && sizeOf(argv[2]) < ROWS && code == STILL_ACTIVE; i++) {
        Sleep(10);
        GetExitCodeProcess(started.hProcess, &code);
    }
    if (code != STILL_ACTIVE) return fwprintf(stderr, L"it has ended with %lu\n", code), 97;
    if (!GenerateConsoleCtrlEvent((DWORD)_wtoi(argv[1]), 0)) return 96;
    if (WaitForSingleObject(started.hProcess, 60000)) return TerminateProcess(started.hProcess, 1), 95;
    GetExitCodeProcess(started.hProcess, &code);
    return (int)code;
}
