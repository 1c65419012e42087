import CardModel
import CardStore

/// The condition under which a job is done where users are spread over several databases.
enum JobFence: Sendable, Hashable {
    /// Always.
    case always
    /// As long as the database has what it had when the job was asked for, and none of the job's users is on the way to
    /// another one.
    case staying(placement: Int64)
    /// As long as the database has what it had when the job was asked for.
    case placed(placement: Int64)
    /// Once no job of another group is being done that depends on what the database has; the job is alone.
    case exclusive
}

/// The users whose database a job depends on.
enum JobScope: Sendable {
    /// Those that it names, if any.
    case named
    /// Others too.
    case others
    /// Those that it names, also where they are on the way to another database.
    case departing
    /// Nobody: it moves users itself, or is about none.
    case nobody
    /// It changes which users the database has.
    case placement

    /// Returns the condition for a job.
    ///
    /// - Parameters:
    ///   - role: The part that the database has, or `nil` where there is a single one.
    ///   - isNaming: Whether the job names users, or what users have.
    /// - Returns: The condition.
    func fence(_ role: ShardRole?, isNaming: Bool) -> JobFence {
        switch self {
        case .placement: .exclusive
        case .nobody: .always
        case .named where !isNaming: .always
        case .named, .others: role.map { JobFence.staying(placement: $0.expected) } ?? .always
        case .departing: role.map { JobFence.placed(placement: $0.expected) } ?? .always
        }
    }
}

/// The state that a group depends on as long as its transaction lasts.
struct GroupFence {
    /// The generation of what the database has.
    let placement: Int64
    /// The users among those that the group named who are on the way to another database.
    let departing: Set<UserID>
}

/// No group writes to a user that the database has given away, or is about to.
///
/// A group takes a lock that it shares with the others, and then reads what the database has: whoever changes that
/// waits for the groups that are being done, and those after it see the change. A user who leaves alone is noted in a
/// row, which whoever has locked the user sees.
extension WriteSession {
    /// The lock of groups, shared, and of whoever changes what the database has: `PLCP`.
    private static let kind: Int64 = 0x504C_4350

    private static let share = "SELECT pg_advisory_xact_lock_shared($1) IS NULL AS is_locked"
    private static let exclude = "SELECT pg_advisory_xact_lock($1) IS NULL AS is_locked"
    /// A statement of its own after the lock, so that it sees what was done before.
    private static let placement = "SELECT placement FROM store WHERE id = 1"
    private static let departing = "SELECT user_id FROM departures WHERE user_id = ANY ($1)"

    /// The statements with which a group begins, before it locks users.
    ///
    /// - Parameter isExclusive: Whether it changes which users the database has.
    /// - Returns: None where there is a single database; in all cases the last one gives the generation.
    func fenceQueries(isExclusive: Bool) -> [PostgresQuery] {
        guard isSharded || isExclusive else { return [] }
        return [PostgresQuery(isExclusive ? Self.exclude : Self.share, [Self.kind]), PostgresQuery(Self.placement)]
    }

    /// The statements that follow once the users of a group are locked.
    func departureQueries(for users: Set<UserID>) -> [PostgresQuery] {
        guard isSharded, !users.isEmpty else { return [] }
        return [PostgresQuery(Self.departing, [users.map(\.rawValue)])]
    }

    /// Reads the rows of ``fenceQueries(isExclusive:)`` and ``departureQueries(for:)``.
    static func fence(
        _ rows: some Collection<[PostgresRow]>,
        departing: some Sequence<[PostgresRow]>
    ) throws -> GroupFence? {
        guard let last = Array(rows).last else { return nil }
        guard let row = last.first else { throw StoreError.unreadable("no row of its own") }
        let users = try departing.joined().map { UserID(rawValue: try $0.text("user_id")) }
        return GroupFence(placement: try row.integer("placement"), departing: Set(users))
    }

    /// Whether a job can be done in the present group.
    func admits(_ job: GroupWriter.WriteJob) -> Bool {
        switch job.fence {
        case .always, .exclusive: true
        case .placed(let placement): fence?.placement == placement
        case .staying(let placement):
            fence.map { $0.placement == placement && $0.departing.isDisjoint(with: job.users) } ?? false
        }
    }

    /// Throws where users whose rows were locked by now, and who the group didn't name, are on the way to another
    /// database.
    func requireStaying(_ users: [UserID]) throws {
        guard isSharded, !users.isEmpty else { return }
        guard try connection.rows(Self.departing, [users.map(\.rawValue)]).isEmpty else { throw StoreError.misplaced }
    }
}
