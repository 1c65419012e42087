import CardModel
import CardStore
import WireJSON

extension WriteSession {
    func identify(_ users: [Identification], at now: UnixTime) throws -> [Identification.IdentificationOutcome] {
        try users.map { try identify($0, at: now) }
    }

    /// Merges two users: loads what both have, and applies what the recorder decides.
    ///
    /// - Parameters:
    ///   - identification: The users.
    ///   - others: Events that the user's log has in another database, and the identity has too; `nil` for a user who
    ///     lives here, since they are looked for then.
    ///   - now: The time.
    /// - Returns: The outcome.
    /// - Throws: What the server says.
    func identify(
        _ identification: Identification,
        repeating others: [DeviceEvent]? = nil,
        at now: UnixTime
    ) throws -> Identification.IdentificationOutcome {
        let user = try UserLookup.find(identification.user, on: connection)
        if let outcome = recorder.outcome(of: identification, for: user) { return outcome }
        let identity = identification.identity
        guard let user else { return .userUnknown }
        try settleEvents(of: [user, identity])
        for id in [user, identity] { _ = try self.user(id) }
        guard let account = try account(of: user) else { return .userUnknown }
        let repeated = try repeatedEvents(of: user, and: identity)
        let state = MergeState(
            user: account,
            identity: try self.account(of: identity),
            repeated: try repeated.flatMap { try $0.rows.compactMap { try $0.loggedEvent() } }
                + (others ?? repeatedElsewhere(of: user, and: identity))
        )
        try readSettings()
        switch recorder.merge(state, into: identity, at: now) {
        case .refused(let outcome): return outcome
        case .accepted(let writes):
            for repeated in repeated { try remove(repeated.rows, from: repeated.log) }
            try apply(writes, of: account.profile, at: now)
            return .done
        }
    }

    /// The events of the user in the log of another database that the identity has too.
    private func repeatedElsewhere(of user: UserID, and identity: UserID) throws -> [DeviceEvent] {
        guard isSharded else { return [] }
        let moved = try connection.rows("SELECT id FROM moved_events WHERE user_id = $1", [user.rawValue])
        guard !moved.isEmpty else { return [] }
        let ids = try moved.map { try $0.bytes("id") }
        return try connection.rows(SQL.namedEvents, [identity.rawValue, ids]).compactMap { try $0.loggedEvent() }
    }

    /// The events in a log of the user that the identity has too.
    private func repeatedEvents(of user: UserID, and identity: UserID) throws -> [(log: UserID, rows: [PostgresRow])] {
        let others = try [identity] + MergedLogRow.formerIDs(of: identity, on: connection)
        return try ([user] + MergedLogRow.formerIDs(of: user, on: connection)).map { log in
            var rows = try others.flatMap { try connection.rows(SQL.repeatedEvents, [log.rawValue, $0.rawValue]) }
            guard isSharded else { return (log, rows) }
            let known = try Set(rows.map { try $0.bytes("id") })
            rows += try connection.rows(SQL.repeatedElsewhere, [log.rawValue, identity.rawValue])
                .filter { try !known.contains($0.bytes("id")) }
            return (log, rows)
        }
    }

    private func remove(_ events: [PostgresRow], from log: UserID) throws {
        guard !events.isEmpty else { return }
        try connection.execute(
            "DELETE FROM events WHERE user_id = $1 AND id = ANY ($2)",
            [log.rawValue, try events.map { try $0.bytes("id") }]
        )
    }

    // MARK: Loading

    private func account(of id: UserID) throws -> MergeState.Account? {
        guard let known = try profile(of: id) else { return nil }
        var account = MergeState.Account(known.profile, version: known.version)
        account.aliases = try UserLookup.aliases(of: id, on: connection)
        account.histories = Dictionary(
            try connection.summaries(of: id, .all),
            uniquingKeysWith: { $1 }
        )
        account.campaigns = try campaigns(of: id)
        account.given = try triggersGiven(to: id)
        account.broadcasts = try BroadcastRow.given(to: id, in: connection).map(\.trigger)
        account.conversions = try conversions(of: id)
        account.spending = try spending(of: id)
        return account
    }

    private func conversions(of user: UserID) throws -> [ConversionPlace: [CardID: CountedConversion]] {
        let sql = "SELECT campaign_id, conversion, card_id, at, local_day FROM conversions WHERE user_id = $1"
        return try connection.rows(sql, [user.rawValue]).reduce(into: [:]) { times, row in
            let card = CardID(rawValue: try row.text("card_id"))
            times[try ConversionPlace(row), default: [:]][card] = try CountedConversion(row)
        }
    }

    private func spending(of user: UserID) throws -> [SpendingPlace: Spending] {
        let sql = """
            SELECT campaign_id, conversion, currency, amount, purchases, first_at, counted FROM spending
            WHERE user_id = $1
            """
        return try connection.rows(sql, [user.rawValue]).reduce(into: [:]) { spending, row in
            let key = SpendingPlace(place: try ConversionPlace(row), currency: ByteString(try row.text("currency")))
            spending[key] = try Spending(row)
        }
    }

    private func campaigns(of user: UserID) throws -> Set<CampaignID> {
        let sql = "SELECT DISTINCT campaign_id FROM deliveries WHERE user_id = $1"
        return try Set(
            connection.rows(sql, [user.rawValue]).map { CampaignID(rawValue: try $0.text("campaign_id")) }
        )
    }

    private func triggersGiven(to user: UserID) throws -> Set<TriggerKey> {
        let sql = """
            SELECT DISTINCT campaign_id, trigger_id FROM deliveries WHERE user_id = $1 AND trigger_id IS NOT NULL
            """
        return try Set(
            connection.rows(sql, [user.rawValue]).map { row in
                TriggerKey(
                    campaign: CampaignID(rawValue: try row.text("campaign_id")),
                    trigger: TriggerID(rawValue: try row.text("trigger_id"))
                )
            }
        )
    }

    // MARK: Applying

    private func apply(_ writes: MergeWrites, of profile: UserProfile, at now: UnixTime) throws {
        let (user, identity) = (profile.id, writes.profile.id)
        if writes.isStored {
            try update(writes.profile, version: writes.version, at: now)
        } else {
            try insertUser(writes.profile, version: writes.version)
        }
        try moveRows(of: user, as: writes)
        for trigger in writes.used { try use(trigger, for: identity) }
        for trigger in writes.covers {
            if writes.takesPlace(trigger) {
                try connection.execute(SQL.coverBroadcast, trigger.values(for: identity))
            } else {
                try insert(trigger, for: identity)
            }
        }
        for history in writes.histories { try save(history, of: identity) }
        for conversion in writes.conversions { try save(conversion, of: identity) }
        for spent in writes.spending { try save(spent, of: identity) }
        locked[user] = nil
        try connection.execute("DELETE FROM test_codes WHERE user_id = $1", [user.rawValue])
        try connection.execute("DELETE FROM users WHERE id = $1", [user.rawValue])
        try FormerUserRows.insertMerged(user, into: identity, at: writes.end.at, self)
        notify(writes.end.notice, about: user)
        changes.remove(user)
        changes.touch(identity, by: nil)
    }

    private func update(_ profile: UserProfile, version: UserVersion, at now: UnixTime) throws {
        try setAttributes(of: profile, version: version, at: now)
        if let seen = profile.lastSeenAt {
            try setDevice(profile.device, seenAt: seen, version: version, of: profile.id)
        }
        try connection.execute(
            "UPDATE users SET first_seen_at = $2 WHERE id = $1",
            [profile.id.rawValue, profile.firstSeenAt]
        )
    }

    /// Moves what both users may have; of what the other one has too, the rows go with their user.
    private static let shared = [
        "UPDATE aliases SET user_id = $2 WHERE user_id = $1",
        "UPDATE merged_logs SET user_id = $2 WHERE user_id = $1",
        """
        INSERT INTO merged_logs (former_id, user_id)
        SELECT $1, $2 WHERE EXISTS (SELECT 1 FROM events WHERE user_id = $1)
        """,
        """
        UPDATE triggers AS t SET user_id = $2
        WHERE user_id = $1 AND NOT EXISTS (
            SELECT 1 FROM triggers AS o
            WHERE o.user_id = $2 AND o.campaign_id = t.campaign_id AND o.trigger_id = t.trigger_id
        )
        """,
        "UPDATE merged_users SET user_id = $2 WHERE user_id = $1",
    ]

    /// Moves what only one of several databases has.
    private static let sharedOfShards = [
        """
        INSERT INTO moved_events (user_id, id, type, at, received_at, details, shard)
        SELECT $2, id, type, at, received_at, details, shard FROM moved_events WHERE user_id = $1
        ON CONFLICT DO NOTHING
        """,
        "UPDATE departed_users SET user_id = $2 WHERE user_id = $1",
    ]

    private func moveRows(of user: UserID, as writes: MergeWrites) throws {
        let names = [user.rawValue, writes.profile.id.rawValue]
        for sql in Self.shared { try connection.execute(sql, names) }
        if isSharded { for sql in Self.sharedOfShards { try connection.execute(sql, names) } }
        try connection.execute(
            "UPDATE deliveries SET user_id = $2, changed_at = $3 WHERE user_id = $1 AND campaign_id = ANY ($4)",
            names + [writes.version, writes.campaigns.map(\.rawValue)]
        )
    }
}
