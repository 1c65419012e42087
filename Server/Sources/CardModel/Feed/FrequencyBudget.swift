/// The number of new cards that a user can still get: the workspace's caps, and what was given of late.
struct FrequencyBudget {
    private struct Count {
        let cap: FrequencyCap
        /// The times at which the cards that count were given, the oldest first.
        var times: [UnixTime]
    }

    private var counts: [Count] = []
    private let now: UnixTime

    init(_ user: UserState, in catalog: Catalog, at now: UnixTime) {
        self.now = now
        counts = catalog.frequencyCaps.map { cap in
            let times = user.deliveries.filter { delivery in
                guard delivery.deliveredAt > now - cap.seconds else { return false }
                // Of one that can't be read it isn't known which caps concern it: all of them do.
                guard let entry = catalog.entries[delivery.campaign] else {
                    return catalog.gaps.campaigns.contains(delivery.campaign)
                }
                // The control shows nothing, so nobody can have too much of it.
                return cap.concerns(entry.campaign) && entry.card(of: delivery.variant)?.isControl == false
            }
            return Count(cap: cap, times: times.map(\.deliveredAt).sorted())
        }
    }

    /// Takes a card into account, or says which cap is in its way and until when.
    mutating func take(_ card: CatalogCard, of campaign: Campaign) -> WithheldReason? {
        let concerned = counts.indices.filter { counts[$0].cap.concerns(campaign) }
        for index in concerned {
            let (cap, times) = (counts[index].cap, counts[index].times)
            guard times.count >= cap.cards else { continue }
            return .frequencyCap(cap, until: times[times.count - cap.cards] + cap.seconds)
        }
        if !card.isControl {
            for index in concerned { counts[index].times.append(now) }
        }
        return nil
    }
}
