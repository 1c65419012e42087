/// The traffic of a store with its database server since it was opened.
public struct StoreTraffic: Sendable, Hashable {
    /// The reason why something was tried again.
    public enum Retry: String, Sendable, CaseIterable {
        /// Two transactions waited for each other.
        case deadlock
        /// A transaction read what another one changed.
        case serialization
        /// Two nodes inserted the same row.
        case duplicate
        /// The connection was lost while something was written.
        case connection
        /// The connection was lost while something was read.
        case read
        /// The connection was lost in the middle of a commit, whose outcome was then asked for.
        case commit
    }

    /// The purpose of a connection.
    public enum Purpose: String, Sendable, CaseIterable {
        /// Answering what was asked.
        case read
        /// Writing groups of changes.
        case write
        /// Hearing of other nodes' changes.
        case listen
    }

    /// The work that a store of several databases does by itself.
    public enum HousekeepingWork: String, Sendable, CaseIterable {
        /// Bringing entries of the audit log and of the webhook to the first database.
        case outbox
        /// Ending merges of users into ones of other databases.
        case departures
        /// Going on with moves of users that were interrupted, or calling them off.
        case moves
        /// Following databases that were removed.
        case removals
        /// Following databases that were restored or failed over.
        case failovers
        /// Removing copies of users who are in another database.
        case copies
        /// Removing events of users who were deleted from logs that were restored.
        case erasures
    }

    /// The number of connections that the store may have open.
    public var connections = 0
    /// The number of reads that wait for a connection.
    public var waiting = 0
    /// The number of reads that had to wait for a connection.
    public var waits = 0
    /// The number of times the store has waited for an answer of the server, by purpose.
    public var roundTrips: [Purpose: Int] = [:]
    /// The number of times something was tried again, by reason.
    public var retries: [Retry: Int] = [:]
    /// The number of databases that didn't answer when they were looked at last, beside the first one.
    public var absentShards = 0
    /// The number of times that partitions of the log couldn't be created or dropped.
    public var partitionFailures = 0
    /// The number of times that work failed which a store of several databases does by itself, by work.
    public var housekeepingFailures: [HousekeepingWork: Int] = [:]

    /// Creates the traffic of a store that has no server.
    public init() {}
}
