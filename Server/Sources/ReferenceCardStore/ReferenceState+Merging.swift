import CardModel
import CardStore
import WireJSON

extension ReferenceState {
    mutating func identify(
        _ identification: Identification,
        at now: UnixTime
    ) throws(StoreError) -> Identification.IdentificationOutcome {
        let (user, recorder) = (find(identification.user), recorder)
        if let outcome = recorder.outcome(of: identification, for: user) { return outcome }
        guard let user, let known = users[user] else { return .userUnknown }
        let identity = identification.identity
        let state = MergeState(
            user: account(of: known),
            identity: users[identity].map { account(of: $0) },
            repeated: repeatedEvents(of: user, and: identity)
        )
        switch recorder.merge(state, into: identity, at: now) {
        case .refused(let outcome): return outcome
        case .accepted(let writes):
            try apply(writes, of: known, at: now)
            return .done
        }
    }

    private func account(of user: ReferenceUser) -> MergeState.Account {
        var account = MergeState.Account(user)
        account.broadcasts = broadcasts.map(\.trigger).filter { trigger in
            account.given.contains(TriggerKey(campaign: trigger.campaign, trigger: trigger.id))
        }
        return account
    }

    /// The events of a user's history that are in the log of another user too.
    private func repeatedEvents(of user: UserID, and identity: UserID) -> [DeviceEvent] {
        let others = Set(users[identity]?.log.map(\.stored.id) ?? [])
        let newest = (users[user]?.log ?? []).map(\.event).sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
            .suffix(MergeState.repeatedLimit)
        return newest.filter { $0.kind.isHistory && others.contains($0.id) }
    }

    private mutating func apply(
        _ writes: MergeWrites,
        of old: ReferenceUser,
        at now: UnixTime
    ) throws(StoreError) {
        let (user, identity) = (old.profile.id, writes.profile.id)
        if writes.isStored {
            setAttributes(of: writes.profile, version: writes.version, at: now)
            users[identity]?.profile = writes.profile
        } else {
            try insertUser(writes.profile, version: writes.version)
        }
        users[identity]?.take(old, as: writes)
        for (former, merge) in merged where merge.identity == user { merged[former] = (identity, merge.at) }
        users[user] = nil
        testCodes.removeAll { $0.holder.user == user }
        merged[user] = (identity, writes.end.at)
        addNotice(writes.end.notice, about: user)
        changes.remove(user)
        changes.touch(identity, by: nil)
    }
}

extension MergeState.Account {
    fileprivate init(_ user: ReferenceUser) {
        self.init(user.profile, version: user.version)
        aliases = user.aliases.sorted { ByteString($0.label) < ByteString($1.label) }
        histories = user.histories
        campaigns = Set(user.cards.map(\.delivery.campaign))
        given = Set(
            user.cards.compactMap { card in
                card.delivery.origin?.trigger.map { TriggerKey(campaign: card.delivery.campaign, trigger: $0) }
            }
        )
        conversions = user.conversions.filter { !$0.value.isEmpty }
        for (place, spent) in user.spending {
            for (currency, row) in spent { spending[SpendingPlace(place: place, currency: currency)] = row }
        }
    }
}

extension ReferenceUser {
    /// Takes over what another user leaves behind; what isn't taken goes with that user.
    fileprivate mutating func take(_ other: ReferenceUser, as writes: MergeWrites) {
        for history in writes.histories { histories[history.key] = history.summary }
        aliases += other.aliases
        let known = Set(log.map(\.stored.id))
        for var entry in other.log where !known.contains(entry.stored.id) {
            entry.stored.user = profile.id
            log.append(entry)
        }
        log.sort { $0.stored.position < $1.stored.position }
        for (key, trigger) in other.triggers where triggers[key] == nil { triggers[key] = trigger }
        for used in writes.used where triggers[used.key] != nil {
            triggers[used.key]?.outcome = used.outcome
            triggers[used.key]?.trigger.properties = nil
        }
        for trigger in writes.covers {
            let key = TriggerKey(campaign: trigger.campaign, trigger: trigger.id)
            if triggers[key] == nil || writes.takesPlace(trigger) { triggers[key] = KnownTrigger(trigger) }
        }
        for card in other.cards where writes.campaigns.contains(card.delivery.campaign) {
            var card = card
            card.delivery.changedAt = writes.version
            cards.append(card)
        }
        for moved in writes.conversions { conversions[moved.place, default: [:]][moved.card] = moved.counted }
        for spent in writes.spending { spending[spent.place, default: [:]][spent.currency] = spent.spending }
    }
}
