import WireJSON

extension Recorder {
    /// Returns the outcome of an identification that needs nothing but the user, or `nil` where the two are to be
    /// merged.
    ///
    /// - Parameters:
    ///   - identification: What a backend said.
    ///   - user: The user that it means, or `nil` where there is none or more than one.
    /// - Returns: The outcome, or `nil`.
    public func outcome(of identification: Identification, for user: UserID?) -> Identification.IdentificationOutcome? {
        guard let user else { return .userUnknown }
        if user == identification.identity { return .done }
        return user.isIdentified ? .otherwiseIdentified : nil
    }

    /// Decides what a user has who was two until now.
    ///
    /// The one with the id keeps its attributes and gets those that it has not. What both did is one history, in which
    /// an event that both have counts once.
    ///
    /// - Parameters:
    ///   - state: What the store has of both.
    ///   - identity: The id of the one who stays.
    ///   - now: The time.
    /// - Returns: What to write, or why nothing changes.
    public func merge(_ state: MergeState, into identity: UserID, at now: UnixTime) -> MergeDecision {
        do throws(UserLimits.Excess) {
            guard !state.sharesLabel else { return .refused(.labelTaken) }
            try state.checkAliases(limits)
            try state.checkNames(limits)
            var writes = try state.writes(for: identity, within: limits, at: now)
            writes.histories = state.mergedHistories(at: now)
            writes.campaigns = state.user.campaigns.subtracting(state.identity?.campaigns ?? [])
            writes.used = state.user.given.filter { !writes.campaigns.contains($0.campaign) }
                .map { UsedTrigger($0.trigger, of: $0.campaign, .delivered) }
            writes.covers = state.user.broadcasts.filter { !writes.campaigns.contains($0.campaign) }.map(\.cover)
            writes.conversions = state.conversions(movingWith: writes.campaigns)
            writes.spending = state.spending(movingWith: writes.campaigns)
            return .accepted(writes)
        } catch {
            return .refused(.limitReached(error))
        }
    }
}

extension MergeState {
    fileprivate var sharesLabel: Bool {
        let labels = Set(user.aliases.map { ByteString($0.label) })
        return identity?.aliases.contains { labels.contains(ByteString($0.label)) } ?? false
    }

    fileprivate func checkAliases(_ limits: UserLimits) throws(UserLimits.Excess) {
        let count = user.aliases.count + (identity?.aliases.count ?? 0)
        guard user.aliases.isEmpty || count <= limits.aliases else {
            throw UserLimits.Excess(.aliases, limit: limits.aliases)
        }
    }

    /// Throws where both together have too many names of events and products, and more than the identity has by now.
    fileprivate func checkNames(_ limits: UserLimits) throws(UserLimits.Excess) {
        let known = (identity?.histories ?? [:]).keys.filter { $0.part != .sessions }
        let names = Set(known).union(user.histories.keys.filter { $0.part != .sessions })
        guard names.count <= limits.eventNames || names.count <= known.count else {
            throw UserLimits.Excess(.eventNames, limit: limits.eventNames)
        }
    }

    fileprivate func writes(
        for id: UserID,
        within limits: UserLimits,
        at now: UnixTime
    ) throws(UserLimits.Excess) -> MergeWrites {
        let end = UserEnd(merging: user.profile, into: id, at: now)
        guard let identity else {
            var profile = UserProfile(id: id, createdAt: user.profile.createdAt)
            profile.absorb(user.profile)
            // safe: versions go up by one
            return MergeWrites(profile: profile, isStored: false, version: user.version + 1, end: end)
        }
        var profile = identity.profile
        try profile.absorb(user.profile, within: limits)
        // safe: versions go up by one
        let version = max(identity.version, user.version) + 1
        return MergeWrites(profile: profile, isStored: true, version: version, end: end)
    }

    /// The user's conversions whose cards move.
    fileprivate func conversions(movingWith campaigns: Set<CampaignID>) -> [EventWrites.ConversionWrite] {
        user.conversions.flatMap { place, times in
            guard campaigns.contains(place.campaign) else { return [EventWrites.ConversionWrite]() }
            return times.map { EventWrites.ConversionWrite(place: place, card: $0, counted: $1) }
        }
    }

    /// Returns the amounts that the user spent where cards move, and else the purchases that aren't to be counted again
    /// for the identity's.
    fileprivate func spending(movingWith campaigns: Set<CampaignID>) -> [EventWrites.Spent] {
        user.spending.map { key, spending in
            var united = identity?.spending[key] ?? Spending.none
            if campaigns.contains(key.place.campaign) { united = spending } else { united.unite(spending) }
            return EventWrites.Spent(place: key.place, currency: key.currency, spending: united)
        }
    }

    /// The identity's records that change.
    ///
    /// They are added and not made from the log again, which may have been pruned.
    fileprivate func mergedHistories(at now: UnixTime) -> [EventWrites.History] {
        let repeated = Dictionary(grouping: repeated) { HistoryKey($0.kind) }
        return user.histories.compactMap { key, summary in
            var added = summary
            for event in repeated[key] ?? [] { added.removeRepeated(event) }
            guard added.occurrences.count > 0 else { return nil }
            guard var own = identity?.histories[key] else {
                return EventWrites.History(key: key, summary: added, isStored: false)
            }
            own.merge(added, at: now)
            return EventWrites.History(key: key, summary: own, isStored: true)
        }
    }
}
