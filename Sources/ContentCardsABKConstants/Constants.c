// The header is all that this target has; a package needs a source file.
#include "ContentCardsABKConstants.h"
