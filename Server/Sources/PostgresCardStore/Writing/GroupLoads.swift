import CardModel

/// The rows that jobs of a group asked for before the first of them ran, as long as they are as they were read.
///
/// The users' rows are locked by then, so only jobs of the same group change what was read.
struct GroupLoads {
    private var rows: ArraySlice<[PostgresRow]>
    /// The users that jobs before the present one were about.
    private var users: Set<UserID> = []
    /// Whether a job may have changed other users than it named.
    private(set) var isStale = false

    /// Creates the loads of a group, in the order of its jobs and their statements.
    init(_ rows: [[PostgresRow]]) { self.rows = rows[...] }

    /// Returns what a job asked for, or `nil` where it has to ask again.
    mutating func next(for job: GroupWriter.WriteJob) -> [[PostgresRow]]? {
        let own = Array(rows.prefix(job.queries.count))
        rows = rows.dropFirst(job.queries.count)
        guard !own.isEmpty, !isStale, users.isDisjoint(with: job.users) else { return nil }
        return own
    }

    /// Notes that a job was run.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - isElsewhere: Whether it wrote to another user than it named.
    mutating func note(_ job: GroupWriter.WriteJob, isElsewhere: Bool) {
        users.formUnion(job.users)
        if isElsewhere { isStale = true }
    }
}
