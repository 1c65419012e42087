#include "build_commit.h"

#ifndef PLACARD_COMMIT
#define PLACARD_COMMIT ""
#endif

const char *placard_build_commit(void) { return PLACARD_COMMIT; }
