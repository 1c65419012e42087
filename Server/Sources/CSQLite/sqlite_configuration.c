#include "CSQLite.h"
#include <sqlite3.h>

int placard_sqlite_accept_addresses(void) {
    return sqlite3_config(SQLITE_CONFIG_URI, 1);
}

int placard_sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
