import CardModel
import CardStore
import WireJSON

extension WriteSession {
    // MARK: Finding and creating

    /// Reads a user and locks the row, or returns `nil` where there is none.
    func user(_ id: UserID) throws -> KnownUser? {
        if let known = locked[id] { return known }
        guard let row = try lockedRow(of: id) else { return nil }
        return KnownUser(version: try row.integer("version"), device: try row.device())
    }

    /// Reads a user's profile and locks the row, or returns `nil` where there is none.
    func profile(of id: UserID) throws -> KnownProfile? {
        guard let row = try lockedRow(of: id) else { return nil }
        return KnownProfile(try row.profile(of: id), version: try row.integer("version"))
    }

    /// Reads what the deletion of a user needs, also where their attributes can't be read.
    private func endingProfile(of id: UserID) throws -> UserProfile? {
        guard let row = try lockedRow(of: id) else { return nil }
        do {
            return try row.profile(of: id)
        } catch let error as StoreError where error.code == .corrupt {
            return UserProfile(id: id, createdAt: try row.double("created_at"))
        }
    }

    /// Creates a user.
    ///
    /// The version 0 is for a user without attributes or devices. A backend that creates a user who was deleted wants
    /// them back; a device that does only hasn't heard of it.
    ///
    /// - Throws: `StoreError.erased` where a device would bring back a user who was deleted or merged into another.
    func insertUser(
        _ profile: UserProfile,
        version: UserVersion,
        by device: String? = nil,
        isFromDevice: Bool = false
    ) throws {
        var profile = profile
        if isFromDevice {
            try requireNotErased(profile.id)
        } else {
            profile.createdAt = recorder.beginning(of: profile.createdAt, after: try endsOfFormerUsers(profile.id))
        }
        insertRow(of: profile, version: version, by: device)
    }

    /// Creates a user who is known not to be a former one.
    func insertRow(of profile: UserProfile, version: UserVersion, by device: String?) {
        locked[profile.id] = nil
        absent[profile.id] = nil
        connection.later(
            SQL.insertUser,
            [
                profile.id.rawValue, version, profile.device.fingerprint, profile.lastSeenAt, profile.createdAt,
                profile.device.locale, profile.device.timeZone, profile.device.appVersion,
                UTF8Text(StoredAttributes.bytes(of: profile.custom)),
                UTF8Text(StoredAttributes.bytes(of: profile.standard, claimed: profile.claimed)), profile.firstSeenAt,
                SampleRank.of(profile.id),
            ] + profile.searched
        )
        changes.add(profile.id, version: version, by: device)
    }

    /// Forgets that there were other users of an id, and returns when they ended.
    ///
    /// What one of them left to another user goes there, so that the log of the new one begins empty.
    private func endsOfFormerUsers(_ id: UserID) throws -> [UnixTime] {
        if absent[id] == false { return [] }
        let merged = try FormerUserRows.removeMerged(id, self)
        let departed = try FormerUserRows.removeDeparted(id, self)
        if merged != nil || departed != nil { try moveAllEvents(of: id) }
        return [try FormerUserRows.removeErased(id, self), merged, departed].compactMap { $0 }
    }

    // MARK: Changing

    func setVersion(_ version: UserVersion, of user: UserID, by device: String? = nil) throws {
        locked[user]?.version = version
        connection.later(SQL.setVersion, [user.rawValue, version])
        changes.touch(user, by: device)
    }

    func setLastSeen(_ time: UnixTime, of user: UserID) throws {
        connection.later(SQL.setLastSeen, [user.rawValue, time])
    }

    func setDevice(_ device: DeviceContext, seenAt time: UnixTime, version: UserVersion, of user: UserID) throws {
        locked[user] = nil
        connection.later(
            SQL.setDevice,
            [
                user.rawValue, version, device.fingerprint, time, device.locale, device.timeZone, device.appVersion,
            ]
        )
    }

    func setAttributes(of profile: UserProfile, version: UserVersion, at now: UnixTime) throws {
        locked[profile.id]?.version = version
        connection.later(
            SQL.setAttributes,
            [
                profile.id.rawValue, version, UTF8Text(StoredAttributes.bytes(of: profile.custom)),
                UTF8Text(StoredAttributes.bytes(of: profile.standard, claimed: profile.claimed)), now,
            ] + profile.searched
        )
    }

    /// Throws `StoreError.erased` for a user who was deleted or merged into another.
    func requireNotErased(_ user: UserID) throws {
        if try absent[user] ?? FormerUserRows.exists(user, self) { throw StoreError.erased }
    }

    func note(_ device: DeviceContext, of id: UserID, at now: UnixTime) throws {
        switch recorder.record(device, of: id, over: try user(id), at: now) {
        case .creation(let profile, let version): try insertUser(profile, version: version, isFromDevice: true)
        case .seen: try setLastSeen(now, of: id)
        case .device(let device, let version):
            try setDevice(device, seenAt: now, version: version, of: id)
            changes.touch(id, by: nil)
        }
    }

    func update(_ updates: [UserUpdate], at now: UnixTime) throws -> [UserLimits.Excess?] {
        try readSettings()
        return try updates.map { update in
            try apply(recorder.record(update, over: try profile(of: update.id), at: now), at: now)
        }
    }

    /// Writes a change of a user's attributes, and returns the limit that it would go beyond, or `nil`.
    func apply(_ write: ProfileWrite, at now: UnixTime) throws -> UserLimits.Excess? {
        switch write {
        case .nothing: break
        case .refused(let excess): return excess
        case .creation(let profile, let version): try insertUser(profile, version: version)
        case .attributes(let profile, let version):
            try setAttributes(of: profile, version: version, at: now)
            changes.touch(profile.id, by: nil)
        }
        return nil
    }

    // MARK: Deleting

    /// Removes some events of a user from the log, and returns how many.
    func removeEvents(of user: UserID, limit: Int) throws -> Int {
        try connection.execute(
            """
            DELETE FROM events WHERE position IN (
                SELECT position FROM events WHERE user_id = ANY \(MergedLogRow.ids(of: "$1")) LIMIT $2
            )
            """,
            [user.rawValue, limit]
        )
    }

    /// Removes what names a user and isn't found by the user's id alone, which a database of several servers can't
    /// cascade to.
    private static let names = ["test_users", "test_codes", "aliases", "merged_users", "merged_logs"].map { table in
        "DELETE FROM \(table) WHERE user_id = $1"
    }

    func deleteUser(_ user: UserID, at now: UnixTime, by actor: Actor) throws -> Bool {
        guard let known = try endingProfile(of: user) else { return false }
        let aliases = try UserLookup.aliases(of: user, on: connection)
        let end = recorder.delete(known, aliases: aliases, at: now)
        // From here on, nothing refuses the job and leaves the others of its group as they are.
        pending.withdrawEvents(of: user)
        try connection.execute(
            "DELETE FROM events WHERE user_id = ANY \(MergedLogRow.ids(of: "$1"))",
            [user.rawValue]
        )
        // What an app couldn't decode may be anything of its user.
        let campaigns = try connection.rows(
            """
            SELECT DISTINCT campaign_id FROM problems
            WHERE message != '' AND campaign_id IN (SELECT campaign_id FROM deliveries WHERE user_id = $1)
            """,
            [user.rawValue]
        ).map { CampaignID(rawValue: try $0.text("campaign_id")) }
        if !campaigns.isEmpty || !pending.problems.isEmpty { pending.forgetMessages(of: campaigns) }
        try FormerUserRows.eraseMerged(with: end, self)
        try FormerUserRows.eraseDeparted(into: user, at: end.at, self)
        for sql in Self.names { try connection.execute(sql, [user.rawValue]) }
        // The cards and the history go with their user.
        locked[user] = nil
        try connection.execute("DELETE FROM users WHERE id = $1", [user.rawValue])
        changes.remove(user)
        try FormerUserRows.insertErased(user, at: end.at, self)
        notify(end.notice, about: user)
        if let action = end.auditAction { audit(action, of: pseudonyms.text(of: user), at: now, by: actor) }
        return true
    }
}

extension UserProfile {
    /// The texts that users are found by, beside the ID: e-mail address, its folded form, phone number, and the text
    /// for searches.
    var searchedTexts: [String?] {
        [
            standard[.email]?.string, standard[.email]?.string.map(SearchText.lowercased), standard[.phone]?.string,
            SearchText.folded(of: self),
        ]
    }

    fileprivate var searched: [any PostgresEncodable] { searchedTexts }
}
