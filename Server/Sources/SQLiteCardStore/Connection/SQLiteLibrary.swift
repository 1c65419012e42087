import CSQLite

/// The settings that hold for all connections of the process.
enum SQLiteLibrary {
    /// Whether SQLite adds up the memory that it has, which nobody asks it for.
    ///
    /// It would take a lock for each allocation: a twentieth of what an event costs. Asked for before the first
    /// connection, since it can't be changed afterwards; another part of the process that was faster keeps it as it is.
    static let countsMemory = placard_sqlite_count_no_memory() != 0

    /// Whether a connection may be opened by an address that begins with `file:`, which says how the file is read.
    ///
    /// Asked for before the first connection. Where another part of the process was faster, it is as SQLite was built,
    /// which systems do with it.
    static let acceptsAddresses = placard_sqlite_accept_addresses() == 0
}
