#ifndef PLACARD_BUILD_COMMIT_H
#define PLACARD_BUILD_COMMIT_H

/// The commit that was built, or an empty text.
const char *placard_build_commit(void);

#endif
