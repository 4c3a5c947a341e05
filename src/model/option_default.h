// What options are where a file does not say.
#ifndef SINEW_MODEL_OPTION_DEFAULT_H
#define SINEW_MODEL_OPTION_DEFAULT_H

#include <sinew/option.h>
#include <sinew/visual.h>

/// Every option as a silent file of this snPhysics means it.
snOption sn_optionOf(int physics);
/// The same of visual options.
snVisual sn_visualOf(int physics);

#endif
