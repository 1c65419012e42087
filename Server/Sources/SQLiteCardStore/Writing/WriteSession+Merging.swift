import CardModel
import CardStore
import GRDB
import WireJSON

extension WriteSession {
    func identify(_ users: [Identification], at now: UnixTime) throws -> [Identification.IdentificationOutcome] {
        try users.map { try identify($0, at: now) }
    }

    /// Merges two users: loads what both have, and applies what the recorder decides.
    private func identify(
        _ identification: Identification,
        at now: UnixTime
    ) throws -> Identification.IdentificationOutcome {
        let user = try UserLookup.find(identification.user, in: database)
        if let outcome = recorder.outcome(of: identification, for: user) { return outcome }
        guard let user, let account = try account(of: user) else { return .userUnknown }
        let identity = identification.identity
        let repeated = try repeatedEvents(of: user, and: identity)
        let state = MergeState(
            user: account,
            identity: try self.account(of: identity),
            repeated: repeated.compactMap(\.event)
        )
        try readSettings()
        switch recorder.merge(state, into: identity, at: now) {
        case .refused(let outcome): return outcome
        case .accepted(let writes):
            for repeated in repeated { try remove(repeated.id, of: repeated.log) }
            try apply(writes, of: account.profile, at: now)
            return .done
        }
    }

    // MARK: Loading

    private func account(of id: UserID) throws -> MergeState.Account? {
        guard let known = try profile(of: id) else { return nil }
        var account = MergeState.Account(known.profile, version: known.version)
        account.aliases = try UserLookup.aliases(of: id, in: database)
        account.histories = try histories(of: id)
        account.campaigns = try campaigns(of: id)
        account.given = try triggersGiven(to: id)
        account.broadcasts = try BroadcastRow.given(to: id, in: database).map(\.trigger)
        account.conversions = try conversions(of: id)
        account.spending = try spending(of: id)
        return account
    }

    private func campaigns(of user: UserID) throws -> Set<CampaignID> {
        let sql = "SELECT DISTINCT campaign_id FROM deliveries WHERE user_id = ?"
        return try Set(String.fetchAll(database, sql: sql, arguments: [user.rawValue]).map(CampaignID.init(rawValue:)))
    }

    private func conversions(of user: UserID) throws -> [ConversionPlace: [CardID: CountedConversion]] {
        let sql = "SELECT campaign_id, conversion, card_id, at, local_day FROM conversions WHERE user_id = ?"
        let rows = try Row.fetchAll(database, sql: sql, arguments: [user.rawValue])
        return try rows.reduce(into: [:]) { times, row in
            let card = CardID(rawValue: try row.text("card_id"))
            times[try ConversionPlace(row), default: [:]][card] = try CountedConversion(row)
        }
    }

    private func spending(of user: UserID) throws -> [SpendingPlace: Spending] {
        let sql = """
            SELECT campaign_id, conversion, currency, amount, purchases, first_at, counted FROM spending
            WHERE user_id = ?
            """
        let rows = try Row.fetchAll(database, sql: sql, arguments: [user.rawValue])
        return try rows.reduce(into: [:]) { spending, row in
            let key = SpendingPlace(place: try ConversionPlace(row), currency: ByteString(try row.text("currency")))
            spending[key] = try Spending(row)
        }
    }

    private func triggersGiven(to user: UserID) throws -> Set<TriggerKey> {
        let sql = "SELECT DISTINCT campaign_id, trigger_id FROM deliveries WHERE user_id = ? AND trigger_id IS NOT NULL"
        return try Set(
            Row.fetchAll(database, sql: sql, arguments: [user.rawValue]).map { row in
                TriggerKey(
                    campaign: CampaignID(rawValue: try row.text("campaign_id")),
                    trigger: TriggerID(rawValue: try row.text("trigger_id"))
                )
            }
        )
    }

    private func histories(of user: UserID) throws -> [HistoryKey: HistorySummary] {
        try statements.histories.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, Int64(UserHistory.Parts.all.rawValue))
            return try statement.historySummaries()
        }
    }

    /// An event of a user that the identity has too.
    private struct RepeatedEvent {
        let id: EventID
        /// The id under which the user's is in the log.
        let log: UserID
        /// The event that it adds to the history, if there is one.
        let event: DeviceEvent?
    }

    private func repeatedEvents(of user: UserID, and identity: UserID) throws -> [RepeatedEvent] {
        let others = try [identity] + formerIDs(of: identity)
        return try ([user] + formerIDs(of: user)).flatMap { log in
            try others.flatMap { try repeatedEvents(inLogOf: log, and: $0) }
        }
    }

    private func repeatedEvents(inLogOf log: UserID, and other: UserID) throws -> [RepeatedEvent] {
        try statements.repeatedEvents.use { statement in
            statement.bind(1, log.rawValue)
            statement.bind(2, other.rawValue)
            var events: [RepeatedEvent] = []
            while try statement.step() {
                guard let id = statement.withBlob(0, EventID.init(bytes:)) else { continue }
                let event = statement.loggedEvent(statement.optionalText(3))
                events.append(RepeatedEvent(id: id, log: log, event: event))
            }
            return events
        }
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
                try cover(trigger, for: identity)
            } else {
                _ = try insert(trigger, for: identity)
            }
        }
        for history in writes.histories { try save(history, of: identity) }
        for conversion in writes.conversions { try save(conversion, of: identity) }
        for spent in writes.spending { try save(spent, of: identity) }
        try database.execute(sql: "DELETE FROM users WHERE id = ?", arguments: [user.rawValue])
        try MergedUserRow.insert(user, into: identity, at: writes.end.at, database)
        try WebhookNoticeRow.insert(writes.end.notice, about: user, into: database)
        changes.remove(user)
        changes.touch(identity, by: nil)
    }

    private func update(_ profile: UserProfile, version: UserVersion, at now: UnixTime) throws {
        try setAttributes(of: profile, version: version, at: now)
        if let seen = profile.lastSeenAt {
            try setDevice(profile.device, seenAt: seen, version: version, of: profile.id)
        }
        try database.execute(
            sql: "UPDATE users SET first_seen_at = ? WHERE id = ?",
            arguments: [profile.firstSeenAt, profile.id.rawValue]
        )
    }

    /// Moves rows from one user to another; what stays behind goes with its user.
    private func moveRows(of user: UserID, as writes: MergeWrites) throws {
        let names: StatementArguments = ["old": user.rawValue, "new": writes.profile.id.rawValue]
        try database.execute(sql: "UPDATE aliases SET user_id = :new WHERE user_id = :old", arguments: names)
        try MergedLogRow.insert(user, of: writes.profile.id, into: database)
        hasMergedLogs = nil
        try database.execute(sql: "UPDATE OR IGNORE triggers SET user_id = :new WHERE user_id = :old", arguments: names)
        try database.execute(sql: "UPDATE merged_users SET user_id = :new WHERE user_id = :old", arguments: names)
        for campaign in writes.campaigns {
            try database.execute(
                sql: """
                    UPDATE deliveries SET user_id = :new, changed_at = :version
                    WHERE user_id = :old AND campaign_id = :campaign
                    """,
                arguments: names + ["version": writes.version, "campaign": campaign.rawValue]
            )
        }
    }
}
