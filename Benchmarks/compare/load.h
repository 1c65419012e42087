// What both ways of loading a server need.
#include <stdint.h>

/// Nanoseconds of the clock that Python's `time.monotonic_ns()` shows.
int64_t now(void);

/// Ends the process with a message, and what the system says of it.
void give_up(const char *what);

/// Begins to connect to a port of 127.0.0.1, and returns the socket, which never blocks.
int connect_to(int port);

/// Makes the kernel tell of a socket by its number in a table.
void watch(int poll, int socket, uint32_t events, uint64_t number);

/// Keeps a server busy: see `usage` in load.c.
int requests(int count, char **arguments);

/// Opens live streams: see `usage` in load.c.
int streams(int count, char **arguments);
