import CardModel
import CardStore

/// The reads of devices, of which those that come at the same time share a round trip.
final class DeviceReads: DeferredReads {
    /// A user, and the check of what is read of them.
    struct UserRequest: Sendable {
        let user: UserID
        let fence: ReadFence?
    }

    /// More at once would keep the first of them waiting for the last.
    private static let revisionLimit = 256
    /// A single connection answers more than devices ask for, so that more groups would only be smaller.
    private static let revisionGroups = 2

    /// The first of them waits for the last, and all are in memory at once.
    private static let stateLimit = 16

    private let shard: ShardRole?
    let revisions: SharedReads<UserRequest, UserRevision?>
    let states: SharedReads<StateRequest, UserState?>

    /// - Parameters:
    ///   - pool: The connections.
    ///   - options: The number of connections, and the part that the database has.
    init(_ pool: ConnectionPool, _ options: PostgresCardStore.Options) {
        shard = options.shard
        revisions = SharedReads(pool, groups: Self.revisionGroups, size: Self.revisionLimit) { connection, requests in
            try connection.revisions(of: requests)
        }
        states = SharedReads(pool, groups: options.readers, size: Self.stateLimit) { connection, requests in
            try connection.states(of: requests)
        }
    }

    /// The check of rows that the present call reads of one user; `nil` where there is a single database.
    var fence: ReadFence? { shard.map { ReadFence(placement: $0.expected) } }

    func userRevision(
        of user: UserID,
        _ completion: @escaping @Sendable (Result<UserRevision?, StoreError>) -> Void
    ) {
        revisions.read(UserRequest(user: user, fence: fence), completion)
    }

    func userState(
        of user: UserID,
        including parts: UserHistory.Parts,
        dueBy time: UnixTime,
        _ completion: @escaping @Sendable (Result<UserState?, StoreError>) -> Void
    ) {
        states.read(StateRequest(user: user, parts: parts, time: time, fence: fence), completion)
    }

    /// The number of reads that wait for others.
    var waitingCount: Int {
        // safe: numbers of callers
        revisions.waitingCount + states.waitingCount
    }
}

extension PostgresConnection {
    /// Reads the little of users that tells whether anything has changed, and checks it for each caller.
    fileprivate func revisions(
        of requests: [DeviceReads.UserRequest]
    ) throws -> [Result<UserRevision?, any Error>] {
        let isFenced = requests.contains { $0.fence != nil }
        let query = Self.revisionQuery(requests)
        let results = try rows(of: isFenced ? [query, ReadFence.query] : [query])
        let (rows, placement) = (results.first ?? [], isFenced ? results.last ?? [] : [])
        let isShared = requests.count > 1
        var found: [UserID: PostgresRow] = [:]
        found.reserveCapacity(rows.count)
        if isShared { for row in rows { found[UserID(rawValue: try row.text("id"))] = row } }
        return requests.map { request in
            let row = isShared ? found[request.user] : rows.first
            return Result { try Self.revision(row, request.fence, placement) }
        }
    }

    private static func revision(
        _ row: PostgresRow?,
        _ fence: ReadFence?,
        _ placement: [PostgresRow]
    ) throws -> UserRevision? {
        try fence?.check(placement)
        return try row?.revision()
    }

    private static func revisionQuery(_ requests: [DeviceReads.UserRequest]) -> PostgresQuery {
        let users = requests.map(\.user.rawValue)
        guard let first = users.first, users.count == 1 else { return PostgresQuery(SQL.userRevisions, [users]) }
        return PostgresQuery(SQL.userRevision, [first])
    }
}

extension PostgresRow {
    fileprivate func revision() throws -> UserRevision {
        UserRevision(
            version: try integer("version"),
            device: try integer("device"),
            lastSeenAt: try optionalDouble("last_seen_at") ?? 0,
            createdAt: try double("created_at")
        )
    }
}
