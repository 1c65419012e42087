import CardStore

/// The part that a database has where users are spread over several.
package struct ShardRole: Sendable {
    /// The number of the shard; 0 is the home.
    package let id: Int64
    /// The generation of what the database has, as far as this node knows.
    ///
    /// Asked on the caller's task when a call begins; ``ShardRouting`` takes precedence.
    package let placement: @Sendable () -> Int64

    /// The number of databases that this node knows, with the home.
    package let databases: Int64

    /// Creates a part.
    package init(id: Int64, among databases: Int64 = 1, placement: @escaping @Sendable () -> Int64) {
        self.id = id
        self.databases = databases
        self.placement = placement
    }

    /// The generation that the present call depends on.
    var expected: Int64 {
        if let routing = ShardRouting.current, routing.shard == id { return routing.placement }
        return placement()
    }
}

/// The generation by which a caller has chosen a database.
///
/// What a node knows may change between the choice and the call. Whoever chooses a database binds ``current`` to what
/// the choice was made with, so that a call to one that had the user a moment ago is refused.
package struct ShardRouting: Sendable {
    /// The choice that the present task has made.
    @TaskLocal package static var current: ShardRouting?

    /// The number of the shard that was chosen.
    package let shard: Int64
    /// The generation of what it has.
    package let placement: Int64

    /// Creates a choice.
    package init(shard: Int64, placement: Int64) { (self.shard, self.placement) = (shard, placement) }
}

/// The check that a row counts: the database had its user when it was read, as far as the caller's placement goes.
struct ReadFence: Sendable {
    let placement: Int64

    /// Asks for the generation after the rows were read.
    static var query: PostgresQuery { PostgresQuery(sql) }
    private static let sql = "SELECT placement FROM store WHERE id = 1"

    /// Throws where what the database has is other than the caller knows.
    func check(_ rows: [PostgresRow]) throws {
        guard try rows.first?.integer("placement") == placement else { throw StoreError.misplaced }
    }
}

extension PostgresCardStore {
    /// The check of rows that the present call reads of one user; `nil` where there is a single database.
    var readFence: ReadFence? { deviceReads.fence }

    /// Whether users are spread over several databases.
    var isSharded: Bool { options.shard != nil }
}

extension PostgresConnection {
    /// Reads rows of one user, and throws where the user may be in another database by then.
    func rows(_ sql: String, _ values: [any PostgresEncodable], _ fence: ReadFence?) throws -> [PostgresRow] {
        guard let fence else { return try rows(sql, values) }
        let found = try rows(of: [PostgresQuery(sql, values)], fence)
        // safe: a list for each statement
        return found[0]
    }

    /// Reads rows of one user by several statements at once, and throws where the user may be in another database.
    func rows(of queries: [PostgresQuery], _ fence: ReadFence?) throws -> [[PostgresRow]] {
        guard let fence else { return try rows(of: queries) }
        let found = try rows(of: queries + [ReadFence.query])
        try fence.check(found.last ?? [])
        return Array(found.dropLast())
    }
}
