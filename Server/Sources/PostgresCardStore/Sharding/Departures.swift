package import CardModel
import CardStore
import WireJSON

/// A user who is about to be merged into one of another database.
package struct Departure: Sendable, Hashable {
    /// The user without an id of their own, who goes.
    package let user: UserID
    /// The user who they are.
    package let identity: UserID
    /// The time of the merge.
    package let at: UnixTime

    /// Creates a departure.
    package init(user: UserID, identity: UserID, at now: UnixTime) {
        (self.user, self.identity, at) = (user, identity, now)
    }

    fileprivate var values: [any PostgresEncodable] { [user.rawValue, identity.rawValue, at] }
}

/// Merging a user into one of another database, in steps of which each is a transaction and can be done again.
///
/// 1. The departure is noted where the user is; nobody changes the user from then on.
/// 2. The user's rows are brought to the identity's database and merged there, or it is noted there that they aren't.
///    So whoever does this again, however late, comes to the same outcome.
/// 3. The user is removed where they were; or the departure is, and the user goes on there.
extension PostgresCardStore {
    /// Notes that a user is about to go, and returns whether there is such a user.
    ///
    /// - Throws: `StoreError.misplaced` where the user is about to go elsewhere.
    package func beginDeparture(of user: UserID, to identity: UserID, at now: UnixTime) async throws -> Bool {
        let departure = Departure(user: user, identity: identity, at: now)
        return try await writer.write([user], scope: .departing) { try $0.begin(departure) }
    }

    /// Returns departures that were begun, the oldest first.
    package func unfinishedDepartures(limit: Int) async throws -> [Departure] {
        try await read { connection in
            try connection.rows(
                "SELECT user_id, identity, at FROM departures ORDER BY at, user_id LIMIT $1",
                [PageLimit.clamp(limit)]
            ).map { row in
                Departure(
                    user: UserID(rawValue: try row.text("user_id")),
                    identity: UserID(rawValue: try row.text("identity")),
                    at: try row.double("at")
                )
            }
        }
    }

    /// Reads the rows of a user who is about to go, or returns `nil` where the departure has ended.
    package func departingRows(of departure: Departure) async throws -> UserRows? {
        let (now, shard) = (now(), shardID)
        return try await snapshot { connection in
            guard try connection.row(Self.findDeparture, departure.values) != nil else { return nil }
            return try UserRows(departure.user, of: shard, at: now, on: connection)
        }
    }

    /// Merges a user who comes from another database into one of this.
    ///
    /// - Parameters:
    ///   - rows: The user's rows.
    ///   - departure: The departure.
    /// - Returns: The outcome; the same one each time.
    /// - Throws: `StoreError.misplaced` where the identity isn't here, or about to go elsewhere.
    package func merge(_ rows: UserRows, of departure: Departure) async throws -> Identification.IdentificationOutcome {
        try await writer.write([rows.user, departure.identity], scope: .departing) {
            try $0.merge(rows, of: departure)
        }
    }

    /// Returns how a merge into a user of this database was refused, or `nil` where it wasn't.
    ///
    /// Whoever finds a departure ended needs it to know how: the user is where they were, or is the identity by now.
    package func refusal(of departure: Departure) async throws -> Identification.IdentificationOutcome? {
        let (hash, fence) = (pseudonyms.hash(of: departure.user), readFence)
        return try await read { connection in
            let rows = try connection.rows(
                "SELECT is_label_taken FROM refused_departures WHERE hash = $1 AND at = $2",
                [hash, departure.at],
                fence
            )
            return try rows.first.map { try $0.flag("is_label_taken") ? .labelTaken : .userUnknown }
        }
    }

    /// Returns whether a user was merged into one of this database, from here or from another one.
    package func hasMerged(_ user: UserID, into identity: UserID) async throws -> Bool {
        let (hash, fence) = (pseudonyms.hash(of: user), readFence)
        return try await read { connection in
            let sql = "SELECT 1 AS found FROM merged_users WHERE hash = $1 AND user_id = $2"
            return try !connection.rows(sql, [hash, identity.rawValue], fence).isEmpty
        }
    }

    /// Removes a user who was merged in another database, and notes who they are by now.
    ///
    /// Nothing is done where the departure has ended. The other database has told the webhook.
    package func finishDeparture(_ departure: Departure) async throws {
        try await writer.write([departure.user], scope: .nobody) { try $0.finish(departure) }
    }

    /// Lets a user stay who wasn't merged; nothing is done where the departure has ended.
    package func cancelDeparture(_ departure: Departure) async throws {
        _ = try await writer.write([departure.user], scope: .nobody) { session in
            try session.connection.execute(
                "DELETE FROM departures WHERE user_id = $1 AND identity = $2 AND at = $3",
                departure.values
            )
        }
    }

    fileprivate static let findDeparture = """
        SELECT 1 AS found FROM departures WHERE user_id = $1 AND identity = $2 AND at = $3
        """
}

extension WriteSession {
    fileprivate func begin(_ departure: Departure) throws -> Bool {
        guard try user(departure.user) != nil else { return false }
        let sql = "SELECT 1 AS found FROM departures WHERE user_id = $1"
        guard try connection.row(sql, [departure.user.rawValue]) == nil else {
            // An attempt of the same request may have begun it.
            guard try connection.row(PostgresCardStore.findDeparture, departure.values) != nil else {
                throw StoreError.misplaced
            }
            return true
        }
        try connection.execute(
            "INSERT INTO departures (user_id, identity, at) VALUES ($1, $2, $3)",
            departure.values
        )
        return true
    }

    // MARK: Where the identity is

    fileprivate func merge(_ rows: UserRows, of departure: Departure) throws -> Identification.IdentificationOutcome {
        if let known = try earlierOutcome(of: departure, rows) { return known }
        if let next = try successor(of: departure.identity) {
            // Of two who are to be merged into each other, both would wait for the other one.
            let isCircle = next == departure.user && next.rawValue.precedesInBytes(departure.identity.rawValue)
            guard isCircle else { throw StoreError.misplaced }
            return try refuse(departure, .userUnknown)
        }
        guard try !hasAliases(of: rows) else { return try refuse(departure, .labelTaken) }
        let repeated = try connection.rows(SQL.namedEvents, [departure.identity.rawValue, rows.newest])
        try insert(rows)
        let outcome = try identify(
            Identification(user: .id(rows.user), identity: departure.identity),
            repeating: repeated.compactMap { try $0.loggedEvent() },
            at: departure.at
        )
        guard outcome == .done else {
            try removeRows(of: rows.user)
            changes.move(-1)
            return try refuse(departure, outcome)
        }
        try insertMoved(rows.moved, of: departure.identity, from: rows.shard)
        return .done
    }

    /// Returns the identity that a user of this database is about to be merged into, or `nil` for one who stays.
    private func successor(of user: UserID) throws -> UserID? {
        try connection.row("SELECT identity FROM departures WHERE user_id = $1", [user.rawValue])
            .map { UserID(rawValue: try $0.text("identity")) }
    }

    /// Returns the outcome of an earlier attempt, or `nil` where this is the first.
    ///
    /// A later user of the same id begins after the end of the one who was merged, so the two aren't confused. One who
    /// was merged into an identity that was deleted since is gone with it.
    private func earlierOutcome(
        of departure: Departure,
        _ rows: UserRows
    ) throws -> Identification.IdentificationOutcome? {
        let hash = pseudonyms.hash(of: departure.user)
        let row = try connection.row(
            """
            SELECT greatest(
                    (SELECT merged_at FROM merged_users WHERE hash = $1),
                    (SELECT erased_at FROM erased_users WHERE hash = $1),
                    (SELECT merged_at FROM departed_users WHERE hash = $1)
                ) AS ended_at,
                (SELECT is_label_taken FROM refused_departures WHERE hash = $1 AND at = $2)::INTEGER AS is_label_taken
            """,
            [hash, departure.at]
        )
        guard let row else { return nil }
        if let end = try row.optionalDouble("ended_at"), end >= rows.createdAt { return .done }
        guard let isLabelTaken = try row.optionalInteger("is_label_taken") else { return nil }
        return isLabelTaken == 0 ? .userUnknown : .labelTaken
    }

    /// Notes that a merge was refused: an attempt that comes late must not do it after all.
    private func refuse(
        _ departure: Departure,
        _ outcome: Identification.IdentificationOutcome
    ) throws -> Identification.IdentificationOutcome {
        // Nobody comes as late as that.
        try connection.execute("DELETE FROM refused_departures WHERE at < $1", [departure.at - UserRows.repetition])
        try connection.execute(
            """
            INSERT INTO refused_departures (hash, at, is_label_taken) VALUES ($1, $2, $3)
            ON CONFLICT DO NOTHING
            """,
            [pseudonyms.hash(of: departure.user), departure.at, outcome == .labelTaken]
        )
        return outcome
    }

    /// Whether another user here has an alias of the user who comes.
    private func hasAliases(of rows: UserRows) throws -> Bool {
        let aliases = rows.tables.first { $0.table == "aliases" }?.named ?? []
        guard !aliases.isEmpty else { return false }
        return try connection.row(
            """
            SELECT 1 AS found FROM unnest($1::TEXT[], $2::TEXT[]) AS k (label, name)
            JOIN aliases AS a ON a.label = k.label AND a.name = k.name WHERE a.user_id <> $3 LIMIT 1
            """,
            [try aliases.map { try $0.text("label") }, try aliases.map { try $0.text("name") }, rows.user.rawValue]
        ) != nil
    }

    // MARK: Where the user was

    /// The statements about what is left of a user, with the identity: whose events those of the user and of former
    /// ones are, and who they are.
    private static let remains = [
        "UPDATE merged_logs SET user_id = $2 WHERE user_id = $1",
        """
        INSERT INTO merged_logs (former_id, user_id)
        SELECT $1, $2 WHERE EXISTS (SELECT 1 FROM events WHERE user_id = $1)
        """,
        "UPDATE departed_users SET user_id = $2 WHERE user_id = $1",
    ]

    fileprivate func finish(_ departure: Departure) throws {
        let user = departure.user
        guard let row = try lockedRow(of: user),
            try connection.row(PostgresCardStore.findDeparture, departure.values) != nil
        else { return }
        try settleEvents(of: [user])
        let names = [user.rawValue, departure.identity.rawValue]
        try connection.execute(Self.removeRepeatedEvents, names)
        for sql in Self.remains { try connection.execute(sql, names) }
        try noteFormerUsers(of: user, as: departure.identity)
        // As `UserEnd` says it where the two are merged.
        let end = max(departure.at, try row.double("created_at"))
        try FormerUserRows.insertDeparted(user, into: departure.identity, at: end, self)
        try removeRows(of: user)
        changes.remove(user)
    }
}
