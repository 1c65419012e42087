import CardModel
import WireJSON

extension UserState {
    /// Saves a decision as a store does.
    mutating func apply(_ decision: FeedDecision, at now: UnixTime) {
        guard !decision.isEmpty else { return }
        version += 1
        for index in deliveries.indices {
            guard let end = decision.endings[deliveries[index].card] else { continue }
            deliveries[index].end = end
            deliveries[index].changedAt = version
        }
        for addition in decision.additions {
            let number = addition.ordinal == 0 ? "" : "-\(addition.ordinal)"
            let card = CardID(rawValue: "\(addition.campaign.rawValue)-card\(number)")
            deliveries.append(
                Delivery(
                    card: card,
                    campaign: addition.campaign,
                    ordinal: addition.ordinal,
                    variant: addition.variant,
                    deliveredAt: now,
                    changedAt: version,
                    origin: addition.origin
                )
            )
        }
        let used = decision.additions.compactMap(\.origin?.trigger) + decision.discards.map(\.trigger)
        triggers.removeAll { used.contains($0.id) }
    }
}

extension FeedReply {
    /// A card as a device reads it.
    struct Card: Equatable {
        let id: String
        let json: JSONValue
        let expiresAt: UnixTime?
    }

    /// The cards as a device reads them.
    func cards() throws -> [Card] {
        var writer = JSONWriter()
        writeCards(to: &writer)
        return try (JSONValue(parsing: writer.bytes).array ?? []).map { json in
            Card(id: json["id"]?.string ?? "", json: json, expiresAt: json["expires_at"]?.double)
        }
    }
}
