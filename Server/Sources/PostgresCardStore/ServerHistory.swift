import CardModel

/// The history in which a connection's transactions are kept: two that are equal see one history.
struct ServerHistory: Equatable, Sendable {
    /// The timeline of the server's log, in hexadecimal, which changes when a standby is promoted or a backup is
    /// recovered.
    let timeline: String
    /// The server's cluster, the database, and the table `store`: another one wherever a dump was read.
    let database: String

    /// A number of its own for each history.
    var number: UInt64 { StableHash.of(timeline, database) }
}
