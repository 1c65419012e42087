import CardModel
import CardStore
import WireJSON

extension ReferenceState {
    var recorder: Recorder {
        var recorder = Recorder()
        recorder.calendar.follow(zone: settings.timeZone)
        recorder.limits = settings.deviceLimits.user
        let converting = campaigns.values.filter {
            $0.launchedAt != nil && $0.status != .archived && !$0.content.conversions.isEmpty
        }
        recorder.conversions = converting.isEmpty ? .none : ConversionRules(converting.sorted { $0.id < $1.id })
        return recorder
    }

    func known(_ id: UserID) -> KnownUser? {
        users[id].map { KnownUser(version: $0.version, device: $0.profile.device) }
    }

    func knownProfile(_ id: UserID) -> KnownProfile? {
        users[id].map { KnownProfile($0.profile, version: $0.version) }
    }

    /// Adds a user.
    ///
    /// - Throws: `StoreError.erased` where a device would bring back a user who was deleted or merged into another.
    mutating func insertUser(
        _ profile: UserProfile,
        version: UserVersion,
        by device: String? = nil,
        isFromDevice: Bool = false
    ) throws(StoreError) {
        var profile = profile
        let ends = [erased[profile.id], merged[profile.id]?.at].compactMap { $0 }
        if isFromDevice {
            guard ends.isEmpty else { throw StoreError.erased }
        } else {
            profile.createdAt = recorder.beginning(of: profile.createdAt, after: ends)
            erased[profile.id] = nil
            merged[profile.id] = nil
        }
        if profile.firstSeenAt == nil { profile.firstSeenAt = profile.lastSeenAt }
        users[profile.id] = ReferenceUser(profile: profile, version: version)
        if version > 0 { changes.touch(profile.id, by: device) }
    }

    mutating func setVersion(_ version: UserVersion, of user: UserID, by device: String? = nil) {
        users[user]?.version = version
        changes.touch(user, by: device)
    }

    mutating func setLastSeen(_ time: UnixTime, of user: UserID) {
        guard let profile = users[user]?.profile, profile.lastSeenAt ?? 0 < time else { return }
        users[user]?.profile.lastSeenAt = time
        users[user]?.profile.firstSeenAt = profile.firstSeenAt ?? time
    }

    mutating func setDevice(_ device: DeviceContext, seenAt time: UnixTime, version: UserVersion, of user: UserID) {
        guard let profile = users[user]?.profile else { return }
        users[user]?.version = version
        users[user]?.profile.device = device
        users[user]?.profile.lastSeenAt = max(profile.lastSeenAt ?? 0, time)
        users[user]?.profile.firstSeenAt = profile.firstSeenAt ?? time
    }

    mutating func setAttributes(of profile: UserProfile, version: UserVersion, at now: UnixTime) {
        users[profile.id]?.version = version
        users[profile.id]?.profile.custom = profile.custom
        users[profile.id]?.profile.standard = profile.standard
        users[profile.id]?.profile.claimed = profile.claimed
        users[profile.id]?.updatedAt = now
    }

    /// Makes a change of a user's attributes, and returns the limit that it would go beyond, or `nil`.
    mutating func apply(_ write: ProfileWrite, at now: UnixTime) throws(StoreError) -> UserLimits.Excess? {
        switch write {
        case .nothing: break
        case .refused(let excess): return excess
        case .creation(let profile, let version): try insertUser(profile, version: version)
        case .attributes(let profile, let version):
            setAttributes(of: profile, version: version, at: now)
            changes.touch(profile.id, by: nil)
        }
        return nil
    }

    // MARK: Finding

    func owner(of alias: UserAlias) -> UserID? {
        users.first { $0.value.aliases.contains(alias) }?.key
    }

    func find(_ user: UserReference) -> UserID? { user.choose(from: candidates(for: user)) }

    /// The users that may be meant, the one last changed first.
    func candidates(for user: UserReference) -> [UserMatch] {
        switch user {
        case .id(let id): return users[id].map { [UserMatch(id: id, updatedAt: $0.changedAt)] } ?? []
        case .alias(let alias): return owner(of: alias).map { [UserMatch(id: $0, updatedAt: 0)] } ?? []
        case .email(let address, _):
            return matches(.email) { $0.email.map { ByteString(lowercased($0)) } == ByteString(lowercased(address)) }
        case .phone(let number, _):
            return matches(.phone) { $0.standard[.phone]?.string.map { ByteString($0) } == ByteString(number) }
        }
    }

    private func matches(_ address: ClaimedAddresses, _ isMeant: (UserProfile) -> Bool) -> [UserMatch] {
        users.values.filter { isMeant($0.profile) }
            .map { user in
                let isClaimed = user.profile.claimed.contains(address)
                return UserMatch(id: user.profile.id, updatedAt: user.changedAt, isClaimed: isClaimed)
            }
            .considered.found(where: settings.userTokens)
    }

    // MARK: Deletion

    mutating func deleteUser(_ user: UserID, at now: UnixTime, by actor: Actor) -> Bool {
        guard let known = users[user] else { return false }
        let end = recorder.delete(known.profile, aliases: known.aliases, at: now)
        for (former, merge) in merged where merge.identity == user {
            merged[former] = nil
            erased[former] = end.end(ofMergedAt: merge.at)
        }
        testUsers.removeAll { $0.id == user }
        testCodes.removeAll { $0.holder.user == user }
        let campaigns = Set(known.cards.map(\.delivery.campaign))
        for key in problems.keys where campaigns.contains(key.campaign) { problems[key]?.message = "" }
        users[user] = nil
        changes.remove(user)
        erased[user] = end.at
        addNotice(end.notice, about: user)
        if let action = end.auditAction { appendAudit(action, of: Self.pseudonyms.text(of: user), at: now, by: actor) }
        return true
    }

    static let pseudonyms = UserPseudonyms(key: Array(repeating: 7, count: 32))
}

/// Returns a text with its ASCII letters in lower case, as e-mail addresses are compared.
func lowercased(_ text: String) -> String {
    String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
}

extension UserProfile {
    var email: String? { standard[.email]?.string }
}
