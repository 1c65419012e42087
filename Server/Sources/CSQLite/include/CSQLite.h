#ifndef CSQLITE_H
#define CSQLITE_H

/// Has SQLite count no memory, which costs a lock for each allocation; `sqlite3_config` can't be called from Swift.
///
/// Returns SQLite's code: 0, or 21 where SQLite was used before.
int placard_sqlite_count_no_memory(void);

/// Has SQLite take what begins with `file:` for an address, which may say how the file is read.
///
/// Returns SQLite's code: 0, or 21 where SQLite was used before.
int placard_sqlite_accept_addresses(void);

#endif
