import CardModel
import CardStore
import OrderedCollections
import WireJSON

extension WriteSession {
    // MARK: Finding and making

    /// Reads a user, or returns `nil` where there is none.
    func user(_ id: UserID) throws -> KnownUser? {
        try statements.user.use { statement in
            statement.bind(1, id.rawValue)
            guard try statement.step() else { return nil }
            return KnownUser(version: statement.integer(0), device: statement.device(from: 2))
        }
    }

    /// Makes a user.
    ///
    /// The version 0 is for a user without attributes or devices.
    ///
    /// A backend that makes a user who was deleted wants them back; a device that does only hasn't heard of it.
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
        try insertRow(of: profile, version: version, by: device)
    }

    /// Makes a user who is known not to be a former one.
    func insertRow(of profile: UserProfile, version: UserVersion, by device: String?) throws {
        try statements.insertUser.use { statement in
            statement.bind(1, profile.id.rawValue)
            statement.bind(2, version)
            statement.bind(3, profile.device.fingerprint)
            statement.bind(4, profile.lastSeenAt)
            statement.bind(5, profile.createdAt)
            statement.bind(6, profile.device.locale)
            statement.bind(7, profile.device.timeZone)
            statement.bind(8, profile.device.appVersion)
            statement.bind(9, utf8: StoredAttributes.bytes(of: profile.custom))
            statement.bind(10, utf8: StoredAttributes.bytes(of: profile.standard, claimed: profile.claimed))
            statement.bind(11, profile.firstSeenAt)
            statement.bind(12, SampleRank.of(profile.id))
            try statement.run()
        }
        changes.add(profile.id, version: version, by: device)
    }

    /// Throws `StoreError.erased` for a user who was deleted or merged into another.
    func requireNotErased(_ user: UserID) throws {
        let hash = try pseudonyms().hash(of: user)
        let isFormer = try statements.isFormerUser.use { statement in
            statement.bind(1, blob: hash)
            return try statement.step() && statement.bool(0)
        }
        if isFormer { throw StoreError.erased }
    }

    /// Forgets that there were other users of an id, and returns when they ended.
    ///
    /// What one of them left to another user goes there, so that the log of the new one begins empty.
    private func endsOfFormerUsers(_ id: UserID) throws -> [UnixTime] {
        let merged = try MergedUserRow.remove(id, from: database)
        if merged != nil { try MergedLogRow.moveAll(of: id, in: database) }
        return [try ErasedUserRow.remove(id, from: database), merged].compactMap { $0 }
    }

    func setVersion(_ version: UserVersion, of user: UserID, by device: String? = nil) throws {
        try statements.setVersion.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, version)
            try statement.run()
        }
        changes.touch(user, by: device)
    }

    func setLastSeen(_ time: UnixTime, of user: UserID) throws {
        try statements.setLastSeen.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, time)
            try statement.run()
        }
    }

    func setDevice(_ device: DeviceContext, seenAt time: UnixTime, version: UserVersion, of user: UserID) throws {
        try statements.setDevice.use { statement in
            statement.bind(1, user.rawValue)
            statement.bind(2, version)
            statement.bind(3, device.fingerprint)
            statement.bind(4, time)
            statement.bind(5, device.locale)
            statement.bind(6, device.timeZone)
            statement.bind(7, device.appVersion)
            try statement.run()
        }
    }

    // MARK: The store's duties

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

    /// Reads a user's profile, or returns `nil` where there is none.
    func profile(of id: UserID) throws -> KnownProfile? {
        try statements.user.use { statement in
            statement.bind(1, id.rawValue)
            guard try statement.step() else { return nil }
            var profile = UserProfile(id: id, createdAt: statement.double(7))
            profile.firstSeenAt = statement.optionalDouble(8)
            profile.lastSeenAt = statement.optionalDouble(1)
            profile.device = statement.device(from: 2)
            profile.custom = try StoredAttributes.custom(statement, 5)
            profile.standard = try StoredAttributes.standard(statement, 6, &profile.claimed)
            return KnownProfile(profile, version: statement.integer(0))
        }
    }

    /// Reads what the deletion of a user needs, also where their attributes can't be read.
    private func endingProfile(of id: UserID) throws -> UserProfile? {
        do {
            return try profile(of: id)?.profile
        } catch let error as StoreError where error.code == .corrupt {
            return try statements.user.use { statement in
                statement.bind(1, id.rawValue)
                return try statement.step() ? UserProfile(id: id, createdAt: statement.double(7)) : nil
            }
        }
    }

    func setAttributes(of profile: UserProfile, version: UserVersion, at now: UnixTime) throws {
        try statements.setAttributes.use { statement in
            statement.bind(1, profile.id.rawValue)
            statement.bind(2, version)
            statement.bind(3, utf8: StoredAttributes.bytes(of: profile.custom))
            statement.bind(4, utf8: StoredAttributes.bytes(of: profile.standard, claimed: profile.claimed))
            statement.bind(5, now)
            try statement.run()
        }
    }

    /// Removes some events of a user from the log, and returns how many.
    func removeEvents(of user: UserID, limit: Int) throws -> Int {
        try database.execute(
            sql: """
                DELETE FROM events
                WHERE position IN (SELECT position FROM events WHERE user_id IN \(MergedLogRow.ids(of: "?1")) LIMIT ?2)
                """,
            arguments: [user.rawValue, limit]
        )
        return database.changesCount
    }

    func deleteUser(_ user: UserID, at now: UnixTime, by actor: Actor) throws -> Bool {
        guard let known = try endingProfile(of: user) else { return false }
        let aliases = try UserLookup.aliases(of: user, in: database)
        let end = recorder.delete(known, aliases: aliases, at: now)
        try database.execute(
            sql: "DELETE FROM events WHERE user_id IN \(MergedLogRow.ids(of: "?1"))",
            arguments: [user.rawValue]
        )
        // What an app couldn't decode may be anything of its user.
        try database.execute(
            sql: """
                UPDATE problems SET message = ''
                WHERE message != '' AND campaign_id IN (SELECT campaign_id FROM deliveries WHERE user_id = ?)
                """,
            arguments: [user.rawValue]
        )
        try MergedUserRow.erase(with: end, database)
        // The cards and the history go with their user.
        try database.execute(sql: "DELETE FROM users WHERE id = ?", arguments: [user.rawValue])
        try database.execute(sql: "DELETE FROM test_users WHERE user_id = ?", arguments: [user.rawValue])
        changes.remove(user)
        try ErasedUserRow.insert(user, at: end.at, into: database)
        try WebhookNoticeRow.insert(end.notice, about: user, into: database)
        if let action = end.auditAction {
            try audit(action, of: StoreRow.pseudonyms(database).text(of: user), at: now, by: actor)
        }
        return true
    }
}

extension PreparedStatement {
    /// Reads locale, time zone and app version, side by side from that column.
    func device(from column: Int32) -> DeviceContext {
        DeviceContext(
            locale: optionalText(column),
            timeZone: optionalText(column + 1),
            appVersion: optionalText(column + 2)
        )
    }
}
