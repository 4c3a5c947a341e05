// What the parts of the command share: exit codes, the description of a subcommand, its parsed arguments.
#ifndef SINEW_CLI_CLI_H
#define SINEW_CLI_CLI_H

#include <sinew/sinew.h>

enum cliExit {
    CLI_DONE = 0,
    CLI_BAD_INPUT = 1, ///< a model or a file is wrong, or cannot be read or written
    CLI_BAD_USAGE = 2,
    CLI_UNSTABLE = 3,
    CLI_SIGNALLED = 128, ///< and the signal that ended the run, as shells report it: 130 for Ctrl-C
};

/// Most options of a command: tables of options have this size, so that one more does not compile.
enum { CLI_MAX_OPTIONS = 18 };

/// An option: "--name", and if `argument` is not NULL a value after it, or after "=". An argument "A|B" is
/// one of these words; "[A|B]" may be left out, the value then is "".
typedef struct cliOption {
    const char* name;
    const char* argument; ///< how the help calls the value; NULL: a flag
    const char* help;     ///< lines separated by "\n"
} cliOption;

/// What stood on the command line. value[i] belongs to option i: NULL if absent; "" for a flag that is there.
typedef struct cliArguments {
    const char* value[CLI_MAX_OPTIONS];
    char** operands;
    int noperands;
} cliArguments;

typedef struct cliCommand {
    const char* name;
    const char* operands; ///< "MODEL..."
    int least, most;      ///< how many operands
    const char* summary;  ///< one line
    const char* notes;    ///< text below the options; NULL: none
    const cliOption* options;
    int noptions;
    int (*run)(const cliArguments* arguments); ///< returns a cliExit
    const char* module; ///< Python module that takes the arguments instead, unread; NULL: none
} cliCommand;

extern const cliCommand cli_simulate, cli_inspect, cli_check, cli_convert, cli_plot, cli_render, cli_view,
    cli_doctor;

/// printf to stdout. Control characters but line ends and tabs, and what is no UTF-8, are written as \xNN,
/// characters that are not seen as \uNNNN: names come from files that anybody may have made.
void cli_print(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// The same to stderr.
void cli_complain(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// A name or a path to stdout, all in one line.
void cli_printName(const char* name);
/// What has been printed reaches its end; false after a message.
bool cli_closeOutput(void);

/// Prints "sinew: " and a message to stderr, as cli_print; returns `code`.
int cli_fail(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));

/// Fills *arguments from argv [argc], which starts after the subcommand's name; moves operands to its front.
/// -1: go on; otherwise the exit code: 0 after --help, CLI_BAD_USAGE after a message.
int cli_parse(const cliCommand* command, int argc, char** argv, cliArguments* arguments);
void cli_printHelp(const cliCommand* command);

/// A finite number, the whole of text; false if it is not one.
bool cli_number(const char* text, double* value);
/// A whole number from 0 to 2^62, the whole of text.
bool cli_wholeNumber(const char* text, long long* value);

/// The option of every command that reads models.
#define CLI_PACKAGES "package-dir"
#define CLI_PACKAGE_DIR                                                                                      \
    {                                                                                                        \
        CLI_PACKAGES, "DIR[:DIR]", "folders of ROS packages, for package:// in a URDF"                       \
    }

#define CLI_ANYWHERE                                                                                         \
    {                                                                                                        \
        "anywhere", NULL, "a model may name any file, not only its own and meshes, models, images"           \
    }

#define CLI_STRICT                                                                                           \
    {                                                                                                        \
        "strict", NULL, "a warning is an error"                                                              \
    }

#define CLI_LOOPS                                                                                            \
    {                                                                                                        \
        "loops", "soft|exact",                                                                               \
            "how connect, weld, joint and tendon equalities are held, whatever\nthe model says"              \
    }

#define CLI_CONTACT                                                                                          \
    {                                                                                                        \
        "contact", "soft|lcp",                                                                               \
            "whether contacts, limits and equalities give way or are rigid,\nwhatever the model says"        \
    }

#define CLI_SERVO                                                                                            \
    {                                                                                                        \
        "servo", "begin|end",                                                                                \
            "where in an implicit step the limits of servos' forces hold,\nwhatever the model says"          \
    }

#define CLI_PHYSICS                                                                                          \
    {                                                                                                        \
        "physics", "3.3.7|4.0",                                                                              \
            "which MuJoCo's rules the model is compiled and stepped by, whatever\nit says (see "             \
            "docs/releases.md)"                                                                              \
    }

/// What the model says in text fields: the values of the three options above; NULL or "": as the model says.
typedef struct cliHolding {
    const char *loops, *contact, *servo;
} cliHolding;

/// How a model is read: the values of the options above.
typedef struct cliLoad {
    const char* package_dirs; ///< NULL: none
    const char* physics;      ///< NULL: as the model says
    cliHolding holding;
    bool strict, anywhere;
    snWarnings* warnings; ///< keeps them, too, for the caller to free; NULL: they are only printed
} cliLoad;

/// Prints the warnings to stderr, a line each.
void cli_printWarnings(const snWarnings* warnings);
/// The spec of a model file; urdf: what else a URDF is read with.
snSpec* cli_loadSpec(const char* path, const char* package_dirs, snUrdfOptions urdf,
                     const snLoadOptions* options, snError* error);
/// Has the model hold its constraints so; false, with error filled: it cannot.
bool cli_setHolding(snModel* m, cliHolding holding, snError* error);
/// The same of a spec, which says so from then on; settings behind that stay.
bool cli_setSpecHolding(snSpec* spec, cliHolding holding, snError* error);
/// The spec of what cli_loadModel loads with these options, of a compiled model its source.
snSpec* cli_loadSource(const char* path, cliLoad how, const snLoadOptions* options, snError* error);
/// The model of a file. Prints its warnings.
snModel* cli_readModel(const char* path, cliLoad how, snError* error);
/// As cli_readModel; NULL path: our own humanoid, built into the command. Prints the error; NULL on failure.
snModel* cli_loadModel(const char* path, cliLoad how);

/// Name of an element for people: its name, or "[id]" in `buffer` when it has none.
const char* cli_name(const snModel* m, int objtype, int id, char buffer[32]);

#endif
