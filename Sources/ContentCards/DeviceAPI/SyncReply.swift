/// The server's answer to a sync.
struct SyncReply: Sendable {
    /// The position at which the next sync continues.
    var cursor: String?
    /// Whether `cards` is the whole feed.
    var replaces: Bool
    var cards: [ContentCard]
    var removed: [String] = []
    /// The server's receipt for the events of the request; `nil` where the reply doesn't say, and the events have to be
    /// sent again.
    var receipt: SyncReceipt?
    var refresh: RefreshLimit?
    /// The number of cards that were unusable.
    var skippedCards = 0
}

/// The server's receipt for the events of a request.
struct SyncReceipt: Sendable, Equatable, Decodable {
    struct Rejection: Sendable, Equatable, Decodable {
        var id: String
        var code: String
        var message: String?
    }

    var accepted = 0
    var duplicate = 0
    var rejected: [Rejection] = []

    init() {}

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        accepted = try fields.decodeIfPresent(Int.self, forKey: .accepted) ?? 0
        duplicate = try fields.decodeIfPresent(Int.self, forKey: .duplicate) ?? 0
        rejected = try fields.decodeIfPresent([Rejection].self, forKey: .rejected) ?? []
    }

    private enum CodingKeys: String, CodingKey {
        case accepted, duplicate, rejected
    }
}

extension SyncReply: Decodable {
    private enum CodingKeys: String, CodingKey {
        case cursor, replace, cards, removed, events, refresh
    }

    /// Decodes a reply; a card that cannot be used is skipped, a reply without `cards` is an error, since taking it
    /// for an empty feed would lose the user's cards.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let list = try fields.decode(LossyList<ContentCard>.self, forKey: .cards)
        self.init(
            cursor: try fields.decodeIfPresent(String.self, forKey: .cursor),
            replaces: TolerantContainer(fields).bool(.replace) ?? false,
            cards: list.elements,
            removed: try fields.decodeIfPresent(LossyList<String>.self, forKey: .removed)?.elements ?? [],
            receipt: try fields.decodeIfPresent(SyncReceipt.self, forKey: .events),
            refresh: try? fields.decodeIfPresent(RefreshLimit.self, forKey: .refresh),
            skippedCards: list.skipped
        )
    }
}

/// The answer to a request that carried events alone.
struct EventsReply: Sendable, Decodable {
    var events: SyncReceipt
}

/// The body of every refusal.
struct ErrorReply: Sendable, Decodable {
    struct Body: Sendable, Decodable {
        var code: String
        var message: String?
    }

    var error: Body
}
