public import CardModel
import CardStore
import WireJSON

extension PostgresCardStore {
    /// Notes and counts what templates kept from a user.
    ///
    /// Most of it is known, so it is read before anything is written.
    public func recordSuppressions(_ cards: [Withholding], from user: UserID, at now: UnixTime) async throws {
        let fence = readFence
        let news = try await read { connection in
            let known = try connection.rows(
                "SELECT campaign_id, variant_id, kind FROM withholdings WHERE user_id = $1",
                [user.rawValue],
                fence
            ).map { row in try ["campaign_id", "variant_id", "kind"].map { ByteString(try row.text($0)) } }
            let isKnown = Set(known)
            return cards.filter { !isKnown.contains($0.key) }
        }
        guard !news.isEmpty else { return }
        try await writer.write([user], isConfined: true) { session in
            for card in news { try session.withhold(card, from: user, at: now) }
        }
    }
}

extension Withholding {
    fileprivate var key: [ByteString] {
        [campaign.rawValue, variant.rawValue, failure.kind.rawValue].map { ByteString($0) }
    }
}
