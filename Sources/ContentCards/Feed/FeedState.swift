import Foundation

/// Everything known about the cards of one user: what the server said, and what the user did here.
///
/// A pure value: replies, marks and moments go in, the visible cards come out.
struct FeedState: Sendable, Equatable {
    /// All known cards in order, also the dismissed ones and those that expired since the last merge.
    private(set) var ordered: [ContentCard] = []
    /// The position at which the next sync continues; `nil` asks for the whole feed.
    var cursor: String?
    private(set) var lastSync: Date?
    /// Ids of dismissed cards, oldest first: a card that the user dismissed never comes back, whatever a late reply
    /// says.
    private(set) var dismissals: [BytewiseText] = []
    /// For each card whose extras did not decode, the version that was reported.
    private(set) var reported: [BytewiseText: UInt32] = [:]

    private static let dismissalLimit = 1000
    /// Seconds by which clocks are set back without anybody having moved them.
    private static let clockTolerance: TimeInterval = 60

    init() {}

    /// Restores a state; see `CachedFeed`.
    init(
        cards: [ContentCard],
        cursor: String?,
        lastSync: Date?,
        dismissals: [BytewiseText],
        reported: [BytewiseText: UInt32]
    ) {
        ordered = cards.sorted { $0.precedes($1) }
        self.cursor = cursor
        self.lastSync = lastSync
        self.dismissals = dismissals.suffix(Self.dismissalLimit)
        self.reported = reported
    }

    /// Returns the position at which a sync at a time continues; `nil` asks for the whole feed.
    ///
    /// Cards that had expired at the last sync are gone. Where that was in the future, the clock was ahead, and some of
    /// them may have come back into their time.
    func cursor(at date: Date) -> String? {
        wasClockAhead(at: date) ? nil : cursor
    }

    private func wasClockAhead(at date: Date) -> Bool {
        guard let lastSync else { return false }
        return lastSync.timeIntervalSince(date) > Self.clockTolerance
    }

    func card(id: String) -> ContentCard? {
        let identity = BytewiseText(id)
        return ordered.first { $0.identity == identity }
    }

    func visible(at date: Date) -> [ContentCard] {
        ordered.filter { !$0.isDismissed && !$0.isExpired(at: date) }
    }

    func nextExpiry(after date: Date) -> Date? {
        ordered.lazy.filter { !$0.isDismissed }.compactMap(\.expiresAt).filter { $0 > date }.min()
    }
}

extension FeedState {
    /// Takes a reply of the server.
    ///
    /// Returns whether any card changed.
    ///
    /// Flags are merged: once true on this device or on the server, true.
    @discardableResult
    mutating func merge(_ reply: SyncReply, at date: Date) -> Bool {
        let before = ordered
        let removed = Set(reply.removed.map(BytewiseText.init(_:)))
        var merged = Dictionary(ordered.map { ($0.identity, $0) }) { first, _ in first }
        let known = merged
        if reply.replaces { merged = [:] }
        for card in reply.cards { merged[card.identity] = withLocalFlags(card, known[card.identity]) }
        ordered = merged.values
            .filter { !removed.contains($0.identity) && !$0.isExpired(at: date) }
            .sorted { $0.precedes($1) }
        reported = reported.filter { merged[$0.key] != nil }
        // What this reply was asked for may be from before the clock was set back.
        cursor = wasClockAhead(at: date) && !reply.replaces ? nil : reply.cursor
        lastSync = date
        return ordered != before
    }

    private func withLocalFlags(_ card: ContentCard, _ known: ContentCard?) -> ContentCard {
        var card = card
        card.isViewed = card.isViewed || known?.isViewed == true
        card.isClicked = card.isClicked || known?.isClicked == true
        card.isDismissed = card.isDismissed || known?.isDismissed == true || dismissals.contains(card.identity)
        return card
    }

    /// Notes what the user did with a card.
    ///
    /// Returns whether that is news.
    @discardableResult
    mutating func mark(_ action: CardAction, id: String) -> Bool {
        let identity = BytewiseText(id)
        guard let index = ordered.firstIndex(where: { $0.identity == identity }) else { return false }
        let before = ordered[index][keyPath: action.flag]
        ordered[index][keyPath: action.flag] = true
        if action == .dismissal, !before { remember(dismissal: identity) }
        return !before
    }

    /// Takes over what is in the event log: a dismissal counts even when its card is not known yet.
    mutating func replay(_ action: CardAction, id: String) {
        let identity = BytewiseText(id)
        if !mark(action, id: id), action == .dismissal, !dismissals.contains(identity) {
            remember(dismissal: identity)
        }
    }

    private mutating func remember(dismissal id: BytewiseText) {
        dismissals.append(id)
        if dismissals.count > Self.dismissalLimit { dismissals.removeFirst() }
    }

    /// Notes that a version of a card was reported as undecodable.
    ///
    /// Returns false if it was before.
    mutating func noteReported(_ card: ContentCard) -> Bool {
        guard self.card(id: card.id) != nil, reported[card.identity] != card.extrasVersion else { return false }
        reported[card.identity] = card.extrasVersion
        return true
    }
}

extension ContentCard {
    /// A checksum of the extras, which changes when a marketer fixes them.
    var extrasVersion: UInt32 {
        JSONValue.object(extras.mapValues(JSONValue.string)).text.utf8CRC32
    }
}
