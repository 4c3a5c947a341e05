// A model of one release written so that it means the same under another (sinew convert --physics).
#ifndef SINEW_CLI_MIGRATE_H
#define SINEW_CLI_MIGRATE_H

#include <sinew/sinew.h>
#include "model/rules.h"

typedef struct cliMigration {
    snSpec* spec;          ///< what is rewritten; ids of its elements are those of `before`
    const snModel* before; ///< as its own physics means it
    const snModel* after;  ///< as the other means the same source
    const snLoadOptions* load;
    snError* error;
} cliMigration;

/// Puts a spec of load->physics in the place of one that means another, with what has an equivalent there
/// rewritten; the rest becomes warnings, as do those of the model, which name the lines of the source. What
/// is made of it is then read with cli_quiet. False: *error, *spec is as before.
bool cli_migrate(snSpec** spec, const snLoadOptions* load, snError* error);
/// Options under which nothing is said twice.
snLoadOptions cli_quiet(const snLoadOptions* load);

/// Names an element whose meaning has no equivalent. False: *error, since warnings are errors.
bool cli_leave(const cliMigration* g, const snElement* element, const char* text);

/// The element that has an id in the model before; NULL: none.
snElement* cli_elementOf(const cliMigration* g, int objtype, int id);

/// Whether a rule holds in one of the two alone.
bool cli_differs(const cliMigration* g, snRule rule);

/// Margins and gaps of 3.3.7 by 4.0, of geoms by halves where halves can say it, else as pairs.
bool cli_keepMargins(const cliMigration* g);
/// Names what shows rules that have no equivalent.
bool cli_nameRest(const cliMigration* g);
/// Contacts that mocap bodies no longer have with their children, as pairs.
bool cli_keepMocapContacts(const cliMigration* g);

#endif
