import CardModel
import CardStore
import WireJSON

extension ReferenceState {
    mutating func add(_ recorded: RecordedCounts) {
        for (key, added) in recorded.variants {
            counts[key, default: CampaignCounts()] += added
            let isControl = versions[key.campaign]?.contains { past in
                past.campaign.content.variants.contains { $0.id == key.variant && $0.isControl }
            }
            if isControl != true { dayTotals[key.day.local, default: CampaignCounts()] += added }
        }
        for (key, added) in recorded.conversions { conversionCounts[key, default: ConversionCounts()] += added }
        for (key, added) in recorded.amounts { amountCounts[key, default: AmountCounts()] += added }
        // safe: counts of users
        for (key, added) in recorded.allocations { allocations[key, default: 0] += added }
    }

    /// Saves a change of a user's feed, or returns `nil` where the user has changed since.
    mutating func save(_ change: FeedChange) throws(StoreError) -> UserVersion? {
        var recorder = recorder
        guard let writes = recorder.save(change, over: known(change.user)) else { return nil }
        let user = change.user
        switch writes.user {
        case .nothing: break
        case .seen: setLastSeen(change.at, of: user)
        case .version: setVersion(writes.version, of: user, by: change.origin)
        case .device(let device):
            setDevice(device, seenAt: change.at, version: writes.version, of: user)
            changes.touch(user, by: change.origin)
        case .creation(let profile):
            try insertUser(profile, version: writes.version, by: change.origin, isFromDevice: true)
        }
        for trigger in writes.triggers { use(trigger, for: user) }
        for (index, delivery) in writes.deliveries.enumerated() {
            users[user]?.cards.append(ReferenceCard(delivery: delivery, position: writes.position(at: index)))
        }
        for (card, end) in writes.endings {
            update(card, of: user) { known in
                guard known.delivery.end == nil else { return }
                known.delivery.end = end
                known.delivery.changedAt = writes.version
            }
        }
        add(recorder.counts)
        return writes.version
    }

    mutating func note(_ device: DeviceContext, of id: UserID, at now: UnixTime) throws(StoreError) {
        switch recorder.record(device, of: id, over: known(id), at: now) {
        case .creation(let profile, let version): try insertUser(profile, version: version, isFromDevice: true)
        case .seen: setLastSeen(now, of: id)
        case .device(let device, let version):
            setDevice(device, seenAt: now, version: version, of: id)
            changes.touch(id, by: nil)
        }
    }

    mutating func update(_ card: CardID, of user: UserID, _ body: (inout ReferenceCard) -> Void) {
        guard let index = users[user]?.cards.firstIndex(where: { $0.delivery.card == card }) else { return }
        if var known = users[user]?.cards[index] {
            body(&known)
            users[user]?.cards[index] = known
        }
    }

    /// Notes that a trigger no longer waits.
    mutating func use(_ trigger: UsedTrigger, for user: UserID) {
        guard let known = users[user]?.triggers[trigger.key], known.outcome == nil else { return }
        users[user]?.triggers[trigger.key]?.outcome = trigger.outcome
        users[user]?.triggers[trigger.key]?.trigger.properties = nil
    }

    // MARK: Templates

    mutating func suppress(_ cards: [Withholding], from user: UserID, at now: UnixTime) {
        var recorder = recorder
        let day = recorder.calendar.day(of: now)
        for card in cards {
            let (campaign, variant, kind) = (card.campaign, card.variant, card.failure.kind)
            let suppression = ReferenceUser.Suppression(campaign: campaign, variant: variant, kind: kind)
            guard users[user]?.suppressed.insert(suppression).inserted == true else { continue }
            let reason = ByteString(card.failure.countedReason)
            let others = Set(suppressed.keys.filter { $0.campaign == campaign && $0.reason != reason }.map(\.reason))
            let key = SuppressionKey(
                campaign: campaign,
                variant: variant,
                day: day,
                kind: kind,
                reason: ByteString(WithheldCount.reason(of: card.failure, besides: Int64(others.count)))
            )
            // safe: counts of users
            suppressed[key, default: 0] += 1
        }
    }
}
