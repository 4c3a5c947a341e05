// Linear complementarity problems of the user's own.
#ifndef SINEW_PYTHON_LCP_H
#define SINEW_PYTHON_LCP_H

#include "base/base.h"

extern PyMethodDef lcp_functions[];

#endif
